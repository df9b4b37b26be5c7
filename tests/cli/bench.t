#!/bin/sh
# The speed of a step: what `bench` and the speed columns of table 4 print and
# store. The times themselves are not tested.
. tests/support/tap.sh

# ---- one step ----
small='-S layers=1 -S d=16 -S heads=2 -S ff=32 -S N=8 -S vocab=24 -S batch=8'
sb bench --variant random+vanilla --threads 2 --repeat 3 $small --json
ok 'bench --json has the promised keys' json '
    !grep { !exists $j->{$_} } qw(schema_version size variant threads precision
        ms_per_step ms_min ms_p10 ms_p90 spread steps load_begin load_end
        processors too_noisy tokens_per_s flops params peak_fraction
        peak_rss_mb peak_gpu_mb weights_sha256 kernels)'
ok '... what was asked for' json '
    $j->{size} eq "tiny" && $j->{variant} eq "random+vanilla" &&
    $j->{threads} == 2 && $j->{precision} eq "fp32"'
ok '... numbers above 0' json '
    !grep { !($j->{$_} > 0) } qw(ms_per_step ms_min tokens_per_s flops params
        peak_fraction peak_rss_mb)'
ok '... the least at most p10, the median, p90' json '
    $j->{ms_min} <= $j->{ms_p10} && $j->{ms_p10} <= $j->{ms_per_step} &&
    $j->{ms_per_step} <= $j->{ms_p90} && $j->{steps} == 3'
ok '... and whether the spread or the load makes it noise' json '
    $j->{too_noisy} == !!($j->{spread} > 0.25 ||
        $j->{load_begin} > 1.25 * $j->{processors} ||
        $j->{load_end} > 1.25 * $j->{processors})'
ok '... tokens a second of all 8 x 8 tokens' json '
    abs($j->{tokens_per_s} * $j->{ms_per_step} / 64e3 - 1) < 1e-3'
ok 'kernel classes sum to the profiled step' json '
    my %k = %{$j->{kernels}};
    my ($step, $sum) = (delete $k{step}, 0);
    $sum += $_ for values %k;
    keys %k == 11 && abs($sum / $step - 1) < 1e-3 && !grep { $_ < 0 } values %k'
cp "$work/out" "$work/bench"

# ---- the settings of a cell, and steps on request ----
cell='{"N":8,"batch":8,"d":16,"ff":32,"heads":2,"layers":1,"scale":"smoke",'\
'"seed":1,"steps":40,"task":"lm1b","variant":"random+vanilla","vocab":24}'
sb bench --config "$cell" --threads 1 --repeat 3 --json
ok '--config: the settings of a cell' json '$j->{size} eq "cell" &&
    $j->{variant} eq "random+vanilla" && $j->{steps} == 3 &&
    $j->{threads} == 1 &&
    abs($j->{tokens_per_s} * $j->{ms_per_step} / 64e3 - 1) < 1e-3'
paced() { # LINES: what it is asked
    printf "$1" >"$work/asked"
    "$program" bench --config "$cell" --threads 1 --paced <"$work/asked" \
        >"$work/out" 2>"$work/err"
    code=$?
}
paced '3\n1\n'
ok '--paced: a line an answer' test \
    "$(grep -Ec '^[0-9.e-]+ [0-9]{7,}$' "$work/out"), $(wc -l <"$work/out")" = \
    '2, 2'
own() { # a parent of 200 MB does not count
    echo 1 >"$work/asked"
    perl -e '$x = "x" x 2e8; exit 1 if `@ARGV` !~ / (\d+)$/ || $1 > 1e8;
        exit 0' "'$program' bench --config '$cell' --paced <'$work/asked'"
}
ok '... and the memory is its own, not that of what started it' own
for steps in 0 x 100001 '1 1'; do
    paced "$steps\n"
    ok "... '$steps' is no number of steps" exits 2 '--paced'
done
sb bench --config '{"variant":"none","task":"lm1b"}'
ok 'a configuration of an unknown variant is told' exits 2 '--config'
sb bench --config '{"d":'
ok '... and what is none' exits 2 '--config: not a configuration'
sb bench --config "$cell" -S d=32
ok '... and -S beside it' exits 2 '-S'

cat >"$work/x.yaml" <<'Y'
title: The model of the bench
variants: [random+vanilla]
tasks: [lm1b]
scales: [quick]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 32, N: 8, vocab: 24, batch: 8,
           shards: 2, lanes: 2, position: learned, embed_scale: false,
           attention_bias: true, tied: true, dropout: 0}
Y
sb plan "$work/x.yaml" --json
ok "plan's operations and parameters are the bench's" json '
    local $/;
    open my $f, "<", "'"$work"'/bench";
    my ($b, $c) = (decode_json(<$f>), $j->{cells}[0]);
    $b->{flops} == $c->{flops_per_step} && $b->{params} == $c->{params}'
cp "$work/out" "$work/plan"

# ---- precision ----
sb bench --size small --precision bf16 --threads 1 --repeat 2 --json \
    -S layers=1 -S d=16 -S heads=2 -S ff=32 -S batch=8
ok 'bf16 runs' json '$j->{precision} eq "bf16" && $j->{ms_per_step} > 0'
ok '... as often and on as many threads as was asked for' json '
    $j->{steps} == 2 && $j->{threads} == 1'
ok '... and the size has its own N and vocabulary' json '
    my ($n, $d, $ff, $v) = (64, 16, 32, 4000);
    $j->{size} eq "small" && $j->{flops} == 3 * 8 * 2 * $n *
        (4 * $d ** 2 + 2 * $n * $d + 2 * $d * $ff + $d * $v)'
sb plan "$work/x.yaml" -S precision=bf16 --json
ok '... and is another cell' json '
    local $/;
    open my $f, "<", "'"$work"'/plan";
    decode_json(<$f>)->{cells}[0]{id} ne $j->{cells}[0]{id}'
sb plan "$work/x.yaml" -S threads=2 --json
ok 'threads are not' json '
    local $/;
    open my $f, "<", "'"$work"'/plan";
    decode_json(<$f>)->{cells}[0]{id} eq $j->{cells}[0]{id}'

# ---- peak throughput ----
sb bench --count --size t5-base --variant random -S shards=1 -S batch=128 --json
ok '--count: random at T5-base, one shard' json '
    my %k = map { $_->{kernel} => $_ } @{$j->{kernels}};
    my $all = delete $k{all};
    my ($calls, $bytes, $flops) = (0, 0, 0);
    ($calls, $bytes, $flops) = ($calls + $_->{calls}, $bytes + $_->{bytes},
                                $flops + $_->{flops}) for values %k;
    $j->{variant} eq "random" && $j->{shards} == 1 && $calls < 3000 &&
    $k{gemm}{calls} > 400 && $k{attend}{calls} == 36 && $k{get}{calls} == 1 &&
    !grep { $_->{calls} < 1 } values %k and $all->{calls} == $calls &&
    abs($all->{bytes} / $bytes - 1) < 1e-9 && $all->{flops} == $flops &&
    $flops > 4e13'
cp "$work/out" "$work/counted"
sb bench --count --size t5-base --variant random -S shards=2 -S batch=128 --json
ok '... two shards make nearly twice the calls of the same work' json '
    open my $f, "<", "'"$work"'/counted";
    my $one = decode_json(join "", <$f>);
    my ($two, $of) = map { (grep { $_->{kernel} eq "all" } @{$_->{kernels}})[0] }
        $j, $one;
    $two->{calls} > 1.5 * $of->{calls} && $two->{calls} < 2 * $of->{calls} &&
    abs($two->{flops} / $of->{flops} - 1) < 1e-9'
sb bench --count --variant dense --precision bf16
ok '... as text, with operands rounded to bfloat16' grep -Eq \
    '^lower +[0-9]+ +[0-9.]+ [kMG]?B +0 FLOP$' "$work/out"

sb bench --peak --threads 1 --json
ok "the machine's ceilings" json '
    $j->{fp32_gflops} > 0 && $j->{bf16_gflops} > 0 &&
    $j->{memory_gb_per_s} > 0'

# ---- table 4 ----
speed="table 4 --columns speed --store $work/s $small -S batch.by=tokens
    -S batch=64"
sb $speed --json
ok 'table 4 --columns speed' exits 0
ok '... every attention of the issue' json '
    my %v = map { $_->{variant} => 1 } @{$j->{rows}};
    !grep { !$v{$_} } qw(vanilla random dense random+vanilla dense+vanilla
        dense-mtf lightweight-conv dynamic-conv lightweight-conv-mtf
        dynamic-conv-mtf)'
ok '... vanilla is the measure, unless it is noise' json '
    my ($r) = $j->{rows}[0];
    $r->{variant} eq "vanilla" && ($r->{too_noisy}
        ? !defined $r->{cells}[4]{value} && !defined $r->{cells}[3]{value}
        : $r->{cells}[4]{value} == 1)'
ok '... with spread and load' json '
    !grep { !($_->{cells}[3]{low} <= $_->{cells}[3]{high} &&
              defined $_->{load_begin}) } @{$j->{rows}}'
ok '... and an interval of the ratio, where both speeds are told' json '
    my ($first, @more) = map { $_->{cells}[4] } @{$j->{rows}};
    !defined $first->{low} &&
        !grep { defined $_->{low} != defined $_->{value} } @more'
ok '... and the published ratio beside ours' json '
    my ($r) = grep { $_->{variant} eq "random" } @{$j->{rows}};
    abs($r->{cells}[4]{published} - 4.26 / 3.9) < 1e-9 &&
    $r->{cells}[4]{source} =~ /transcription/'
ok '... one file a row' test "$(ls "$work/s/speed/cells" | wc -l)" = 12
file=$(ls "$work"/s/speed/cells/*.h5 | head -n 1)
ok '... that says what it is' sh -c "h5dump -a /kind '$file' | grep -q '\"speed\"'"
cp "$work/out" "$work/first"
sb $speed --json
ok 'what was timed is read again' cmp "$work/first" "$work/out"
sb $speed --json --fresh
ok '... and timed again with --fresh' test "$(cat "$work/first")" != "$(cat "$work/out")"
ok '... in place of the old' test "$(ls "$work/s/speed/cells" | wc -l)" = 12
sb $speed
ok '... as text' says '^random+vanilla  *[0-9,]*  *292M'
ok '... with the examples of a step, where tokens are counted' \
    says 'A step is of 8 examples of 8 tokens'
ok '... and that no attention is fused' says 'No attention is fused'
ok '... in JSON, too' grep -q '"fused_attention": false' "$work/first"

# ---- bad input ----
sb bench --size smal
ok 'an unknown size' exits 2 "did you mean 'small'?"
sb bench --variant linformer
ok 'a variant that no decoder has' exits 2 'it cannot be used in a decoder'
sb bench -S variant=random
ok 'a variant is no setting' exits 2 'use --variant'
sb bench --format md
ok 'Markdown of one step' exits 2 "'md'"
sb table 4 --columns sped
ok 'unknown columns' exits 2 "did you mean 'speed'?"
sb table 2 --columns speed
ok 'a table without speeds' exits 2 'table 2 has no speed columns'
done_testing
