/* Bands of learning curves: how often a run of the same distribution leaves the
 * band, at which step a run of another distribution leaves it, and what a file
 * may contain. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/gate/band.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40, EVALS = 4, RUNS = 8, SETS = 40, NEW = 50 };

/* ---- a distribution of curves ---- */

struct made_run {
    double       step[STEPS], loss[STEPS], at[EVALS], ce[EVALS];
    struct curve curve[2];
};

/* Draws a run: one level for all steps, plus autocorrelated noise. */
static void draw_run(struct made_run *r, uint64_t number)
{
    struct rng_key k = {.seed = number, .stream = RNG_TEST};
    double level = 0.1 * rng_normal(k, 1000), drift = 0;

    for (int t = 0; t < STEPS; t++) {
        drift = 0.8 * drift + 0.05 * rng_normal(k, (uint64_t)t);
        r->step[t] = t + 1;
        r->loss[t] = 2 + 4 * exp(-t / 10.0) + level + drift;
    }
    for (int e = 0; e < EVALS; e++) {
        r->at[e] = 10 * (e + 1);
        r->ce[e] = r->loss[10 * e + 9] + 0.02 * rng_normal(k, 2000 +
                                                           (uint64_t)e);
    }
    r->curve[0] = (struct curve){"train/loss", "nats", STEPS, r->step,
                                 r->loss};
    r->curve[1] = (struct curve){"valid/ce", "nats", EVALS, r->at, r->ce};
}

static struct curves curves_of(struct made_run *r)
{
    return (struct curves){2, r->curve};
}

#define PUT(call) assert_int_equal(call, OK)

static void store_run(const struct made_run *r, const char *cell)
{
    struct cell_writer *w;

    PUT(made_begin(&w, folder, cell));
    PUT(cell_put_array(w, "curves/train/step", "1", r->step, STEPS));
    PUT(cell_put_array(w, "curves/train/loss", "nats", r->loss, STEPS));
    PUT(cell_put_array(w, "curves/valid/step", "1", r->at, EVALS));
    PUT(cell_put_array(w, "curves/valid/ce", "nats", r->ce, EVALS));
    PUT(cell_commit(w));
}

/* Makes a baseline from the first n runs of a set, with their cells in the
 * store. */
static struct baseline *make(int set, int n)
{
    struct arena *a = arena_new();
    struct baseline *b = arena_zero(a, sizeof *b);
    struct made_run r;

    *b = (struct baseline){.name = "made", .memory = a};
    b->cell = arena_zero(a, (size_t)n * sizeof *b->cell);
    for (int i = 0; i < n; i++) {
        struct baseline_cell *c = &b->cell[b->cells++];
        struct cell_labels l = {"vanilla", "lm1b", "smoke", 1000 * set + i, 0};
        const char *text[3][2] = {
            {"config", arena_format(a, "{\"scale\":\"smoke\",\"seed\":%lld,"
                                    "\"synthetic\":false,\"task\":\"lm1b\","
                                    "\"variant\":\"vanilla\"}", l.seed)},
            {"id", made_cell(&l)}, {"results", "0123456789abcdef"}};

        draw_run(&r, (uint64_t)(1000 * set + i));
        store_run(&r, text[1][1]);
        c->name = arena_format(a, "vanilla/lm1b/smoke/%lld", l.seed);
        c->value = arena_zero(a, 3 * sizeof *c->value);
        for (; c->n < 3; c->n++)
            c->value[c->n] = (struct baseline_value){
                .what = text[c->n][0], .text = text[c->n][1], .value = NAN,
                .between = {NAN, NAN}, .units = "", .signature = ""};
    }
    return b;
}

static struct baseline *banded(int set)
{
    struct baseline *b = make(set, RUNS);

    PUT(band_make(b, folder));
    assert_int_equal(b->bands, 1);
    return b;
}

static double held(struct band_held *h, const struct baseline *b,
                   struct made_run *r)
{
    struct curves c = curves_of(r);

    band_hold(h, &b->band[0], &c);
    return h->ratio;
}

/* ---- guarantees ---- */

/* If the distribution is the same, 1 run in 5 leaves the band, and at most one
 * of 40 gates of 50 runs each raises an alarm. */
static void same_law(void **state)
{
    int outside = 0, alarms = 0;

    (void)state;
    for (int set = 1; set <= SETS; set++) {
        struct baseline *b = banded(set);
        double least = 1;
        int left = 0;

        for (int i = 0; i < NEW; i++) {
            struct made_run r;
            struct band_held h;

            draw_run(&r, (uint64_t)(1000 * set + 100 + i));
            held(&h, b, &r);
            left += h.left != NULL;
            if (h.left)
                least = fmin(least, stats_beyond(h.ratio, RUNS / 2));
        }
        outside += left;
        least = fmin(least, stats_above(left, NEW, RUNS / 2));
        alarms += least * (NEW + 1) < STATS_LEVEL;
        baseline_close(b);
    }
    assert_in_range(outside, SETS * NEW / 8, SETS * NEW / 4);
    assert_in_range(alarms, 0, 1);
}

static void calibrated(void **state)
{
    struct baseline *b = banded(1);

    (void)state;
    for (int i = RUNS / 2; i < RUNS; i++) {
        struct made_run r;
        struct band_held h;

        draw_run(&r, (uint64_t)(1000 + i));
        held(&h, b, &r);
        assert_null(h.left);
        assert_int_equal(h.points, BAND_POINTS + EVALS);
    }
    baseline_close(b);
}

/* A difference in either direction is reported with the step at which it
 * begins. */
static void another_law(void **state)
{
    struct baseline *b = banded(1);
    struct made_run r;
    struct band_held h;

    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        draw_run(&r, 1005);
        for (int t = 25; t < STEPS; t++)
            r.loss[t] += 3 * way;
        assert_true(held(&h, b, &r) > 3);
        assert_in_range((int)h.step, 24, 26);
        assert_true(way < 0 ? h.value < h.left->between.low
                            : h.value > h.left->between.high);
    }
    draw_run(&r, 1005);
    r.loss[30] = NAN;
    assert_true(held(&h, b, &r) > 1000);
    baseline_close(b);
}

static void other_steps(void **state)
{
    struct baseline *b = banded(1);
    struct made_run r;
    struct band_held h;

    (void)state;
    draw_run(&r, 1005);
    r.curve[1].n = 2;
    held(&h, b, &r);
    assert_int_equal(h.points, BAND_POINTS + 2);
    r.curve[0].n = 20;
    held(&h, b, &r);
    assert_int_equal(h.points, BAND_POINTS / 2 + 2);
    for (int t = 0; t < STEPS; t++)
        r.step[t] += 0.5;
    for (int e = 0; e < EVALS; e++)
        r.at[e] += 1;
    held(&h, b, &r);
    assert_int_equal(h.points, 0);
    baseline_close(b);
}

static void too_few(void **state)
{
    struct baseline *b = make(1, RUNS - 1);

    (void)state;
    assert_int_equal(band_make(b, folder), ERR_EMPTY);
    assert_non_null(strstr(err_last(), "vanilla/lm1b/smoke (7)"));
    assert_non_null(strstr(err_last(), "needs 8 runs"));
    baseline_close(b);
}

/* Checks stats_beyond(e, n), the mean of the e-th power of the smallest of n
 * uniform numbers: for e = 1 it is 1 / (n + 1), for e = 10 a product computed
 * by hand, for e = 2.5 that of random numbers. */
static void beyond(void **state)
{
    struct rng_key k = {.seed = 1, .stream = RNG_TEST};
    double mean = 0;

    (void)state;
    assert_true(fabs(stats_beyond(1, 4) - 0.2) < 1e-15);
    assert_true(fabs(stats_beyond(10, 4) - 1 / 1001.0) < 1e-15);
    assert_true(fabs(stats_above(1, 1, 4) - 0.2) < 1e-15);
    assert_true(fabs(stats_above(8, 8, 4) - 1 / 495.0) < 1e-15);
    assert_true(fabs(stats_above(7, 8, 4) - 5 / 495.0) < 1e-15);
    for (uint64_t i = 0; i < 20000; i++)
        mean += pow(fmin(fmin(rng_uniform(k, 3 * i), rng_uniform(k, 3 * i + 1)),
                         rng_uniform(k, 3 * i + 2)), 2.5) / 20000;
    assert_true(fabs(stats_beyond(2.5, 3) / mean - 1) < 0.05);
}

/* ---- file format ---- */

static char *path_of(const char *name)
{
    return str_format("%s/%s.tsv", folder, name);
}

static void read_back(void **state)
{
    struct baseline *b = banded(1), *again;
    OWNED(free) char *path = path_of("made");
    struct made_run r;
    struct band_held h, same;

    (void)state;
    PUT(baseline_write(b, path));
    PUT(baseline_read(&again, path));
    assert_int_equal(again->bands, 1);
    assert_int_equal(again->cells, RUNS);
    assert_ptr_equal(band_of(again, &again->cell[3]), &again->band[0]);
    for (int i = 0; i < NEW; i++) {
        draw_run(&r, (uint64_t)(5000 + i));
        held(&h, b, &r);
        held(&same, again, &r);
        assert_int_equal(!h.left, !same.left);
        assert_true(fabs(h.ratio - same.ratio) < 1e-5 * h.ratio);
    }
    again->cell[3].value[0].text = "no configuration";
    assert_null(band_of(again, &again->cell[3]));
    baseline_close(again);
    baseline_close(b);
}

/* Replaces `from` by `to` in the file, seals it again and reads it. */
static int read_edited(const char *from, const char *to)
{
    struct baseline *b = banded(1), *again;
    OWNED(free) char *path = path_of("edited"), *bytes = NULL;
    char hex[HASH_HEX];
    size_t n;

    PUT(baseline_write(b, path));
    baseline_close(b);
    PUT(file_read(&bytes, &n, path));
    char *at = strstr(bytes, from), *seal = strstr(bytes, "# SHA-256 ");
    assert_non_null(at);
    *seal = 0;
    OWNED(free) char *body = str_format("%.*s%s%s", (int)(at - bytes), bytes,
                                        to, at + strlen(from));
    hash_sha256(body, strlen(body), hex);
    OWNED(free) char *all = str_format("%s# SHA-256 %s\n", body, hex);
    PUT(file_write(path, all, strlen(all)));
    int rc = baseline_read(&again, path);
    baseline_close(again);
    return rc;
}

static void edited(void **state)
{
    static const char *const change[][2] = {
        {"/*\tcalibrated\t4", "/*\tcalibrated\t0"},
        {"/*\tcalibrated\t4", "/*\tcalibrated\t"},
        {"/*\tcalibrated", "/*\tcal"},
        {"/*\tconfig", "/*\tcanfig"},
        {"/*\truns\t8", "/*\truns\t-8"},
        {"loss/0000001-", "loss/0000001+"},
        {"loss/0000001-0000002\t", "loss/0000001-0000002\t9"},
        {"loss/0000001-0000002\t", "loss/0000001-0000002\tx"},
        {"loss/0000001-0000002\t", "loss/0000001-0000002\t\t"},
    };

    (void)state;
    assert_int_equal(read_edited("/*\truns\t8", "/*\truns\t9"), OK);
    for (size_t i = 0; i < sizeof change / sizeof *change; i++)
        if (read_edited(change[i][0], change[i][1]) != ERR_STORE)
            fail_msg("%s was read", change[i][1]);
}

#define CASE(sentence, test)                                                  \
    {sentence, test, store_setup, store_teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE("of runs of the same law 1 in 5 leaves, and 1 gate in 40 alarms",
             same_law),
        CASE("those that calibrated are inside", calibrated),
        CASE("a run of another law is named where it leaves, both ways",
             another_law),
        CASE("other steps are compared where both have them", other_steps),
        CASE("too few runs are named, and how many it takes", too_few),
        CASE("how far beyond others is told by their number", beyond),
        CASE("a file gives the same bands again", read_back),
        CASE("an edited band is refused", edited),
    };

    return cmocka_run_group_tests_name("bands", tests, NULL, NULL);
}
