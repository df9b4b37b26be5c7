#!/bin/sh
# Cells that start from the weights of another cell (setting `pretrained`).
. tests/support/tap.sh

cat >"$work/x.yaml" <<'Y'
title: Pre-training and fine-tuning
variants: [vanilla, orthogonal]
tasks: [wmt14_ende, c4]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: 20, evals: 1, train: 64, valid: 16, test: 16, preset: t5}
override:
  - match: {task: wmt14_ende}
    set: {pretrained: c4, schedule.scale: 0, steps: 1}
Y
x=$work/x.yaml s=$work/store

weights() { # CELL: the digest of its last weights
    "$program" show "$s#$1" --json | perl -MJSON::PP -e 'local $/;
        print decode_json(<STDIN>)->{cells}[0]{weights}{sha256}'
}
same() { [ -n "$1" ] && [ "$1" = "$2" ]; }
change() { sed "$1" "$x" >"$work/y.yaml"; }

sb run "$x" --store "$s" -E 'task==wmt14_ende'
ok 'a cell without its start is blocked' exits 1 \
    'which is neither done'
sb status --store "$s" -E 'task==wmt14_ende' --json
ok '... and says so' json '
    !grep { $_->{status} ne "blocked" || $_->{reason} !~ /starts from/ }
        @{$j->{cells}}'
sb run "$x" --store "$s" --jobs 2
ok 'cells are trained after what they start from' exits 0 'trained 4 cells'
for v in vanilla orthogonal; do
    ok "$v starts from its own weights, bit for bit" \
        same "$(weights $v/wmt14_ende/1)" "$(weights $v/c4/1)"
done
ok '... which each variant has for itself' \
    test "$(weights vanilla/c4/1)" != "$(weights orthogonal/c4/1)"
sb show "$s#vanilla/wmt14_ende/1" --json
ok 'the cell tells which it started from' json '
    my $id = $j->{cells}[0]{config}{pretrained};
    $id =~ /^[0-9a-f]{16}$/ && -e "'"$s"'/weights/$id.h5"'
ok 'the weights are files that HDF5 reads' \
    h5dump -H -d /params/encoder.0.self.o "$(ls "$s"/weights/*.h5 | head -n 1)"
sb run "$x" --store "$s"
ok 'a second run trains nothing' exits 0 'trained 0 cells'
first=$(weights vanilla/c4/1)

change 's/seeds: .1./seeds: [1, 2]/; s/steps: 1}/steps: 1, batch: 4}/'
rm "$s"/weights/*
sb run "$work/y.yaml" --store "$s" --extend -E 'seed==1'
ok 'weights that are gone block, with the remedy' exits 1 'to train it again'
rm "$s"/cells/*
sb run "$work/y.yaml" --store "$s"
ok 'what starts in another way is another cell' exits 0 'trained 8 cells'
for seed in 1 2; do
    ok "each seed starts from the weights of its own: $seed" same \
        "$(weights vanilla/wmt14_ende/$seed)" "$(weights vanilla/c4/$seed)"
done
ok '... which differ' test "$(weights vanilla/c4/1)" != \
    "$(weights vanilla/c4/2)"
ok 'trained again, the weights are the same' \
    same "$first" "$(weights vanilla/c4/1)"

sb show "$s#vanilla/wmt14_ende/1" --json
ok 'the cell says what the weights were that it started from' json '
    $j->{cells}[0]{provenance}{pretrained_sha256} eq "'"$first"'"'

# A different number of steps is a different cell with the same initial weights.
steps=1
starts_anew() {
    steps=$((steps + 1))
    sed "s/steps: 1,/steps: $steps,/" "$work/y.yaml" >"$work/z.yaml"
    sb run "$work/z.yaml" --store "$s" --jobs 1 --extend \
        -E 'task==wmt14_ende && seed==1 && variant==vanilla'
}
id() { # CELL
    "$program" show "$s#$1" --json | perl -MJSON::PP -e 'local $/;
        print decode_json(<STDIN>)->{cells}[0]{id}'
}
one=$s/weights/$(id vanilla/c4/1).h5
cp "$one" "$work/sound.h5"
cp "$s/weights/$(id vanilla/c4/2).h5" "$one"
starts_anew
ok 'the weights of another seed are refused' exits 1 \
    'or not the file that its cell wrote'
printf 'no weights' >"$one"
starts_anew
ok 'damaged weights are named' exits 1 'is damaged'
cp "$work/sound.h5" "$one"
mv "$s/cells/${one##*/}" "$work"
starts_anew
ok 'weights whose cell is gone are of no use' exits 1 'neither done'
cp "$work/${one##*/}" "$s/cells"
starts_anew
ok 'and they are again when all is as it was' exits 0 'trained 1 cell'

change 's/pretrained: c4/pretrained: lm1b/'
sb plan "$work/y.yaml"
ok 'a task that keeps no weights is refused' exits 2 'lm1b do not keep their weights'
change 's/tasks: .*/tasks: [wmt14_ende]/'
sb plan "$work/y.yaml"
ok 'a start that the experiment lacks is named' exits 2 'has no such cell'
change 's/pretrained: c4/pretrained: c4, ff: 32/'
sb plan "$work/y.yaml"
ok 'another model cannot start there' exits 2 'ffn.w1 has another shape'
change 's/tasks: .*/tasks: [c4]/; s/preset: t5/preset: t5, pretrained: c4/'
sb plan "$work/y.yaml"
ok 'nothing starts from itself' exits 2 'c4'

# ---- cells that start from an impossible model ----
sed 's/^variants:.*/variants: [linformer, vanilla]/
     s/^tasks:.*/tasks: [c4, agnews]/
     s/task: wmt14_ende/task: agnews, variant: linformer/' "$x" >"$work/b.yaml"
sb run "$work/b.yaml" --store "$work/blocked" -j 2
ok 'a cell that starts from a refused one is blocked' exits 1 \
    'it starts from c4, which is refused'
sb table 7 --store "$work/blocked" --json
ok '... in tables too, beside one that is done' json '
    my %is = map { $_->{variant} => $_->{cells}[0]{status} } @{$j->{rows}};
    $is{linformer} eq "blocked" && $is{vanilla} eq "done"'
sb table 7 --store "$work/blocked"
ok '... which name it' says 'linformer on agnews, seed 1: .*refused'

done_testing
