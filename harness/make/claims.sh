#!/bin/sh
# claims PROGRAM STORE FOLDER [decided]: judges the claims about synthesizers
# with the results of a store, and writes FOLDER/claims.txt and
# FOLDER/claims.json.  With `decided`, removes both files unless the results
# decide a claim: all other claims have the same verdicts with every store.
set -u
program=$1 store=$2 folder=$3
mkdir -p "$folder" || exit
for format in text:txt json:json; do
    file=$folder/claims.${format#*:}
    "$program" claims --all --format "${format%:*}" --store "$store" \
        -o "$file.new" || exit
    mv "$file.new" "$file" || exit
done

# Returns 0 if some case of a trained claim has a verdict other than "not
# testable here".
decides() {
    perl -MJSON::PP -0777 -e 'my $j = decode_json(<STDIN>);
        exit !grep { $_->{verdict} ne "not testable here" }
              map { @{$_->{cases}} } grep { $_->{kind} eq "trained" }
              @{$j->{claims}}' <"$folder/claims.json"
}
[ "${4-}" != decided ] || decides ||
    rm -f "$folder/claims.txt" "$folder/claims.json"
