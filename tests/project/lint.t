#!/bin/sh
# harness/make/lint.sh finds each thing that it forbids, and nothing else.
. tests/support/tap.sh
lint=$PWD/harness/make/lint.sh
cd "$work" || exit 1
mkdir -p .ci harness/base harness/engine harness/nn harness/store \
    harness/train harness/cmd variants plots tests experiments
export CC="${CC:-cc}" CFLAGS='-std=c11'

good() { sh "$lint" > out 2>&1 && [ ! -s out ]; }
finds() { # PATTERN FILE: lint refuses FILE (text on stdin) with PATTERN
    cat > "$2"
    ! sh "$lint" > out 2>&1 && grep -qE "^lint: $1" out
    set -- "$?" "$2"
    rm "$2"
    return "$1"
}

echo '#!/bin/sh' > .ci/run
printf 'int a(void);\n' > harness/base/a.h
printf 'int t(void);\n' > harness/nn/t.h
printf '#include "harness/base/a.h"\n' > harness/train/t.c
printf 'VARIANT(known)\n' > variants/list.h
printf 'const struct variant variant_known = {\n    .name = "known",\n};\n' > variants/known.c
ok 'a tree that keeps the rules passes in silence' good

ok 'a lower layer must not include a higher one' \
    finds 'harness/base/x.c: base must not include harness/nn/t.h' \
    harness/base/x.c <<'C'
#include "harness/nn/t.h"
C
ok 'layers side by side must not include each other' \
    finds 'harness/store/x.c: store must not include harness/nn/t.h' \
    harness/store/x.c <<'C'
#include "harness/nn/t.h"
C
ok 'a list is read in its own folder' \
    finds 'harness/train/x.c: variants/list.h is read in its own folder' \
    harness/train/x.c <<'C'
#include "variants/list.h"
C
ok 'an include has its path' finds 'harness/base/x.c: include a.h by' \
    harness/base/x.c <<'C'
#include "a.h"
C
ok 'a foreign header stays in its folder' \
    finds 'harness/nn/x.c: <hdf5> belongs to harness/store alone' \
    harness/nn/x.c <<'C'
#include <hdf5.h>
C
echo '#include <gsl/gsl_math.h>' > harness/base/g.h
ok 'no public header shows a foreign one' \
    finds 'harness/base/g.h: .* shown to harness/nn/x.c' \
    harness/nn/x.c <<'C'
#include "harness/base/g.h"
C
rm harness/base/g.h
ok 'JSON is written by the one header that loses nothing' \
    finds 'harness/nn/x.c:1: include harness/base/json.h' \
    harness/nn/x.c <<'C'
#include <jansson.h>
C
ok '... and by no call that can lose' \
    finds 'harness/nn/x.c:1: answers NULL' harness/nn/x.c <<'C'
json_t *j = json_sprintf("%s", s);
C
ok '... nor by one that looks away' \
    finds 'harness/nn/x.c:1: writes bytes' harness/nn/x.c <<'C'
json_t *j = json_string_nocheck(s);
C
ok 'nobody goes past malloc' \
    finds 'harness/nn/x.c:1: harness/base/memory.c alone' harness/nn/x.c <<'C'
char *s = __libc_malloc(1);
C
ok 'a list grows by the one line for it' \
    finds 'harness/nn/x.c:1: lists grow by' harness/nn/x.c <<'C'
list = realloc(list, 2 * n);
C
ok 'nobody asks which variant it is' \
    finds 'harness/nn/x.c:1: ask for a trait' harness/nn/x.c <<'C'
int fast = !strcmp(v->name, "known");
C
ok 'a plug-in needs its row' \
    finds 'variants/x.c: there is no row VARIANT\(new\)' variants/x.c <<'C'
const struct variant variant_new = {0};
C
ok 'a header stands alone' finds './harness/base/x.h:1' harness/base/x.h <<'C'
size_t length(void);
C
{ printf 'int f(void)\n{\n'; yes '    ;' | head -n 61; printf '}\n'; } > long
ok 'a function fits a screen' finds 'harness/base/x.c:2: a function of 62' \
    harness/base/x.c < long
printf 'int a;\t\n' > tab
ok 'a tab is found' finds 'harness/base/x.c:1: a tab' harness/base/x.c < tab
printf 'int a; \n' > blank
ok 'a trailing blank is found' finds 'harness/base/x.c:1: a trailing' \
    harness/base/x.c < blank
printf '// %s: more\n' 'TO''DO' > unfinished
ok 'unfinished work is found' finds 'harness/base/x.c:1' harness/base/x.c \
    < unfinished
{ printf '// '; yes a | head -n 80 | tr -d '\n'; echo; } > wide
ok 'a line over 80 columns is found' finds 'harness/base/x.c:1: over 80' \
    harness/base/x.c < wide
{ printf '// '; yes ü | head -n 77 | tr -d '\n'; echo; } > harness/base/x.c
ok 'columns are counted in characters' good
rm harness/base/x.c
ok 'a shell test is executable' finds 'tests/x.t: must be exec' tests/x.t <<'C'
echo 1..0
C
# ---- documents ----
ok 'a document avoids constructions that are never right' \
    finds "x.md:2: never 'told apart'" x.md <<'M'
# Two variants
They cannot be told apart.
M
ok '... and sentences that begin with Of' \
    finds "x.md:1: a sentence begins with 'Of'" x.md <<'M'
Two rows. Of these, one is better.
M
ok '... and sentences of more than 35 words' \
    finds 'x.md:1: a sentence of 36 words' x.md <<'M'
a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a.
M
ok '... and lines of more than 120 columns' \
    finds 'x.md:1: over 120 columns' x.md <<M
$(printf '%0121d' 0)
M
cat >x.md <<M
The command \`is none\` is quoted.

| a table | $(printf '%0121d' 0) |

\`\`\`
Of code: $(printf '%0121d' 0)
\`\`\`
M
ok '... but not in code, and tables may be wide' good
rm x.md
ok 'a message avoids them too, where its literal is continued' \
    finds "harness/base/x.c:2: never 'told apart'" harness/base/x.c <<'C'
/* A comment's "told apart" is read by others. */
const char *x = "cannot be told "
                "apart";
C
ok 'and so does an experiment' \
    finds "experiments/x.yaml:1: never 'came about'" experiments/x.yaml <<'Y'
title: How it came about
Y
echo 'A cell is told, whose seed is 1.' >x.md
counts() { sh "$lint" >out 2>&1 && grep -qx "prose: $1 words .*" out; }
ok 'words that are often unclear are counted and not judged' counts 2
rm x.md
done_testing
