#!/bin/sh
# The README's recipe: two edits, on a copy of the tree, add a variant.
set -u
root=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL MODE WERROR CFLAGS

n=0
ok() { # NAME COMMAND...
    n=$((n + 1))
    name=$1
    shift
    if "$@"; then echo "ok $n - $name"; else
        echo "not ok $n - $name"
        sed 's/^/# /' out
    fi
}
run() { "$@" > out 2>&1; }
says() { grep -qE -e "$1" out; }
sb() { run build/release/synthbench "$@"; }

# ---- a copy, with the objects that are built ----
cp -Rp Makefile harness variants plots experiments "$work" || exit 1
if [ -d build/release/harness ]; then
    mkdir -p "$work/build/release"
    (cd build/release && cp -Rp flags build_info.h harness variants plots \
        "$work/build/release")
fi
cd "$work" || exit 1

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
    .cite = "tests/recipe.t",
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

# ---- it is there ----
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

echo "1..$n"
