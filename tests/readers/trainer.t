#!/bin/sh
# Cells that PyTorch trains from lent folders: with examples/pytorch as it is,
# and with each known mistake (wrong_trainer.py).
. tests/support/tap.sh
python=/usr/bin/python3
"$python" -c 'import torch, h5py' 2>"$work/err" ||
    { echo 'Bail out! no PyTorch: make deps-readers'; exit 1; }

s=$work/store
small='-S layers=2 -S d=16 -S ff=16 -S heads=2 -S N=8 -S batch=8 -S steps=8
       -S evals=1 -S train=64 -S valid=16 -S test=16'
lend() { # TASK VARIANT [OPTION...]: $L, a lent folder of an untrained cell
    task=$1 variant=$2
    shift 2
    L=$work/$task-$variant
    rm -rf "$s" "$L"
    # shellcheck disable=SC2086 # words
    sb train --like smoke --store "$s" $small --task "$task" \
        --variant "$variant" "$@"
    sb lend "$s#$variant/$task/1" -o "$L"
    ok "$variant on $task is lent" exits 0
}
trains() { # NAME WORDS...: the example trains it, and it is adopted
    name=$1
    shift
    ok "PyTorch trains $name" "$python" examples/pytorch/train.py "$L" "$@"
    sb adopt "$L" --store "$s"
    ok '... and it is adopted' exits 0 adopted
}

# ---- every family, preset and kind of variant ----

while read -r task variant more; do
    # shellcheck disable=SC2086 # words
    lend "$task" "$variant" $more
    trains "$variant"
    "$python" examples/pytorch/check.py "$L" >"$work/out"
    ok '... check.py agrees' grep -q '^passed (limits: loss 1e-05, ' "$work/out"
    ok '... with the loss first' sh -c 'head -n 1 "$1" | grep -q "loss$"' - \
        "$work/out"
done <<'A'
lm1b random
wmt14_ende dense+vanilla -S score_rate=3
wmt14_ende factorized-random+dense -S mix=weights
cnndm fixed-random
agnews factorized-dense -S a=2
agnews linformer -S projection=4
lm1b dynamic-conv -S conv_width=3
lm1b lightweight-conv-mtf -S position=learned
c4 dense-mtf+vanilla -S mix=plus -S share_q=true
lm1b orthogonal-tied -S orthogonal.gain=true
lm1b random+vanilla -S mix=heads
A

"$python" examples/pytorch/check.py -h >"$work/out" 2>&1
ok 'check.py -h prints its usage' grep -q '^Check a torch' "$work/out"
for of in check train; do
    "$python" examples/pytorch/$of.py "$work/none" >"$work/out" 2>&1
    ok "$of.py says that a folder was not lent" grep -q \
        '/none: not a folder that `synthbench lend` wrote$' "$work/out"
done

# ---- results equal to the engine's ----

sb train --like smoke --store "$work/full" --task lm1b --variant random \
    --seeds 1..3
for seed in 1 2 3; do
    sb lend "$work/full#random/lm1b/$seed" -o "$work/seed$seed"
    "$python" examples/pytorch/train.py "$work/seed$seed"
    sb adopt "$work/seed$seed" --store "$work/full"
    ok "seed $seed of smoke is adopted" exits 0
done
sb compare "$work/full#random/lm1b" "$work/full#random,trainer=external/lm1b" \
    --json
ok '... whose losses do not differ from those of the engine' json '
    (grep { $_->{metric} eq "ce" } @{$j->{rows} || $j->{metrics}})[0]{verdict}
    =~ /undecided|equal/'
sb table 2 --store "$work/full"
ok '... and whose row is not ranked' says 'trained by another program'

# ---- known mistakes ----

wrong() { # MISTAKE WORDS: it is refused, and named
    "$python" tests/readers/wrong_trainer.py "$1" "$L" >"$work/why" 2>&1 ||
        cat "$work/why"
    sb adopt "$L" --store "$work/none"
    ok "$1 is named" exits 8 "$2"
    echo "$1" >>"$work/made"
}
lend lm1b random
wrong per-example-R 'drawn again for every batch element'
wrong unregistered-R 'random.R is never trained'
wrong no-softmax 'the softmax is left out'
wrong scaled 'divided by the square root of a head'
wrong scaled-by-width 'divided by the square root of d'
wrong late-mask 'the causal mask is applied after the softmax'
wrong no-mask 'the causal mask is missing'
wrong over-queries 'over the queries'
wrong one-R-for-heads 'all heads of a layer share'
wrong one-R-for-layers 'all layers of a stack share'
wrong one-R-for-all 'all layers and heads share'
lend lm1b factorized-dense
wrong tiled-alike 'both factors are tiled alike'
wrong no-bias 'the biases of the scores are missing'
lend lm1b vanilla
wrong unscaled 'are not divided by the square root'
lend agnews random
wrong padding 'padding is attended to'
sort "$work/made" >"$work/sorted"
ok 'every mistake was made' sh -c '"$1" tests/readers/wrong_trainer.py --list |
    sort | diff - "$2"' - "$python" "$work/sorted"
ok 'nothing of it is stored' test ! -e "$work/none"

done_testing
