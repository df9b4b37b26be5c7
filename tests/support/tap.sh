# TAP for the tests that run the program: they begin with
# `. tests/support/tap.sh` and end with `done_testing`.
set -u
unset COLUMNS
export LC_ALL=C.UTF-8 # arrows; the program's numbers know no locale
program=${SYNTHBENCH:-build/release/synthbench}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: >"$work/out" >"$work/err"
n=0 bad=0

ok() { # NAME COMMAND...: a test that passes where the command does
    name=$1
    n=$((n + 1))
    shift
    if "$@" >"$work/why" 2>&1; then
        echo "ok $n - $name"
    else
        bad=$((bad + 1))
        echo "not ok $n - $name"
        cat "$work/why" "$work/err" "$work/out" | head -n 40 | sed 's/^/# /'
    fi
}

sb() { # ARGUMENT...: runs the program; code in $code, words in out and err
    "$program" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
}

exits() { # CODE [WORDS]: the last run's exit code, and words of its stderr
    [ "$code" = "$1" ] || { echo "exit code $code, not $1"; return 1; }
    [ -z "${2-}" ] || grep -qF -e "$2" "$work/err" ||
        { echo "stderr lacks: $2"; return 1; }
}

says() { grep -q -e "$1" "$work/out"; } # PATTERN
lacks() { ! says "$1"; }

json() { # EXPRESSION of $j, perl: the last output as JSON
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        exit(!do {'"$1"'})' <"$work/out"
}

worker() { # STORE: the process of a worker that was started there
    sed -n 's/.* process //p' "$1"/logs/*.log 2>/dev/null | tail -n 1
}

trains() { # STORE [TICKS]: waits until its worker has worked for 0.3 seconds
    for _ in $(seq 600); do
        at=$(worker "$1")
        ticks=$(awk '{ print $14 + $15 }' "/proc/${at:-none}/stat" 2>/dev/null)
        [ "${ticks:-0}" -ge "${2:-30}" ] && return
        sleep 0.05
    done
    return 1
}

done_testing() {
    echo "1..$n"
    exit $((bad > 0))
}
