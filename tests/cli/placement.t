#!/bin/sh
# As many cells and threads as cores were granted, said where it matters; no bit
# depends on it.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, random]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
x=$work/x.yaml first=vanilla/lm1b/1
same() { [ "$1" = "$2" ] || { echo "$1, not $2"; return 1; }; }
field() { # STORE GROUP KEY: of its first cell
    "$program" show "$work/$1#$first" --json | perl -MJSON::PP -e 'local $/;
        print decode_json(<STDIN>)->{cells}[0]{$ARGV[0]}{$ARGV[1]}' "$2" "$3"
}
online=$(getconf _NPROCESSORS_ONLN)
if [ "$online" = 1 ] || ! core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//'); then
    echo '1..0 # SKIP one processor, or no taskset'
    exit
fi
export SLURM_CPUS_PER_TASK SLURM_CPUS_ON_NODE
unset SLURM_CPUS_PER_TASK SLURM_CPUS_ON_NODE

sb plan "$x" --json
ok 'plan tells of all processors' json '$j->{placement}{processors} == '"$online"
sb plan "$x"
ok '... for people too' says '^cores: [0-9]* of '"$online"' processors (.*; '
one() { taskset -c "$core" "$program" "$@" >"$work/out" 2>"$work/err"; code=$?; }
one plan "$x" --json
ok 'one core of affinity is one core' json '$j->{placement}{cores} == 1 &&
    $j->{placement}{granted_by} eq "affinity" &&
    $j->{placement}{affinity} eq "'"$core"'" &&
    $j->{placement}{cells_at_a_time} == 1'
one plan "$x"
ok '... said' says ", granted by affinity; 1 cell at a time without -j\$"

one run "$x" --store "$work/one" -j 3 -S threads=2
ok 'a grant is a limit of -j' exits 0 '-j 3: 1 cell at a time, on 1 of'
ok '... and of threads' exits 0 'threads 2: 1 a cell, on 1 of'
ok '... as the cell says: jobs' same "$(field one timing jobs)" 1
ok '... threads' same "$(field one provenance threads)" 1
ok '... cores' same "$(field one provenance cores)" 1
ok '... and who granted them' same \
    "$(field one provenance cores_granted_by)" affinity
ok '... and which' same "$(field one provenance cores_affinity)" "$core"

SLURM_CPUS_PER_TASK=1 "$program" run "$x" --store "$work/slurm" -S threads=2 \
    2>"$work/err" || echo failed
ok "so is Slurm's" same "$(field slurm provenance cores_granted_by)" \
    SLURM_CPUS_PER_TASK
ok '... of threads too' same "$(field slurm provenance threads)" 1
ok '... without -j' same "$(field slurm timing jobs)" 1

sb run "$x" --store "$work/all" -j 3 -S threads=2
if [ "$(field all provenance cores_granted_by)" = nobody ]; then
    ok "on one's own machine -j is obeyed" same "$(field all timing jobs)" 3
    ok '... and threads are' same "$(field all provenance threads)" 2
fi
sb compare --digests "$work/one" "$work/all"
ok 'no bit depends on it' exits 0
one verify exact "$x" --store "$work/all" --threads 2 --jobs 2
ok 'verify exact tries the threads that it is told' says 'passed'
ok '... whatever was granted' sh -c '! grep -q "a cell, on" "$1"' - "$work/err"

done_testing
