#!/bin/sh
# Commands that change a store in several steps are killed at their k-th call
# that changes a file. The same command then does what it would have done, and
# nothing is lost or left behind.
. tests/support/tap.sh
. tests/torture/lib.sh
export XDG_CACHE_HOME="$work/cache"

cat >"$x" <<'Y'
title: Two cells
variants: [vanilla, random]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 8, batch: 4,
           steps: 4, evals: 2, train: 20, valid: 4, test: 4}
Y
s=$work/store
sb run "$x" --store "$s" -j 1
ok 'a store is made' exits 0 'trained 2 cells'
cell=$(ls "$s"/cells | head -n 1)
other=$(ls "$s"/cells | tail -n 1)

# Prints the digest and name of each file in a folder, except locks.
files() { # FOLDER
    (cd "$1" && find . -type f ! -name .lock ! -name lock -exec sha256sum {} + |
        sort -k 2)
}

# Kills a command at its last call and a sample of the others, or at each one.
# Before each kill, `reset` prepares the folder; afterwards `check` tests it.
killed() { # FOLDER RESET CHECK ARGUMENT...
    at=$1 reset=$2 check=$3
    shift 3
    $reset
    calls=$("$step" 0 all "$at" "$program" "$@" 2>"$work/err") || return 1
    [ -n "$long" ] && stride=1 || stride=$((calls / 7))
    k=$calls
    while [ $k -gt 0 ]; do
        $reset
        "$step" $k all "$at" "$program" "$@" >/dev/null 2>"$work/err"
        $check "$@" >"$work/why2" 2>&1 ||
            { echo "killed at call $k of $calls"; cat "$work/why2"; return 1; }
        k=$((k - stride))
    done
}

# ---- merge ----
mkdir "$work/in"
cp -r "$s" "$work/in/a"
cp -r "$s" "$work/in/b"
rm "$work/in/b/cells/$cell"
"$program" run "$x" --store "$work/in/b" -j 1 2>"$work/err"
"$program" merge "$work/in/a" "$work/in/b" -o "$work/whole" 2>"$work/err"
files "$work/whole" >"$work/whole.files"
files "$work/in" >"$work/in.files"

merge_reset() { rm -rf "$work/new"; mkdir "$work/new"; }

# Either there is no new store, or it is complete.
merge_check() { # ARGUMENT...
    [ -d "$work/new/m" ] || "$program" "$@" || return 1
    files "$work/new/m" | grep -v ' ./merging$' | diff "$work/whole.files" - &&
        files "$work/in" | diff "$work/in.files" - &&
        [ "$(ls "$work/new")" = m ]
}
ok 'a killed merge is complete or absent, and leaves no folder to the next' \
    killed "$work/new" merge_reset merge_check \
    merge "$work/in/a" "$work/in/b" -o "$work/new/m"

# ---- repair ----
d=$work/d
damage() { # FILE BYTE
    perl -e 'open my $f, "+<", $ARGV[0] or die; seek $f, $ARGV[1], 0;
        print $f "?"' "$1" "$2"
}

# One cell and its line are damaged, there is a cell of no experiment, and the
# journal ends with an incomplete line.
repair_reset() {
    rm -rf "$d"
    cp -r "$s" "$d"
    damage "$d/cells/$cell" 3000
    damage "$d/index.h5" 900
    echo 'a damaged line' >"$d/journal.tsv"
    grep -v "^${cell%.h5}" "$s/journal.tsv" >>"$d/journal.tsv"
    sed -i '1{h;d};2{p;x}' "$d/journal.tsv"
    printf '%s' "${cell%.h5}" >>"$d/journal.tsv"
    cp "$s/cells/$other" "$d/cells/0123456789abcdef.h5"
}

# The sound cell keeps its line, and each damaged file is quarantined.
repair_check() { # ARGUMENT...
    "$program" "$@" && "$program" verify store --store "$d" &&
        grep -F "$(grep "^${other%.h5}" "$s/journal.tsv")" "$d/journal.tsv" &&
        cmp "$s/cells/$other" "$d/cells/$other" || return 1
    for f in "cells/$cell" cells/0123456789abcdef.h5 index.h5 journal.tsv; do
        ls "$d"/quarantine/*/"$f" || return 1
    done
}
ok 'a killed repair is continued by the next one' \
    killed "$d" repair_reset repair_check repair --store "$d"

# ---- run --force ----
force_reset() { rm -rf "$d"; cp -r "$s" "$d"; }

# The store has its cells all the time; the next run needs to train none.
force_check() {
    "$program" verify store --store "$d" && same_bits "$s" "$d" &&
        "$program" run "$x" --store "$d" -j 1 &&
        "$program" verify store --store "$d"
}
ok 'a killed retraining loses no cell' \
    killed "$d" force_reset force_check run "$x" --store "$d" -j 1 --force

done_testing
