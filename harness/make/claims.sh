#!/bin/sh
# claims PROGRAM STORE FOLDER [decided]: what was said about synthesizers, by
# what the store has, as FOLDER/claims.txt and FOLDER/claims.json.  `decided`:
# only if that decides any; the others are computed alike beside every store.
set -u
program=$1 store=$2 folder=$3
mkdir -p "$folder" || exit
for format in text:txt json:json; do
    file=$folder/claims.${format#*:}
    "$program" claims --format "${format%:*}" --store "$store" \
        -o "$file.new" || exit
    mv "$file.new" "$file" || exit
done

# Exit code 0: of some trained case more is said than that no store has it.
decides() {
    perl -MJSON::PP -0777 -e 'my $j = decode_json(<STDIN>);
        exit !grep { $_->{verdict} ne "not testable here" }
              map { @{$_->{cases}} } grep { $_->{kind} eq "trained" }
              @{$j->{claims}}' <"$folder/claims.json"
}
[ "${4-}" != decided ] || decides ||
    rm -f "$folder/claims.txt" "$folder/claims.json"
