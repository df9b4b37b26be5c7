#!/bin/sh
# The program as users see it: what it prints, and how it refuses bad input.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, dense+random]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
x=$work/x.yaml s=$work/store

# ---- help and version ----
sb --help
ok '--help lists the verbs' exits 0
ok '... on stdout' says '^  run  *Train '
sb --version
ok '--version' says '^synthbench [0-9]'
ok '... and of which commit' says "^commit \(unknown\|golden\|[0-9a-f]\{40\}\)"
ok '... with which libraries' says 'glibc 2.*hdf5'
for verb in list doctor plan run train rerun status show compare power claims table plot data \
    score verify repair trace lend adopt; do
    sb $verb --help
    ok "$verb --help" says "^Usage: synthbench $verb"
done
sb
ok 'no verb is a usage error' exits 2 'missing command'
sb plann
ok 'an unknown verb, with the nearest' exits 2 "did you mean 'plan'?"
sb plan --jsn
ok 'an unknown option' exits 2 "unknown option '--jsn': did you mean '--json'?"
sb plan "$x" --seed=3
ok 'no option is abbreviated' exits 2 "unknown option '--seed': did you mean '--seeds'?"
sb plan "$x" --synth
ok '... nor one without a value' exits 2 "did you mean '--synthetic'?"
sb --vers
ok '... nor before the verb' exits 2 "did you mean '--version'?"
sb plan "$x" --help=1
ok '... nor has --help a value' exits 2 "'--help"
sb plan -E "--seed" "$x"
ok '... what belongs to another option is none' exits 2 "-E '--seed'"
sb plan --select --seed "$x"
ok '... nor behind a long one' exits 2 "-E '--seed'"
sb plan -- --seed
ok '... nor behind --' exits 2 '--seed: no such experiment or file'
sb plan
ok 'a missing argument' exits 2 'missing: EXPERIMENT.yaml'
sb plan "$x" --format xml
ok 'an unknown format' exits 2 "unknown format 'xml'"
if [ -c /dev/full ]; then
    "$program" list variants >/dev/full 2>"$work/err"
    code=$?
    ok 'a full stdout is not silence' exits 9 'stdout: No space left'
fi

# ---- list and plan ----
sb list variants --json
ok 'list variants --json has the rows of the list' json '
    $j->{schema_version} == 1 &&
    join(" ", map { $_->{name} } @{$j->{rows}}) eq "'"$(
        sed -n 's/^VARIANT(\(.*\))/\1/p' variants/list.h | tr _ - |
        paste -s -d ' ' -)"'" && !grep { !$_->{title} || !$_->{cite} } @{$j->{rows}}'
for subject in tasks metrics experiments tables figures keys; do
    sb list $subject --json
    ok "list $subject --json" \
        json '@{$j->{rows}} && !grep { !length $_->{name} } @{$j->{rows}}'
done
sb list keys --json
ok 'list keys --json tells default, range and who declares it' json '
    my %k = map { $_->{name} => $_ } @{$j->{rows}};
    $k{layers}{default} eq "2" && $k{layers}{range} eq "1 to 256" &&
    $k{layers}{variant} eq "" && $k{norm}{range} eq "layer, rms" &&
    $k{tied}{range} eq "false, true" && $k{rank}{default} eq "8" &&
    $k{rank}{variant} eq "factorized-random" &&
    $k{"orthogonal.method"}{range} =~ /^qr, .*cayley$/ &&
    !grep { !length $_->{title} || !length $_->{default} } @{$j->{rows}}'
for subject in variants tasks metrics scorers experiments claims checks keys; do
    COLUMNS=80 sb list $subject
    ok "list $subject is one screen" sh -c '[ "$(wc -l <"$1")" -le 40 ] &&
        ! grep -q "^.\{81\}" "$1"' - "$work/out"
done
ok 'list keys has every name' says '^layers  *train  *inner$'
ok '... and says how to see more' says 'list keys NAME. describes those'
sb list keys schedule
ok 'list keys NAME describes some' says '^schedule.warmup  *8000  *1 to'
ok '... and no others' lacks '^layers'
sb list keys --all
ok '... and --all all' says '^layers  *2  *1 to 256'
sb list keys nothing
ok '... or says that there is none' exits 2 "contains 'nothing'"
sb list variant
ok 'an unknown subject, with the nearest' exits 2 "did you mean 'variants'?"
sb plan "$x" --json
ok 'plan --json has the promised keys' json '
    $j->{schema_version} == 1 && @{$j->{cells}} == 4 && !grep {
        my $c = $_;
        grep { !exists $c->{$_} } qw(id variant task scale seed params
            flops_per_step bytes seconds status reason)
    } @{$j->{cells}}'
ok '... ids of 16 digits' json '
    !grep { $_->{id} !~ /^[0-9a-f]{16}$/ } @{$j->{cells}}'
ok '... a mixture in its normal order' json '
    $j->{cells}[1]{variant} eq "random+dense"'
ok '... and costs that are numbers above 0' json '
    !grep { !($_->{params} > 0 && $_->{flops_per_step} > 0 &&
              $_->{bytes} > 0 && $_->{seconds} > 0) } @{$j->{cells}}'
ok '... all missing, for no reason' json '
    !grep { $_->{status} ne "missing" || defined $_->{reason} } @{$j->{cells}}'
cp "$work/out" "$work/plan"
ok 'a plan makes no folder' test ! -e "$s"
sb plan experiments/quick.yaml --json
ok 'quick.yaml asks for 11 variants on 3 tasks' json '
    my (%v, %t);
    $v{$_->{variant}}++, $t{$_->{task}}++ for @{$j->{cells}};
    keys %v >= 11 && keys %t == 3'
sb plan "$x" -E 'variant~random && task==lm1b'
ok '-E selects' says '^1 cell:'
sb plan "$x" --json
ok 'memory is the sum of its parts' json '
    !grep { my $c = $_; my $sum = 0; $sum += $_ for values %{$c->{bytes_parts}};
            abs($sum - $c->{bytes}) > 1 ||
            grep { !defined $c->{bytes_parts}{$_} }
                qw(parameters optimizer_state activations) } @{$j->{cells}}'
seeds() { # TEXT: the seeds of a plan of them
    sb plan "$x" -E 'variant==vanilla && task==lm1b' --seeds "$1" --json
    perl -MJSON::PP -e 'local $/; print join(" ",
        map { $_->{seed} } @{decode_json(<STDIN>)->{cells}})' <"$work/out"
}
ok '--seeds 3 is seeds 1 to 3' test "$(seeds 3)" = '1 2 3'
ok '--seeds 4,7 is those two' test "$(seeds 4,7)" = '4 7'
ok '--seeds 4..6,0 is a range and one' test "$(seeds 4..6,0)" = '4 5 6 0'
ok '... up to the last that an experiment file may name' \
    test "$(seeds 4294967296,9007199254740991)" = '4294967296 9007199254740991'
for seeds in 0 -3 4, ,4 4,4 3..5,4 x 4,x 5..4 4.. 1.5 4,-7 9007199254740992 \
    1,9007199254740992 1..10001 '' ' ' '4 7'; do
    sb plan "$x" --seeds "$seeds"
    ok "--seeds '$seeds' is refused" exits 2 "--seeds${seeds:+ $seeds}: "
done
sb plan experiments/table4.yaml --scale full --json
ok 'T5-base has its parameters, to the digit' json '
    my %n = map { $_->{variant} => $_ } @{$j->{cells}};
    $n{vanilla}{params} == 222903552 && $n{"dense-mtf"}{params} == 224476160 &&
    $n{"dense-mtf+vanilla"}{params} == 243350528 &&
    $n{random}{params} == 254360576'
sb run experiments/table4.yaml --scale full --store "$work/full" -E 'variant==random'
ok 'the full scale names the data that it lacks' exits 8 \
    ': c4; `synthbench data where c4` lists the files, and --data-dir names'

# ---- table 1 ----
sb table 1 --json
ok 'table 1 needs no store' json '
    my ($r) = grep { $_->{variant} eq "random" } @{$j->{rows}};
    $r->{formula} eq "h N^2" && $r->{cheaper_parameters} eq "below" &&
    $r->{cells}[0]{value} == 8 * 256 * 256 && $r->{cells}[3]{value} == 256 &&
    @{$j->{columns}} == @{$r->{cells}} && @{$j->{published}} == 3'
cp "$work/out" "$work/t1.json"
sb table 1 --from "$work/t1.json"
ok '... nor does it come from a file' exits 2 'computed, not measured: `synthbench table 1`'
for more in 4 1 --published; do
    sb table $more --fresh --store "$work/none"
    ok "table $more --fresh has nothing to time again" exits 2 \
        '--fresh requires --columns speed'
done
sb table 1 -S d=768 -S heads=12
ok '... and takes any shape' says '^Synthesizer (Random) .* N < 314 '
ok '... naming what no assumption matches' \
    says 'No assumption matches random+dense, dense+vanilla'
for f in md csv text; do
    sb table 1 --format $f
    ok "table 1 --format $f" says 'random+dense'
done
sb table 1 --store "$s"
ok 'table 1 is of no store, and says so' exits 0 'computed from the model definitions'
sb table 2 --store "$s" -S d=8
ok 'table 2 of another shape' exits 2 'only table 1'

# ---- impossible combinations ----
sed 's/^variants:.*/variants: [linformer, uniform]/' "$x" >"$work/r.yaml"
sb plan "$work/r.yaml" --json
ok 'a model that cannot be is refused, with the reason' json '
    my ($l) = grep { $_->{status} eq "refused" } @{$j->{cells}};
    $l->{variant} eq "linformer" && $l->{task} eq "lm1b" &&
    $l->{reason} =~ /later tokens/ && !defined $l->{params} &&
    1 == grep { $_->{status} eq "refused" } @{$j->{cells}}'
sb run "$work/r.yaml" --store "$work/refused"
ok '... the others are trained' exits 0 'trained 3 cells'
ok '... it is no failure' exits 0 '1 cannot be trained'
sb status --store "$work/refused"
ok '... the store knows' says ' refused .*later tokens'
sb table 2 --store "$work/refused"
ok '... and its tables' says 'linformer on lm1b, seed 1: its rows depend on later'
sb run "$work/r.yaml" --store "$work/refused" -E 'variant==linformer && task==lm1b'
ok 'a run with nothing else ends with 7' exits 7

# ---- bad input ----
sb plan "$work/none.yaml"
ok 'a missing experiment' exits 2 'none.yaml: no such file'
sb plan "$work"
ok 'a folder for an experiment' exits 2 'is a folder, not an experiment file'
mkdir "$work/at"
mkdir "$work/at/quick"
mine=$(realpath "$program")
(cd "$work/at" && "$mine" plan quick --json) >"$work/out" 2>"$work/err"
code=$?
ok '... but one with the name of an experiment hides none' exits 0
printf 'title: [\n' >"$work/bad.yaml"
sb run "$work/bad.yaml" --store "$s"
ok 'an unreadable YAML, with file and line' exits 2 'bad.yaml:2: not YAML'
sed 's/vanilla/vanila/' "$x" >"$work/bad.yaml"
sb run "$work/bad.yaml" --store "$s"
ok 'an unknown variant, with file, line and the nearest' \
    exits 2 "bad.yaml:2: unknown variant 'vanila': did you mean 'vanilla'?"
sed 's/agnews/agnew/' "$x" >"$work/bad.yaml"
sb run "$work/bad.yaml" --store "$s"
ok 'an unknown task' exits 2 "bad.yaml:3: unknown task 'agnew': did you mean"
sed 's/ff:/fff:/' "$x" >"$work/bad.yaml"
sb run "$work/bad.yaml" --store "$s"
ok 'an unknown key' exits 2 "bad.yaml:6: unknown key 'fff': did you mean 'ff'?"
sb run "$x" --store "$s" -S length=9
ok 'n > N' exits 2 '-S: length: 9 is greater than N: 8'
sb run "$x" --store "$s" -S heads=3
ok 'heads that do not divide d' exits 2 'd (16) is not divisible by heads (3)'
sb run "$x" --store "$s" -S stepz=3
ok 'an unknown key of -S' exits 2 "did you mean 'steps'?"
sb run "$x" --store "$s" -S seed=3
ok 'an axis is no setting' exits 2 '--seeds'
sb run "$x" --store "$s" -E 'variant==dense'
ok 'a filter that selects nothing' exits 7 'none of the 4 cells'
ok 'none of these made a store' test ! -e "$s"
sb table 9 --store "$s"
ok 'an unknown table' exits 2 "unknown table '9'"
ok '... which could be an experiment' exits 2 'or the name of an experiment'
for verb in 'table 2' plot status; do
    # shellcheck disable=SC2086 # words
    sb $verb --store "$s"
    ok "$verb of a store that is not there" exits 7 'no experiment has been run'
done
sb run "$x" --scale quick --store "$s" --cache "$work/nothing"
ok 'text that is not there' exits 8 'data fetch'
ok '... before any cell was trained' test -z "$(ls "$s/cells")"
rm -rf "$s"
mkdir -p "$work/some/sentiment/package/test/fixtures"
for origin in imdb yelp amazon; do
    perl -e 'printf "[%s]\n", join ",", map { my $n = $_;
            sprintf "{\"text\": \"%s %s is %s number %d\", \"class\": %d}",
                qw(This That)[$n % 2], $ARGV[0], qw(good bad)[$n % 2], $n,
                1 - $n % 2 } 0 .. 99' "$origin" \
        >"$work/some/sentiment/package/test/fixtures/$origin.json"
done
sed 's/^tasks:.*/tasks: [imdb, agnews]/; s/vocab: [0-9]*/vocab: 300/' "$x" \
    >"$work/some.yaml"
sb plan "$work/some.yaml" --scale quick --store "$s" --cache "$work/some"
ok 'plan names the task whose text is missing' \
    says '^  agnews: .*/some/apt: no package descriptions'
ok '... and no other' [ "$(grep -c '^  imdb: ' "$work/out")" = 0 ]
sb run "$work/some.yaml" --scale quick --store "$s" --cache "$work/some" -n
ok '... as does a dry run' says '^  agnews: .*/some/apt: no package desc'
ok '... with no other' [ "$(grep -c '^  imdb: ' "$work/out")" = 0 ]
sb slurm submit "$work/some.yaml" --scale quick --store "$s" \
    --cache "$work/some" --print
ok '... so does slurm submit' exits 0 'jobs of agnews will fail unless'
sb run "$work/some.yaml" --scale quick --store "$s" --cache "$work/some"
ok 'a task whose text is missing is left out' exits 8 'agnews is left out'
ok '... and told once more at the end' exits 8 '2 left out: their data are missing'
ok '... the others are trained' test "$(ls "$s/cells" | grep -c h5)" = 2
rm -rf "$s"
sb data fetch nothing
ok 'neither a source nor an experiment' exits 2 "'nothing' is not a source (sentiment, apt"
sb data fetch smoke --cache "$work/none"
ok 'an experiment on generated data needs nothing' exits 0 'smoke needs no fetched text'
sb data fetsch
ok 'an unknown data verb' exits 2 "did you mean 'fetch'?"

# ---- a run ----
sb run "$x" --store "$s" -j 2
ok 'run trains all cells' exits 0 'trained 4 cells'
ok '... and says nothing on stdout' test ! -s "$work/out"
sb run "$x" --store "$s"
ok 'a second run trains nothing' exits 0 'trained 0 cells'
sb run --store "$s"
ok 'the store knows its experiment' exits 0 'trained 0 cells'
ok 'every cell tells what it took' test -z "$(cut -f 4 "$s/journal.tsv" |
    grep '^0\.000$')"
sb status --store "$s" --json
ok 'status --json: all done, with metrics' json '
    !grep { $_->{status} ne "done" || !($_->{metrics}{ce} > 0) ||
            !($_->{seconds_spent} > 0) || defined $_->{message} }
    @{$j->{cells}}'
ok '... the ids are those that plan told' sh -c "
    grep '\"id\"' '$work/out' >'$work/a'; grep '\"id\"' '$work/plan' |
    cmp - '$work/a'"
ok '... and the build that made them' json '
    @{$j->{builds}} == 1 && $j->{builds}[0]{cells} == 4 &&
    $j->{builds}[0]{numerics_version} == 3 && !grep {
        $_->{commit} ne $j->{builds}[0]{commit} } @{$j->{cells}}'
id=$(perl -ne 'print($1), exit if /"id": "(\w+)"/' "$work/out")
params=$(perl -ne 'print($1), exit if /"params": (\d+)/' "$work/out")
short=$(printf %.6s "$id")
for name in "$s#$id" "$s#$short" "$s#vanilla/lm1b/1"; do
    sb show "$name" --json
    ok "show ${name#"$work"/}" json '@{$j->{cells}} == 1 &&
        $j->{cells}[0]{id} eq "'"$id"'" &&
        $j->{cells}[0]{config}{steps} == 4 &&
        length $j->{cells}[0]{weights}{sha256} == 64'
done
ok '... the parameters are as many as planned' json '
    $j->{cells}[0]{timing}{params} == '"$params"
sb show "$s#$id" --samples 3 --json
ok 'show --samples gives so many test examples' json '
    @{$j->{samples}} == 3 && $j->{id} eq "'"$id"'" &&
    !grep { !($_->{nll} > 0) } @{$j->{samples}}'
sb show "$short" --store "$s"
ok 'show with --store' says "^id  *$id"
sb show "$s#$(printf %.5s "$id")"
ok 'five digits are too few' exits 7 '6 or more digits'
sb show "$s#vanilla/lm1b/2"
ok 'a cell that is not there' exits 7 'no such cell'
sb show "$s#vanilla/lm1b"
ok 'show asks which seed' exits 2 'name one cell'
sb status --store README.md
ok 'a store is a folder' exits 2 'a store is a results folder'
sed 's/^variants:.*/variants: [uniform]/; s/^tasks:.*/tasks: [glue]/
     s/vocab: 24/vocab: 64/; s/test: 16/test: 400/' "$x" >"$work/g.yaml"
sb run "$work/g.yaml" --store "$work/glue"
sb show "$work/glue#uniform/glue/1" --json
ok 'show has what each reference scores in each subtask' json '
    my ($c) = @{$j->{cells}};
    defined $c->{metrics}{rte_accuracy} &&
    !grep { !defined $c->{"baseline/$_"}{rte_accuracy} ||
            !defined $c->{"baseline/$_"}{glue9} }
        qw(majority hypothesis-only overlap-only)'
cp -r "$work/glue" "$work/again"
sb compare "$work/glue#uniform/glue/1" "$work/again#uniform/glue/1" --json
ok '... compare resamples the averages, and the subtasks beside them' json '
    my %row = map { $_->{metric} => $_ } @{$j->{rows}},
                                         @{$j->{subtasks}{rows}};
    $j->{tests} == 4 && $j->{subtasks}{tests} == 13 &&
    !grep { $row{$_}{verdict} ne "undecided" || $row{$_}{low} != 0 ||
            $row{$_}{p} != 1 }
        qw(glue8 glue9 rte_accuracy cola_mcc stsb_spearman)'
ok '... and says over what' json '
    my %row = map { $_->{metric} => $_ } @{$j->{rows}},
                                         @{$j->{subtasks}{rows}};
    $row{glue9}{test} =~ /examples, stratified by subtask$/ &&
    $row{rte_accuracy}{test} =~ /over the subtask.s \d+ test examples$/'
sed 's/test: 400/test: 120/' "$work/g.yaml" >"$work/few.yaml"
sb run "$work/few.yaml" --store "$work/few"
cp -r "$work/few" "$work/few.again"
sb compare "$work/few#uniform/glue/1" "$work/few.again#uniform/glue/1" --json
ok '... and that fewer than ten of a subtask decide nothing' json '
    my @few = grep { $_->{test} =~ /^\d test examples?: too few for a verdict$/ }
                   @{$j->{subtasks}{rows}};
    @few && !grep { defined $_->{low} || defined $_->{p} ||
                    $_->{verdict} ne "undecided" } @few'
sb table 5 --store "$work/glue"
ok '... and table 5 a row each' says '^hypothesis-only '
ok '... and says where the matching of texts is decided' says 'by themselves, these tasks'
sb table 5 --store "$work/glue" --format json
cp "$work/out" "$work/glue.json"
sb table 5 --from "$work/glue.json"
ok '... which its JSON keeps' says 'by themselves, these tasks'
sb table 2 --store "$s"
ok '... and table 2 does not' lacks 'by themselves, these tasks'
sb compare "$s#$short" "$s#dense+random/lm1b/1" --json
ok 'compare --json has the promised keys' json '
    $j->{schema_version} == 1 && @{$j->{rows}} == 3 && !grep {
        my $r = $_;
        grep { !exists $r->{$_} } qw(metric a b difference low high p verdict)
    } @{$j->{rows}}'
ok '... p, interval and verdict say the same, perplexities as ce' json '
    $j->{tests} == 1 && !grep {
        my $apart = $_->{low} > 0 || $_->{high} < 0;
        ($_->{p} < 0.05 xor $apart) ||
        ($_->{verdict} eq "undecided" xor !$apart) ||
        ($_->{metric} eq "ce" ? defined $_->{as} : $_->{as} ne "ce")
    } @{$j->{rows}}'
ok '... and an interval round the difference' json '
    !grep { $_->{low} > $_->{difference} || $_->{high} < $_->{difference} ||
            abs($_->{b} - $_->{a} - $_->{difference}) > 1e-6 ||
            $_->{verdict} !~ /^(better|worse|undecided)$/ } @{$j->{rows}}'
sb compare "$s#$short" "$s/../store#$id"
ok 'a cell is not compared with itself, by whatever name' \
    exits 2 'are the same cell: specify two'
sb compare random+dense/agnews dense+random/agnews --store "$s"
ok '... nor all seeds of a variant' exits 2 'are the same cell: specify two'
sb compare vanilla/agnews random/agnews --store "$s"
ok 'a variant that is not there' exits 7 'no such cell'
sb compare vanilla/agnews random+dense/agnews --store "$s"
ok 'variants of one seed each are compared over the test examples' \
    says 'paired bootstrap over 16 test examples'
sb compare "$s#$short" "$s#vanilla/agnews/1"
ok 'cells of two tasks are not compared' exits 2 'cells of different tasks'
sb compare "$s#vanilla/lm1b" "$s#vanilla/lm1b/1"
ok 'nor is a cell with a variant' exits 2 'all seeds of a variant'
sb compare vanilla/lm1b/1 vanilla/lm1b/1
ok 'nor one of which nobody knows the store' exits 2 'expected a cell: use STORE#CELL'
sb run "$x" --store "$work/wild" -E 'task==lm1b' -S schedule.name=constant \
    -S schedule.scale=50
ok 'perplexities beyond all numbers have failed' exits 1 \
    'ppl on the test set is infinite'
sb compare --store "$work/wild" vanilla/lm1b/1 random+dense/lm1b/1
ok '... and are not compared' exits 7 'no finished cell'
sb compare "$s#$short"
ok 'compare takes two' exits 2 \
    'missing: STORE#CELL STORE#CELL, or STORE STORE, or --digests STORE STORE'
for f in text md csv json; do
    sb table 2 --store "$s" --format $f
    ok "table 2 --format $f" exits 0
    [ $f != json ] || ok '... is JSON' json '@{$j->{rows}} > 0'
done
sb table 2 --store "$s" -o "$work/t2"
ok 'table -o writes the file' test -s "$work/t2" -a ! -s "$work/out"
for file in "$s"/cells/*.h5; do
    h5dump -H "$file" >/dev/null || echo "$file"
done >"$work/out" 2>&1
ok 'h5dump reads every cell' test ! -s "$work/out"

# ---- an experiment that changes ----
cp "$s/experiment.json" "$work/keep"
sb run "$x" --store "$s" -S steps=5 -E 'task==lm1b'
ok 'a store belongs to an experiment: other settings are refused' \
    exits 2 '(steps: 5, stored: 4); add them with --extend'
ok '... and nothing is changed' cmp "$s/experiment.json" "$work/keep"
sb status "$x" --store "$s" -S steps=5
ok '... status tells what else is there' \
    says '^4 more finished cells in .*, not listed here'
sb run "$x" --store "$s" -S steps=5 -E 'task==lm1b' --extend
ok '--extend: other settings are other cells' exits 0 'trained 2 cells'
sb status --store "$s" --json
ok '... the experiment is now that one' json '
    @{$j->{cells}} == 4 && 2 == grep { $_->{status} eq "done" } @{$j->{cells}}'
sb table 2 --store "$s" --format md
ok '... its tables tell what else is there' says 'has 4 more finished cells'
sb table 2 --store "$s" --json
ok '... in JSON too' json '$j->{others} == 4'
sb show "$s#$short"
ok '... and the older cells are still known' exits 0
sb run "$x" --store "$s" --extend
ok '... nor trained again' exits 0 'trained 0 cells in'

# ---- failures ----
cat >>"$x" <<'Y'
override:
  - match: {variant: vanilla, task: lm1b}
    set: {schedule.scale: 1e30}
Y
f=$work/failing
sb run "$x" --store "$f"
ok 'a cell that diverges harms no other' exits 1 'trained 3 cells'
ok '... is named with the reason' exits 1 'vanilla/lm1b/1 failed: diverged'
sb status --store "$f" --json
ok '... and is kept as failed' json '
    join(" ", map { $_->{status} } @{$j->{cells}}) eq "failed done done done" &&
    $j->{cells}[0]{message} =~ /diverged/ && $j->{cells}[0]{reason}'
sb table "$x" --store "$f"
ok '... and the table says so, once' says 'vanilla on lm1b, seed 1: diverged: [^d]'
sb run "$x" --store "$f"
ok '... a second run tries it alone' exits 1 'trained 0 cells'
sb run "$x" --store "$f" -S steps=1000000 --timeout 0.5 -E 'task==agnews' -j 2 \
    --extend
ok '--timeout ends a cell' exits 1 'took longer than --timeout 0.5 s'

# ---- damage ----
sed '/^override/,$d' "$x" >"$work/y.yaml"
cell=cells/$id.h5
cp "$s/$cell" "$work/keep"
printf X | dd of="$s/$cell" bs=1 seek=3000 conv=notrunc 2>/dev/null
for verb in run status plan; do
    sb $verb "$work/y.yaml" --store "$s"
    ok "$verb: a damaged cell file is named" exits 5 "$s/$cell"
    ok '... with the remedy' exits 5 'synthbench repair --store'
done
sb table 2 --store "$s"
ok 'table: too' exits 5 "$s/$cell"
sb run "$work/y.yaml" --store "$work/lone" -E 'variant==vanilla && task==lm1b'
head -c 100 "$work/lone/cells/"*.h5 >"$work/keep2"
cp "$work/keep2" "$work/lone/cells/"*.h5
for verb in 'table 2' plot; do
    # shellcheck disable=SC2086 # two words
    sb $verb --store "$work/lone"
    ok "$verb: where nothing else is done, damage is no emptiness" \
        exits 5 'lone/cells/'
done
sb table 2 --store "$s"
ok '... and shows the others' says 'Failed cells'
head -c 100 "$work/keep" >"$s/$cell"
sb status "$work/y.yaml" --store "$s" --json
ok 'a truncated one too' exits 5 "$s/$cell"
ok '... and counts as failed, with the reason' json '
    1 == grep { $_->{status} eq "failed" && $_->{reason} } @{$j->{cells}}'
rm "$s/$cell"
sb run "$work/y.yaml" --store "$s"
ok 'removed, it is trained again' exits 0 'trained 1 cell'
cp "$s/experiment.json" "$work/keep"
printf '{' >"$s/experiment.json"
sb status --store "$s"
ok 'a damaged experiment.json' exits 5 'experiment.json:1:'
sed 's/"schema_version": 2/"schema_version": 9/' "$work/keep" \
    >"$s/experiment.json"
sb status --store "$s"
ok 'a store of a newer program' exits 5 'by a later version of synthbench'

# ---- a full disk ----
if unshare -rm true 2>/dev/null; then
    mkdir "$work/m"
    unshare -rm sh -c 'mount -t tmpfs -o size=64k none "$1" &&
        exec "$2" run "$3" --store "$1/s" -S d=64' \
        - "$work/m" "$program" "$work/y.yaml" >"$work/out" 2>"$work/err"
    code=$?
    ok 'a full disk ends the run' exits 9 'No space left on device'
    ok '... with the remedy' exits 9 'free some space'
else
    ok 'a full disk ends the run # SKIP no user namespaces' true
fi

# ---- concurrent runs ----
r=$work/many runners=
for i in 1 2 3; do
    ("$program" run "$work/y.yaml" --store "$r" -j 1 -S steps=60 2>"$work/r$i"
     echo $? >"$work/c$i") &
    runners="$runners $!"
done
# shellcheck disable=SC2086 # processes
wait $runners
ok 'of three runners none fails' \
    test -z "$(cat "$work"/c[123] | grep -v '^[06]$')"
ok '... and no cell is trained twice' test 4 = "$(awk '
    /trained/ { for (i = 1; $i != "trained"; i++); all += $(i + 1) }
    END { print all }' "$work"/r[123])"
runners=
for i in 1 2 3; do
    "$program" run "$work/y.yaml" --store "$work/three" -j 1 -S steps=$i \
        --extend 2>"$work/r$i" &
    runners="$runners $!"
done
# shellcheck disable=SC2086 # processes
wait $runners
ok 'three experiments run into one store at once lose no cell' test 12 = \
    "$(grep -c '^ *"id"' "$work/three/experiment.json")"
sb status --store "$work/three"
ok '... one of them is present, the others are counted' says \
    '^8 more finished cells'

done_testing
