#!/bin/sh
# Comparison of two whole stores: which cells both have, and what became better
# or worse.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Diff
variants: [vanilla, uniform]
tasks: [lm1b, gen_copy]
scales: [smoke]
seeds: [1, 2, 3]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 20, evals: 1, train: 640, valid: 16, test: 64}
Y
x=$work/x.yaml a=$work/a b=$work/b
"$program" run "$x" --store "$a" 2>/dev/null
"$program" run "$x" --store "$b" -S steps=200 -E task==lm1b 2>/dev/null
cp -r "$a" "$work/copy"

sb compare "$a" "$work/copy"
ok 'a store and its copy have the same bits' exits 0
ok '... in every row' says '^4 variant/task rows in both: 4 bit-identical in all common seeds, 0 differ$'
sb compare "$a" "$b" --json
ok 'two that differ are told by the exit code' exits 1
ok 'rows that differ have a verdict' json '
    my %row = map { ("$_->{row} $_->{metric}" => $_) } @{$j->{rows}};
    my $ce = $row{"vanilla ce"};
    $j->{same} == 0 && $j->{differ} == 2 && $ce->{seeds} == 3 &&
    abs($ce->{b} - $ce->{a} - $ce->{difference}) < 1e-9 &&
    $ce->{changed} eq "steps 20 to 200" &&
    !grep { defined $_->{low} && ($_->{low} <= 0 && $_->{high} >= 0) !=
            ($_->{verdict} eq "undecided") &&
            $_->{verdict} ne "not converged" } @{$j->{rows}}'
ok '... and what one has alone is named' json '
    @{$j->{only_a}} == 6 && !@{$j->{only_b}} &&
    $j->{only_a}[0] =~ m{^vanilla/gen_copy/smoke/1$}'
sb compare "$b" "$a" --json
cp "$work/out" "$work/back"
sb compare "$a" "$b" --json
ok '... from the other side with other signs' perl -MJSON::PP -e '
    my @d = map { local (@ARGV, $/) = $_; decode_json(<>) } @ARGV;
    exit(!!grep { my $i = $_;
        my ($p, $q) = map { $_->{rows}[$i] } @d;
        abs($p->{difference} + $q->{difference}) > 1e-9 ||
        abs($p->{low} + $q->{high}) > 1e-9 } 0 .. $#{$d[0]{rows}})
    ' "$work/out" "$work/back"
sb compare "$a" "$b"
ok '... for people too' says 'differ in 2 rows, from A to B: steps 20 to 200'
ok '... who hear what is missing' says '^only in A: vanilla/gen_copy/smoke/1'
cp "$work/out" "$work/said"
sb compare "$a" "$b" -o "$work/told"
ok '... where it was told to' cmp "$work/told" "$work/said"
sb compare "$a" "$b" --format csv
ok '... and as CSV' says '^task,scale,row,seeds,metric,better,a,b,difference,low,high,'

"$program" run "$x" --store "$work/one" --seeds 1 -E task==lm1b 2>/dev/null
sb compare "$work/one" "$a"
ok 'a seed more is no difference of what both have' exits 1
ok '... whose bits are the same' says \
    '^2 variant/task rows in both: 2 bit-identical in all common seeds, 0 differ$'
ok '... and cells are counted apart' says '^0 cells only in A, 10 only in B$'

# The intervals of a family of tests are wider than that of a single test.
sb compare "$a#vanilla/lm1b" "$b#vanilla/lm1b" --json
cp "$work/out" "$work/pair"
sb compare "$a" "$b" --json
ok 'intervals are those of `compare`, for more tests' perl -MJSON::PP -e '
    my ($d, $c) = map { local (@ARGV, $/) = $_; decode_json(<>) } @ARGV;
    my ($x) = grep { $_->{row} eq "vanilla" && $_->{metric} eq "ce" }
        @{$d->{rows}};
    my ($y) = grep { $_->{metric} eq "ce" } @{$c->{rows}};
    exit(!(abs($x->{difference} - $y->{difference}) < 1e-9 &&
           $x->{high} - $x->{low} > 1.01 * ($y->{high} - $y->{low})))
    ' "$work/out" "$work/pair"

# ---- stores that cannot be compared ----

"$program" run "$x" --store "$work/other" -S train=320 -S test=32 \
    -E 'task==lm1b && variant==vanilla' 2>/dev/null
sb compare "$a" "$work/other" --json
ok 'other test data is no comparison, and that is said' json '
    $j->{differ} == 1 && !@{$j->{rows}} && @{$j->{unlike}} == 1 &&
    $j->{unlike}[0]{why} =~ /training, validation or test data differ/'
sb compare "$a" "$work/nothing"
ok 'what is no store is told' exits 7
for cell in "$work/copy"/cells/*.h5; do break; done
chmod u+w "$cell"
printf 'X' | dd of="$cell" bs=1 seek=900 conv=notrunc 2>/dev/null
sb compare "$a" "$work/copy"
ok 'a damaged cell is named' exits 5 "$(basename "$cell" .h5)"
done_testing
