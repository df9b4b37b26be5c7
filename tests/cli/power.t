#!/bin/sh
# `power` estimates, from the spread of the results in a store, how many seeds
# are needed to make two variants significantly different.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, uniform, random]
tasks: [lm1b, agnews]
scales: [smoke]
seeds: [1, 2]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
x=$work/x.yaml s=$work/store

# ---- stores without a spread ----
sb power "$x" --store "$work/none"
ok 'a folder without results: what to run' exits 7 \
    "synthbench run $x --store $work/none"
sb power "$work/none.yaml"
ok 'no such experiment' exits 2 'none.yaml'
sb run "$x" --store "$s" --seeds 1 -j 2 -E 'variant!=random'
sb power "$x" --store "$s" --json
ok 'one seed: what it needs is not known' json 'my @r = @{$j->{rows}};
    @r == 3 && !grep { $_->{why} ne "unknown: one seed" ||
        defined $_->{seeds_needed} || defined $_->{sd_seed} ||
        $_->{seeds} != 1 || !defined $_->{seen} } @r'
COLUMNS=400 sb power "$x" --store "$s"
ok '... and says so' says '^unknown: one seed .* vanilla  *uniform$'
ok '... and what would tell' says "run $x --extend --seeds 3$"
sb power "$x" --store "$s" -E variant==vanilla
ok 'one variant makes no pair' exits 7 'fewer than two selected variants of a task'
sb power quick --store "$s"
ok 'a store of another experiment' exits 2 'holds experiment x, not quick'

# ---- two seeds ----
sb run "$x" --store "$work/two" -j 2
sb power "$x" --store "$work/two" --json
ok 'each pair of variants, each test of a task' json '
    my %n; $n{"$_->{task} $_->{metric}"}++ for @{$j->{rows}};
    join(", ", map { "$_ $n{$_}" } sort keys %n) eq
        "agnews accuracy 3, agnews ce 3, lm1b ce 3"'
ok '... one of as many tests as there are others' json \
    '!grep { $_->{tests} != 2 } @{$j->{rows}}'
sb run "$x" --store "$work/mixed" -j 2 -E 'variant!=random || seed==1'
sb plan "$x" --store "$work/mixed" -E 'variant!=random || seed==1'
ok 'plan says how many seeds rows have' says '; 1 to 2 seeds$'
sb plan "$x" --store "$work/mixed" --seeds 20 -E 'variant!=random || seed==1'
ok '... and those of each task, if there are many cells' says \
    '^lm1b  *smoke  *1 to 20 '
sed 's/^variants: .*/variants: [linformer]/' "$x" >"$work/refused.yaml"
sb plan "$work/refused.yaml" --store "$work/none" --seeds 40 -E task==lm1b
sb plan "$x" --store "$work/mixed" --seeds 20 -E 'variant!=random || seed==1'
ok '... and names the rows with the most' says \
    'lm1b: 20 seeds for vanilla, uniform; fewer for the others'
sb plan "$work/refused.yaml" --store "$work/none" --seeds 40 -E task==lm1b
ok '... of which a screen of refused ones is listed' sh -c '
    [ "$(grep -c " refused  *-* " "$1")" = 25 ]' - "$work/out"
ok '... and the rest counted' says '^15 more cells like these$'
sb power "$x" --store "$work/mixed" --json
ok '... of two seeds or more, as a table compares no other' json \
    '@{$j->{rows}} == 9 && !grep { $_->{tests} != 1 } @{$j->{rows}}'
ce() { # VARIANT SEED
    "$program" show "$work/two#$1/lm1b/$2" --json | perl -MJSON::PP -e \
        'local $/; print decode_json(<STDIN>)->{cells}[0]{metrics}{ce}'
}
one=$(ce vanilla 1) two=$(ce vanilla 2)
three=$(ce uniform 1) four=$(ce uniform 2)
export one two three four
ok 'the spread of a seed is that of the differences, B minus A' json '
    my ($d, $e) = ($ENV{one} - $ENV{three}, $ENV{two} - $ENV{four});
    my ($r) = grep { $_->{metric} eq "ce" && $_->{task} eq "lm1b" &&
                     "$_->{a} $_->{b}" eq "vanilla uniform" } @{$j->{rows}};
    abs($r->{seen} + ($d + $e) / 2) < 1e-9 && $r->{examples} == 16 &&
        abs($r->{sd_seed} - abs($d - $e) / sqrt(2)) < 1e-6 &&
        $r->{difference} == abs $r->{seen}'
needs() { # OPTION...: seeds of the first pair, and of no other
    of 'task==lm1b && variant!=random' "$@"
}
of() { # FILTER OPTION...: seeds of vanilla and uniform
    filter=$1
    shift
    "$program" power "$x" --store "$work/two" --json -E "$filter" "$@" |
        perl -MJSON::PP -e 'local $/;
        my ($r) = grep { $_->{metric} eq "ce" } @{decode_json(<STDIN>)->{rows}};
        print $r->{seeds_needed} // $r->{why}'
}
more() { # WHAT A B: seeds of A are fewer than those of B
    [ "$2" -lt "$3" ] 2>/dev/null || { echo "$1: $2 and $3"; return 1; }
}
ok 'a small difference takes more seeds' more difference \
    "$(needs --difference 0.1)" "$(needs --difference 0.02)"
ok 'more power takes more seeds' more power \
    "$(needs --difference 0.02 --power 0.5)" "$(needs --difference 0.02 --power 0.99)"
ok 'a stricter level takes more seeds' more level \
    "$(needs --difference 0.02)" "$(needs --difference 0.02 --level 0.0005)"
ok 'more variants take more seeds' more variants \
    "$(needs --difference 0.02)" "$(of task==lm1b --difference 0.02)"
case $(needs --difference 1e-7) in
'no number: too few test examples' | 'over 10000') none=0 ;;
*) none=1 ;;
esac
ok 'next to nothing takes more than there are' [ $none = 0 ]
ok 'a pair of its own is one test' sh -c '"$0" power "$1" --store "$2" --json \
    -E "variant!=random" | grep -q "\"tests\": 1,"' "$program" "$x" "$work/two"
for f in text md csv json; do
    sb power "$x" --store "$work/two" --format $f --all
    ok "power --format $f" says 'sd_seed\|sd over seeds'
done
sb power "$x" --store "$work/two"
ok 'people first see the pairs of the first variant, in the first metric' sh -c '
    [ "$(grep -c " vanilla  *[a-z]*$" "$1")" = 4 ] &&
    ! grep -q "uniform  *random$\|agnews  *ce" "$1" &&
    grep -q "lists all 9 differences" "$1"' - "$work/out"
ok '... after the sum' sh -c 'tr "\n" " " <"$1" | grep -q \
    "^0 of 4 .* in the store; 2 need more, up to 146; for 2, no number is known\. "' - "$work/out"
ok 'how well a spread of two seeds is known' says \
    'by factors of 0.45 to 32 (95 %)'
sb power "$x" --store "$work/two" -o "$work/file"
ok 'power --output' sh -c '[ ! -s "$1" ] && grep -q "seeds needed" "$2"' - \
    "$work/out" "$work/file"

# ---- refused options ----
for wrong in '--power 1' '--power 0' '--level 2' '--level x' '--difference 0' \
    '--difference -1'; do
    # shellcheck disable=SC2086 # words
    sb power "$x" --store "$s" $wrong
    ok "power $wrong" exits 2 "${wrong% *}"
done

done_testing
