/* Decoding with the cache, position by position: logits, greedy search and beam
 * search. */
#include "harness/nn/cache.h"
#include "harness/nn/decode.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/tiny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
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

/* Copies the output of the encoder, because the tape is cleared at each
 * position. */
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
    struct cache *cache = cache_new(t->memory, t->tape, in.b, CAP);
    for (int at = 0; at < in.m; at++) {
        struct window w = {.from = at, .causal = 1, .cache = cache,
                           .keys = cache_begin(cache, at)};
        int id[TINY_B];

        for (int b = 0; b < in.b; b++)
            id[b] = in.target_in[b * in.m + at];
        tape_begin(t->tape, TAPE_EVAL, no_key, 0, 0);
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
    const char *name[NAMES];
    int names = named_all(name);

    for (int i = 0; i < 2 * names; i++) {
        struct model_config c = (i < names ? tiny_config : tiny_t5)(
            *(const enum family *)*state);
        struct mix mix = named_mix(name[i % names]);
        struct tiny t;

        if (mix_fault(&mix, &c))
            continue;
        tiny_open(&t, &c, name[i % names]);
        one_incremental(&t);
        tiny_close(&t);
    }
}

/* A deep model: the cache has four slots per layer. */
static void deep(void **state)
{
    struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
    struct tiny t;

    (void)state;
    c.layers = 80;
    tiny_open(&t, &c, "vanilla");
    one_incremental(&t);
    tiny_close(&t);
}

/* ---- the cache ---- */

enum { LONG = 40, WIDE = 2, ROWS = 3 };

/* Returns a value that no other row, position and column has. */
static real mark(int row, int at, int j)
{
    return (real)(100 * row + at) + (real)j / WIDE;
}

/* Rows are permuted at every position while the slot grows. */
static void grows(void **state)
{
    static const int swap[ROWS] = {2, 0, 1};
    struct arena *a = arena_new();
    struct tape *t = tape_new(&backend_cpu);
    struct cache *c = cache_new(a, t, ROWS, LONG);
    tensor *y = leaf_new(a, 1, 3, (int[]){ROWS, 1, WIDE}), *s = NULL;
    int keys = 0, sizes = 0, who[ROWS] = {0, 1, 2};

    (void)state;
    for (int at = 0; at < LONG; at++) {
        int now = cache_begin(c, at), was[ROWS];

        assert_true(now > at && now <= LONG && now >= keys);
        sizes += now > keys;
        keys = now;
        for (int i = 0; i < ROWS * WIDE; i++)
            y->x[i] = mark(who[i / WIDE], at, i % WIDE);
        s = cache_extend(c, y, at);
        assert_int_equal(s->dim[1], keys);
        cache_select(c, swap, ROWS, at + 1, 0);
        memcpy(was, who, sizeof was);
        for (int i = 0; i < ROWS; i++)
            who[i] = was[swap[i]];
        for (int i = 0; i < ROWS * (at + 1) * WIDE; i++) {
            int row = i / WIDE / (at + 1), p = i / WIDE % (at + 1);

            assert_true(s->x[(row * keys + p) * WIDE + i % WIDE] ==
                        mark(who[row], p, i % WIDE));
        }
    }
    assert_int_equal(sizes, 3); /* 16, 32, 40 */
    tape_free(t);
    arena_free(a);
}

/* A selection may repeat or omit rows; afterwards each row is the selected one.
 * A selection takes no more memory if its indices increase strictly. */
static void selects(void **state)
{
    static const int rows[][ROWS] = {{0, 0, 1}, {0, 1, 1}, {1, 1, 2},
                                     {0, 1, 2}, {2, 2, 2}, {1, 2, 2},
                                     {2, 1, 0}, {0, 0, 0}, {1, 2, 0}};
    static const int fewer[][2] = {{0, 0}, {0, 2}, {1, 2}, {2, 0}, {1, 0}};

    (void)state;
    for (size_t k = 0; k < 9 + 5; k++) {
        const int *row = k < 9 ? rows[k] : fewer[k - 9];
        int n = k < 9 ? ROWS : 2;
        struct arena *a = arena_new();
        struct tape *t = tape_new(&backend_cpu);
        struct cache *c = cache_new(a, t, ROWS, LONG);
        tensor *y = leaf_new(a, 1, 3, (int[]){ROWS, 1, WIDE});

        for (int i = 0; i < ROWS * WIDE; i++)
            y->x[i] = mark(i / WIDE, 0, i % WIDE);
        cache_begin(c, 0);
        tensor *s = cache_extend(c, y, 0);
        size_t bytes = cache_bytes(c);
        int up = 1;

        for (int i = 1; i < n; i++)
            up &= row[i] > row[i - 1];
        cache_select(c, row, n, 1, 0);
        assert_true(up ? cache_bytes(c) == bytes : cache_bytes(c) > bytes);
        assert_int_equal(s->dim[0], n);
        for (int i = 0; i < n * WIDE; i++)
            assert_true(s->x[i / WIDE * s->dim[1] * WIDE + i % WIDE] ==
                        mark(row[i / WIDE], 0, i % WIDE));
        tape_free(t);
        arena_free(a);
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

/* Decodes one sentence alone, with a full pass for each id. */
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

static struct decoding asked(const struct input *in, const int *limit, int eos)
{
    return (struct decoding){.source = in->source, .length = in->source_length,
                             .b = in->b, .n = in->n, .limit = limit,
                             .start = START, .eos = eos, .beam = 1};
}

/* Returns log p of the ids, by one full pass. */
static double log_p(struct tiny *t, int b, const int *id, int n)
{
    struct input in = tiny_sentence(FAMILY_SEQ2SEQ, b);
    int before[CAP] = {START};
    double logp = 0;

    in.target_in = before;
    in.m = n;
    for (int i = 1; i < n; i++)
        before[i] = id[i - 1];
    const real *x = full_logits(t, &in)->x;
    for (int i = 0; i < n; i++, x += TINY_VOCAB) {
        double mass = 0;

        for (int v = 0; v < TINY_VOCAB; v++)
            mass += exp((double)x[v]);
        logp += (double)x[id[i]] - log(mass);
    }
    return logp;
}

/* Compares the whole batch with each sentence alone and with full passes. */
static void decode_with(struct tiny *t, const int limit[TINY_B], int eos)
{
    struct input in = tiny_batch(FAMILY_SEQ2SEQ);
    struct decoding all = asked(&in, limit, eos);
    struct hypothesis h[TINY_B], one;
    int want[CAP];

    decode(t->model, t->tape, &all, t->memory, t->memory, h);
    for (int b = 0; b < TINY_B; b++) {
        struct input s = tiny_sentence(FAMILY_SEQ2SEQ, b);
        struct decoding alone = asked(&s, limit + b, eos);

        assert_int_equal(h[b].n, by_full_passes(t, b, limit[b], eos, want));
        assert_memory_equal(h[b].id, want, (size_t)h[b].n * sizeof *want);
        assert_true(fabs(h[b].logp - log_p(t, b, want, h[b].n)) < 1e2 * CLOSE);
        assert_true(h[b].score == h[b].logp); /* alpha is 0 */
        decode(t->model, t->tape, &alone, t->memory, t->memory, &one);
        assert_int_equal(one.n, h[b].n);
        assert_memory_equal(one.id, want, (size_t)one.n * sizeof *want);
    }
}

static void greedy(void **state)
{
    static const int all[TINY_B] = {CAP, CAP, CAP}, some[TINY_B] = {2, 6, 3};
    const char *name[NAMES];
    int names = named_all(name), stopped = 0, wanted = 0;

    (void)state;
    for (int i = 0; i < names; i++) {
        struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
        struct mix mix = named_mix(name[i]);
        struct tiny t;
        int ids[CAP];

        if (mix_fault(&mix, &c))
            continue;
        wanted++;
        tiny_open(&t, &c, name[i]);
        decode_with(&t, all, -1);
        decode_with(&t, some, -1);
        by_full_passes(&t, 1, CAP, -1, ids);
        decode_with(&t, all, ids[2]); /* `eos` occurs before the limit */
        stopped += by_full_passes(&t, 1, CAP, ids[2], ids) < CAP;
        tiny_close(&t);
    }
    assert_int_equal(stopped, wanted);
}

/* If two rows of the table are equal, the first of their ids is chosen. */
static void equals(void **state)
{
    struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
    static const int limit[TINY_B] = {1, 1, 1};
    struct input in = tiny_batch(FAMILY_SEQ2SEQ);
    struct decoding all = asked(&in, limit, START);
    struct hypothesis h[TINY_B];
    struct tiny t;

    (void)state;
    tiny_open(&t, &c, "vanilla");
    real *table = params_find(&t.params, "embed.table")->value->x;
    for (int v = 1; v < TINY_VOCAB; v++)
        memcpy(table + v * TINY_D, table, TINY_D * sizeof *table);
    decode(t.model, t.tape, &all, t.memory, t.memory, h);
    for (int b = 0; b < TINY_B; b++)
        assert_true(h[b].n == 1 && h[b].id[0] == 0);
    tiny_close(&t);
}

/* ---- beam ---- */

enum { BEAM = 3 };

/* Tries every sequence of at most `limit` ids that ends with eos or at the
 * limit. Returns the score of the best one. */
static double best_of_all(struct tiny *t, int b, int limit, double alpha,
                          int eos, int *id, int n)
{
    double best = -INFINITY;

    for (int v = 0; v < TINY_VOCAB; v++) {
        double score;

        id[n] = v;
        if (v == eos || n + 1 == limit)
            score = log_p(t, b, id, n + 1) / pow((6.0 + n) / 6, alpha);
        else
            score = best_of_all(t, b, limit, alpha, eos, id, n + 1);
        best = score > best ? score : best;
    }
    return best;
}

/* With two ids, a beam as wide as the vocabulary is exhaustive. */
static void exhaustive(void **state)
{
    struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
    static const int limit[TINY_B] = {2, 2, 2};
    struct input in = tiny_batch(FAMILY_SEQ2SEQ);
    struct hypothesis h[TINY_B * 5];
    struct tiny t;

    (void)state;
    tiny_open(&t, &c, "vanilla");
    for (int eos = 0; eos < TINY_VOCAB; eos += 3) {
        struct decoding s = asked(&in, limit, eos);
        int id[CAP];

        s.beam = 5;
        s.alpha = 0.6;
        decode(t.model, t.tape, &s, t.memory, t.memory, h);
        for (int b = 0; b < TINY_B; b++)
            assert_true(fabs(h[5 * b].score -
                             best_of_all(&t, b, 2, 0.6, eos, id, 0)) <
                        1e2 * CLOSE);
    }
    tiny_close(&t);
}

/* Each score is that of its ids. The scores are in descending order, and the
 * first is at least that of greedy search. A sentence has the same list alone
 * as in a batch. */
static void lists(struct tiny *t, const int *limit, int eos)
{
    struct input in = tiny_batch(FAMILY_SEQ2SEQ);
    struct decoding all = asked(&in, limit, eos), plain = all;
    struct hypothesis h[TINY_B * BEAM], g[TINY_B], one[BEAM];

    decode(t->model, t->tape, &plain, t->memory, t->memory, g);
    all.beam = BEAM;
    decode(t->model, t->tape, &all, t->memory, t->memory, h);
    for (int b = 0; b < TINY_B; b++) {
        struct input in1 = tiny_sentence(FAMILY_SEQ2SEQ, b);
        struct decoding alone = asked(&in1, limit + b, eos);

        alone.beam = BEAM;
        decode(t->model, t->tape, &alone, t->memory, t->memory, one);
        assert_true(h[b * BEAM].score >= g[b].score - 1e2 * CLOSE);
        for (int i = 0; i < BEAM; i++) {
            const struct hypothesis *x = &h[b * BEAM + i];

            assert_true(x->n > 0 && x->n <= limit[b]);
            assert_true(i == 0 || x->score <= x[-1].score);
            assert_true(fabs(x->logp - log_p(t, b, x->id, x->n)) <
                        1e2 * CLOSE);
            assert_int_equal(one[i].n, x->n);
            assert_memory_equal(one[i].id, x->id,
                                (size_t)x->n * sizeof *x->id);
        }
    }
}

static void beams(void **state)
{
    static const int all[TINY_B] = {CAP, CAP, CAP}, some[TINY_B] = {2, 6, 3};
    const char *name[NAMES];
    int names = named_all(name);

    (void)state;
    for (int i = 0; i < names; i++) {
        struct model_config c = tiny_config(FAMILY_SEQ2SEQ);
        struct mix mix = named_mix(name[i]);
        struct tiny t;
        int ids[CAP];

        if (mix_fault(&mix, &c))
            continue;
        tiny_open(&t, &c, name[i]);
        lists(&t, all, -1);
        lists(&t, some, -1);
        by_full_passes(&t, 1, CAP, -1, ids);
        lists(&t, all, ids[2]);
        tiny_close(&t);
    }
}

int main(void)
{
    static const enum family family[] = {FAMILY_SEQ2SEQ, FAMILY_LM};
    const struct CMUnitTest decode[] = {
        {"seq2seq: logits of a decoding step equal those of the full pass",
         incremental, NULL, NULL, (void *)&family[0]},
        {"lm: logits of a decoding step equal those of the full pass",
         incremental, NULL, NULL, (void *)&family[1]},
        {"seq2seq: logits of a decoding step are right in eighty layers", deep,
         NULL, NULL, NULL},
        {"any rows of a cache can be selected, in any order", selects, NULL,
         NULL, NULL},
        {"a growing cache keeps the keys of the selected rows", grows, NULL,
         NULL, NULL},
        {"greedy decoding takes the argmax of full passes, in any batch",
         greedy, NULL, NULL, NULL},
        {"a beam over all continuations finds the best of all sequences",
         exhaustive, NULL, NULL, NULL},
        {"scores of a beam are sorted, correct and the same in any batch",
         beams, NULL, NULL, NULL},
        {"the first of equally probable ids is decoded", equals, NULL, NULL,
         NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("decode", decode, NULL, NULL);
}
