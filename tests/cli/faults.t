#!/bin/sh
# Memory or disk fails at the k-th call, for k = 1..K. If memory fails, the
# process ends at once with code 9 (tests/inject/inject.c forks it for each k).
# After either fault, the next run resumes to the same bits. FAULTS=all tests
# every k, as check-long does; the default is a sample.
. tests/support/tap.sh
inject=$(cd "${program%/*}" && pwd)/inject.so
all=${FAULTS-}
export XDG_CACHE_HOME="$work/cache"

cat >"$work/x.yaml" <<'Y'
title: Two cells
variants: [vanilla, random+dense]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 8, batch: 4,
           steps: 4, evals: 2, train: 20, valid: 4, test: 4}
Y
x=$work/x.yaml

faulty() { # NAME=VALUE... -- ARGUMENT...: sb, with faults
    setting=
    while [ "$1" != -- ]; do
        setting="$setting $1"
        shift
    done
    shift
    rm -f "$work/count"
    # shellcheck disable=SC2086 # one word a setting
    env LD_PRELOAD="$inject" FAULT_COUNT="$work/count" $setting "$program" "$@" \
        >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

counted() { # WORD: the number behind it
    sed -n "s/.*\<$1 \([0-9]*\).*/\1/p" "$work/count"
}

# ---- memory, in forked processes ----
ends_at_each_k() { # STRIDE [NAME=VALUE] ARGUMENT...
    stride=$1 forked=FAULT_FORKED=0
    shift
    [ -z "$all" ] || stride=1
    case $1 in FAULT_*) forked=$1 && shift ;; esac
    sb "$@"
    mv "$work/out" "$work/wanted"
    [ "$code" = 0 ] || { echo "exit code $code without faults"; return 1; }
    [ "$forked" = FAULT_FORKED=0 ] || rm -rf "$work/again"
    faulty FAULT=memory FAULT_EVERY=$stride "$forked" -- "$@"
    echo "# faults: $1 k = $stride, $((2 * stride)), ..., $(counted calls)" \
        >>"$work/said"
    cat "$work/count"
    [ "$code" = 0 ] && cmp "$work/wanted" "$work/out" &&
        [ "$(counted tried)" -gt 0 ] && [ "$(counted other)" = 0 ] &&
        [ "$(counted tried)" = $(($(counted calls) / stride)) ]
}

s=$work/store
sb run "$x" --store "$s" -j 1
ok 'without faults two cells are trained' exits 0 'trained 2 cells'
v=$s#vanilla/lm1b/1
ok 'list: wherever memory ends, so does the program, with code 9' \
    ends_at_each_k 7 list variants --json
ok '... plan' ends_at_each_k 50 plan "$x" --json
ok '... status' ends_at_each_k 50 status --store "$s" --json
ok '... show' ends_at_each_k 50 show "$v" --json
ok '... table' ends_at_each_k 50 table 2 --store "$s" --format json
ok '... compare' ends_at_each_k 100 compare "$v" "$s#random+dense/lm1b/1" --json
ok '... run, and its workers' \
    ends_at_each_k 600 FAULT_FORKED=1 run "$x" --store "$work/again" -j 1
cat "$work/said"

# ---- runs that meet a fault and resume ----

# Prints the contents of the cells, except times.
bits() { # STORE
    for c in vanilla random+dense; do
        "$program" show "$1#$c/lm1b/1" --json | grep -A 1 -e '"id"' \
            -e '"metrics"' -e '"ce"' -e '"weights"' -e '"data_digest"'
    done
}
bits "$s" >"$work/bits"

# A fault is either reported (by exit code 9 or by a failed cell, with `oom` if
# memory failed) or harmless. The store can be read afterwards, and the next run
# ends with the same bits.
goes_on() { # NAME=VALUE...
    rm -rf "$work/faulty"
    faulty FAULT_FORKED=1 "$@" -- run "$x" --store "$work/faulty" -j 1
    cat "$work/err"
    was=$code
    sb status --store "$work/faulty"
    case $was in
    9) [ "$code" = 0 ] || [ "$code" = 7 ] ;;
    1) [ "$code" = 0 ] ;;
    0) bits "$work/faulty" | cmp "$work/bits" - ;;
    *) false ;;
    esac || { echo "code $was, then status $code"; return 1; }
    case $was,$1 in
    1,FAULT=memory) cat "$work/faulty/failed/"* | grep '"class": "oom"' ;;
    esac || [ -z "$(ls "$work/faulty/failed")" ] || return 1
    sb run "$x" --store "$work/faulty" -j 1
    [ "$code" = 0 ] && bits "$work/faulty" | cmp "$work/bits" -
}

every() { # OFFSET STRIDE K NAME=VALUE...
    k=$1 stride=$2 last=$3
    shift 3
    [ -z "$all" ] || [ "$last" -gt 1000 ] || stride=1 k=1
    while [ "$k" -le "$last" ]; do
        goes_on "$@" "FAULT_K=$k" >"$work/why2" 2>&1 ||
            { echo "k = $k"; cat "$work/why2"; return 1; }
        k=$((k + stride))
    done
}

count() { # KIND
    rm -rf "$work/faulty"
    faulty "FAULT=$1" FAULT_K=0 FAULT_FORKED=1 -- run "$x" \
        --store "$work/faulty" -j 1
    calls=$(counted calls)
}

count memory
ok 'a run that memory fails goes on to the same bits' \
    every 1000 $((calls / ${all:+20}6)) "$calls" FAULT=memory
count disk
if [ "$code" = 99 ]; then
    echo '# no seccomp: faults of the disk are not tested'
else
    echo "# faults: run, of the disk, k = 1..$calls"
    ok '... one call of the disk' every 2 11 "$calls" FAULT=disk FAULT_ERRNO=5
    ok '... the disk, for good' \
        every 5 13 "$calls" FAULT=disk FAULT_STAYS=1 FAULT_ERRNO=5
    ok '... and one that is full' \
        every 7 15 "$calls" FAULT=disk FAULT_STAYS=1 FAULT_ERRNO=28
fi
done_testing
