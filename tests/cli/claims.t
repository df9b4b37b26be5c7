#!/bin/sh
# claims: every claim of a file is judged, by arithmetic over published numbers,
# by a check, or by trained cells. Errors in a file are reported.
. tests/support/tap.sh

# ---- claims that come with the program ----
sb claims --kind published --json
ok 'published claims are judged' exits 0
ok '... each with source, text and verdict, and nothing but published ones' \
    json '@{$j->{claims}} > 10 && !grep { $_->{kind} ne "published" ||
        !$_->{source} || !$_->{text} || !$_->{verdict} } @{$j->{claims}}'
ok '... and counted' json 'my %n; $n{$_->{verdict}}++ for @{$j->{claims}};
    !grep { $j->{counts}{$_} != ($n{$_} // 0) } keys %{$j->{counts}}'
verdict() { # ID VERDICT [IF]
    json '$j->{claims}[0]{id} eq "'"$1"'" &&
        $j->{claims}[0]{verdict} eq "'"$2"'" &&
        ($j->{claims}[0]{if} // "") eq "'"${3-}"'"'
}
sb claims A1 --json
ok '27.27 is not what Fixed Random reached' verdict A1 fails
ok '... and what it reached is told' json \
    '$j->{claims}[0]{measured}[0]{value} == 23.89'
sb claims A9 --json
ok '60 % faster: than untied kernels alone' verdict A9 'holds only if' \
    'the convolution has a d x d kernel for each tap'
sb claims A8 --json
ok 'every number of a case has to be right' verdict A8 'holds only if' \
    'the numbers are read as those of Dense + Vanilla'
sb claims C1 --json
ok 'proposition 1 holds for k = d alone' verdict C1 'holds only if' 'k = d'
ok '... and for k < d the share k / d of inner products is kept' json '
    1 == grep { $_->{case} eq "k < d" && $_->{measure} eq "inner" &&
        abs($_->{value} - 0.25) < 4 * $_->{error} && $_->{error} < 0.01 }
        @{$j->{claims}[0]{measured}}'
judged=results/baselines/quick/claims.json
sb claims C4
ok 'measures without a requirement are described, too' \
    says '^  apart: largest principal angle of two heads'
sb claims B5 --from results/baselines/quick/claims.json
ok 'a case from JSON has a verdict on each requirement' test "$(grep -cE \
    '^wide_. +a < b +[0-9]+ +256 +fails$' "$work/out")" = 2
ok '... and explains its measures' says 'wide_a: columns of A repeated'
sb claims E1 --from results/baselines/quick/claims.json
ok 'a case outside the contrasts is not called undecided' \
    says '  < -0.02 *not tested$'
sb claims E7 E8 --json
ok 'what nobody trained here is not testable, and how to train it is told' json '
    my @c = @{$j->{claims}};
    @c == 2 && !grep { $_->{verdict} ne "not testable here" } @c'
sb claims E7
ok '... by its steps' says 'vanilla and random on c4 after 65536'
ok '... and command' says 'synthbench run experiments/narang.yaml'
# Each bound is a published difference plus or minus its uncertainty.
ok 'bounds of early losses are those that were published' perl -e '
    my (%m, %is);
    open my $p, "<", "experiments/published.tsv";
    while (<$p>) {
        my @f = split /\t/;
        $m{$f[1]} = [$1, $2] if $f[2] =~ /^early loss/ &&
            $f[4] =~ /(.*)\+-(.*)/;
    }
    my %row = ("Random" => "Synthesizer (random)",
        "Factorized Random" => "Synthesizer (factorized)",
        "Dense" => "Synthesizer (dense)",
        "Lightweight Convolution" => "Lightweight convolution",
        "Dynamic Convolution" => "Dynamic convolution",
        "Random + Vanilla" => "Synthesizer (random plus)",
        "Dense + Vanilla" => "Synthesizer (dense plus)");
    my $v = $m{"Vanilla Transformer"};
    open my $c, "<", "experiments/claims.yaml";
    while (<$c>) {
        /if: (.*) is behind by (\S+) or (more|less)/ or next;
        my ($name, $bound, $way) = ($1, $2, $3);
        my $x = $m{$row{$name}};
        my $known = sqrt($x->[1]**2 + $v->[1]**2);
        my $want = $x->[0] - $v->[0] + ($way eq "less" ? $known : -$known);
        $n++;
        print "$name: $bound, not $want\n" and exit 1
            if abs($bound - $want) > 0.0006;
        my $margin;
        while (<$c>) { last if ($margin) = /margin: (\S+)/ }
        print "$name: margin $margin\n" and exit 1 if $margin != $bound;
    }
    exit($n != 12)'
sb claims C9 --json
ok 'proposition 2 holds for one path alone' verdict C9 'holds only if' \
    'a single product with W is considered'

# ---- a user's file ----
cat >"$work/own.yaml" <<'Y'
Mine:
  - id: gap
    source: nobody
    text: The gap is 0.4
    kind: published
    cases:
      - if: it is of BLEU
        numbers: {gap: "[vanilla/wmt14_ende/bleu] - [random/wmt14_ende/bleu]"}
        expect: {gap: [0.35, 0.45]}
      - if: it is of LM1B
        numbers: {gap: "[random/lm1b/ppl] - [vanilla/lm1b/ppl]"}
        expect: {gap: "< 0.45"}
  - id: none
    source: nobody
    text: Nobody can tell
    kind: untestable
    reason: there is no source
Y
sb claims --file "$work/own.yaml"
ok 'a new claim is one entry of a file' exits 0
ok '... judged by its cases' says 'gap holds only if it is of BLEU'
ok '... and the last line counts' says '^2 claims: 1 holds only under a condition, 1 not testable here$'
sed 's/^    kind: published/&\n    universal: true/' "$work/own.yaml" \
    >"$work/universal.yaml"
sb claims --file "$work/universal.yaml"
ok 'a claim about all cases fails with one of them' says '^  gap fails\.'
sb claims --file "$work/own.yaml" none
ok 'one that cannot be tested says why' says 'Not testable: there is no source'
sb claims --file "$work/own.yaml" gap
ok 'a claim by its name: the arithmetic' says '\[random/lm1b/ppl\] - '
for f in text md csv json; do
    sb claims --file "$work/own.yaml" --format $f
    ok "claims --format $f" says 0.4
done
sb claims --file "$work/own.yaml" --output "$work/o.txt"
ok 'claims --output' grep -q '2 claims' "$work/o.txt"
sb claims --file "$work/own.yaml" --kind untestable
ok 'claims --kind' says '^1 claim: 1 not testable here$'
sb claims --all --from $judged
ok 'no line is wider than 80 letters' test -z "$(grep '.\{81\}' "$work/out")"

# ---- claims about times ----
write_times() { # RATIO LOW HIGH NOISY: writes the file of times
    cat >"$work/times.json" <<J
{"machine": "one thread of X", "fused_attention": true,
 "columns": [{"name": "params"}, {"name": "speed_ratio"}],
 "rows": [{"variant": "vanilla", "too_noisy": false, "cells":
     [{"value": 5, "low": null, "high": null},
      {"value": 1, "low": null, "high": null}]},
     {"variant": "random", "too_noisy": $4, "cells":
     [{"value": 5, "low": null, "high": null},
      {"value": $1, "low": $2, "high": $3}]}]}
J
}
cat >"$work/timed.yaml" <<'Y'
Times:
  - id: fast
    source: nobody
    text: Random is 1.1 times as fast as dot products
    kind: timed
    cases:
      - row: random
        expect: {ratio: [1.0, 1.2]}
  - id: other
    source: nobody
    text: Dense is as fast
    kind: timed
    cases:
      - row: dense
        expect: {ratio: 1}
Y
sb claims --file "$work/timed.yaml"
ok 'claims about times need a file of times' says '^2 claims: 2 not testable here$'
judged() { # VERDICT RATIO LOW HIGH NOISY
    write_times "$2" "$3" "$4" "$5"
    sb claims --file "$work/timed.yaml" --speed "$work/times.json" fast --json
    VERDICT=$1 json '$j->{claims}[0]{verdict} eq $ENV{VERDICT}'
}
ok 'a ratio whose interval is within the bounds holds' judged holds 1.1 1.05 1.19 false
ok '... outside them fails' judged fails 1.3 1.25 1.35 false
ok '... across a bound is undecided' judged undecided 1.1 0.99 1.19 false
ok '... and so are times that are too noisy' judged undecided null null null true
write_times 1.1 1.05 1.19 false
sb claims --file "$work/timed.yaml" --speed "$work/times.json" fast
ok 'a ratio is printed with its machine' says 'steps per second on one thread of X'
ok '... and with whether attention is fused' says 'attention$'
sb claims --file "$work/timed.yaml" --speed "$work/times.json" other
ok 'a row that was not timed cannot be judged' says 'has no row dense'
sed -i 's/"speed_ratio"/"speed"/' "$work/times.json"
sb claims --file "$work/timed.yaml" --speed "$work/times.json"
ok 'a file without ratios is refused' exits 5 'columns: expected a column speed_ratio'
write_times 1.1 1.05 1.19 false
sed -i 's/{"value": 5, "low": null, "high": null},//' "$work/times.json"
sb claims --file "$work/timed.yaml" --speed "$work/times.json"
ok '... and one whose rows lack a column' exits 5 'rows: expected one cell for each column'
times_refused() { # WORDS SED-COMMAND: of the file after that edit
    write_times 1.1 1.05 1.19 false
    sed -i "$2" "$work/times.json"
    sb claims --file "$work/timed.yaml" --speed "$work/times.json"
    exits 5 "$1"
}
ok '... and one that does not say whether attention is fused' \
    times_refused 'fused_attention: expected true or false' 's/"fused_attention": true,//'
ok '... and one without its machine' \
    times_refused 'machine: expected a text' 's/"one thread of X"/1/'
ok '... and one whose ratios are to another row' \
    times_refused 'rows: expected vanilla in the first row' 's/"vanilla"/"dense"/'
ok '... and one with a ratio outside its interval' \
    times_refused 'rows: expected a ratio in its interval' 's/1.05/1.15/'
sed 's/row: dense/if: ever/' "$work/timed.yaml" >"$work/rowless.yaml"
sb claims --file "$work/rowless.yaml"
ok 'a claim about times names a row' exits 2 "'row' is missing"

# ---- errors in a file, with their line ----
wrong() { # WORDS SED-COMMAND...: of the file after that edit
    words=$1
    shift
    sed "$@" "$work/own.yaml" >"$work/bad.yaml"
    sb claims --file "$work/bad.yaml"
    exits 2 "$words"
}
ok 'an unknown key' wrong "bad.yaml:8: unknown key 'number'" 's/numbers:/number:/'
ok 'an unknown kind' wrong "unknown kind 'publishe'" 's/published/publishe/'
ok 'an unknown measure' wrong \
    "bad.yaml:9: unknown measure 'gip': did you mean 'gap'" \
    's/expect: {gap: \[/expect: {gip: [/'
ok 'an unknown number' wrong "did you mean 'random/lm1b/ppl'" 's|random/lm1b|randm/lm1b|'
ok 'an expectation that is none' wrong "bad.yaml:12: gap: 'about 0.45': expected a number" \
    's/"< 0.45"/"about 0.45"/'
ok 'bounds in the wrong order' wrong 'the smaller one first' 's/0.35, 0.45/0.45, 0.35/'
ok 'an id that stands twice' wrong 'id: gap appears twice' 's/id: none/id: gap/'
ok 'a case without its condition' wrong "bad.yaml:10: 'if' is missing" '/if: it is of LM1B/d;s/        numbers: {gap: "\[random/      - numbers: {gap: "[random/'
ok 'a part of another kind' wrong \
    "'reason' is not part of a claim of kind published" 's/^    text: The/    reason: x\n&/'
sb claims --file "$work/own.yaml" gip
ok 'an unknown claim' exits 2 "unknown claim 'gip': did you mean 'gap'"
sb claims --file "$work/own.yaml" --store "$work/nothing"
ok 'a store without results' exits 7

# ---- claims about trained cells ----
cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, uniform, random]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2, 3]
uncompared: [agnews]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 200, evals: 1, train: 400, valid: 16, test: 64,
           schedule.warmup: 10, schedule.scale: 1}
Y
sed 's/smoke/full/; s/vocab: 24/vocab: 380/; s/train: 400, valid: 16, test: 64/train: 0/
    s/N: 8/N: 192/; s/steps: 200/steps: 10/; s/warmup: 10/warmup: 5/; s/lm1b, //' \
    "$work/x.yaml" >"$work/real.yaml"
claim() { # ID FIELDS [EXPERIMENTS]: of a trained claim of one case
    cat <<Y
  - id: $1
    source: nobody
    text: One is better than another
    kind: trained
    cases:
      - {$2, experiment: ${3:-$work/x.yaml}}
Y
}
lm='task: lm1b, metric: ce'
trained() { # MARGIN: of the claim that it shall not decide
    echo Mine:
    claim right "better: random, than: vanilla, $lm, margin: 0.3"
    claim wrong "better: vanilla, than: random, $lm"
    claim little "better: random, than: vanilla, $lm, margin: 2"
    claim perplexity 'better: random, than: vanilla, task: lm1b, metric: ppl'
    claim open "better: random, than: vanilla, $lm, margin: $1"
    claim equal "as_good: uniform, as: vanilla, $lm, margin: 0.5"
    claim less "as_good: vanilla, as: random, $lm, margin: 0.1"
    claim aside 'better: random, than: vanilla, task: agnews, metric: accuracy' \
        "[$work/x.yaml, $work/real.yaml]"
}
trained 1 >"$work/trained.yaml"
claims() { # ARGUMENT...
    sb claims --file "$work/trained.yaml" --json "$@"
}
of() { # ID VERDICT [EXPRESSION of $c]
    json 'my ($c) = grep { $_->{id} eq "'"$1"'" } @{$j->{claims}};
        $c->{verdict} eq "'"$2"'" && ('"${3:-1}"')'
}
claims --store "$work/none"
ok 'a store that is not there' exits 7
sb run "$work/x.yaml" --store "$work/one" --seeds 1 -j 2
claims --store "$work/one"
ok 'one seed decides nothing' of right undecided '$c->{why} eq "one seed"'
sb run "$work/x.yaml" --store "$work/s" -j 2
claims --store "$work/s"
# If the margin is inside the interval, the claim is undecided, whatever
# rounding errors the machine's matrix products have.
margin=$(perl -MJSON::PP -0777 -e 'my ($c) = grep { $_->{id} eq "right" }
    @{decode_json(<STDIN>)->{claims}};
    my ($x) = grep { $_->{measure} =~ /^difference/ } @{$c->{measured}};
    printf "%.4f", -($x->{value} + $x->{high}) / 2' <"$work/out")
trained "$margin" >"$work/trained.yaml"
claims --store "$work/s"
ok 'a better row is better' of right holds
ok '... whose difference is told, with its interval' of right holds '
    1 == grep { $_->{measure} eq "difference in ce" && $_->{low} < $_->{value} &&
        $_->{value} < $_->{high} && $_->{high} < 0 && $_->{error} > 0 }
        @{$c->{measured}}'
ok '... and the command that shows it' of right holds '
    $c->{command} eq "synthbench compare '"'$work/s#random/lm1b' '$work/s#vanilla/lm1b'"'"'
ok '... and what is claimed of it' of right holds '
    1 == grep { ($_->{expected} // "") eq "< -0.3" } @{$c->{measured}}'
ok '... and that its examples were made by a generator' of right holds \
    '$c->{synthetic} && $c->{cases}[0]{synthetic}'
sb claims --file "$work/trained.yaml" --store "$work/s"
ok '... in every form: of a line' says 'right holds, on SYNTHETIC DATA'
ok '... below all lines' says 'SYNTHETIC DATA: a generator'
sb claims right --file "$work/trained.yaml" --store "$work/s"
ok '... of all about one' says '^right holds, on SYNTHETIC DATA'
ok '... with what that means' says 'SYNTHETIC DATA: a generator'
claims --store "$work/s"
ok 'a worse one is not' of wrong fails '$c->{why} =~ /^worse, p 0/'
ok 'better, but by less than what matters, is not' of little fails \
    '$c->{why} =~ /^not better by the margin/'
ok 'a perplexity is decided as cross-entropy is' of perplexity holds
ok 'what cannot be told is undecided, and says how many seeds it needs' \
    of open undecided '$c->{needs} > 0 && $c->{why} =~ /^needs $c->{needs} more/'

claims --store "$work/s" open
needs=$(sed -n 's/.*"needs": \([0-9]*\).*/\1/p' "$work/out")
seen=$(perl -MJSON::PP -0777 -e 'my ($x) = grep { $_->{measure} =~ /^difference/ }
    @{decode_json(<STDIN>)->{claims}[0]{measured}};
    print abs($x->{value} + shift)' "$margin" <"$work/out")
sb power "$work/x.yaml" --store "$work/s" --json \
    --difference "$seen" --level "$(perl -e 'print 2 * 0.05 / 8')"
export needs
ok '... which are those that power asks for to tell the margin, of eight tests' json '
    my ($r) = grep { $_->{metric} eq "ce" && $_->{task} eq "lm1b" &&
        "$_->{a} $_->{b}" eq "vanilla random" } @{$j->{rows}};
    $r->{tests} == 2 && $r->{seeds_needed} == 3 + $ENV{needs}'
claims --store "$work/s"
ok 'as good: within what does not matter' of equal holds
sed "s/margin: 0.3/margin: $margin/" "$work/trained.yaml" >"$work/margin.yaml"
export margin
sb claims --file "$work/margin.yaml" --store "$work/s" --json
ok 'better, but not surely by what matters, is undecided' of right undecided \
    '1 == grep { $_->{measure} =~ /^difference/ && $_->{value} < -$ENV{margin} &&
        $_->{high} > -$ENV{margin} } @{$c->{measured}}'
claims --store "$work/s"
ok '... and not where it is worse by more' of less fails \
    '$c->{why} =~ /^worse by more than the margin/'
ok 'a task that is not compared decides nothing' of aside undecided \
    '$c->{why} eq "the experiment does not compare the task"'
claims --store "$work/s" open
ok 'one claim alone has the verdict that it has among all' of open undecided \
    '$c->{needs} > 0'
{
    echo Mine:
    claim other "better: random, than: vanilla, $lm, margin: 0.5, steps: 199"
    claim same "better: random, than: vanilla, $lm, margin: 0.5, steps: 200"
} >"$work/steps.yaml"
sb claims --file "$work/steps.yaml" --store "$work/s" --json
ok 'rows of so many steps are others' of other 'not testable here' \
    '$c->{why} =~ /after 199 steps$/'
ok '... than those of theirs' of same holds
sed 's/random]/random, dense]/' "$work/x.yaml" >"$work/dense.yaml"
sb run "$work/dense.yaml" --store "$work/dense" -j 2 \
    -E 'task==lm1b && (variant!=dense || seed==1)'
claims --store "$work/dense"
ok 'a store of another experiment decides nothing' of right \
    'not testable here' '$c->{why} eq
        "no store of experiment '"$work"'/x.yaml has the rows random and vanilla on lm1b"'
{
    echo Mine:
    claim two "if: a, better: vanilla, than: random, $lm, experiment: $work/x.yaml}
      - {if: b, better: random, than: vanilla, $lm, steps: 199"
    claim all "if: a, better: vanilla, than: random, $lm, experiment: $work/x.yaml}
      - {if: b, better: random, than: vanilla, $lm, steps: 199"
} | sed '/id: all/a\    universal: true' >"$work/two.yaml"
sb claims --file "$work/two.yaml" --store "$work/s" --json
ok 'a case that no store can test keeps the claim open' of two undecided \
    '$c->{why} =~ /^no store of .* after 199 steps$/ && !$c->{universal}'
ok '... unless it is about all cases, and one fails' of all fails \
    '$c->{universal} && $c->{why} =~ /^worse, p/'
sb claims --file "$work/two.yaml" --store "$work/s"
ok '... which says what is known' says 'steps); fails if a'
{
    echo Mine:
    claim right "better: random, than: vanilla, $lm"
    claim lone "better: dense, than: vanilla, $lm"
} | sed 's/x\.yaml/dense.yaml/' >"$work/lone.yaml"
p_of() { # ID...: p of the first
    "$program" claims --file "$work/lone.yaml" --store "$work/dense" --json \
        "$@" | sed -n 's/.*"why": "p \([^"]*\)".*/\1/p'
}
head -n 7 "$work/lone.yaml" >"$work/right.yaml"
two=$(p_of right)
mv "$work/right.yaml" "$work/lone.yaml"
ok 'what is withheld for what came out is a test of the family' \
    perl -e 'exit !($ARGV[0] > 0 && abs($ARGV[0] / $ARGV[1] - 2) < 0.1)' \
    "$two" "$(p_of right)"
claims --store "$work/one" --store "$work/s" wrong
ok 'of several stores the first that has the rows decides' of wrong undecided
sb run "$work/real.yaml" --store "$work/real" --cache "$work/cache" \
    --data-dir tests/data/fixtures
claims --store "$work/s" --store "$work/real"
ok '... but one of real text before what a generator made' of aside undecided \
    '!$c->{synthetic} && index($c->{command}, "real#") > 0'
ok '... which says nothing of other claims' of right holds '$c->{synthetic}'
sb run "$work/x.yaml" --store "$work/few" --seeds 1 -E variant==vanilla
claims --store "$work/few"
ok 'rows that no store has: what would train them' of right \
    'not testable here' '$c->{command} eq "synthbench run '"$work"'/x.yaml"'
claims --store "$work/few" --store "$work/s"
ok '... but a second store may have them' of right holds

# ---- the same, recomputed from the JSON ----
{ # claims of all kinds, with formulas and reasons
    cat "$work/trained.yaml"
    tail -n +2 "$work/own.yaml"
    sed -n '/^  - id: B8$/,/^  - id: B9$/p; /^  - id: B11$/,/^  - id: B12$/p' \
        experiments/claims.yaml | sed '/- id: B\(9\|12\)$/d'
} >"$work/all.yaml"
"$program" claims --file "$work/all.yaml" --store "$work/s" --format json \
    -o "$work/all.json"
again() { # FORMAT
    "$program" claims --file "$work/all.yaml" --store "$work/s" --format "$1" \
        -o "$work/first" &&
        "$program" claims --from "$work/all.json" --format "$1" \
            -o "$work/second" && diff "$work/first" "$work/second"
}
ok 'there are claims of all kinds and verdicts' perl -MJSON::PP -e 'local $/;
    my (%n, %v) = map { $_->{kind} => 1 } my @c =
        @{decode_json(<STDIN>)->{claims}};
    $v{$_->{verdict}} = 1 for @c;
    exit(4 != keys %n || 5 != keys %v)' <"$work/all.json"
for f in text md tex csv json html; do
    ok "claims --from: $f is the same again" again $f
done
sb claims --from "$work/all.json" --kind untestable --json
ok '... of one kind' json '!grep { $_->{kind} ne "untestable" }
    @{$j->{claims}}'
sb claims right --from "$work/all.json"
ok '... with the reasoning and every number of a claim' says '^measure  *case  *measured  *required'
sb claims --from "$work/all.json" --store "$work/s"
ok '... and without a store' exits 2 '--store'
sb claims --from "$work/none.json"
ok '... a file that is not there' exits 2 none.json
from() { # WORDS PERL: the file, changed by that
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        my $c = $j->{claims}[0]; '"$2"';
        print encode_json($j)' <"$work/all.json" >"$work/bad.json"
    sb claims --from "$work/bad.json"
    exits 5 "$1"
}
ok '... whose verdict there is none of' from 'claims[0].cases[0].verdict: expected' \
    '$c->{cases}[0]{verdict} = "perhaps"'
ok '... whose case has more measures than there are' from \
    'claims[0].measured: expected as many' '$c->{cases}[0]{measures} = 9'
ok '... or fewer' from 'claims[0].measured: expected as many' \
    '$c->{cases}[0]{measures} = 0'
ok '... whose text is a number' from 'claims[0].text: expected a string' \
    '$c->{text} = 5'
ok '... whose value is a text' from 'claims[0].measured[0].value: expected a number' \
    '$c->{measured}[0]{value} = "1"'
ok '... that has no claims' from 'claims: expected a list of at most' \
    '$j = {}'
ok 'nothing that moves a cursor comes out of a file' sh -c '
    sed "s/\"text\": \"/&\\\\u001b[31m/" "$1/all.json" >"$1/esc.json" &&
    grep -q u001b "$1/esc.json" &&
    "$2" claims --from "$1/esc.json" >"$1/esc" && ! grep -q "$(printf "\033")" \
        "$1/esc"' - "$work" "$program"
printf x >>"$(ls "$work"/s/cells/*.h5 | head -n 1)"
claims --store "$work/s"
ok 'a damaged cell is told, the claims all the same' exits 5
ok '... by what is left' json '@{$j->{claims}} == 8'

wrongs() { # WORDS SED-COMMAND: of the trained ones
    sed "$2" "$work/trained.yaml" >"$work/bad.yaml"
    sb claims --file "$work/bad.yaml"
    exits 2 "$1"
}
ok 'an unknown variant' wrongs "bad.yaml:7: unknown variant 'randm'" \
    '7s/better: random/better: randm/'
ok 'an unknown task' wrongs "bad.yaml:7: unknown task 'lm2b'" '7s/lm1b/lm2b/'
ok 'an unknown metric' wrongs "bad.yaml:7: unknown metric 'cx'" '7s/: ce/: cx/'
ok 'a row that none of its experiments trains' wrongs \
    'no experiment of the list trains both dense and vanilla on task lm1b' '7s/better: random/better: dense/'
ok 'no experiment' wrongs "'experiment' is empty" '7s|experiment: .*}|experiment: []}|'
ok 'all cases that are none' wrongs "universal: 'perhaps'" \
    '2s/$/\n    universal: perhaps/'
ok 'steps that are none' wrongs 'steps: 0' '7s/margin/steps: 0, margin/'
ok 'a margin that is none' wrongs "margin: 'much'" '7s/0.3/much/'

# ---- the list ----
sb claims --format md --from $judged
ok 'a range that holds by rounding is printed with its interval' says \
    'percent 1.446 \[1.41, 1.481\] (required 1.45 to 1.55)'
ok '... a value within the range without' says 'gap 0.4 (required 0.35 to 0.45)'
ok 'what a check measures is printed in words' says 'rank of the scores = 8'
ok 'what would be trained is a test' says 'To test it: synthbench run '
done_testing
