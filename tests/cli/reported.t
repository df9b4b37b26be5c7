#!/bin/sh
# Faults that users or public bug reports of similar tools described, each with
# the correct behaviour, and inputs of the same kind.
. tests/support/tap.sh

# ---- output files and escaping ----

# ---- stores and special files ----
cat >"$work/special.yaml" <<'Y'
title: Special files
variants: [uniform]
tasks: [wmt14_ende, c4]
scales: [smoke]
seeds: [1]
settings: {layers: 1, d: 16, heads: 2, ff: 16, N: 16, vocab: 40, batch: 8,
           steps: 4, evals: 1, train: 64, valid: 16, test: 16, preset: t5}
override:
  - match: {task: wmt14_ende}
    set: {pretrained: c4}
Y
sound=$work/sound
sb run "$work/special.yaml" --store "$sound" -j 1
ok 'a store with weights is made' exits 0 'trained 2 cells'
sb baseline save special --store "$sound" --baselines "$work/baselines" \
    --examples
id=$(basename "$sound"/weights/*.h5 .h5)
mkdir -p "$sound/speed/cells" "$sound/slurm" "$sound/plots" "$sound/tables"
echo '#synthbench store 1: id, SHA-256, bytes, seconds, date, check' \
    >"$sound/speed/journal.tsv"

ends() { # SECONDS ARGUMENT...: does the program end, and not by a signal?
    limit=$1
    shift
    timeout -k 1 "$limit" "$program" "$@" >"$work/out" 2>"$work/err" \
        </dev/null
    code=$?
    case $code in
    [0-9]) return ;;
    esac
    echo "exit code $code: $*"
    return 1
}

special() { # KIND FILE: puts it in place of the file
    rm -rf "$2"
    case $1 in
    pipe) mkfifo "$2" ;;
    device) ln -s /dev/zero "$2" ;;
    folder) mkdir "$2" ;;
    esac
}

none_hangs() { # KIND FILE COMMAND...: the file of a store being special
    kind=$1 file=$2
    shift 2
    t=$work/t
    for command; do
        rm -rf "$t" "$work/merged"
        cp -r "$sound" "$t" && special "$kind" "$t/$file" || return 1
        case $command in
        show) set -- "$t#$id" ;;
        compare) set -- --digests "$t" "$sound" ;;
        merge) set -- "$t" "$sound" -o "$work/merged" ;;
        gate) set -- --baseline special --store "$t" \
            --baselines "$work/baselines" ;;
        run) set -- "$work/special.yaml" --store "$t" -j 1 ;;
        *) set -- --store "$t" ;;
        esac
        ends 20 $command "$@" || { echo "$kind as $file"; return 1; }
    done
}

for file in experiment.json journal.tsv index.h5 "cells/$id.h5" \
    "weights/$id.h5" failed/0123456789abcdef.json; do
    ok "no command waits for a pipe as $file" none_hangs pipe "$file" status \
        'verify store' 'table 2' export 'repair --dry-run' repair show compare \
        merge gate run
done
for file in lock cells/0123456789abcdef.h5 "checkpoints/$id.0.ckpt" \
    "claims/$id" claims/.lock "logs/$id.log" speed/journal.tsv \
    speed/cells/0123456789abcdef.h5 cells weights failed speed notes; do
    ok "... as $file" none_hangs pipe "$file" status 'verify store' repair \
        merge run
done
for file in "cells/$id.h5" "weights/$id.h5"; do
    ok "no command reads a device without end as $file" none_hangs device \
        "$file" 'verify store' repair merge run
    ok "... or a folder" none_hangs folder "$file" 'verify store' repair merge \
        run
done
cp -r "$sound" "$work/t2"
special pipe "$work/t2/cells/$id.h5"
ends 20 verify store --store "$work/t2"
ok 'a pipe in place of a cell is damage' exits 5
ends 20 report --store "$work/t2" -o "$work/pages"
ok '... which a report refuses' exits 5
special pipe "$work/baselines/special.examples.h5"
ok 'the gate does not wait for examples' ends 20 gate --baseline special \
    --store "$sound" --baselines "$work/baselines"
special pipe "$work/baselines/special.tsv"
ends 20 gate --baseline special --store "$sound" --baselines "$work/baselines"
ok '... nor for a baseline' exits 9 'is not a file'
"$program" plan /dev/stdin <"$work/special.yaml" >"$work/out" 2>"$work/err"
code=$?
ok 'what is named on the command line may be a pipe' exits 0
mkfifo "$work/named"
cat "$work/special.yaml" >"$work/named" &
sb plan "$work/named"
ok '... with a name, too' exits 0

# Official data: of each kind of file one that is read, in turn a pipe.
official() { # DATA: no command waits for a pipe among its files
    for file in $(cd tests/data/fixtures && find "$1" -type f | sort |
        awk '{ kind = $0; gsub(/[0-9]+/, "", kind) } seen[kind]++ < 1'); do
        rm -rf "$work/data"
        mkdir "$work/data"
        cp -r "tests/data/fixtures/$1" "$work/data/" &&
            special pipe "$work/data/$file" || return 1
        ends 20 data check "$1" --data-dir "$work/data" || return 1
        case $code in
        0 | 8) ;;
        *) echo "exit code $code: $file"; return 1 ;;
        esac
    done
    ends 20 data show "$1" --data-dir "$work/data" --limit 1
}
for data in agnews c4 cnndm glue_mnli imdb lm1b personachat superglue_record \
    wmt14_ende wordnet; do
    ok "data of $data with a pipe among the files" official $data
done
rm -rf "$work/data"
mkdir "$work/data"
cp -r tests/data/fixtures/agnews "$work/data/"
file=$(cd "$work/data" && find agnews -name 'train.csv*')
special pipe "$work/data/$file"
ends 20 data check agnews --data-dir "$work/data"
ok '... which is named, and wrong data' exits 8 "$file: is not a file"

# Names chosen by strangers.
long=$(printf '%0240d' 0)
cp -r "$sound" "$work/odd"
for name in "failed/$long.json" "cells/$long.h5" 'failed/x y.json' \
    'failed/%s%n.json' "speed/cells/$long.h5"; do
    echo x >"$work/odd/$name"
done
for command in status 'verify store' repair; do
    ok "$command: names that no cell has" ends 20 $command \
        --store "$work/odd"
done
sb merge "$work/odd" -o "$work/even"
ok 'merge: names that no cell has' exits 0
ok '... which it leaves' test "$(ls "$work/even/failed" | wc -l)" = 0

# Where a merge may put its store.
before=$(find "$sound" | sort)
for to in "$sound/failed/x" "$sound/cells/0123456789abcdef.h5" \
    "$sound/none/../x" "$sound/none/deep" ''; do
    sb merge "$sound" -o "$to"
    ok "merge refuses an output in an input: ${to#"$sound"}" exits 2
done
ok '... before any work' test "$before" = "$(find "$sound" | sort)"
ln -s nowhere "$work/link"
sb merge "$sound" -o "$work/link"
ok 'merge refuses a link' exits 2 'is a link'
mkdir "$work/empty"
ln -s empty "$work/full"
sb merge "$sound" -o "$work/full"
ok '... to a folder, too' exits 2 'is a link'
"$program" merge "$sound" -o "$work/one" 2>/dev/null &
job=$!
sb merge "$sound" -o "$work/one"
wait $job
ok 'of two merges onto one name one is refused' test "$((code + $?))" = 2
ok '... and leaves nothing' test "$(ls -d "$work"/one* | wc -l)" = 1
cp -r "$sound" "$work/one.0123abcd.999.tmp"
: >"$work/one.0123abcd.999.tmp/merging"
sb merge "$sound" -o "$work/two"
ok 'the next merge removes what a killed one left' \
    test ! -e "$work/one.0123abcd.999.tmp"

# A run that ended before experiment.json.
mkdir -p "$work/early/cells" "$work/early/claims" "$work/early/failed"
for journal in no '' '#synthbench store 1'; do
    [ "$journal" = no ] || printf '%s' "$journal" >"$work/early/journal.tsv"
    sb verify store --store "$work/early"
    ok "a store that was never begun is not damaged ($journal)" exits 0
    sb repair --store "$work/early"
    ok '... and not repaired' says 'nothing to repair'
done
cp -r "$sound" "$work/lost"
rm "$work/lost/experiment.json"
sb verify store --store "$work/lost"
ok 'one with cells that lost it is' exits 5

# One number, one id.
cell_ids() { # SETTING...: of the cells that train with it
    "$program" plan "$work/special.yaml" --json -S "$1" |
        perl -MJSON::PP -e 'local $/;
            print map { "$_->{id} " } @{decode_json(<STDIN>)->{cells}}'
}
zeros_agree() { # KEY
    plain=$(cell_ids "$1=0")
    [ -n "$plain" ] && [ "$(cell_ids "$1=-0")" = "$plain" ] &&
        [ "$(cell_ids "$1=-0.0")" = "$plain" ] &&
        [ "$(cell_ids "$1=-1e-999")" = "$plain" ]
}
for key in dropout label_smoothing optimizer.b1 optimizer.b2; do
    ok "-0 and 0 are one number ($key)" zeros_agree $key
done

# ---- gate and claims ----

# ---- data and metrics ----

# ---- messages and first steps ----

# ---- drawing ----

done_testing
