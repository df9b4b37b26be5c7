#!/bin/sh
# The lists of mutants (`make mutants`): each mutant still matches exactly one
# place in the code, so no mutant is lost when code changes.
. tests/support/tap.sh
mutants() { PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-/usr/bin/python3}" "$@"; }
stanza() { # TEXT: the matcher's answer to a list of it
    mkdir -p "$work/l"
    printf '%s\n' "$1" >"$work/l/x.txt"
    mutants tests/mutants/run --check --lists "$work/l" \
        >"$work/out" 2>"$work/err"
    code=$?
}
each() { mutants tests/mutants/run --check && mutants tests/mutants/run --check \
    --lists tests/gate/faults; }
found() { grep -q '^1 mistake' "$work/out"; }

ok 'every planted mistake has one place, and a sentence of its own' each
ok 'there are at least 200 of them' test 200 -le \
    "$(cat tests/mutants/planted/*.txt | grep -c '^mistake:')"

one='mistake: one
file: harness/stats/fit.c
- #include   "harness/stats/fit.h"'
stanza "$one"
ok 'white space does not matter' found
stanza "mistake: one
file: harness/stats/stats.c
- double v, const struct model_config *no_such"
ok 'a text that is nowhere is told' exits 1 'occurs 0 times'
stanza "mistake: one
file: harness/base/gone.c
- #include <stddef.h>"
ok 'a text that is everywhere is told' exits 1 'occurs '
stanza "$one

$one"
ok 'a sentence that comes twice is told' exits 1 'again'
stanza 'mistake: one
- x'
ok 'a stanza without its file is told' exits 1 'without "file:"'
stanza "$one
+ #include /* the same */ \"harness/stats/fit.h\""
ok 'a change that changes nothing is told' exits 1 'are the same'
done_testing
