#!/bin/sh
# Eight concurrent runners in one store: nothing is trained twice or lost.
. tests/support/tap.sh
. tests/torture/lib.sh

experiment 'vanilla, random, dense, uniform' '1, 2' 4
"$program" run "$x" --store "$work/whole" -j 2 2>"$work/err"
cells=16

crowd() { # STORE: all eight end well, or leave cells to the others
    for i in 1 2 3 4 5 6 7 8; do
        "$program" run "$x" --store "$1" -j 1 2>"$work/err$i" &
        eval "pid$i=\$!"
    done
    bad=0
    for i in 1 2 3 4 5 6 7 8; do
        eval "wait \$pid$i"
        code=$?
        [ $code = 0 ] || [ $code = 6 ] ||
            { echo "runner $i: exit code $code"; cat "$work/err$i"; bad=1; }
    done
    return $bad
}

all_well() { # STORE
    crowd "$1" || return 1
    "$program" run "$x" --store "$1" 2>"$work/err" || return 1 # 6 left some
    once "$1" $cells || { echo 'trained or noted twice'
                          sort "$1/journal.tsv" | uniq -D -w 16; return 1; }
    same_bits "$work/whole" "$1" && "$program" verify store --store "$1"
}

[ -n "$long" ] && rounds=20 || rounds=1
good=0 tries=0
while [ $tries -lt $rounds ]; do
    tally "round $((tries + 1))" all_well "$work/s$tries"
done
ok 'eight runners share a store' test $good = $tries
echo "# crowd: $good/$tries runs of 8 runners over $cells cells"

done_testing
