#include "harness/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static void block_is(struct rng_key k, uint64_t index, const uint32_t want[4])
{
    uint32_t got[4];

    rng_block(k, index, got);
    for (int i = 0; i < 4; i++)
        assert_int_equal(got[i], want[i]);
}

/* The three test vectors of Random123: counter and key all 0, all 1, and digits
 * of pi. */
static void known_answers(void **state)
{
    static const uint32_t zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                     0x9b00dbd8};
    static const uint32_t ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6,
                                    0x6d5451fd};
    static const uint32_t pi[] = {0xd16cfe09, 0x94fdcceb, 0x5001e420,
                                  0x24126ea1};

    (void)state;
    block_is((struct rng_key){0, 0, 0, 0}, 0, zeros);
    block_is((struct rng_key){UINT64_MAX, 0, UINT32_MAX, 0xffffffff00000000u},
             UINT64_MAX, ones);
    block_is((struct rng_key){0x299f31d0a4093822u, 0, 0x13198a2e,
                              0x0370734400000000u},
             0x85a308d3243f6a88u, pi);
}

/* Drawing many numbers at once equals drawing them one by one, also across the
 * carry of the counter. */
static void many_are_one_by_one(void **state)
{
    struct rng_key k = {7, RNG_TEST, 2, 1ull << 40};

    (void)state;
    for (uint64_t at = UINT32_MAX - 20; at < UINT32_MAX + 20ull; at += 7) {
        uint32_t some[RNG_BLOCKS][4];

        rng_blocks(k, at, some);
        for (uint64_t i = 0; i < RNG_BLOCKS; i++)
            block_is(k, at + i, some[i]);
    }
}

/* Fails unless mean, variance and fourth moment of n draws are within 5
 * standard errors. */
static void moments(double (*draw)(struct rng_key, uint64_t), double mean,
                    double variance, double fourth)
{
    enum { DRAWS = 400000 };
    struct rng_key k = {17, RNG_TEST, 3, 99};
    double s1 = 0, s2 = 0, s4 = 0;

    for (uint64_t i = 0; i < DRAWS; i++) {
        double x = draw(k, i) - mean;

        s1 += x;
        s2 += x * x;
        s4 += x * x * x * x;
    }
    double e1 = 5 * sqrt(variance / DRAWS);
    double e2 = 5 * sqrt((fourth - variance * variance) / DRAWS);
    if (fabs(s1 / DRAWS) > e1)
        fail_msg("the mean is off by %g", s1 / DRAWS);
    if (fabs(s2 / DRAWS - variance) > e2)
        fail_msg("the variance is %g, not %g", s2 / DRAWS, variance);
    if (fabs(s4 / DRAWS - fourth) > 0.05 * fourth)
        fail_msg("the fourth moment is %g, not %g", s4 / DRAWS, fourth);
}

static void uniforms(void **state)
{
    struct rng_key k = {5, RNG_TEST, 0, 0};

    (void)state;
    moments(rng_uniform, 0.5, 1.0 / 12, 1.0 / 80);
    for (uint64_t i = 0; i < 100000; i++) {
        double u = rng_uniform(k, i);

        assert_true(u >= 0 && u < 1);
    }
}

static void normals(void **state)
{
    (void)state;
    moments(rng_normal, 0, 1, 3);
}

/* Streams, steps, sites and seeds each change the draws. */
static void keys_differ(void **state)
{
    static const struct rng_key k[] = {
        {1, RNG_TEST, 1, 1},          {2, RNG_TEST, 1, 1},
        {1, RNG_DATA, 1, 1},          {1, RNG_TEST, 2, 1},
        {1, RNG_TEST, 1, 2},          {1, RNG_TEST, 1, 1 + (1ull << 32)},
        {1 + (1ull << 32), RNG_TEST, 1, 4}};
    enum { KEYS = sizeof k / sizeof *k };

    (void)state;
    for (int i = 0; i < KEYS; i++)
        for (int j = 0; j < i; j++)
            assert_true(rng_bits(k[i], 7) != rng_bits(k[j], 7));
}

/* Chi-square of 7 bins (6 degrees of freedom) is below 22.5 for 99.9 % of all
 * keys. The test has one fixed key, so it never fails by chance. */
static void below(void **state)
{
    enum { CELLS = 7, DRAWS = 70000 };
    struct rng_key k = {11, RNG_TEST, 0, 5};
    double count[CELLS] = {0}, chi = 0;

    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint32_t x = rng_below(k, i, CELLS);

        assert_true(x < CELLS);
        count[x]++;
    }
    for (int i = 0; i < CELLS; i++)
        chi += pow(count[i] - DRAWS / CELLS, 2) / (DRAWS / CELLS);
    if (chi > 22.5)
        fail_msg("chi-square %g", chi);
    assert_int_equal(rng_below(k, 0, 1), 0);
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void shuffles(void **state)
{
    enum { N = 1000 };
    struct rng_key k = {3, RNG_SHUFFLE, 0, 0};
    int a[N], b[N], fixed = 0, equal = 0;

    (void)state;
    rng_shuffle(k, N, a);
    k.step = 1;
    rng_shuffle(k, N, b);
    for (int i = 0; i < N; i++) {
        fixed += a[i] == i;
        equal += a[i] == b[i];
    }
    assert_true(fixed < 10 && equal < 10);
    qsort(a, N, sizeof *a, by_value);
    for (int i = 0; i < N; i++)
        assert_int_equal(a[i], i);
    rng_shuffle(k, 1, b);
    assert_int_equal(b[0], 0);
}

/* Each of the 6 permutations of 3 elements occurs equally often. */
static void fair_shuffle(void **state)
{
    int count[27] = {0}, order[3];

    (void)state;
    for (uint32_t i = 0; i < 6000; i++) {
        rng_shuffle((struct rng_key){8, RNG_SHUFFLE, i, 0}, 3, order);
        count[9 * order[0] + 3 * order[1] + order[2]]++;
    }
    for (int i = 0; i < 27; i++)
        if (count[i] && abs(count[i] - 1000) > 150)
            fail_msg("order %d came %d times in 6000", i, count[i]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"Philox gives the published blocks", known_answers, NULL, NULL, NULL},
        {"sixteen blocks at once are those one by one", many_are_one_by_one,
         NULL, NULL, NULL},
        {"uniform draws have the moments of [0,1)", uniforms, NULL, NULL,
         NULL},
        {"normal draws have the moments of N(0,1)", normals, NULL, NULL, NULL},
        {"every part of the key changes the draws", keys_differ, NULL, NULL,
         NULL},
        {"draws below n are even", below, NULL, NULL, NULL},
        {"a shuffle is a permutation, another each epoch", shuffles, NULL,
         NULL, NULL},
        {"all orders of a shuffle are equally likely", fair_shuffle, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
