#!/bin/sh
# Tasks that are reported, not compared, and cells that have not converged:
# every command that ranks results says so.
. tests/support/tap.sh

experiment() { # FILE SEEDS [LINE]
    cat >"$1" <<Y
title: Test
variants: [vanilla, uniform]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [$2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
${3-}
Y
}
fails() { ! "$@"; }
x=$work/x.yaml s=$work/store
experiment "$x" '1, 2' 'uncompared: [agnews]
guessed: {agnews: "size & N", imdb: nothing here, uniform: what 1/n is}'
mkdir "$work/all"
experiment "$work/all/x.yaml" '1, 2'

# ---- before it runs ----
sb plan "$x"
ok 'plan says what is not compared' says '^reported, not compared: agnews$'
sb plan "$x" --json
ok '... to programs too' json '"@{$j->{uncompared}}" eq "agnews"'
ids() { "$program" plan "$1" --json | grep '"id"'; }
ok 'it is in no id' test "$(ids "$x")" = "$(ids "$work/all/x.yaml")"
sb plan "$x" -E task==lm1b
ok '... where nothing of it is selected there is nothing to say' \
    sh -c '! grep -q "not compared" "$1"' - "$work/out"
sb run "$x" --store "$s" -j 2
ok 'it runs' exits 0 'trained 8 cells'

# ---- from the store ----
sb status --store "$s"
ok 'status' says '^reported, not compared: agnews$'
sb show "$s#vanilla/agnews/1"
ok 'show' says '^compared  *no: '
sb show "$s#vanilla/lm1b/1"
ok '... of another task says nothing' sh -c '! grep -q ^compared "$1"' - \
    "$work/out"
sb table 2 --all --store "$s" --json
ok 'a table shows its numbers, and ranks none' json '
    my %c; for my $i (0 .. $#{$j->{columns}}) {
        my $c = $j->{columns}[$i];
        $c{"$c->{task} $c->{metric}"} = [$c, map { $_->{cells}[$i] }
                                         @{$j->{rows}}[0]];
    }
    my ($a, $b) = @{$c{"agnews accuracy"}};
    my ($task) = grep { $_->{task} eq "agnews" } @{$j->{tasks}};
    $a->{withheld} eq "not compared" && defined $b->{value} &&
        defined $b->{low} && !$b->{best} && !defined $b->{rank} &&
        $task->{uncompared} &&
        !grep { $_->{task} eq "agnews" } @{$j->{correlations}},
            @{$j->{comparisons}}'
ok '... those of another task it does not withhold for that' json '
    !grep { $_->{task} eq "lm1b" && ($_->{withheld} // "") eq "not compared" }
        @{$j->{columns}}'
for f in text md; do
    sb table 2 --all --store "$s" --format $f
    ok "... in $f, above and below" sh -c 'grep -q "AGNews.* (NOT COMPARED)" "$1" &&
        grep -q "(NOT COMPARED): reported without rank" "$1"' - "$work/out"
done
sb table 2 --all --store "$s" --format csv
ok '... in CSV' says ',not compared,'
sb table x --store "$s"
ok "... and so does the experiment's own" says \
    '(NOT COMPARED): reported without rank'

# ---- assumptions ----
sb show "$s#vanilla/agnews/1"
ok 'show says what is guessed of a cell' says '^guessed  *agnews: size & N'
ok '... and nothing of another' fails says '^guessed  *uniform'
for f in text:'size & N' md:'size & N' tex:'size \\& N' html:'size &amp; N'; do
    sb table 2 --all --store "$s" --format ${f%%:*}
    ok "a table says what is guessed, in ${f%%:*}" says "agnews: ${f#*:}"
    ok '... and not what is of none of its numbers' fails says 'nothing here'
done
sb table 2 --all --store "$s" --json
ok '... in JSON' json '"@{$j->{guessed}}" eq
    "agnews: size & N uniform: what 1/n is"'
sb table 2 --all --store "$s" --format csv
ok '... in CSV, beside each number' says \
    '^2,smoke,agnews,1,.*,uniform,.*,agnews: size & N; uniform: what 1/n is,'
ok '... where it is about it' fails says '^2,smoke,lm1b,1,.*,vanilla,.*: size'
sb table 7 --all --store "$s"
ok '... and of tasks that the table has' says 'agnews: size & N'
sb compare "$s#vanilla/agnews" "$s#uniform/agnews"
ok 'compare says so' says 'trains task agnews without comparing'
sb compare "$s#vanilla/agnews" "$s#uniform/agnews" --json
ok '... to programs too' json '$j->{uncompared}'
sb compare "$s#vanilla/lm1b" "$s#uniform/lm1b" --json
ok '... of another task does not' json '!$j->{uncompared}'
sb power "$x" --store "$s"
ok 'power leaves it out, and says so' says 'reported, not compared: agnews'
sb power "$x" --store "$s" --json
ok '... of no pair of it' json '@{$j->{rows}} == 1 &&
    $j->{rows}[0]{task} eq "lm1b" && "@{$j->{uncompared}}" eq "agnews"'
sb plot curves --store "$s"
ok 'a figure has it in its title' grep -q 'AGNews .*(NOT COMPARED), scale' \
    "$s/plots/curves_agnews.txt"
ok '... and another has not' sh -c '! grep -q COMPARED "$1"' - \
    "$s/plots/curves_lm1b.txt"

# ---- an experiment that is changed ----
sb run "$work/all/x.yaml" --store "$s"
ok 'a store keeps to what it was first run with' exits 0 \
    'still compares all tasks except agnews; --extend changes this to all tasks'
withheld() { # REASON: of agnews in the store
    sb table 7 --all --store "$s" --json
    json '($j->{columns}[1]{withheld} // "none") eq "'"$1"'"'
}
ok '... and so do its tables' withheld 'not compared'
sb run "$work/all/x.yaml" --store "$s" --extend
ok '--extend changes it' sh -c '! grep -q uncompared "$1"' - \
    "$s/experiment.json"
ok '... in tables' sh -c '! "$0" table 2 --store "$1" | grep -q "NOT COMP"' \
    "$program" "$s"
sed 's/agnews/imdb/' "$work/all/x.yaml" >"$work/imdb.yaml"
sb run "$x" --store "$s" --extend
sb run "$work/imdb.yaml" --store "$s" --extend -E task==lm1b
ok 'an experiment without the task says nothing of it' grep -q uncompared \
    "$s/experiment.json"

# ---- rows with different data ----
experiment "$work/n.yaml" '1, 2' 'vary: {N: [4, 8]}'
sed -i 's/ N: 8,//; s/, agnews//' "$work/n.yaml"
sb run "$work/n.yaml" --store "$work/n" -j 2
sb table n --store "$work/n" --json
ok 'rows of other data have their numbers, and none is ranked' json '
    my @c = grep { $_->{better} } @{$j->{columns}};
    @c && !(grep { $_->{withheld} ne "different data" } @c) &&
        !@{$j->{baselines}} && @{$j->{rows}} == 4 &&
        !grep { !defined $_->{value} || !defined $_->{low} || $_->{best} ||
                    defined $_->{rank} }
            map { @{$_->{cells}}[2, 3] } @{$j->{rows}}'
sb table n --store "$work/n"
ok '... and that is said' says '^  LM1B .*: different data: rows have '
sb compare "$work/n#vanilla,N=4/lm1b" "$work/n#uniform,N=4/lm1b" --json
ok 'those that vary alike are compared' json '$j->{rows}[0]{test} =~ /2 common seeds/'
sb compare "$work/n#vanilla,N=4/lm1b" "$work/n#uniform,N=8/lm1b"
ok '... and no others' exits 2 'training, validation or test data differ'
sb report --store "$work/n" -o "$work/site" --findings --no-figures --no-claims
ok 'what came out says it too' says 'different data: rows have different training'
sb plot curves --store "$work/n"
ok 'curves say so' grep -q 'Lines with other varied settings have different data' \
    "$work/n/plots/curves_lm1b.txt"
sb plot length --store "$work/n"
ok '... and length, of its texts' grep -q 'Texts differ by N' \
    "$work/n/plots/length_lm1b.txt"

# ---- rows of --digests ----
experiment "$work/vary.yaml" 1 'vary: {steps: [3, 4]}'
sed -i 's/ *steps: 4, / /' "$work/vary.yaml"
sb run "$work/vary.yaml" --store "$work/v" -j 2
cp -r "$work/v" "$work/w"
gone=$("$program" status --store "$work/v" --json | perl -MJSON::PP -e 'local $/;
    print grep { defined } map { $_->{row} eq "uniform,steps=3" &&
        $_->{task} eq "lm1b" ? $_->{id} : undef }
        @{decode_json(<STDIN>)->{cells}}')
rm -f "$work/w/cells/$gone.h5"
sb compare --digests "$work/v" "$work/w"
ok 'compare --digests names a cell by its row' says \
    ' uniform,steps=3/lm1b/smoke/1: only in A'
rm -f "$work/v/experiment.json"
sb compare --digests "$work/v" "$work/w"
ok '... by its variant where no experiment tells' says ' uniform/lm1b/smoke/1: '

# ---- one seed, and cells that have not converged ----
fast() { # STORE STEPS OPTION...
    store=$work/$1 steps=$2
    shift 2
    sb run "$work/all/x.yaml" --store "$store" -j 2 -E task==lm1b \
        -S steps="$steps" -S batch=64 -S train=4096 -S test=400 \
        -S schedule.warmup="$steps" -S schedule.scale=1 "$@"
}
fast one 60 --seeds 1
sb table 2 --all --store "$work/one"
ok 'one seed ranks nothing' says '^  one seed: no rank, star '
ok '... and has no star' sh -c '! grep -q "[0-9]\*" "$1"' - "$work/out"
sb plot curves --store "$work/one"
ok '... and names of lines say what their order is' grep -q \
    "^order$(printf '\t')at the end, one seed" \
    "$work/one/plots/curves_lm1b.txt"
fast two 240
v=$work/two#vanilla/lm1b
sb compare "$v/1" "$v/2" --json
ok 'two cells that still learn equally fast have a verdict' json '
    my ($ce) = grep { $_->{metric} eq "ce" } @{$j->{rows}};
    !$j->{unsettled} && $ce->{verdict} eq "better" && $ce->{p} < 0.05 &&
        $j->{settled_a} > 0.1 && $j->{settled_b} > 0.1'
# vanilla at a step where its loss is close to that of a converged uniform
fast way 157 --seeds 1 -E 'task==lm1b && variant==vanilla'
fast end 600 --seeds 1 -E 'task==lm1b && variant==uniform' \
    -S schedule.warmup=240
on_way=$work/way#vanilla/lm1b/1 at_end=$work/end#uniform/lm1b/1
sb compare "$on_way" "$at_end" --json
ok 'two whose difference changed by more than it is have none' json '
    my ($ce) = grep { $_->{metric} eq "ce" } @{$j->{rows}};
    $j->{unsettled} && $ce->{verdict} eq "not converged" &&
        $ce->{p} < 0.05 && abs $ce->{difference} < $j->{settled_a} -
            $j->{settled_b}'
sb compare "$on_way" "$at_end"
ok '... in words' says 'not converged$'
ok '... with what they still gained' says \
    'not converged: in the last tenth of training A gained 0.[0-9]* nats'
sb compare "$v/1" "$work/two#uniform/lm1b/1"
ok '... and where more lies between them there is one' says \
    'B is worse (this seed only)'
ok '... and no such words' sh -c '! grep -q "not converged" "$1"' - "$work/out"

done_testing
