#!/bin/sh
# make.sh BUILD OUT [STORES]: what a small matrix gives, as text in the folder
# OUT; its stores are kept in STORES:
#
#     rows.txt   every task's examples (rows.c)
#     plan/      what each cell would cost
#     cells/     every dataset and attribute of each cell (dump.c, cells.pl)
#     tables/    every table in every format
#     plots/     data, words and script of every figure
#     words/     what the verbs say of it: list, status, show, compare
#
# BUILD: a folder of MODE=golden, whose bits are the same on any machine.  The
# clock is clock.c's, so times are too.
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
mkdir -p plan cells tables plots words
sb() { LD_PRELOAD=$build/clock.so "$build/synthbench" "$@"; }
fails() { cat "$work/log" >&2; exit 1; }
# What the machine and the hour decide: that it is there is all.
machine='build|compiler|flags|libraries\w*|instruction_set\w*|environment'
machine="$machine|processors?|system|cores\w*|granted_by|affinity"
machine="$machine|cells_at_a_time|ran_on"
export HWLOC_SYNTHETIC='pack:1 core:2 pu:1' # one NUMA node on any machine
tell() { # HEADING COMMAND...: what it prints, without folders
    echo "== $1"
    shift
    { "$@" 2>&1 || echo "exit code $?"; } | perl -pe 'BEGIN {
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
    tell "plan $x" sb plan "$here/tests/golden/$x.yaml" >"plan/$x.txt"
    matrix $x "$here/tests/golden/$x.yaml" --cache "$work/cache"
    tell "status $x" sb status --store "$work/$x" >"words/status.$x.txt"
done
matrix official "$here/experiments/full.yaml" --cache "$work/cache" \
    --data-dir "$here/tests/data/fixtures" -E variant==random \
    -S layers=1 -S d=16 -S heads=2 -S ff=32 -S N=192 -S vocab=380 -S batch=2 \
    -S batch.by=examples -S batch.devices=1 \
    -S shards=2 -S steps=2 -S train=0 -S evals=1 -S test=0

# ---- what is made of it ----
for f in text md csv json; do
    for t in 1 2 3 4 5 6 7; do
        tell "table $t" sb table $t --store "$work/paper" --format $f
    done >"tables/paper.$f"
done
for t in 2 4 7; do
    tell "variants, table $t" sb table $t --store "$work/variants"
    tell "official, table $t" sb table $t --store "$work/official"
done >tables/others.text
for f in text md csv json; do
    tell 'table tuned' sb table tuned --store "$work/tuned" --format $f
done >tables/tuned.txt
sb plan "$here/tests/golden/settings.yaml" --json >plan/settings.json
figures() { # MATRIX FIGURE...
    x=$1
    shift
    sb plot "$@" --store "$work/$x" >"$work/log" 2>&1 || fails
    for f; do
        first=
        rows=100000
        case $f in
        scores | sentence) rows=40 ;; # of maps, whose digests are in cells/
        esac
        for file in "$work/$x/plots/$f".gp "$work/$x/plots/$f"_*.gp; do
            [ -f "$file" ] || continue
            name=${file##*/}
            tell "${name%.gp}.txt" cat "${file%.gp}.txt"
            tell "${name%.gp}.tsv" head -n "$rows" "${file%.gp}.tsv"
            # The digests of the pictures, which follow a script, are those of
            # one release of gnuplot.
            sed '/^# gnuplot /,$d' "$file" >"$work/$name"
            if [ "$first" ]; then
                tell "$name, from the first" sh -c \
                    'diff "$0" "$1" || [ $? = 1 ]' "$first" "$work/$name"
            else
                tell "$name" cat "$work/$name"
                first=$work/$name
            fi
        done >"plots/$x.$f.txt"
    done
}
figures paper curves speed flops size phases moves overview forest published \
    attention sentence scores
figures variants curves speed flops size phases moves overview
figures tuned budget overview forest

# ---- what is said of it ----
for what in variants tasks metrics scorers experiments tables figures settings
do
    tell "list $what" sb list $what
done >words/list.txt
p=$work/paper
{
    tell show sb show "$p#random/wmt14_ende/1"
    tell 'show --samples' sb show "$p#random/wmt14_ende/1" --samples 2
    tell 'show of a mixture' sb show "$p#vanilla/glue/1" --samples 2
} >words/show.txt
{
    tell 'one seed' sb compare "$p#vanilla/lm1b/1" "$p#random/lm1b/1"
    tell 'both seeds' sb compare "$p#vanilla/wmt14_ende" \
        "$p#random/wmt14_ende"
    tell 'a mixture' sb compare "$p#vanilla/glue" "$p#random/glue"
} >words/compare.txt
{
    tell power sb power "$here/tests/golden/paper.yaml" --store "$p" -E \
        'task==lm1b || task==wmt14_ende || task==glue'
    tell 'of one difference' sb power "$here/tests/golden/paper.yaml" \
        --store "$p" -E 'task==wmt14_ende' --difference 0.5 --format csv
} >words/power.txt
