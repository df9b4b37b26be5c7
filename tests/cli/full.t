#!/bin/sh
# The paper's tasks and settings with a few rows of official data each.
. tests/support/tap.sh
x=experiments/full.yaml files=tests/data/fixtures s=$work/store

sb plan "$x" --json
ok 'the full scale is planned without a file' json '
    my %m = map { ("$_->{task} $_->{variant}" => $_) } @{$j->{cells}};
    my $c = $m{"c4 vanilla"};
    keys %m == 126 && $c->{params} == 222903552 &&
    !grep { $_->{status} ne "missing" } @{$j->{cells}}'
ok '... with the released forms where the paper had these' json '
    my %p = map { ("$_->{task} $_->{variant}" => $_->{params})
                } @{$j->{cells}};
    $p{"c4 dense-mtf"} == 224476160 && $p{"c4 random"} == 254360576 &&
    $p{"c4 dense-mtf+vanilla"} == 243350528 &&
    $p{"c4 random+vanilla"} == 292109312 &&
    $p{"c4 factorized-random-mtf"} == 207174656 &&
    abs($p{"c4 dynamic-conv-mtf"} - 256.98e6) < 1e4 &&
    abs($p{"c4 lightweight-conv-mtf"} - 223.95e6) < 1e4 &&
    !exists $p{"glue dense"} && !exists $p{"lm1b dense-mtf"}'
ok '... for examples as long as somebody has counted' json '
    my %c = map { ("$_->{task} $_->{variant}" => $_) } @{$j->{cells}};
    my $e = $c{"wmt14_ende vanilla"}{expected};
    my ($c4, $glue) = ($c{"c4 vanilla"}, $c{"glue vanilla"});
    $e->{lengths} eq "published" && abs($e->{source_ids} - 29.56) < 0.01 &&
    abs($e->{target_ids} - 28.08) < 0.01 &&
    $e->{examples_per_step} == 840 &&
    abs($e->{ids_per_step} - 840 * 57.64) < 10 &&
    $e->{flops_per_step} * 250000 / 80e9 == $c{"wmt14_ende vanilla"}{seconds} &&
    !grep { $_->{expected}{lengths} ne "longest" ||
            $_->{expected}{flops_per_step} != $_->{flops_per_step} } $c4, $glue'
cp "$work/out" "$work/full.json"
sb plan narang --json
ok 'the early loss of Narang is of the same models, to 65,536 steps' json '
    my @c = @{$j->{cells}};
    my %seeds = map { ($_->{seed} => 1) } @c;
    @c == 40 && keys %seeds == 5 && 5 == grep {
        $_->{params} == 254360576 &&
        abs($_->{seconds} * 80e9 / $_->{flops_per_step} / 65536 - 1) < 1e-9 } @c'
sb plan "$x" -S steps=65536 -S train=8388608 --json
of() { # FILE: ids of the cells of c4 and seed 1 that it shares with narang
    perl -MJSON::PP -e 'local $/; print map { "$_->{id} $_->{row}\n" }
        grep { $_->{task} eq "c4" && $_->{seed} == 1 &&
               $_->{row} !~ /^(fixed-random|orthogonal|uniform)$/ }
        @{decode_json(<STDIN>)->{cells}}' <"$1" | sort
}
of "$work/out" >"$work/ids"
"$program" plan narang --json >"$work/narang.json"
of "$work/narang.json" >"$work/narang.ids"
ok '... and full.yaml gives the same cells' cmp "$work/ids" "$work/narang.ids"
cp "$work/full.json" "$work/out"
ok '... and what no source tells is called a guess' json '
    my @g = @{$j->{guessed}};
    @g == 15 && grep(/^agnews: size, N, batch, steps/, @g) == 1 &&
    grep(/^dense: /, @g) == 1'
sb plan "$x" -E 'task==lm1b && variant==random+vanilla'
ok '... of what is chosen alone' sh -c "sed -n '/^settings that no source/,/^\$/p' $work/out |
    grep -c '^  [a-z0-9_+-]*: ' | grep -qx 2 && grep -q 'random: the initial scale' $work/out"
sb plan "$x" --data-dir "$work" -E 'variant==random'
ok 'plan names the tasks without official files' \
    sh -c "[ \$(grep -c '^  [a-z0-9_]*: official data missing in' $work/out) = 10 ]"
sb plan "$x" --data-dir "$work"
ok '... at most one screen of them' says \
    '^`run` leaves out 10 tasks, because their data are missing: wmt14_ende'
sb plan "$x" -E 'task==c4 && variant==random' -S batch=65536 -S d=8192 \
    -S heads=64
ok 'plan says which cells do not fit into the memory' says \
    '^1 cell needs more memory than this machine has: up to [0-9.]* TB'
sb run "$x" --data-dir "$work" --store "$s" -E 'variant==random'
ok 'without official files it is said which are missing' exits 8 \
    'superglue_wsc; `synthbench data where superglue` lists the files'
ok '... of every task' sh -c "[ \$(grep -c 'missing in' $work/err) = 10 ]"

tiny='-S layers=1 -S d=16 -S heads=2 -S ff=32 -S N=192 -S vocab=380'
small="$tiny -S batch=2 -S batch.devices=1 -S shards=2 -S steps=2 -S train=0 -S evals=1"
run() { # shellcheck disable=SC2086
    sb run "$x" --data-dir "$files" --store "$s" --extend --cache "$work/cache" \
        -E 'variant==random' $small
}
sb run "$x" --data-dir "$files" --store "$work/vocab" --cache "$work/cache" \
    -E 'variant==random && task==agnews' $small -S vocab=5000
ok 'a vocabulary that the text does not yield is refused by its key' exits 8 \
    'agnews: vocab: 5000: the training text has at most'
run
ok 'tasks whose files are there are trained' exits 8 'trained 9 cells'
ok '... and what they lack is named' exits 8 \
    'imdb is left out: the text has no valid example'
run
ok '... and prepared and trained once' exits 8 'trained 0 cells'
# shellcheck disable=SC2086
sb plan "$x" -E 'variant==random' $small --json
cp "$work/out" "$work/longest"
# shellcheck disable=SC2086
sb plan "$x" --data-dir "$files" --cache "$work/cache" -E 'variant==random' \
    $small --json
ok '... and a plan then knows how long they are' json '
    my %c = map { ($_->{task} => $_->{expected}) } @{$j->{cells}};
    my %as = map { ($_ => $c{$_}{lengths}) } keys %c;
    !grep { $as{$_} ne "prepared" || $c{$_}{target_ids} >= 100 ||
            $c{$_}{source_ids} < 5 } qw(wmt14_ende wmt14_enfr cnndm glue) or die;
    $as{imdb} eq "longest" && $as{agnews} eq "prepared" &&
    $c{agnews}{target_ids} == 0 && $as{c4} eq "longest"'
ok '... and how many rows of running text there are' json '
    my %c = map { ($_->{task} => $_->{bytes_parts}) } @{$j->{cells}};
    open my $f, "<", "'"$work"'/longest" or die; local $/;
    my %l = map { ($_->{task} => $_->{bytes_parts}) }
        @{decode_json(<$f>)->{cells}};
    $c{lm1b}{data} < $l{lm1b}{data} / 40 or die;
    !grep { $c{$_}{activations} > $l{$_}{activations} / 2 } qw(lm1b c4)'
flops=$(perl -MJSON::PP -e 'local $/;
    print map { $_->{expected}{flops_per_step} } grep { $_->{task} eq
        "wmt14_ende" } @{decode_json(<STDIN>)->{cells}}' <"$work/out")
sb export --store "$s" --format json
ok '... and a step of tokens is the mean of its buckets, when it is done' json '
    my @c = grep { $_->{task} eq "wmt14_ende" } @{$j->{rows}};
    @c > 0 && !grep { abs($_->{flops_per_step} / '"$flops"' - 1) > 1e-9 } @c'

# ---- rehearse ----

rehearse() { # OPTION...
    # shellcheck disable=SC2086
    sb rehearse "$x" --cache "$work/cache" --store "$work/rehearsed" $tiny \
        -E '(variant==random || variant==uniform) &&
            (task==c4 || task==glue || task==lm1b)' \
        "$@"
}
rehearse --data-dir "$files" --json
ok 'a cell of each family is rehearsed, of its own kind of task and model' json '
    join(" ", map { "$_->{variant}/$_->{task}" } @{$j->{rehearsed}}) eq
        "random/lm1b random/c4 random/glue"'
ok '... by two steps of two rows, in the memory planned, saved, resumed' json '
    !grep { !$_->{resumed_same} || $_->{checkpoint_bytes} < 4 * $_->{params} ||
            $_->{metrics} < 2 || $_->{peak_bytes} < 1e7 ||
            $_->{batch} != ($_->{task} eq "glue" ? 2 * 192 : 2) || # tokens
            $_->{planned_bytes} < $_->{peak_bytes} ||
            $_->{planned_bytes} > $_->{peak_bytes} *
                ($_->{task} eq "glue" ? 3 : 1.5) ||
            ($_->{task} eq "glue" # the mean of its buckets
                ? $_->{own_step_seconds} <= 64 * $_->{step_seconds}
                : abs($_->{step_seconds} * ($_->{task} eq "lm1b" ? 256 : 64) /
                    $_->{own_step_seconds} - 1) > 1e-9)
          } @{$j->{rehearsed}}'
rehearse --data-dir "$work" --format text
ok '... and told which text is missing' exits 8
ok '... for each family' says '^c4 random: official data missing in'
sb show "$s#random/wmt14_ende/1"
ok 'a subset of the official rows is called one' says '19 of 4508785.*subset'
sb table 4 --store "$s" --width 120
ok 'the guesses stay with the store' grep -q \
    '"agnews: size, N, batch, steps' "$s/experiment.json"
ok '... and the title names official files' says '^Table 4.*Data: C4, official'
# shellcheck disable=SC2086
sb run "$x" --data-dir "$files" --store "$work/mtf" --cache "$work/cache" \
    -E 'variant==dense-mtf && (task==c4 || task==glue)' $small
sb table 5 --store "$work/mtf" --json
ok "D of GLUE is the released code's form, beside what was published of D" json '
    my ($r) = grep { $_->{title} eq "Dense" } @{$j->{rows}};
    $r->{variant} eq "dense-mtf" && $r->{cells}[0]{n} == 1 &&
    $r->{cells}[0]{published} == 72'
for t in 2 3 4 5 6; do
    sb table $t --store "$s" --width 120
    ok "... in table $t too" says 'official files.*: a subset'
done
done_testing
