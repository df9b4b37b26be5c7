#!/bin/sh
# Contrasts: only the differences that an experiment names before it runs have
# verdicts, and they form one family of fixed size.
. tests/support/tap.sh

experiment() { # FILE CONTRAST...
    file=$1
    shift
    cat >"$file" <<Y
title: Test
variants: [vanilla, random, uniform]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2, 3]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 40, evals: 1, train: 512, valid: 16, test: 64,
           schedule.name: linear, schedule.scale: 0.02, schedule.warmup: 4}
contrasts:
Y
    printf -- '- "%s"\n' "$@" >>"$file"
}
fails() { ! "$@"; }
x=$work/x.yaml s=$work/store
experiment "$x" 'lm1b ppl: random - vanilla' 'agnews accuracy: uniform - random'
sb plan "$x"
ok 'plan lists what is judged' says 'agnews accuracy: uniform - random'
sb plan "$x" --json
ok '... for programs too' json '"@{$j->{contrasts}}" eq "lm1b ppl: random - " .
    "vanilla agnews accuracy: uniform - random"'
sb run "$x" --store "$s" -j 2
ok 'it runs' exits 0 'trained 18 cells'

# ---- tables ----
sb table 2 --store "$s" --json
cp "$work/out" "$work/two.json"
sb power "$x" --store "$s" --json
cp "$work/out" "$work/power.json"
sb power --from "$work/two.json" --json
export work
ok 'power finds in the file of a table what it finds in the store' json '
    open my $f, "<", "$ENV{work}/power.json"; local $/;
    my ($of_store) = grep { $_->{metric} eq "accuracy" }
        @{decode_json(<$f>)->{rows}};
    my ($of_file) = grep { $_->{metric} eq "accuracy" } @{$j->{rows}};
    my $turn = $of_store->{a} eq $of_file->{a} ? 1 : -1;
    @{$j->{rows}} == 2 && !defined $of_file->{error_examples} &&
        abs($of_store->{seen} - $turn * $of_file->{seen}) < 1e-9 &&
        !grep { my ($x, $y) = ($of_store->{$_}, $of_file->{$_});
            !defined $x || abs($x - $y) > 1e-6 * abs $x } qw(difference sd_seed
                power seeds_needed seeds_least examples tests seeds)'
ok '... also how much of an interval is due to the examples' json '
    open my $f, "<", "$ENV{work}/power.json"; local $/;
    my ($ce) = grep { $_->{metric} eq "ce" } @{decode_json(<$f>)->{rows}};
    my ($ppl) = grep { $_->{metric} eq "ppl" } @{$j->{rows}};
    abs($ppl->{error_examples} / $ppl->{sd_seed} /
        ($ce->{error_examples} / $ce->{sd_seed}) - 1) < 0.05'
sb compare --store "$s" vanilla/agnews random/agnews
ok 'the first line of a comparison has every test' sh -c '
    head -1 "$1" | grep accuracy | grep -q "ce"' - "$work/out"
sb compare --store "$s" vanilla random
ok 'compare names the form of a variant' exits 7 "as in 'vanilla/lm1b'"
sb power "$x" --from "$work/two.json"
ok '... without the experiment' exits 2 'cannot be combined with EXPERIMENT'
sb power
ok '... which it needs otherwise' exits 2 'specify an experiment, or --from'
cp "$work/two.json" "$work/out"
ok 'a table compares the contrasts' json '
    join(" ", map { "$_->{task}/$_->{metric}/$_->{a}/$_->{b}" }
        @{$j->{comparisons}}) eq
        "lm1b/ppl/random/vanilla agnews/accuracy/uniform/random" &&
        $j->{contrasts} == 2'
ok '... and ranks nothing' json '
    my @c = map { @{$_->{cells}} } @{$j->{rows}};
    !@{$j->{correlations}} && !grep { $_->{best} || defined $_->{rank} } @c'
ok '... and says why, unless no model is informative' json '
    !grep { $_->{better} &&
            $_->{withheld} !~ /^(outside the contrasts|uninformative)$/ }
        @{$j->{columns}}'
ok '... in some column' json '
    grep { ($_->{withheld} // "") eq "outside the contrasts" }
        @{$j->{columns}}'
# The mean of the differences by seed equals the difference.
ok 'the values by seed have the difference of accuracy' json '
    my ($p) = grep { $_->{metric} eq "accuracy" } @{$j->{comparisons}};
    my $d = 0;
    $d += ($_->{a} - $_->{b}) / 3 for @{$p->{by_seed}};
    "@{[map { $_->{seed} } @{$p->{by_seed}}]}" eq "1 2 3" &&
        abs($d - $p->{difference}) < 1e-9'
ok '... and are those of the cells' sh -c '
    "$0" export --store "$1" -o "$2/cells.csv" &&
        perl -MJSON::PP -e '\''local $/; open F, "<", $ARGV[0];
            my $j = decode_json(<F>); open G, "<", $ARGV[1];
            my %v; my @l = split /\n/, <G>; my @h = split /,/, shift @l;
            for (@l) { my %r; @r{@h} = split /,/;
                $v{"$r{row}/$r{task}/$r{seed}/$r{metric}"} = $r{value}; }
            for my $p (@{$j->{comparisons}}) { for my $x (@{$p->{by_seed}}) {
                for my $s (qw(a b)) {
                    my $k = "$p->{$s}/$p->{task}/$x->{seed}/$p->{metric}";
                    defined $v{$k} && abs($v{$k} - $x->{$s}) < 1e-6
                        or die "$k: $x->{$s}"; } } }'\'' \
            "$2/two.json" "$2/cells.csv"' "$program" "$s" "$work"
sb table 2 --from "$work/two.json" --json
ok 'its JSON is read again as it is' cmp "$work/out" "$work/two.json"

# Each mean equals the mean of its seeds, which --detail shows next to it.
ok 'a number has the values of its seeds' json '
    my @c = grep { $_->{n} } map { @{$_->{cells}} } @{$j->{rows}};
    @c && !grep { my $sum = 0; $sum += $_ for @{$_->{by_seed}};
        @{$_->{by_seed}} != $_->{n} || abs($sum / $_->{n} - $_->{value}) > 1e-9
        } grep { defined $_->{rank} || defined $_->{low} } @c'
sb table 7 --store "$s" --detail
ok '... in --detail, too' says "by seed"
wrong() { # EXPRESSION: of a cell
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        my $c = $j->{rows}[0]{cells}[1]; '"$1"'; print encode_json($j)' \
        <"$work/two.json" >"$work/wrong.json"
    sb table 2 --from "$work/wrong.json"
}
wrong '$c->{by_seed} = [1]'
ok 'a file with too few values is refused' exits 5 \
    'by_seed: expected a list of 3 numbers'
wrong '$c->{by_seed}[0] = "1"'
ok '... and one with a text' exits 5 'by_seed: expected a list of 3 numbers'

# ---- the family ----
# p is multiplied by the size of the family (Bonferroni), so it doubles with the
# size as long as it is below 1.
alone() { # METRIC: p in the family of one
    experiment "$work/one.yaml" "$1"
    sb run "$work/one.yaml" --store "$s" --extend
    sb table 2 --store "$s" --json
    cp "$work/out" "$work/one.json"
}
alone 'agnews accuracy: uniform - random'
ok '--extend replaces the contrasts' test \
    "$(grep -c ' - ' "$s/experiment.json")" = 1
ok 'p is corrected for the contrasts alone' perl -MJSON::PP -e '
    local $/; my @p = map { open my $f, "<", $_; my $j = decode_json(<$f>);
        map { $_->{p} } grep { $_->{metric} eq "accuracy" }
            @{$j->{comparisons}} } @ARGV;
    my $want = 2 * $p[0] < 1 ? 2 * $p[0] : 1;
    exit !(@p == 2 && abs($p[1] - $want) < 1e-3)' \
    "$work/one.json" "$work/two.json"
sb run "$x" --store "$s"
ok 'a store keeps its contrasts' exits 0 \
    "keeps its contrasts; --extend replaces them"
sb run "$x" --store "$s" --extend

# ---- other commands ----
sb power "$x" --store "$s" --json
ok 'power looks at the contrasts, as one family' json '
    join(" ", map { "$_->{task}/$_->{metric}/$_->{tests}" } @{$j->{rows}}) eq
        "lm1b/ce/2 agnews/accuracy/2"'
sb plot forest --store "$s"
verdicts() { awk -F'\t' -v a="$2" 'NR > 1 && $3 == a { print $9 }' "$1"; }
ok 'a figure has their pairs' test \
    "$(verdicts "$s/plots/forest_lm1b.tsv" random | wc -l)" = 1
ok '... and no others' test \
    "$(wc -l <"$s/plots/forest_lm1b.tsv")" = 2
sb report --store "$s" -o "$work/report" --no-figures --no-claims --findings
ok 'findings are the contrasts' sh -c '
    grep -q "AGNews.*, accuracy: uniform and random" "$1" && ! grep -q "is best\|leads" "$1"
    ' - "$work/out"

# There are three claims about agnews; the experiment judges one of them.
claim() { # ID A B
    printf '  - {id: %s, source: s, text: t, kind: trained, cases: [{if: c, ' "$1"
    printf 'better: %s, than: %s, task: agnews, metric: accuracy, ' "$2" "$3"
    printf 'experiment: %s}]}\n' "$x"
}
{
    echo 'claims:'
    claim judged uniform random
    claim one uniform vanilla
    claim other random vanilla
} >"$work/claims.yaml"
sb claims --file "$work/claims.yaml" --store "$s" --json
ok 'a claim about other rows has no verdict' json '
    my %c = map { $_->{id} => $_ } @{$j->{claims}};
    2 == grep { $c{$_}{verdict} eq "undecided" &&
        $c{$_}{cases}[0]{why} eq "outside the contrasts of the experiment" }
        qw(one other)'
ok "a contrast's claim has the interval of the table" perl -MJSON::PP -e '
    local $/; my ($c, $t) = map { open my $f, "<", $_; decode_json(<$f>) } @ARGV;
    my ($p) = grep { $_->{metric} eq "accuracy" } @{$t->{comparisons}};
    my ($m) = grep { abs($_->{value} - $p->{difference}) < 1e-9 }
        @{$c->{claims}[0]{measured}};
    exit !($m && abs($m->{low} - $p->{low}) < 1e-9 &&
        abs($m->{high} - $p->{high}) < 1e-9)' \
    "$work/out" "$work/two.json"
sb claims --file "$work/claims.yaml" --store "$s"
ok 'a claim about other rows is printed as not tested' says \
    '^ *one not tested (outside the contrasts of the experiment)'
sb claims one --file "$work/claims.yaml" --store "$s"
ok '... with a command, and what it is for' sh -c '
    grep -A1 "^More:$" "$1" | grep -q "^  synthbench compare "' - "$work/out"

# ---- output as a list ----
sb table 2 --store "$s" --pairs --format csv
ok 'the pairs are a list of CSV' says \
    '^task,metric,unit,a,b,difference,low,high,p,seeds,'
ok '... with a line for each' test "$(wc -l <"$work/out")" = 3
sb table 3 --store "$s" --pairs
ok '... unless a table compares none' exits 7 ''

# ---- refusals ----
refused() { # CONTRAST MESSAGE
    experiment "$work/bad.yaml" "$1"
    sb plan "$work/bad.yaml"
    ok "$1 is refused" exits 2 "bad.yaml:10: $2"
}
refused 'lm1b ce: rando - vanilla' \
    "contrast 'lm1b ce: rando - vanilla': there is no row rando on lm1b"
refused 'imdb accuracy: random - vanilla' "unknown task 'imdb'"
refused 'lm1b blue: random - vanilla' "unknown metric 'blue'"
refused 'lm1b ce: random - random' \
    "'lm1b ce: random - random' compares a row with itself"

done_testing
