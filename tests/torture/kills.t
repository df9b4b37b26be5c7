#!/bin/sh
# Runs and their workers are killed at random times until all cells are done.
# The results must be bit-identical to those of an undisturbed run.
. tests/support/tap.sh
. tests/torture/lib.sh

experiment 'vanilla, random' '1' 150
"$program" run "$x" --store "$work/whole" -j 2 2>"$work/err"

# Prints a random number from 0 to N - 1.
random() { # N
    od -An -N4 -tu4 /dev/urandom | awk -v n="$1" '{ print $1 % n }'
}

# Kills the run or one of its workers after a while. Returns 1 if the run had
# already ended.
disturb() { # STORE
    "$program" run "$x" --store "$1" -j 2 2>"$work/err" &
    pid=$!
    sleep "0.$(printf %03d "$((100 + $(random 500)))")"
    victim=$pid
    if [ "$(random 3)" = 0 ]; then
        worker=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null | cut -d ' ' -f 1)
        victim=${worker:-$pid}
    fi
    kill -9 "$victim" 2>/dev/null
    hit=$?
    [ $victim = $pid ] || wait $pid 2>/dev/null
    wait $pid 2>/dev/null
    return $hit
}

keeps() { # STORE: nothing acknowledged is lost, nothing is damaged
    still_done "$1" && "$program" verify store --store "$1"
}

[ -n "$long" ] && rounds=30 || rounds=1
good=0 tries=0 round=0
while [ $round -lt $rounds ]; do
    round=$((round + 1))
    s=$work/s$round
    kills=0
    while [ $kills -lt 6 ]; do
        kills=$((kills + 1))
        disturb "$s" || continue
        [ ! -f "$s/experiment.json" ] ||
            tally "round $round, kill $kills" keeps "$s"
    done
    "$program" run "$x" --store "$s" -j 2 2>"$work/err"
    ok "round $round: the same bits" same_bits "$work/whole" "$s"
    ok "round $round: nothing was trained twice" once "$s" 4
    rm -rf "$s"
done
ok 'every kill is survived' test $good = $tries
echo "# kills: $good/$tries"

done_testing
