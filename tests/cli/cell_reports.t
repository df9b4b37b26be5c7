#!/bin/sh
# What the program reports about cells before training (expected time,
# operations, whether data are synthetic) and after training (samples).
. tests/support/tap.sh
unset DNNL_MAX_CPU_ISA

cat >"$work/x.yaml" <<'Y'
title: Told
variants: [vanilla, random, dense]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 32, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: 30, evals: 2, train: 64, valid: 16, test: 16}
override:
  - match: {task: agnews, variant: random}
    set: {schedule.name: constant, schedule.scale: 1e30}
Y
x=$work/x.yaml s=$work/store

# ---- before training ----

sb plan "$x" -S steps=1000000 --json
ok 'a plan expects 80 GFLOP/s of a worker, for all its steps' json '
    @{$j->{cells}} == 6 && !grep { abs($_->{flops_per_step} * 1e6 / 80e9 /
        $_->{seconds} - 1) > 1e-3 } @{$j->{cells}}'
if grep -q avx512bw /proc/cpuinfo; then
    sb plan "$x" -S steps=1000000 -S precision=bf16 --json
    ok '... of products of bf16 twice that' json '
        @{$j->{cells}} == 6 && !grep { abs($_->{flops_per_step} * 1e6 /
            160e9 / $_->{seconds} - 1) > 1e-3 } @{$j->{cells}}'
fi
DNNL_MAX_CPU_ISA=AVX2 sb plan "$x" -S steps=1000000 -S precision=bf16 --json
ok '... and no more where the processor has no such products' json '
    @{$j->{cells}} == 6 && !grep { abs($_->{flops_per_step} * 1e6 / 80e9 /
        $_->{seconds} - 1) > 1e-3 } @{$j->{cells}}'
to_do() { # FORMAT STEPS UNIT: of the last JSON, operations and min, s of them
    perl -MJSON::PP -e 'local $/; my ($flops, $time, $n) = (0, 0, 0);
        my $j = decode_json(<STDIN>);
        for (@{$j->{cells}}) {
            next if $_->{status} eq "done";
            $flops += $_->{flops_per_step} * $ARGV[1];
            $time += $_->{seconds};
            $n++;
        }
        my $jobs = $j->{placement} ? $j->{placement}{cells_at_a_time} : 1;
        $time /= $jobs < $n ? $jobs : $n;
        printf $ARGV[0], $flops / $ARGV[2], $time / 60, $time % 60' "$@" \
        <"$work/json"
}
sb plan "$x" -S steps=1000000 -E task==lm1b --json
cp "$work/out" "$work/json"
sb plan "$x" -S steps=1000000 -E task==lm1b
ok '... and both together' says "^3 cells: 3 missing; remaining: $(
    to_do '%.1f TFLOP, about %d min %d s, ' 1e6 1e12)"

sb run "$x" --store "$s" -j 1 -E 'task==lm1b && variant!=dense'
ok 'two cells are trained' exits 0 'trained 2 cells'
# The expected speed is that of the finished cells: the sum of their operations
# divided by the sum of their seconds.
sb status "$x" --store "$s" --json
ok 'then it expects the speed of the cells that are done' json '
    my ($work, $time) = (0, 0);
    for (grep { $_->{status} eq "done" } @{$j->{cells}}) {
        $work += $_->{flops_per_step} * 30;
        $time += $_->{seconds_spent};
    }
    $time > 0 && !grep { abs($_->{flops_per_step} * 30 * $time / $work -
        $_->{seconds}) > 1e-6 * $time } @{$j->{cells}}'
sb run "$x" --store "$s" -j 1 -E 'task==agnews && variant!=dense'
ok 'one cell more is trained, one fails' exits 1 'trained 1 cell'
ok '... diverged, as its note says' grep -q '"class": "diverged"' \
    "$s"/failed/*.json
sb status "$x" --store "$s" --json
cp "$work/out" "$work/json"
ok 'of a task it expects the speed of those of that task that are done' json '
    my (%work, %time);
    for (grep { $_->{status} eq "done" } @{$j->{cells}}) {
        $work{$_->{task}} += $_->{flops_per_step} * 30;
        $time{$_->{task}} += $_->{seconds_spent};
    }
    2 == keys %work && !grep { my $t = $time{$_->{task}};
        abs($_->{flops_per_step} * 30 * $t / $work{$_->{task}} -
            $_->{seconds}) > 1e-6 * $t } @{$j->{cells}}'
sb plan "$x" --store "$s"
ok '... and what is done is not to be done again' says "^6 cells: 3 done, 1 \
failed, 2 missing; remaining: $(to_do '%.0f MFLOP, ' 30 1e6)"
ok '... with one seed' says "; 1 seed$"
sb status "$x" --store "$s" --json
ok 'seconds spent are those of the journal' sh -c '
    perl -MJSON::PP -e '"'"'local $/; for (@{decode_json(<STDIN>)->{cells}}) {
        printf "%s %.3f\n", $_->{id}, $_->{seconds_spent}
            if $_->{status} eq "done" }'"'"' <"$1" | sort >"$3"
    cut -f 1,4 "$2" | grep -v "^#" | tr "\t" " " | sort | diff "$3" -' - \
    "$work/out" "$s/journal.tsv" "$work/spent"

# ---- after training: samples equal those of the file ----
# printed_numbers.t tests the other values of a cell.

sb show "$s#vanilla/agnews/1" --json
file=$(perl -ne 'print $1 if /"file": "(.*)"/' "$work/out")
# column FILE NAME: prints a column of the test examples of a cell file
column() { h5dump -y -w 1 -m %.17g -d "/examples/test/$2" "$1" |
    sed -n 's/^ *\(-*[0-9][^,]*\),*$/\1/p'; }
sb show "$s#vanilla/agnews/1" --json --samples 16
cp "$work/out" "$work/json"
samples() { # KEY
    perl -MJSON::PP -e 'local $/; printf "%.9g\n", $_->{$ARGV[0]}
        for @{decode_json(<STDIN>)->{samples}}' "$1" <"$work/json"
}
for key in nll:nll reference:label output:guess; do
    column "$file" "${key#*:}" | perl -ne 'printf "%.9g\n", $_' >"$work/want"
    samples "${key%:*}" >"$work/is"
    ok "show --samples: ${key%:*} is ${key#*:} of the file" \
        cmp "$work/is" "$work/want"
done
ok '... of all 16 examples' test "$(wc -l <"$work/want")" = 16

# ---- synthetic and real text ----

mkdir -p "$work/cache/sentiment/package/test/fixtures"
for origin in imdb yelp amazon; do
    perl -e 'printf "[%s]\n", join ",", map { sprintf "{\"text\": \"%s %s is " .
            "%s number %d\", \"class\": %d}", qw(This That)[$_ % 2], "$ARGV[0] " x 20,
            qw(good bad)[$_ % 2], $_, 1 - $_ % 2 } 0 .. 99' "$origin" \
        >"$work/cache/sentiment/package/test/fixtures/$origin.json"
done
sed 's/^tasks:.*/tasks: [imdb]/; s/vocab: [0-9]*/vocab: 300/
     s/^variants:.*/variants: [uniform]/; s/^scales:.*/scales: [quick]/' "$x" \
    >"$work/imdb.yaml"
imdb() { # STORE OPTION...
    sb run "$work/imdb.yaml" --store "$work/$1" --cache "$work/cache" $2
    sb show "$work/$1#uniform/imdb/1" --json
}
imdb text ''
ok 'a cell of real text does not say that it is synthetic' json '
    my $c = $j->{cells}[0];
    $c->{provenance}{synthetic} == 0 && !$c->{config}{synthetic}'
ok '... and that its texts are longer than a model of 16 reads' json '
    my $p = $j->{cells}[0]{provenance};
    $p->{train_examples} == 64 && $p->{train_truncated} == 64 &&
    $p->{train_dropped} == 0'
imdb made --synthetic
ok '... one of a generator does' json '
    my $c = $j->{cells}[0];
    $c->{provenance}{synthetic} == 1 && $c->{config}{synthetic}'
for verb in 'plan:on synthetic data' 'status:on synthetic data'; do
    sb "${verb%%:*}" "$work/imdb.yaml" --store "$work/text"
    ok "${verb%%:*} marks no real text" sh -c '! grep -q "$1" "$2"' - \
        "${verb#*:}" "$work/out"
    sb "${verb%%:*}" "$work/imdb.yaml" --synthetic --store "$work/made"
    ok "${verb%%:*} marks generators" says "${verb#*:}"
done

done_testing
