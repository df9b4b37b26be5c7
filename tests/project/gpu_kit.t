#!/bin/sh
# The kit that measures a GPU (`make gpu-kit`), made from this build: it unpacks
# itself in another folder and runs all measurements, at a tiny size, on the
# simulated GPU of the tests.
. tests/support/tap.sh

build=$(cd "$(dirname "$program")" && pwd)
kit=$work/gpu-kit
if [ ! -e "$build/device/libcuda.so.1" ]; then
    ok 'the kit # SKIP `make tests` builds the driver' true
    done_testing
fi
sh harness/make/gpu_kit.sh "$build" "$kit" >"$work/out" 2>"$work/err"
code=$?
ok 'the kit is one file' exits 0
measure() { # OUT SECONDS [VARIABLE=VALUE...]: from a folder without this tree
    to=$1 seconds=$2
    shift 2
    (cd / && env OMP_WAIT_POLICY=passive "$@" "$kit" "$to" --size tiny \
        --seconds "$seconds") >"$work/out" 2>"$work/err" </dev/null
    code=$?
}
if ! ldconfig -p 2>/dev/null | grep -q libcuda.so.1; then
    measure "$work/none" 60
    ok 'without a driver it ends at once' exits 1 'there is no GPU'
fi
measure "$work/late" 1 LD_LIBRARY_PATH="$build/device"
ok 'if the time is too short it says what is left' exits 1 'not finished: '
measure "$work/all" 900 LD_LIBRARY_PATH="$build/device"
ok 'with one it measures everything' exits 0
ok '... and no check fails' says 'measure: 0 failed'
ok '... into at most eight files' \
    test "$(find "$work/all" -name '*.json' | wc -l)" = 7
is() { # NAME EXPRESSION of $j, perl: what its file says
    cp "$work/all/$1.json" "$work/out" && json "$2"
}
ok 'machine.json has the card' is machine \
    'grep { $_->{found} =~ /^test device/ } @{$j->{doctor}{checks}}'
ok 'kernels.json: digests are those of the test device' is kernels \
    '$j->{arrays} == 11 && !@{$j->{other_digests}}'
ok 'steps.json: time, memory, and the same weights twice' is steps '
    @$j == 1 && $j->[0]{ms_per_step} > 0 && $j->[0]{peak_gpu_mb} > 4 &&
    $j->[0]{weights_sha256} eq $j->[0]{second}{weights_sha256} &&
    length $j->[0]{weights_sha256} == 64 && $j->[0]{same_weights}'
ok 'unfused.json: the same step with stored weights' is unfused '
    @$j == 1 && $j->[0]{speed_of_fused} > 0 && $j->[0]{memory_of_fused} > 0 &&
    $j->[0]{weights_sha256} =~ /^\w{64}$/'
ok 'peer.json has PyTorch, or says that there is none' is peer '
    ref $j eq "HASH" ? $j->{left_out} : $j->[0]{losses}'
ok 'resume.json: killed, resumed, the same weights' is resume '
    $j->{killed} && $j->{same_weights} && $j->{weights}[0] =~ /^\w{64}$/'
ok "table4.json has Table 4's rows, with fused attention" is table4 '
    @{$j->{rows}} == 12 && $j->{fused_attention}'
done_testing
