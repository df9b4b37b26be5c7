/* Gradients are sent to other ranks while threads still compute them. Each sum
 * must be bit-identical to the sum after the backward pass. */
#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/train/relay.h"
#include "tests/support/porter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LANES = 8, UNITS = 60, STEPS = 3 };

/* A division of the work, and the units of a flat gradient: unit i has `least`
 * + i `more` values. */
struct way {
    int    lanes, shards, threads, units;
    size_t least, more;
};

static size_t begins(const struct way *w, int unit)
{
    size_t i = (size_t)unit;

    return i * w->least + w->more * (i * (i - (i > 0)) / 2);
}

static size_t values(const struct way *w) { return begins(w, w->units); }

/* ---- gradients ---- */

/* Returns a value of a gradient. The values differ so much in magnitude that
 * the order of summation affects the sum. */
static real value(int step, int shard, size_t i)
{
    uint64_t x = (i * 64 + (uint64_t)shard * 4 + (uint64_t)step + 1) *
                 0x9E3779B97F4A7C15u;

    x ^= x >> 32;
    return ((real)(x & 0xfffff) - 0x80000) * (real)(1 << (x >> 20) % 20);
}

static void add_shard(real *to, int step, int shard, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        to[i] += value(step, shard, i);
}

static void add_to(real *to, const real *x, size_t at, size_t end)
{
    for (size_t i = at; i < end; i++)
        to[i] += x[i];
}

/* Sums all gradients in one process and one thread: shards into their lanes,
 * then lanes by their tree. */
static void sum_alone(real **grad, const struct way *w, int step)
{
    for (int l = 0; l < w->lanes; l++) {
        memset(grad[l], 0, values(w) * sizeof(real));
        for (int s = l; s < w->shards; s += w->lanes)
            add_shard(grad[l], step, s, 0, values(w));
    }
    for (int stride = 1; stride < w->lanes; stride *= 2)
        for (int i = 0; i + stride < w->lanes; i += 2 * stride)
            add_to(grad[i], grad[i + stride], 0, values(w));
}

static void take_grads(real **grad, const struct way *w, struct arena *a)
{
    for (int l = 0; l < w->lanes; l++)
        grad[l] = arena_zero(a, values(w) * sizeof(real));
}

/* ---- a rank ---- */

struct rank {
    const struct way *way;
    struct zero1      share;
    struct relay     *relay;
    real             *grad[LANES], *alone[LANES];
    int               step;
};

/* Sums those lanes of this rank that belong to one head. */
static void sum_head(struct rank *k, const struct head *h,
                     const struct slice *x)
{
    int end = h->lane + h->size;

    end = end < k->way->lanes ? end : k->way->lanes;
    for (int stride = 1; stride < h->size; stride *= 2)
        for (int i = h->lane; i + stride < end; i += 2 * stride)
            add_to(k->grad[i], k->grad[i + stride], x->at, x->end);
}

static void sum_own(void *rank, const struct slice *x)
{
    struct rank *k = rank;

    for (int i = 0; i < k->share.heads; i++)
        if (k->share.head[i].rank == k->share.me)
            sum_head(k, &k->share.head[i], x);
}

static int is_head(const struct zero1 *s, int lane)
{
    for (int i = 0; i < s->heads; i++)
        if (s->head[i].lane == lane)
            return 1;
    return 0;
}

static void sum_heads(struct rank *k, const struct slice *x)
{
    int lanes = k->way->lanes;

    for (int stride = 1; stride < lanes; stride *= 2)
        for (int i = 0; i + stride < lanes; i += 2 * stride)
            if (is_head(&k->share, i) && is_head(&k->share, i + stride))
                add_to(k->grad[i], k->grad[i + stride], x->at, x->end);
}

/* Computes the gradient of the last shard of a stint from the end backwards, in
 * parts of random size, some of which are delayed. */
static void go_back(struct rank *k, int stint, int shard)
{
    real *grad = k->grad[k->share.stint[stint].lane];
    struct rng_key key = {2, RNG_TEST, (uint32_t)k->step, (uint64_t)shard};
    size_t at = values(k->way), most = at / 5 + 1;

    for (uint64_t i = 0; at; i++) {
        size_t n = rng_bits(key, i) % most + 1, from = at < n ? 0 : at - n;

        if (i % 3 == (uint64_t)shard % 3)
            usleep(200);
        add_shard(grad, k->step, shard, from, at);
        at = from;
        relay_whole(k->relay, stint, at);
    }
}

static void do_stint(struct rank *k, int stint)
{
    const struct stint *st = &k->share.stint[stint];
    size_t n = values(k->way);

    if (st->before < 0)
        memset(k->grad[st->lane], 0, n * sizeof(real));
    else
        relay_take(k->relay, stint);
    for (int i = st->first; i < st->last; i++) {
        int shard = st->lane + i * k->way->lanes;

        if (i + 1 < st->last)
            add_shard(k->grad[st->lane], k->step, shard, 0, n);
        else
            go_back(k, stint, shard);
    }
    relay_whole(k->relay, stint, 0);
}

struct worker { struct rank *rank; int i; pthread_t thread; };

static void *do_stints(void *worker)
{
    const struct worker *w = worker;
    struct rank *k = w->rank;

    for (int j = w->i; j < k->share.stints; j += k->way->threads)
        do_stint(k, j);
    return NULL;
}

/* Runs a step. Gradients are NaN until they are computed. */
static void do_step(struct rank *k)
{
    struct worker w[LANES];

    for (int l = 0; l < k->way->lanes; l++)
        memset(k->grad[l], 0xff, values(k->way) * sizeof(real));
    relay_begin(k->relay);
    for (int i = 0; i < k->way->threads; i++) {
        w[i] = (struct worker){.rank = k, .i = i};
        REQUIRE(!pthread_create(&w[i].thread, NULL, do_stints, &w[i]),
                "no thread");
    }
    for (int i = 0; i < k->way->threads; i++)
        pthread_join(w[i].thread, NULL);
    relay_end(k->relay);
}

/* Checks the slices of this rank. Returns 0 if they are bit-identical to the
 * sums of one process. */
static int look(struct rank *k)
{
    const struct zero1 *s = &k->share;
    int bad = 0;

    sum_alone(k->alone, k->way, k->step);
    for (int i = 0; i < s->slices; i++) {
        const struct slice *x = &s->slice[i];

        if (x->rank != s->me)
            continue;
        sum_own(k, x);
        sum_heads(k, x);
        bad |= memcmp(k->grad[0] + x->at, k->alone[0] + x->at,
                      (x->end - x->at) * sizeof(real));
    }
    return bad != 0;
}

static void make_share(struct rank *k, struct ranks *r, struct arena *a)
{
    const struct way *w = k->way;
    struct config c = {.lanes = w->lanes, .shards = w->shards};
    struct params ps = {.learned = values(w)};
    struct optim_unit unit[UNITS];

    for (int i = 0; i < w->units; i++)
        unit[i] = (struct optim_unit){.at = begins(w, i),
                                      .n = begins(w, i + 1) - begins(w, i)};
    struct optim o = {.ps = &ps, .units = w->units, .unit = unit};
    zero1_make(&k->share, r, &c, &o, a);
}

static int trains(struct ranks *r, void *way)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct rank k = {.way = way};
    int bad = 0;

    make_share(&k, r, a);
    take_grads(k.grad, way, a);
    take_grads(k.alone, way, a);
    k.relay = relay_new(&k.share, k.grad, sum_own, &k, a);
    for (k.step = 0; k.step < STEPS; k.step++) {
        do_step(&k);
        bad |= look(&k);
        zero1_sum(&k.share, &(double){0}, 1); /* waits for the other ranks */
    }
    return bad;
}

/* ---- the tests ---- */

/* A single unit; fewer units than slices; many small units; some units larger
 * than a packet. */
static const struct { int units; size_t least, more; } sizes[] = {
    {1, 1000, 0}, {5, 300, 100}, {UNITS, 7, 3}, {4, 16000, 3000}};

static void all_sizes(int ranks, int lanes, int shards, int threads)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct way w = {lanes, shards, threads, sizes[i].units,
                        sizes[i].least, sizes[i].more};
        int bad = porter_serve(ranks, trains, &w);

        if (bad)
            print_message("%d ranks, %d lanes, %d shards, %d threads, %d "
                          "units\n", ranks, lanes, shards, threads, w.units);
        assert_int_equal(bad, 0);
    }
}

static void whole_lanes(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        all_sizes(2, LANES, LANES + 3, threads);
        all_sizes(3, LANES, 14, threads); /* so that a rank has two heads */
    }
}

static void lanes_that_are_handed_on(void **state)
{
    (void)state;
    all_sizes(2, 1, 5, 1);
    all_sizes(3, 2, 6, 2);
    all_sizes(4, 2, 7, 2);
    all_sizes(4, 3, 9, 4);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"ranks with whole lanes get the sums of one process, for slices of "
         "any size", whole_lanes, NULL, NULL, NULL},
        {"ranks that share lanes get the sums of one process",
         lanes_that_are_handed_on, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("relay", tests, NULL, NULL);
}
