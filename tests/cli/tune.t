#!/bin/sh
# Experiments that vary settings, and cells whose settings are chosen by trials.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Tuning
variants: [vanilla, random]
tasks: [lm1b]
scales: [smoke]
seeds: [1, 2]
vary: {layers: [1, 2]}
settings: {d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8, steps: 24,
           evals: 2, train: 64, valid: 16, test: 16, schedule.name: constant}
exclude: [{variant: vanilla, layers: 2}]
tune:
  - match: {variant: random, layers: 1}
    grid: {schedule.scale: [1.0e-9, 1.0e+30, 0.01], score_rate: [1, 8]}
    share: 1
    seed: 7
Y
x=$work/x.yaml s=$work/store
export s

same() { [ -n "$1" ] && [ "$1" = "$2" ]; }
of() { # CELL FIELD...: what `show` tells of it
    cell=$1
    shift
    prints "$work/shown" "$work/talk" show "$s#$cell" --json
    perl -MJSON::PP -e 'local $/;
        my $x = decode_json(<STDIN>)->{cells}[0];
        $x = $x->{$_} for @ARGV;
        print $x // ""' "$@" <"$work/shown"
}

sb plan "$x" --json
ok 'rows are named by what is varied and how it is tuned' json '
    my %n; $n{$_->{row}}++ for @{$j->{cells}};
    $n{"vanilla,layers=1"} == 2 && $n{"random,layers=1"} == 2 &&
        $n{"random,layers=1,tuned"} == 2 && $n{"random,layers=2"} == 2 &&
        6 == grep { /^random,layers=1,trial,schedule.scale=\S+,score_rate=\d\z/
                    && $n{$_} == 1 } keys %n'
ok '... whose variant stays' json \
    '!grep { $_->{variant} !~ /^(vanilla|random)$/ } @{$j->{cells}}'
sb run "$x" --store "$s" -E 'tuned!=none'
ok 'what no trial has chosen for is blocked' exits 1 \
    'which is neither done nor selected'
sb run "$x" --store "$s" -j 2
ok 'a trial that diverges is a trial, and no failure' exits 0 \
    'trained 14 cells'
ok '... and said' exits 0 'score_rate=8/lm1b/7 (trial): diverged'
sb status --store "$s" --json
ok '... of which nothing but its divergence is left' json '
    my @f = grep { $_->{status} eq "failed" } @{$j->{cells}};
    @f == 2 && !grep { $_->{row} !~ /trial,schedule.scale=1e\+?30/ } @f'

# ---- chosen settings ----
row=random,layers=1,tuned
sb show "$s#$row/lm1b/1" --json
ok 'the cell says what was chosen' json '
    $j->{cells}[0]{tuning}{chosen} =~ /^schedule.scale=0.01,score_rate=[18]$/'
chosen=$(of $row/lm1b/1 tuning chosen)
export chosen
ok '... for all seeds the same' same "$chosen" "$(of $row/lm1b/2 tuning chosen)"
file=$s/cells/$(of $row/lm1b/1 id).h5
h5dump -d /tuning/ce -y -w 0 "$file" >"$work/ce"
h5dump -d /tuning/trial -y -w 0 "$file" >"$work/trial"
least() { # by the trials' own files
    least=
    for id in $(grep -o '"[0-9a-f]*"' "$work/trial" | tr -d '"'); do
        [ -e "$s/cells/$id.h5" ] || continue
        ce=$(h5dump -d /curves/valid/ce -y -w 0 "$s/cells/$id.h5" |
            sed -n '/DATA {/,/}/p' | grep -o '[0-9][0-9.e+-]*' | tail -n 1)
        least=$(printf '%s %s\n%s\n' "$ce" "$id" "$least" | grep . |
            sort -g | head -n 1)
    done
    echo "${least#* }"
}
best=$(least)
sb show "$s#$best" --json
ok 'it is what the least validation loss says' json \
    '$j->{cells}[0]{config}{trial} eq $ENV{chosen}'
ok '... of as many trials as there are' test 6 = \
    "$(grep -o '"[0-9a-f]*"' "$work/trial" | wc -l)"
ok '... of which those that diverged have no loss' test 2 = \
    "$(grep -o nan "$work/ce" | wc -l)"
ok 'a trial has as many steps as its share gives it' test 4 = \
    "$(of "$best" config steps)"
ok '... and the seed of trials' test 7 = "$(of "$best" seed)"
ok 'no test example is looked at in a trial' json \
    '!%{$j->{cells}[0]{metrics}}'
h5ls -r "$s/cells/$best.h5" >"$work/out"
ok '... none is stored' lacks '/examples\|/metrics\|/attention/end'
sb show "$s#$best" --samples 2
ok '... nor shown, which is told' exits 7 'does not use the test set'
sb show "$s#$best" --curves --json
ok '... unlike its curves' json '@{$j->{curves}{valid}{ce}} > 0'
sb compare "$s#$best" "$s#random,layers=1/lm1b/1"
ok '... nor compared: it has no metrics' exits 7 'a trial has no metrics'

# ---- the same settings by hand ----
sed '/^tune:/,$d' "$x" >"$work/y.yaml"
sb run "$work/y.yaml" --store "$work/hand" -E \
    'variant==random && layers==1 && seed==1' \
    -S schedule.scale=0.01 -S "${chosen#*,}"
hand=$("$program" show "$work/hand#random,layers=1/lm1b/1" --json |
    perl -MJSON::PP -e 'local $/;
        print decode_json(<STDIN>)->{cells}[0]{weights}{sha256}')
ok 'the cell is what these settings give by hand, bit for bit' same "$hand" \
    "$(of $row/lm1b/1 weights sha256)"

# ---- in tables ----
sb table 2 --all --store "$s" --format md
ok 'a table has tuned beside untuned' says '^| Random, layers=1,tuned '
ok '... and what was varied' says '^| Random, layers=2 '
ok '... but no trial' lacks 'trial,'
sb table 2 --all --store "$s"
ok '... and says what was chosen' says \
    "Random, layers=1,tuned on .*: $chosen\$"
ok '... and counts no trial as another cell' lacks 'more finished cells'
sb report --store "$s" -o "$work/pages" --no-figures --no-claims \
    --findings
ok 'a report counts trials beside its cells' says \
    '^x: 8 of 8 cells are done, with 6 trials of settings'
ok '... on its first page too' grep -q 'with 6 trials of settings' \
    "$work/pages/index.html"
"$program" run "$x" --store "$work/some" -E 'trial~score_rate=1 ||
    (variant==vanilla && seed==1)' 2>/dev/null
sb report --store "$work/some" -o "$work/few" --no-figures --no-claims \
    --findings
ok '... those that are done or diverged, where others are not' says \
    '^x: 1 of 8 cells are done, with 3 of 6 trials of settings'
ok '... there too' grep -q 'with 3 of 6 trials of settings' \
    "$work/few/index.html"
sb table 2 --all --store "$s" --json
ok '... as JSON too' json '
    my ($r) = grep { $_->{variant} =~ /tuned/ } @{$j->{rows}};
    $r->{cells}[0]{chosen} eq $ENV{chosen} && $r->{cells}[0]{n} == 2'
cp "$work/out" "$work/table.json"
sb table 2 --all --from "$work/table.json"
ok '... from which the table comes again' says \
    "Random, layers=1,tuned on .*: $chosen\$"

# ---- gate ----
sb baseline save tuned --store "$s" --baselines "$work/baselines"
ok 'a baseline of tuned cells is saved' exits 0
sb gate --baseline tuned --baselines "$work/baselines" --store "$s"
ok '... its own store is the same, and lacks no trial' exits 0
ok '... of all cells but trials' says \
    '^PASS: 8 of 8 compared cells are bit-identical to'
sb gate --baseline tuned --baselines "$work/baselines" "$x" --store \
    "$work/gate" -j 2
ok '... nor does a store that the gate trains' exits 0
ok '... of trials, too' says \
    '^PASS: 8 of 8 compared cells are bit-identical to'

# ---- repeated, and in another store ----
sb run "$x" --store "$s"
ok 'it is not tried once more' exits 0 'trained 0 cells'
first=$(of $row/lm1b/2 weights sha256)
rm "$s/cells/$(of $row/lm1b/2 id).h5"
sb run "$x" --store "$s" -E 'trial==none'
ok 'trained again, from the same trials, the weights are the same' same \
    "$first" "$(of $row/lm1b/2 weights sha256)"
rm "$s/cells/$(of $row/lm1b/2 id).h5" "$s/cells/$best.h5"
sb run "$x" --store "$s" -E 'trial==none'
ok 'without the best of its trials a cell waits for it' exits 1 \
    "depend on trial $best, which is neither done"
sb run --store "$s" -j 2
ok '... and comes after it, by the store alone' exits 0 'trained 2 cells'
ok '... to the same weights' same "$first" "$(of $row/lm1b/2 weights sha256)"
sed 's/1.0e-9, 1.0e+30, 0.01/1.0e+30, 1.0e+29/' "$x" >"$work/z.yaml"
sb run "$work/z.yaml" --store "$work/none" -E 'layers==1 && variant==random' \
    -j 2
ok 'where all trials diverge there is nothing to choose' exits 1 \
    'all 4 trials have diverged'
# ---- cells that start from tuned cells ----
cat >"$work/p.yaml" <<'Y'
title: Tuned, and tuned again
variants: [vanilla]
tasks: [c4, wmt14_ende]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: 8, evals: 1, train: 64, valid: 16, test: 16, preset: t5}
override: [{match: {task: wmt14_ende}, set: {pretrained: c4}}]
tune:
  - match: {task: c4}
    grid: {schedule.scale: [0.1, 1]}
    share: 1
    seed: 5
  - match: {task: wmt14_ende}
    grid: {schedule.scale: [0.1, 1]}
    share: 1
    seed: 2
Y
s=$work/parents
sb run "$work/p.yaml" --store "$s" -j 2
ok 'tasks are tuned one after the other' exits 0 'trained 12 cells'
sb verify store --store "$s"
ok '... and trials, from which nothing starts, lack no weights' exits 0
rm "$s/weights/$("$program" show "$s#vanilla,tuned/c4/1" --json | perl \
    -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{cells}[0]{id}').h5"
sb verify store --store "$s"
ok '... but what is chosen by them does' exits 5
ok '... once' test "$(grep -c 'weights/.*is missing' "$work/out")" = 1
sb repair --store "$s"
sb run "$work/p.yaml" --store "$s" -j 2
ok '... and comes again, with what started there' exits 0
sb verify store --store "$s"
ok '... whole' exits 0
start() { of "$1" config pretrained; }
ok 'what is tuned starts from what is tuned' same \
    "$(start vanilla,tuned/wmt14_ende/1)" "$(of vanilla,tuned/c4/1 id)"
ok '... so does each of its trials' same \
    "$(start vanilla,trial,schedule.scale=0.1/wmt14_ende/2)" \
    "$(of vanilla,tuned/c4/2 id)"
ok '... and what is not tuned from what is not' same \
    "$(start vanilla/wmt14_ende/1)" "$(of vanilla/c4/1 id)"
sed '/match: {task: c4}/,/seed: 5/d' "$work/p.yaml" >"$work/q.yaml"
sb run "$work/q.yaml" --store "$work/later" -j 2
s=$work/later
ok 'where the first is not tuned, from what there is' same \
    "$(start vanilla,tuned/wmt14_ende/1)" "$(of vanilla/c4/1 id)"
{ sed '/match: {task: wmt14_ende}$/,$d' "$work/p.yaml"
  echo 'exclude: [{task: c4, tuned: false}]'; } >"$work/q.yaml"
sb run "$work/q.yaml" --store "$work/only" -j 2
s=$work/only
ok 'where the first is tuned alone, so does what is not' same \
    "$(start vanilla/wmt14_ende/1)" "$(of vanilla,tuned/c4/1 id)"

# ---- varied steps ----
cat >"$work/b.yaml" <<'Y'
title: A budget
variants: [vanilla, random]
tasks: [lm1b]
scales: [smoke]
seeds: [1, 2]
vary: {steps: [8, 4]}
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           evals: 1, train: 64, valid: 16, test: 16}
Y
b=$work/budget
sb run "$work/b.yaml" --store "$b" -j 2
ok 'each budget is trained' exits 0 'trained 8 cells'
sb plot budget --store "$b"
ok 'what more steps give is drawn' test -s "$b/plots/budget_lm1b.png"
cp "$b/plots/budget_lm1b.tsv" "$work/out"
ok '... a line a variant, all seeds, and then the means in order' awk '
    BEGIN { FS = "\t" }
    NR > 1 && NF { all = all (NR > 2 ? " " : "") $1 ":" $2 ":" $3 }
    $3 ~ /[12]/ { sum[$1 $2] += $5 / 2; spent[$1 $2] += $4 / 2 }
    $3 == "-" { d = sum[$1 $2] - $5; t = spent[$1 $2] - $4
                if (d * d > 1e-14 || t * t > 1e-12) bad = 1 }
    END { exit bad || all != "vanilla:4:1 vanilla:4:2 vanilla:8:1 " \
        "vanilla:8:2 random:4:1 random:4:2 random:8:1 random:8:2 " \
        "vanilla:4:- vanilla:8:- random:4:- random:8:-" }' "$work/out"
sb show "$b#random,steps=4/lm1b/2" --json
ce=$(awk -F '\t' '$1 == "random" && $2 == 4 && $3 == 2 { print $5 }' \
    "$b/plots/budget_lm1b.tsv")
export ce
ok '... of the test set' json \
    'abs($j->{cells}[0]{metrics}{ce} - $ENV{ce}) < 1e-7'
sb plot budget --store "$work/store"
ok 'where no steps are varied there is no such picture' exits 7 \
    'does not vary steps'
sb table b --store "$b" --format csv
ok 'an experiment has a table of its own' says '^b,smoke,lm1b,1,.*"random,steps=4"'
sb table b --store "$b"
ok '... with what training cost' says 'CPU s'
cp "$work/out" "$work/named"
sb table "$work/b.yaml" --store "$b"
ok '... by its file as well' cmp "$work/named" "$work/out"
sb table c --store "$b"
ok '... by its own name alone' exits 2 "unknown table 'c'"
sb table smok --store "$b"
ok '... or by a name like that of an experiment' exits 2 "did you mean 'smoke'"
sb table b
ok '... and where it is' exits 2 "unknown table 'b'"
sb table smoke --store "$b"
ok '... and of another experiment there is none' exits 2 \
    'holds results of experiment b, not of smoke'
sb table smoke --store "$work/nowhere"
ok 'of an experiment that has not been run there is none' exits 7 'no experiment has been run'

# ---- published numbers of tuned rows ----
cat >"$work/d.yaml" <<'Y'
title: Of one table
variants: [dense, random, vanilla]
tasks: [c4]
scales: [smoke]
seeds: [1]
settings: {d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 4, steps: 4,
           train: 32, valid: 8, test: 8}
tune:
  - {match: {variant: [dense, random]}, grid: {score_rate: [1, 8]}, share: 1,
     seed: 7}
exclude: [{variant: dense, tuned: false}]
Y
d=$work/d
sb run "$work/d.yaml" --store "$d"
ok 'three variants, of which two are tuned' exits 0
rows() { # TITLE...: these rows, in this order, are those of the JSON
    sb table 4 --all --store "$d" --json
    titles=$(printf '%s|' "$@")
    export titles
    json 'join("", map { "$_->{title}|" } grep { $_->{cells}[1]{n} }
        @{$j->{rows}}) eq $ENV{titles}'
}
ok 'a row is followed by its tuned one; one alone is tuned in its place' rows \
    Transformer 'Dense, tuned' Random 'Random, tuned'
ok '... and names the published variant that it stands in for' json '
    my %r = map { ($_->{title}, $_) } @{$j->{rows}};
    $r{"Dense, tuned"}{published_variant} eq "dense-mtf" &&
    !defined $r{"Random, tuned"}{published_variant}'
ok '... without its value beside synthetic data' json '
    !grep { defined $_->{cells}[1]{published} } @{$j->{rows}}'
cp "$work/out" "$work/table.json"
sb table 4 --all --store "$d"
ok '... nor a word about whose number it would be' lacks 'of dense-mtf'
cp "$work/out" "$work/text"
sb table 4 --all --from "$work/table.json"
ok '... and comes again from the file' cmp -s "$work/out" "$work/text"
sed 's/\[dense, random, vanilla\]/[dense, dense-mtf, vanilla]/' "$work/d.yaml" \
    >"$work/e.yaml"
d=$work/e
sb run "$work/e.yaml" --store "$d"
ok 'what was run itself has no other in its place' rows Transformer Dense \
    dense,tuned
done_testing
