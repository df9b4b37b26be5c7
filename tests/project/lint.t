#!/bin/sh
# harness/make/lint.sh reports each violation of its rules, and nothing else.
. tests/support/tap.sh
lint=$PWD/harness/make/lint.sh
cd "$work" || exit 1
mkdir -p .ci harness/base harness/engine harness/nn harness/store \
    harness/train harness/cmd variants plots tests experiments
export CC="${CC:-cc}" CFLAGS='-std=c11'

good() { sh "$lint" > out 2>&1 && [ ! -s out ]; }
forbid() { # NAME PATTERN FILE: lint refuses FILE (text on stdin) with PATTERN
    cat > "$3"
    printf '%s\t%s\n' "$1" "$2" >> forbidden
    echo "$3" >> added
}
# Runs lint once. Fails unless it reports every violation that `forbid` has
# added, and nothing else.
judge() {
    sh "$lint" > out 2>&1
    ok 'lint fails' test $? = 1
    while IFS="$(printf '\t')" read -r what pattern; do
        ok "$what" grep -qE "^lint: $pattern" out
    done < forbidden
    cut -f 2 forbidden | sed 's/^/^lint: /' > patterns
    # keeps only the first line of a compiler's message
    grep '^lint: [^ ]*:' out | grep -vE -f patterns > others
    ok '... and nothing else is found' test ! -s others
    rm $(cat added) forbidden added
}
echo '#!/bin/sh' > .ci/run
printf 'int a(void);\n' > harness/base/a.h
printf 'int t(void);\n' > harness/nn/t.h
printf '#include "harness/base/a.h"\n' > harness/train/t.c
printf 'VARIANT(known)\n' > variants/list.h
printf 'const struct variant variant_known = {\n    .name = "known",\n};\n' > variants/known.c
ok 'a tree that keeps the rules passes in silence' good
{ printf '// '; yes ü | head -n 77 | tr -d '\n'; echo; } > harness/base/x.c
ok 'columns are counted in characters' good
rm harness/base/x.c
cat >x.md <<M
The command \`is none\` is quoted.

| a table | $(printf '%0121d' 0) |

\`\`\`
Of code: $(printf '%0121d' 0)
\`\`\`
M
ok 'a document may quote code, and its tables may be wide' good
rm x.md

forbid 'a lower layer must not include a higher one' \
    'harness/base/layer.c: base must not include harness/nn/t.h' \
    harness/base/layer.c <<'C'
#include "harness/nn/t.h"
C
forbid 'JSON is not packed by a format string' \
    'harness/train/pack.c:1: results are relations' \
    harness/train/pack.c <<'C'
int t(void) { return json_pack("{s:i}", "a", 1) != 0; }
C
forbid 'a row of output is not built member by member' \
    'harness/cmd/row.c: sets 5 members of JSON objects' \
    harness/cmd/row.c <<'C'
#include "harness/base/json.h"

void t(json_t *j)
{
    json_object_set_new(j, "a", json_null());
    json_object_set_new(j, "b", json_null());
    json_object_set_new(j, "c", json_null());
    json_object_set_new(j, "d", json_null());
    json_object_set_new(j, "e", json_null());
}
C
forbid 'layers side by side must not include each other' \
    'harness/store/side.c: store must not include harness/nn/t.h' \
    harness/store/side.c <<'C'
#include "harness/nn/t.h"
C
forbid 'a list is read in its own folder' \
    'harness/cmd/list.c: variants/list.h is read in its own folder' \
    harness/cmd/list.c <<'C'
#include "variants/list.h"
C
forbid 'an include has its path' \
    'harness/base/path.c: include a.h by' \
    harness/base/path.c <<'C'
#include "a.h"
C
forbid 'a foreign header stays in its folder' \
    'harness/nn/foreign.c: <hdf5> belongs to harness/store alone' \
    harness/nn/foreign.c <<'C'
#include <hdf5.h>
C
forbid '... in a header too' \
    'harness/base/g.h: <gsl/> belongs to harness/stats alone' \
    harness/base/g.h <<'C'
#include <gsl/gsl_math.h>
C
forbid 'no public header shows a foreign one' \
    'harness/base/g.h: <gsl/> is shown to harness/nn/shown.c' \
    harness/nn/shown.c <<'C'
#include "harness/base/g.h"
C
forbid 'JSON is written by the one header that loses nothing' \
    'harness/nn/json.c:1: include harness/base/json.h' \
    harness/nn/json.c <<'C'
#include <jansson.h>
C
forbid '... and by no call that can lose' \
    'harness/nn/sprintf.c:1: answers NULL' harness/nn/sprintf.c <<'C'
json_t *j = json_sprintf("%s", s);
C
forbid '... nor by one that looks away' \
    'harness/nn/nocheck.c:1: writes bytes' harness/nn/nocheck.c <<'C'
json_t *j = json_string_nocheck(s);
C
forbid 'nobody goes past malloc' \
    'harness/nn/malloc.c:1: harness/base/memory.c alone' harness/nn/malloc.c <<'C'
char *s = __libc_malloc(1);
C
forbid 'a list grows by the one line for it' \
    'harness/nn/grow.c:1: lists grow by' harness/nn/grow.c <<'C'
list = realloc(list, 2 * n);
C
forbid 'nobody asks which variant it is' \
    'harness/nn/variant.c:1: ask for a trait' harness/nn/variant.c <<'C'
int fast = !strcmp(v->name, "known");
C
forbid 'a plug-in needs its row' \
    'variants/plug.c: there is no row VARIANT\(new\)' variants/plug.c <<'C'
const struct variant variant_new = {0};
C
forbid 'a header stands alone' \
    './harness/base/alone.h:1' harness/base/alone.h <<'C'
size_t length(void);
C
{ printf 'int f(void)\n{\n'; yes '    ;' | head -n 61; printf '}\n'; } > lines
forbid 'a function fits a screen' \
    'harness/base/long.c:2: a function of 62' \
    harness/base/long.c < lines
printf 'int a;\t\n' > tab
forbid 'a tab is found' \
    'harness/base/tab.c:1: a tab' harness/base/tab.c < tab
printf 'int a; \n' > blank
forbid 'a trailing blank is found' \
    'harness/base/blank.c:1: a trailing' \
    harness/base/blank.c < blank
printf '// %s: more\n' 'TO''DO' > unfinished
forbid 'unfinished work is found' \
    'harness/base/unfinished.c:1' harness/base/unfinished.c \
    < unfinished
{ printf '// '; yes a | head -n 80 | tr -d '\n'; echo; } > wide
forbid 'a line over 80 columns is found' \
    'harness/base/wide.c:1: over 80' \
    harness/base/wide.c < wide
forbid 'a shell test is executable' \
    'tests/script.t: must be exec' tests/script.t <<'C'
echo 1..0
C
# ---- documents ----
forbid 'a document avoids constructions that are never right' \
    "told.md:2: never 'told apart'" told.md <<'M'
# Two variants
They cannot be told apart.
M
forbid '... and sentences that begin with Of' \
    "of.md:1: a sentence begins with 'Of'" of.md <<'M'
Two rows. Of these, one is better.
M
forbid '... and sentences of more than 35 words' \
    'words.md:1: a sentence of 36 words' words.md <<'M'
a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a.
M
forbid '... and lines of more than 120 columns' \
    'columns.md:1: over 120 columns' columns.md <<M
$(printf '%0121d' 0)
M
forbid 'a message avoids them too, where its literal is continued' \
    "harness/base/message.c:2: never 'told apart'" harness/base/message.c <<'C'
/* A comment may quote "anything". */
const char *x = "cannot be told "
                "apart";
C
forbid '... and so does a comment, across its lines' \
    "harness/base/comment.c:1: never 'is none'" harness/base/comment.c <<'C'
/*
 * Returns what is
 * none.  If there
 * is none, returns 0.
 */
C
forbid '... and a comment keeps its sentences short' \
    'harness/base/short.c:1: a sentence of 36 words' harness/base/short.c <<'C'
/* a a a a a a a a a a a a a a a a a a a a
 * a a a a a a a a a a a a a a a a; a a a. */
C
forbid '... and begins none with Of, except in a formula or list' \
    "harness/base/of.c:3: a sentence begins with 'Of'" harness/base/of.c <<'C'
/*   Of
     Of        x */
/* Returns 1.  Of two, the first. */
C
forbid 'and so does an experiment' \
    "experiments/experiment.yaml:1: never 'came about'" experiments/experiment.yaml <<'Y'
title: How it came about
Y
judge
echo 'A cell is told, whose seed is 1.' >x.md
counts() { sh "$lint" >out 2>&1 && grep -qx "prose: $1 words .*" out; }
ok 'words that are often unclear are counted and not judged' counts 2
rm x.md
done_testing
