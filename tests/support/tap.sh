# TAP for tests that run the program. They begin with `. tests/support/tap.sh`
# and end with `done_testing`.
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

# A process that has loaded the program forks for each command of `sb`, which
# saves most of the time of short commands (tests/inject/serve.c).
if [ -e "${program%/*}/serve.so" ]; then
    mkfifo "$work/commands" "$work/codes"
    LD_BIND_NOW=1 LD_PRELOAD=${program%/*}/serve.so "$program" <"$work/commands" \
        >"$work/codes" &
    server=$!
    exec 8>"$work/commands" 9<"$work/codes"
    rm "$work/commands" "$work/codes"
fi

sb() { # ARGUMENT...: runs the program; code in $code, words in out and err
    prints "$work/out" "$work/err" "$@"
}

prints() { # OUT ERR ARGUMENT...: likewise, into these files
    code=
    if [ -z "${server-}" ]; then
        _out=$1 _err=$2
        shift 2
        "$program" "$@" >"$_out" 2>"$_err" </dev/null
        code=$?
        return
    fi
    printf '%s\0' "$PWD" "$1" "$2" $(($# - 1)) "$program" >&8
    shift 2
    [ $# = 0 ] || printf '%s\0' "$@" >&8
    export -p >&8
    printf '\0' >&8
    read -r code <&9
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
    [ -z "${server-}" ] || { printf '\0' >&8 && wait "$server"; }
    exit $((bad > 0))
}
