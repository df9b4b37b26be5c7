#!/bin/sh
# claims: every claim of a file is judged, by arithmetic over published numbers,
# by a check, by trained cells; and what is wrong with a file is said.
. tests/support/tap.sh

# ---- those that come with the program ----
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
    'its kernels are untied, as in the table'

# ---- a file of one's own ----
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
ok '... and the last line counts' says '^2 claims: 1 holds only if, 1 not testable'
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
sb claims
ok 'no line is wider than 80 letters' test -z "$(grep '.\{81\}' "$work/out")"

# ---- what is wrong is said, with its line ----
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
ok 'an expectation that is none' wrong 'bad.yaml:12: gap: about 0.45: expected' \
    's/"< 0.45"/"about 0.45"/'
ok 'bounds in the wrong order' wrong 'the lesser first' 's/0.35, 0.45/0.45, 0.35/'
ok 'an id that stands twice' wrong 'id: gap stands twice' 's/id: none/id: gap/'
ok 'a case without its condition' wrong "bad.yaml:10: 'if' is missing" '/if: it is of LM1B/d;s/        numbers: {gap: "\[random/      - numbers: {gap: "[random/'
ok 'a part of another kind' wrong \
    "'reason' is no part of a claim of kind published" 's/^    text: The/    reason: x\n&/'
sb claims --file "$work/own.yaml" gip
ok 'an unknown claim' exits 2 "unknown claim 'gip': did you mean 'gap'"
sb claims --store "$work/nothing"
ok 'a store without results' exits 7
done_testing
