#!/bin/sh
# reproduce PROGRAM SCALE [JOBS]: installs missing packages, builds the program,
# fetches text, trains experiments/SCALE.yaml, and renders tables, plots and
# pages into results/SCALE.  At the end, prints the findings and the file to
# open.  Scale smoke has no findings; for smoke, prints whether the installation
# works.
#
# Prints one line per stage; on a terminal, with the elapsed seconds.  The output
# of the stages goes to results/SCALE/reproduce.log, except for the progress of
# training.
#
# If `run` exits with 1 (cells failed) or 8 (text for some cells is missing),
# renders the results that exist and exits with the same code.
set -u
# Under `make -n`, prints the command instead of running it.
flags=${MAKEFLAGS-}
case ${flags%% *} in
-*) ;;
*n*) echo "sh $0 $*"; exit ;;
esac
program=$1 scale=$2 jobs=${3:+-j $3}
store=results/$scale
log=$store/reproduce.log
clock=
mkdir -p "$store" || exit
: >"$log" || exit

# Redraws a line with the elapsed seconds until it is killed or the script ends.
tick() { # LINE
    trap '' INT
    seconds=0
    while kill -0 $$ 2>/dev/null; do
        printf '\r%s %d s' "$1" $seconds
        sleep 1
        seconds=$((seconds + 1))
    done
}

stop_clock() {
    [ -n "$clock" ] || return 0
    kill "$clock" 2>/dev/null
    wait "$clock" 2>/dev/null
    clock=
    echo
}
trap stop_clock EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

stage() { # NAME COMMAND...: its exit code, in $code
    if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
        tick "$1 ..." &
        clock=$!
    else
        printf '%s ...\n' "$1"
    fi
    echo "==== $(date '+%H:%M:%S') $1" >>"$log"
    shift
    "$@" >>"$log" 2>&1
    code=$?
    stop_clock
}

make() { command "${MAKE:-make}" --no-print-directory "$@"; }

# Packages that only the tests need may be missing.
packages() { make deps || make has-build has-run; }

report() {
    if [ "$scale" = smoke ]; then
        "$program" report --store "$store" -o "$store/report"
    else
        "$program" report --store "$store" -o "$store/report" --findings \
            >"$store/found.txt"
    fi
}

fail() {
    tail -n 25 "$log" >&2
    echo "reproduce: it ended there (exit code $code); all of it: $log" >&2
    exit $code
}

stage 'packages (make deps)' packages
[ $code = 0 ] || fail
stage 'building' make MODE=release all
[ $code = 0 ] || fail
stage "fetching text" "$program" data fetch "$scale"
synthetic=
if [ $code = 8 ]; then
    synthetic=--synthetic
    cat >&2 <<'TEXT'
*** There is no network or no apt: the text cannot be fetched.
*** Generators stand in for it; every table says "synthetic".
TEXT
elif [ $code != 0 ]; then
    fail
fi

echo 'training ...'
# shellcheck disable=SC2086 # split into words
"$program" run "experiments/$scale.yaml" $synthetic --store "$store" $jobs
failed=$?
case $failed in
0 | 1 | 8) ;;
*) exit $failed ;;
esac
stage 'tables' sh harness/make/tables.sh "$program" "$store" "$store/tables"
[ $code = 0 ] || fail
stage 'claims' sh harness/make/claims.sh "$program" "$store" "$store/tables"
[ $code = 0 ] || fail
stage 'pictures' "$program" plot --store "$store"
[ $code = 0 ] || fail
stage 'pages' report
[ $code = 0 ] || fail
if [ -f "$store/found.txt" ]; then
    echo
    sed '$d' "$store/found.txt"
    rm -f "$store/found.txt"
fi
echo
echo "tables  $store/tables    pictures  $store/plots    log  $log"
echo "open    $store/report/index.html"
case $scale,$failed in
smoke,0) echo 'smoke passed: the installation works' ;;
smoke,*) echo 'smoke failed: the installation does not work' ;;
esac
exit $failed
