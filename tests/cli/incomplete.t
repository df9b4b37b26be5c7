#!/bin/sh
# The tables of a store that is not complete: a cell without a number has a
# reason, and the table has the command that trains a row. A store of another
# experiment is refused.
. tests/support/tap.sh
export XDG_CACHE_HOME="$work/cache"
cat >"$work/x.yaml" <<'Y'
title: Three variants on two tasks
variants: [vanilla, random, dense]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 8, heads: 2, ff: 8, N: 8, vocab: 32, batch: 4,
           steps: 4, evals: 2, train: 20, valid: 4, test: 8}
exclude: [{variant: random, task: agnews}]
Y
s=$work/x
sb run "$work/x.yaml" --store "$s" --synthetic -j 1 \
    -E 'variant!=dense && !(variant==vanilla && seed==2)'
ok 'a store of two variants' exits 0

# ---- why a number is missing ----
sb table 2 --all --store "$s" --json
cell() { # VARIANT COLUMN KEY: as JSON has it
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        my ($v, $name, $key) = @ARGV;
        my ($c) = grep { $j->{columns}[$_]{name} eq $name }
            0 .. $#{$j->{columns}};
        my ($row) = grep { $_->{variant} eq $v } @{$j->{rows}};
        print $row->{cells}[$c]{$key} // "null"' "$@" <"$work/out"
}
ok 'a number has no reason' [ "$(cell vanilla lm1b.ppl reason)" = null ]
ok 'what is not trained yet says of how many' \
    [ "$(cell dense lm1b.ppl reason)" = 'not trained yet: 0 of 2' ]
ok 'what nobody asked for says so' [ "$(cell random agnews.accuracy reason)" = \
    'not selected by this experiment' ]
ok '... and a row of the paper' [ "$(cell fixed-random lm1b.ppl reason)" = \
    'not selected by this experiment' ]
sb table 2 --all --store "$s"
ok 'in text it has a mark' says '^Dense .* 0/2 '
ok '... with a line below' says '^  0/m: none of its m seeds is trained yet$'
ok '... as has what nobody asked for' says '^  -: the experiment does not include'
ok 'a command trains a row' says \
    "^  synthbench run $work/x.yaml --scale smoke --synthetic -E FILTER\$"
sb table 2 --all --store "$s" --format csv
ok 'CSV has the reasons, too' says ',not trained yet: 0 of 2,'
command() { # STORE: the command of its table, for the row of vanilla
    "$program" table 2 --all --store "$1" |
        sed -n "s/^  \(synthbench run .*\) -E FILTER/\1 -E variant==vanilla/p"
}
ok 'the command trains that row' sh -c "cd '$work' && synthbench() {
    '$PWD/$program' \"\$@\" --store '$work/again'; } && $(command "$s") 2>err2 &&
    grep -q 'trained 4 cells' err2"

# ---- cells that are not defined by the file alone ----
short="$work/a store"
export short
sb run "$work/x.yaml" --store "$short" --synthetic -S threads=1 -j 1 \
    -E 'variant==vanilla && task==lm1b && seed==1'
sb table 2 --all --store "$short" --json
ok 'what changes no number leaves the file to say what cells are' json '
    !exists $j->{own} && $j->{file} eq "'"$work"'/x.yaml"'
sb run "$work/x.yaml" --store "$short" --synthetic -S steps=2 --extend -j 1 \
    -E 'variant==vanilla && task==lm1b && seed==1'
sb table 2 --all --store "$short" --json
ok 'of settings of the command line the store alone says it' json '
    $j->{own} eq $ENV{short}'
cp "$work/out" "$work/own.json"
sb table 2 --from "$work/own.json" --json
ok '... the same again from JSON' cmp "$work/out" "$work/own.json"
ok '... and its command trains the rest of the row' sh -c "
    synthbench() { '$program' \"\$@\"; } && $(command "$short") 2>'$work/err2' &&
    grep -q 'trained 3 cells' '$work/err2'"
sb train --like smoke --synthetic --task lm1b --variant random --store \
    "$work/named"
sb table 2 --all --store "$work/named" --json
ok 'nor does a file say what train trained' json '$j->{own} =~ /named$/'
mkdir "$work/mine"
sed 's/dense/uniform/' "$work/x.yaml" >"$work/mine/smoke.yaml"
sb run "$work/mine/smoke.yaml" --store "$work/shadow" --synthetic -j 1 \
    -E 'variant==vanilla && task==lm1b && seed==1'
sb table 2 --all --store "$work/shadow" --json
ok 'nor does one for another of its name' json '$j->{own} =~ /shadow$/'

sb table 1 --store "$s"
ok 'table 1 is of no store, and says so' exits 0 'it does not use'
sb table science --store "$s"
ok 'a table of another experiment is refused, and the right one named' exits 2 \
    "holds results of experiment x, not of science: \`synthbench table x --store"

# ---- metrics computed in two ways ----
sb table x --all --store "$s" --json
cp "$work/out" "$work/own.json"
perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
    my ($c) = grep { $j->{columns}[$_]{metric} eq "ce" }
        0 .. $#{$j->{columns}};
    my @has = grep { defined $_->{cells}[$c]{metric_signature} } @{$j->{rows}};
    $has[1]{cells}[$c]{metric_signature} = "another way";
    print encode_json($j)' <"$work/own.json" >"$work/two.json"
sb table x --from "$work/two.json"
ok 'a column of two ways is refused, and both are named' exits 2 \
    "is computed as 'another way', but that of"
done_testing
