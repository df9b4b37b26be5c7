#!/bin/sh
# verify variants from outside.
set -u
program=${SYNTHBENCH:-build/release/synthbench}
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
n=0

ok() { # NAME COMMAND...
    name=$1
    n=$((n + 1))
    shift
    if "$@"; then echo "ok $n - $name"; else
        echo "not ok $n - $name"
        sed 's/^/# /' "$out"
    fi
}
says() { grep -qE -e "$1" "$out"; }
json() { # EXPRESSION of $j, perl
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        exit(!do {'"$1"'})' <"$out"
}

"$program" verify variants >"$out" 2>&1
ok 'verify variants passes' [ $? -eq 0 ]
ok '... and counts' says '^[0-9]{3} passed, 0 failed, [0-9]+ do not apply$'
ok '... says what a column means' says \
    '^output +equals the formula in plain loops \(at most [0-9.e-]+\)$'
ok '... has a row for each variant' \
    [ "$(sed -n 's/^VARIANT(\(.*\))/\1/p' variants/list.h | tr _ - |
         while read -r v; do grep -c "^$v  " "$out"; done | grep -vc '^2$')" = 0 ]
ok '... in 120 columns' [ "$(awk 'length > 120' "$out" | wc -l)" -eq 0 ]

"$program" verify variants --json >"$out" 2>&1
ok 'verify variants --json has rows and verdicts' json '
    my %seen = map { $_->{verdict} => 1 } @{$j->{rows}};
    $j->{schema_version} == 1 && $j->{failed} == 0 &&
    join(" ", sort keys %seen) eq "n/a pass" &&
    !grep { !$_->{subject} || !$_->{property} ||
            !exists $_->{measured} || !exists $_->{bound} } @{$j->{rows}}'
ok '... every variant and reading of a mixture' json '
    my %seen = map { $_->{subject} => 1 } @{$j->{rows}};
    $seen{"random+vanilla, sigmoid"} && $seen{"dense-mtf"} && %seen >= 30'

echo "1..$n"
