#!/bin/sh
# The paper's tasks and settings on official files: a few rows of each.
. tests/support/tap.sh
x=experiments/full.yaml files=tests/data/fixtures s=$work/store

sb plan "$x" --json
ok 'the full scale is planned without a file' json '
    my %m = map { ("$_->{task} $_->{variant}" => $_) } @{$j->{cells}};
    my $c = $m{"c4 vanilla"};
    keys %m == 132 && $c->{params} == 222903552 &&
    !grep { $_->{status} ne "missing" } @{$j->{cells}}'
sb run "$x" --data-dir "$work" --store "$s" -E 'variant==random'
ok 'without official files it is said which are missing' exits 8 \
    'superglue_wsc train (WSC/train.jsonl)'
ok '... of every task' sh -c "[ \$(grep -c 'missing in' $work/err) = 10 ]"

small='-S layers=1 -S d=16 -S heads=2 -S ff=32 -S N=192 -S vocab=380
       -S batch=2 -S shards=2 -S steps=2 -S train=0 -S evals=1'
run() { # shellcheck disable=SC2086
    sb run "$x" --data-dir "$files" --store "$s" --extend --cache "$work/cache" \
        -E 'variant==random' $small
}
run
ok 'tasks whose files are there are trained' exits 8 'trained 9 cells'
ok '... and what they lack is named' exits 8 \
    'imdb: the text holds no valid example'
run
ok '... and prepared and trained once' exits 8 'trained 0 cells'
sb show "$s#random/wmt14_ende/1"
ok 'a subset of the official rows is called one' says '19 of 4508785.*subset'
sb table 4 --store "$s"
ok '... and the title names official files' says '^Table 4.*Data: C4, official'
for t in 2 3 4 5 6; do
    sb table $t --store "$s"
    ok "... in table $t too" says 'official files.*: a subset'
done
done_testing
