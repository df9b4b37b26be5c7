/* A scaling curve, read back from its data and from the SVG. */
#include "harness/base/err.h"
#include "plots/scaling.h"
#include "tests/support/draw_figures.h"
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

static const struct scaling scaling = {
    .axis = "length N", .points = 3, .n = 4, .x = {32, 64, 128},
    .series = {{"vanilla", {8, 21, 90}, {0, 1.75, 0, {1.5, 2}}, .even = NAN},
               {"random", {11, 13, 55}, {0, 1.25, 0, {1.1, 1.4}}, .even = 100},
               {"dense", {9, 30, 240}, {0, 3, 0, {2, 4}}, .noisy = 1,
                .even = NAN},
               {"uniform", {12, 24, 192}, {0, 2, 0, {-10, 14}}, .bends = 1,
                .local = {1, 3}, .even = NAN}}};

static void scaling_data(void **state)
{
    char *tsv;

    (void)state;
    if (scaling_plot(&scaling, drawn_folder, "length") < 0)
        fail_msg("%s", err_last());
    drawn_contents(&tsv, "scaling", "length", "tsv");
    assert_string_equal(tsv, "length N\tvanilla ms\trandom ms\tdense ms\t"
                             "uniform ms\n"
                             "32\t8\t11\t9\t12\n64\t21\t13\t30\t24\n"
                             "128\t90\t55\t240\t192\n");
    free(tsv);
}

static void scaling_picture(void **state)
{
    static const char *const entry[] = {
        ">vanilla: exponent 1.75 [1.50, 2.00]<",
        ">random: exponent 1.25 [1.10, 1.40]<", ">dense: exponent too noisy<",
        ">uniform: bends, exponents 1.00 to 3.00<"};
    const char *legend;
    double x, y;
    char *svg;

    (void)state;
    drawn_contents(&svg, "scaling", "length", "svg");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    a = (struct axes){svg_logarithms(a.x), svg_logarithms(a.y)};
    svg_find(svg, ">Cost of a training step, by length N<");
    svg_find(svg, ">length N<");
    svg_find(svg, ">milliseconds per training step<");
    svg_group(svg, scaling.n, "", &legend, scaling.series[scaling.n - 1].name);
    for (int i = 0; i < scaling.n; i++) {
        const struct scaling_series *s = &scaling.series[i];
        const char *end_of, *at;

        at = svg_group(legend, i + 1, "", &end_of, s->name);
        assert_true(svg_find(at, entry[i]) < end_of);
        at = svg_group(svg, i + 1, "", &end_of, s->name);
        for (int p = 0; p < scaling.points; p++) {
            at = svg_find(at, "transform='translate(") + 21;
            assert_int_equal(sscanf(at, "%lf,%lf", &x, &y), 2);
            svg_near("x of a step", x, svg_pixel(&a.x, log(scaling.x[p])),
                     0.02);
            svg_near("y of a step", y, svg_pixel(&a.y, log(s->y[p])), 0.02);
        }
    }
    svg_place(svg, ">equal parameters at 100<", &x, &y);
    svg_near("the break-even", x, svg_pixel(&a.x, log(100)), 10);
    /* to the left, where there is space */
    assert_true(x < svg_pixel(&a.x, log(100)));
    /* random minus vanilla is 3 at 32 and -8 at 64 */
    const double cross = 32 + 32 * 3 / 11.0;
    svg_place(svg, ">as fast as vanilla at 41<", &x, &y);
    svg_near("a ring's words", x, svg_pixel(&a.x, log(cross)), 25);
    svg_near("their height", y,
             svg_pixel(&a.y, log(8 + 13 * (cross - 32) / 32)), 25);
    assert_null(strstr(strstr(svg, "as fast as") + 1, "as fast as"));
    assert_null(strstr(strstr(svg, "equal parameters at") + 1,
                       "equal parameters at"));
    free(svg);
}

static int begin(void **state)
{
    (void)state;
    drawn_folder = scratch_make();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of scaling are those measured", scaling_data, NULL, NULL,
         NULL},
        {"scaling is drawn where its numbers are, with its exponents",
         scaling_picture, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("scaling", tests, begin, drawn_end);
}
