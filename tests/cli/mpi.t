#!/bin/sh
# Several ranks train one cell. Their bits are identical, and a rank that is
# lost or differs from the others is handled. `make check-mpi` tests more
# combinations.
export OMP_NUM_THREADS=1
. tests/support/tap.sh
. tests/support/ranks.sh
if ! command -v mpirun >/dev/null || [ ! -x "$porter" ]; then
    echo '1..0 # SKIP there is no mpirun, or this build has no MPI'
    exit 0
fi

# With 2 lanes and 4 shards, a rank has whole lanes, or ranks share a lane, or
# three ranks form a tree.
cat >"$work/x.yaml" <<'Y'
title: Ranks
variants: [vanilla, random+dense]
tasks: [wmt14_ende, lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 10,
           steps: 7, evals: 2, train: 64, valid: 40, test: 70, dropout: 0.1}
override:
  - match: {variant: random+dense}
    set: {optimizer.name: adafactor, precision: bf16, lanes: 4}
  - match: {task: agnews}
    set: {batch.by: tokens, batch: 96, batch.devices: 2}
Y
x=$work/x.yaml one=$work/one
sb run "$x" --store "$one" --jobs 1
ok 'one process trains them' exits 0 'trained 6 cells'
for p in 2 3 4; do
    ranks $p run "$x" --store "$work/$p"
    ok "$p ranks train them" exits 0 'trained 6 cells'
    ok '... to the same bits' digests "$one" "$work/$p"
done
sb show "$work/4#vanilla/lm1b/1" --json
ok 'a cell says how many trained it, and what they sent' json '
    my $p = $j->{cells}[0]{provenance};
    $p->{ranks} == 4 && $p->{ranks_bytes_a_step} > 0'
sb show "$work/2#vanilla/lm1b/1" --json
ok '... with whole lanes no more than a ring has to, and a few numbers' json '
    my $p = $j->{cells}[0]{provenance};
    $p->{ranks_bytes_a_step} >= $p->{ranks_bytes_of_a_ring} &&
    $p->{ranks_bytes_a_step} <= $p->{ranks_bytes_of_a_ring} + 100'
sb verify store --store "$work/4"
ok 'their store is sound' exits 0
ok 'only the first rank says what happens' \
    test "$(grep -c 'trained 6 cells' "$work/err")" -le 1

ranks 2 run "$x" --store "$work/gpu" -S device=cuda
ok 'ranks cannot share a GPU' exits 2 'one process trains a cell on a GPU'
ok '... and none of them trains' test ! -e "$work/gpu/cells"

export OMPI_MCA_hwloc_base_binding_policy=none
ranks 2 run "$x" --store "$work/share" -S threads=256 \
    -E 'variant==vanilla && task==lm1b'
unset OMPI_MCA_hwloc_base_binding_policy
ok 'ranks of one host divide its cores' exits 0 \
    'granted by a share among ranks'
ok '... which is said once' test "$(grep -c 'threads 256' "$work/err")" = 1
sb show "$work/share#vanilla/lm1b/1" --json
cp "$work/out" "$work/shown"
sb plan "$x" --json
ok '... as the cell says' json 'open my $f, "<", "'"$work"'/shown"; local $/;
    my $p = decode_json(<$f>)->{cells}[0]{provenance};
    my $n = int($j->{placement}{cores} / 2) || 1;
    $p->{cores} == $n && $p->{threads} == $n &&
    $p->{cores_granted_by} eq "a share among ranks"'

# ---- errors at the start ----
ranks 5 run "$x" --store "$work/5" -E 'variant==vanilla'
ok 'more ranks than shards are refused' exits 1 '5 ranks are more than the 4'
ranks 2 run "$x" --store "$work/j" --jobs 2
ok 'cells are not trained side by side' exits 2 'one cell at a time'
ranks 2 compare --digests "$one" "$one"
ok 'other verbs are the work of one process' exits 2 \
    'mpirun started 2 processes'
mkdir "$work/bare"
cp "$program" "$work/bare/synthbench"
$mpirun -n 2 "$work/bare/synthbench" run "$x" --store "$work/j" \
    >"$work/out" 2>"$work/err"
code=$?
ok 'a build without MPI says so' exits 2 'this build has no MPI'
ok '... once' test "$(grep -c 'no MPI' "$work/err")" = 1
cp "$porter" "$work/bare/"
chmod -x "$work/bare/synthbench-mpi"
$mpirun -n 2 "$work/bare/synthbench" run "$x" --store "$work/j" \
    >"$work/out" 2>"$work/err"
code=$?
ok 'a helper that cannot be started is named' exits 9 \
    'bare/synthbench-mpi: Permission denied'
ok '... and no cell is trained' test ! -e "$work/j"
mkdir -p "$work/libexec/synthbench" # where `make install` puts it
mv "$work/bare/synthbench-mpi" "$work/libexec/synthbench/"
chmod +x "$work/libexec/synthbench/synthbench-mpi"
echo >>"$work/bare/synthbench"
$mpirun -n 1 "$program" run "$x" --store "$work/j" : \
    -n 1 "$work/bare/synthbench" run "$x" --store "$work/j" \
    >"$work/out" 2>"$work/err"
code=$?
ok 'another program on a rank is refused by name' exits 2 \
    'synthbench: program: '
$mpirun -n 1 "$program" run "$x" --store "$work/j" : \
    -n 1 -x DNNL_MAX_CPU_ISA=SSE41 "$program" run "$x" --store "$work/j" \
    >"$work/out" 2>"$work/err"
code=$?
ok 'other instructions are refused by name' exits 2 \
    'synthbench: instruction set: '
$mpirun -n 1 "$program" run "$x" --store "$work/j" : \
    -n 1 "$program" run "$x" --store "$work/k" >"$work/out" 2>"$work/err"
code=$?
ok 'a store that a rank does not see is refused by name' exits 2 \
    'cannot see the store of rank 0'
ok '... which is made nowhere' test ! -e "$work/k"
sed 's/steps: 7/steps: 8/' "$x" >"$work/y.yaml"
$mpirun -n 1 "$program" run "$x" --store "$work/l" : \
    -n 1 "$program" run "$work/y.yaml" --store "$work/l" \
    >"$work/out" 2>"$work/err"
code=$?
ok 'another experiment on a rank is refused' exits 2 'its plan has other cells'
ranks 2 run "$work/none.yaml" --store "$work/j"
ok 'what one process refuses, ranks refuse' exits 2 'none.yaml'

# ---- lost ranks ----
begin() { # RANKS STORE ARGUMENT...: in the background, till it has saved
    p=$1 s=$2
    shift 2
    $mpirun -n "$p" "$program" run "$x" --store "$s" \
        -S checkpoint_seconds=0 "$@" >"$work/out" 2>"$work/err" </dev/null &
    job=$!
    saved "$s"
}
one_long=$work/one_long
sed 's/steps: 7/steps: 300, optimizer.name: adafactor/
     s/, random+dense//; s/, lm1b//' "$x" >"$work/z.yaml"
x=$work/z.yaml
sb run "$x" --store "$one_long" --jobs 1

SYNTHBENCH_MPI_START=1 timeout 60 $mpirun -n 1 "$program" run "$x" \
    --store "$work/alone" : -n 1 true >"$work/out" 2>"$work/err"
code=$?
ok 'a rank that ends before MPI has started ends the others' exits 9 \
    'not all ranks have started MPI'

ok 'a run of two ranks begins' begin 2 "$work/lost"
kill -9 "$(rank_worker "$work/lost" 1)"
wait $job
code=$?
ok 'a worker of a rank that is killed fails its cell' exits 1 'rank 1 on'
ok '... and the matrix goes on' exits 1 'trained 1 cell'
sb run "$x" --store "$work/lost"
ok '... one process takes the cell up' exits 0 'trained 1 cell'
ok '... to the same bits' digests "$one_long" "$work/lost"

# Only one cell: on a busy machine --stall could end a second one.
ok 'another begins' begin 2 "$work/hung" --stall 2 -E task==agnews
kill -STOP "$(rank_worker "$work/hung" 1)"
wait $job
code=$?
ok 'a rank that hangs fails its cell after --stall' exits 1 'no progress for'
ranks 3 run "$x" --store "$work/hung"
ok '... three ranks take it up' exits 0 'trained 2 cells'
ok '... to the same bits' digests "$one_long" "$work/hung"
sb show "$work/hung#vanilla/agnews/1" --json
ok '... and gradients went beside the backward pass' json '
    my $p = $j->{cells}[0]{provenance};
    0 < $p->{ranks_bytes_beside} &&
    $p->{ranks_bytes_beside} < $p->{ranks_bytes_a_step} &&
    0 < $p->{ranks_share_of_time} && $p->{ranks_share_of_time} < 1'

ok 'another begins' begin 2 "$work/dead"
kill -9 $(pgrep -P $job -f synthbench-mpi | tail -n 1)
wait $job
ok 'where a rank itself is killed, mpirun ends all' test $? != 0
ranks 4 run "$x" --store "$work/dead"
ok '... four ranks go on' exits 0 'trained 2 cells'
ok '... to the same bits' digests "$one_long" "$work/dead"

ok 'another begins' begin 2 "$work/asked"
kill -USR1 $job
wait $job
code=$?
ok 'SIGUSR1 to mpirun saves and ends' exits 143 'saved at step'
sb run "$x" --store "$work/asked"
ok '... to the same bits' digests "$one_long" "$work/asked"
done_testing
