#!/bin/sh
# make.sh BUILD OUT [STORES]: runs a small matrix of experiments, writes its
# numbers as text to the folder OUT, and keeps the stores of the matrix in
# STORES:
#
#     rows.txt   every task's examples (rows.c)
#     plan/      the estimated cost of each cell
#     cells/     every dataset and attribute of each cell (dump.c, cells.pl)
#     tables/    the paper's tables
#     plots/     the data of every figure
#     compared/  what show, compare and power compute
#
# Each number is written in one format only; tests/cli/formats.t checks that the
# other formats have the same numbers. BUILD is the folder of a build with
# MODE=golden, whose results are bit-identical on every machine. It runs with
# the clock of clock.c, so times are equal, too.
set -eu
here=$PWD
build=$PWD/$1
mkdir -p "$2"
cd "$2"
export LC_ALL=C.UTF-8 # arrows
unset XDG_CACHE_HOME DNNL_MAX_CPU_ISA OMP_NUM_THREADS COLUMNS
if [ $# = 3 ]; then
    work=$3
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
mkdir -p plan cells tables plots compared
sb() { LD_PRELOAD=$build/clock.so "$build/synthbench" "$@"; }
fails() { cat "$work/log" >&2; exit 1; }
# Values that depend on the machine or the time. Only their presence is
# compared.
machine='build|compiler|flags|libraries\w*|instruction_set\w*|environment'
machine="$machine|processors?|system|cores\w*|granted_by|affinity"
machine="$machine|cells_at_a_time|ran_on"
export HWLOC_SYNTHETIC='pack:1 core:2 pu:1' # one NUMA node on any machine
tell() { # HEADING COMMAND...: what it prints, without folders
    echo "== $1"
    shift
    { "$@" 2>/dev/null || echo "exit code $?"; } | perl -pe 'BEGIN {
            ($work, $build, $here, $machine) = splice @ARGV }
        for my $folder ($work, $build, $here) { s,\Q$folder\E/,,g }
        s,20[0-9-]+T[0-9:]+Z,DATE,g;
        s/^(cores: ).*/$1*/; s/^( *"($machine)": ).*[^,\n](,?)$/$1*$3/;
        s/^((provenance|timing)\.($machine) +).*/$1*/' \
        "$work" "$build" "$here" "$machine"
    echo
}

"$build/tests/golden/rows" "$work/cache" >rows.txt

# ---- the matrix ----
matrix() { # NAME YAML [OPTION...]
    name=$1
    shift
    sb run "$@" --store "$work/$name" -j 2 >"$work/log" 2>&1 ||
        [ $? = 8 ] || fails
    perl "$here/tests/golden/cells.pl" "$build/tests/golden/dump" \
        "$work/$name" >"cells/$name.txt"
}
for x in paper variants generators settings knobs tuned; do
    tell "plan $x" sb plan "$here/tests/golden/$x.yaml" --json \
        >"plan/$x.json"
    matrix $x "$here/tests/golden/$x.yaml" --cache "$work/cache"
done
matrix official "$here/experiments/full.yaml" --cache "$work/cache" \
    --data-dir "$here/tests/data/fixtures" -E variant==random \
    -S layers=1 -S d=16 -S heads=2 -S ff=32 -S N=192 -S vocab=380 -S batch=2 \
    -S batch.by=examples -S batch.devices=1 \
    -S shards=2 -S steps=2 -S train=0 -S evals=1 -S test=0

# ---- tables and figures ----
tables() { # MATRIX TABLE...
    x=$1
    shift
    for t; do
        tell "$x, table $t" sb table "$t" --store "$work/$x" --json
    done
}
tables paper 1 2 3 4 5 6 7 >tables/paper.json
{ tables variants 2 4 7; tables official 2 4 7; } >tables/others.json
tables tuned tuned >tables/tuned.json
figures() { # MATRIX FIGURE...: their data, without drawing them
    x=$1
    shift
    LD_PRELOAD=$build/clock.so PATH=$work/none "$build/synthbench" plot "$@" \
        --store "$work/$x" >"$work/log" 2>&1 ||
        grep -q 'gnuplot cannot be run' "$work/log" || fails
    for f; do
        rows=100000
        case $f in
        sentence) rows=40 ;; # of maps, whose digests are in cells/
        esac
        for file in "$work/$x/plots/$f".tsv "$work/$x/plots/$f"_*.tsv; do
            [ -f "$file" ] || continue
            tell "${file##*/}" head -n "$rows" "$file"
        done >"plots/$x.$f.txt"
    done
}
figures paper curves flops logit_change forest published attention sentence
figures variants curves flops logit_change
figures tuned budget forest

# ---- single cells, pairs of cells, comparisons ----
p=$work/paper
{
    tell show sb show "$p#random/wmt14_ende/1" --samples 2 --json
    tell 'show of a mixture' sb show "$p#vanilla/glue/1" --samples 2 --json
} >compared/show.json
{
    tell 'one seed' sb compare "$p#vanilla/lm1b/1" "$p#random/lm1b/1" --json
    tell 'both seeds' sb compare "$p#vanilla/wmt14_ende" \
        "$p#random/wmt14_ende" --json
    tell 'a mixture' sb compare "$p#vanilla/glue" "$p#random/glue" --json
} >compared/compare.json
{
    tell power sb power "$here/tests/golden/paper.yaml" --store "$p" -E \
        'task==lm1b || task==wmt14_ende || task==glue' --json
    tell 'of one difference' sb power "$here/tests/golden/paper.yaml" \
        --store "$p" -E 'task==wmt14_ende' --difference 0.5 --json
} >compared/power.json
