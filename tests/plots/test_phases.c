/* Checks the figure of processor time by phase, read back from its data and
 * from its SVG. */
#include "harness/base/names.h"
#include "tests/support/draw_figures.h"
#include "tests/support/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct figure figure_phases;

/* ---- the data ---- */

enum { PARTS = 13, CELLS = DISTINCT_SEEDS - 1 /* with phases */ };

static const char *const part_name[PARTS] = {
    "start", "products", "attention", "scores", "norm", "loss", "elementwise",
    "optimizer", "other", "valid", "test", "decode", "write"};

static double of_name(const char *const *all, const char *name,
                      double (*value)(int t, int r, int i), int t, int r)
{
    return value(t, r, names_index(all, name));
}

/* Returns the sum over CELLS cells. Their mean is the value of seed 3. */
static double phase(int t, int r, int i)
{
    return CELLS * distinct_phase(t, r, (1 + CELLS) / 2.0, i);
}

static double kernel(int t, int r, int i)
{
    double all = 0;

    for (int j = 0; distinct_kernels[j]; j++)
        all += distinct_kernel(r, j);
    return distinct_kernel(r, i) / all * phase(t, r, 2);
}

static double time_of(int t, int r, const char *part)
{
    const struct { const char *part, *of[4]; } sums[] = {
        {"start", {"start", "data"}},
        {"write", {"score", "write"}},
        {"scores", {"scores", "convolution"}},
        {"elementwise", {"embedding", "dropout", "elementwise"}}};
    const char *single[2] = {part}, *const *of = single;
    double sum = 0;

    for (int i = 0; i < 4; i++)
        if (!strcmp(part, sums[i].part))
            of = sums[i].of;
    for (; *of; of++)
        sum += names_index(distinct_kernels, *of) >= 0
                   ? of_name(distinct_kernels, *of, kernel, t, r)
                   : of_name(distinct_phases, *of, phase, t, r);
    return sum;
}

static const char *check_bar(const char *line, const char *name, int cells,
                             const double want[PARTS])
{
    char is[32];
    double x;
    int n, at;

    assert_int_equal(sscanf(line, "%31[^\t]\t%d%n", is, &n, &at), 2);
    assert_string_equal(is, name);
    assert_int_equal(n, cells);
    for (int i = 0, more; i < PARTS; i++, at += more) {
        assert_int_equal(sscanf(line + at, "\t%lf%n", &x, &more), 1);
        svg_near(part_name[i], x, want[i], 1e-6);
    }
    return svg_next(line);
}

static void data_of_phases(void **state)
{
    double all[2][PARTS] = {{0}}; /* per task */
    char *tsv;

    (void)state;
    for (int k = 0; drawn_tasks[k]; k++) {
        int t = distinct_task_of(drawn_tasks[k]);

        drawn_contents(&tsv, "phases", drawn_tasks[k], "tsv");
        const char *line = svg_next(tsv);
        assert_memory_equal(tsv, "variant\tcells\tstart\tproducts\t", 29);
        for (int r = 0; r < DISTINCT_ROWS; r++) {
            double want[PARTS];

            for (int i = 0; i < PARTS; i++) {
                want[i] = time_of(t, r, part_name[i]) / CELLS;
                all[k][i] += want[i] * CELLS;
            }
            line = check_bar(line, distinct_rows[r], CELLS, want);
        }
        assert_string_equal(line, "");
        free(tsv);
    }
    drawn_contents(&tsv, "phases", "matrix", "tsv");
    const char *line = svg_next(tsv);
    for (int k = 0; drawn_tasks[k]; k++)
        line = check_bar(line, drawn_tasks[k], CELLS * DISTINCT_ROWS, all[k]);
    assert_string_equal(line, "");
    free(tsv);
    drawn_contents(&tsv, "phases", "matrix", "txt");
    svg_find(tsv, "omitted: 4 cells without this measurement");
    free(tsv);
}

/* ---- the picture ---- */

/* Bars are stacked; each is a part of the variant's time. */
static void picture_of_phases(void **state)
{
    char *svg;
    int t = distinct_task_of(drawn_tasks[0]);
    double below[DISTINCT_ROWS] = {0};

    (void)state;
    drawn_contents(&svg, "phases", drawn_tasks[0], "svg");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    for (int i = 0; i < PARTS; i++) {
        const char *end_of, *at;

        at = svg_group(svg, i + 1, "", &end_of, NULL);
        at = svg_find(at, "<polygon") + 1; /* the polygon in the legend */
        for (int r = 0; r < DISTINCT_ROWS; r++) {
            double low, high, mine = time_of(t, r, part_name[i]) / CELLS;

            at = svg_find(at, "points = '");
            if (r == 0)
                at = svg_find(at + 1, "points = '");
            assert_int_equal(sscanf(at, "points = '%*f,%lf %*f,%*f %*f,%lf",
                                    &low, &high), 2);
            svg_near("the foot of a bar", low, svg_pixel(&a.y, below[r]), 0.05);
            below[r] += mine;
            svg_near("its head", high, svg_pixel(&a.y, below[r]), 0.05);
            at++;
        }
        assert_true(at < end_of);
    }
    svg_find(svg, ">training: products</text>");
    svg_find(svg, ">Processor time by phase: CNN/DailyMail (SYNTHETIC DATA), "
              "scale reduced");
    free(svg);
}

static int begin(void **state)
{
    static const struct figure *const all[] = {&figure_phases, NULL};

    (void)state;
    return drawn_begin(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of phases are the store's, training's by its kernels",
         data_of_phases, NULL, NULL, NULL},
        {"phases are drawn on each other, as high as they are long",
         picture_of_phases, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("phases", tests, begin, drawn_end);
}
