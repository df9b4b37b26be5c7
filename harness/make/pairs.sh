#!/bin/sh
# pairs PROGRAM FOLDER: reads the tables in FOLDER as JSON, and writes the pairs
# of rows that the tables compare, with their values by seed, to
# FOLDER/contrasts.csv.  If there are no pairs, removes that file.
set -u
program=$1 folder=$2
csv=$(mktemp) || exit
trap 'rm -f "$csv" "$csv.one"' EXIT

for json in "$folder"/table*.json; do
    [ -f "$json" ] || continue
    table=${json%.json}
    "$program" table "${table##*/table}" --from "$json" --pairs --format csv \
        -o "$csv.one" 2>"$csv.why"
    code=$?
    [ $code != 0 ] || sed "$([ -s "$csv" ] && echo 1d)" "$csv.one" >>"$csv"
    [ $code = 0 ] || [ $code = 7 ] || { cat "$csv.why" >&2; exit $code; }
done
rm -f "$csv.why" "$folder/contrasts.csv"
[ ! -s "$csv" ] || cp "$csv" "$folder/contrasts.csv"
