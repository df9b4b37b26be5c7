#!/bin/sh
# parity [PROGRAM]: the program traces every family x preset x variant, mixtures
# in every interpretation, and every setting of the model; PyTorch repeats the
# traces (parity.py). If a relu is at its kink or a gradient is only rounding
# noise, the reference widens a tolerance; such a case is traced again with
# another seed. Prints a count; exit code 1 unless every case passes. The
# reference does not implement the released code's convolutions.
set -u
program=${1:-build/release/synthbench}
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die() {
    echo "parity: $*" >&2
    exit 2
}

"$python" -c 'import h5py, torch' 2>/dev/null ||
    die "$python has no torch or no h5py: make deps-long"
variants=$("$program" list variants --json |
    sed -n 's/.*"name": *"\([^"]*\)".*/\1/p' | grep -v -- '-conv-mtf$')
[ -n "$variants" ] || die 'list variants names none'

# cases FAMILY PRESET: prints the options of the cases, one case per line.
cases() {
    for v in $variants; do
        [ "$v $1" = 'linformer encoder' ] || [ "$v" != linformer ] || continue
        echo "$v"
    done
    for parts in random+dense vanilla+dense-mtf \
        factorized-random+vanilla+uniform \
        fixed-random+orthogonal+factorized-dense; do
        for mix in logits plus weights; do
            echo "$parts --mix $mix"
        done
    done
    cat <<'LINES'
random+vanilla --mix sigmoid
vanilla+random --mix sigmoid
dense+vanilla --steps 5
random+vanilla --mix heads
dense+orthogonal-tied --mix heads -S orthogonal.gain=true
vanilla+dense-mtf --mix heads -S share_q=true
vanilla+random+dense+uniform --mix heads -S head_width=3
factorized-random-mtf+frozen-gaussian+orthogonal-split+random
dense -S heads=code
dense-mtf+vanilla --mix plus -S share_q=true -S head_width=6
vanilla+dense-mtf -S share_q=true
dense -S dense_bias=false
dense-literal -S dense_bias=false
orthogonal -S orthogonal.gain=true
orthogonal-split+random -S orthogonal.gain=true -S head_width=3
frozen-gaussian -S orthogonal.gain=true -S optimizer.name=adafactor
random+vanilla -S attention_bias=true
dynamic-conv -S attention_bias=true
factorized-dense -S inner=true -S N=30 -S a=5 -S c=6
factorized-dense -S inner=true -S dense_bias=false
dynamic-conv -S conv_width=4 -S conv_heads=8
lightweight-conv -S conv_width=1 -S d=20 -S heads=5 -S conv_heads=5
vanilla -S label_smoothing=0.2
random -S ffn_bias=false -S norm=rms
random -S ffn_bias=true -S norm=layer -S norm_eps=1e-3
vanilla -S dot_scale=false
vanilla -S dot_scale=true
random -S schedule.name=constant -S schedule.scale=0.01
vanilla -S schedule.name=linear -S schedule.scale=0.02 -S schedule.warmup=2
dense -S schedule.name=cosine -S schedule.scale=0.02 -S schedule.warmup=1.5
random+vanilla -S score_rate=8
factorized-random -S score_rate=0.125 -S optimizer.name=adafactor
dynamic-conv -S score_rate=3
random+vanilla -S score_rate.random=8
dense+factorized-random -S score_rate=2 -S score_rate.dense=0.5
random -S schedule.name=trapezoid -S schedule.scale=0.02 -S schedule.warmup=1
dense -S schedule.name=rsqrt-decay -S schedule.scale=0.02 -S schedule.warmup=2
random -S N=20
random -S position=none -S embed_scale=true -S logit_scale=false
random -S relative_bias=true
dense -S relative_bias=false
vanilla -S relative_bias=true -S relative_buckets=8 -S relative_distance=10
random -S layers=1 -S shards=1 -S lanes=1
LINES
    for v in vanilla dense random orthogonal; do
        for set in optimizer.name=adam optimizer.name=adafactor \
            head_width=6 'heads=2 -S batch=5 -S shards=2'; do
            echo "$v -S $set"
        done
    done
    [ "$1" = encoder ] || printf '%s -S tied=false\n' vanilla random
    [ "$1" != encoder ] || cat <<'LINES'
dense -S classes=1
vanilla -S classes=5 -S label_smoothing=0.1
linformer -S dot_scale=true -S attention_bias=true
linformer -S N=32 -S projection=4
LINES
    [ "$1" != seq2seq ] || echo 'random -S cross_heads=2'
    [ "$1" != lm ] || echo 'vanilla -S N=160 -S length=150 -S relative_bias=true'
}

# Linformer uses later tokens, so it is refused in decoders.
for family in seq2seq lm; do
    "$program" trace --family $family --variant linformer -o "$work/no.h5" \
        2>"$work/err"
    if [ $? != 2 ] || ! grep -q 'cannot be used in a decoder' "$work/err"; then
        die "linformer in family $family is not refused: $(cat "$work/err")"
    fi
done

for family in seq2seq lm encoder; do
    for preset in t2t t5; do
        cases $family $preset |
            sed "s/^/--family $family --preset $preset --variant /"
    done
done | sort -u | awk '{ print NR, $0 }' >"$work/all"
total=$(wc -l <"$work/all")

# round SEED <CASES: traces the cases and repeats them in PyTorch; writes the
# numbers of cases to $work/widened and $work/failed.
round() {
    rm -f "$work"/*.h5 "$work"/log.*
    while read -r n options; do
        # shellcheck disable=SC2086 # words
        "$program" trace $options --seed $((n + $1)) -o "$work/$n.h5" ||
            die "no trace: $options"
    done
    ls "$work"/*.h5 | PYTHON=$python xargs -P "$(nproc)" -n 24 sh -c '
        "$PYTHON" tests/parity/parity.py "$@" >"${1%.h5}.log" 2>&1' -
    cat "$work"/*.log >"$work/said"
    rm "$work"/*.log
    awk '/\.h5$/ { n = $1; sub(/.*\//, "", n); sub(/\.h5/, "", n) }
         / widened/ { wide[n] }
         END { for (n in wide) print n }' "$work/said" >"$work/widened"
    grep '^FAIL' "$work/said" >"$work/failed"
    [ "$(grep -c '^resolved' "$work/said")" = "$(ls "$work"/*.h5 | wc -l)" ] ||
        echo "FAIL: not every trace was repeated: $(tail -n 3 "$work/said")" \
            >>"$work/failed"
    if [ -s "$work/failed" ]; then
        sed 's/^FAIL: //; s/; /\n/g' "$work/failed" | sed "s|^$work/||" >&2
        echo 'where N.h5 is line N of:' >&2
        cat "$work/all" >&2
        exit 1
    fi
}

seed=0
cp "$work/all" "$work/now"
while [ -s "$work/now" ]; do
    [ $seed -lt 25000 ] ||
        die "no seed without a kink for: $(cat "$work/now")"
    round $seed <"$work/now"
    awk 'NR == FNR { again[$1]; next } $1 in again' "$work/widened" \
        "$work/all" >"$work/next"
    mv "$work/next" "$work/now"
    seed=$((seed + 1000))
done
echo "parity: $total combinations pass against PyTorch"
