#!/bin/sh
# The science suite from outside: run, then verify science.
. tests/support/tap.sh
says() { grep -qE -e "$1" "$work/out"; }
talks() { grep -qF -e "$1" "$work/err"; }

# ---- the experiment that comes with the program ----
sb plan experiments/science.yaml --json
ok 'science.yaml plans every generator' json '
    my %t = map { $_->{task} => 1 } @{$j->{cells}};
    19 == grep { /^gen_/ } keys %t'
ok '... three seeds and more of what theory claims' json '
    my %n; $n{"$_->{task} $_->{variant}"}++ for @{$j->{cells}};
    $n{"gen_recall vanilla"} == 6 && $n{"gen_lag factorized-random"} == 6 &&
    $n{"gen_lag uniform"} == 1'
sb list tasks --json
ok 'list tasks says which suite a task is of' json '
    20 == grep { ($_->{suite} eq "science") == ($_->{name} =~ /^gen_/) &&
                 $_->{suite} eq "science" } @{$j->{rows}}'

# ---- a small experiment ----
cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, uniform]
tasks: [gen_bigram, gen_eq]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 15, batch: 32,
           steps: 200, evals: 1, train: 6400, valid: 100, test: 300,
           dropout: 0, schedule.warmup: 20, schedule.scale: 0.3}
override:
  - match: {task: gen_eq}
    set: {probe: true, vocab: 21}
Y
sb verify science --store "$work/none"
ok 'nothing was run: exit code 7' [ $code -eq 7 ]
sb run "$work/x.yaml" --store "$work/s" -E 'variant==uniform'
ok 'two cells train' [ $code -eq 0 ]
sb verify science --store "$work/s"
ok 'verify science passes' [ $code -eq 0 ]
ok '... has a row for each generator' says '^gen_bigram +1\.[0-9]{3} +0\.[0-9]+\*'
ok '... and ln 2 for a probe that sees no token' \
    says '^gen_eq +uniform +blind +0\.6931 +0\.[67][0-9]+ +0\.[0-9]+ +pass'
ok '... counts' says '^2 cells: [0-9]+ passed, 0 failed, [0-9]+ not applicable'
ok '... and says what is missing' says '^2 cells are not finished$'
head -n 1 "$work/out" >"$work/counts"
sb verify science --store "$work/s" -q
ok '... which -q prints alone' cmp "$work/out" "$work/counts"
sb verify science --store "$work/s" --json
ok 'verify science --json has the promised keys' json '
    $j->{schema_version} == 1 && $j->{failed} == 0 && $j->{cells} == 2 &&
    $j->{missing} == 2 && @{$j->{rows}} == 6 && !grep {
        my $r = $_;
        grep { !exists $r->{$_} } qw(subject property measured bound verdict)
    } @{$j->{rows}}'
cp "$work/out" "$work/json"
sb verify science --store "$work/s" --format json
ok '... and --format json is the same' cmp "$work/out" "$work/json"
sb run "$work/x.yaml" --store "$work/s" -E 'variant==vanilla && task==gen_eq' \
    -S steps=1 --extend
ok 'a cell that has not learned trains' [ $code -eq 0 ]
sb verify science --store "$work/s"
ok 'an optimum that was not found is a failure, exit code 1' [ $code -eq 1 ]
ok '... named with what was measured' \
    says '^gen_eq +vanilla +reach +0\.0000 +[0-9.]+ +0\.0500 +fail'

# ---- stores without synthetic tasks ----
cat >"$work/y.yaml" <<'Y'
title: Test
variants: [uniform]
tasks: [agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
sb run "$work/y.yaml" --store "$work/t"
sb verify science --store "$work/t"
ok 'a store of other tasks: exit code 7' [ $code -eq 7 ]
ok '... and what would help' talks 'experiments/science.yaml'
sb run "$work/y.yaml" --store "$work/t" -S probe=true -S layers=2
ok 'a probe has one layer: exit code 2' [ $code -eq 2 ]
sed 's/agnews/wmt14_ende/' "$work/y.yaml" >"$work/z.yaml"
sb run "$work/z.yaml" --store "$work/t" -S probe=true
ok 'a probe does not translate: exit code 2' [ $code -eq 2 ]
ok '... and the message says why' talks 'needs an encoder and a decoder'

for cell in "$work"/s/cells/*.h5; do printf x >>"$cell"; done
sb verify science --store "$work/s"
ok 'a damaged cell: exit code 5' [ $code -eq 5 ]

done_testing
