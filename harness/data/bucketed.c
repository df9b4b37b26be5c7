#include "harness/data/bucketed.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <string.h>

/* The examples of one bucket: member[first] to member[first + n - 1]. */
struct deck { int n, first; };

/* Keeps the batches of one epoch (`queue`, `hand`, `turn`), so that not every
 * step has to shuffle again. */
struct bucketed {
    struct buckets by;
    struct deck    deck[BUCKETS];
    int           *member;  /* rows of the dataset, by bucket            */
    int            members;
    int           *order;   /* (members) scratch                         */
    int           *queue;   /* rows of the epoch's batches, concatenated */
    struct hand { int at, n; } *hand; /* for each batch: its rows in queue */
    int           *turn;    /* order of the batches */
    uint64_t       seed, epoch, before; /* before: number of batches of
                                           earlier epochs               */
    int            batches; /* 0: no epoch is kept */
};

static int length_of(const struct examples *e, int i)
{
    const struct example r = examples_row(e, i, NULL);

    return r.nsource > r.ntarget ? r.nsource : r.ntarget;
}

/* Allocates the arrays for the batches that one epoch completes.  The first
 * batch of each bucket may contain rows of earlier epochs. */
static void make_room(struct bucketed *x, struct arena *a)
{
    size_t rows = (size_t)x->members, batches = 1;

    for (int k = 0; k < x->by.n; k++) {
        size_t one = (size_t)x->by.rows[k], n = (size_t)x->deck[k].n;

        rows += n ? one : 0;
        batches += n ? n / one + 1 : 0;
    }
    x->order = arena_take(a, ((size_t)x->members + 1) * sizeof *x->order);
    x->queue = arena_take(a, (rows + 1) * sizeof *x->queue);
    x->hand = arena_take(a, batches * sizeof *x->hand);
    x->turn = arena_take(a, batches * sizeof *x->turn);
}

struct bucketed *bucketed_new(const struct dataset *d, const struct buckets *b,
                              struct arena *a)
{
    const struct examples *e = &d->split[SPLIT_TRAIN];
    struct bucketed *x = arena_zero(a, sizeof *x);
    int next[BUCKETS];

    x->by = *b;
    x->member = arena_take(a, ((size_t)e->n + 1) * sizeof *x->member);
    for (int i = 0; i < e->n; i++) {
        int k = buckets_of(b, length_of(e, i));

        if (k >= 0)
            x->deck[k].n++;
    }
    for (int k = 0; k < b->n; k++) {
        x->deck[k].first = next[k] = x->members;
        x->members += x->deck[k].n;
    }
    for (int i = 0; i < e->n; i++) {
        int k = buckets_of(b, length_of(e, i));

        if (k >= 0)
            x->member[next[k]++] = i;
    }
    make_room(x, a);
    return x;
}

/* Returns the number of batches that bucket k completes in `epochs` epochs. */
static uint64_t completed(const struct bucketed *x, int k, uint64_t epochs)
{
    return epochs * (uint64_t)x->deck[k].n / (uint64_t)x->by.rows[k];
}

static uint64_t all_completed(const struct bucketed *x, uint64_t epochs)
{
    uint64_t n = 0;

    for (int k = 0; k < x->by.n; k++)
        n += completed(x, k, epochs);
    return n;
}

/* Returns the epoch that completes the batch of a step. */
static uint64_t epoch_of(const struct bucketed *x, uint64_t step)
{
    uint64_t least = 0, most = 1;

    while (all_completed(x, most) <= step)
        most *= 2;
    while (most - least > 1) {
        uint64_t middle = least + (most - least) / 2;

        if (all_completed(x, middle) <= step)
            least = middle;
        else
            most = middle;
    }
    return least;
}

/* Copies the rows at positions `from` to `to` - 1 of the concatenated epochs of
 * bucket k to `out`. */
static void copy_places(struct bucketed *x, int k, uint64_t from, uint64_t to,
                        int *out)
{
    const struct deck *deck = &x->deck[k];
    uint64_t n = (uint64_t)deck->n;

    while (from < to) {
        struct rng_key key = {x->seed, RNG_SHUFFLE, (uint32_t)(from / n),
                              (uint64_t)k + 1};
        uint64_t end = (from / n + 1) * n;

        rng_shuffle(key, deck->n, x->order);
        for (; from < to && from < end; from++)
            *out++ = x->member[deck->first + x->order[from % n]];
    }
}

static void deal_epoch(struct bucketed *x, uint64_t seed, uint64_t epoch)
{
    struct rng_key key = {seed, RNG_SHUFFLE, (uint32_t)epoch, 0};
    int at = 0;

    x->seed = seed;
    x->epoch = epoch;
    x->before = all_completed(x, epoch);
    x->batches = 0;
    for (int k = 0; k < x->by.n; k++) {
        uint64_t rows = (uint64_t)x->by.rows[k];
        uint64_t first = completed(x, k, epoch);
        uint64_t last = completed(x, k, epoch + 1);

        copy_places(x, k, first * rows, last * rows, x->queue + at);
        for (uint64_t i = first; i < last; i++, at += (int)rows)
            x->hand[x->batches++] = (struct hand){at, (int)rows};
    }
    rng_shuffle(key, x->batches, x->turn);
}

const int *bucketed_step(struct bucketed *x, uint64_t seed, uint64_t step,
                         int *n)
{
    REQUIRE(x->members, "all buckets are empty");
    if (!x->batches || x->seed != seed || step < x->before ||
        step - x->before >= (uint64_t)x->batches)
        deal_epoch(x, seed, epoch_of(x, step));
    const struct hand *h = &x->hand[x->turn[step - x->before]];

    *n = h->n;
    return x->queue + h->at;
}

int bucketed_examples(const struct bucketed *x) { return x->members; }

double bucketed_rows(const struct bucketed *x)
{
    double batches = 0;

    for (int k = 0; k < x->by.n; k++)
        batches += (double)x->deck[k].n / x->by.rows[k];
    return x->members ? x->members / batches : 0;
}

const struct buckets *bucketed_buckets(const struct bucketed *x)
{
    return &x->by;
}
