#!/bin/sh
# claims PROGRAM STORE FOLDER: what was said about synthesizers, by what the
# store has, as FOLDER/claims.txt and FOLDER/claims.json.
set -u
program=$1 store=$2 folder=$3
mkdir -p "$folder" || exit
for format in text:txt json:json; do
    file=$folder/claims.${format#*:}
    "$program" claims --format "${format%:*}" --store "$store" \
        -o "$file.new" || exit
    mv "$file.new" "$file" || exit
done
