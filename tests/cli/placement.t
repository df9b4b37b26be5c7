#!/bin/sh
# The program uses as many cells and threads as it has cores, and reports their
# number where it matters. No bit depends on that number.
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
ok '... with the time' says '^time: about .* cells at a time (default); .* -j 1$'
one() { taskset -c "$core" "$program" "$@" >"$work/out" 2>"$work/err"; code=$?; }
one plan "$x" --json
ok 'one core of affinity is one core' json '$j->{placement}{cores} == 1 &&
    $j->{placement}{granted_by} eq "affinity" &&
    $j->{placement}{affinity} eq "'"$core"'" &&
    $j->{placement}{cells_at_a_time} == 1'
one plan "$x"
ok '... said' says ", granted by affinity; without -j, 1 cell at a time\$"

one run "$x" --store "$work/one" -j 3 -S threads=2
ok 'a grant is a limit of -j' exits 0 '-j 3: 1 cell at a time, on 1 of'
ok '... and of threads' exits 0 'threads 2: 1 per cell, on 1 of'
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

# ---- NUMA nodes: this machine as if it had two sockets ----

unset OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY
half=$((online / 2))
two() { # VERB...: of two sockets, each a node
    export HWLOC_SYNTHETIC="pack:2 [numa] core:$half pu:1" HWLOC_THISSYSTEM=1
    sb "$@"
    unset HWLOC_SYNTHETIC HWLOC_THISSYSTEM
}
granted() { # CELL of a store: all that plan said was granted, not its node
    "$program" show "$1" --json | perl -MJSON::PP -e 'local $/;
        open my $f, "<", $ARGV[0];
        my ($p, $c) = map { decode_json(<$_>) } $f, \*STDIN;
        my ($q, $r) = ($p->{placement}, $c->{cells}[0]{provenance});
        print "$r->{cores} of $r->{cores_affinity}\n";
        exit !($r->{bound} =~ /^to / && $r->{cores} == $q->{cores} &&
            $r->{cores_affinity} eq $q->{affinity})' "$work/planned"
}
list() { [ "$half" = 1 ] && echo "$1" || echo "$1-$(($1 + half - 1))"; } # FIRST
ran() { # STORE WORDS: how many of its cells say so of where they ran
    for cell in vanilla random; do
        "$program" show "$work/$1#$cell/lm1b/1" --json
    done | perl -MJSON::PP -e '
        print scalar grep { my $p = $_->{cells}[0]{provenance};
            "$p->{bound}; $p->{ran_on} of $p->{ran_on_nodes}" eq $ARGV[0] }
            JSON::PP->new->incr_parse(join "", <STDIN>)' "$2"
}
if [ "$(field all provenance cores_granted_by)" = nobody ] &&
    [ $((online % 2)) = 0 ]; then
    two plan "$x" --json
    cp "$work/out" "$work/planned"
    ok 'plan counts sockets and nodes' json 'my $m = $j->{placement}{machine};
        $m->{sockets} == 2 && $m->{nodes} == 2 &&
        $m->{cores} == '"$online"' && $m->{processors} == '"$online"
    ok '... and puts as many cells on each' json '
        join(" ", map { "$_->{node}:$_->{processors}:$_->{cells}" }
            @{$j->{placement}{bound}}) eq
        "0:'"$(list 0):$half 1:$(list "$half"):$half"'" &&
        !defined $j->{placement}{unbound_because}'
    two plan "$x"
    ok '... for people too' says "^nodes: $half \
cells\? on node 0 ($(list 0)), $half cells\? on node 1 ($(list "$half"))\$"
    two doctor
    ok 'so does doctor' says '2 sockets, 2 NUMA nodes'
    two run "$x" --store "$work/two" -j 2
    ok 'a cell runs on one node, and another on the other' same "$(
        ran two "to node 0; $(list 0) of 0") $(
        ran two "to node 1; $(list "$half") of 1")" '1 1'
    for row in vanilla random; do
        ok "... and says which cores it was one of: $row" \
            granted "$work/two#$row/lm1b/1"
    done
    export OMP_PROC_BIND=false
    two run "$x" --store "$work/false" -j 2
    unset OMP_PROC_BIND
    ok 'OMP_PROC_BIND=false leaves them to the kernel' same "$(ran false \
        "no: OMP_PROC_BIND is set; $(field all provenance \
        cores_affinity) of 0-1")" 2
    two run "$x" --store "$work/many" -j $((online + 1))
    ok 'more threads than processors are not bound' same "$(ran many \
        "no: more threads than processors; $(field all provenance \
        cores_affinity) of 0-1")" 2
    two compare --digests "$work/one" "$work/two"
    ok 'no bit depends on nodes' exits 0
fi

# ---- OpenMP binds the first thread to one place before main ----

for set in OMP_PROC_BIND=true OMP_PROC_BIND=close OMP_PLACES=cores; do
    export "$set"
    sb plan "$x" --json
    unset "${set%%=*}"
    cp "$work/out" "$work/bound"
    sb plan "$x" --json
    ok "$set takes no core away" json 'open my $f, "<", "'"$work"'/bound";
        local $/; my ($p, $q) = map { $_->{placement} } $j, decode_json(<$f>);
        "$p->{cores} $p->{affinity}" eq "$q->{cores} $q->{affinity}"'
done
export OMP_PROC_BIND=true
"$program" run "$x" --store "$work/places" -j 2 -S steps=100000 \
    -E variant==vanilla 2>/dev/null &
job=$!
trains "$work/places"
ok '... nor has it all cells that run side by side on one' sh -c '
    taskset -cp "$1" | grep -qx ".*: $2"' - "$(worker "$work/places")" \
    "$(taskset -cp $$ | sed 's/.*: //')"
kill $job
wait $job
unset OMP_PROC_BIND

one verify exact "$x" --store "$work/all" --threads 2 --jobs 2
ok 'verify exact tries the threads that it is told' says 'passed'
ok '... whatever was granted' sh -c '! grep -q "per cell, on" "$1"' - "$work/err"

done_testing
