#!/bin/sh
# verify variants from outside.
. tests/support/tap.sh

sb verify variants
ok 'verify variants passes' exits 0
ok '... and counts' says '^[0-9]\{3\} passed, 0 failed, [0-9]* not applicable$'
ok '... says what a column means' says \
    '^output  *equals the formula in plain loops (at most [0-9.e-]*)$'
ok '... has a row for each variant' \
    [ "$(sed -n 's/^VARIANT(\(.*\))/\1/p' variants/list.h | tr _ - |
         while read -r v; do grep -c "^$v  " "$work/out"; done | grep -vc '^2$')" = 0 ]
ok '... in 120 columns' [ "$(awk 'length > 120' "$work/out" | wc -l)" -eq 0 ]

sb verify variants --json
ok 'verify variants --json has rows and verdicts' json '
    my %seen = map { $_->{verdict} => 1 } @{$j->{rows}};
    $j->{schema_version} == 1 && $j->{failed} == 0 &&
    join(" ", sort keys %seen) eq "n/a pass" &&
    !grep { !$_->{subject} || !$_->{property} ||
            !exists $_->{measured} || !exists $_->{bound} } @{$j->{rows}}'
cp "$work/out" "$work/json"
ok '... every variant and reading of a mixture' json '
    my %seen = map { $_->{subject} => 1 } @{$j->{rows}};
    $seen{"random+vanilla, sigmoid"} && $seen{"dense-mtf"} && %seen >= 30'
sb verify variants --format json
ok '... and --format json is the same' cmp "$work/out" "$work/json"

done_testing
