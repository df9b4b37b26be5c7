#include "harness/verify/statistics/coverage.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/stage.h"
#include "harness/stats/two_way.h"

#include <math.h>

enum {
    SEEDS = 8, EXAMPLES = 50, FAMILY = 46,
    TEXT = 500, SHARED = 6, BLOCK = 8 /* about the cube root of the rows */
};

static const double NOISE = 0.05, CORRELATION = 0.18;

static struct rng_key key_of(uint32_t kind, int draw)
{
    return (struct rng_key){.seed = 20260101, .stream = RNG_STATS,
                            .step = (uint32_t)draw, .site = kind};
}

/* Returns true if the interval of one of `tests` tests does not contain 0. */
static int misses(const struct two_way *c, int tests)
{
    return fabs(c->mean) > two_way_reach(c, STATS_LEVEL / (2.0 * tests));
}

/* ---- normal ---- */

/* Returns the analysis of scores that are means over the examples; u is defined
 * in stats/two_way.h. */
static struct two_way crossed_means(double x[][EXAMPLES], int seeds)
{
    static double u[SEEDS][EXAMPLES], score[SEEDS];
    static const double *influence[SEEDS];

    for (int s = 0; s < seeds; s++) {
        score[s] = stats_mean(x[s], EXAMPLES);
        for (int i = 0; i < EXAMPLES; i++)
            u[s][i] = (score[s] - x[s][i]) /
                      sqrt((double)EXAMPLES * (EXAMPLES - 1));
        influence[s] = u[s];
    }
    const struct two_way_sample sample = {(size_t)seeds, EXAMPLES, score,
                                          influence};
    return two_way_of(&sample, NULL);
}

/* Draws scores whose mean has variance 1: `share` comes from seeds, 10 % of the
 * rest from seeds and examples together, and 90 % of the rest from examples. */
static void draw_normal(double x[][EXAMPLES], int seeds, double share,
                        struct rng_key key)
{
    double of_seed = sqrt(share * seeds);
    double of_example = sqrt(0.9 * (1 - share) * EXAMPLES);
    double of_both = sqrt(0.1 * (1 - share) * EXAMPLES * seeds);
    double seed[SEEDS], example[EXAMPLES];
    uint64_t at = SEEDS + EXAMPLES;

    for (int s = 0; s < seeds; s++)
        seed[s] = rng_normal(key, (uint64_t)s);
    for (int i = 0; i < EXAMPLES; i++)
        example[i] = rng_normal(key, (uint64_t)(SEEDS + i));
    for (int s = 0; s < seeds; s++)
        for (int i = 0; i < EXAMPLES; i++)
            x[s][i] = of_seed * seed[s] + of_example * example[i] +
                      of_both * rng_normal(key, at++);
}

/* Counts misses with one test in missed[0], and with FAMILY tests in
 * missed[1]. */
static void count_normal(int missed[2], int seeds, double share, uint32_t kind)
{
    double x[SEEDS][EXAMPLES];

    missed[0] = missed[1] = 0;
    for (int i = 0; i < COVERAGE_DRAWS; i++) {
        draw_normal(x, seeds, share, key_of(kind, i));
        struct two_way c = crossed_means(x, seeds);

        missed[0] += misses(&c, 1);
        missed[1] += misses(&c, FAMILY);
    }
}

static struct coverage_row row_of(const char *data, const char *unit, int seeds,
                                  int tests, int missed)
{
    return (struct coverage_row){
        data, unit, seeds, tests, STATS_LEVEL / tests,
        (double)missed / COVERAGE_DRAWS, VERDICT_NONE};
}

/* Returns VERDICT_FAIL if the probability of so many misses is below about 1 in
 * 1000. */
static enum verdict kept(const struct coverage_row *r)
{
    double error = sqrt(r->promised * (1 - r->promised) / COVERAGE_DRAWS);

    return r->misses <= r->promised + 3.1 * error ? VERDICT_PASS
                                                  : VERDICT_FAIL;
}

static struct coverage_row *add_normal(struct coverage_row *row, int seeds,
                                       uint32_t kind)
{
    static const double share[] = {0.1, 0.5, 0.9, 0.99};
    int most[2] = {0, 0}, missed[2];

    for (int i = 0; i < 4; i++) {
        count_normal(missed, seeds, share[i], kind + (uint32_t)i);
        for (int k = 0; k < 2; k++)
            most[k] = missed[k] > most[k] ? missed[k] : most[k];
    }
    for (int k = 0; k < 2; k++) {
        *row = row_of("normal", "seeds x examples", seeds, k ? FAMILY : 1,
                      most[k]);
        row->verdict = kept(row);
        row++;
    }
    return row;
}

/* ---- a cliff ---- */

/* Scores are relative to the true mean, 1/2. */
static struct coverage_row *add_cliff(struct coverage_row *row, int seeds,
                                      uint32_t kind)
{
    int missed[2] = {0, 0};

    for (int i = 0; i < COVERAGE_DRAWS; i++) {
        struct rng_key key = key_of(kind, i);
        double score[SEEDS];

        for (int s = 0; s < seeds; s++)
            score[s] = (rng_uniform(key, (uint64_t)s) < 0.5 ? -0.5 : 0.5) +
                       NOISE * rng_normal(key, (uint64_t)(SEEDS + s));
        const struct two_way_sample sample = {(size_t)seeds, 0, score, NULL};
        struct two_way c = two_way_of(&sample, NULL);

        missed[0] += misses(&c, 1);
        missed[1] += misses(&c, FAMILY);
    }
    for (int k = 0; k < 2; k++)
        *row++ = row_of("cliff", "seeds", seeds, k ? FAMILY : 1, missed[k]);
    return row;
}

/* ---- neighbours ---- */

/* Returns true if Student's t interval misses 0.  The interval is computed from
 * the means of blocks of `block` neighbouring rows; the last block may be
 * shorter, but has the same weight. */
static int misses_mean(const double *x, int block)
{
    double mean[TEXT];
    size_t n = 0;

    for (int i = 0; i < TEXT; i += block) {
        int rows = i + block < TEXT ? block : TEXT - i;

        mean[n++] = stats_mean(x + i, (size_t)rows);
    }
    struct interval in = stats_t_interval(mean, n);
    return !(in.low < 0 && 0 < in.high);
}

static struct coverage_row *add_neighbours(struct coverage_row *row,
                                           uint32_t kind)
{
    int rows = 0, blocks = 0;

    for (int i = 0; i < COVERAGE_DRAWS; i++) {
        struct rng_key key = key_of(kind, i);
        double x[TEXT], shared = 0;

        for (int k = 0; k < TEXT; k++) {
            if (k % SHARED == 0)
                shared = rng_normal(key, (uint64_t)(TEXT + k / SHARED));
            x[k] = sqrt(CORRELATION) * shared +
                   sqrt(1 - CORRELATION) * rng_normal(key, (uint64_t)k);
        }
        rows += misses_mean(x, 1);
        blocks += misses_mean(x, BLOCK);
    }
    *row++ = row_of("neighbours", "examples", 1, 1, rows);
    *row++ = row_of("neighbours", "blocks of 8 examples", 1, 1, blocks);
    return row;
}

void coverage_measure(struct coverage_row *row)
{
    static const int seeds[] = {2, 3, 5, 8};
    OWNED(stage_end) struct stage stage = {.what = "rows simulated"};
    struct coverage_row *at = row;
    uint32_t kind = 0;

    for (int i = 0; i < 4; i++, kind += 4) {
        stage_show(&stage, (int)(at - row), COVERAGE_ROWS);
        at = add_normal(at, seeds[i], kind);
    }
    for (int i = 0; i < 4; i++) {
        stage_show(&stage, (int)(at - row), COVERAGE_ROWS);
        at = add_cliff(at, seeds[i], kind++);
    }
    at = add_neighbours(at, kind);
    REQUIRE(at - row == COVERAGE_ROWS, "%d rows", (int)(at - row));
}
