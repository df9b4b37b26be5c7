#!/bin/sh
# reproduce PROGRAM SCALE: fetches text, trains experiments/SCALE.yaml, renders
# tables, plots and pages into results/SCALE.  Exit codes of `run` 1 (cells
# failed) and 8 (some have no text) come last: what there is is rendered all the
# same.
set -u
program=$1 scale=$2
store=results/$scale
synthetic= code=0
[ "$scale" = smoke ] || "$program" data fetch || code=$?
if [ $code != 0 ]; then
    [ $code = 8 ] || exit $code
    synthetic=--synthetic
    cat >&2 <<'TEXT'
*** There is no network or no apt: the text cannot be fetched.
*** Generators stand in for it; every table says "synthetic".
TEXT
fi
# shellcheck disable=SC2086 # a word or none
"$program" run "experiments/$scale.yaml" $synthetic --store "$store"
failed=$?
case $failed in
0 | 1 | 8) ;;
*) exit $failed ;;
esac
sh harness/make/tables.sh "$program" "$store" "$store/tables" || exit
cat "$store"/tables/table*.txt 2>/dev/null
"$program" plot --store "$store" >/dev/null || exit
"$program" report --store "$store" -o "$store/report" >/dev/null || exit
printf '%s\n' '' "tables  $store/tables" "plots   $store/plots" \
    "cells   $store/cells" '' "open    $store/report/index.html"
exit $failed
