#!/bin/sh
# `verify statistics` measures, on simulated samples, how often intervals miss
# the true value.
. tests/support/tap.sh

sb verify statistics --json
ok 'verify statistics passes' exits 0
ok 'verify statistics --json has the promised keys' json '
    $j->{failed} == 0 && @{$j->{rows}} == 18 &&
    !grep { my $r = $_; grep { !defined $r->{$_} } qw(data unit seeds tests
        promised misses verdict) } @{$j->{rows}}'
ok 'intervals of 2 to 8 normal seeds keep their level, alone and of 46 tests' \
    json 'my @n = grep { $_->{data} eq "normal" } @{$j->{rows}};
    @n == 8 && !grep { $_->{verdict} ne "pass" ||
        $_->{misses} > 1.65 * $_->{promised} ||
        $_->{misses} < 0.3 * $_->{promised} } @n'
ok '... those of seeds of which some are past a cliff do not' json '
    my ($c) = grep { $_->{data} eq "cliff" && $_->{seeds} == 3 &&
                     $_->{tests} == 1 } @{$j->{rows}};
    $c->{misses} > 0.2 && $c->{misses} < 0.3 && $c->{verdict} eq "n/a"'
# If six rows at a time share a component (correlation 0.18), the mean of all
# rows has 1 + 5 x 0.18 = 1.9 times the variance.
ok '... nor those over rows of one text, but blocks nearly do' json '
    my %n = map { ($_->{unit} => $_->{misses}) }
        grep { $_->{data} eq "neighbours" } @{$j->{rows}};
    $n{examples} > 0.13 && $n{examples} < 0.17 &&
    $n{"blocks of 8 examples"} < 0.075'
# docs/verdicts.md has the same numbers
perl -MJSON::PP -0777 -ne 'printf "| %s | %s | %d | %d | %.2f %% | %.2f %% |\n",
    @$_{qw(data unit seeds tests)}, 100 * $_->{promised}, 100 * $_->{misses}
    for @{decode_json($_)->{rows}}' "$work/out" >"$work/table"
grep -E '^\| (normal|cliff|neighbours) ' docs/verdicts.md >"$work/told"
ok 'docs/verdicts.md has this table' diff "$work/told" "$work/table"
sb verify statistics --json --format text -q
ok 'the last format counts, and -q prints the counts alone' \
    says '^8 passed, 0 failed, 10 not applicable$'
done_testing
