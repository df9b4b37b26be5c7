/* Checks the figure of the change of the logits, read back from its data and
 * from its SVG. */
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

extern const struct figure figure_logit_change;

enum { LAST = DISTINCT_SEEDS };

/* ---- the data ---- */

/* Returns the root mean square over both self-attentions; cross-attention is
 * excluded. */
static double move(int t, int r, double k, int i)
{
    double e = distinct_move(t, r, k, 0, i), d = distinct_move(t, r, k, 1, i);

    return sqrt((e * e + d * d) / 2);
}

static const char *check_move(const char *line, int r, const char *seed, int i,
                              double want, double low, double high)
{
    char name[2][32];
    double x[3];
    int step;

    assert_int_equal(sscanf(line, "%31s %31s %d %lf %lf %lf", name[0], name[1],
                            &step, &x[0], &x[1], &x[2]), 6);
    assert_string_equal(name[0], distinct_rows[r]);
    assert_string_equal(name[1], seed);
    assert_int_equal(step, 1 << i);
    svg_near("a move", x[0], want, 1e-8);
    assert_true(isnan(low) ? isnan(x[1]) : fabs(x[1] - low) < 1e-8);
    assert_true(isnan(high) ? isnan(x[2]) : fabs(x[2] - high) < 1e-8);
    return svg_next(line);
}

static const char *check_blank(const char *line)
{
    assert_memory_equal(line, "\n\n", 2);
    return line + 2;
}

static void data_of_moves(void **state)
{
    (void)state;
    for (int k = 0; drawn_tasks[k]; k++) {
        int t = distinct_task_of(drawn_tasks[k]);
        char *tsv;

        drawn_contents(&tsv, "logit_change", drawn_tasks[k], "tsv");
        const char *line = svg_next(tsv);
        assert_memory_equal(tsv, "variant\tseed\tstep\trms\tlow\thigh\n",
                            (size_t)(line - tsv));
        for (int r = 0; r < DISTINCT_ROWS; r++) {
            for (int seed = 1; seed < LAST; seed++)
                for (int i = 0; i < DISTINCT_MOVES; i++)
                    line = check_move(line, r, (char[]){(char)('0' + seed), 0},
                                      i, move(t, r, seed, i), NAN, NAN);
            line = check_blank(line);
            for (int i = 0; i < DISTINCT_MOVES; i++)
                line = check_move(line, r, "-", i, move(t, r, LAST / 2.0, i),
                                  move(t, r, 1, i), move(t, r, LAST - 1, i));
            line = check_blank(line);
        }
        assert_string_equal(line, "");
        free(tsv);
    }
}

/* ---- the picture ---- */

/* Checks the maximum of each mean. Bands and lines are drawn before marks;
 * uniform ends lower and is drawn last. */
static void picture_of_moves(void **state)
{
    static const char title[] = ">Change of the logits per step: Movie "
                                "reviews, scale reduced, 6 seeds<";
    int t = distinct_task_of("imdb"), last = DISTINCT_MOVES - 1;
    double x, y, above = 0;
    char *svg;

    (void)state;
    drawn_contents(&svg, "logit_change", "imdb", "svg");
    svg_find(svg, title);
    svg_find(svg, ">omitted: 2 cells without this measurement, trained by an "
                  "earlier version or another program<");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    a = (struct axes){svg_logarithms(a.x), svg_logarithms(a.y)};
    for (int r = 0; r < DISTINCT_ROWS; r++) {
        const char *end_of, *at;

        at = svg_group(svg, 2 * DISTINCT_ROWS + r + 2, "a", &end_of,
                       distinct_rows[r]);
        for (int i = 0; i < DISTINCT_MOVES; i++) {
            at = svg_find(at, "transform='translate(") + 21;
            assert_int_equal(sscanf(at, "%lf,%lf", &x, &y), 2);
            svg_near("x of a move", x, svg_pixel(&a.x, log(1 << i)), 0.02);
            svg_near("y of a move", y,
                 svg_pixel(&a.y, log(move(t, r, LAST / 2.0, i))), 0.02);
        }
        assert_true(at < end_of);
        char *entry = str_format(">%s  %.2g</text>", distinct_rows[r],
                                 move(t, r, LAST / 2.0, last));
        svg_place(svg, entry, &x, &y);
        assert_true(y > above);
        above = y;
        free(entry);
    }
    free(svg);
}

static int begin(void **state)
{
    static const struct figure *const all[] = {&figure_logit_change, NULL};

    (void)state;
    return drawn_begin(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of moves are the store's, of all self-attentions together",
         data_of_moves, NULL, NULL, NULL},
        {"moves are drawn where their numbers are, the farthest first",
         picture_of_moves, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("logit_change", tests, begin, drawn_end);
}
