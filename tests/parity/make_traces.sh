#!/bin/sh
# make_traces: regenerates tests/data/traces in PyTorch with parity.py, at the
# smallest size: every variant, every family x preset, every interpretation of a
# mixture, both optimisers. A seed is usable if the reference accepts its own
# file without widening a tolerance, that is, if no relu is at its kink. Uses
# the first usable seed.
set -eu
out=tests/data/traces
python=${PYTHON:-/usr/bin/python3}
seeds='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20'
small='layers=1 d=8 heads=2 ff=8 N=8 length=7 vocab=11'
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# one NAME FAMILY PRESET VARIANT MIX KEY=VALUE...
one() {
    file=$out/$1.h5 family=$2 preset=$3 variant=$4 mix=$5
    shift 5
    sets=
    for s in $small "$@"; do
        sets="$sets -S $s"
    done
    for seed in $seeds; do
        # shellcheck disable=SC2086 # words
        "$python" tests/parity/parity.py --make "$file" --family "$family" \
            --preset "$preset" --variant "$variant" --mix "$mix" \
            --seed "$seed" --steps 2 $sets "$file" >"$log" || continue
        grep -q widened "$log" || { echo "$file: seed $seed"; return; }
    done
    echo "$file: no seed is good:" >&2
    cat "$log" >&2
    exit 1
}

# plain FAMILY PRESET VARIANT KEY=VALUE...
plain() {
    family=$1 preset=$2 variant=$3
    shift 3
    one "$family-$preset-$variant" "$family" "$preset" "$variant" '' "$@"
}

# mixed FAMILY PRESET VARIANT MIX KEY=VALUE...
mixed() {
    family=$1 preset=$2 variant=$3 mix=$4
    shift 4
    one "$family-$preset-$variant-$mix" "$family" "$preset" "$variant" \
        "$mix" "$@"
}

mkdir -p "$out"
rm -f "$out"/*.h5

# ---- every family x preset, every variant under both presets ----
plain seq2seq t2t vanilla
plain seq2seq t5 vanilla
plain lm t2t vanilla tied=false
plain lm t5 vanilla relative_buckets=6 relative_distance=7
plain encoder t2t vanilla label_smoothing=0.1
plain encoder t5 vanilla classes=1
plain seq2seq t2t dense cross_heads=4
plain lm t5 dense dense_bias=false
plain lm t2t dense-mtf head_width=3
plain encoder t5 dense-mtf
plain encoder t5 dense-literal
plain lm t2t random optimizer.name=adafactor optimizer.factor_min=8
plain seq2seq t5 random relative_bias=false
plain lm t2t fixed-random
plain encoder t5 fixed-random
plain encoder t2t factorized-random rank=2
plain lm t5 factorized-random rank=2
plain lm t2t factorized-random-mtf rank=2
plain encoder t5 factorized-random-mtf rank=2
plain lm t2t factorized-dense a=2 c=4
plain encoder t5 factorized-dense a=2 c=4 inner=true
plain lm t2t orthogonal
plain encoder t5 orthogonal
plain encoder t2t orthogonal-split
plain encoder t5 orthogonal-tied
plain lm t5 orthogonal-split
plain lm t2t frozen-gaussian
plain encoder t5 frozen-gaussian orthogonal.gain=true
plain encoder t2t linformer projection=3
plain encoder t5 linformer projection=3
plain lm t2t lightweight-conv conv_width=3
plain encoder t5 lightweight-conv conv_width=4
plain encoder t2t dynamic-conv conv_width=3 norm_eps=1e-3
plain lm t5 dynamic-conv conv_width=4
plain lm t2t mixer schedule.name=constant schedule.scale=0.01
plain encoder t5 mixer score_rate=3
plain encoder t2t uniform schedule.name=linear schedule.scale=0.01 \
    schedule.warmup=1
plain lm t5 uniform

# ---- every interpretation of a mixture, in the order written ----
mixed encoder t2t random+dense logits
mixed lm t5 factorized-random+vanilla+uniform logits rank=2
mixed lm t2t random+vanilla plus
mixed lm t5 random+vanilla heads
mixed seq2seq t5 vanilla+dense-mtf plus share_q=true head_width=3
mixed seq2seq t2t random+vanilla sigmoid
mixed encoder t5 vanilla+random sigmoid
mixed lm t2t dense+vanilla weights
mixed encoder t5 fixed-random+orthogonal+factorized-dense weights a=2 c=4

[ "$(du -sk "$out" | cut -f 1)" -lt 2048 ] ||
    { echo "$out: over 2 MB" >&2; exit 1; }
