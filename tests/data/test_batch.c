#include "harness/base/rng.h"
#include "harness/data/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 30, VOCAB = 50, EXAMPLES = 2000, TESTS = 37, ROWS = 8 };

static struct dataset d;
static struct arena *a;

static int random_below(int i, int site, int n)
{
    struct rng_key key = {3, RNG_TEST, 0, (uint64_t)site};

    return (int)rng_below(key, (uint64_t)i, (uint32_t)n);
}

static const int *sentence(int i, int site, int n)
{
    int *ids = arena_take(d.memory, (size_t)n * sizeof *ids);

    for (int j = 0; j < n - 1; j++)
        ids[j] = ID_FIRST + random_below(i * N + j, site, VOCAB - ID_FIRST);
    ids[n - 1] = ID_EOS;
    return ids;
}

static void fill(enum split s, int n, int sides)
{
    struct examples *e = &d.split[s];

    e->n = n;
    e->row = arena_zero(d.memory, (size_t)n * sizeof *e->row);
    for (int i = 0; i < n; i++) {
        struct example *r = &e->row[i];

        r->label = random_below(i, 1, 4);
        if (sides & 1) {
            r->nsource = 2 + random_below(i, 2, N - 2);
            r->source = sentence(i, 3 + s, r->nsource);
        }
        if (sides & 2) {
            r->ntarget = 2 + random_below(i, 20, N - 2);
            r->target = sentence(i, 9 + s, r->ntarget);
            r->words = r->ntarget / 2 + 1;
        }
    }
}

static void open_dataset(enum task_kind kind, int sides)
{
    d = (struct dataset){.kind = kind,
                         .vocab = VOCAB,
                         .classes = 4,
                         .N = N,
                         .floor = NAN,
                         .memory = arena_new()};
    fill(SPLIT_TRAIN, EXAMPLES, sides);
    fill(SPLIT_VALID, TESTS, sides);
    fill(SPLIT_TEST, TESTS, sides);
    dataset_seal(&d);
}

static int setup(void **state)
{
    (void)state;
    a = arena_new();
    open_dataset(TASK_TRANSDUCE, 3);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dataset_close(&d);
    arena_free(a);
    return 0;
}

/* Returns a digest of everything in a batch. */
static uint64_t digest_of(const struct batch *b)
{
    uint64_t h = 0;

#define MIX(p, n)                                                              \
    if (p)                                                                     \
    h = h * 31 + hash_fnv1a(p, (size_t)(n) * sizeof(int))
    MIX(&b->b, 3);
    MIX(b->source, b->b * b->n);
    MIX(b->source_length, b->b);
    MIX(b->target_in, b->b * b->m);
    MIX(b->target_out, b->b * b->m);
    MIX(b->target_length, b->b);
    MIX(b->label, b->b);
    MIX(b->index, b->b);
    return h;
}

static uint64_t digest_step(uint64_t seed, int rows, uint64_t step)
{
    struct batch b;

    arena_reset(a);
    batch_train(&b, &d, seed, rows, step, a);
    return digest_of(&b);
}

static void purity(void **state)
{
    enum { STEPS = 600 };
    uint64_t want[STEPS];

    (void)state;
    for (int k = 0; k < STEPS; k++)
        want[k] = digest_step(1, ROWS, (uint64_t)k);
    for (int k = STEPS - 1; k >= 0; k -= 7) {
        assert_true(digest_step(1, ROWS, (uint64_t)k) == want[k]);
        assert_true(digest_step(2, ROWS, (uint64_t)k) != want[k]);
        digest_step(1, ROWS + 1, (uint64_t)k);
    }
    dataset_close(&d);
    open_dataset(TASK_TRANSDUCE, 3);
    assert_true(digest_step(1, ROWS, 599) == want[599]);
}

/* Counts in `seen` how often each example occurs in the batches of steps `from`
 * to `to` - 1. */
static void count(int *seen, int rows, int from, int to)
{
    struct batch b;

    memset(seen, 0, EXAMPLES * sizeof *seen);
    for (int k = from; k < to; k++) {
        arena_reset(a);
        batch_train(&b, &d, 1, rows, (uint64_t)k, a);
        assert_int_equal(b.b, rows);
        for (int i = 0; i < b.b; i++)
            seen[b.index[i]]++;
    }
}

static void epochs(void **state)
{
    static int seen[EXAMPLES];
    int once = 0;

    (void)state;
    for (int epoch = 0; epoch < 3; epoch++) {
        count(seen, ROWS, epoch * EXAMPLES / ROWS,
              (epoch + 1) * EXAMPLES / ROWS);
        for (int i = 0; i < EXAMPLES; i++)
            assert_int_equal(seen[i], 1);
    }
    assert_true(digest_step(1, ROWS, 0) != digest_step(1, ROWS, 250));
    count(seen, 300, 0, EXAMPLES / 300); /* 200 examples are left over */
    for (int i = 0; i < EXAMPLES; i++) {
        assert_in_range(seen[i], 0, 1);
        once += seen[i];
    }
    assert_int_equal(once, 1800);
    count(seen, EXAMPLES, 0, 1); /* one batch is the whole epoch */
    for (int i = 0; i < EXAMPLES; i++)
        assert_int_equal(seen[i], 1);
}

/* Checks that a row has `shift` eos ids, then the ids of `want`, then
 * padding. */
static void check_side(const int *row, int width, int shift, const int *want,
                       int n)
{
    for (int j = 0; j < width; j++)
        assert_int_equal(row[j], j < shift ? ID_EOS
                                 : j < n   ? want[j - shift]
                                           : ID_PAD);
}

/* The width is the longest length, rounded up to a multiple of 8 or to N. */
static void check_width(int width, int longest)
{
    assert_true(width >= longest && width < longest + 8);
    assert_true(width % 8 == 0 || width == N);
}

static void content(void **state)
{
    struct batch b;

    (void)state;
    for (uint64_t k = 0; k < 40; k++) {
        int n = 0, m = 0, targets = 0;

        arena_reset(a);
        batch_train(&b, &d, 1, ROWS, k, a);
        for (int i = 0; i < b.b; i++) {
            const struct example *r = &d.split[SPLIT_TRAIN].row[b.index[i]];

            n = r->nsource > n ? r->nsource : n;
            m = r->ntarget > m ? r->ntarget : m;
            targets += r->ntarget;
            assert_int_equal(b.source_length[i], r->nsource);
            assert_int_equal(b.target_length[i], r->ntarget);
            assert_int_equal(b.label[i], r->label);
            check_side(b.source + i * b.n, b.n, 0, r->source, r->nsource);
            check_side(b.target_out + i * b.m, b.m, 0, r->target, r->ntarget);
            check_side(b.target_in + i * b.m, b.m, 1, r->target, r->ntarget);
        }
        assert_int_equal(b.targets, targets);
        check_width(b.n, n);
        check_width(b.m, m);
    }
}

/* Examples of a batch have similar lengths. In a batch drawn at random, they
 * would spread over half of the range 4 to 58. */
static void lengths(void **state)
{
    struct batch b;
    int spread = 0;

    (void)state;
    for (uint64_t k = 0; k < EXAMPLES / ROWS; k++) {
        int least = 2 * N, most = 0;

        arena_reset(a);
        batch_train(&b, &d, 1, ROWS, k, a);
        for (int i = 0; i < b.b; i++) {
            int length = b.source_length[i] + b.target_length[i];

            least = length < least ? length : least;
            most = length > most ? length : most;
        }
        spread += most - least;
    }
    assert_in_range(spread, 0, 2 * EXAMPLES / ROWS);
}

/* Batches are not sorted by length: in a random order, half of the batches are
 * shorter than their predecessor. */
static void mixed(void **state)
{
    struct batch b;
    int descents = 0, last = 0;

    (void)state;
    for (uint64_t k = 0; k < EXAMPLES / ROWS; k++) {
        int length = 0;

        arena_reset(a);
        batch_train(&b, &d, 1, ROWS, k, a);
        for (int i = 0; i < b.b; i++)
            length += b.source_length[i] + b.target_length[i];
        descents += length < last;
        last = length;
    }
    assert_in_range(descents, EXAMPLES / ROWS / 3, 2 * EXAMPLES / ROWS / 3);
}

/* The batches of a split contain the examples of that split only. */
static void own_split(void **state)
{
    struct batch b;

    (void)state;
    for (int s = 0; s < SPLITS; s++)
        for (int first = 0; first < TESTS; first += ROWS) {
            arena_reset(a);
            batch_eval(&b, &d, (enum split)s, first, ROWS, a);
            for (int i = 0; i < b.b; i++) {
                const struct example *r = &d.split[s].row[b.index[i]];

                assert_int_equal(b.label[i], r->label);
                check_side(b.source + i * b.n, b.n, 0, r->source, r->nsource);
                check_side(b.target_out + i * b.m, b.m, 0, r->target,
                           r->ntarget);
                check_side(b.target_in + i * b.m, b.m, 1, r->target,
                           r->ntarget);
            }
        }
}

static void evaluation(void **state)
{
    int seen[TESTS] = {0}, last = 0, rows = 0;
    struct batch b;

    (void)state;
    for (int first = 0;; first += ROWS) {
        batch_eval(&b, &d, SPLIT_TEST, first, ROWS, a);
        if (!b.b)
            break;
        for (int i = 0; i < b.b; i++) {
            int length = b.source_length[i] + b.target_length[i];

            assert_true(length >= last);
            last = length;
            seen[b.index[i]]++;
            rows++;
        }
    }
    assert_int_equal(rows, TESTS);
    for (int i = 0; i < TESTS; i++)
        assert_int_equal(seen[i], 1);
    assert_int_equal(b.b, 0);
    assert_null(b.source);
}

static void one_sided(void **state)
{
    struct batch b;

    (void)state;
    dataset_close(&d);
    open_dataset(TASK_LANGUAGE, 2);
    batch_train(&b, &d, 1, ROWS, 5, a);
    assert_int_equal(b.n, 0);
    assert_null(b.source);
    assert_non_null(b.target_in);
    dataset_close(&d);
    open_dataset(TASK_CLASSIFY, 1);
    batch_train(&b, &d, 1, ROWS, 5, a);
    assert_int_equal(b.m, 0);
    assert_null(b.target_in);
    assert_null(b.target_out);
    assert_non_null(b.source);
    assert_int_equal(b.targets, ROWS);
    assert_int_equal(d.split[SPLIT_TEST].words, 0);
}

static void memory(void **state)
{
    (void)state;
    digest_step(1, ROWS, 0);
    size_t before = mallinfo2().uordblks, peak = arena_peak(a);
    for (uint64_t k = 0; k < 1000; k++)
        digest_step(1, ROWS, k);
    assert_int_equal(mallinfo2().uordblks, before);
    assert_in_range(arena_peak(a), peak, 2 * peak);
}

/* ---- the dataset ---- */

static void sums(void **state)
{
    const struct examples *e = &d.split[SPLIT_TRAIN];
    long tokens = 0, words = 0;
    double logp[VOCAB], sum = 0;
    int eos = 0;

    (void)state;
    for (int i = 0; i < e->n; i++) {
        tokens += e->row[i].ntarget;
        words += e->row[i].words;
    }
    assert_int_equal(e->tokens, tokens);
    assert_int_equal(e->words, words);
    dataset_unigram(&d, logp);
    for (int v = 0; v < VOCAB; v++)
        sum += exp(logp[v]);
    assert_true(fabs(sum - 1) < 1e-12);
    for (int i = 0; i < e->n; i++)
        eos += e->row[i].target[e->row[i].ntarget - 1] == ID_EOS;
    assert_true(fabs(exp(logp[ID_EOS]) -
                     (eos + 1.0) / ((double)tokens + VOCAB)) < 1e-12);
}

/* Fails unless the digest of the dataset changes if *x changes, and returns to
 * its old value with *x. */
static void tells(int *x, const char *what)
{
    char first[HASH_HEX];

    memcpy(first, d.digest, sizeof first);
    *x ^= 1;
    dataset_seal(&d);
    if (!strcmp(d.digest, first))
        fail_msg("the digest does not depend on %s", what);
    *x ^= 1;
    dataset_seal(&d);
    assert_string_equal(d.digest, first);
}

static void digests(void **state)
{
    static const char *const names[] = {"one", "two", NULL};

    (void)state;
    d.subtasks = names;
    dataset_seal(&d);
    for (int s = 0; s < SPLITS; s++) {
        struct example *r = &d.split[s].row[3];

        tells(&r->label, "labels");
        tells((int *)(intptr_t)r->source, "sources");
        tells((int *)(intptr_t)r->target, "targets");
        tells(&r->subtask, "subtasks");
        tells(&r->group, "groups");
        r->prompt = 2;
        dataset_seal(&d);
        tells(&r->prompt, "prompts");
    }
}

/* Ids of a prompt count neither as targets nor in the unigram model. */
static void prompts(void **state)
{
    struct examples *e = &d.split[SPLIT_TRAIN];
    double before[VOCAB], after[VOCAB];
    long tokens = e->tokens, given = 0, count[VOCAB] = {0};
    struct batch b;

    (void)state;
    dataset_unigram(&d, before);
    for (int i = 0; i < e->n; i++) {
        struct example *r = &e->row[i];

        r->prompt = r->ntarget / 2;
        given += r->prompt;
        for (int j = 0; j < r->prompt; j++)
            count[r->target[j]]++;
    }
    dataset_seal(&d);
    assert_int_equal(e->tokens, tokens - given);
    dataset_unigram(&d, after);
    for (int v = 0; v < VOCAB; v++)
        assert_true(fabs(exp(before[v]) * (double)(tokens + VOCAB) -
                         exp(after[v]) * (double)(tokens - given + VOCAB) -
                         (double)count[v]) < 1e-6);
    batch_train(&b, &d, 1, ROWS, 5, a);
    long asked = 0;
    for (int i = 0; i < b.b; i++) {
        assert_int_equal(b.prompt[i], b.target_length[i] / 2);
        asked += b.target_length[i] - b.prompt[i];
    }
    assert_int_equal(b.targets, asked);
}

static void words(void **state)
{
    static const int ids[] = {7, 12, 4, ID_EOS, 5};

    (void)state;
    assert_string_equal(dataset_text(&d, ids, 5, a), "7 12 4");
    assert_string_equal(dataset_text(&d, ids, 2, a), "7 12");
    assert_string_equal(dataset_text(&d, ids + 3, 2, a), "");
    assert_string_equal(dataset_text(&d, ids, 0, a), "");
}

int main(void)
{
#define DATASET_TEST(name, fn)                                                 \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        DATASET_TEST("a batch is a function of dataset, seed, rows and step",
                     purity),
        DATASET_TEST("an epoch has every example once, except an incomplete "
                     "batch", epochs),
        DATASET_TEST("ids are padded with 0, and inputs are the shifted "
                     "targets", content),
        DATASET_TEST("a batch has examples of similar length", lengths),
        DATASET_TEST("batches of all lengths come in random order", mixed),
        DATASET_TEST("evaluation has every example once, sorted by length",
                     evaluation),
        DATASET_TEST("evaluation of a split has the examples of that split",
                     own_split),
        DATASET_TEST("a side that the task lacks is NULL", one_sided),
        DATASET_TEST("steps take memory only from the arena", memory),
        DATASET_TEST("tokens, words and the unigram model add up", sums),
        DATASET_TEST("the digest covers every id and label of every split",
                     digests),
        DATASET_TEST("the ids of a prompt are not targets", prompts),
        DATASET_TEST("without a tokenizer, ids are written as numbers up to "
                     "eos", words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
