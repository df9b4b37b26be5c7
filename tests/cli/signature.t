#!/bin/sh
# Signatures: every row of every table is signed. A store verifies signatures; a
# mismatch is reported with the name of the field.
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Test
variants: [vanilla, random+vanilla, linformer]
tasks: [wmt14_ende, lm1b, agnews]
scales: [smoke]
seeds: [1, 2, 4]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
override:
  - match: {variant: vanilla, task: lm1b}
    set: {schedule.scale: 2}
Y
s=$work/store
sb run "$work/x.yaml" --store "$s" -j 2
ok 'a store is made' test -s "$s/experiment.json"

# ---- every row ----
signed() { # TABLE FORMAT: the signatures of its rows, a line each
    "$program" table "$1" --all --store "$s" --format "$2" 2>>"$work/talk" |
        grep -o 'SB|[^ ,"]*\(,[^ ,"]*\)*' | sort -u
}
all_hold() { # FILE of signatures
    [ -s "$1" ] || return
    while read -r one; do
        sb verify signature "$one" --store "$s"
        exits 0 && says '^9 same, 0 differ' || { echo "$one"; return 1; }
    done <"$1"
}
for t in 2 7; do
    signed $t text >"$work/text.$t"
    ok "the store gives each row of table $t" all_hold "$work/text.$t"
    signed $t md >"$work/md"
    ok '... Markdown has the same, as they are' cmp "$work/text.$t" "$work/md"
done
sb verify signature "$(head -n 1 "$work/text.2")" --store "$s" -q
ok '... and -q prints the counts alone' test "$(cat "$work/out")" = \
    '9 same, 0 differ'
ok 'two variants trained on all, a third on one' test 3 = "$(
    cat "$work/text.2" | wc -l)"
sb table 2 --all --store "$s"
ok 'a row without numbers has no signature' lacks '^  Fixed Random: '
sb table 2 --all --store "$s" --json
perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
    print map { "$_\n" } grep { /^SB/ } map { $_->{signature} }
        map { @{$_->{cells}} } @{$j->{rows}}' <"$work/out" >"$work/cells"
ok 'JSON: every row and number has one or says why not' json '
    !grep { $_->{signature} !~ /^(SB\||none: .)/ }
        map { ($_, @{$_->{cells}}) } @{$j->{rows}}, @{$j->{baselines}}'
ok '... no number is without' json '
    !grep { defined $_->{value} && $_->{signature} !~ /^SB\|/ }
        map { @{$_->{cells}} } @{$j->{rows}}'
ok '... and the store gives each' all_hold "$work/cells"
sb table 2 --all --store "$s" --format csv
ok 'CSV: every line has one or says why not' perl -ne '
    BEGIN { $bad = 0 } next if $. == 1;
    $bad ||= !/,"?(SB\|t:[^,]|none: \w)/; END { exit($bad || $. < 20) }' \
    "$work/out"
sb table 1 --format csv
ok 'what is counted says so' perl -ne '
    $bad ||= $. > 1 && !/,none: computed/; END { exit($bad || $. < 20) }' \
    "$work/out"
sb table 1
ok '... as text' says 'no row has a signature: computed from the model definitions'

# ---- each field ----
one=$(grep 'v:vanilla' "$work/text.2")
ok 'a row says what it is of' sh -c 'echo "$0" | grep -qE "$1"' "$one" \
    '^SB\|t:wmt14_ende;lm1b;agnews\|sc:smoke\|v:vanilla\|s:1-2,4\|m:ce/[0-9a-f]{4},token_accuracy/[0-9a-f]{4},bleu/13a/exp/[0-9a-f]{4};ppl_word/[0-9a-f]{4},ppl/[0-9a-f]{4};accuracy/[0-9a-f]{4}\|o:([0-9a-f]{8};?){3}\|d:([0-9a-f]{8};?){3}\|n:3\|p:[^|]+$'
named() { # FIELD EDIT: the field, and it alone, is another
    other=$(echo "$one" | sed "$2")
    [ "$other" != "$one" ] || return
    sb verify signature "$other" --store "$s" --json
    exits 3 && json '"'"$1"'" eq join " ",
        map { $_->{subject} } grep { $_->{verdict} eq "fail" } @{$j->{rows}}' &&
        json '$j->{failed} == 1 && @{$j->{rows}} == 9' &&
        json '$j->{store_signature} eq "'"$one"'"'
}
while read -r field edit; do
    ok "another $field is named: $edit" named "$field" "$edit"
done <<'E'
s s/1-2,4/1-4/
s s/1-2,4/9/
s s/1-2,4/all/
o s/o:......../o:00000000/
d s/d:......../d:00000000/
d s/;\(........|n\)/;x\1/
n s/n:3/n:1/
p s/p:.*/p:0000000/
E
for edit in s/v:vanilla/v:random+vanilla/ s/1-2,4/1/; do
    sb verify signature "$(echo "$one" | sed $edit)" --store "$s"
    ok "cells that a signature names, but does not hold: $edit" exits 3
    ok '... have other settings alone' says '^8 same, 1 differ'
    ok '... so it says' says '^o  *settings  *fail '
done
sb verify signature "$(echo "$one" | sed s/lm1b/imdb/)" --store "$s"
ok 'of a task that the store does not have every field differs' exits 3
ok '... all nine' says '^0 same, 9 differ'
sb verify signature "$(echo "$one" | sed s/smoke/full/)" --store "$s"
ok 'a store of another scale has no such cells' exits 7 'at scale full'
sb verify signature "$(echo "$one" | sed s/13a/intl/)" --store "$s"
ok 'another metric is named' exits 3
ok '... with what the store gives' says '^m .*/intl/.* .*/13a/'
ok '... and the signature that it gives' says "^the store has SB|t:wmt"
ok '... the others are the same' says '^8 same, 1 differ'

# ---- a setting, a store, seeds ----
sb run "$work/x.yaml" --store "$work/set" -S steps=5 -E 'variant==vanilla'
ok 'a store of another setting is made' exits 0
set=$("$program" table 2 --all --store "$work/set" | sed -n 's/^  Transformer: //p')
ok 'two rows that differ by a setting have two signatures' test "$set" != "$one"
sb verify signature "$one" --store "$work/set" --json
ok 'another store differs' exits 3
ok '... in the settings alone' json '"o" eq join " ",
    map { $_->{subject} } grep { $_->{verdict} eq "fail" } @{$j->{rows}}'
sb run "$work/x.yaml" --store "$work/more" --seeds 1 -E 'variant==vanilla'
few=$("$program" table 2 --all --store "$work/more" | sed -n 's/^  Transformer: //p')
sb verify signature "$few" --store "$s"
ok 'a row of one seed is in the store of more' exits 0

# ---- invalid signatures ----
refused() { # SIGNATURE WORDS
    sb verify signature "$1" --store "$s"
    exits 2 "$2"
}
ok 'no signature' refused 'none: not run' 'is not a signature'
ok 'an empty one' refused '' 'the name is empty'
ok 'one of a newer form' refused "SB2${one#SB}" 'is not a signature'
ok 'a further field' refused "$one|x:1" "unknown field 'x:1'"
ok 'a field that is not there' refused "${one%|p:*}" \
    "expected the field p: (program), found ''"
ok 'half a signature' refused "${one%;*}" 'expected one value'
ok 'what moves a cursor' refused "$(printf '%s\033[31m' "$one")" \
    'is not a signature'
sb verify signature "$one"
ok 'a store must be named' exits 2 '--store'
sb verify signature --store "$s"
ok 'a signature must be given' exits 2
sb verify signature "$one" --store "$work/none"
ok 'no store has no such cells' exits 7
sb verify signature "$(echo "$one" | sed 's/o:[^|]*/o:1/; s/vanilla/dense/')" \
    --store "$s"
ok 'nor has one of other cells' exits 7 'no cell of dense on wmt14_ende;lm1b;'

cell=$(ls "$work"/more/cells/*.h5 | head -n 1)
perl -e 'open my $f, "+<", $ARGV[0] or die; seek $f, 3000, 0; print $f "x"' \
    "$cell"
sb verify signature "$few" --store "$work/more"
ok 'a damaged cell is the store'"'"'s damage' exits 5 "${cell##*/}"
done_testing
