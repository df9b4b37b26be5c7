#include "harness/data/batch.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/data/bucketed.h"

#include <limits.h>
#include <string.h>

enum { POOL = 32, MULTIPLE = 8 };

/* Orders of the rows, which depend only on the dataset and on the arguments of
 * a call.  They are kept so that a step need not shuffle again. */
struct orders {
    int even;            /* 1 if all rows of all splits have the same length */
    int *sorted[SPLITS]; /* rows by length; NULL if even: rows are in dataset
                            order */
    int *epoch, *scratch;
    int *count; /* (longest + 2), for the counting sort */
    int longest;
    int rows; /* rows per batch of `epoch`; 0: `epoch` is not filled yet */
    uint64_t seed, number;
    struct bucketed *bucketed; /* batches for `by`, or NULL */
    struct batching  by;       /* what `bucketed` was made for */
};

static int *take_ints(struct arena *a, int n)
{
    return arena_take(a, (size_t)n * sizeof(int));
}

static int length_of(const struct examples *e, int i)
{
    const struct example r = examples_row(e, i, NULL);

    return r.nsource + r.ntarget;
}

/* Sorts order[0..n-1] by length with a stable counting sort. */
static void sort(const struct orders *o, const struct examples *e, int *order,
                 int n)
{
    if (o->even)
        return;
    memset(o->count, 0, (size_t)(o->longest + 2) * sizeof *o->count);
    for (int i = 0; i < n; i++)
        o->count[length_of(e, order[i]) + 1]++;
    for (int k = 0; k < o->longest; k++)
        o->count[k + 1] += o->count[k];
    for (int i = 0; i < n; i++)
        o->scratch[o->count[length_of(e, order[i])]++] = order[i];
    memcpy(order, o->scratch, (size_t)n * sizeof *order);
}

void batch_prepare(struct dataset *d)
{
    struct orders *o = arena_zero(d->memory, sizeof *o);
    int most = 1, shortest = INT_MAX;

    for (int s = 0; s < SPLITS; s++) {
        const struct examples *e = &d->split[s];

        most = e->n > most ? e->n : most;
        for (int i = 0; i < e->n; i++) {
            int length = length_of(e, i);

            o->longest = length > o->longest ? length : o->longest;
            shortest = length < shortest ? length : shortest;
        }
    }
    o->even = shortest >= o->longest;
    o->scratch = take_ints(d->memory, most);
    o->count = take_ints(d->memory, o->longest + 2);
    o->epoch = take_ints(d->memory, d->split[SPLIT_TRAIN].n);
    for (int s = 0; s < SPLITS && !o->even; s++) {
        const struct examples *e = &d->split[s];

        o->sorted[s] = take_ints(d->memory, e->n);
        for (int i = 0; i < e->n; i++)
            o->sorted[s][i] = i;
        sort(o, e, o->sorted[s], e->n);
    }
    d->orders = o;
}

/* Sorts one pool of n rows by length, then shuffles its batches. */
static void mix_pool(const struct orders *o, const struct examples *e,
                     int *order, int n, struct rng_key key)
{
    size_t bytes = (size_t)o->rows * sizeof *order;
    int turn[POOL];

    sort(o, e, order, n);
    rng_shuffle(key, n / o->rows, turn);
    memcpy(o->scratch, order, (size_t)n * sizeof *order);
    for (int i = 0; i < n / o->rows; i++)
        memcpy(order + i * o->rows, o->scratch + turn[i] * o->rows, bytes);
}

static void make_epoch(struct orders *o, const struct examples *e,
                       uint64_t seed, int rows, uint64_t number)
{
    struct rng_key key = {seed, RNG_SHUFFLE, (uint32_t)number, 0};
    int pool = POOL * rows, used = e->n / rows * rows;

    o->seed = seed;
    o->rows = rows;
    o->number = number;
    rng_shuffle(key, e->n, o->epoch);
    for (int i = 0; i < used; i += pool) {
        key.site++;
        mix_pool(o, e, o->epoch + i, used - i < pool ? used - i : pool, key);
    }
}

int batch_padded(int longest, int most)
{
    int n = (longest + MULTIPLE - 1) / MULTIPLE * MULTIPLE;

    return n < most ? n : most;
}

/* Returns the ids of the sources, (b,n), or of the targets, (b,m), if `target`
 * is 1, padded with 0.  If `shift` is 1, each row is shifted right after the id
 * `start`. */
static const int *pad_ids(const struct batch *out, const struct example *row,
                          int target, int shift, int start, struct arena *a)
{
    int n = target ? out->m : out->n;
    int *ids = arena_zero(a, (size_t)out->b * (size_t)n * sizeof *ids);

    for (int i = 0; i < out->b; i++) {
        const struct example *r = &row[i];
        const int *from = target ? r->target : r->source;
        int len = (target ? r->ntarget : r->nsource) - shift;

        if (shift)
            ids[i * n] = start;
        memcpy(ids + i * n + shift, from, (size_t)len * sizeof *ids);
    }
    return ids;
}

static void gather(struct batch *out, const struct dataset *d, enum split s,
                   const int *which, int b, struct arena *a)
{
    const struct examples *e = &d->split[s];
    int *index = take_ints(a, b), *label = take_ints(a, b);
    int *source = take_ints(a, b), *target = take_ints(a, b);
    int *prompt = take_ints(a, b);
    struct example *row = arena_take(a, (size_t)b * sizeof *row);
    int longest[2] = {0, 0};

    *out = (struct batch){b,
                          0,
                          0,
                          .source_length = source,
                          .label = label,
                          .target_length = target,
                          .prompt = prompt,
                          .index = index};
    for (int i = 0; i < b; i++) {
        const struct example *r = &row[i];

        row[i] = examples_row(e, which[i], a);
        index[i] = which[i];
        label[i] = r->label;
        source[i] = r->nsource;
        target[i] = r->ntarget;
        prompt[i] = r->prompt;
        longest[0] = r->nsource > longest[0] ? r->nsource : longest[0];
        longest[1] = r->ntarget > longest[1] ? r->ntarget : longest[1];
        out->targets += d->kind == TASK_CLASSIFY ? 1 : r->ntarget - r->prompt;
    }
    out->n = batch_padded(longest[0], d->N);
    out->m = batch_padded(longest[1], d->N);
    if (out->n)
        out->source = pad_ids(out, row, 0, 0, 0, a);
    if (out->m) {
        out->target_in = pad_ids(out, row, 1, 1, d->start, a);
        out->target_out = pad_ids(out, row, 1, 0, 0, a);
    }
}

void batch_train(struct batch *out, const struct dataset *d, uint64_t seed,
                 int rows, uint64_t step, struct arena *a)
{
    const struct examples *e = &d->split[SPLIT_TRAIN];
    struct orders *o = d->orders;

    REQUIRE(o, "dataset_seal was not called");
    REQUIRE(rows >= 1 && rows <= e->n, "%d rows requested of %d", rows, e->n);
    uint64_t batches = (uint64_t)(e->n / rows), number = step / batches;
    if (o->rows != rows || o->seed != seed || o->number != number)
        make_epoch(o, e, seed, rows, number);
    gather(out, d, SPLIT_TRAIN, o->epoch + step % batches * (uint64_t)rows,
           rows, a);
}

/* Returns the cached batches for `by`, and makes them if `by` differs from that
 * of the previous call.  The memory of the previous batches is released only
 * with the dataset, because a cell uses only one batching. */
static struct bucketed *bucketed_of(const struct dataset *d,
                                    const struct batching *by)
{
    struct orders *o = d->orders;
    struct buckets b;

    REQUIRE(o, "dataset_seal was not called");
    if (!o->bucketed || memcmp(&o->by, by, sizeof *by)) {
        buckets_make(&b, by->tokens, by->devices, by->longest);
        o->bucketed = bucketed_new(d, &b, d->memory);
        o->by = *by;
    }
    return o->bucketed;
}

void batch_step(struct batch *out, const struct dataset *d,
                const struct batching *by, uint64_t seed, uint64_t step,
                struct arena *a)
{
    int n;

    if (by->rows) {
        batch_train(out, d, seed, by->rows, step, a);
        return;
    }
    const int *which = bucketed_step(bucketed_of(d, by), seed, step, &n);
    gather(out, d, SPLIT_TRAIN, which, n, a);
}

double batch_rows_expected(const struct dataset *d, const struct batching *by)
{
    if (by->rows)
        return d->split[SPLIT_TRAIN].n < by->rows ? 0 : by->rows;
    return bucketed_rows(bucketed_of(d, by));
}

void batch_eval(struct batch *out, const struct dataset *d, enum split s,
                int first, int rows, struct arena *a)
{
    int left = d->split[s].n - first, n = left < rows ? left : rows;

    REQUIRE(d->orders, "dataset_seal was not called");
    REQUIRE(first >= 0 && rows >= 1, "%d rows from %d", rows, first);
    *out = (struct batch){.b = 0};
    if (left <= 0)
        return;
    int *which = take_ints(a, n);
    for (int i = 0; i < n; i++)
        which[i] = d->orders->even ? first + i
                                   : d->orders->sorted[s][first + i];
    gather(out, d, s, which, n, a);
}
