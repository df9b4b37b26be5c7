#!/bin/sh
# Cells trained by another program. In this test the engine itself acts as the
# other program: its weights and curve of a trained cell are what a trainer
# would write. tests/readers/trainer.t uses a trainer in PyTorch.
. tests/support/tap.sh

s=$work/store
small='-S layers=1 -S d=16 -S ff=16 -S heads=2 -S N=8 -S batch=8 -S steps=12
       -S evals=2 -S train=64 -S valid=16 -S test=16'
# shellcheck disable=SC2086 # words
sb train --like smoke --store "$s" $small --task c4 --variant random \
    --variant fixed-random
ok 'there are cells to lend' exits 0 'trained 2 cells'

id_of() { # CELL: its id
    prints "$work/json" "$work/err" show --store "$s" "$1" --json
    perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{cells}[0]{id}' \
        <"$work/json"
}
numbers() { # FILE DATASET: its numbers, one a line
    h5dump -y -w 1 -m %.17g -d "$2" "$1" | sed -n 's/^ *\([0-9.e+-]*\),\{0,1\}$/\1/p' |
        grep .
}
trained() { # CELL DIR: what a trainer would write, by the engine's own cell
    id=$(id_of "$1")
    mkdir -p "$2/trained"
    cp "$2/trace.h5" "$2/trained/trace.h5"
    cp "$s/weights/$id.h5" "$2/trained/weights.h5"
    numbers "$s/cells/$id.h5" /curves/train/loss >"$work/loss"
    valid=$(numbers "$s/cells/$id.h5" /curves/valid/ce | tail -n 1)
    awk -v OFS='\t' -v valid="$valid" 'BEGIN { print "step", "train", "valid" }
        { line[NR] = $1 }
        END { for (i = 1; i <= NR; i++)
                  print i, line[i], i == NR ? valid : "" }' "$work/loss" \
        >"$2/trained/curve.tsv"
    echo '{"framework": "the engine", "machine": "here"}' \
        >"$2/trained/trainer.json"
}

# ---- lend ----

L=$work/L
sb lend "$s#random/c4/1" -o "$L"
ok 'a cell is lent' exits 0 'lent random/c4/1'
ok '... and the command that stores it again is printed' exits 0 \
    "adopt $L --store $s"
# HDF5 counts the same bytes, before compression
all=0
for f in start steps trace data; do
    bytes=$(h5ls -rv "$L/$f.h5" | awk '/logical bytes/ { n += $2 } END { print n }')
    all=$((all + bytes))
    printf 'synthbench: %s: %.3g MB before compression\n' "$L/$f.h5" "${bytes}e-6"
done >"$work/sizes"
printf 'synthbench: %s: %.3g MB\n' "$L" "${all}e-6" >>"$work/sizes"
grep ' MB' "$work/err" >"$work/said"
ok '... after the sizes of the files, and their sum' cmp "$work/sizes" "$work/said"
for f in contract.json config.json start.h5 data.h5 steps.h5 trace.h5; do
    ok "... with $f" test -s "$L/$f"
done
sb trace --check "$L/trace.h5"
ok '... and a trace that the engine repeats' exits 0
# shellcheck disable=SC2086 # words
sb train --like smoke --store "$work/bf16" $small --task c4 --variant random \
    -S precision=bf16
sb lend "$work/bf16#random/c4/1" -o "$work/bf16.lent"
ok '... in fp32, although the cell is trained in bf16' \
    grep -q '"precision": "fp32"' "$work/bf16.lent/config.json"
ok '... which the contract says' \
    grep -q '"precision": "bf16"' "$work/bf16.lent/contract.json"
ok '... whose arrays say what they are' sh -c 'h5dump -a \
    /steps/1/loss/unit_name "$1" | grep -q nats' - "$L/trace.h5"
cell=$(id_of random/c4/1)
ok '... no test set' sh -c '! h5dump -n "$1" | grep -q test' - "$L/data.h5"
numbers "$L/steps.h5" /lr >"$work/lr"
numbers "$s/cells/$cell.h5" /curves/train/lr >"$work/wanted"
ok '... the rates of the steps' cmp "$work/lr" "$work/wanted"
ok '... rows for every step' test "$(numbers "$L/steps.h5" /rows | wc -l)" = 96
sb lend "$s#random/c4/1" -o "$L"
ok 'a folder is lent once' exits 2 'a cell was lent there'
sb lend "$s#random/c4" -o "$work/x"
ok 'one cell is lent' exits 2 'with its seed'
sb lend "$s#random/c4/1"
ok '... into a folder' exits 2 '-o DIR'
sb lend "$s#fixed-random/c4/1" -o "$work/F" --ids "$L/data.h5"
ok 'ids are lent by reference' exits 0
ok '... and not copied' test ! -e "$work/F/data.h5"
sb lend "$s#fixed-random/c4/1" -o "$work/x" --ids "$L/steps.h5"
ok '... of the same data alone' exits 2 'holds other data'

# ---- adopt ----

A=$work/adopted
sb adopt "$L" --store "$A"
ok 'nothing was trained' exits 8 'trained/trace.h5: is missing'
trained random/c4/1 "$L"
trained fixed-random/c4/1 "$work/F"
sb adopt "$L" --store "$s"
ok 'trained weights are adopted' exits 0 'adopted'
sb show --store "$s" random,trainer=external/c4/1 --json
ok '... as a cell of their own' json '$j->{cells}[0]{id} ne "'"$cell"'"'
ok '... with its provenance' json '$j->{cells}[0]{provenance}{trainer} eq
    "external" && $j->{cells}[0]{provenance}{trainer_framework} eq
    "the engine"'
ok '... and the digest of the contract' json \
    '$j->{cells}[0]{provenance}{trainer_contract} eq "'"$(sha256sum \
    <"$L/contract.json" | cut -c 1-64)"'"'
other=$(id_of random,trainer=external/c4/1)
for x in examples/test/nll curves/train/loss curves/train/lr; do
    numbers "$s/cells/$cell.h5" /$x >"$work/a"
    numbers "$s/cells/$other.h5" /$x >"$work/b"
    ok "... and the engine's $x" cmp "$work/a" "$work/b"
done
ok '... whose weights other cells can start from' test -s "$s/weights/$other.h5"
sb verify store --store "$s"
ok '... in a store that is whole' exits 0
sb adopt "$L" --store "$s"
ok 'a cell is adopted once' exits 2 'already; name another store with --store'
sb lend "$s#random,trainer=external/c4/1" -o "$work/x"
ok '... and not lent again' exits 2 'another program trained it'
sb adopt "$work/F" --store "$A"
ok 'a store is made where there is none' exits 0
sb status --store "$A" --json
ok '... with that cell' json '@{$j->{cells}} == 1 &&
    $j->{cells}[0]{row} eq "fixed-random,trainer=external"'

# ---- labels ----

sb table train --all --store "$s"
ok 'a table names its row' says '^random,trainer=external '
ok '... and says why it is not compared' says 'trained by another program'
ok '... so does its signature' says '|v:random,trainer=external|'
sb table train --all --store "$s" --json
ok '... it has no rank or star' json '!grep { my $r = $_;
    $r->{variant} =~ /external/ && grep { $_->{best} || defined $_->{rank} }
    @{$r->{values} || []} } @{$j->{rows}}'
sb compare "$s#random/c4" "$s#random,trainer=external/c4"
ok 'rows that are named are compared' says '^ce .* +0  '

sb export --store "$s"
ok 'an export names them' says 'random,trainer=external'

# ---- never trained by run, rerun or gate ----

sb baseline save lent --store "$s" --baselines "$work/baselines"
# shellcheck disable=SC2086 # words
sb gate --baseline lent --baselines "$work/baselines" smoke --store "$work/gate" $small \
    -E 'task==c4 && variant~random && variant!=factorized-random'
ok 'the gate compares only what it can train' exits 0 \
    'not compared: 1 cell of baseline lent'
ok '... and all of that' says '^PASS: 2 of 2 compared cells'
sb gate --baseline lent --baselines "$work/baselines" --store "$s"
ok '... but without an experiment, everything' says \
    '^PASS: 3 of 3 compared cells'

sb rerun "$s#$other"
ok 'rerun does not train it' exits 2 'another program trained this cell'
sb run --store "$s" --force
ok 'run --force trains the others' exits 0 'trained 2 cells'
sb run smoke -S trainer=external --store "$work/x"
ok 'no setting makes one' exits 2 'only `adopt` can set it'
rm "$s/cells/$other.h5"
sb run --store "$s"
ok 'run does not train one that is missing' grep -q \
    'another program trained it; `synthbench adopt`' "$work/err"
sb adopt "$L" --store "$s"
ok '... but adopt stores it again' exits 0

# ---- bad input ----

poke() { # FILE DATASET HEX: the first bytes of its values
    at=$(h5dump -p -H -d "$2" "$1" | sed -n 's/^ *OFFSET \([0-9]*\)/\1/p')
    perl -e 'open my $f, "+<", $ARGV[0] or die; seek $f, $ARGV[1], 0;
        print $f pack "H*", $ARGV[2]' "$1" "$at" "$3"
}
again() { # DIR: a fresh copy of it in $work/B
    rm -rf "$work/B"
    cp -r "$1" "$work/B"
}
refused() { # NAME WORDS
    sb adopt "$work/B" --store "$work/none"
    ok "$1" exits 8 "$2"
    ok '... and nothing is stored' test ! -e "$work/none"
}
R=/params/decoder.0.self.random.R
F=/frozen/decoder.0.self.fixed-random.R
again "$L"
sed -i 's/"steps": 12/"steps": 13/' "$work/B/contract.json"
refused 'an edited contract' 'it does not match its seal'
again "$L"
poke "$work/B/start.h5" $R 0000803f
refused 'start weights that were changed' 'start.h5: was changed'
again "$L"
rm "$work/B/steps.h5"
refused 'a lent file that is missing' 'steps.h5: is missing'
again "$L"
cp "$work/F"/trained/* "$work/B/trained"
refused 'what was trained from another folder' 'trace.h5'
again "$L"
poke "$work/B/trained/trace.h5" $R 0000803f
refused 'a trace of other weights' 'is not that of the lent trace.h5'
again "$L"
poke "$work/B/trained/trace.h5" /grads/decoder.0.self.v 0000803f
refused 'a gradient that differs' 'gradient: decoder.0.self.v has an error of'
again "$L"
cp "$work/B/start.h5" "$work/B/trained/weights.h5"
refused 'weights that were not trained' 'was never trained'
again "$L"
cp "$work/F/trained/weights.h5" "$work/B/trained/weights.h5"
refused 'weights of another variant' 'is missing'
again "$L"
poke "$work/B/trained/weights.h5" $R 0000c07f
refused 'a weight that is not a number' 'not a number'
again "$L"
poke "$work/B/trained/weights.h5" $R 0000807f
refused 'a weight that is infinite' 'infinite'
again "$work/F"
poke "$work/B/trained/weights.h5" $F 0000803f
refused 'a frozen tensor that moved' 'is frozen, but it was changed'
again "$L"
sed -i '$d' "$work/B/trained/curve.tsv"
refused 'a curve without its last step' 'ends at step 11, but the cell has 12'
again "$L"
sed -i 5d "$work/B/trained/curve.tsv"
refused 'a curve without a step' 'curve.tsv:5: step 5, expected step 4'
again "$L"
sed -i 's/^3\t.*/3\tnan\t/' "$work/B/trained/curve.tsv"
refused 'a loss that is not a number' 'TRAIN is not a finite number'
again "$L"
sed -i '$s/\t[^\t]*$/\t3.5/' "$work/B/trained/curve.tsv"
refused 'another loss than that of the weights' 'by the engine with these weights'
again "$L"
echo '{"framework": "x"}' >"$work/B/trained/trainer.json"
refused 'a trainer without its machine' "'machine' must be text"
again "$L"
echo '{' >"$work/B/trained/trainer.json"
refused 'a trainer that is no JSON' 'trainer.json'
for f in trace.h5 weights.h5; do
    again "$L"
    head -c 3000 "$L/trained/$f" >"$work/B/trained/$f"
    refused "a torn $f" "$f"
    cp README.md "$work/B/trained/$f"
    refused "$f that is a text" 'not an HDF5 file'
    rm "$work/B/trained/$f"
    mkfifo "$work/B/trained/$f"
    refused "$f that is a pipe" "$f"
done
sb adopt "$work/nowhere"
ok 'a folder that is missing' exits 2 nowhere
sb adopt "$work"
ok 'a folder that nobody lent' exits 8 'contract.json: is missing'

done_testing
