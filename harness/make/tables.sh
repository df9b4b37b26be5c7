#!/bin/sh
# tables PROGRAM STORE FOLDER [TABLE...]: renders tables in every format, as
# FOLDER/tableN.FORMAT; by default, every table of the paper for which the store
# has results.
set -u
program=$1 store=$2 folder=$3
shift 3
mkdir -p "$folder" || exit
why=$(mktemp) || exit
trap 'rm -f "$why"' EXIT

# Renders one table in one format.  Returns 7 if the store has no results for it.
table() { # N FORMAT FILE
    "$program" table "$1" --store "$store" --format "$2" --all --width 120 \
        -o "$3.new" 2>"$why"
    code=$?
    if [ $code != 0 ]; then
        rm -f "$3.new"
        [ $code = 7 ] || cat "$why" >&2
        return $code
    fi
    [ "$2" != text ] || cat "$why" >&2
    mv "$3.new" "$3"
}

[ $# -gt 0 ] || set -- 2 3 4 5 6 7
for n; do
    for format in text:txt md:md csv:csv json:json; do
        table $n "${format%:*}" "$folder/table$n.${format#*:}"
        code=$?
        [ $code != 7 ] || break
        [ $code = 0 ] || exit $code
    done
done
