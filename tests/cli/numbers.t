#!/bin/sh
# What a cell reports about its numbers: divergence, the instructions that
# computed them, and speed.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Numbers
variants: [vanilla, uniform]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 1, evals: 1, train: 64, valid: 16, test: 16,
           schedule.warmup: 1}
Y
x=$work/x.yaml
status() { sb status --store "$work/$1" --json; }

# ---- divergence ----
sb run "$x" --store "$work/far" -S schedule.scale=1e38
ok 'one step out of the numbers fails every cell' exits 1 '4 failed'
ok '... and says where, and what to do' exits 1 \
    'the validation loss after step 1 of 1 is not a number; lower schedule.scale'
ok '... stores none' test 0 = "$(ls "$work/far/cells" | wc -l)"
ok '... as diverged' test 4 = \
    "$(grep -l '"class": "diverged"' "$work"/far/failed/*.json | wc -l)"
status far
ok '... without metrics' json '
    !grep { $_->{status} ne "failed" || %{$_->{metrics}} } @{$j->{cells}}'
sb table 2 --store "$work/far"
ok '... so that there is nothing to tabulate' exits 7 'no cell of table 2 is finished'

sb run "$x" --store "$work/near" -S schedule.scale=1e6 -S steps=3 -E task==lm1b
ok 'a loss whose perplexity is no number fails too' exits 1 \
    'ppl on the test set is infinite'
ok '... and stores none' test 0 = "$(ls "$work/near/cells" | wc -l)"

# ---- worse than a model-free baseline ----
sb run "$x" --store "$work/bad" -S schedule.scale=20
ok 'a cell worse than the unigram model is named at the end' exits 0 \
    'is worse than the unigram model: ce '
status bad
ok '... and told by status' json '
    my @lm = grep { $_->{task} eq "lm1b" } @{$j->{cells}};
    @lm == 2 && !grep { !$_->{worse_than_blind} } @lm'
sb status --store "$work/bad"
ok '... in words' says 'ce [0-9.]*; worse than the unigram model'
sb show "$work/bad#vanilla/lm1b/1"
ok '... and by show' says '^remark  *worse than the unigram model'
sb table 2 --store "$work/bad"
ok '... and under a table' says \
    'LM1B.*: worse than the input-blind baseline for this seed:'
sb run "$x" --store "$work/two" -S schedule.scale=20 --seeds 2 -E task==lm1b
sb table 2 --store "$work/two" --json
sed 's/"worse_than_blind": 2/"worse_than_blind": 1/' "$work/out" \
    >"$work/one.json"
sb table 2 --from "$work/one.json"
ok '... where only some seeds are, with how many' says '(1 of 2 seeds)'

# ---- instruction sets ----
sb run "$x" --store "$work/free" -S steps=20 -j 2 -E task==lm1b
DNNL_MAX_CPU_ISA=SSE41 sb run "$x" --store "$work/old" -S steps=20 -j 1 \
    -E task==lm1b
ok 'a run with fewer instructions' exits 0
sb show "$work/old#vanilla/lm1b/1" --json
ok '... says which the products are made of' json '
    $j->{cells}[0]{provenance}{instruction_set} eq "sse41"'
ok '... and why' json '
    $j->{cells}[0]{provenance}{environment} =~ /\bDNNL_MAX_CPU_ISA=SSE41\b/'
ok '... the libraries that were loaded' json '
    $j->{cells}[0]{provenance}{libraries_loaded} =~
        /^glibc \d.*, zlib \d.*, gsl \d.*, hdf5 \d/'
ok '... compiler, flags and its instructions' json '
    !grep { !defined $j->{cells}[0]{provenance}{$_} } qw(compiler flags
        instruction_set_compiler instruction_set_processor products)'
ok '... one job' json '$j->{cells}[0]{timing}{jobs} == 1'


# Without AVX-512 there is no bfloat16 kernel; the fp32 kernel multiplies
# rounded operands instead.
ok 'bfloat16 is what it is without its instructions' env DNNL_MAX_CPU_ISA=AVX2 \
    "${program%/*}/tests/engine/test_gemm" 'bfloat16*'
DNNL_MAX_CPU_ISA=AVX2 sb run "$x" --store "$work/low" -S steps=20 -j 1 \
    -S precision=bf16
ok '... and cells are trained' exits 0 'trained 4 cells'
sb show "$work/low#vanilla/lm1b/1" --json
ok '... which say what multiplied' json '
    $j->{cells}[0]{provenance}{instruction_set} eq "avx2"'

# Code that runs only with AVX-512 is compiled everywhere.
ok 'kernels of AVX-512 compile' sh -c "for f in harness/engine/cpu/*.c; do
    ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -fopenmp \
        -march=x86-64-v4 -fsyntax-only -Wall -Wextra -Werror -I. \$f || exit
done"

# ---- speed ----
sb show "$work/free#vanilla/lm1b/1" --json
ok 'a cell tells the spread of its steps' json '
    my $t = $j->{cells}[0]{timing};
    $t->{step_seconds_min} <= $t->{step_seconds_p10} &&
    $t->{step_seconds_p10} <= $t->{step_seconds_median} &&
    $t->{step_seconds_median} <= $t->{step_seconds_p90}'
ok '... of all steps' json '
    $j->{cells}[0]{timing}{steps_timed} == 20 &&
    $j->{cells}[0]{timing}{steps_stopped} == 0'
ok '... its speed as that of the median' json '
    my $t = $j->{cells}[0]{timing};
    abs($t->{steps_per_s} * $t->{step_seconds_median} - 1) < 1e-4'
ok '... load, jobs and processors' json '
    my $t = $j->{cells}[0]{timing};
    $t->{jobs} == 2 && $t->{processors} >= 1 && $t->{load_begin} >= 0 &&
    $t->{load_end} >= 0'
ok '... processor time' json '$j->{cells}[0]{timing}{train_cpu_seconds} > 0'
ok '... and whether that is noise' json '
    my $t = $j->{cells}[0]{timing};
    $t->{too_noisy} == !!($t->{step_spread} > 0.25 ||
        $t->{load_begin} > 1.25 * $t->{processors} ||
        $t->{load_end} > 1.25 * $t->{processors})'
done_testing
