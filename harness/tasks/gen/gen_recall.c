/*
 * gen_recall: draws examples of retrieval by content.  The keys are in random
 * order, each with a value; the values are a permutation.  A pair (k,v) is one
 * token:
 *
 *     gen_recall     (k_1,v_1) .. (k_n,v_n) k v       row of a language model
 *     gen_recall_bi  k (k_1,v_1) .. (k_n,v_n)  -> v   label of a whole text
 *     gen_eq         a f_1 .. f_m b  yes | no         "yes" if a = b, which is
 *                                                     so in half of the
 *                                                     examples; the f_i are
 *                                                     other symbols
 *
 * A probe whose weights do not depend on tokens (law.h) adds a function of the
 * question and a function of the memory.  Its convex loss is invariant under
 * renaming keys and values, so constant logits are optimal; the least loss is
 * exactly ln n for recall and ln 2 for gen_eq.
 *
 * This is not a bound for whole models.  Two heads of the variant `dense` can
 * match in a probe (logits -(a - b)^2).  If the question comes first and all
 * positions see it, the variant `random` can match, too: each position reads
 * position 0, its feed-forward layer compares, and the mean collects the
 * results.
 */
#include "harness/tasks/gen/law.h"

#include <math.h>

struct recall { int n, *key, *value; };

static void begin_n(struct recall *me, struct dataset *d, int n)
{
    size_t bytes = (size_t)n * sizeof(int);

    *me = (struct recall){n, arena_take(d->memory, bytes),
                          arena_take(d->memory, bytes)};
}

/* Ids 3 .. 2 + n^2 are pairs; then follow n query keys and n values. */
static int pair_id(int n, int key, int value)
{
    return ID_FIRST + key * n + value;
}

static int query_id(int n, int key) { return ID_FIRST + n * n + key; }
static int value_id(int n, int value) { return query_id(n, n) + value; }

/* Draws n pairs into `out` and returns the value of the key `asked`. */
static int draw_pairs(const struct recall *me, struct draw *r, int asked,
                      int *out)
{
    int found = 0;

    for (int i = 0; i < me->n; i++)
        me->key[i] = me->value[i] = i;
    draw_shuffle(r, me->key, me->n);
    draw_shuffle(r, me->value, me->n);
    for (int i = 0; i < me->n; i++) {
        out[i] = pair_id(me->n, me->key[i], me->value[i]);
        if (me->key[i] == asked)
            found = me->value[i];
    }
    return found;
}

static int recall_vocab(int length)
{
    return value_id(length - 2, length - 2);
}

static void begin_recall(void *self, struct dataset *d,
                         const struct task_opts *o)
{
    begin_n(self, d, o->length - 2);
}

static void draw_recall(struct draw *r, struct drawn *out)
{
    const struct recall *me = draw_self(r);
    int n = me->n, asked = draw_below(r, n);
    int value = draw_pairs(me, r, asked, out->target);

    out->target[n] = query_id(n, asked);
    out->target[n + 1] = value_id(n, value);
    out->ntarget = n + 2;
    out->prompt = n + 1;
}

static double blind_recall(const struct task_opts *o)
{
    return log(o->length - 2);
}

static int bi_vocab(int length) { return query_id(length - 1, length - 1); }

static void begin_bi(void *self, struct dataset *d, const struct task_opts *o)
{
    d->classes = o->length - 1;
    begin_n(self, d, d->classes);
}

static void draw_bi(struct draw *r, struct drawn *out)
{
    const struct recall *me = draw_self(r);
    int asked = draw_below(r, me->n);

    out->source[0] = query_id(me->n, asked);
    out->label = draw_pairs(me, r, asked, out->source + 1);
    out->nsource = me->n + 1;
}

static double blind_bi(const struct task_opts *o) { return log(o->length - 1); }

/* ---- are two symbols equal? ---- */

enum { NO = ID_FIRST, YES, EQ_FIRST };

static void draw_eq(struct draw *r, struct drawn *out)
{
    int symbols = (draw_opts(r)->vocab - EQ_FIRST) / 2;
    int *x = out->target, last = draw_opts(r)->length - 2;
    int equal = draw_below(r, 2), a = draw_below(r, symbols);
    int other = (a + 1 + draw_below(r, symbols - 1)) % symbols;

    x[0] = EQ_FIRST + a;
    for (int i = 1; i < last; i++)
        x[i] = EQ_FIRST + symbols + draw_below(r, symbols);
    x[last] = EQ_FIRST + (equal ? a : other);
    x[last + 1] = equal ? YES : NO;
    out->ntarget = last + 2;
    out->prompt = last + 1;
}

static double blind_eq(const struct task_opts *o)
{
    (void)o;
    return log(2);
}

/* ---- tasks ---- */

LAW(gen_recall, "Recall", "associative recall, as in Graves et al. 2014",
    "pairs of key and value, a key, and its value", LANGUAGE,
    .size = sizeof(struct recall), .length = 4, .vocab_of = recall_vocab,
    .begin = begin_recall, .draw = draw_recall, .reach = ROWS_OF_PAIRS,
    .blind = blind_recall, .blind_reach = ROWS_ANY)

LAW(gen_recall_bi, "Recall, both ways", "associative recall in both directions",
    "a key, pairs of key and value; the key's value", CLASSIFY,
    .size = sizeof(struct recall), .length = 4, .vocab_of = bi_vocab,
    .begin = begin_bi, .draw = draw_bi, .reach = ROWS_OF_POSITIONS,
    .blind = blind_bi, .blind_reach = ROWS_ANY)

LAW(gen_eq, "Equality", "the equality problem",
    "two symbols with others between them: are they equal?", LANGUAGE,
    .length = 4, .vocab = EQ_FIRST + 4, .draw = draw_eq, .reach = ROWS_OF_PAIRS,
    .blind = blind_eq, .blind_reach = ROWS_ANY)
