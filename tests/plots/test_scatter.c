/* Checks the points of the scatter plots (quality against cost), read back from
 * the .tsv file and from the SVG. */
#include "harness/base/str.h"
#include "plots/style.h"
#include "tests/support/columns.h"
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

extern const struct figure figure_speed, figure_flops, figure_size;

enum { LAST = DISTINCT_SEEDS };

/* ---- the data ---- */

struct point { double cost, value, low, high; };

/* Returns the expected point of a row. Its quality is accuracy if the task has
 * it; its speed is that of the fastest seed that is not too noisy. */
static struct point point_of(const char *figure, const char *task, int r)
{
    int t = distinct_task_of(task), labels = !strcmp(task, "imdb");
    const struct expected c = {.task = task, .better = labels ? 1 : -1,
                               .metric = labels ? "accuracy" : "ce"};
    struct shown e = column_shows(&c, distinct_rows[r], distinct_rows,
                                  DISTINCT_ROWS);

    double cost = !strcmp(figure, "size")    ? distinct_params(t, r)
                  : !strcmp(figure, "flops") ? distinct_flops(t, r)
                                             : distinct_speed(t, r, LAST - 1);

    return (struct point){cost, e.value, e.low, e.high};
}

/* Returns 1 unless the other variant is better both in quality and in cost. */
static int on_front(const char *figure, const char *task, int r)
{
    struct point mine = point_of(figure, task, r);
    struct point other = point_of(figure, task, !r);
    double quality = (other.value - mine.value) *
                     (strcmp(task, "imdb") ? -1 : 1);
    double cost = (other.cost - mine.cost) * (strcmp(figure, "speed") ? -1 : 1);

    return !(quality > 0 && cost > 0);
}

static void data_of_points(const char *figure, const char *cost)
{
    for (const char *const *task = drawn_tasks; *task; task++) {
        char *tsv, head[64], name[32];
        const char *line;

        drawn_contents(&tsv, figure, *task, "tsv");
        line = svg_next(tsv);
        snprintf(head, sizeof head, "variant\t%s\t%s\tlow\thigh\tfront\t",
                 cost, strcmp(*task, "imdb") ? "ce" : "accuracy");
        assert_memory_equal(tsv, head, strlen(head));
        for (int r = 0; r < DISTINCT_ROWS; r++, line = svg_next(line)) {
            struct point want = point_of(figure, *task, r), got;

            int front;
            assert_int_equal(sscanf(line, "%31s %lf %lf %lf %lf %d", name,
                                    &got.cost, &got.value, &got.low,
                                    &got.high, &front), 6);
            assert_int_equal(front, on_front(figure, *task, r));
            assert_string_equal(name, distinct_rows[r]);
            svg_near("the cost", got.cost, want.cost, 1e-6 * want.cost);
            svg_near("the quality", got.value, want.value, 1e-7);
            svg_near("the bar's low end", got.low, want.low, 1e-7);
            svg_near("the bar's high end", got.high, want.high, 1e-7);
        }
        assert_memory_equal(line, "\n\n", 2); /* then the front */
        free(tsv);
    }
}

static void data_of_scatter(void **state)
{
    (void)state;
    data_of_points("size", "params");
    data_of_points("flops", "flops_per_step");
    data_of_points("speed", "steps_per_s");
}

/* ---- the picture ---- */

/* Elements of a point in drawing order, after the front: the line to its label,
 * the bar of its interval, the white area that hides part of the bar, the mark,
 * the label. */
enum { JOIN, BAR, WHITE, MARK, NAME };

static const char *part(const char *svg, int what, int r, const char **end_of)
{
    return svg_group(svg, what * DISTINCT_ROWS + r + 2, "", end_of,
                 what == BAR || what == MARK ? distinct_rows[r] : NULL);
}

/* Checks one point. Its bar runs from the low end to the high end of the
 * interval; bars are drawn before points. */
static void check_point(const char *svg, const struct axes *a, int r,
                        const char *figure, const char *task, double unit)
{
    const char *end_of, *at;
    double x, y, low, high, px, py, lx, ly;
    unsigned ink = style_of(distinct_rows[r], 0).ink;
    char name[32];

    struct point want = point_of(figure, task, r);
    px = svg_pixel(&a->x, want.cost / unit);
    py = svg_pixel(&a->y, want.value);
    assert_int_equal(sscanf(svg_find(part(svg, BAR, r, &end_of), " d='M"),
                            " d='M%lf,%lf L%*f,%lf", &x, &low, &high), 3);
    svg_near("x of a bar", x, px, 0.02);
    svg_near("its low end", low, svg_pixel(&a->y, want.low), 0.02);
    svg_near("its high end", high, svg_pixel(&a->y, want.high), 0.02);
    assert_int_equal(sscanf(svg_find(part(svg, MARK, r, &end_of),
                                 "transform='translate("),
                            "transform='translate(%lf,%lf)", &x, &y), 2);
    svg_near("x of a point", x, px, 0.02);
    svg_near("y of a point", y, py, 0.02);
    assert_int_equal(sscanf(svg_find(part(svg, MARK, r, &end_of), "scale("),
                            "scale(%lf)", &x), 1);
    svg_near("half a mark, as PNG has it", x, 5.5, 0.1);
    snprintf(name, sizeof name, ">%s</text>", distinct_rows[r]);
    at = part(svg, NAME, r, &end_of);
    svg_place(at, name, &lx, &ly);
    char *fill = str_format("fill=\"rgb(%u,%u,%u)\"", ink >> 16,
                            ink >> 8 & 255, ink & 255);
    assert_true(svg_find(at, fill) < svg_find(at, name));
    assert_true(svg_find(at, name) < end_of);
    assert_true(hypot(lx - px, ly - py) < 75);
    free(fill);
}

static void check_scatter(const char *figure, const char *title,
                          const char *axis, double unit)
{
    for (const char *const *task = drawn_tasks; *task; task++) {
        int synthetic = !strcmp(*task, "cnndm");
        char *svg, *words = str_format(
            ">%s: %s, scale reduced, 6 seeds<", title,
            synthetic ? "CNN/DailyMail (SYNTHETIC DATA)" : "Movie reviews");

        drawn_contents(&svg, figure, *task, "svg");
        struct axes a = svg_axes(svg, svg + strlen(svg));
        svg_find(svg, words);
        svg_find(svg, axis);
        svg_find(svg, synthetic
                      ? ">test cross-entropy, nats/token (lower is better)<"
                      : ">test accuracy, % (higher is better)<");
        svg_find(svg, ">bars: 95 % intervals over the seeds; stepped line: "
                  "Pareto front (no other variant is better in both)<");
        for (int r = 0; r < DISTINCT_ROWS; r++)
            check_point(svg, &a, r, figure, *task, unit);
        free(words);
        free(svg);
    }
}

static void picture_of_scatter(void **state)
{
    (void)state;
    check_scatter("size", "Quality against size",
                  ">learned parameters, millions (lower is better)<", 1e6);
    check_scatter("flops", "Quality against operations",
                  ">floating-point operations per training step, millions "
                  "(lower is better)<", 1e6);
    check_scatter("speed", "Quality against speed",
                  ">training steps per second (higher is better)<", 1);
}

static int begin(void **state)
{
    static const struct figure *const all[] = {&figure_speed, &figure_flops,
                                                &figure_size, NULL};

    (void)state;
    return drawn_begin(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of scatter plots are the store's", data_of_scatter, NULL,
         NULL, NULL},
        {"points and bars are drawn where their numbers are, and named",
         picture_of_scatter, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("scatter", tests, begin, drawn_end);
}
