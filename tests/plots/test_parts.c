/* Checks parts that figures share: label positions, bands, levels. */
#include "harness/base/arena.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "plots/band.h"
#include "plots/labels.h"
#include "plots/reference_lines.h"
#include "plots/trend.h"
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

static void check_places(const double *got, const double *want, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) < 1e-9))
            fail_msg("place %d is %g, not %g", i, got[i], want[i]);
}

static void places(void **state)
{
    double far[] = {10, 50, 90}, near[] = {50, 50, 52, 90};
    double low[] = {0, 1, 2}, high[] = {98, 99, 100};

    (void)state;
    labels_spread(far, 3, 20, 0, 100);
    check_places(far, (const double[]){10, 50, 90}, 3);
    labels_spread(near, 4, 10, 0, 100); /* spread around their mean */
    check_places(near, (const double[]){122.0 / 3 , 152.0 / 3, 182.0 / 3, 90},
                 4);
    labels_spread(low, 3, 10, 0, 100);
    check_places(low, (const double[]){0, 10, 20}, 3);
    labels_spread(high, 3, 10, 0, 100);
    check_places(high, (const double[]){80, 90, 100}, 3);
}

/* Points of no curve have the value 9. */
static int is_below_9(double value) { return value < 9; }

/* Adds the curve of a seed with these values at steps 1, 3, 5 and so on, or at
 * steps 3 and 1. */
static void add_curve(struct band *b, struct picture *p,
                      const struct column *columns, double *value, size_t n,
                      size_t half)
{
    double up[] = {1, 3, 5, 7, 9}, down[] = {3, 1};
    struct trace t = {n == 2 ? down : up, value, n};

    band_trace(b, is_below_9, p, columns,
               (struct band_point){.variant = "random", .seed = "1"}, &t,
               half);
}

static void bands(void **state)
{
    static const struct column columns[] = {
        {"step", NULL, COLUMN(struct band_point, step)},
        {.type = COLUMN_END}};
    char *folder = scratch_make();
    struct chart_panel a = {.low = INFINITY, .high = -INFINITY};
    struct picture p;
    struct band b = {0};

    (void)state;
    assert_int_equal(picture_begin(&p, OUTPUT(folder), "bands"), 0);
    assert_int_equal(band_put(&b, &a, 0, &p, columns), CHART_NO_BLOCK);
    add_curve(&b, &p, columns, (double[]){6, 2}, 2, 0);
    add_curve(&b, &p, columns, (double[]){4, 8, NAN, 9, INFINITY}, 5, 0);
    assert_int_equal(band_put(&b, &a, 0.5, &p, columns), 1);
    assert_int_equal(b.n, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(b.point[i].step, 2 * i + 1);
        assert_int_equal(b.point[i].seeds, 2);
        assert_string_equal(b.point[i].seed, "-");
        assert_true(b.point[i].value == 3 + 4 * i);
    }
    assert_true(b.point[1].low == 6 && b.point[1].high == 8);
    assert_true(a.low == 2 && a.high == 8 && a.most == 3);
    band_free(&b);
    add_curve(&b, &p, columns, (double[]){4, 8, NAN, 6, 2}, 5, 1);
    assert_int_equal(b.n, 4);
    assert_true(b.point[0].smooth == 6 && b.point[1].smooth == 6);
    assert_true(b.point[2].smooth == 4 && b.point[2].value == 6);
    band_free(&b);
    picture_abandon(&p);
    scratch_remove(folder);
}

/* An axis of 2 to 4 is extended to include levels that are less than (4 - 2) /
 * 2 = 1 away. Other levels are listed as text. */
static void levels(void **state)
{
    struct arena *a = arena_new();
    const struct report r = {.memory = a};
    struct reference_lines l = {.decimals = 2};
    struct picture p;
    double low = 2, high = 4;

    (void)state;
    reference_lines_add(&l, "near", 4.5);
    reference_lines_add(&l, "nowhere", NAN);
    reference_lines_add(&l, "far", 5.1);
    reference_lines_add(&l, "low", 1.25);
    reference_lines_widen(&l, &low, &high);
    assert_true(low == 1.25 && high == 4.5);
    assert_int_equal(picture_begin(&p, OUTPUT("."), "levels"), 0);
    assert_string_equal(reference_lines_put(&l, &p, &r, low, high), "far 5.10");
    fflush(p.script);
    fflush(p.words);
    assert_non_null(strstr(p.made.text[2], "graph 0, first 4.5 to graph 1, "
                                           "first 4.5 "));
    assert_null(strstr(p.made.text[2], "5.1 "));
    assert_non_null(strstr(p.made.text[1], "level1\tnear 4.50\n"));
    assert_non_null(strstr(p.made.text[1], "level3\tlow 1.25\n"));
    picture_abandon(&p);
    arena_free(a);
}

/* Two panels: the first series has no last value, the second begins at 0. */
static void trends(void **state)
{
    static const double y[2][3] = {{2, 3, NAN}, {0, 0, 5}};
    static const char *const commit[] = {"aaa", "bbb", "ccc"};
    struct trend_series series[] = {{"vanilla", y[0], "\0\1\0"},
                                    {"random", y[1], "\0\0\1"}};
    const struct trend t = {"loss by commit", "ce, nats", 3, 2, commit, series};
    char *folder = scratch_make(), *path = str_format("%s/t.tsv", folder), *tsv;
    char *drawn = str_format("%s/t.svg", folder), *svg;

    (void)state;
    assert_int_equal(trend_plot(&t, OUTPUT(folder), "t"), 0);
    assert_int_equal(file_read(&tsv, NULL, path), 0);
    svg_find(tsv, "1\t0\t2\t0\taaa\tvanilla\t0\t \n"
                  "1\t1\t3\t1\tbbb\tvanilla\t50\tbbb\n");
    svg_find(tsv, "2\t0\t0\t0\taaa\trandom\t0\t \n");
    svg_find(tsv, "2\t2\t5\t1\tccc\trandom\tNaN\tccc\n");
    assert_int_equal(file_read(&svg, NULL, drawn), 0);
    svg_find(svg, "2 -> 3");
    svg_find(svg_find(svg, ">vanilla<"), ">random<");
    svg_find(svg, ">bbb<");
    free(svg);
    free(tsv);
    free(drawn);
    free(path);
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"names keep their places, or stand apart around them", places, NULL,
         NULL, NULL},
        {"a band is the mean, the least and the greatest at each step", bands,
         NULL, NULL, NULL},
        {"a trend is the change since the first commit, a panel a cell",
         trends, NULL, NULL, NULL},
        {"a level near the axis is drawn, one further off is told", levels,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
