/* Numbers that are missing or unreliable are reported as such: of diverged
 * cells, noisy speeds and exponents, and cells worse than a model-free
 * baseline. */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/report/references.h"
#include "harness/report/result_table.h"
#include "harness/stats/step_timing.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/print_tables.h"
#include "tests/support/report_fixture.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct table table_2;

/* ---- speeds ---- */

static double middle(int bin)
{
    return exp2(TIMING_FIRST + (bin + 0.5) / TIMING_OCTAVE);
}

static void same(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Among 100 values in random order, the value of rank k is the quantile
 * k/100. */
static void quantiles(void **state)
{
    static struct histogram exact, near;

    (void)state;
    for (int i = 0; i < 100; i++) {
        histogram_add(&exact, middle(300 + i * 37 % 100));
        histogram_add(&near, 0.001 * (1 + i * 37 % 100));
    }
    for (int k = 1; k <= 100; k++) {
        same(histogram_quantile(&exact, (k - 0.5) / 100), middle(299 + k),
             1e-12);
        same(histogram_quantile(&near, (k - 0.5) / 100), 0.001 * k, 0.011);
    }
    same(histogram_quantile(&exact, 0), middle(300), 1e-12);
    same(histogram_quantile(&exact, 1), middle(399), 1e-12);
}

static void outside(void **state)
{
    static struct histogram h;

    (void)state;
    assert_true(isnan(histogram_quantile(&h, 0.5)));
    histogram_add(&h, 0);
    same(histogram_quantile(&h, 1), middle(0), 1e-12);
    histogram_add(&h, 1e9);
    histogram_add(&h, INFINITY);
    same(histogram_quantile(&h, 1), middle(TIMING_BINS - 1), 1e-12);
}

static const struct load quiet = {0.5, 1.9, 2}, busy = {0.5, 2.6, 2};

static int noisy(const struct timing *p)
{
    struct spread s = timing_spread(p);

    return timing_noisy(&s, &quiet);
}

/* Some steps have short batches and some have long ones, each with its usual
 * time. The same times are noise if there is a single kind of batch. */
static void kinds(void **state)
{
    static struct timing two, one;

    (void)state;
    for (int i = 0; i < 20; i++) {
        timing_add(&two, i % 2 ? 0.010 : 0.001, 7 + i % 2);
        timing_add(&one, i % 2 ? 0.010 : 0.001, 7);
    }
    assert_int_equal(two.ratio.n, 18); /* each kind's first step has none */
    assert_int_equal(one.ratio.n, 19);
    assert_false(noisy(&two));
    assert_true(noisy(&one));
    same(timing_spread(&two).p10, 0.001, 0.011);
    same(timing_spread(&two).p90, 0.010, 0.011);
    same(two.least, 0.001, 0);
}

static void rule(void **state)
{
    const double steady[] = {1.0, 1.1, 1.0, 1.2, 1.05}, wild[] = {1, 2, 1, 3};
    const double slow[] = {2, 2.2, 2};
    struct spread s = timing_sample(steady, 5);

    (void)state;
    same(s.least, 1, 0);
    same(s.median, 1.05, 1e-15);
    assert_false(timing_noisy(&s, &quiet));
    assert_true(timing_noisy(&s, &busy)); /* load 2.6 > 1.25 x 2 cores */
    s = timing_sample(wild, 4);
    assert_true(timing_noisy(&s, &quiet));
    s = timing_sample(slow, 3); /* three are enough */
    same(s.width, 0.08, 1e-12);
    s = timing_sample(steady, 2); /* two steps are too few */
    assert_true(timing_noisy(&s, &quiet));
}

static void stopped(void **state)
{
    (void)state;
    clock_watch_stops();
    struct lap lap = clock_lap();
    clock_lap_end(&lap);
    assert_false(lap.stopped);
    struct lap began = clock_lap();
    kill(getpid(), SIGCONT); /* another thread may get it, after a moment */
    do {
        lap = began;
        clock_lap_end(&lap);
    } while (!lap.stopped && lap.wall < 10);
    assert_true(lap.stopped);
    assert_true(lap.wall >= 0 && lap.cpu >= 0);
}

/* ---- diverged cells of earlier versions ---- */

static void must(int rc) { REQUIRE(rc >= 0, "%s", err_last()); }

/* The cell that is replaced: vanilla on lm1b, seed 1 of the fixture. */
#define OLD fixture_id("0011")

static void spoil(const char *store, double ppl)
{
    const double nll[] = {2, 18}, tokens[] = {1, 3}, unigram[] = {1, 15};
    struct cell_writer *w;
    struct store *s;

    must(store_open(&s, store, 1));
    must(made_begin(&w, store, OLD));
    must(cell_put_metric(w, "ce", "nats/token", -1, "s", 5));
    must(cell_put_metric(w, "ppl", "1", -1, "s", ppl));
    must(cell_put_array(w, "examples/test/nll", "nats", nll, 2));
    must(cell_put_array(w, "examples/test/tokens", "1", tokens, 2));
    must(cell_put_array(w, "examples/test/unigram_nll", "nats", unigram, 2));
    must(cell_commit(w));
    must(store_done(s, OLD, 1));
    store_close(s);
}

static const struct fixture small = {.seeds = 1, .variants = 3,
                                     .examples = 50};

static void is_failed(const char *store)
{
    struct cell_status status;
    struct store *s;

    must(store_open(&s, store, 0));
    must(store_status(s, OLD, &status));
    assert_int_equal(status.state, CELL_FAILED);
    assert_string_equal(status.class, "diverged");
    assert_non_null(strstr(status.message, "ppl on the test set is infinite"));
    store_close(s);
}

static void failed(void **state)
{
    char *store = fixture_store(&small);
    struct result_table *measured;
    struct report *r;

    (void)state;
    spoil(store, INFINITY);
    is_failed(store);
    must(report_open(&r, store));
    must(result_fill(&measured, &table_2, r, NULL));
    for (int c = 0; c < measured->columns; c++) {
        const struct result_cell *x = &measured->row[0].cell[c];

        if (strcmp(measured->column[c]->task, "lm1b"))
            continue;
        assert_int_equal(x->state, CELL_FAILED);
        assert_true(isnan(x->value) && isnan(x->rank) && !x->best);
    }
    result_close(measured);
    report_close(r);
    scratch_remove(store);
}

static void lacks(const char *text, const char *word)
{
    if (strstr(text, word))
        fail_msg("'%s' in:\n%s", word, text);
}

static void null_everywhere(void **state)
{
    static const char *const format[] = {"text", "md", "csv", "json"};
    char *store = fixture_store(&small), *text;
    struct report *r;

    (void)state;
    spoil(store, NAN);
    must(report_open(&r, store));
    for (int i = 0; i < 4; i++) {
        struct sheet *s;

        must(table_fill(&s, &table_2, r, NULL, 0));
        text = printed_wide(s, format[i]);
        lacks(text, "nan ");
        lacks(text, "-nan");
        lacks(text, "inf ");
        lacks(text, "922337203685477580");
        free(text);
    }
    report_close(r);
    scratch_remove(store);
}

/* ---- worse than the input-blind baseline ---- */

static void blind(void **state)
{
    char *store = scratch_make();
    struct cell_reader *r;
    struct blind_baseline b;

    (void)state;
    spoil(store, 148);
    must(cell_open(&r, store, OLD));
    must(blind_read(&b, r));
    assert_string_equal(b.name, "the unigram model");
    assert_true(b.worse && b.own == 5 && b.value == 4);
    cell_close(r);
    scratch_remove(store);
}

static void blind_label(void **state)
{
    const double label[] = {2, 0, 2, 1, 2};
    char *store = scratch_make();
    struct cell_writer *w;
    struct cell_reader *r;
    struct store *s;
    struct blind_baseline b;

    (void)state;
    must(store_open(&s, store, 1));
    must(made_begin(&w, store, OLD));
    must(cell_put_metric(w, "accuracy", "%", 1, "s", 60));
    must(cell_put_array(w, "examples/test/label", "1", label, 5));
    must(cell_commit(w));
    must(cell_open(&r, store, OLD));
    must(blind_read(&b, r));
    assert_true(!b.worse && b.value == 60);
    cell_close(r);
    store_close(s);
    scratch_remove(store);
}

int main(void)
{
    static const struct CMUnitTest t[] = {
        {"quantiles of a histogram are those of the values", quantiles, NULL,
         NULL, NULL},
        {"what is outside of a histogram stands at its ends", outside, NULL,
         NULL, NULL},
        {"steps of two shapes are no noise", kinds, NULL, NULL, NULL},
        {"few steps, wide spreads and a busy machine are", rule, NULL, NULL,
         NULL},
        {"a lap in which the process went on again is told", stopped, NULL,
         NULL, NULL},
        {"a cell with an infinite metric has failed: no value, rank or star",
         failed, NULL, NULL, NULL},
        {"no format prints what is no number", null_everywhere, NULL, NULL,
         NULL},
        {"a loss over the unigram model's is worse than blind", blind, NULL,
         NULL, NULL},
        {"accuracy is held against the most frequent label", blind_label, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(t, NULL, NULL);
}
