#!/bin/sh
# Cells as job arrays: fake Slurm commands record what is submitted.
# tests/slurm/real.t uses a real Slurm.
. tests/support/tap.sh
PATH=$PWD/tests/slurm/fake:$PATH FAKE=$work/fake
export FAKE
mkdir "$FAKE"
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac

cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, random]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
cat >"$work/chain.yaml" <<'Y'
title: One behind the other
variants: [vanilla, random]
tasks: [c4, glue]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 32, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
override:
  - {match: {task: glue}, set: {pretrained: c4}}
Y
cat >"$work/tune.yaml" <<'Y'
title: Tuned
variants: [vanilla]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
tune:
  - match: {variant: vanilla}
    grid: {schedule.scale: [0.01, 0.02]}
    share: 1
    seed: 0
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
x=$work/x.yaml s="$work/it's a \"store\" \$(touch $work/run) 100%a;"
sent() { cat "$FAKE"/sbatch.* 2>/dev/null; }
same() { [ "$1" = "$2" ] || { echo "$1, not $2"; return 1; }; }
scripts() { awk '/^#!/ { n++ } n { print >(dir "/" n ".sh") }' dir="$work" \
    "$work/out"; }

# ---- output of --print ----

PATH_BEFORE=$PATH PATH=/usr/bin:/bin
sb slurm submit "$x" --store "$s" --print
PATH=$PATH_BEFORE
ok '--print needs no Slurm' exits 0
ok '... and makes no store' test ! -e "$s"
ok '... and shows one script of four cells' says '^#SBATCH --array=0-3$'
for line in '--requeue' '--signal=B:TERM@120' '--cpus-per-task=1' \
    '--mem=[0-9]*M' '--time=1[01]' '--open-mode=append'; do
    ok "... with $line" says "^#SBATCH $line\$"
done
scripts
ok '... that sh can read' sh -n "$work/1.sh"
ok '... and a command in one word each' says "'--chdir=.*/slurm' '/.*\.sh'\$"
sb slurm submit "$x" --store "$s" --print --array-size 3
ok '--array-size: the cap is on the index' same \
    "$(sed -n 's/^#SBATCH --array=//p' "$work/out" | paste -s -d ' ' -)" \
    '0-2 0-0'
sb slurm submit "$x" --print --time 1-0 --mem 7G --partition 'a b' \
    --account me --qos low --sbatch=--nice --sbatch=--comment=x
ok 'options of sbatch go to its command line' says "^# sbatch .* \
'--partition=a b' --account=me --qos=low --time=1-0 --mem=7G --nice \
--comment=x "
ok '... and none asks for a GPU' lacks gres
ok '... and not into the script' lacks '^#SBATCH --\(mem\|time\)'
sb slurm submit "$x" --print -S device=cuda
ok 'a task of a GPU asks for one' says '^#SBATCH --gres=gpu:1$'
sb slurm submit "$x" --print --gpus 2
ok '... or for as many as --gpus says' says '^#SBATCH --gres=gpu:2$'
cat >"$work/both.yaml" <<Y
$(cat "$x")
override:
  - {match: {variant: random}, set: {device: cuda}}
Y
sb slurm submit "$work/both.yaml" --print
ok '... but not for cells of the processor' test \
    "$(grep -c '^#SBATCH --array' "$work/out") $(grep -c gres "$work/out")" = \
    '2 1'
sb slurm submit "$x" --print --sbatch x.sh
ok '--sbatch takes no script' exits 2 'expected an option of sbatch'
sb slurm submit "$work/chain.yaml" --print
ok 'what starts from weights waits for them' says \
    '^# sbatch .* "--dependency=afterany:$job_1" '
sb plan "$work/chain.yaml" --json
perl -MJSON::PP -e 'local $/; for (@{decode_json(<STDIN>)->{cells}}) {
    print "$_->{id}\n" if $_->{task} eq "c4" }' <"$work/out" |
    sort >"$work/parents"
sb slurm submit "$work/chain.yaml" --print
scripts
ok '... and the first array is of those' same \
    "$(grep -o '^    [0-9a-f]\{16\}' "$work/1.sh" | tr -d ' ' | sort |
       paste -s -d ' ' -)" "$(paste -s -d ' ' "$work/parents")"
sb slurm submit "$work/tune.yaml" --print
ok 'a tuned cell waits for its trials' sh -c '
    grep -c "^#SBATCH --array" "$1" | grep -qx 2 &&
    grep -q -- "--dependency=afterany:.job_1" "$1"' - "$work/out"
sb slurm submit "$x" --print --cache some/cache --data-dir tests/data/fixtures
ok '--cache and --data-dir go along, from the root' says \
    "^exec /.* --cache $PWD/some/cache --data-dir $PWD/tests/data/fixtures "
for more in '-E task==lm1b' '--select task==lm1b' '--seeds 4,6 -E task==lm1b'; do
    # shellcheck disable=SC2086 # words
    sb slurm submit "$x" --print $more
    case $more in
    *seeds*) last=3 ;;
    *) last=1 ;;
    esac
    ok "submit $more: these cells" says "^#SBATCH --array=0-$last\$"
done
id_of() { # OPTION...: the first cell that is shown
    sb slurm submit "$x" --print -E 'task==lm1b && variant==vanilla' "$@"
    grep -o '^    [0-9a-f]\{16\}' "$work/out" | head -n 1
}
planned() { # OPTION...: its id by the plan
    sb plan "$x" -E 'task==lm1b && variant==vanilla' --json "$@"
    perl -MJSON::PP -e 'local $/; print "    ",
        decode_json(<STDIN>)->{cells}[0]{id}' <"$work/out"
}
for more in '-S steps=7' '--set steps=9' '--scale quick' \
    '--scale quick --synthetic'; do
    # shellcheck disable=SC2086
    ok "submit $more: that cell" same "$(id_of $more)" "$(planned $more)"
done

# ---- submission ----

sb slurm submit "$x" --store "$s"
ok 'submit sends them' exits 0 'submitted 4 cells in 1 job'
ok '... and says the job' says '^job 1: 4 cells, each 1 core, '
ok '... by a script in the store' test -f "$s"/slurm/*.sh
ok '... to the folder of the store' sh -c 'grep -qxF -e "--chdir=$1/slurm"' - \
    "$s" <"$FAKE/sbatch.1"
ok 'submit without a file sends none of what is queued' sh -c '
    "$1" slurm submit --store "$2" 2>"$3"; [ $? = 7 ] &&
    grep -q "nothing to submit, 4 in the queue" "$3"' - "$program" "$s" \
    "$work/err"
sb status --store "$s"
ok 'status tells what is queued' says 'job 1_3: PENDING, Priority$'
ok '... and how many' says '4 missing; .*; 4 queued by Slurm; 1 seed$'
sb status --store "$s" --json
ok '... as JSON' json '4 == grep { $_->{queued}{state} eq "PENDING" &&
    $_->{queued}{job} =~ /^1_[0-3]$/ } @{$j->{cells}}'

task() { # JOB INDEX: what Slurm would do
    (cd "$FAKE" && SLURM_ARRAY_TASK_ID=$2 sh "$(tail -n 1 "sbatch.$1")") \
        >"$work/task" 2>&1
}
ok 'a task trains its cell' task 1 0
ok '... whatever the store is called' test ! -e "$work/run"
sb status --store "$s" --json
ok '... and no other' json '1 == grep { $_->{status} eq "done" } @{$j->{cells}}'
sed -i '/ 1 [12] /d' "$FAKE/queue"
sb slurm submit --store "$s"
ok 'submit sends what is neither done nor queued' exits 0 \
    'submitted 2 cells in 1 job, 1 done, 1 in the queue'
for task in '2 0' '2 1' '1 3'; do
    # shellcheck disable=SC2086
    task $task
done
: >"$FAKE/queue"
sb slurm submit --store "$s"
ok 'what is all done is not sent again' exits 7 'nothing to submit, 4 done'
sb slurm submit "$x" --store "$s"
ok '... nor by its file' exits 7 'nothing to submit, 4 done'
sb slurm submit "$x" --store "$s" -S steps=5
ok 'other settings are refused' exits 2 'add them with --extend'
sb slurm submit "$x" --store "$s" -S steps=5 --print
ok '... by --print, too' exits 2 'lacks 4 of the 4 cells'
sb slurm submit "$x" --store "$s" -S steps=5 --extend
ok '... without --extend' exits 0 'submitted 4 cells'
: >"$FAKE/queue"
sb slurm submit --store "$s" --select task==lm1b --partition p --account a \
    --qos q --time 5 --mem 1G --sbatch=--nice --cache "$work/c" --data-dir \
    tests/data/fixtures --array-size 1 --gpus 3
ok '... with options of sbatch' exits 0 'submitted 2 cells in 2 jobs'
ok '... GPUs too' grep -rq '^#SBATCH --gres=gpu:3$' "$s/slurm"
ok '... all of them' sh -c 'for o in partition=p account=a qos=q time=5 mem=1G \
    nice; do grep -qx -e "--$o" "$1" || exit; done;
    grep -q -e " --cache $3/c --data-dir $PWD/tests/data/fixtures " \
        "$(tail -n 1 "$1")"' - "$FAKE/sbatch.4" x "$work"
sb slurm submit --store "$s" --print -S steps=3
ok '... but no settings: its experiment is frozen' exits 2 'frozen'

s=$work/chain
sb slurm submit "$work/chain.yaml" --store "$s"
ok 'the number of a job stands in what waits for it' sh -c '
    first=$(sed -n "1s/^job \([0-9]*\):.*/\1/p" "$2")
    grep -qx -e "--dependency=afterany:$first" "$1/sbatch.$((first + 1))"' - \
    "$FAKE" "$work/out"
first=$(sed -n '1s/^job \([0-9]*\):.*/\1/p' "$work/out")
sed -i "/ $((first + 1)) /d" "$FAKE/queue"
sb slurm submit --store "$s"
ok 'what waits for a queued cell waits for its task' grep -qx -e \
    "--dependency=afterany:${first}_[01]:${first}_[01]" \
    "$FAKE/sbatch.$((first + 2))"

# ---- errors ----

sb slurm submit "$x" --store "$work/no" --partition nosuch
ok 'a partition that does not exist: Slurm says so' exits 2 \
    'sbatch: error: invalid partition specified: nosuch'
: >"$FAKE/queue"
sb slurm submit "$work/chain.yaml" --store "$work/half" --sbatch=--fail-second
ok 'a job that is refused is an error' exits 2 'sbatch: error: no more'
ok '... that says what was sent' exits 2 '1 of 2 jobs were submitted'
sb slurm submit --store "$work/half"
ok '... and the next call sends the others' exits 0 'submitted 2 cells in 1 job, 2 in the'
PATH=/usr/bin:/bin
sb slurm submit "$x" --store "$work/none"
ok 'without Slurm: it says so' exits 2 'scontrol'
ok '... and what goes without it' exits 2 '; --print shows the scripts'
ok '... before a store is made' test ! -e "$work/none"
sb status --store "$work/half"
ok '... status goes on' exits 0 'cannot query Slurm'
sb slurm submit --store "$work/half" --print
ok '... and so does --print' exits 0 'are not left out'
PATH=$PATH_BEFORE
echo 0 >"$FAKE/size"
sb slurm submit "$x" --store "$work/none"
ok 'a cluster without arrays' exits 2 'MaxArraySize is 0'
echo 3 >"$FAKE/size"
sb slurm submit "$x" --store "$work/three" --array-size 1000
ok "the cluster's MaxArraySize holds" exits 0 'submitted 4 cells in 2 jobs'
sb slurm submit "$work/nothing.yaml" --store "$work/none"
ok 'an experiment that is not there' exits 2 'nothing.yaml'
sb slurm submit "$x" --print -E task==glue
ok 'nothing is selected' exits 7
sb slurm submit
ok 'submit of no store' exits 2 '--store'
sb slurm submit --store "$work/empty"
ok '... of an empty one' exits 7
sb slurm
ok 'slurm alone tells its subjects' exits 2

done_testing
