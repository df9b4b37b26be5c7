#!/bin/sh
# reproduce PROGRAM SCALE [JOBS]: installs what is missing, builds, fetches text,
# trains experiments/SCALE.yaml, renders tables, pictures and pages into
# results/SCALE, and ends with what was found and where it stands.  What the
# stages say goes to results/SCALE/reproduce.log, but for how far training is.
# Exit codes of `run` 1 (cells failed) and 8 (some have no text) come last: what
# there is is rendered all the same.
set -u
program=$1 scale=$2 jobs=${3:+-j $3}
store=results/$scale
log=$store/reproduce.log
mkdir -p "$store" || exit
: >"$log" || exit

stage() { # NAME COMMAND...: its exit code, in $code
    printf '%s ...\n' "$1"
    echo "==== $(date '+%H:%M:%S') $1" >>"$log"
    shift
    "$@" >>"$log" 2>&1
    code=$?
}

fail() {
    tail -n 25 "$log" >&2
    echo "reproduce: it ended there (exit code $code); all of it: $log" >&2
    exit $code
}

stage 'packages (make deps)' "${MAKE:-make}" --no-print-directory deps
[ $code = 0 ] || fail
stage 'building' "${MAKE:-make}" --no-print-directory MODE=release all
[ $code = 0 ] || fail
stage "text of $scale" "$program" data fetch "$scale"
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
# shellcheck disable=SC2086 # words
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
echo 'pages ...'
echo
"$program" report --store "$store" -o "$store/report" --findings \
    2>>"$log" >"$store/found.txt" || { code=$?; fail; }
sed '$d' "$store/found.txt"
echo
echo "tables  $store/tables    pictures  $store/plots    log  $log"
echo "open    $store/report/index.html"
rm -f "$store/found.txt"
exit $failed
