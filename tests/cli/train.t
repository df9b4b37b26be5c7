#!/bin/sh
# Cells that are trained without an experiment file, and files read from stdin.
. tests/support/tap.sh

small='-S layers=1 -S d=16 -S ff=16 -S N=8 -S batch=8 -S steps=4 -S evals=1
       -S train=64 -S valid=16 -S test=16'
s=$work/store
# shellcheck disable=SC2086 # words
train() { sb train --like smoke --store "$s" $small "$@"; }
cells() { # WORDS: keys of each cell of the last output, sorted
    perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        print join(" ", sort map { my $c = $_; join("/", map { $c->{$_} } @ARGV)
        } @{$j->{cells}})' "$@" <"$work/out"
}
same() { [ "$1" = "$2" ] || { echo "$1, not $2"; return 1; }; }

train --task lm1b --variant random --json
ok 'train makes a cell without a file' exits 0 'trained 1 cell'
ok '... this one' same "$(cells variant task scale seed status)" \
    random/lm1b/smoke/1/done
cells id >"$work/id"
# shellcheck disable=SC2086
sb plan smoke -E 'variant==random && task==lm1b' $small --json
ok '... which is that of the experiment like which it is' same "$(cells id)" \
    "$(cat "$work/id")"
sb train --like smoke --store "$work/one" $small -S test=1 -S decode.beam=1 \
    --synthetic --task wmt14_ende --variant vanilla
ok 'one test example to translate is enough' exits 0 'trained 1 cell'
train --task lm1b --variant dense+vanilla --variant uniform --seeds 7..8 --json
ok 'more come into the same store, mixtures as they are always spelled' \
    same "$(cells variant seed)" 'dense+vanilla/7 dense+vanilla/8 uniform/7 uniform/8'
sb table train --store "$s"
ok '... whose table is called what it is, not what they are like' says \
    '^Table train .*Cells named on the command line'
sb status --store "$s" --json
ok '... which then has all of them' same "$(cells variant seed status)" \
    'dense+vanilla/7/done dense+vanilla/8/done random/1/done uniform/7/done uniform/8/done'
train --task lm1b --variant random -S steps=5
sb status --store "$s" --json
ok 'other settings stand in for those before' same \
    "$(cells variant | tr ' ' '\n' | grep -c random)" 1
train --task lm1b --task agnews --variant random --json
ok 'several tasks' same "$(cells task status)" 'agnews/done lm1b/done'
sb plan quick --json -E 'variant==random && task==wmt14_ende && seed==1'
cells row id params >"$work/quick"
sb train --task wmt14_ende --variant random --store "$work/none" \
    --cache "$work/none" --json
ok 'without --like it is one of quick, whose text must be there' exits 8 \
    'data fetch'
sb status --store "$work/none" --json
ok '... alone: nothing is tuned' same "$(cells row id params)" \
    "$(grep -o 'random/[^ ]*' "$work/quick")"


# ---- options shared with `run` ----

train --task lm1b --variant random -S steps=5 --format json
cp "$work/out" "$work/json"
train --task lm1b --variant random -S steps=5 --json
ok 'what is done stays' exits 0 'trained 0 cells'
ok '--json is --format json' cmp "$work/out" "$work/json"
train --task lm1b --variant random -S steps=5 --force
ok '--force trains it again' exits 0 'bit-identical'
train --task lm1b --task agnews --variant uniform -E task==agnews --json
ok '-E chooses' same "$(cells task status)" agnews/done
train --task lm1b --variant uniform --scale reduced --synthetic --json
ok '--scale, --synthetic: that scale, from generators' same \
    "$(cells scale status)" reduced/done
jobs() { # STORE: of its one cell
    h5dump -a /timing/jobs "$1"/cells/*.h5 | sed -n 's/.*(0): //p'
}
for jobs in 1 3; do
    sb train --like smoke --task lm1b --variant uniform -S steps=2 -j $jobs \
        --store "$work/jobs$jobs"
done
ok '-j: a cell says how many' same "$(jobs "$work/jobs1") $(jobs "$work/jobs3")" \
    '1 3'
long='--like smoke --task lm1b --variant random -j 1 -S steps=100000000'
# shellcheck disable=SC2086 # words
sb train $long --store "$work/long" --timeout 0.1
ok '--timeout is the limit' exits 1 'took longer than --timeout 0.1 s'
# shellcheck disable=SC2086
sb train $long --store "$work/long" --stall 0.0001
ok '--stall, too' exits 1 'no progress for 0.0001 s'
sb train --task agnews --variant uniform --scale full --store "$work/full" \
    -S d=16 -S heads=2 -S ff=16 -S layers=1 -S N=8 -S vocab=330 -S batch=2 \
    -S shards=2 -S steps=2 -S precision=fp32 --cache "$work/none" \
    --data-dir tests/data/fixtures
ok '--data-dir has official files' exits 0 'trained 1 cell'

sb train --task lm1b
ok 'both must be said' exits 2 '--variant'
train --task lm1b --variant randon
ok 'an unknown variant, with the nearest' exits 2 "--variant: unknown"
train --task lm1b --variant random --variant random
ok 'a word twice' exits 2 'appears twice'

sb show "$s#randon/lm1b/1"
ok 'a cell of a name that is nearly one of the store' exits 7 \
    "no such cell: did you mean 'random/lm1b/1'?"
sb compare "$s#random/lm1c" "$s#uniform/lm1b"
ok '... or of all its seeds' exits 7 "did you mean 'random/lm1b'?"
sb show "$s#what/ever/1"
ok '... and of one that is not' exits 7 'name it by 6 or more digits'

# ---- stdin ----

cat >"$work/x.yaml" <<'Y'
title: Piped
variants: [uniform]
tasks: [lm1b]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 8, vocab: 24, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16}
Y
# shellcheck disable=SC2002 # a pipe is what is tested
cat "$work/x.yaml" | "$program" run - --store "$work/piped" 2>"$work/err"
code=$?
ok 'run - reads the experiment from a pipe' exits 0 'trained 1 cell'
"$program" plan - --json <"$work/x.yaml" >"$work/out" 2>"$work/err"
ok '... and from a file' same "$(cells variant task)" uniform/lm1b
echo 'title: 1' | "$program" plan - >"$work/out" 2>"$work/err"
code=$?
ok '... whose mistakes it names' exits 2 "stdin:1: 'variants' is missing"
echo 'the cat sat on the mat today' >"$work/ref"
# shellcheck disable=SC2002
cat "$work/ref" | "$program" score bleu --hyp - --ref "$work/ref" \
    >"$work/out" 2>"$work/err"
ok 'score --hyp -' says 'BLEU = 100'

mkdir -p "$work/own/experiments"
sed 's/Piped/Own/' "$work/x.yaml" >"$work/own/experiments/own.yaml"
sed 's/uniform/vanilla/' "$work/x.yaml" >"$work/own/experiments/smoke.yaml"
whole=$(cd "${program%/*}" && pwd)/${program##*/}
(cd "$work/own" && "$whole" plan own --json) >"$work/out"
ok "a name is that of an experiment in the user's folder" same \
    "$(cells variant task)" uniform/lm1b
(cd "$work/own" && "$whole" plan smoke --json) >"$work/out"
ok '... before that of one that came with the program' same \
    "$(cells variant task)" vanilla/lm1b
(cd "$work/own" && "$whole" plan table4 --json) >"$work/out" 2>"$work/err"
code=$?
ok '... which the others still are' exits 0

# ---- where an unfinished cell is ----

"$program" train --like smoke --task lm1b --variant random \
    --store "$work/saved" -j 1 -S steps=100000000 2>"$work/err" &
pid=$!
trains "$work/saved"
kill "$pid"
wait "$pid"
step=$(sed -n 's/.*saved at step \([0-9]*\) of.*/\1/p' "$work/err" | head -n 1)
sb status --store "$work/saved"
ok 'status says at which step a cell is saved' says \
    "missing .*saved at step ${step:-none} of 100000000"
sb status --store "$work/saved" --json
ok '... to programs, too' json '$j->{cells}[0]{saved} == '"${step:--1}"' &&
    !defined $j->{cells}[0]{reason}'
sb status --store "$s" --json
ok '... and of those that are done there is none' json '
    !grep { defined $_->{saved} } @{$j->{cells}}'

done_testing
