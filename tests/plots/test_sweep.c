/* Checks figures of experiments that vary a number, N or steps, read back from
 * their data and from the SVG. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/report/report.h"
#include "plots/figure.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"
#include "tests/support/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct figure figure_length, figure_budget, figure_gap;

enum { ROWS = 3, POINTS = 3, SEEDS = 3, TOKENS = 100 /* per step */ };
static const char *const row[ROWS] = {"vanilla", "random", "dense"};
static const int number[POINTS] = {16, 32, 64};

/* Returns the operations per token. */
static double flops(int r, int N)
{
    const double a[ROWS] = {100, 50, 200}, b[ROWS] = {1, 2, 1};

    return 1000 * (a[r] + b[r] * N);
}

/* The difference from vanilla depends on N and on the seed. */
static double ce(int r, int N, int seed)
{
    return 4 + 0.3 * r - 0.01 * N + 0.02 * seed + 0.001 * r * (64 - N) +
           0.005 * r * (seed - 2);
}

/* ---- the store ---- */

static void must(int rc)
{
    if (rc < 0)
        fail_msg("%s", err_last());
}

static void write_cell(struct store *s, const char *path, const char *id, int r,
                       int N, int seed)
{
    static const double tokens[] = {2, 3}, nll[] = {8, 12.4};
    const double rate = 1000; /* tokens per second */
    struct cell_writer *w;

    must(made_begin(&w, path, id));
    must(cell_put_metric(w, "ce", "nats/token", -1, "how", ce(r, N, seed)));
    must(cell_put_array(w, "examples/test/tokens", "1", tokens, 2));
    must(cell_put_array(w, "examples/test/unigram_nll", "nats", nll, 2));
    must(cell_put_real(w, "timing", "tokens_per_s", rate));
    must(cell_put_real(w, "timing", "steps_per_s", rate / TOKENS));
    must(cell_put_real(w, "timing", "flops_per_step", flops(r, N) * TOKENS));
    must(cell_put_real(w, "timing", "train_cpu_seconds", 0.1 * N + seed));
    must(cell_commit(w));
    must(store_done(s, id, 1));
}

/* Creates a store with rows "vanilla,KEY=16", ..., the largest number first.
 * Seeds of the first number are 1 to 3, of the second 11 to 13, so that ids
 * differ. */
static char *store_of(const char *key)
{
    char *path = scratch_make();
    struct frozen_cell cell[ROWS * POINTS * SEEDS];
    struct frozen all = {.name = "varied", .title = "Varied", .cell = cell};
    struct store *s;

    must(store_open(&s, path, 1));
    for (int r = 0; r < ROWS; r++)
        for (int p = POINTS - 1; p >= 0; p--)
            for (int seed = 1; seed <= SEEDS; seed++) {
                const char *id = made_cell(&(struct cell_labels){
                    row[r], "lm1b", "quick", 10 * p + seed, 0});

                write_cell(s, path, id, r, number[p], seed);
                cell[all.n] = made_frozen(id);
                cell[all.n++].row = str_format("%s,%s=%d", row[r], key,
                                               number[p]);
            }
    must(frozen_write(&all, path));
    for (int i = 0; i < all.n; i++)
        free((char *)(uintptr_t)cell[i].row);
    store_close(s);
    return path;
}

static char *draw_sweep(const struct figure *f, const char *key)
{
    char *store = store_of(key);
    struct report *r;

    must(report_open(&r, store));
    must(figure_render(f, r, OUTPUT(store)));
    report_close(r);
    return store;
}

static char *contents(const char *folder, const char *name)
{
    char *path = str_format("%s/%s", folder, name), *out;

    must(file_read(&out, NULL, path));
    free(path);
    return out;
}

/* Returns the text after the next two blank lines. */
static const char *check_blank(const char *line)
{
    assert_memory_equal(line, "\n\n", 2);
    return line + 2;
}

/* ---- length ---- */

static const char *seed_name(int point, int seed)
{
    static char name[24];

    snprintf(name, sizeof name, "%d", 10 * point + seed);
    return name;
}

static const char *check_length(const char *line, int r, int N,
                                const char *seed, double loss)
{
    char name[2][32];
    double x[2];
    int at;

    assert_int_equal(sscanf(line, "%31s %d %31s %lf %lf", name[0], &at, name[1],
                            &x[0], &x[1]), 5);
    assert_string_equal(name[0], row[r]);
    assert_int_equal(at, N);
    assert_string_equal(name[1], seed);
    svg_near("operations per token", x[0], flops(r, N) / 1e6, 1e-6);
    svg_near("cross-entropy", x[1], loss, 1e-6);
    return svg_next(line);
}

static void data_of_length(void **state)
{
    char *store = draw_sweep(&figure_length, "N");
    char *tsv = contents(store, "length_lm1b.tsv");
    const char *line = svg_next(tsv);

    (void)state;
    assert_memory_equal(tsv, "variant\tN\tseed\tmflop\tce\n",
                        (size_t)(line - tsv));
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < POINTS; p++)
            for (int seed = 1; seed <= SEEDS; seed++)
                line = check_length(line, r, number[p], seed_name(p, seed),
                                    ce(r, number[p], seed));
    for (int r = 0; r < ROWS; r++) {
        line = check_blank(line);
        for (int p = 0; p < POINTS; p++)
            line = check_length(line, r, number[p], "-", ce(r, number[p], 2));
    }
    assert_string_equal(line, "");
    free(tsv);
    scratch_remove(store);
}

static const char *check_mark(const char *at, const struct axes *a, double x,
                              double y)
{
    double px, py;

    at = svg_find(at, "transform='translate(") + 21;
    assert_int_equal(sscanf(at, "%lf,%lf", &px, &py), 2);
    svg_near("x of a mark", px, svg_pixel(&a->x, x), 0.03);
    svg_near("y of a mark", py, svg_pixel(&a->y, y), 0.03);
    return at;
}

/* Checks a panel: a plot without bands, the dots of the seeds, the lines of the
 * means, then their marks. The row with the best loss is drawn last. */
static void check_lengths(const char *svg, const char *panel, struct axes a,
                          int by_cost)
{
    a = (struct axes){svg_logarithms(a.x), by_cost ? svg_logarithms(a.y) : a.y};
    for (int r = 0; r < ROWS; r++) {
        const int at[ROWS] = {3, 2, 1};
        const char *end, *s = svg_group(svg, 2 * ROWS + 1 + at[r], panel, &end,
                                        row[r]);

        for (int p = 0; p < POINTS; p++)
            s = check_mark(s, &a, log(number[p]),
                           by_cost ? log(flops(r, number[p]) / 1e6)
                                   : ce(r, number[p], 2));
        assert_true(s < end);
    }
}

static void picture_of_length(void **state)
{
    char *store = draw_sweep(&figure_length, "N");
    char *svg = contents(store, "length_lm1b.svg");
    const char *first = svg_find(svg, ">test cross-entropy, nats/token<");

    (void)state;
    check_lengths(svg, "a", svg_axes(svg, first), 0);
    const char *second = svg_find(first, ">counted MFLOP per token<");
    check_lengths(svg, "b", svg_axes(first, second), 1);
    svg_find(svg, ">lines: mean over seeds; dots: each seed.  Texts differ by "
                  "N<");
    svg_find(svg, ">Loss and cost by length: LM1B, scale quick, 3 seeds<");
    svg_find(svg, ">dense  4.000</text>");
    free(svg);
    scratch_remove(store);
}

/* ---- budget ---- */

static double mean_ce(int r, int N) { return ce(r, N, 2); }
static double mean_seconds(int N) { return 0.1 * N + 2; }

static const char *check_budget(const char *line, int r, int steps,
                                const char *seed, double time, double nats)
{
    char name[2][32];
    double x[2];
    int at;

    assert_int_equal(sscanf(line, "%31s %d %31s %lf %lf", name[0], &at, name[1],
                            &x[0], &x[1]), 5);
    assert_string_equal(name[0], row[r]);
    assert_int_equal(at, steps);
    assert_string_equal(name[1], seed);
    svg_near("processor seconds", x[0], time, 1e-6);
    svg_near("cross-entropy", x[1], nats, 1e-6);
    return svg_next(line);
}

static void data_of_budget(void **state)
{
    char *store = draw_sweep(&figure_budget, "steps");
    char *tsv = contents(store, "budget_lm1b.tsv");
    const char *line = svg_next(tsv);

    (void)state;
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < POINTS; p++)
            for (int seed = 1; seed <= SEEDS; seed++)
                line = check_budget(line, r, number[p], seed_name(p, seed),
                                    0.1 * number[p] + seed,
                                    ce(r, number[p], seed));
    for (int r = 0; r < ROWS; r++) {
        line = check_blank(line);
        for (int p = 0; p < POINTS; p++)
            line = check_budget(line, r, number[p], "-",
                                mean_seconds(number[p]),
                                mean_ce(r, number[p]));
    }
    assert_string_equal(line, "");
    free(tsv);
    scratch_remove(store);
}

/* Checks a panel: a plot without bands, the dots of the seeds, the lines of the
 * means, then their marks. dense is the worst row and drawn first. */
static void check_panel(const char *svg, const char *panel, struct axes a,
                        int by_time)
{
    a.x = svg_logarithms(a.x);
    for (int r = 0; r < ROWS; r++) {
        const int place[ROWS] = {3, 2, 1}; /* of lines, the best on top */
        const char *end, *s = svg_group(svg, 2 * ROWS + 1 + place[r], panel,
                                        &end, row[r]);

        for (int p = 0; p < POINTS; p++)
            s = check_mark(s, &a, log(by_time ? mean_seconds(number[p])
                                              : number[p]),
                           mean_ce(r, number[p]));
        assert_true(s < end);
    }
}

/* The loss of the unigram model is 20.4 nats for 5 tokens: 4.08 per token. */
static void picture_of_budget(void **state)
{
    char *store = draw_sweep(&figure_budget, "steps");
    char *svg = contents(store, "budget_lm1b.svg");
    const char *first = svg_find(svg, ">processor seconds of training<");
    double x, y;

    (void)state;
    struct axes right = svg_axes(svg, first);
    check_panel(svg, "a", right, 1);
    check_panel(svg, "b", svg_axes(first, svg + strlen(svg)), 0);
    svg_place(svg, ">dense  4.000<", &x, &y);
    svg_near("the height of a name", y, svg_pixel(&right.y, 4.0), 8);
    svg_place(svg, ">unigram model 4.080<", &x, &y);
    svg_near("the height of a level", y, svg_pixel(&right.y, 4.08), 12);
    svg_find(svg, ">Loss by training budget: LM1B, scale quick, 3 seeds<");
    free(svg);
    scratch_remove(store);
}

/* ---- gap ---- */

static double gap(int r, int N, int seed)
{
    return ce(r, N, seed) - ce(0, N, seed);
}

static const char *check_gap(const char *line, int r, int N, const char *seed,
                             double want)
{
    char name[2][32];
    double x;
    int at;

    assert_int_equal(sscanf(line, "%31s %d %31s %lf", name[0], &at, name[1],
                            &x), 4);
    assert_string_equal(name[0], row[r]);
    assert_string_equal(name[1], seed);
    assert_int_equal(at, N);
    svg_near("difference", x, want, 1e-6);
    return svg_next(line);
}

static void data_of_gap(void **state)
{
    char *store = draw_sweep(&figure_gap, "layers");
    char *tsv = contents(store, "gap_lm1b_layers.tsv");
    const char *line = svg_next(tsv);

    (void)state;
    assert_memory_equal(tsv, "variant\tnumber\tseed\tdifference\n",
                        (size_t)(line - tsv));
    for (int r = 1; r < ROWS; r++)
        for (int p = 0; p < POINTS; p++)
            for (int seed = 1; seed <= SEEDS; seed++)
                line = check_gap(line, r, number[p], seed_name(p, seed),
                                 gap(r, number[p], seed));
    for (int r = 1; r < ROWS; r++) {
        line = check_blank(line);
        for (int p = 0; p < POINTS; p++)
            line = check_gap(line, r, number[p], "-", gap(r, number[p], 2));
    }
    assert_string_equal(line, "");
    free(tsv);
    scratch_remove(store);
}

static void picture_of_gap(void **state)
{
    char *store = draw_sweep(&figure_gap, "N");
    char *svg = contents(store, "gap_lm1b_N.svg");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    const char *end, *s;

    (void)state;
    a.x = svg_logarithms(a.x);
    for (int r = 1; r < ROWS; r++) {
        const int at[ROWS] = {0, 2, 1}; /* dense is worst and drawn first */

        s = svg_group(svg, 1 + at[r], "a", &end, row[r]);
        for (int p = 0; p < POINTS; p++)
            for (int seed = 1; seed <= SEEDS; seed++)
                s = check_mark(s, &a, log(number[p]), gap(r, number[p], seed));
        assert_true(s < end);
    }
    svg_find(svg, ">Difference from vanilla: LM1B, scale quick, 3 seeds<");
    svg_find(svg, ">difference in test cross-entropy, nats<");
    free(svg);
    scratch_remove(store);
}

/* The figure has no data if the experiment varies only `batch`, or if a line
 * has only one number. */
static void needs_numbers(void **state)
{
    char *store = store_of("batch");
    struct report *r;

    (void)state;
    must(report_open(&r, store));
    assert_int_equal(figure_render(&figure_gap, r, OUTPUT(store)), ERR_EMPTY);
    assert_non_null(strstr(err_last(), "at two values of steps, N, layers or "
                                       "d"));
    report_close(r);
    scratch_remove(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of length are those of each seed, and their means",
         data_of_length, NULL, NULL, NULL},
        {"lengths are drawn where their means are", picture_of_length, NULL,
         NULL, NULL},
        {"the data of budgets are those of each seed, and their means",
         data_of_budget, NULL, NULL, NULL},
        {"budgets are drawn where their means are", picture_of_budget, NULL,
         NULL, NULL},
        {"gaps are differences from the first variant with the same seed and "
         "number", data_of_gap, NULL, NULL, NULL},
        {"gaps are drawn where their numbers are", picture_of_gap, NULL, NULL,
         NULL},
        {"gaps need an experiment that varies a number", needs_numbers, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
