#!/bin/sh
# Golden results: a small matrix of experiments. In a build whose results are
# bit-identical on every machine, the output must equal the committed text in
# tests/golden/text; the native build must nearly equal it, with NATIVE=all (of
# check-long) also in the knobs of variants. `make golden` rewrites the text.
. tests/support/tap.sh
build=${GOLDEN:-build/golden}
text=tests/golden/text
dump=$build/tests/golden/dump
mkdir "$work/stores"
if ! grep -qw avx2 /proc/cpuinfo || ! grep -qw fma /proc/cpuinfo; then
    echo '1..0 # SKIP golden outcomes are those of an x86-64-v3 processor'
    exit
fi

ok 'the golden matrix runs' sh tests/golden/make.sh "$build" "$work/text" \
    "$work/stores"
(cd "$work/text" && find . -type f) >"$work/files"
(cd $text && find . -type f) >>"$work/files"
for file in $(sort -u "$work/files"); do
    ok "${file#./} is as it was (else: make golden, and look at what moved)" \
        diff -N -U 1 -F '^==' "$text/$file" "$work/text/$file"
done
[ "${NATIVE-}" = all ] && more=knobs
for x in variants ${more-}; do
    sb run tests/golden/$x.yaml --store "$work/native"
    ok "the native build trains $x" exits 0
    ok '... and its numbers are near the golden ones' \
        perl tests/golden/near.pl "$dump" "$work/stores/$x" "$work/native"
    rm -rf "$work/native"
done
done_testing
