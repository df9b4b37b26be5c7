/* Checks the points of the figure flops, read back from the .tsv file and from
 * the SVG. */
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

extern const struct figure figure_flops;

/* ---- the data ---- */

struct point { double cost, value, low, high; };

/* Returns the expected point of a row. Its quality is accuracy if the task has
 * it. */
static struct point point_of(const char *task, int r)
{
    int t = distinct_task_of(task), labels = !strcmp(task, "imdb");
    const struct expected c = {.task = task, .better = labels ? 1 : -1,
                               .metric = labels ? "accuracy" : "ce"};
    struct shown e = column_shows(&c, distinct_rows[r], distinct_rows,
                                  DISTINCT_ROWS);

    return (struct point){distinct_flops(t, r), e.value, e.low, e.high};
}

/* Returns 1 unless the other of the two rows is better both in quality and in
 * cost. */
static int on_front(const char *task, int r)
{
    struct point mine = point_of(task, r), other = point_of(task, !r);
    double quality = (other.value - mine.value) *
                     (strcmp(task, "imdb") ? -1 : 1);

    return !(quality > 0 && other.cost < mine.cost);
}

static void data_of_flops(void **state)
{
    (void)state;
    for (const char *const *task = drawn_tasks; *task; task++) {
        char *tsv, head[64], name[32];
        const char *line;

        drawn_contents(&tsv, "flops", *task, "tsv");
        line = svg_next(tsv);
        snprintf(head, sizeof head,
                 "variant\tflops_per_step\t%s\tlow\thigh\tfront\t",
                 strcmp(*task, "imdb") ? "ce" : "accuracy");
        assert_memory_equal(tsv, head, strlen(head));
        for (int r = 0; r < DISTINCT_ROWS; r++, line = svg_next(line)) {
            struct point want = point_of(*task, r), got;

            int front;
            assert_int_equal(sscanf(line, "%31s %lf %lf %lf %lf %d", name,
                                    &got.cost, &got.value, &got.low,
                                    &got.high, &front), 6);
            assert_int_equal(front, on_front(*task, r));
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
                        const char *task)
{
    const char *end_of, *at;
    double x, y, low, high, px, py, lx, ly;
    unsigned ink = style_of(distinct_rows[r], 0).ink;
    char name[32];

    struct point want = point_of(task, r);
    px = svg_pixel(&a->x, want.cost / 1e6);
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

static void picture_of_flops(void **state)
{
    (void)state;
    for (const char *const *task = drawn_tasks; *task; task++) {
        int synthetic = !strcmp(*task, "cnndm");
        char *svg, *words = str_format(
            ">Quality against operations: %s, scale reduced, 6 seeds<",
            synthetic ? "CNN/DailyMail (SYNTHETIC DATA)" : "Movie reviews");

        drawn_contents(&svg, "flops", *task, "svg");
        struct axes a = svg_axes(svg, svg + strlen(svg));
        svg_find(svg, words);
        svg_find(svg, ">floating-point operations per training step, "
                 "millions (lower is better)<");
        svg_find(svg, synthetic
                      ? ">test cross-entropy, nats/token (lower is better)<"
                      : ">test accuracy, % (higher is better)<");
        svg_find(svg, ">bars: 95 % intervals over the seeds; stepped line: "
                  "Pareto front (no other variant is better in both)<");
        for (int r = 0; r < DISTINCT_ROWS; r++)
            check_point(svg, &a, r, *task);
        free(words);
        free(svg);
    }
}

static int begin(void **state)
{
    static const struct figure *const all[] = {&figure_flops, NULL};

    (void)state;
    return drawn_begin(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of flops are the store's", data_of_flops, NULL, NULL, NULL},
        {"points and bars are drawn where their numbers are, and named",
         picture_of_flops, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("flops", tests, begin, drawn_end);
}
