#include "harness/nn/decode.h"

#include "harness/base/err.h"
#include "harness/nn/cache.h"

#include <math.h>
#include <string.h>

static const struct rng_key no_key;

/* The unfinished prefixes, as the rows of a batch. */
struct rows {
    const struct model    *m;
    struct tape           *t;
    const struct decoding *s;
    struct arena          *a;
    struct cache          *cache;
    tensor                *memory;
    int                    v;          /* vocabulary size               */
    int                    n, cap, at; /* rows; maximum ids; ids so far */
    int                   *sentence;   /* (n)                           */
    int                   *length;     /* (n) of the source             */
    int                   *id;         /* (n,cap)                       */
    double                *logp;       /* (n) log p of the ids, nats    */
    int                   *from;       /* (n) see rows_select           */
    real                  *work;       /* (v) scratch, on the backend   */
    struct best           *found; /* (n,best) best next ids, on the backend */
    struct best           *next;       /* (n,best) the same, on the host */
    int                    best;       /* candidates per row            */
};

static void *zeros(struct arena *a, int n, size_t size)
{
    return arena_zero(a, (size_t)n * size);
}

/* Encodes the sources.  Returns the output with `wide` rows per sentence.  The
 * result is a copy, because the tape discards its tensors at each position. */
static tensor *encode(struct rows *r, int wide)
{
    const struct decoding *s = r->s;

    tape_begin(r->t, TAPE_EVAL, no_key, 0, 0);
    tensor *x = model_encode(r->m, r->t, s->source, s->length, s->b, s->n);
    tensor *kept = arena_zero(r->a, sizeof *kept);
    size_t one = (size_t)x->dim[1] * (size_t)x->dim[2];

    *kept = (tensor){.nd = 3, .dim = {s->b * wide, s->n, x->dim[2]}};
    kept->x = arena_take(r->t->kept, tensor_len(kept) * sizeof(real));
    struct blocks each = {(size_t)s->b, (size_t)wide, one, {one, 0},
                          {(size_t)wide * one, one}};
    r->t->be->copy_blocks(&each, x->x, kept->x);
    return kept;
}

static void rows_open(struct rows *r, int wide)
{
    const struct decoding *s = r->s;

    r->n = s->b * wide;
    for (int i = 0; i < s->b; i++)
        r->cap = s->limit[i] > r->cap ? s->limit[i] : r->cap;
    REQUIRE(r->cap > 0 && r->cap <= model_config(r->m)->N,
            "%d positions of %d", r->cap, model_config(r->m)->N);
    r->sentence = zeros(r->a, r->n, sizeof *r->sentence);
    r->length = zeros(r->a, r->n, sizeof *r->length);
    r->from = zeros(r->a, r->n, sizeof *r->from);
    r->logp = zeros(r->a, r->n, sizeof *r->logp);
    r->id = zeros(r->a, r->n * r->cap, sizeof *r->id);
    for (int i = 0; i < r->n; i++) {
        r->sentence[i] = i / wide;
        r->length[i] = s->length[i / wide];
    }
    r->memory = encode(r, wide);
    r->cache = cache_new(r->a, r->t, r->n, r->cap);
    r->work = arena_take(r->t->kept, (size_t)r->v * sizeof *r->work);
    r->next = zeros(r->a, r->n * r->best, sizeof *r->next);
    r->found = arena_take(r->t->kept,
                          (size_t)(r->n * r->best) * sizeof *r->found);
}

static int *ids(const struct rows *r, int row)
{
    return r->id + (size_t)row * (size_t)r->cap;
}

static void rows_step(struct rows *r)
{
    struct window w = {.from = r->at, .causal = 1, .cache = r->cache,
                       .keys = cache_begin(r->cache, r->at)};

    tape_begin(r->t, TAPE_EVAL, no_key, 0, 0);
    int *last = arena_take(r->t->nodes, (size_t)r->n * sizeof *last);
    for (int i = 0; i < r->n; i++)
        last[i] = r->at ? ids(r, i)[r->at - 1] : r->s->start;
    tensor *logits = model_logits(r->m, r->t,
                                  model_decode(r->m, r->t, last, r->n, 1, &w,
                                               r->memory, r->length));
    r->t->be->best((size_t)r->n, r->v, r->best, logits->x, r->work, r->found);
    backend_get(r->t->be, r->next, r->found,
                (size_t)(r->n * r->best) * sizeof *r->next);
}

/* Keeps n rows: row from[i] becomes row i.  Sentences without a row are
 * dropped; the others keep their order. */
static void rows_select(struct rows *r, int n)
{
    size_t bytes = (size_t)r->cap * sizeof *r->id;
    int same = n == r->n, *old = arena_take(r->t->nodes, (size_t)r->n * bytes);

    for (int i = 0; i < n; i++)
        same = same && r->sentence[r->from[i]] == r->sentence[i];
    cache_select(r->cache, r->from, n, r->at + 1, same);
    memcpy(old, r->id, (size_t)r->n * bytes);
    for (int i = 0; i < n; i++) {
        int from = r->from[i];

        memcpy(ids(r, i), old + (size_t)from * (size_t)r->cap, bytes);
        r->sentence[i] = r->sentence[from];
        r->length[i] = r->length[from];
    }
    r->n = n;
}

static void keep_ids(struct hypothesis *h, struct arena *keep, const int *id,
                     int n)
{
    h->n = n;
    h->id = arena_take(keep, (size_t)n * sizeof *id);
    memcpy(h->id, id, (size_t)n * sizeof *id);
}

static double by_length(const struct decoding *s, double logp, int len)
{
    return logp / pow((5.0 + len) / 6, s->alpha);
}

static const struct best *next(const struct rows *r, int row)
{
    return r->next + (size_t)row * (size_t)r->best;
}

/* ---- greedy ---- */

static void greedy(struct rows *r, struct arena *keep, struct hypothesis *out)
{
    rows_open(r, 1);
    for (; r->n; r->at++) {
        int open = 0;

        rows_step(r);
        for (int i = 0; i < r->n; i++) {
            const struct best *x = next(r, i);
            int s = r->sentence[i], len = r->at + 1;

            ids(r, i)[r->at] = x->id;
            r->logp[i] += (double)x->x - x->mass;
            if (x->id == r->s->eos || len == r->s->limit[s]) {
                keep_ids(&out[s], keep, ids(r, i), len);
                out[s].logp = r->logp[i];
                out[s].score = by_length(r->s, r->logp[i], len);
            } else {
                r->logp[open] = r->logp[i];
                r->from[open++] = i;
            }
        }
        if (open < r->n)
            rows_select(r, open);
    }
}

/* ---- beam ---- */

struct candidate { int row, id; double logp; };

/* Inserts c into the sorted list of at most `most` candidates, after candidates
 * with the same score. */
static void offer(struct candidate *list, int *n, int most,
                  struct candidate c)
{
    int i = *n < most ? (*n)++ : most;

    if (i == most) {
        if (!(c.logp > list[most - 1].logp))
            return;
        i--;
    }
    for (; i > 0 && c.logp > list[i - 1].logp; i--)
        list[i] = list[i - 1];
    list[i] = c;
}

/* Writes the 2 K best continuations of the `rows` rows from `first` on to
 * `list`, chosen from the 2 K best of each row, where K = `beam`.  Returns
 * their number. */
static int expand(struct rows *r, int first, int rows, struct candidate *list)
{
    int n = 0;

    for (int i = first; i < first + rows; i++)
        for (int j = 0; j < r->best; j++) {
            const struct best *x = &next(r, i)[j];
            double logp = r->logp[i] + (double)x->x - x->mass;

            offer(list, &n, r->best, (struct candidate){i, x->id, logp});
        }
    return n;
}

/* Inserts an ended hypothesis into `best`, the K = `beam` best hypotheses of
 * its sentence, if it is one of these. */
static void finish(struct rows *r, struct arena *keep, struct hypothesis *best,
                   int row, int last, int len, double logp)
{
    int k = r->s->beam, i = k;
    double score = by_length(r->s, logp, len);

    while (i > 0 && (!best[i - 1].n || score > best[i - 1].score))
        i--;
    if (i == k)
        return;
    memmove(best + i + 1, best + i, (size_t)(k - 1 - i) * sizeof *best);
    keep_ids(&best[i], keep, ids(r, row), len);
    best[i].id[len - 1] = last;
    best[i].logp = logp;
    best[i].score = score;
}

/* Returns 1 if no prefix whose log probability is `logp` or less can become one
 * of the hypotheses in `best`. */
static int hopeless(const struct decoding *s, int sentence,
                    const struct hypothesis *best, double logp)
{
    const struct hypothesis *worst = &best[s->beam - 1];

    return worst->n &&
           by_length(s, logp, s->limit[sentence]) <= worst->score;
}

/* Advances one sentence, whose K = `beam` rows begin at `first` and whose n
 * best continuations are in `list`.  Writes its next rows (row and id) to
 * `next` (K) and returns their number, or 0 if the sentence has ended. */
static int advance(struct rows *r, struct arena *keep, struct hypothesis *best,
                   int first, const struct candidate *list, int n,
                   struct candidate *next)
{
    const struct decoding *s = r->s;
    int sentence = r->sentence[first], len = r->at + 1, alive = 0;
    int last = len == s->limit[sentence];

    for (int i = 0; i < n && alive < s->beam; i++) {
        const struct candidate *c = &list[i];

        if (c->id == s->eos || last)
            finish(r, keep, best, c->row, c->id, len, c->logp);
        if (c->id != s->eos)
            next[alive++] = *c;
    }
    return last || hopeless(s, sentence, best, next[0].logp) ? 0 : alive;
}

static void beam(struct rows *r, struct arena *keep, struct hypothesis *out)
{
    int k = r->s->beam;
    struct candidate *list = zeros(r->a, 2 * k, sizeof *list);
    struct candidate *next = zeros(r->a, r->s->b * k, sizeof *next);

    REQUIRE(2 * k <= r->v, "a beam of %d in %d ids", k, r->v);
    rows_open(r, k);
    for (; r->n; r->at++) {
        int n = 0;

        rows_step(r);
        for (int i = 0; i < r->n; i += k) { /* at position 0 the k rows of a
                                               sentence are equal */
            struct hypothesis *best = out + r->sentence[i] * k;
            int found = expand(r, i, r->at ? k : 1, list);
            int alive = advance(r, keep, best, i, list, found, next + n);

            REQUIRE(!alive || alive == k, "%d of %d prefixes", alive, k);
            n += alive;
        }
        for (int i = 0; i < n; i++)
            r->from[i] = next[i].row;
        rows_select(r, n);
        for (int i = 0; i < n; i++) {
            r->logp[i] = next[i].logp;
            ids(r, i)[r->at] = next[i].id;
        }
    }
}

void decode(const struct model *m, struct tape *t, const struct decoding *s,
            struct arena *a, struct arena *keep, struct hypothesis *out)
{
    struct rows r = {.m = m, .t = t, .s = s, .a = a,
                     .v = model_config(m)->vocab,
                     .best = s->beam > 1 ? 2 * s->beam : 1};

    arena_reset(t->kept);
    memset(out, 0, (size_t)(s->b * s->beam) * sizeof *out);
    (s->beam > 1 ? beam : greedy)(&r, keep, out);
}
