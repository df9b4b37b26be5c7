# Functions for tests with several ranks; read after tap.sh.
mpirun='mpirun --allow-run-as-root --oversubscribe -q'
porter=$(dirname "$program")/synthbench-mpi
# After a failure, mpirun kills the remaining processes without waiting for two
# seconds.
export OMPI_MCA_odls_base_sigkill_timeout=0

ranks() { # RANKS ARGUMENT...: as sb, of so many processes
    p=$1
    shift
    $mpirun -n "$p" "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

digests() { # STORE STORE: are their cells the same, to the bit?
    prints "$work/compared" "$work/errors" compare --digests "$1" "$2"
    cat "$work/compared" "$work/errors"
    [ "$code" = 0 ]
}

rank_worker() { # STORE RANK: the process of its last worker
    log=.rank$2.log
    [ "$2" = 0 ] && log=.log
    sed -n 's/.* process //p' $(ls -t "$1"/logs/????????????????"$log" |
        head -n 1) | tail -n 1
}

saved() { # STORE: waits for a checkpoint that was loaded or written
    for _ in $(seq 300); do
        ls "$1"/checkpoints/*.ckpt >/dev/null 2>&1 && return
        sleep 0.1
    done
    return 1
}
