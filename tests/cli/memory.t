#!/bin/sh
# A cell uses at most the memory that `plan` estimates, and at least two thirds
# of it. The tolerance of 8 MB is for pages of the program and its libraries,
# which the kernel may drop before they are counted.
set -u
program=${SYNTHBENCH:-build/release/synthbench}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0

check() { # EXPERIMENT FILTER OPTION...: cells of the smoke scale
    experiment=$1
    filter=$2
    shift 2
    rm -rf "$work/s"
    "$program" run "$experiment" --scale smoke --store "$work/s" -E "$filter" \
        -S steps=4 -S evals=1 "$@" 2>"$work/err"
    "$program" plan "$experiment" --scale smoke -E "$filter" -S steps=4 \
        -S evals=1 "$@" --json | perl -MJSON::PP -e 'local $/;
        print "$_->{id} $_->{bytes} $_->{task} $_->{variant}\n"
            for @{decode_json(<STDIN>)->{cells}}' >"$work/cells"
    while read -r id bytes task variant; do
        n=$((n + 1))
        "$program" show "$work/s#$id" --json | perl -MJSON::PP -e '
            my ($bytes, $name) = splice @ARGV, 0, 2;
            local $/;
            my $j = decode_json(<STDIN>);
            $j = $j->{cells}[0] if $j->{cells};
            my $rss = $j->{timing}{peak_rss_bytes} || 1;
            my $bound = $rss <= $bytes && $bytes <= 1.5 * $rss + 8e6;
            printf "%sok %s\n# %.1f MB planned, %.1f MB taken: %.2f\n",
                $bound ? "" : "not ", $name, $bytes / 1e6, $rss / 1e6,
                $bytes / $rss;
            exit(!$bound)' "$bytes" "$n - $task $variant $*" ||
            bad=$((bad + 1))
    done <"$work/cells"
}

check experiments/smoke.yaml 'variant==vanilla || variant==dense'
check experiments/table4.yaml \
    'variant==vanilla || variant==lightweight-conv-mtf'
# cells that are large enough to be distinguished from the program itself
check experiments/smoke.yaml \
    'variant==vanilla && task!=glue && task!=superglue' \
    -S d=192 -S ff=768 -S N=64
# a beam has many rows, but its sentences are encoded once
check experiments/smoke.yaml 'variant==vanilla && task==wmt14_ende' \
    -S d=192 -S ff=768 -S N=64 -S decode.beam=4
# plan assumes rows of the maximum length; these rows are shorter
check experiments/smoke.yaml 'variant==vanilla && task~glue' \
    -S d=192 -S ff=768 -S N=32
check experiments/smoke.yaml 'variant==random && task==lm1b' -S d=192 -S N=64 \
    -S threads=2
# operands rounded to bfloat16, with a large vocabulary and with wide layers
for threads in 1 2; do
    check experiments/smoke.yaml 'variant==vanilla && task==lm1b' \
        -S precision=bf16 -S layers=1 -S d=64 -S vocab=16000 -S threads=$threads
done
check experiments/smoke.yaml 'variant==vanilla && task==lm1b' \
    -S precision=bf16 -S d=128 -S ff=4096 -S batch=64 -S shards=2

echo "1..$n"
[ $bad = 0 ]
