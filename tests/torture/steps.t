#!/bin/sh
# A run is killed at its k-th call that changes the store, for every k.
# Acknowledged cells stay, nothing is damaged, and the same command resumes to
# the same bits. In turn, all processes of the run are killed, or only the one
# that makes the call.
. tests/support/tap.sh
. tests/torture/lib.sh

experiment vanilla 1 2
"$program" run "$x" --store "$work/whole" -j 1 2>"$work/err"
"$step" 0 all "$work/count" "$program" run "$x" --store "$work/count" -j 1 \
    >"$work/calls" 2>"$work/err"
code=$?
if [ $code = 125 ]; then
    echo '1..0 # SKIP ptrace is not allowed here'
    exit 0
fi
ok 'a run that is only counted ends well' test $code = 0
calls=$(cat "$work/calls")
ok 'its calls are seen' test "$calls" -gt 100
ok '... and change nothing' same_bits "$work/whole" "$work/count"

survives() { # K STORE: a run into STORE was killed at its K-th call
    if [ -d "$2/cells" ] && [ -f "$2/experiment.json" ]; then
        still_done "$2" || return 1
        "$program" verify store --store "$2" || return 1
    fi
    "$program" run "$x" --store "$2" -j 1 || return 1
    once "$2" 2 || { echo 'trained twice'; cat "$2/journal.tsv"; return 1; }
    same_bits "$work/whole" "$2" || return 1
    ! find "$2/cells" "$2/weights" "$2/checkpoints" "$2/claims" \
        -name '*.tmp' | grep .
}

good=0 tries=0 k=1
[ -n "$long" ] && stride=1 || stride=$((calls / 12 + 1))
while [ $k -le "$calls" ]; do
    [ $((tries % 2)) = 0 ] && who=all || who=one
    rm -rf "$work/s"
    "$step" $k $who "$work/s" "$program" run "$x" --store "$work/s" -j 1 \
        >/dev/null 2>"$work/err"
    tally "killed ($who) at call $k of $calls" survives $k "$work/s"
    k=$((k + stride))
done
ok 'every stepped kill is survived' test $good = $tries
echo "# stepped kills: $good/$tries"

done_testing
