/* Checks learning curves, read back from their data and from the SVG. */
#include "harness/base/str.h"
#include "tests/support/draw_figures.h"
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

extern const struct figure figure_curves;

enum { LAST = DISTINCT_SEEDS };
static const double MEAN = (1 + LAST) / 2.0;

/* ---- the data ---- */

/* Returns the drawn value of point i. The curve y[i] = y[0] - c i^2 is drawn as
 * a moving mean over the points at most 2 away (a window of a 20th of 80). The
 * mean of five squares is i^2 + 2; the means of three or four squares at the
 * ends are given below. */
static double smooth(int t, int r, double k, int i)
{
    const double e = DISTINCT_STEPS - 1;
    double c = distinct_train(t, r, k, 0) - distinct_train(t, r, k, 1);
    double square = i == 0       ? (0 + 1 + 4) / 3.0
                    : i == 1     ? (0 + 1 + 4 + 9) / 4.0
                    : i == e - 1 ? e * e - 3 * e + (1 + 4 + 9) / 4.0
                    : i == e     ? e * e - 2 * e + (1 + 4) / 3.0
                                 : i * i + 2.0;

    return distinct_train(t, r, k, 0) - c * square;
}

/* Checks one line of the data. If `seed` is "-", the line holds the mean over
 * the seeds, and the band around it. */
static const char *check_line(const char *line, const char *curve, int r,
                              const char *seed, int step, double value,
                              double drawn, double low, double high)
{
    char name[3][32];
    double x[4];
    int at;

    if (sscanf(line, "%31s %31s %31s %d %lf %lf %lf %lf\n", name[0], name[1],
               name[2], &at, &x[0], &x[1], &x[2], &x[3]) != 8)
        fail_msg("no such line: %.60s", line);
    assert_string_equal(name[0], curve);
    assert_string_equal(name[1], distinct_rows[r]);
    assert_string_equal(name[2], seed);
    assert_int_equal(at, step);
    svg_near("a curve's value", x[0], value, 1e-8);
    svg_near("its moving mean", x[1], drawn, 1e-8);
    assert_true(isnan(low) ? isnan(x[2]) : fabs(x[2] - low) < 1e-8);
    assert_true(isnan(high) ? isnan(x[3]) : fabs(x[3] - high) < 1e-8);
    return svg_next(line);
}

static const char *check_seed(const char *line, int t, int r, int k)
{
    char seed[] = {(char)('0' + k), 0};

    for (int i = 0; i < DISTINCT_STEPS; i++)
        line = check_line(line, "train", r, seed, distinct_train_step(i),
                          distinct_train(t, r, k, i), smooth(t, r, k, i), NAN,
                          NAN);
    for (int i = 0; i < DISTINCT_EVALS; i++)
        line = check_line(line, "valid", r, seed, distinct_valid_step(i),
                          distinct_valid(t, r, k, i),
                          distinct_valid(t, r, k, i), NAN, NAN);
    return line;
}

/* Returns the text after the next two blank lines. */
static const char *check_blank(const char *line)
{
    assert_memory_equal(line, "\n\n", 2);
    return line + 2;
}

static const char *check_bands(const char *line, int t, int r)
{
    line = check_blank(line);
    for (int i = 0; i < DISTINCT_STEPS; i++)
        line = check_line(line, "train", r, "-", distinct_train_step(i),
                          distinct_train(t, r, MEAN, i), smooth(t, r, MEAN, i),
                          smooth(t, r, 1, i), smooth(t, r, LAST, i));
    line = check_blank(line);
    for (int i = 0; i < DISTINCT_EVALS; i++)
        line = check_line(line, "valid", r, "-", distinct_valid_step(i),
                          distinct_valid(t, r, MEAN, i),
                          distinct_valid(t, r, MEAN, i),
                          distinct_valid(t, r, 1, i),
                          distinct_valid(t, r, LAST, i));
    return line;
}

static void data_of_curves(void **state)
{
    (void)state;
    for (const char *const *task = drawn_tasks; *task; task++) {
        int t = distinct_task_of(*task);
        const char *line;
        char *tsv;

        drawn_contents(&tsv, "curves", *task, "tsv");
        line = svg_next(tsv);
        assert_memory_equal(tsv, "curve\tvariant\tseed\tstep\tvalue\tsmooth\t"
                            "low\thigh\n", (size_t)(line - tsv));
        for (int r = 0; r < DISTINCT_ROWS; r++)
            for (int k = 1; k <= LAST; k++)
                line = check_seed(line, t, r, k);
        for (int r = 0; r < DISTINCT_ROWS; r++)
            line = check_bands(line, t, r);
        assert_string_equal(line, "");
        free(tsv);
    }
}

/* ---- the picture ---- */

/* Describes a curve and its band: `value`(t, r, k, i) at `step`(i), for i <
 * `n`. */
struct drawn {
    int n;
    int (*step)(int i);
    double (*value)(int t, int r, double k, int i);
};

static void check_path(const char *at, const struct axes *a, int t, int r,
                       const struct drawn *d)
{
    double x = 0, y = 0;

    at = svg_find(at, " d='M") + 4;
    for (int i = 0; i < d->n; i++) {
        at = svg_point(at, &x, &y);
        assert_non_null(at);
        svg_near("x of a curve", x, svg_pixel(&a->x, d->step(i)), 0.02);
        svg_near("y of a curve", y, svg_pixel(&a->y, d->value(t, r, MEAN, i)),
                 0.02);
    }
    assert_null(svg_point(at, &x, &y));
}

/* Checks a band. Its outline follows the minimum over the seeds and returns
 * along the maximum; values above the panel are clipped at its top. */
static void check_band(const char *at, const struct axes *a, int t, int r,
                       const struct drawn *d, double top)
{
    double x = 0, y = 0;

    at = svg_find(at, " points = '") + 11;
    for (int i = 0; i < 2 * d->n; i++) {
        int back = i >= d->n, of = back ? 2 * d->n - 1 - i : i;
        double want = svg_pixel(&a->y, d->value(t, r, back ? LAST : 1, of));

        at = svg_point(at, &x, &y);
        assert_non_null(at);
        if (want < top)
            continue;
        svg_near("x of a band", x, svg_pixel(&a->x, d->step(of)), 0.02);
        svg_near("y of a band", y, want, 0.02);
    }
}

/* A panel has its bands first, then an empty plot (there are no dots), then its
 * lines. The best curve, uniform, is drawn last, on top. */
static void check_panel(const char *svg, const char *panel,
                        const struct axes *a, int t, const struct drawn *d)
{
    for (int r = 0; r < DISTINCT_ROWS; r++) {
        const char *end_of;

        check_band(svg_group(svg, 1 + r, panel, &end_of, distinct_rows[r]), a,
                   t, r, d, 112.5);
        check_path(svg_group(svg, 2 + r + DISTINCT_ROWS, panel, &end_of,
                         distinct_rows[r]), a, t, r, d);
    }
}

/* Checks that a curve's label is beside the panel, at the height of the curve's
 * end. */
static void check_end(const char *svg, const struct axes *a, int t, int r)
{
    double last = distinct_valid(t, r, MEAN, DISTINCT_EVALS - 1), x, y;
    char *end = str_format(">%s  %.3f</text>", distinct_rows[r], last);

    svg_place(svg, end, &x, &y);
    svg_near("the height of a name", y, svg_pixel(&a->y, last), 8);
    assert_true(x > 0.72 * 1200 && x < 0.76 * 1200);
    free(end);
}

static void check_height(const char *panel, const struct axis *y, double low,
                         double high)
{
    double pad = (high - low) / 20;

    svg_near(panel, svg_pixel(y, low - pad), 652.5, 0.1);
    svg_near(panel, svg_pixel(y, high + pad), 112.5, 0.1);
}

/* Checks that the unigram model of the first cell is drawn as a horizontal line
 * with a label. */
static void check_level(const char *svg, const struct axes *a, int t)
{
    double nats = distinct_unigram(t, 0, 1), x, y, to;
    char *words = str_format(">unigram model %.3f<", nats);
    int lines = 0;

    svg_place(svg, words, &x, &y);
    svg_near("the place of a level's name", y, svg_pixel(&a->y, nats), 12);
    for (const char *s = svg; (s = strstr(s, " d='M")); s++)
        lines += sscanf(s, " d='M%*f,%lf L%*f,%lf", &y, &to) == 2 && y == to &&
                 fabs(y - svg_pixel(&a->y, nats)) < 0.02;
    assert_true(lines > 0);
    free(words);
}

/* The axis of each panel extends a 20th above and below the values that it must
 * show: all of each curve except its first fifth, which ends at step 48 of
 * 240. */
static void check_curves(const char *svg, const char *const title[3], int t)
{
    static const struct drawn train = {DISTINCT_STEPS, distinct_train_step,
                                       smooth};
    static const struct drawn valid = {DISTINCT_EVALS, distinct_valid_step,
                                       distinct_valid};
    const char *first = svg_find(svg, title[0]);
    struct axes right = svg_axes(svg, first);
    struct axes left = svg_axes(first, svg + strlen(svg));
    double x, y;

    svg_place(svg, title[0], &x, &y);
    svg_near("the middle of the right title", x, 687, 2);
    svg_place(svg, title[1], &x, &y);
    svg_near("the middle of the left title", x, 255, 2);
    svg_find(svg_find(svg_find(svg, title[2]), ">step<") + 1, ">step<");
    check_height("the left panel's height", &left.y, smooth(t, 0, 1, 79),
                 smooth(t, 1, LAST, 15));
    check_height("the right panel's height", &right.y, smooth(t, 0, 1, 79),
                 smooth(t, 1, LAST, 15));
    check_panel(svg, "b", &left, t, &train);
    check_panel(svg, "a", &right, t, &valid);
    for (int r = 0; r < DISTINCT_ROWS; r++)
        check_end(svg, &right, t, r);
    if (strstr(title[2], "SYNTHETIC"))
        check_level(svg, &right, t);
    else
        assert_null(strstr(svg, "unigram"));
}

static void picture_of_curves(void **state)
{
    (void)state;
    for (const char *const *task = drawn_tasks; *task; task++) {
        int synthetic = !strcmp(*task, "cnndm");
        const char *unit = synthetic ? "token" : "example";
        char *svg, *title[] = {
            str_format(">validation cross-entropy, nats/%s<", unit),
            str_format(">training loss, nats/%s<", unit),
            str_format(">Learning curves: %s, scale reduced, 6 seeds<",
                       synthetic ? "CNN/DailyMail (SYNTHETIC DATA)"
                                 : "Movie reviews")};

        drawn_contents(&svg, "curves", *task, "svg");
        check_curves(svg, (const char *const *)title, distinct_task_of(*task));
        svg_find(svg, ">training: moving mean over 5 % of the steps; lines: "
                      "mean over seeds; bands: minimum to maximum<");
        for (int i = 0; i < 3; i++)
            free(title[i]);
        free(svg);
    }
}

static int begin(void **state)
{
    static const struct figure *const all[] = {&figure_curves, NULL};

    (void)state;
    return drawn_begin(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of learning curves are the store's, and their moving mean",
         data_of_curves, NULL, NULL, NULL},
        {"learning curves are drawn in their panel, colour and place",
         picture_of_curves, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("curves", tests, begin, drawn_end);
}
