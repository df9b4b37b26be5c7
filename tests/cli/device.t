#!/bin/sh
# Setting `device: cuda`. Without a driver it is refused. With the test's
# libcuda.so.1 (tests/support/device.h), a cell is trained, killed and resumed
# to the same weights. If the GPU is full or lost, only that cell fails.
. tests/support/tap.sh

build=$(dirname "$program")
on_gpu() { # [VARIABLE=VALUE...] PROGRAM ARGUMENT...: with the tests' GPU
    env LD_LIBRARY_PATH="$build/device" OMP_WAIT_POLICY=passive "$@" \
        >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

# ---- without a driver ----
if ldconfig -p 2>/dev/null | grep -q libcuda.so.1; then
    ok 'a run without a GPU driver # SKIP there is one' true
else
    sb run experiments/smoke.yaml -S device=cuda --store "$work/none"
    ok 'without a driver a run ends at once' \
        exits 2 'device: cuda: no GPU driver (libcuda.so.1)'
    ok '... with advice' exits 2 'install NVIDIA'
    ok '... and trains nothing' test ! -e "$work/none/cells"
    sb bench --size small -S device=cuda --threads 1
    ok 'so does bench' exits 2 'no GPU driver'
    sb doctor
    ok 'doctor says what is missing' says 'GPU (absent)'
    sb doctor --json
    ok '... which nothing needs' json '(grep { $_->{name} eq "GPU" }
        @{$j->{checks}})[0]{state} eq "absent"'
fi
sb plan experiments/smoke.yaml -S device=cuda -E 'task==c4'
ok 'plan says what a GPU would need' says \
    '^GPU memory: up to .*B for a cell; on this machine: no GPU driver'
sb trace -S device=cuda -o "$work/x.h5"
ok 'traces are of the processor' exits 2 'device'

# ---- ids ----
cat >"$work/one.yaml" <<'END'
title: One cell
scales: [smoke]
tasks: [lm1b]
variants: [random+vanilla]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 32, N: 16, vocab: 24, batch: 8,
  steps: 10, evals: 2, schedule.warmup: 10, schedule.scale: 1, train: 200,
  valid: 16, test: 16, shards: 1, lanes: 1, checkpoint_seconds: 0}
END
id() { # ARGUMENT...: of the cell
    "$program" plan "$work/one.yaml" "$@" --json |
        perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{cells}[0]{id}'
}
plain=$(id)
ok 'the processor is not part of an id' test "$(id -S device=cpu)" = "$plain"
ok '... a GPU is' test "$(id -S device=cuda)" != "$plain"
ok '... and so is that its attention is not fused' \
    test "$(id -S device=cuda)" != "$(id -S device=cuda-unfused)"

# ---- with the driver of the tests ----
if [ ! -e "$build/device/libcuda.so.1" ]; then
    ok 'a cell on a GPU # SKIP `make tests` builds its driver' true
    done_testing
fi
weights() { # STORE: the digest of its cell's
    "$program" show "$1#random+vanilla/lm1b/1" --all |
        sed -n 's/^weights.sha256 *//p'
}
run_on_gpu() { # STORE [VARIABLE=VALUE...]
    store=$1
    shift
    on_gpu "$@" "$program" run "$work/one.yaml" -S device=cuda --store "$store"
}
on_gpu "$program" doctor
ok 'doctor shows the GPU' says 'test device, .* multiprocessors'
run_on_gpu "$work/whole"
ok 'a cell trains on the GPU' exits 0
sb show "$work/whole#random+vanilla/lm1b/1" --all
ok '... and says so' says 'gpu  *test device'
ok '... with attention that is not fused' says 'gpu_attention  *unfused'
peak=$(sed -n 's/^timing.gpu_peak_bytes *//p' "$work/out")
on_gpu "$program" plan "$work/one.yaml" -S device=cuda --json
ok '... and takes no more of its memory than was planned' json '
    my $planned = $j->{cells}[0]{gpu_bytes};
    $planned > '"$peak"' && $planned < '"$peak"' + 4e7 &&
    '"$peak"' > 4 * $j->{cells}[0]{params}'
ok '... which is that of the GPU' json '
    $j->{placement}{gpu}{name} eq "test device" &&
    $j->{cells}[0]{bytes} > 4e8'
on_gpu "$program" plan "$work/one.yaml" -S device=cuda
ok '... as the text says' says '^GPU: test device with .*B; a cell needs up to'
on_gpu "$program" bench --variant vanilla -S layers=1 -S d=16 -S N=8 \
    -S heads=2 -S ff=16 -S batch=2 -S vocab=24 -S device=cuda --threads 1 \
    --repeat 1 --json
ok 'bench times a step there, and each class of kernels' json '
    $j->{peak_gpu_mb} > 4 && $j->{kernels}{products} > 0 &&
    $j->{kernels}{other} < $j->{kernels}{step} / 2 &&
    $j->{weights_sha256} =~ /^[0-9a-f]{64}$/'
whole=$(sed -n 's/.*"weights_sha256": "\(.*\)".*/\1/p' "$work/out")
on_gpu "$program" bench --variant vanilla -S layers=1 -S d=16 -S N=8 \
    -S heads=2 -S ff=16 -S batch=2 -S vocab=24 -S device=cuda --threads 1 \
    --repeat 1 --precision bf16 --json
ok '... and products of bfloat16 lead to other weights' json '
    length $j->{weights_sha256} == 64 && $j->{weights_sha256} ne "'"$whole"'"'
whole=$(sed -n 's/.*"weights_sha256": "\(.*\)".*/\1/p' "$work/out")
on_gpu "$program" bench --variant vanilla -S layers=1 -S d=16 -S N=8 \
    -S heads=2 -S ff=16 -S batch=2 -S vocab=24 -S device=cuda-unfused \
    --threads 1 --repeat 1 --precision bf16 --json
ok '... and so does attention that is not fused' json '
    length $j->{weights_sha256} == 64 && $j->{weights_sha256} ne "'"$whole"'"'
mkdir "$work/old"
ln -s "$(cd "$build" && pwd)/calls.so" "$work/old/libcuda.so.1"
on_gpu LD_LIBRARY_PATH="$work/old" "$program" bench -S device=cuda --threads 1
ok 'a driver that lacks a call is refused' exits 2 \
    '(libcuda.so.1) has no cuLaunchKernel; install a newer one'
on_gpu DEVICE_MAJOR=7 "$program" bench -S device=cuda --threads 1
ok 'a card that is too old is refused' exits 2 'has compute capability 7.0; 8.0'
on_gpu "$program" bench --peak -S device=cuda
ok '... but its peak is the processor alone' exits 2 'measures the processor'
run_on_gpu "$work/parts" DEVICE_LOST=30
ok 'a card that is lost fails the cell' exits 1
sb status --store "$work/parts"
ok '... and that is its class' says 'device'
run_on_gpu "$work/parts"
ok 'the same command resumes' exits 0
whole=$(weights "$work/whole")
ok '... to the same weights' test "$whole" = "$(weights "$work/parts")"
ok '... which there are' test "${#whole}" = 64
# ---- fused attention ----
fused() { # STORE [VARIABLE=VALUE...]
    store=$1
    shift
    on_gpu "$@" "$program" run "$work/one.yaml" -S device=cuda \
        -S precision=bf16 --store "$store"
}
fused "$work/fused"
sb show "$work/fused#random+vanilla/lm1b/1" --all
ok 'with bf16, attention is fused' says 'gpu_attention  *fused'
peak=$(sed -n 's/^timing.gpu_peak_bytes *//p' "$work/out")
on_gpu "$program" plan "$work/one.yaml" -S device=cuda -S precision=bf16 --json
ok '... and takes no more memory than was planned' json '
    my $planned = $j->{cells}[0]{gpu_bytes};
    $planned > '"$peak"' && $planned < '"$peak"' + 4e7'
fused "$work/fused_parts" DEVICE_LOST=30
ok '... a card that is lost fails that cell, too' exits 1
fused "$work/fused_parts"
ok '... which resumes' exits 0
whole=$(weights "$work/fused")
ok '... to the same weights' test "$whole" = "$(weights "$work/fused_parts")"
ok '... of one digest' test "${#whole}" = 64

cat >"$work/both.yaml" <<END
$(sed 's/random+vanilla/vanilla, random/' "$work/one.yaml")
override:
  - {match: {variant: random}, set: {device: cuda}}
END
on_gpu "$program" plan "$work/both.yaml" --store "$work/both" --json
speeds='for (@{$j->{cells}}) { $s{$_->{variant}} = $_->{seconds} * 1e9 /
    $_->{expected}{flops_per_step} / 10 }'
ok 'each device has a speed of its own' json 'my %s; '"$speeds"'
    abs($s{vanilla} * 80 - 1) < 1e-3 && abs($s{random} * 25e3 - 1) < 1e-3'
on_gpu "$program" run "$work/both.yaml" --store "$work/both" -E variant==random
ok '... a run may compute on one of them' exits 0
on_gpu "$program" plan "$work/both.yaml" --store "$work/both" --json
ok '... and its time is that device'"'"'s' json 'my %s; '"$speeds"'
    abs($s{vanilla} * 80 - 1) < 1e-3 && $s{random} > 1e-3'
run_on_gpu "$work/full" DEVICE_BYTES=500000
ok 'a card that is full fails the cell' exits 1 'reduce batch or N'
done_testing
