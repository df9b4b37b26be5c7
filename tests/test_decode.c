/* Position by position through the cache: logits and greedy decoding. */
#include "harness/nn/cache.h"
#include "harness/nn/decode.h"
#include "tests/layer.h"
#include "tests/leaf.h"
#include "tests/tiny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { CAP = TINY_N, LOGITS = TINY_B * TINY_TARGET * TINY_VOCAB };

static const struct rng_key no_key;

/* ---- logits ---- */

static tensor *full_logits(struct tiny *t, const struct input *in)
{
    struct window w = {.keys = in->m, .causal = 1};
    tensor *memory = NULL;

    tape_begin(t->tape, TAPE_EVAL, no_key, 0, 0);
    if (in->n)
        memory = model_encode(t->model, t->tape, in->source,
                              in->source_length, in->b, in->n);
    return model_logits(t->model, t->tape,
                        model_decode(t->model, t->tape, in->target_in, in->b,
                                     in->m, &w, memory, in->source_length));
}

/* The tape begins anew at each position: the encoder's output must last. */
static tensor *kept_memory(struct tiny *t, const struct input *in)
{
    if (!in->n)
        return NULL;
    tape_begin(t->tape, TAPE_EVAL, no_key, 0, 0);
    tensor *x = model_encode(t->model, t->tape, in->source, in->source_length,
                             in->b, in->n);
    tensor *y = leaf_new(t->memory, 1, x->nd, x->dim);

    memcpy(y->x, x->x, tensor_len(x) * sizeof(real));
    y->g = NULL;
    return y;
}

static void one_incremental(struct tiny *t)
{
    struct input in = tiny_batch(t->c.family);
    real want[LOGITS];

    memcpy(want, full_logits(t, &in)->x, sizeof want);
    tensor *memory = kept_memory(t, &in);
    struct cache *cache = cache_new(t->memory, &backend_cpu, in.b, CAP);
    for (int at = 0; at < in.m; at++) {
        struct window w = {.from = at, .keys = CAP, .causal = 1,
                           .cache = cache};
        int id[TINY_B];

        for (int b = 0; b < in.b; b++)
            id[b] = in.target_in[b * in.m + at];
        tape_begin(t->tape, TAPE_EVAL, no_key, 0, 0);
        cache_begin(cache);
        tensor *y = model_decode(t->model, t->tape, id, in.b, 1, &w, memory,
                                 in.source_length);
        const real *logits = model_logits(t->model, t->tape, y)->x;
        for (int b = 0; b < in.b; b++)
            assert_reals(t->formula.variant, logits + b * TINY_VOCAB,
                         want + (b * in.m + at) * TINY_VOCAB, TINY_VOCAB,
                         CLOSE);
    }
}

static void incremental(void **state)
{
    const char *name[LAYER_NAMES];
    int names = layer_names(name);

    for (int i = 0; i < names; i++) {
        struct model_config c = tiny_config(*(const enum family *)*state);
        struct tiny t;

        tiny_open(&t, &c, name[i]);
        one_incremental(&t);
        tiny_close(&t);
    }
}

/* ---- greedy ---- */

enum { START = 1 };

static int argmax(const real *x)
{
    int best = 0;

    for (int i = 1; i < TINY_VOCAB; i++)
        best = x[i] > x[best] ? i : best;
    return best;
}

/* One sentence alone, by a full pass for each id. */
static int by_full_passes(struct tiny *t, int b, int limit, int eos, int *out)
{
    struct input in = tiny_sentence(FAMILY_SEQ2SEQ, b);
    int before[CAP] = {START}, n = 0;

    in.target_in = before;
    while (n < limit && (n == 0 || out[n - 1] != eos)) {
        in.m = n + 1;
        out[n] = argmax(full_logits(t, &in)->x + n * TINY_VOCAB);
        if (++n < CAP)
            before[n] = out[n - 1];
    }
    return n;
}

/* The whole batch against each sentence alone, and against full passes. */
static void decode_with(struct tiny *t, const int limit[TINY_B], int eos)
{
    struct input in = tiny_batch(FAMILY_SEQ2SEQ);
    int all[TINY_B * CAP], one[CAP], want[CAP], count[TINY_B], n;

    memset(all, 0x77, sizeof all);
    decode_greedy(t->model, t->tape, t->memory, in.source, in.source_length,
                  in.b, in.n, limit, CAP, START, eos, all, count);
    for (int b = 0; b < TINY_B; b++) {
        struct input s = tiny_sentence(FAMILY_SEQ2SEQ, b);

        assert_int_equal(count[b], by_full_passes(t, b, limit[b], eos, want));
        assert_memory_equal(all + b * CAP, want,
                            (size_t)count[b] * sizeof *want);
        for (int i = count[b]; i < CAP; i++) /* the rest is not written */
            assert_int_equal(all[b * CAP + i], 0x77777777);
        decode_greedy(t->model, t->tape, t->memory, s.source, s.source_length,
                      1, s.n, limit + b, limit[b], START, eos, one, &n);
        assert_int_equal(n, count[b]);
        assert_memory_equal(one, want, (size_t)n * sizeof *want);
    }
}

static void greedy(void **state)
{
    static const int all[TINY_B] = {CAP, CAP, CAP}, some[TINY_B] = {2, 6, 3};
    const char *name[LAYER_NAMES];
    int names = layer_names(name), stopped = 0;

    (void)state;
    for (int i = 0; i < names; i++) {
        struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
        struct tiny t;
        int ids[CAP];

        tiny_open(&t, &c, name[i]);
        decode_with(&t, all, -1);
        decode_with(&t, some, -1);
        by_full_passes(&t, 1, CAP, -1, ids);
        decode_with(&t, all, ids[2]); /* an end that comes in time */
        stopped += by_full_passes(&t, 1, CAP, ids[2], ids) < CAP;
        tiny_close(&t);
    }
    assert_int_equal(stopped, names);
}

/* Two equal rows of the table: the first is taken. */
static void equals(void **state)
{
    struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
    static const int limit[TINY_B] = {1, 1, 1};
    struct input in = tiny_batch(FAMILY_SEQ2SEQ);
    int id[TINY_B], count[TINY_B];
    struct tiny t;

    (void)state;
    tiny_open(&t, &c, "vanilla");
    real *table = params_find(&t.params, "embed.table")->value->x;
    for (int v = 1; v < TINY_VOCAB; v++)
        memcpy(table + v * TINY_D, table, TINY_D * sizeof *table);
    decode_greedy(t.model, t.tape, t.memory, in.source, in.source_length, in.b,
                  in.n, limit, 1, START, START, id, count);
    for (int b = 0; b < TINY_B; b++)
        assert_true(id[b] == 0 && count[b] == 1);
    tiny_close(&t);
}

int main(void)
{
    static const enum family family[] = {FAMILY_SEQ2SEQ, FAMILY_LM};
    const struct CMUnitTest decode[] = {
        {"seq2seq: logits position by position are those of the full pass",
         incremental, NULL, NULL, (void *)&family[0]},
        {"lm: logits position by position are those of the full pass",
         incremental, NULL, NULL, (void *)&family[1]},
        {"greedy decoding is the argmax of full passes, in any batch", greedy,
         NULL, NULL, NULL},
        {"of equally probable ids the first is decoded", equals, NULL, NULL,
         NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("decode", decode, NULL, NULL);
}
