/* What figures draw, read back from the data beside them and from the SVG: of a
 * store in which no two numbers are the same (distinct.h), and of a scaling
 * curve.  Pixels turn into numbers by the tics of the axes. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "plots/figure.h"
#include "plots/scaling.h"
#include "tests/support/columns.h"
#include "tests/support/distinct.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct figure figure_curves, figure_speed, figure_size,
    figure_phases, figure_moves;

/* A classifier's, whose quality is accuracy; and a generated one's. */
static const char *const tasks[] = {"cnndm", "imdb", NULL};

static char *folder;

static int begin(void **state)
{
    struct report *r;

    (void)state;
    folder = distinct_store(tasks, DISTINCT_SEEDS);
    assert_int_equal(report_open(&r, folder), OK);
    if (figure_curves.render(r, folder) < 0 ||
        figure_speed.render(r, folder) < 0 ||
        figure_size.render(r, folder) < 0 ||
        figure_phases.render(r, folder) < 0 ||
        figure_moves.render(r, folder) < 0)
        fail_msg("%s", err_last());
    report_close(r);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_remove(folder);
    return 0;
}

/* FOLDER/FIGURE_TASK.SUFFIX; the caller frees. */
static void contents(char **out, const char *figure, const char *task,
                     const char *suffix)
{
    char *path = str_format("%s/%s_%s.%s", folder, figure, task, suffix);

    if (file_read(out, NULL, path) < 0)
        fail_msg("%s", err_last());
    free(path);
}

static void near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s is %.9g, not %.9g", what, got, want);
}

static const char *find(const char *text, const char *part)
{
    const char *at = strstr(text, part);

    if (!at)
        fail_msg("'%s' is not in the picture", part);
    return at ? at : text;
}

/* ---- the data ---- */

static const char *next(const char *line) { return strchr(line, '\n') + 1; }

/* y[i] = y[0] - c i^2 is drawn as the mean over the points within 2 of it, a
 * 20th of 80: of five squares that is i^2 + 2, at the ends of four and three
 * squares what stands here. */
static double smooth(int t, int r, int k, int i)
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

static const char *check_line(const char *line, const char *curve, int r, int k,
                              int step, double value, double drawn)
{
    char name[2][32];
    int seed, at;
    double x[2];

    if (sscanf(line, "%31s %31s %d %d %lf %lf\n", name[0], name[1], &seed, &at,
               &x[0], &x[1]) != 6)
        fail_msg("no such line: %.60s", line);
    assert_string_equal(name[0], curve);
    assert_string_equal(name[1], distinct_rows[r]);
    assert_int_equal(seed, k);
    assert_int_equal(at, step);
    near("a curve's value", x[0], value, 1e-8);
    near("its moving mean", x[1], drawn, 1e-8);
    return next(line);
}

static void data_of_curves(void **state)
{
    (void)state;
    for (const char *const *task = tasks; *task; task++) {
        int t = distinct_task_of(*task);
        const char *line;
        char *tsv;

        contents(&tsv, "curves", *task, "tsv");
        line = next(tsv);
        assert_memory_equal(tsv, "curve\tvariant\tseed\tstep\tvalue\tsmooth\n",
                            (size_t)(line - tsv));
        for (int r = 0; r < DISTINCT_ROWS; r++)
            for (int k = 1; k <= DISTINCT_SEEDS; k++) {
                for (int i = 0; i < DISTINCT_STEPS; i++)
                    line = check_line(line, "train", r, k,
                                      distinct_train_step(i),
                                      distinct_train(t, r, k, i),
                                      smooth(t, r, k, i));
                line = next(line);
                for (int i = 0; i < DISTINCT_EVALS; i++)
                    line = check_line(line, "valid", r, k,
                                      distinct_valid_step(i),
                                      distinct_valid(t, r, k, i),
                                      distinct_valid(t, r, k, i));
                line = next(line);
            }
        assert_string_equal(line, "");
        free(tsv);
    }
}

struct point { double cost, value, low, high; };

/* Accuracy where the task has it; the fastest seed that is not too noisy. */
static struct point point_of(const char *figure, const char *task, int r)
{
    int t = distinct_task_of(task), labels = !strcmp(task, "imdb");
    const struct column c = {.task = task, .better = labels ? 1 : -1,
                             .metric = labels ? "accuracy" : "ce"};
    struct shown e = column_shows(&c, distinct_rows[r], distinct_rows,
                                  DISTINCT_ROWS);

    return (struct point){strcmp(figure, "size")
                              ? distinct_speed(t, r, DISTINCT_SEEDS - 1)
                              : distinct_params(t, r) / 1e6,
                          e.value, e.low, e.high};
}

static void data_of_points(const char *figure, const char *cost)
{
    for (const char *const *task = tasks; *task; task++) {
        char *tsv, head[64], name[32];
        const char *line;

        contents(&tsv, figure, *task, "tsv");
        line = next(tsv);
        snprintf(head, sizeof head, "variant\t%s\t%s\tlow\thigh\t", cost,
                 strcmp(*task, "imdb") ? "ce" : "accuracy");
        assert_memory_equal(tsv, head, strlen(head));
        for (int r = 0; r < DISTINCT_ROWS; r++, line = next(line)) {
            struct point want = point_of(figure, *task, r), got;

            assert_int_equal(sscanf(line, "%31s %lf %lf %lf %lf", name,
                                    &got.cost, &got.value, &got.low,
                                    &got.high), 5);
            assert_string_equal(name, distinct_rows[r]);
            near("the cost", got.cost, want.cost, 1e-7);
            near("the quality", got.value, want.value, 1e-7);
            near("the bar's low end", got.low, want.low, 1e-7);
            near("the bar's high end", got.high, want.high, 1e-7);
        }
        assert_string_equal(line, "");
        free(tsv);
    }
}

static void data_of_scatter(void **state)
{
    (void)state;
    data_of_points("size", "params");
    data_of_points("speed", "steps_per_s");
}

/* ---- where the time goes ---- */

enum { PARTS = 13, CELLS = DISTINCT_SEEDS - 1 /* that say it */ };

static const char *const part_name[PARTS] = {
    "start", "products", "attention", "scores", "norm", "loss", "elementwise",
    "optimizer", "other", "valid", "test", "decode", "write"};

static double of_name(const char *const *all, const char *name,
                      double (*value)(int t, int r, int i), int t, int r)
{
    return value(t, r, names_index(all, name));
}

/* Of CELLS cells; their mean is that of seed 3. */
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
        near(part_name[i], x, want[i], 1e-6);
    }
    return next(line);
}

static void data_of_phases(void **state)
{
    double all[2][PARTS] = {{0}}; /* of each task */
    char *tsv;

    (void)state;
    for (int k = 0; tasks[k]; k++) {
        int t = distinct_task_of(tasks[k]);

        contents(&tsv, "phases", tasks[k], "tsv");
        const char *line = next(tsv);
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
    contents(&tsv, "phases", "matrix", "tsv");
    const char *line = next(tsv);
    for (int k = 0; tasks[k]; k++)
        line = check_bar(line, tasks[k], CELLS * DISTINCT_ROWS, all[k]);
    assert_string_equal(line, "");
    free(tsv);
    contents(&tsv, "phases", "matrix", "txt");
    find(tsv, "before it was measured: 4 cells");
    free(tsv);
}

/* ---- how far logits move ---- */

/* Of both self-attentions; cross-attention does not count. */
static double move(int t, int r, int k, int i)
{
    double e = distinct_move(t, r, k, 0, i), d = distinct_move(t, r, k, 1, i);

    return sqrt((e * e + d * d) / 2);
}

static void data_of_moves(void **state)
{
    (void)state;
    for (int k = 0; tasks[k]; k++) {
        int t = distinct_task_of(tasks[k]);
        char *tsv, name[32];

        contents(&tsv, "moves", tasks[k], "tsv");
        assert_memory_equal(tsv, "variant\tseed\tstep\trms\n", 22);
        const char *line = next(tsv);
        for (int r = 0; r < DISTINCT_ROWS; r++)
            for (int seed = 1; seed < DISTINCT_SEEDS; seed++) {
                for (int i = 0; i < DISTINCT_MOVES; i++) {
                    double rms;
                    int s, step;

                    assert_int_equal(sscanf(line, "%31[^\t]\t%d\t%d\t%lf",
                                            name, &s, &step, &rms), 4);
                    assert_string_equal(name, distinct_rows[r]);
                    assert_int_equal(s, seed);
                    assert_int_equal(step, 1 << i);
                    near("a move", rms, move(t, r, seed, i), 1e-8);
                    line = next(line);
                }
                assert_true(*line == '\n');
                line = next(line);
            }
        assert_string_equal(line, "");
        free(tsv);
    }
}

/* ---- the picture ---- */

struct axis { double pixel[2], value[2]; };
struct axes { struct axis x, y; };

/* The first tic and the last, of those between two places of an SVG. */
static struct axes axes_between(const char *from, const char *to)
{
    struct axes a = {{{0}, {0}}, {{0}, {0}}}; /* of names, not numbers */
    int n[2] = {0};

    for (const char *s = from; s < to; s = next(s)) {
        double x[2], y[2], value;

        if (sscanf(s, "\t<path stroke='rgb( 68,  68,  68)'  d='M%lf,%lf L%lf,"
                   "%lf  '/>\t<g transform", &x[0], &y[0], &x[1], &y[1]) != 4 ||
            sscanf(next(s), "\t\t<text> %lf</text>", &value) != 1)
            continue;
        int of_y = y[0] == y[1];
        struct axis *axis = of_y ? &a.y : &a.x;
        int last = n[of_y]++ > 0;

        axis->pixel[last] = of_y ? y[0] : x[0];
        axis->value[last] = value;
    }
    assert_true(n[1] > 1);
    return a;
}

static double pixel(const struct axis *a, double value)
{
    return a->pixel[0] + (value - a->value[0]) * (a->pixel[1] - a->pixel[0]) /
                             (a->value[1] - a->value[0]);
}

/* Where the text stands. */
static void place_of(const char *svg, const char *text, double *x, double *y)
{
    const char *at = find(svg, text), *moved = NULL;

    for (const char *s = svg; (s = strstr(s, "translate(")) && s < at; s++)
        moved = s;
    assert_int_equal(sscanf(moved, "translate(%lf,%lf)", x, y), 2);
}

/* What gnuplot drew as the n-th of a panel ("a", "b", ""); in *end where that
 * ends, and in *row whose colour it has. */
static const char *group(const char *svg, int n, const char *panel,
                         const char **end_of, int *row)
{
    static const char *const colour[] = {"='rgb(  0,   0,   0)'",
                                         "='rgb(213,  94,   0)'",
                                         "='rgb(  0, 114, 178)'"};
    char *id = str_format("<g id=\"gnuplot_plot_%d%s\"", n, panel);
    const char *at = find(svg, id);

    *end_of = strstr(at + 1, "<g id=");
    if (!*end_of)
        *end_of = svg + strlen(svg);
    *row = -1;
    for (int r = 0; r < 3; r++) {
        const char *own = strstr(at, colour[r]);

        if (own && own < *end_of)
            *row = r;
    }
    free(id);
    return at;
}

/* The next point of a path, or NULL. */
static const char *path_point(const char *s, double *x, double *y)
{
    char *rest;

    while (*s && *s != '\'' && !(*s >= '0' && *s <= '9'))
        s++;
    if (*s == '\'' || !*s)
        return NULL;
    *x = strtod(s, &rest);
    *y = strtod(rest + 1, &rest);
    return rest;
}

/* Bars stand on each other, each a part of the variant's time. */
static void picture_of_phases(void **state)
{
    char *svg;
    int t = distinct_task_of(tasks[0]);
    double below[DISTINCT_ROWS] = {0};

    (void)state;
    contents(&svg, "phases", tasks[0], "svg");
    struct axes a = axes_between(svg, svg + strlen(svg));
    for (int i = 0; i < PARTS; i++) {
        const char *end_of, *at;
        int row;

        at = group(svg, i + 1, "", &end_of, &row);
        at = find(at, "<polygon") + 1; /* the legend's */
        for (int r = 0; r < DISTINCT_ROWS; r++) {
            double low, high, mine = time_of(t, r, part_name[i]) / CELLS;

            at = find(at, "points = '");
            if (r == 0)
                at = find(at + 1, "points = '");
            assert_int_equal(sscanf(at, "points = '%*f,%lf %*f,%*f %*f,%lf",
                                    &low, &high), 2);
            near("the foot of a bar", low, pixel(&a.y, below[r]), 0.05);
            below[r] += mine;
            near("its head", high, pixel(&a.y, below[r]), 0.05);
            at++;
        }
        assert_true(at < end_of);
    }
    find(svg, ">training: products</text>");
    find(svg, ">Where the time goes: cnndm (SYNTHETIC DATA), scale reduced");
    free(svg);
}

static void check_train(const char *svg, const struct axes *a, int t, int n)
{
    const char *end_of, *at;
    double x = 0, y = 0;
    int r;

    at = find(group(svg, n, "a", &end_of, &r), " d='M") + 4;
    assert_int_equal(r, n == 1 ? 0 : 1); /* the best on top */
    for (int k = 1; k <= DISTINCT_SEEDS; k++)
        for (int i = 0; i < DISTINCT_STEPS; i++) {
            at = path_point(at, &x, &y);
            assert_non_null(at);
            near("x of a training loss", x,
                 pixel(&a->x, distinct_train_step(i)), 0.02);
            near("y of a training loss", y, pixel(&a->y, smooth(t, r, k, i)),
                 0.02);
        }
    assert_null(path_point(at, &x, &y));
}

/* Early points may be above the panel; there is one more in the legend, below
 * the words that say its order. */
static void check_valid(const char *svg, const struct axes *a, int t, int n)
{
    const char *end_of, *at;
    double x = 0, y = 0, top = 97.5;
    char entry[64];
    int r, drawn = 0;

    at = group(svg, n, "b", &end_of, &r);
    assert_int_equal(r, n == 1 ? 1 : 0); /* uniform is the best */
    snprintf(entry, sizeof entry, ">%s  %.3f</text>", distinct_rows[r],
             (distinct_valid(t, r, 3, 7) + distinct_valid(t, r, 4, 7)) / 2);
    assert_true(find(at, entry) < end_of);
    place_of(svg, entry, &x, &y);
    near("the place in the legend", y, 130.06 + 24.3 * (n - 1), 8);
    for (int k = 1; k <= DISTINCT_SEEDS; k++)
        for (int i = 0; i < DISTINCT_EVALS; i++) {
            double want = pixel(&a->y, distinct_valid(t, r, k, i));

            if (want < top)
                continue;
            at = find(at, "transform='translate(") + 21;
            assert_int_equal(sscanf(at, "%lf,%lf", &x, &y), 2);
            near("x of a validation", x, pixel(&a->x, distinct_valid_step(i)),
                 0.02);
            near("y of a validation", y, want, 0.02);
            drawn++;
        }
    assert_true(drawn >= 5 * DISTINCT_SEEDS);
    at = find(at, "transform='translate(") + 1; /* the legend's */
    at = strstr(at, "transform='translate(");
    assert_true(!at || at > end_of);
}

/* A panel ends a 20th above and below what it shows: of each curve all but its
 * first fifth must fit. */
static void check_height(const char *panel, const struct axis *y, double low,
                         double high)
{
    double pad = (high - low) / 20;

    near(panel, pixel(y, low - pad), 667.5, 0.1);
    near(panel, pixel(y, high + pad), 97.5, 0.1);
}

static void picture_of_curves(void **state)
{
    (void)state;
    for (const char *const *task = tasks; *task; task++) {
        char *svg;
        int t = distinct_task_of(*task), synthetic = !strcmp(*task, "cnndm");
        const char *unit = synthetic ? "token" : "example", *train;
        char *title[] = {
            str_format(">training loss, nats/%s (moving mean)<", unit),
            str_format(">validation cross-entropy, nats/%s<", unit),
            str_format(">Learning curves: %s%s, scale reduced, 6 seeds<", *task,
                       synthetic ? " (SYNTHETIC DATA)" : "")};
        double x, y;

        contents(&svg, "curves", *task, "svg");
        train = find(svg, title[0]);
        struct axes left = axes_between(svg, train);
        struct axes right = axes_between(train, svg + strlen(svg));

        place_of(svg, title[0], &x, &y);
        near("the middle of the left title", x, 255, 2);
        place_of(svg, title[1], &x, &y);
        near("the middle of the right title", x, 693, 2);
        find(find(find(svg, title[2]), ">step<") + 1, ">step<");
        check_height("the left panel's height", &left.y, smooth(t, 0, 1, 79),
                     smooth(t, 1, 6, 15)); /* step 48 of 240 */
        check_height("the right panel's height", &right.y,
                     distinct_valid(t, 1, 1, 7),
                     distinct_valid(t, 0, 6, 1)); /* step 62 of 248 */
        for (int n = 1; n <= DISTINCT_ROWS; n++) {
            check_train(svg, &left, t, n);
            check_valid(svg, &right, t, n);
        }
        for (int i = 0; i < 3; i++)
            free(title[i]);
        free(svg);
    }
}

/* Bars are drawn from the low end to the high one, then the points. */
static void check_point(const char *svg, const struct axes *a, int n,
                        const char *figure, const char *task)
{
    const char *end_of, *at;
    double x, y, low, high, px, py, lx, ly;
    char name[32];
    int r, other;

    at = group(svg, DISTINCT_ROWS + n, "", &end_of, &r);
    struct point want = point_of(figure, task, r);
    assert_int_equal(r, n - 1);
    px = pixel(&a->x, want.cost);
    py = pixel(&a->y, want.value);
    assert_int_equal(sscanf(find(at, " d='M"), " d='M%lf,%lf L%*f,%lf", &x,
                            &low, &high), 3);
    near("x of a bar", x, px, 0.02);
    near("its low end", low, pixel(&a->y, want.low), 0.02);
    near("its high end", high, pixel(&a->y, want.high), 0.02);
    assert_int_equal(sscanf(find(at, "transform='translate("),
                            "transform='translate(%lf,%lf)", &x, &y), 2);
    near("x of a point", x, px, 0.02);
    near("y of a point", y, py, 0.02);
    snprintf(name, sizeof name, ">%s</text>", distinct_rows[r]);
    place_of(svg, name, &lx, &ly);
    at = group(svg, 2 * DISTINCT_ROWS + n, "", &end_of, &other);
    assert_true(find(at, r ? "fill=\"rgb(168,74,0)\"" : "fill=\"rgb(0,0,0)\"") <
                find(at, name));
    assert_true(find(at, name) < end_of);
    assert_true(hypot(lx - px, ly - py) < 75);
}

static void check_scatter(const char *figure, const char *title,
                          const char *axis)
{
    for (const char *const *task = tasks; *task; task++) {
        int synthetic = !strcmp(*task, "cnndm");
        char *svg, *words =
            str_format(">%s: %s%s, scale reduced, 6 seeds<", title, *task,
                       synthetic ? " (SYNTHETIC DATA)" : "");

        contents(&svg, figure, *task, "svg");
        struct axes a = axes_between(svg, svg + strlen(svg));
        find(svg, words);
        find(svg, axis);
        find(svg, synthetic
                      ? ">test cross-entropy, nats/token (lower is better)<"
                      : ">test accuracy, % (higher is better)<");
        find(svg, ">bars: 95 % intervals over the seeds<");
        for (int n = 1; n <= DISTINCT_ROWS; n++)
            check_point(svg, &a, n, figure, *task);
        free(words);
        free(svg);
    }
}

static void picture_of_scatter(void **state)
{
    (void)state;
    check_scatter("size", "Quality against size",
                  ">learned parameters, millions<");
    check_scatter("speed", "Quality against speed",
                  ">training steps per second (higher is better)<");
}

/* ---- scaling ---- */

static const struct scaling scaling = {
    .axis = "length N", .points = 3, .n = 3, .x = {32, 64, 128},
    .series = {{"vanilla", {8, 21, 90}, {0, 1.75, 0, {1.5, 2}}, 0, NAN},
               {"random", {11, 13, 55}, {0, 1.25, 0, {1.1, 1.4}}, 0, 100},
               {"dense", {9, 30, 240}, {0, 3, 0, {2, 4}}, 1, NAN}}};

static void scaling_data(void **state)
{
    char *tsv;

    (void)state;
    if (scaling_plot(&scaling, folder, "length") < 0)
        fail_msg("%s", err_last());
    contents(&tsv, "scaling", "length", "tsv");
    assert_string_equal(tsv, "length N\tvanilla ms\trandom ms\tdense ms\n"
                             "32\t8\t11\t9\n64\t21\t13\t30\n"
                             "128\t90\t55\t240\n");
    free(tsv);
}

static struct axis of_logarithms(struct axis a)
{
    a.value[0] = log(a.value[0]);
    a.value[1] = log(a.value[1]);
    return a;
}

/* The first in the legend moves farthest, and each by the most of its seeds. */
static void picture_of_moves(void **state)
{
    static const char title[] = ">How far a step moves the logits: imdb, "
                                "scale reduced, 6 seeds<";
    int t = distinct_task_of("imdb"), last = DISTINCT_MOVES - 1;
    double x, y, above = 0;
    char *svg;

    (void)state;
    contents(&svg, "moves", "imdb", "svg");
    find(svg, title);
    find(svg, ">left out, as they were made before it was measured: 2 cells<");
    struct axes a = axes_between(svg, svg + strlen(svg));
    a = (struct axes){of_logarithms(a.x), of_logarithms(a.y)};
    for (int n = 1; n <= DISTINCT_ROWS; n++) {
        const char *end_of, *at;
        int r;

        at = group(svg, n, "", &end_of, &r);
        assert_int_equal(r, n - 1);
        for (int k = 1; k < DISTINCT_SEEDS; k++)
            for (int i = 0; i < DISTINCT_MOVES; i++) {
                at = find(at, "transform='translate(") + 21;
                assert_int_equal(sscanf(at, "%lf,%lf", &x, &y), 2);
                near("x of a move", x, pixel(&a.x, log(1 << i)), 0.02);
                near("y of a move", y, pixel(&a.y, log(move(t, r, k, i))),
                     0.02);
            }
        assert_true(at < end_of);
        char *entry = str_format(">%s  %.2g</text>", distinct_rows[r],
                                 move(t, r, DISTINCT_SEEDS - 1, last));
        place_of(svg, entry, &x, &y);
        assert_true(y > above);
        above = y;
        free(entry);
    }
    free(svg);
}

static void scaling_picture(void **state)
{
    static const char *const entry[] = {
        ">vanilla: exponent 1.75 [1.50, 2.00]<",
        ">random: exponent 1.25 [1.10, 1.40]<", ">dense: exponent too noisy<"};
    const char *legend;
    double x, y;
    char *svg;
    int last;

    (void)state;
    contents(&svg, "scaling", "length", "svg");
    struct axes a = axes_between(svg, svg + strlen(svg));
    a = (struct axes){of_logarithms(a.x), of_logarithms(a.y)};
    find(svg, ">Cost of a training step, by length N<");
    find(svg, ">length N<");
    find(svg, ">milliseconds a training step<");
    group(svg, scaling.n, "", &legend, &last);
    assert_int_equal(last, scaling.n - 1);
    for (int i = 0; i < scaling.n; i++) {
        const struct scaling_series *s = &scaling.series[i];
        const char *end_of, *at;
        int r;

        at = group(legend, i + 1, "", &end_of, &r);
        assert_int_equal(r, i);
        assert_true(find(at, entry[i]) < end_of);
        at = group(svg, i + 1, "", &end_of, &r);
        assert_int_equal(r, i);
        for (int p = 0; p < scaling.points; p++) {
            at = find(at, "transform='translate(") + 21;
            assert_int_equal(sscanf(at, "%lf,%lf", &x, &y), 2);
            near("x of a step", x, pixel(&a.x, log(scaling.x[p])), 0.02);
            near("y of a step", y, pixel(&a.y, log(s->y[p])), 0.02);
        }
    }
    place_of(svg, ">as many parameters at 100<", &x, &y);
    near("the break-even", x, pixel(&a.x, log(100)), 10);
    assert_true(x < pixel(&a.x, log(100))); /* to the left, where room is */
    assert_null(strstr(strstr(svg, "as many parameters at") + 1,
                       "as many parameters at"));
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the data of learning curves are the store's, and their moving mean",
         data_of_curves, NULL, NULL, NULL},
        {"the data of scatter plots are the store's", data_of_scatter, NULL,
         NULL, NULL},
        {"the data of phases are the store's, training's by its kernels",
         data_of_phases, NULL, NULL, NULL},
        {"phases are drawn on each other, as high as they are long",
         picture_of_phases, NULL, NULL, NULL},
        {"the data of moves are the store's, of all self-attentions together",
         data_of_moves, NULL, NULL, NULL},
        {"moves are drawn where their numbers are, the farthest first",
         picture_of_moves, NULL, NULL, NULL},
        {"learning curves are drawn in their panel, colour and place",
         picture_of_curves, NULL, NULL, NULL},
        {"points and bars are drawn where their numbers are, and named",
         picture_of_scatter, NULL, NULL, NULL},
        {"the data of scaling are those measured", scaling_data, NULL, NULL,
         NULL},
        {"scaling is drawn where its numbers are, with its exponents",
         scaling_picture, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("drawn", tests, begin, end);
}
