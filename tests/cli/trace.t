#!/bin/sh
# `synthbench trace`: the contents of a file, the verdicts of --check, and
# messages about bad input.
. tests/support/tap.sh

double=build/double/synthbench
golden=tests/data/traces

# edit FROM TO FILE: replaces bytes of the config of a golden trace by as many
# others.
edit() {
    perl -0777 -pe "s/\\Q$1\\E/$2/" "$golden/$3.h5" >"$work/edited.h5"
}

# ---- golden traces, made in PyTorch ----
files=$(find $golden -name '*.h5' | wc -l)
sb trace --check $golden/*.h5
ok 'the golden traces are repeated' exits 0
ok '... all of them' says "^$files passed, 0 failed\$"
ok '... one line a file' test "$(grep -c '^PASS ' "$work/out")" = "$files"
if [ -x $double ]; then
    $double trace --check $golden/*.h5 >"$work/out" 2>"$work/err"
    code=$?
    ok '... in double precision, too' exits 0
else
    ok '... in double precision, too # SKIP MODE=double is not built' true
fi
{
    "$program" list variants --json |
        sed -n 's/.*"name": *"\([^"]*\)".*/\1/p' | grep -v -- '-conv-mtf$'
    printf '%s\n' -logits -plus -sigmoid -weights -heads
    for family in seq2seq lm encoder; do
        printf '%s\n' $family-t2t- $family-t5-
    done
} >"$work/wanted"
ok '... of every variant, family, preset and reading' sh -c "
    ls $golden >'$work/have'
    while read -r what; do
        grep -q -e \"\$what\" '$work/have' || { echo no \$what; exit 1; }
    done <'$work/wanted'"
edit '"warmup": 100' '"warmup": 101' lm-t2t-vanilla
sb trace --check $golden/lm-t2t-dense+vanilla-weights.h5 "$work/edited.h5"
ok 'another warm-up is found' exits 1
ok '... and named with its figure' says '^FAIL .*lr [0-9.e-]* > 1e-06 at steps/'
ok '... the other file passes' says '^1 passed, 1 failed$'
edit '"ff": ' '"fg": ' lm-t2t-vanilla
sb trace --check "$work/edited.h5"
ok 'an unknown key is refused' exits 8 "$work/edited.h5: unknown key 'fg'"
edit '"lm"' '"ln"' lm-t2t-vanilla
sb trace --check "$work/edited.h5"
ok 'an unknown family too' exits 8 "unknown family 'ln'"
head -c 5000 $golden/lm-t2t-vanilla.h5 >"$work/torn.h5"
sb trace --check "$work/torn.h5"
ok 'a torn file is no trace' exits 8 "$work/torn.h5"
sb trace --check README.md
ok 'a text is no trace' exits 8 'README.md: not an HDF5 file'
sb trace --check "$work/none.h5"
ok 'a file that is not there' exits 2 'none.h5'
sb trace --check
ok '--check without a file' exits 2 'specify the files'
sb trace --check -S d=8 $golden/lm-t2t-vanilla.h5
ok '--check takes no settings' exits 2 'from the files'

# ---- traces written by the program ----
sb trace --family lm --preset t5 --variant fixed-random+random --steps 2 \
    -S layers=1 -S tied=false -o "$work/a.h5"
ok 'a trace is written' exits 0
h5dump -n "$work/a.h5" 2>&1 | sed -n 's/^ dataset *//p' | sort >"$work/names"
{
    for at in embed.table decoder.relative decoder.0.self.norm.gain \
        decoder.0.self.v decoder.0.self.o decoder.0.self.random.R \
        decoder.0.self.mix.a decoder.0.ffn.norm.gain decoder.0.ffn.w1 \
        decoder.0.ffn.w2 decoder.norm.gain softmax.table; do
        printf '/%s/'$at'\n' params grads end
    done
    printf '/%s/decoder.0.self.fixed-random.R\n' frozen frozen_end
    for t in 1 2; do
        printf "/steps/$t/%s\n" loss lr batch/target_in batch/target_out \
            batch/target_length
    done
} | sort >"$work/wanted"
ok '... with the promised names, and no other' cmp "$work/names" "$work/wanted"
for a in config state; do
    h5dump -a $a "$work/a.h5" >"$work/out" 2>"$work/err"
    ok "... and the attribute $a" says 'STRSIZE H5T_VARIABLE'
done
sb trace --check "$work/a.h5"
ok '... it is repeated' says '^1 passed, 0 failed$'
for threads in 1 2 5; do
    sb trace --family seq2seq --variant dense+vanilla -S shards=3 \
        -S threads=$threads -o "$work/$threads.h5"
done
ok 'threads change no bit' sh -c "
    cmp '$work/1.h5' '$work/2.h5' && cmp '$work/1.h5' '$work/5.h5'"
sb trace --family seq2seq --variant dense+vanilla --seed 2 -o "$work/s.h5"
ok 'a seed does' sh -c "! cmp -s '$work/1.h5' '$work/s.h5'"
for v in lightweight-conv-mtf dynamic-conv-mtf; do
    sb trace --family encoder --variant $v -o "$work/c.h5"
    ok "$v can be traced" exits 0
done
sb trace
ok 'a trace needs a place' exits 2 '-o FILE'
sb trace "$work/a.h5"
ok 'a file without --check' exits 2 '--check'
sb trace --variant linformer -o "$work/x.h5"
ok 'linformer in a decoder' exits 2 'linformer in family lm: its rows depend on later'
sb trace --variant vanila -o "$work/x.h5"
ok 'an unknown variant' exits 2 "did you mean 'vanilla'?"
sb trace --family llm -o "$work/x.h5"
ok 'an unknown family' exits 2 "unknown family 'llm'"
sb trace --variant random+vanilla+dense --mix sigmoid -o "$work/x.h5"
ok 'a sigmoid of three parts' exits 2 'exactly two parts'
sb trace -S layres=1 -o "$work/x.h5"
ok 'an unknown key' exits 2 "did you mean 'layers'?"
sb trace -S seed=3 -o "$work/x.h5"
ok '-S seed' exits 2 'use --variant or --seed'
sb trace -S dropout=0.1 -o "$work/x.h5"
ok 'dropout' exits 2 'other programs cannot repeat'
sb trace -S precision=bf16 -o "$work/x.h5"
ok 'products in bfloat16' exits 2 'fp32'
sb trace -S batch.by=tokens -o "$work/x.h5"
ok 'batches of tokens' exits 2 'all batches of a trace have the same size'
sb trace -S probe=true -S layers=1 -o "$work/x.h5"
ok 'a probe' exits 2 'traces require a whole model'
sb trace -S device=cuda -o "$work/x.h5"
ok 'a GPU' exits 2 'traces are of the processor'
sb trace -S length=25 -o "$work/x.h5"
ok 'n > N' exits 2 'is greater than N'
sb trace -S classes=3 -o "$work/x.h5"
ok 'classes of a language model' exits 2 'family lm has no classes'
sb trace --family seq2seq -S classes=3 -o "$work/x.h5"
ok '... and of a translator' exits 2 'family seq2seq has no classes'
sb trace --steps 1001 -o "$work/x.h5"
ok 'more steps than anybody could compare' exits 2 'at most 1000'
sb trace --preset t5 -S relative_distance=16 -o "$work/x.h5"
ok 'relative positions without a logarithm' exits 2 'must be above 16'
sb trace -S schedule.warmup=8000 -o "$work/x.h5"
ok 'a warm-up that drowns the update' exits 2 'float32 rounding error is'
sb trace -S schedule.scale=1e30 -o "$work/x.h5"
ok 'a loss that is not finite' exits 1 'of step 2 is not finite'
ok '... and none of these left a file' test ! -e "$work/x.h5"
sb trace -o "$work/no/where.h5"
ok 'a folder that is not there' exits 2 'where.h5'
sb trace "S#vanilla/lm1b/1" -o "$work/x.h5"
ok 'a cell' exits 2 'reads no file and no cell'

done_testing
