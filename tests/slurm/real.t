#!/bin/sh
# Cells on a real Slurm with one node. The test starts munged, slurmctld and
# slurmd, as root and in a separate folder, and stops them. Run by `make
# check-slurm`.
. tests/support/tap.sh
slurm=$work/slurm
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
[ "$(id -u)" = 0 ] || { echo 'Bail out! as root only'; exit 1; }
for tool in munged slurmctld slurmd sbatch squeue scancel; do
    command -v $tool >/dev/null ||
        { echo "Bail out! no $tool: make deps-slurm"; exit 1; }
done

# ---- the cluster ----

port=$((20000 + $$ % 20000))
host=$(hostname -s)
export SLURM_CONF="$slurm/slurm.conf"
daemons=

start() { # COMMAND...: in the background, with a log of its name
    "$@" >>"$slurm/${1##*/}.said" 2>&1 &
    daemons="$! $daemons"
}

stop() {
    scancel --user=root 2>/dev/null
    for pid in $daemons; do kill "$pid" 2>/dev/null; done
    wait
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

chmod 755 "$work"
mkdir -p "$slurm/state" "$slurm/spool"
dd if=/dev/urandom of="$slurm/key" bs=128 count=1 2>/dev/null
chmod 400 "$slurm/key"
cat >"$SLURM_CONF" <<C
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2
MaxArraySize=5
KillWait=30
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES State=UP
C
start munged --foreground --force --socket="$slurm/munge.socket" \
    --key-file="$slurm/key" --pid-file="$slurm/munge.pid" \
    --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed"
for _ in $(seq 50); do [ -S "$slurm/munge.socket" ] && break; sleep 0.2; done
start slurmctld -D -f "$SLURM_CONF"
start slurmd -D -f "$SLURM_CONF" -N "$host"

until_ok() { # SECONDS COMMAND...: until it does
    tries=$(($1 * 5))
    shift
    for _ in $(seq "$tries"); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.2
    done
    return 1
}
idle() { sinfo -h -o %T | grep -qx 'idle\|mixed\|allocated'; }
empty() { queued=$(squeue -h -o %i) && [ -z "$queued" ]; }
ok 'a Slurm of one node is up' until_ok 60 idle
[ "$bad" = 0 ] || { tail -n 20 "$slurm"/*.said | sed 's/^/# /'; done_testing; }

# ---- the smoke cells of one task, and all cells that depend on others ----

x=experiments/smoke.yaml s="$work/it's a store"
some='task==lm1b && (variant~dense || variant~random)'
"$program" run $x --store "$work/local" -E "$some" -j 1 2>"$work/err" ||
    cat "$work/err"
sb slurm submit $x --store "$s" -E "$some" --partition nosuch
ok 'a partition that does not exist: its words' exits 2 'invalid partition'
sb slurm submit $x --store "$s" -E "$some"
ok 'cells are sent, in arrays below MaxArraySize' exits 0 'in 2 jobs'
cells=$("$program" status --store "$s" -E "$some" --json | grep -c '"queued": {')
sb slurm submit --store "$s" -E "$some"
ok 'what is queued or done is not sent again' exits 7 'nothing to submit'
ok 'the queue is empty in the end' until_ok 300 empty
sb status --store "$s" -E "$some" --json
ok 'every cell is done' json '!grep { $_->{status} ne "done" } @{$j->{cells}}'
sb compare --digests "$work/local" "$s"
ok 'with the bits of a local run' exits 0
ok 'they were queued by then' test "$cells" -ge 1

# ---- ranks that srun starts ----

one='task==lm1b && variant==random'
sranks() { # WORD... of srun
    srun -Q "$@" -n 2 "$program" run $x --store "$work/srun" -E "$one" \
        >"$work/out" 2>"$work/err" </dev/null
    code=$?
}
sranks --mpi=none
ok 'srun of two that know nothing of each other is refused' exits 2 \
    'srun --mpi=pmix'
ok '... once' test "$(grep -c 'mpi=pmix' "$work/err")" = 1
sranks --mpi=pmi2
ok '... and with another PMI' exits 2 'PMI_SIZE=2'
if [ -x "${program%/*}/synthbench-mpi" ]; then
    sranks --mpi=pmix
    ok 'srun --mpi=pmix of two is two ranks' exits 0 'trained 1 cell'
    sb show "$work/srun#random/lm1b/1" --json
    ok '... of one cell' json '$j->{cells}[0]{provenance}{ranks} == 2'
    sb run $x --store "$work/alone" -E "$one" -j 1
    sb compare --digests "$work/alone" "$work/srun"
    ok '... with the bits of a local run' exits 0
fi

cat >"$work/chain.yaml" <<'Y'
title: One behind the other
variants: [vanilla]
tasks: [c4, wmt14_ende]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16, preset: t5}
override:
  - {match: {task: wmt14_ende}, set: {pretrained: c4}}
Y
sb slurm submit "$work/chain.yaml" --store "$work/chain"
until_ok 120 empty
sb status --store "$work/chain" --json
ok 'a cell begins after the one whose weights it starts from' json \
    '2 == grep { $_->{status} eq "done" } @{$j->{cells}}'

# ---- tasks that end before their cells are finished ----

long='variant==vanilla && task==lm1b' l=$work/long
steps=50000
"$program" run $x --store "$work/longer" -E "$long" -S steps=$steps -j 1 \
    2>"$work/err" || cat "$work/err"
sent() { sb slurm "$@"; ok "$note" exits 0 'sent 1 cell'; }
missing() { # 1: nobody is at work on it
    "$program" status --store "$l" -E "$long" --json >"$work/out"
    json '$j->{cells}[0]{status} eq "missing"'
}

# Waits up to a minute until the cell has trained some steps; a cell that is
# stopped earlier saves nothing.
trains_in_time() { trains "$l" 60 || trains "$l" 60; }

saved() { # TIMES
    [ "$(cat "$l"/slurm/*.log | grep -c 'saved at step [1-9]')" -ge "$1" ]
}

told() { grep -q 'repeat the signal' "$l"/slurm/*.log; }

note='a long cell is sent'
sent submit $x --store "$l" -E "$long" -S steps=$steps
ok '... and at work' trains_in_time
kill -STOP "$(worker "$l")" # however long it takes to look
sb status --store "$l" -E "$long"
ok '... as the queue says, too' says 'running .*job [0-9]*_0: RUNNING'
kill -9 "$(worker "$l")" "$(pgrep -f "^$program run .* --store $l " |
    head -n 1)"
until_ok 60 empty
ok 'a task that was killed leaves its cell' missing
note='submit sends it'
sent submit --store "$l" -E "$long" --time 1
ok '... and it is at work again' trains_in_time
kill -STOP "$(worker "$l")" # Slurm looks at the time twice a minute
ok 'a task whose time is over is told' until_ok 90 told
kill -CONT "$(worker "$l")"
ok '... and saves its state' until_ok 60 saved 1
until_ok 60 empty
ok '... and ends' missing
note='submit sends it once more'
sent submit --store "$l" -E "$long"
ok '... to where it was' trains_in_time
job=$(squeue -h -o %i)
scontrol requeue "$job"
ok 'a task that is requeued, as by preemption, saves too' until_ok 60 saved 2
# Slurm delays a requeued task for two minutes after the first attempt has
# ended; until then the queue may show no job at all.
goes_on() {
    scontrol update JobId="$job" StartTime=now
    "$program" status --store "$l" -E "$long" --json >"$work/out"
    json '$j->{cells}[0]{status} eq "done"'
}
ok '... and goes on by itself' until_ok 300 goes_on
sb compare --digests "$work/longer" "$l"
ok 'and the cell has the bits of one that was never ended' exits 0
[ "$bad" = 0 ] || tail -n 20 "$l"/slurm/*.log | sed 's/^/# /'

done_testing
