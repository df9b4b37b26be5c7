#!/bin/sh
# Cells in other tools: h5dump, ncdump, h5py, xarray with both of its HDF5
# readers, UDUNITS and R; and README.md's Python and R code, verbatim. Run by
# `make check-readers`; `make deps-readers` installs the tools.
. tests/support/tap.sh
for tool in h5dump ncdump udunits2 Rscript; do
    command -v $tool >/dev/null ||
        { echo "Bail out! no $tool: make deps-readers"; exit 1; }
done
root=$PWD
program=$(cd "${program%/*}" && pwd)/${program##*/}
python=/usr/bin/python3

# These cells have every kind of dataset that a cell can have: texts with
# several hypotheses, labels, mixtures of tasks, a known data-generating
# distribution, a tuned cell.
cat >"$work/small.yaml" <<'Y'
title: A cell of each kind
variants: [random]
tasks: [wmt14_ende, agnews, glue, gen_bigram, gen_copy]
scales: [quick]
seeds: [1]
settings: {synthetic: true, layers: 2, d: 16, heads: 2, ff: 16, N: 8, vocab: 64,
           batch: 8, steps: 70, evals: 2, train: 64, valid: 16, test: 100,
           schedule.warmup: 10, decode.beam: 3, decode.nbest: 2}
tune:
  - match: {task: wmt14_ende}
    grid: {schedule.scale: [0.5, 1]}
    share: 1
    seed: 7
Y
sed 's/^tasks.*/tasks: [lm1b, wmt14_ende]/; s/^variants.*/variants: [vanilla, random]/
     s/^seeds.*/seeds: [1, 2]/; /^tune/,$d; s/steps: 70/steps: 20/' \
    "$work/small.yaml" >"$work/quick.yaml"
sb run "$work/small.yaml" --store "$work/small"
ok 'there are cells of each kind' exits 0
ok '... of all datasets that a cell may have' "$python" \
    tests/readers/layout.py all "$work"/small/cells/*.h5

# ---- structure: netCDF, xarray, h5py ----

for f in "$work"/small/cells/*.h5; do
    ncdump -h "$f" >"$work/header" 2>&1 || echo "ncdump: $f"
    grep -H phony_dim "$work/header"
    h5dump "$f" >"$work/dump" 2>&1 || echo "h5dump: $f"
    h5dump -d /curves/train/loss -m %.17g "$f" | grep -q '(0): [0-9]' ||
        echo "h5dump: $f has no numbers"
done >"$work/wrong"
ok 'ncdump and h5dump read every cell, and no dimension is without a name' \
    sh -c '! grep . "$1"' - "$work/wrong"
for engine in h5netcdf netcdf4; do
    ok "xarray by $engine has names, units and coordinates of all numbers" \
        "$python" tests/readers/layout.py $engine "$work"/small/cells/*.h5
done
"$python" tests/readers/layout.py units "$work"/small/cells/*.h5 >"$work/units"
ok 'cells have units' grep -qx 1 "$work/units"
while read -r unit; do
    udunits2 -H "$unit" -W "$unit" </dev/null 2>&1 | grep -q "^ *1 $unit = " ||
        [ "$unit" = 1 ] || echo "$unit"
done <"$work/units" >"$work/wrong"
ok 'UDUNITS knows all of them' test ! -s "$work/wrong"
ok '... and does not know what it is not told' sh -c \
    'udunits2 -H nats/token -W 1 </dev/null 2>&1 | grep -q recognize'

# ---- R ----

cat >"$work/read.R" <<'R'
library(hdf5r)
for (f in commandArgs(TRUE)) {
    cell <- H5File$new(f, "r")
    for (path in cell$ls(recursive = TRUE)$name)
        if (inherits(cell[[path]], "H5D"))
            stopifnot(nchar(h5attr(cell[[path]], "long_name")) > 0)
    loss <- cell[["curves/train/loss"]]
    cat(h5attr(cell, "id"), sprintf("%.17g", loss[][loss$dims]), "\n")
    cell$close_all()
}
R
ok 'R (hdf5r) reads every dataset and its name' sh -c \
    'Rscript --vanilla "$@" >"${0}/r"' "$work" "$work/read.R" \
    "$work"/small/cells/*.h5
for f in "$work"/small/cells/*.h5; do
    id=${f##*/}
    printf '%s %s \n' "${id%.h5}" "$(h5dump --onlyattr=0 -y -w 0 -m %.17g \
        -d /curves/train/loss "$f" | sed -n 's/^ *\([0-9].*[0-9]\)$/\1/p')"
done >"$work/h5"
ok '... with the numbers that h5dump reads' diff "$work/h5" "$work/r"

# ---- JSON Schema of experiment files ----

schema() { # FILE...
    "$python" tests/readers/schema.py "$work/schema.json" "$@"
}
sb list schema
cp "$work/out" "$work/schema.json"
ok 'the schema accepts every experiment' schema \
    $(ls experiments/*.yaml | grep -v claims.yaml)
mistake() { # WHAT SCRIPT: of sed, applied to a file that is right
    sed "$2" experiments/quick.yaml >"$work/wrong.yaml"
    ok "the schema refuses $1" sh -c '! "$@" >"$0"' "$work/said" "$python" \
        tests/readers/schema.py "$work/schema.json" "$work/wrong.yaml"
    sb plan "$work/wrong.yaml"
    ok '... as the program does' exits 2
}
mistake 'a setting that there is not' 's/^settings:/&\n  layrs: 2/'
mistake 'a value out of range' 's/^settings:/&\n  rank: -1/'
mistake 'a word of no choice' 's/^settings:/&\n  norm: batch/'
mistake 'a task that there is not' 's/^tasks: .*/tasks: [lm1c]/'
mistake 'a file without seeds' '/^seeds:/d'
mistake 'another key' 's/^title:.*/&\nauthor: me/'

# ---- README.md ----

block() { # LANGUAGE: the block of README.md in it
    awk -v of="\`\`\`$1" '$0 == of { on = 1; next } /^```$/ { on = 0 } on' \
        "$root/README.md"
}

mean() { # of ce on lm1b of vanilla, by the CSV
    perl -MText::ParseWords -ne 'my @f = quotewords(",", 0, $_);
        if ($. == 1) { @at{@f} = 0 .. $#f; next }
        if ($f[$at{row}] eq "vanilla" && $f[$at{task}] eq "lm1b" &&
            $f[$at{metric}] eq "ce") { $n++; $sum += $f[$at{value}] }
        END { printf "%.4f", $sum / $n }' quick.csv
}

mkdir "$work/use" && cd "$work/use" || exit
sb run "$work/quick.yaml" --store results/quick -j 2
ok 'a store as README has it' exits 0
sb export --store results/quick -o quick.csv
block python >"$work/block.py"
ok 'README: Python' sh -c '"$1" "$2" >"$3"' - "$python" "$work/block.py" \
    "$work/said"
ok '... reads the number that is there' grep -q \
    "^vanilla.* $(mean | sed 's/.$//')" "$work/said"
ok '... and every cell' test "$(grep -c \
    '^\(vanilla\|random\) \(lm1b\|wmt14_ende\) [0-9.]*$' "$work/said")" = 8
block r >"$work/block.R"
ok 'README: R' sh -c 'Rscript --vanilla "$1" >"$2"' - "$work/block.R" \
    "$work/said"
ok '... reads the number that is there' grep -q \
    "vanilla *lm1b *$(mean | sed 's/..$//')" "$work/said"
ok '... and the last loss of a cell' grep -q '^\[1\] [0-9.]*$' "$work/said"

done_testing
