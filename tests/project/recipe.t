#!/bin/sh
# The recipes of CONTRIBUTING.md for models, on a copy of the tree. Two edits
# add a variant, two add a variant with a setting of its own, three add an op.
. tests/support/tap.sh
root=$PWD
unset MAKEFLAGS MFLAGS MAKELEVEL MODE CFLAGS CMOCKA_MESSAGE_OUTPUT

run() { "$@" > out 2>&1; }
says() { grep -qE -e "$1" out; }
sb() { run build/release/synthbench "$@"; }

# ---- a copy, with the objects that are built ----
cp -Rp Makefile harness variants plots experiments "$work" || exit 1
if [ -d build/release/harness ]; then
    mkdir -p "$work/build/release"
    (cd build/release && cp -Rp flags build_info.h harness variants plots \
        libsynthbench.a synthbench \
        "$work/build/release")
    WERROR=$(grep -c -e ' -Werror ' build/release/flags) # or all is compiled
    export WERROR
fi
cd "$work" || exit 1

# ---- ids before the edits ----
run make all
ids() { sb plan experiments/full.yaml --json; grep '"id"' out; }
ids >ids.was
ok 'there are cells' test -s ids.was

# ---- the two edits ----
cat > variants/symmetric_random.c <<'C'
/* Symmetric random scores: B_h = R_h R_h^T, R in R^{h x N x r}. */
#include "harness/nn/attention.h"

struct symmetric { tensor *r; };

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct symmetric *me = self;

    me->r = params_add(ps, "R", PARAM_LEARNED, init_normal(0.5), 3,
                       (int[]){c->heads, c->N, c->rank});
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    const struct symmetric *me = self;

    return ad_low_rank(t, me->r, me->r, w->from, x->dim[1], w->keys);
}

const struct variant variant_symmetric_random = {
    .name = "symmetric-random",
    .title = "Synthesizer (Symmetric Random)",
    .cite = "tests/project/recipe.t",
    .depends = DEPENDS_NOTHING,
    .traits = VARIANT_SYNTHESIZER,
    .learns = "h N r",
    .size = sizeof(struct symmetric),
    .init = init,
    .scores = scores,
};
C
echo 'VARIANT(symmetric_random)' >> variants/list.h

ok 'two edits are two files' \
    [ "$(diff -rq "$root/variants" variants | wc -l)" -eq 2 ]
ok 'it builds' run make all
ok '... without a warning' [ "$(grep -c warning: out)" -eq 0 ]

# ---- the variant is listed ----
sb list variants
ok 'list variants has it' says '^symmetric-random .*Symmetric Random'
sb verify variants
ok 'verify variants passes' [ $? -eq 0 ]
ok '... with a row of it' says '^symmetric-random +- +- '
ok '... and says that no formula proves it' \
    says '^symmetric-random: output n/a: no formula'

# ---- it trains ----
cat > new.yaml <<'Y'
title: A new variant
variants: [symmetric-random, symmetric-random+vanilla]
tasks: [wmt14_ende, agnews]
scales: [smoke]
seeds: [1]
settings:
  {layers: 1, d: 32, heads: 2, ff: 64, N: 16, vocab: 32, batch: 16,
   steps: 20, evals: 2, train: 200, valid: 20, test: 20}
Y
sb run new.yaml --store store
ok 'run trains it, alone and in a mixture' [ $? -eq 0 ]
sb status --store store
ok 'four cells are done' [ "$(grep -c ' done ' out)" -eq 4 ]
sb show store#symmetric-random/agnews/1
ok 'show knows what it learns' says symmetric-random
sb table new.yaml --store store
ok 'the table has a row of it' says '^symmetric-random  .*[0-9]$'
ok '... and of the mixture' says '^symmetric-random\+vanilla  .*[0-9]$'

# ---- `new variant` makes both edits ----
sb new variant my-own
ok 'new variant: begins one' says '^wrote variants/my_own.c'
ok '... under its own title, not published' test "$(grep -cE \
    '^    \.(title = "my-own"|cite = "unpublished"),$' variants/my_own.c)" = 2
ok '... which builds' run make all
ok '... without a warning' [ "$(grep -c warning: out)" -eq 0 ]
sb verify variants my-own
ok '... has its formula' [ $? -eq 0 ]
ok '... and is proved by it' says '^my-own +[0-9]'
sb run new.yaml --store own --variant my-own --task lm1b
ok '... and trains' says 'trained 1 cell'
sb new variant int
ok 'new variant: a keyword of C' run make all
sb verify variants no-such
ok 'verify variants: no such variant' says "unknown variant 'no-such'"
for name in my-own uniform My two--hyphens x+y '' ../x; do
    sb new variant "$name"
    ok "new variant '$name' is refused" [ $? -eq 2 ]
done
mkdir elsewhere
(cd elsewhere && ../build/release/synthbench new variant other >../out 2>&1)
ok 'new variant: elsewhere' says 'at the top of the source tree'

# ---- two more edits: a variant with a setting ----
cat > variants/tempered.c <<'C'
/* Dot-product attention at a temperature: B_h = X Q_h (X K_h)^T / tau. */
#include "variants/dot.h"

static const struct key knobs[] = {
    {.name = "tau", .type = &key_real, .initial = "4", .low = 0.01,
     .high = 100, .help = "temperature of the softmax"},
    {.name = NULL}};

static void init(void *self, const struct model_config *c, struct params *ps)
{
    struct dot *me = self;

    dot_init_learned(me, c, ps);
    me->scale = 1 / knob_value(c, &knobs[0]);
}

const struct variant variant_tempered = {
    .name = "tempered",
    .title = "Tempered dot products",
    .cite = "tests/project/recipe.t",
    .depends = DEPENDS_PAIRS,
    .traits = VARIANT_SYMMETRIC,
    .learns = "2 d^2",
    .size = sizeof(struct dot),
    .knobs = knobs,
    .init = init,
    .scores = dot_scores,
};
C
echo 'VARIANT(tempered)' >> variants/list.h
ok 'a setting of its own: two files again' \
    [ "$(diff -rq "$root/variants" variants | grep -vc 'my_own\|int\.c')" -eq 3 ]
ok 'it builds' run make all
ok '... without a warning' [ "$(grep -c warning: out)" -eq 0 ]
sb list keys tau
ok 'list keys has it, with default, range and variant' \
    says '^tau +4 +0.01 to 100 +tempered +temperature of the softmax$'
sb list keys --json
ok '... in JSON too' says '"variant": "tempered"'
ids >ids.is
ok 'no id moved' cmp ids.was ids.is

sed 's/variants:.*/variants: [tempered, tempered+random]/' new.yaml > knob.yaml
for tau in 4.0 0.5; do
    sb run knob.yaml --store tau$tau -S tau=$tau
    ok "run trains it at tau $tau, alone and in a mixture" [ $? -eq 0 ]
    sb show "tau$tau#tempered/agnews/1"
    grep '^metrics' out > outcome$tau
done
ok 'tau changes the outcome' sh -c 'test -s outcome4.0 &&
    ! cmp -s outcome4.0 outcome0.5'
for tau in 4.0 0.5; do
    sb status --store tau$tau --json
    grep '"id"' out | sort > ids.$tau
done
ok '... and the ids' sh -c 'test -s ids.4.0 &&
    ! comm -12 ids.4.0 ids.0.5 | grep .'
sb run knob.yaml --store plain
sb status --store plain --json
grep '"id"' out | sort > ids.plain
ok 'its default is no part of them' cmp ids.plain ids.4.0
sb show "tau0.5#tempered/agnews/1"
ok 'show tells it' says '^config.tau +0.5$'
sb table knob.yaml --store tau0.5
ok 'the table has a row of it' says '^tempered  .*[0-9]$'
sb trace --family encoder --variant tempered -S tau=0.5 -o t.h5
ok 'a trace is written' [ $? -eq 0 ]
sb trace --check t.h5
ok '... and repeated, with its tau' says '^1 passed, 0 failed$'
sb run knob.yaml --store wrong -S tau=1000
ok 'a value out of range is refused' \
    says 'tau: 1000 is out of range, 0.01 to 100 are allowed'

# ---- three edits and a test case: an op ----
sed '/^#undef OP$/,$d' harness/engine/op_list.h > list
cat >> list <<'C'
/* x^2 of each value; its kernels: y = x^2, gx += 2 x gy */
OP(square, (tensor *, x))
KERNEL(square, ELEMENTWISE, VALUES(2.0 * n), (size_t, n), (const real *, x),
       (real *, y))
KERNEL(square_back, ELEMENTWISE, VALUES(4.0 * n), (size_t, n),
       (const real *, x), (const real *, gy), (real *, gx))

#undef OP
#undef KERNEL
C
mv list harness/engine/op_list.h
cat > harness/engine/op_square.c <<'C'
/* square    y = x^2,  x' += 2 x y' */
#include "harness/engine/ops.h"

static void square_back(struct tape *t, tensor *y)
{
    const tensor *x = y->in[0];

    t->be->square_back(tensor_len(y), x->x, y->g, x->g);
}

tensor *ad_square(struct tape *t, tensor *x)
{
    tensor *y = tape_node(t, x->nd, x->dim, square_back, 1, &x);

    t->be->square(tensor_len(y), x->x, y->x);
    return y;
}
C
cat > harness/engine/cpu/square.c <<'C'
#include "harness/engine/cpu/cpu.h"

void cpu_square(size_t n, const real *x, real *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] * x[i];
}

void cpu_square_back(size_t n, const real *x, const real *gy, real *gx)
{
    for (size_t i = 0; i < n; i++)
        gx[i] += 2 * x[i] * gy[i];
}
C
ok 'three edits of an op are three files' \
    [ "$(diff -rq "$root/harness" harness | grep -vc formula_rules)" -eq 3 ]

mkdir -p tests/support
(cd "$root/tests/support" && cp op_case.[ch] gradcheck.[ch] leaf.[ch] \
    "$work/tests/support")
awk '
    /^const struct op_case op_case/ {
        print "static tensor *square(struct tape *t, tensor *const in[])"
        print "{\n    return ad_square(t, in[0]);\n}\n"
    }
    { print }
    /^const struct op_case op_case/ {
        print "    {\"square\", square, .nin = 1, .in = {IN(3, 5)}},"
    }
' "$root/tests/support/op_case.c" > tests/support/op_case.c

compiled() { # FILE...: in double, without libraries
    run "${CC:-cc}" -std=c11 -O1 -fopenmp -I. -Wall -Wextra \
        -Wmissing-prototypes -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE \
        -DREAL_DOUBLE -DPLAIN_PRODUCTS -c "$@" && mv ./*.o double
}
links() { # OUT
    "${CC:-cc}" -fopenmp -o "$1" double/*.o build/release/libsynthbench.a \
        -lcmocka -lm
}
mkdir double
cp harness/verify/attention/leaf.c plain_leaf.c # tests have a leaf.c, too
ok 'it builds, with its prototype, its stub and its clock' compiled \
    harness/engine/*.c harness/engine/cpu/*.c plain_leaf.c \
    "$root/tests/engine/test_ops.c" tests/support/*.c
ok '... without a warning' [ "$(grep -c warning: out)" -eq 0 ]
ok '... and links' links right
run ./right
ok 'its gradient is right' says '\[       OK \] square'
ok '... as those of the others are' says 'All tests|PASSED'
sed -i 's/2 \* x\[i\]/3 * x[i]/' harness/engine/cpu/square.c
compiled harness/engine/cpu/square.c && links wrong && run ./wrong
ok 'a wrong one is found' says '\[  FAILED  \] square'

done_testing
