/* Intervals of measurements and the claims about them, read back from the data
 * and from the SVG. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "plots/interval_plot.h"
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

/* The elements of a panel, in the order in which gnuplot draws them. */
enum { BAND = 1, EDGE = 2, INTERVAL = 4, ARROW = 8, POINT = 12 };
enum { HOLDS, FAILS, UNDECIDED, UNCLAIMED };

static const struct interval_line ratio[] = {
    {"k = d", "inner", "k = d", 1, {0.9, 1.1}, {0.8, 1.2}, "holds", "1 +- 0.05",
     "0.8 to 1.2"},
    {"k < d", "inner", "k < d", 0.25, {0.2, 0.3}, {0.8, 1.2}, "fails",
     "0.25 +- 0.025", "0.8 to 1.2"},
    {"k > d", "inner", "k > d", 1.5, {1.3, 1.7}, {-INFINITY, 1.6}, "undecided",
     "1.5 +- 0.1", "< 1.6"},
    {"", "other", "other", 0.5, {NAN, NAN}, {NAN, NAN}, "", "0.5", ""}};

/* A bound that would be invisible on a linear axis, and a value of zero. */
static const struct interval_line tiny[] = {
    {"a", "turn", "a", 1e-8, {1e-8, 1e-8}, {0, 1e-6}, "holds", "1e-08",
     "0 to 0.000001"},
    {"b", "turn", "b", 0.1, {0.1, 0.1}, {0, 1e-6}, "fails", "0.1",
     "0 to 0.000001"},
    {"c", "turn", "c", 0, {0, 0}, {0, 1e-6}, "holds", "0", "0 to 0.000001"}};

static const struct interval_line million = {
    "", "model", "model", 224e6, {224e6, 224e6}, {300e6, INFINITY}, "fails",
    "224", "> 300"};

static const char *const titles[][2] = {
    {"inner: the slope", NULL}, {"turn: of the cosine", NULL},
    {"model, millions", NULL}};

static const struct interval_panel panels[] = {
    {titles[0], 1, 4, ratio}, {titles[1], 1, 3, tiny},
    {titles[2], 1e6, 1, &million}};

static const struct interval_plot all = {
    "C1  A claim whose words are so many that they have to be broken into two "
    "lines or more, for no picture is as wide as this sentence is long",
    "holds only if k = d", 3, panels};

static char *folder, *svg, *tsv;

static int draw_plot(void **state)
{
    (void)state;
    folder = scratch_make();
    OWNED(free) char *drawn = str_format("%s/claim_C1.svg", folder);
    OWNED(free) char *data = str_format("%s/claim_C1.tsv", folder);
    if (interval_plot(&all, &(struct output){folder, "svg", NULL},
                      "claim_C1") ||
        file_read(&svg, NULL, drawn) || file_read(&tsv, NULL, data))
        fail_msg("%s", err_last());
    return 0;
}

static int sweep(void **state)
{
    (void)state;
    free(svg);
    free(tsv);
    scratch_remove(folder);
    return 0;
}

static void the_data_have_every_number_and_bound(void **state)
{
    (void)state;
    assert_string_equal(
        tsv, "panel\tline\tcase\tmeasure\tvalue\tlow\thigh\tclaimed_low\t"
        "claimed_high\tverdict\n"
        "1\t1\tk = d\tinner\t1\t0.9\t1.1\t0.8\t1.2\tholds\n"
        "1\t2\tk < d\tinner\t0.25\t0.2\t0.3\t0.8\t1.2\tfails\n"
        "1\t3\tk > d\tinner\t1.5\t1.3\t1.7\t-\t1.6\tundecided\n"
        "1\t4\t-\tother\t0.5\t-\t-\t-\t-\t-\n"
        "2\t1\ta\tturn\t1e-08\t1e-08\t1e-08\t0\t1e-06\tholds\n"
        "2\t2\tb\tturn\t0.1\t0.1\t0.1\t0\t1e-06\tfails\n"
        "2\t3\tc\tturn\t0\t0\t0\t0\t1e-06\tholds\n"
        "3\t1\t-\tmodel\t224000000\t224000000\t224000000\t300000000\t-\t"
        "fails\n");
}

/* Returns the axis of a panel (such as "a"), from its first tic and the
 * following ones. */
static struct axis across(const char *panel)
{
    const char *end;
    const char *plot = svg_group(svg, BAND, panel, &end, NULL);
    const char *from = svg;

    for (const char *s = svg; (s = strstr(s, "<g id=\"gnuplot_plot_15")) &&
                              s < plot; s++)
        from = s;
    return svg_across(from, plot);
}

/* Returns the horizontal position of a mark; *y receives its height. */
static double mark(const char *panel, int plot, double *y)
{
    const char *end, *at = svg_group(svg, plot, panel, &end, NULL);
    double x;

    at = svg_find(at, "'translate(") + strlen("'translate(");
    assert_true(at < end);
    assert_int_equal(sscanf(at, "%lf,%lf", &x, y), 2);
    return x;
}

static int is_empty(const char *panel, int plot)
{
    const char *end, *at = svg_group(svg, plot, panel, &end, NULL);
    const char *path = strstr(at, "<path"), *use = strstr(at, "<use");

    return !(path && path < end) && !(use && use < end);
}

static void a_mark_stands_at_its_number(void **state)
{
    struct axis x = across("a");
    double y[4];

    (void)state;
    for (int v = HOLDS; v <= UNCLAIMED; v++)
        svg_near("a mark", mark("a", POINT + v, &y[v]),
                 svg_pixel(&x, ratio[v].value), 0.5);
    for (int v = FAILS; v <= UNCLAIMED; v++)
        svg_near("lines are as far from each other", y[v] - y[v - 1],
                 y[1] - y[0], 0.5);
    assert_true(y[1] > y[0]);
}

/* Reads the two ends of the first line of an element. */
static void path(const char *panel, int plot, double x[2], double y[2])
{
    const char *end, *at = svg_group(svg, plot, panel, &end, NULL);

    at = svg_find(at, " d='M") + strlen(" d='");
    for (int k = 0; k < 2; k++) {
        at = svg_point(at, &x[k], &y[k]);
        assert_non_null(at);
    }
    assert_true(at < end);
}

/* Returns the horizontal position of the last line of an element. */
static double last(const char *panel, int plot)
{
    const char *end, *at = svg_group(svg, plot, panel, &end, NULL);
    double x = NAN, y;

    at = svg_find(at, " d='M") + strlen(" d='");
    while ((at = svg_point(at, &x, &y)))
        assert_true(at < end);
    return x;
}

static void a_line_reaches_over_its_interval(void **state)
{
    struct axis a = across("a");
    double x[2], y[2];

    (void)state;
    for (int v = HOLDS; v <= UNDECIDED; v++) {
        path("a", INTERVAL + v, x, y);
        svg_near("its low end", fmin(x[0], x[1]),
                 svg_pixel(&a, ratio[v].between.low), 0.5);
        svg_near("its high end", fmax(x[0], x[1]),
                 svg_pixel(&a, ratio[v].between.high), 0.5);
    }
}

/* Reads the left and the right end of a panel's first band. */
static void band(const char *panel, double *from, double *to)
{
    const char *end, *at = svg_group(svg, BAND, panel, &end, NULL);
    double x, y;

    *from = INFINITY;
    *to = -INFINITY;
    at = svg_find(at, "points = '") + strlen("points = '");
    while ((at = svg_point(at, &x, &y))) {
        assert_true(at < end);
        *from = fmin(*from, x);
        *to = fmax(*to, x);
    }
}

static void what_is_claimed_has_its_edges(void **state)
{
    struct axis a = across("a"), m = across("c");
    double x[2], y[2], from, to;

    (void)state;
    band("a", &from, &to);
    svg_near("a band begins", from, svg_pixel(&a, 0.8), 0.5);
    svg_near("... and ends", to, svg_pixel(&a, 1.2), 0.5);
    path("a", EDGE, x, y);
    svg_near("the least", x[0], svg_pixel(&a, 0.8), 0.5);
    path("a", EDGE + 1, x, y);
    svg_near("the most", x[0], svg_pixel(&a, 1.2), 0.5);
    svg_near("that of another line", last("a", EDGE + 1), svg_pixel(&a, 1.6),
             0.5);
    path("c", EDGE, x, y);
    svg_near("in millions", x[0], svg_pixel(&m, 300), 0.5);
    assert_true(is_empty("c", EDGE + 1)); /* no upper bound */
    band("c", &from, &to);
    svg_near("from the bound", from, x[0], 0.5);
    assert_true(to > svg_pixel(&m, 300) + 1); /* up to the end of the axis */
}

static void a_tiny_bound_makes_the_axis_logarithmic(void **state)
{
    struct interval_panel below = panels[1];
    struct interval_line line[] = {tiny[0], tiny[1]};

    (void)state;
    assert_false(interval_logarithmic(&panels[0]));
    assert_true(interval_logarithmic(&panels[1]));
    assert_false(interval_logarithmic(&panels[2]));
    line[0].between.low = -1e-9;
    below.line = line;
    below.n = 2;
    assert_false(interval_logarithmic(&below));
}

static void zero_is_an_arrow_at_the_end_of_such_an_axis(void **state)
{
    double x[2], y[2], at, line;

    (void)state;
    path("b", ARROW + HOLDS, x, y);
    at = mark("b", POINT + HOLDS, &line);
    assert_true(fmin(x[0], x[1]) < at && y[0] > line);
    assert_true(is_empty("a", ARROW + HOLDS));
    svg_find(svg, "<text>0</text>");
}

static void all_is_told_in_words(void **state)
{
    static const char *const words[] = {
        "C1  A claim whose words", "holds only if k = d", ">inner: the slope<",
        ">1 +- 0.05<", ">0.8 to 1.2<", ">undecided<", ">k &lt; d<", "> 300<",
        ">no claim<"};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        svg_find(svg, words[i]);
    assert_null(strstr(svg, all.title)); /* the title is broken into lines */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data_have_every_number_and_bound),
        cmocka_unit_test(a_mark_stands_at_its_number),
        cmocka_unit_test(a_line_reaches_over_its_interval),
        cmocka_unit_test(what_is_claimed_has_its_edges),
        cmocka_unit_test(a_tiny_bound_makes_the_axis_logarithmic),
        cmocka_unit_test(zero_is_an_arrow_at_the_end_of_such_an_axis),
        cmocka_unit_test(all_is_told_in_words),
    };

    return cmocka_run_group_tests(tests, draw_plot, sweep);
}
