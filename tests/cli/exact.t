#!/bin/sh
# Results are bit-identical for any number of threads and jobs, and after kill
# -9.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Exactness
variants: [vanilla, random+dense, factorized-random]
tasks: [wmt14_ende, lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 32, heads: 2, ff: 64, N: 16, vocab: 32, batch: 16,
           steps: 40, shards: 8, lanes: 4, evals: 2, train: 320, valid: 32,
           test: 32}
override:
  - {match: {task: agnews}, set: {batch.by: tokens, batch: 256}}
Y
x=$work/x.yaml

run() { # STORE [OPTION...]
    store=$work/$1
    shift
    sb run "$x" --store "$store" "$@"
}

# Prints the digest of the weights and every metric of each cell.
facts() { # STORE
    prints "$work/status" "$work/err" status --store "$work/$1" --json
    perl -MJSON::PP -e 'local $/; my $j = JSON::PP->new->canonical->decode(
        <STDIN>); print map { "$_->{variant} $_->{task} $_->{status} " .
        JSON::PP->new->canonical->encode($_->{metrics}) . "\n" }
        @{$j->{cells}}' <"$work/status"
    h5dump -a /weights/sha256 "$work/$1"/cells/*.h5 |
        grep -o '"[0-9a-f]\{64\}"'
}

same() { # STORE: as the first
    facts "$1" | diff "$work/facts" -
}

run one -j 1
ok 'one job trains nine cells' test 9 = "$(ls "$work/one/cells" | wc -l)"
facts one >"$work/facts"
ok '... all different' test 9 = "$(grep '^"' "$work/facts" | sort -u | wc -l)"
run jobs -j 2
ok 'two jobs: the same bits' same jobs
for t in 2 4; do
    run threads$t -j 1 -S threads=$t
    ok "$t threads: the same bits" same threads$t
done
run evals -j 2 -S evals=7 -S checkpoint_seconds=1
ok 'evaluation and checkpoint intervals: the same bits' same evals

# These cells take long enough to be killed during training.
sed -i 's/steps: 40/steps: 600/; s/, factorized-random\]/]/
        s/, lm1b, agnews\]/]/' "$x"
begun() { # STORE: waits until workers are at work
    tries=0
    until ls "$work/$1"/logs/*.log >/dev/null 2>&1 || [ $tries = 100 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    sleep 0.2
}
run whole -j 2
facts whole >"$work/facts"
# With a checkpoint after every step, most kills interrupt the writing of a
# checkpoint.
hits=0
for wait in 0.2 0.3 0.1 0.4 0.25; do
    "$program" run "$x" --store "$work/killed" -j 2 -S checkpoint_seconds=0 \
        2>"$work/err" &
    pid=$!
    begun killed
    sleep $wait
    kill -9 $pid 2>/dev/null && hits=$((hits + 1))
    wait $pid 2>/dev/null
done
ok 'kill -9 hit the run' test $hits -gt 0
ok '... which had saved its state' test -n "$(ls "$work/killed/checkpoints")"
run killed -j 2
ok 'killed and taken up again: the same bits' same killed
ok '... no checkpoint and no claim is left' \
    test -z "$(ls "$work/killed/checkpoints" "$work/killed/claims" |
               grep '[0-9a-f]\{16\}')"

for signal in INT TERM; do
    dir=$work/stop$signal
    "$program" run "$x" --store "$dir" -j 2 2>"$work/err" &
    pid=$!
    trains "$dir"
    kill -$signal $pid
    wait $pid
    code=$?
    case $signal in INT) want=130 ;; *) want=143 ;; esac
    ok "SIG$signal ends the run with $want" test $code = $want
    ok '... and a checkpoint of what was being trained' \
        test -n "$(ls "$dir/checkpoints")"
    run stop$signal -j 2
    ok '... from which it goes on to the same bits' same stop$signal
done

# If one worker is killed, its cell fails and the other cells are completed.
"$program" run "$x" --store "$work/worker" -j 2 2>"$work/err" &
pid=$!
begun worker
kill -9 "$(worker "$work/worker")"
wait $pid
ok 'a killed worker is one failed cell' test $? = 1
ok '... told so' grep -q 'failed: signal 9' "$work/err"
ok '... the other is trained' test 1 = "$(ls "$work/worker/cells" | wc -l)"
run worker
ok '... and the next run repairs it to the same bits' same worker

done_testing
