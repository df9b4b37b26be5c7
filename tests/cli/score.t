#!/bin/sh
# score and verify metrics from outside.
. tests/support/tap.sh

unset SYNTHBENCH_METRIC_DATA
vectors=tests/data/metrics

first() { head -n 1 "$work/out" | grep -q -e "$1"; }

# ---- score ----
hyp=$vectors/bleu_sacrebleu/basic_en/hyp.txt
ref=$vectors/bleu_sacrebleu/basic_en/ref1.txt
sb score bleu --hyp $hyp --ref $ref
ok 'score bleu prints what sacreBLEU prints' says \
    'BLEU = 40.70 77.6/51.9/35.4/23.3 (BP = 0.954 ratio = 0.955'
ok '... and its signature' says \
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
sb score bleu --hyp $hyp --ref $ref --ref $hyp -S lowercase=true --json
ok 'score --json has score, signature and components' json '
    $j->{schema_version} == 1 && $j->{metric} eq "bleu" &&
    abs($j->{score} - 100) < 1e-9 && $j->{bp} == 1 && @{$j->{precisions}} == 4 &&
    $j->{signature} =~ /^nrefs:2\|case:lc\|/'
for metric in bleu_t2t bleu_multibleu; do
    sb score $metric --hyp $hyp --ref $ref --json
    ok "score $metric" json '$j->{score} > 10 && $j->{signature}'
done
s=$vectors/significance/tiny
sb score bleu --hyp $s/baseline.txt --hyp $s/sysA.txt --ref $s/ref1.txt \
    --paired-bootstrap --json
ok 'paired bootstrap as sacreBLEU draws it' json '
    my $a = $j->{systems}[1];
    $j->{signature} =~ /^nrefs:1\|bs:1000\|seed:12345\|case/ &&
    $a->{count_extreme} == 96 && !defined $j->{systems}[0]{p_value}'
sb score bleu --hyp $s/baseline.txt --hyp $s/sysA.txt --ref $s/ref1.txt \
    --paired-ar --resamples 500
ok 'paired approximate randomisation, as a table' says \
    'sysA.txt  *72.06  *0.3353'
sb score rouge --hyp $s/baseline.txt --hyp $s/sysA.txt --ref $s/ref1.txt \
    --paired-ar --resamples 500
ok 'scores up to 1 have four digits' says 'sysA.txt  *0\.[0-9]\{4\} '

# ---- bad input ----
printf 'a\nb\n' >"$work/two"
printf 'a\n' >"$work/one"
printf 'a\nb\377\n' >"$work/bytes"
: >"$work/empty"
sb score bleu --hyp "$work/two" --ref "$work/one"
ok 'different line counts' exits 8 'two has 2 and '
sb score bleu --hyp "$work/two" --ref "$work/bytes"
ok 'bytes that are no UTF-8, with file and line' exits 8 'bytes:2: byte 0xFF'
sb score bleu --hyp "$work/empty" --ref "$work/one"
ok 'an empty file' exits 8 'empty: the file is empty'
sb score bleu --hyp "$work/none" --ref "$work/one"
ok 'no file' exits 2 'none: No such file'
sb score bleu --hyp "$work/one"
ok 'no reference' exits 2 'bleu needs --ref FILE'
sb score bluw --hyp "$work/one" --ref "$work/one"
ok 'an unknown metric, with the nearest' exits 2 "did you mean 'bleu'?"
sb score bleu --hyp "$work/one" --ref "$work/one" -S tokenise=zh
ok 'an unknown option, with the nearest' exits 2 "did you mean 'tokenize'?"
sb score bleu --hyp "$work/one" --hyp "$work/one" --ref "$work/one"
ok 'two systems without a test' exits 2 '--paired-bootstrap'
sb score bleu_t2t --hyp "$work/one" --ref "$work/one" --paired-ar
ok 'a metric that cannot be resampled' exits 2 \
    'bleu_t2t has no significance test; these scorers have one: bleu, rouge'
many=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
    echo "--ref $work/one"
done)
# shellcheck disable=SC2086
sb score bleu --hyp "$work/one" $many
ok 'more references than there is room for' exits 2 '17 references: at most 16'
sb score bleu_multibleu --hyp "$work/two" --ref "$work/two" --gold "$work/two"
ok 'labels for a metric of texts' exits 2 'takes --hyp FILE and --ref FILE'
sb score bleu_ende_t2t --hyp "$work/one" --ref "$work/one"
ok 'a list that is not there' exits 8 '-S nonbreaking=DIR'

# ---- verify metrics ----
sb verify metrics --vectors $vectors/bleu_multibleu
ok 'verify metrics of one metric' exits 0
ok '... counts' first '^16 passed, 0 failed, 0 not applicable$'
sb verify metrics --vectors $vectors/bleu_multibleu/basic_en --json
ok 'verify metrics of one case' json '
    $j->{failed} == 0 && @{$j->{rows}} == 1 &&
    $j->{rows}[0]{verdict} eq "pass" &&
    $j->{rows}[0]{subject} eq "bleu_multibleu/basic_en"'
sb verify metrics --vectors $vectors/moses_tokenizer
ok 'what needs data that is not there is skipped' exits 0
ok '... and counted' first '^0 passed, 0 failed, 1 not applicable$'
ok '... and named, with the reason' \
    says '^moses_tokenizer: moses_tokenizer n/a: needs Moses'
# The lists of tests/data have the abbreviations that these texts contain.
sb verify metrics --vectors $vectors/moses_tokenizer --data tests/data
ok 'with lists of abbreviations the tokenizer is that of Moses' \
    first '^1 passed, 0 failed, 0 not applicable$'
sb verify metrics --vectors $vectors/bleu_ende_t2t_pipeline --data tests/data
ok '... and the stages and scores are those of tensor2tensor' \
    first '^2 passed, 0 failed, 0 not applicable$'
mkdir -p "$work/v/bleu_t2t" "$work/v/no_such" "$work/nothing"
cp -r $vectors/bleu_t2t/basic_en "$work/v/bleu_t2t/changed"
sed 's/"sys_len": 233/"sys_len": 232/' $vectors/bleu_t2t/basic_en/expected.json \
    >"$work/v/bleu_t2t/changed/expected.json"
sb verify metrics --vectors "$work/v"
ok 'a changed value and an unknown folder fail' exits 1
ok '... the value in full' says '^bleu_t2t/changed: bleu_t2t fail: .*: expected 232, got 233$'
ok '... the folder by name' says "no metric has a folder 'no_such'"
ok '... and are counted' first '^0 passed, 2 failed, 0 not applicable$'
sb verify metrics --vectors "$work/nothing"
ok 'no case at all' exits 7
sb verify metrics --vectors "$work/nowhere"
ok 'no folder' exits 2 'nowhere: No such file'
sb verify variants --vectors $vectors
ok 'vectors for a subject that has none' exits 2 "unknown option '--vectors'"
sb verify metrics --store "$work/v"
ok 'nor a store for one that has vectors' exits 2 "unknown option '--store'"
sb verify matrics
ok 'an unknown subject, with the nearest' exits 2 "did you mean 'metrics'?"

done_testing
