/* Batches that are limited by their number of tokens (buckets by length). */
#include "harness/data/batch.h"
#include "harness/data/bucketed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { LONGEST = 40, EXAMPLES = 500, TOKENS = 128, DEVICES = 2 };

static const struct batching by = {.tokens = TOKENS, .devices = DEVICES,
                                   .longest = LONGEST};
static struct dataset d;

/* Nine of ten sources have a length of 1 to 31; every tenth has 41, which is
 * too long. */
static int setup(void **state)
{
    static const int ids[LONGEST + 1];

    (void)state;
    d = (struct dataset){.kind = TASK_TRANSDUCE, .vocab = 9, .N = 2 * LONGEST,
                         .floor = NAN, .memory = arena_new()};
    for (int s = 0; s < SPLITS; s++) {
        struct examples *e = &d.split[s];

        e->n = s == SPLIT_TRAIN ? EXAMPLES : 1;
        e->row = arena_zero(d.memory, (size_t)e->n * sizeof *e->row);
        for (int i = 0; i < e->n; i++)
            e->row[i] = (struct example){
                .source = ids, .target = ids,
                .nsource = i % 10 ? 1 + i * 7 % 31 : LONGEST + 1,
                .ntarget = 1 + i * 5 % 31};
    }
    dataset_seal(&d);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dataset_close(&d);
    return 0;
}

static int length_of(int row)
{
    const struct example *r = &d.split[SPLIT_TRAIN].row[row];

    return r->nsource > r->ntarget ? r->nsource : r->ntarget;
}

/* The expected values are those of Tensor2Tensor's _bucket_boundaries(256, 8,
 * 1.1) and batching_scheme(4096, 256, 8, 1.1). The scheme's window W is 1260,
 * the largest highly composite number up to 3 * 512. */
static void published(void **state)
{
    static const int below[] = {
        8,  9,  10, 11, 12, 13, 14,  15,  16,  17,  18,  19,  20, 22,
        24, 26, 28, 30, 33, 36, 39,  42,  46,  50,  55,  60,  66, 72,
        79, 86, 94, 103, 113, 124, 136, 149, 163, 179, 196, 215, 236};
    static const int rows[] = {
        420, 420, 315, 315, 315, 315, 252, 252, 252, 210, 210, 210, 180, 180,
        140, 140, 140, 126, 105, 105, 105, 90, 84, 70, 70, 63, 60, 45,
        45, 45, 42, 36, 36, 30, 30, 21, 21, 21, 20, 18, 15, 15};
    enum { N = sizeof below / sizeof *below };
    struct buckets b;

    (void)state;
    buckets_make(&b, 8 * 4096, 8, 256);
    assert_int_equal(b.n, N + 1);
    for (int k = 0; k <= N; k++) {
        assert_int_equal(b.most[k], k < N ? below[k] - 1 : 256);
        assert_int_equal(b.rows[k], 8 * rows[k]);
    }
}

static void edges(void **state)
{
    struct buckets b;

    (void)state;
    buckets_make(&b, 4096, 1, 256);
    assert_int_equal(buckets_of(&b, 1), 0);
    assert_int_equal(buckets_of(&b, 7), 0);
    assert_int_equal(buckets_of(&b, 8), 1);
    assert_int_equal(buckets_of(&b, 256), b.n - 1);
    assert_int_equal(buckets_of(&b, 257), -1);
    buckets_make(&b, 3, 3, 65536); /* at least one per device */
    assert_in_range(b.n, 90, BUCKETS);
    assert_int_equal(b.rows[0], 3);
    assert_int_equal(b.most[b.n - 1], 65536);
    buckets_make(&b, 100, 1, 5);
    assert_int_equal(b.n, 1);
    assert_int_equal(b.rows[0], 20);
}

/* A batch has as many examples as its bucket allows, all from that bucket. */
static void sizes(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct buckets b;

    (void)state;
    buckets_make(&b, TOKENS, DEVICES, LONGEST);
    for (uint64_t s = 0; s < 200; s++) {
        struct batch x;

        arena_reset(a);
        batch_step(&x, &d, &by, 1, s, a);
        int k = buckets_of(&b, length_of(x.index[0]));
        assert_true(k >= 0);
        assert_int_equal(x.b, b.rows[k]);
        for (int i = 0; i < x.b; i++)
            assert_int_equal(buckets_of(&b, length_of(x.index[i])), k);
    }
}

/* All examples of a bucket occur about equally often. */
static void once_an_epoch(void **state)
{
    enum { STEPS = 700 };
    OWNED(arena_free) struct arena *a = arena_new();
    int seen[EXAMPLES] = {0}, least[BUCKETS], most[BUCKETS] = {0}, all = 0;
    struct buckets b;

    (void)state;
    buckets_make(&b, TOKENS, DEVICES, LONGEST);
    memset(least, 1, sizeof least);
    for (uint64_t s = 0; s < STEPS; s++) {
        struct batch x;

        arena_reset(a);
        batch_step(&x, &d, &by, 1, s, a);
        for (int i = 0; i < x.b; i++)
            seen[x.index[i]]++;
        all += x.b;
    }
    for (int i = 0; i < EXAMPLES; i++) {
        int k = buckets_of(&b, length_of(i));

        assert_int_equal(seen[i] > 0, i % 10 > 0); /* every tenth is too long */
        if (k >= 0 && seen[i] < least[k])
            least[k] = seen[i];
        if (k >= 0 && seen[i] > most[k])
            most[k] = seen[i];
    }
    for (int k = 0; k < b.n; k++) /* two epochs overlap */
        assert_true(!most[k] || most[k] - least[k] <= 2);
    assert_true(fabs(all / (double)STEPS - batch_rows_expected(&d, &by)) < 0.3);
}

/* With a single bucket, every epoch contains each example exactly once: 5
 * batches of 12 make 2 epochs of 30 examples. */
static void whole_epochs(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct batching one = {.tokens = 12 * 5, .devices = 1, .longest = 5};
    struct examples *e = &d.split[SPLIT_TRAIN];
    uint64_t want[10];
    int seen[30] = {0};

    (void)state;
    e->n = 30;
    for (int i = 0; i < e->n; i++)
        e->row[i].nsource = e->row[i].ntarget = 5;
    dataset_seal(&d);
    for (uint64_t s = 0; s < 10; s++) { /* 12 of 30, 2.5 batches per epoch */
        struct batch x;

        batch_step(&x, &d, &one, 1, s, a);
        assert_int_equal(x.b, 12);
        want[s] = hash_fnv1a(x.index, (size_t)x.b * sizeof *x.index);
        for (uint64_t i = 0; i < s; i++) /* all orders differ */
            assert_true(want[i] != want[s]);
        for (int i = 0; i < x.b; i++)
            seen[x.index[i]]++;
        for (int i = 0; i < e->n && s % 5 == 4; i++)
            assert_int_equal(seen[i], 2 * (s / 5 + 1));
    }
}

static uint64_t digest_of(const struct dataset *from, uint64_t seed, uint64_t s)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct batch x;

    batch_step(&x, from, &by, seed, s, a);
    return hash_fnv1a(x.index, (size_t)x.b * sizeof *x.index);
}

/* The batch of a step depends only on the seed and the step, not on which
 * steps, of this or another seed, came before. So a resumed run has the same
 * batches. */
static void pure(void **state)
{
    enum { STEPS = 400 };
    uint64_t want[STEPS];
    int other = 0;

    (void)state;
    for (uint64_t s = 0; s < STEPS; s++)
        want[s] = digest_of(&d, 1, s);
    for (uint64_t s = STEPS; s-- > 0;)
        assert_true(digest_of(&d, 1, s) == want[s]);
    for (uint64_t s = STEPS; s-- > 0;) {
        assert_true(digest_of(&d, 1, s) == want[s]);
        other += digest_of(&d, 2, s) != want[s];
    }
    assert_true(other > STEPS - 10);
    teardown(state);
    setup(state);
    assert_true(digest_of(&d, 1, STEPS - 1) == want[STEPS - 1]);
    assert_true(want[0] != want[60]);
}

/* Batches by another number of tokens in between change nothing. */
static void two_sizes(void **state)
{
    enum { STEPS = 40 };
    OWNED(arena_free) struct arena *a = arena_new();
    const struct batching less = {.tokens = TOKENS / 2, .devices = DEVICES,
                                  .longest = LONGEST};
    uint64_t want[STEPS];
    int rows = 0, fewer = 0;

    (void)state;
    for (uint64_t s = 0; s < STEPS; s++)
        want[s] = digest_of(&d, 1, s);
    for (uint64_t s = 0; s < STEPS; s++) {
        struct batch x;

        batch_step(&x, &d, &less, 1, s, a);
        fewer += x.b;
        batch_step(&x, &d, &by, 1, s, a);
        rows += x.b;
        assert_true(digest_of(&d, 1, s) == want[s]);
    }
    assert_true(fewer < rows * 2 / 3);
}

static void too_few_examples(void **state)
{
    const struct batching all = {.rows = EXAMPLES};
    const struct batching more = {.rows = EXAMPLES + 1};
    struct examples *e = &d.split[SPLIT_TRAIN];

    (void)state;
    assert_true(batch_rows_expected(&d, &all) == EXAMPLES);
    assert_true(batch_rows_expected(&d, &more) == 0);
    for (int i = 0; i < e->n; i++)
        e->row[i].ntarget = LONGEST + 1;
    dataset_seal(&d);
    assert_true(batch_rows_expected(&d, &by) == 0);
}

/* Batches of an epoch are not sorted by length. */
static void mixed(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    int descents = 0, last = 0;

    (void)state;
    for (uint64_t s = 0; s < 60; s++) {
        struct batch x;

        batch_step(&x, &d, &by, 1, s, a);
        descents += length_of(x.index[0]) < last;
        last = length_of(x.index[0]);
    }
    assert_in_range(descents, 18, 42);
}

int main(void)
{
#define OF_DATA(name, fn) {name, fn, setup, teardown, NULL}
    const struct CMUnitTest tests[] = {
        {"buckets and their sizes are Tensor2Tensor's", published, NULL, NULL,
         NULL},
        {"a boundary begins the next bucket; longer examples have no bucket",
         edges, NULL, NULL, NULL},
        OF_DATA("a batch has the number of examples of its bucket, all from it",
                sizes),
        OF_DATA("examples of a bucket come equally often, unless they are too "
                "long", once_an_epoch),
        OF_DATA("leftovers of an epoch begin the next: each example comes once",
                whole_epochs),
        OF_DATA("a batch is a function of dataset, seed and step", pure),
        OF_DATA("batches of two sizes do not disturb each other", two_sizes),
        OF_DATA("without enough examples no batch is expected",
                too_few_examples),
        OF_DATA("batches of all lengths come in random order", mixed)};

    return cmocka_run_group_tests_name("buckets", tests, NULL, NULL);
}
