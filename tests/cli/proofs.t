#!/bin/sh
# Commands that verify, repair and reproduce the contents of a store: verify
# store, repair, verify exact, compare --digests, rerun, run --force.
. tests/support/tap.sh
. tests/torture/lib.sh

experiment 'vanilla, random' 1 4
s=$work/store
cell() { ls "$1"/cells/* | head -n 1; } # STORE
damage() { # FILE BYTE: one byte becomes another
    perl -e 'open my $f, "+<", $ARGV[0] or die; seek $f, $ARGV[1], 0;
        read $f, my $c, 1; seek $f, $ARGV[1], 0; print $f chr(255 - ord $c)' \
        "$1" "$2"
}
copy() { rm -rf "$work/d"; cp -r "$s" "$work/d"; d=$work/d; }

sb run "$x" --store "$s" -j 2
ok 'a store is made' exits 0 'trained 4 cells'
sb verify store --store "$s" --json
ok 'as it was written it passes' exits 0
ok '... with a row for each fact of each file' json '
    !$j->{failed} && 4 == grep { $_->{subject} =~ /^cells/ &&
        $_->{property} eq "integrity" && $_->{verdict} eq "pass" } @{$j->{rows}}'
ok '... which tells what it cannot verify' json '
    grep { $_->{subject} eq "logs" && $_->{verdict} eq "n/a" } @{$j->{rows}}'
sb repair --store "$s"
ok '... and needs no repair' says 'nothing to repair'
sb verify store
ok 'a store must be named' exits 2 '--store'
sb verify store --store "$work/none"
ok 'no store is nothing to verify' exits 7
sb verify store --store "$s" --threads 2
ok 'an option of another subject is refused' exits 2 "unknown option '--threads'"

# Damage of every kind, repaired at once.
copy
first=$(cell "$d")
damage "$first" 3000
damage "$d/journal.tsv" 150
damage "$d/index.h5" 900
w=$(ls "$d"/weights/*.h5 | tail -n 1)
damage "$w" 5000
cp "$(ls "$d"/cells/*.h5 | tail -n 1)" "$d/cells/0123456789abcdef.h5"
printf '{"class": "error", "message": "m", "seconds": 1, "date"' \
    >"$d/failed/0123456789abcdef.json"
sb verify store --store "$d"
ok 'damage is exit code 5' exits 5 'synthbench repair'
ok '... and is told once' test 1 = "$(wc -l <"$work/err")"
for f in "cells/$(basename "$first")" journal.tsv index.h5 \
    "weights/$(basename "$w")" cells/0123456789abcdef.h5 \
    failed/0123456789abcdef.json; do
    ok "... of $f" says "^$f.* fail: "
done
sb repair --store "$d" --dry-run
ok 'a dry repair tells' says 'would be quarantined'
ok '... and does nothing' test ! -e "$d/quarantine"
sb repair --store "$d"
ok 'it is repaired' exits 0
ok '... deleting nothing' test 7 = "$(find "$d/quarantine" -type f | wc -l)"
sb verify store --store "$d"
ok '... and passes' exits 0
before=$(ls "$d/cells" | wc -l)
sb run "$x" --store "$d"
ok '... a run trains what was quarantined' \
    exits 0 "trained $((4 - before)) cell"
sb compare --digests "$s" "$d"
ok '... to the same bits' says '^4 equal$'

copy
damage "$(cell "$d")" 3000
sb repair --store "$d"
ok 'the index, which lists a damaged cell, is named' \
    says '^index.h5: lists a cell that is quarantined; rebuilt$'

copy
damage "$d/experiment.json" 400
sb verify store --store "$d"
ok 'a changed experiment is found' says '^experiment.json: checksum fail'
sb repair --store "$d"
ok '... quarantined, with the advice' says 'run EXPERIMENT.yaml'
sb run "$x" --store "$d"
ok '... and written again by its run' exits 0 'trained 0 cells'
sb verify store --store "$d"
ok '... after which all is well' exits 0

copy
sed -n '/^## Stores/,/^A figure/s/^| `\([a-z]*\)\/.*/\1/p' docs/file-format.md |
    while read -r name; do mkdir -p "$d/$name"; done
: >"$d/reproduce.log"
: >"$d/letter"
sb verify store --store "$d"
ok 'a file that no store has is named, and no other' \
    test 'letter: other file n/a: is not a file of a store' = \
    "$(grep 'is not a file of a store' "$work/out")"
sb repair --store "$d"
ok '... and empty folders need no repair' says 'nothing to repair'

copy
rm "$d/journal.tsv"
sb repair --store "$d"
sb verify store --store "$d"
ok 'a lost journal is rebuilt from the cells' exits 0
copy
rm "$(cell "$d")"
sb verify store --store "$d"
ok 'a cell that is gone is found by its line' says 'is missing, but'
sb repair --store "$d"
sb verify store --store "$d"
ok '... and is then merely missing' exits 0

# A store is not repaired while a run uses it.
copy
sed -i 's/steps: 4/steps: 4000/' "$x"
"$program" run "$x" --store "$d" --extend -j 1 2>/dev/null &
pid=$!
until ls "$d"/claims/*?????????? >/dev/null 2>&1; do sleep 0.1; done
sb repair --store "$d"
ok 'a store where somebody works is not repaired' exits 6 'another process'
kill -9 $pid
wait $pid 2>/dev/null
sed -i 's/steps: 4000/steps: 4/' "$x"

# Two whole stores are compared.
copy
damage "$d/journal.tsv" 150
sb compare --digests "$s" "$d"
ok 'a damaged line of two stores is told once' \
    test 1 = "$(grep -c 'this line is damaged' "$work/err")"
copy
sb compare --digests "$s" "$d"
ok 'a copy is equal' exits 0
rm "$(cell "$d")"
sb compare --digests "$s" "$d" --json
ok 'a cell that one of them lacks is exit code 1' exits 1
ok '... and a row' json '$j->{equal} == 3 && 1 ==
    grep { $_->{verdict} eq "only in A" && !$_->{id_b} } @{$j->{rows}}'
sed 's/steps: 4/steps: 5/' "$x" >"$work/y.yaml"
sb run "$work/y.yaml" --store "$work/other"
sb compare --digests "$s" "$work/other" --json
ok 'other settings are matched by name' json '4 == grep {
    $_->{verdict} eq "different weights" && $_->{id_a} ne $_->{id_b} &&
    grep { $_->{path} eq "metrics/ce" && $_->{a} ne $_->{b} }
        @{$_->{differences}} } @{$j->{rows}}'
damage "$(cell "$work/other")" 3000
sb compare --digests "$s" "$work/other"
ok 'damage is no difference, but exit code 5' exits 5

# Training is repeated.
sb verify exact "$x" --store "$s" --threads 1,2 --jobs 1,4 --sample all --json
ok 'all cells come out the same on any threads and jobs' exits 0
ok '... sixteen repetitions' json '!$j->{failed} && @{$j->{rows}} == 16'
sb verify exact --store "$s" --sample 1 -E 'task==wmt14_ende' --threads 2
ok 'a sample brings what it starts from' exits 0 '2 of 2 repetitions of 2'
sb verify exact "$x" --store "$work/new" --sample 1 --threads 1,2
ok 'where nothing is stored repetitions are compared' exits 0 'used as the reference'
ok '... and nothing is stored then' test ! -e "$work/new"

sb rerun "$s#vanilla/c4" "$s#vanilla/wmt14_ende/1"
ok 'cells are trained again' exits 0 'retrained 2 cells: 2 bit-identical'
ok '... and nothing is left of it' test ! -e "$s/rerun"
# One rerun waits for the other and removes their common folder when it ends.
id=$("$program" show "$s#random/c4/1" --json | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')
"$program" rerun "$s#$id" >"$work/first" 2>&1 &
one=$!
for _ in $(seq 200); do [ -e "$s/claims/$id" ] && break; sleep 0.02; done
kill -STOP $one
"$program" run "$x" --store "$s" --force --wait 60 \
    -E 'variant==random && task==c4' >"$work/second" 2>&1 &
two=$!
for _ in $(seq 500); do [ -e "$s/rerun/cells/$id.h5" ] && break; sleep 0.02; done
sleep 0.3
kill -CONT $one
wait $one
ok 'of two that train one cell again, the first does' grep -q \
    'retrained 1 cell: 1 bit-identical' "$work/first"
wait $two
ok '... and the second, after it' grep -q 'trained 1 cell in' "$work/second"
ok '... and nothing is left of either' test ! -e "$s/rerun"
sb rerun --store "$s" vanilla/none/1
ok '... by names that are there' exits 7
sb run "$x" --store "$s" --force
ok 'run --force trains all again' exits 0 'trained 4 cells'
sb verify store --store "$s"
ok '... and leaves a whole store' exits 0
copy
damage "$(cell "$d")" 3000
sb run "$x" --store "$d" --force
ok 'a damaged cell has no bits to keep' exits 0 'its previous result cannot be read'

# Another instruction set counts as another build, and changes bits.
if grep -q avx2 /proc/cpuinfo; then
    copy
    DNNL_MAX_CPU_ISA=SSE41 "$program" rerun "$d#vanilla/c4/1" \
        >"$work/out" 2>"$work/err"
    code=$?
    ok 'other bits are exit code 1' exits 1 DIFFERENT
    ok '... with what differs' exits 1 'weights@sha256'
    ok '... and what is stale then' exits 1 'is stale'
    sb compare --digests "$s" "$d"
    ok '... and the new ones are kept' says 'different weights'
    sb verify store --store "$d"
    ok '... of which `verify store` knows' says ': start fail: is stale'
    sb repair --store "$d"
    sb run "$x" --store "$d"
    sb verify store --store "$d"
    ok '... and which `repair` sends to be trained again' exits 0
fi

done_testing
