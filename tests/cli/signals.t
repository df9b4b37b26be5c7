#!/bin/sh
# A run that is interrupted, stopped, stalled or short of memory either saves
# its state or reports that it does not.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Signals
variants: [vanilla, random+dense]
tasks: [wmt14_ende]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 32, heads: 2, ff: 64, N: 16, vocab: 32, batch: 16,
           steps: 1500, shards: 8, lanes: 4, evals: 2, train: 320, valid: 32,
           test: 32}
Y
x=$work/x.yaml

# A cell that takes long enough to be interrupted. Its steps are short; a test
# that stops the worker makes a step last seconds.
cat >"$work/slow.yaml" <<'Y'
title: Slow cell
variants: [vanilla]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 2, d: 128, heads: 4, ff: 512, N: 256, vocab: 64, batch: 4,
           shards: 1, lanes: 1, steps: 20, evals: 1, train: 64, valid: 8,
           test: 8}
Y

begin() { # STORE [OPTION...]: a run of x in the background; its process in $pid
    store=$work/$1
    shift
    "$program" run "$x" --store "$store" "$@" 2>"$work/err" &
    pid=$!
}

end() { # waits for it
    wait $pid
    code=$?
}

one() { begin "$@" -j 1 -E variant==vanilla; }

digests() { # STORE
    h5dump -a /weights/sha256 "$work/$1"/cells/*.h5 |
        grep -o '"[0-9a-f]\{64\}"'
}

same() { # STORE STORE
    digests "$1" >"$work/one"
    digests "$2" >"$work/two"
    [ -s "$work/one" ] && diff "$work/one" "$work/two"
}

saved() { ls "$work/$1"/checkpoints/*.ckpt; } # STORE: there is a checkpoint

failed() { # STORE CLASS
    grep -q "\"class\": \"$2\"" "$work/$1"/failed/*.json
}

# ---- waiting for a lock that is never released ----

one plain
end
mkdir -p "$work/held/claims"
cat >"$work/hold.pl" <<'P'
use Fcntl;
open(my $f, ">>", $ARGV[0]) or die;
my $lock = pack("s s l! l! l", F_WRLCK, SEEK_SET, 0, 0, 0);
fcntl($f, F_SETLK, $lock) or die "$!";
$| = 1;
print "$$\n";
sleep 120;
P
perl "$work/hold.pl" "$work/held/claims/.lock" >"$work/holder" &
holder=$!
until [ -s "$work/holder" ]; do sleep 0.05; done
"$program" run "$x" --store "$work/held" 2>"$work/held.err" &
waiting=$!
one held
until ls -l "/proc/$pid/fd" 2>"$work/unread" | grep -q 'claims/\.lock'; do
    sleep 0.05
done
sleep 0.5
kill -TERM $pid
end
ok 'SIGTERM ends a run that waits for a lock' test $code = 143
ok '... and says which process holds it' \
    grep -q "process $holder" "$work/err"

# ---- slow steps ----

# To end, a worker is granted three times the seconds that its step has taken so
# far, but at least 4.

slow() { # STORE: in the background
    "$program" run "$work/slow.yaml" --store "$work/$1" -j 1 2>"$work/err" &
    pid=$!
}

slow cut
trains "$work/cut"
kill -STOP "$(worker "$work/cut")"
sleep 2.2
kill -TERM $pid
sleep 4.5
kill -CONT "$(worker "$work/cut")"
end
ok 'a step of seconds ends before the run does' test $code = 143
ok '... which says that it may take long' grep -q 'repeat the signal' \
    "$work/err"
ok '... and at which step it saved' grep -q 'saved at step 1*[0-9] of 20' \
    "$work/err"
ok '... where there is a checkpoint' saved cut

slow twice
trains "$work/twice"
kill -STOP "$(worker "$work/twice")"
kill -TERM $pid
sleep 1.3
kill -TERM $pid
end
ok 'a second signal ends at once' test $code = 143
ok '... and says what is lost' \
    grep -q 'everything after step 1*[0-9] of 20 is lost' "$work/err"
: >"$(ls "$work"/twice/logs/*.log)"
slow twice
until [ -n "$(worker "$work/twice")" ]; do sleep 0.05; done
perl -e 'while (kill CONT => $ARGV[0]) { select undef, undef, undef, 0.001 }' \
    "$(worker "$work/twice")" # the kernels of oneDNN bear no handler
end
ok 'a storm of signals does no harm' exits 0
slow cut
end
ok '... and what was saved goes on to the same bits' same twice cut

# ---- signals to a single process ----

slow worker
trains "$work/worker"
kill -TERM "$(worker "$work/worker")"
end
ok 'a worker that alone was told to stop is begun again' exits 0 \
    'its process was asked to stop, saved at step'
ok '... and comes to the same bits' same worker cut
(trap '' HUP; exec "$program" run "$work/slow.yaml" --store "$work/nohup" \
    2>"$work/err") &
pid=$!
trains "$work/nohup"
kill -HUP $pid "$(worker "$work/nohup")"
end
ok 'under nohup a run goes on when the terminal is gone' exits 0 'trained 1 cell'
ok '... to the same bits' same nohup cut

wait $waiting
code=$?
cp "$work/held.err" "$work/err"
ok 'a lock that nobody gives back ends the run with 6' exits 6 "$holder"
kill $holder

# ---- output that is not read ----

mkfifo "$work/pipe"
"$program" run "$x" --store "$work/tee" -j 1 -E variant==vanilla \
    >"$work/pipe" 2>&1 &
pid=$!
: <"$work/pipe"
trains "$work/tee" 15
kill -INT $pid
end
ok 'SIGINT saves also where stderr is closed' test $code = 130
ok '... a checkpoint' saved tee

# Ctrl-C on a terminal goes to the whole process group: workers and tee.
perl -e 'setpgrp; $SIG{INT} = "DEFAULT"; exec @ARGV' sh -c "
    { '$program' run '$x' --store '$work/group' -j 1 2>&1; echo \$? >'$work/rc'
    } | tee '$work/log'" >/dev/null &
group=$!
trains "$work/group" 15
kill -INT -$group
wait $group
until [ -s "$work/rc" ] || [ ! -d "/proc/$(worker "$work/group")" ]; do
    sleep 0.05
done
ok 'Ctrl-C for the whole group saves too' saved group
one group
end
ok '... and the same command goes on to the same bits' same plain group

# ---- another build does not resume a checkpoint ----

cp "$program" "$work/other"
printf x >>"$work/other"
"$work/other" run "$x" --store "$work/tee" -j 1 -E variant==vanilla \
    2>"$work/err"
code=$?
ok 'a checkpoint of another build is told and not used' exits 0 \
    'by another build'
ok '... the cell begins anew, to the same bits' same plain tee

# ---- workers that must be terminated ----

one stall --stall 1
trains "$work/stall" 15
kill -STOP "$(worker "$work/stall")"
end
ok 'a worker that gives no sign of life is ended' exits 1 \
    'no progress for 1 s'
ok '... and has stalled' failed stall stalled
one stall -S limit.memory_mb=4
end
ok 'a cell that takes more than limit.memory_mb is ended' exits 1 \
    'more than limit.memory_mb (4'
ok '... for want of memory' failed stall oom
"$program" run "$work/slow.yaml" --store "$work/late" -j 1 \
    -S limit.seconds=1 -S steps=100000 2>"$work/err"
code=$?
ok 'a cell that works longer than limit.seconds is ended' exits 1 \
    'longer than limit.seconds (1 s)'
ok '... for want of time' failed late timeout
one stall
end
ok 'limits are no part of the id: without them the same cell is trained' \
    same plain stall

# ---- unexpected files in a store ----

# cells with 20 steps, as this part trains them to the end
begin bad -S steps=20
end
victim=$(ls "$work/bad/cells" | head -n 1)
for kind in loop folder dangling; do
    rm -rf "${work:?}/bad/cells/$victim"
    case $kind in
    loop) ln -s "$victim" "$work/bad/cells/$victim" ;;
    folder) mkdir "$work/bad/cells/$victim" ;;
    dangling) ln -s nowhere "$work/bad/cells/$victim" ;;
    esac
    sb status --store "$work/bad" --json
    ok "a cell that is a $kind is one damaged cell" json \
        '1 == grep { $_->{status} eq "done" } @{$j->{cells}}'
    sb table 2 --store "$work/bad"
    ok '... the table has the others, and says which' exits 5 "$victim"
    sb run "$x" --store "$work/bad" -S steps=20
    ok '... which run leaves as it is, exit code 5' exits 5 "$victim"
done
rm "$work/bad/cells/$victim"
touch -d '5 minutes ago' "$work/bad/index.h5.99999999.tmp" \
    "$work/bad/cells/0.h5.99999999.tmp" "$work/bad/checkpoints/0.tmp"
rm "$work/bad/index.h5"
sb run "$x" --store "$work/bad" -S steps=20
ok 'once it is removed, run trains the cell again' exits 0
rm "$work/bad/index.h5"
sb run "$x" --store "$work/bad" -S steps=20
ok 'index.h5 is made where it is missing' test -s "$work/bad/index.h5"
ok 'temporary files of the dead are swept' \
    test -z "$(find "$work/bad" -name '*.tmp')"

done_testing
