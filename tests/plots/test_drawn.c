/* What figures draw, read back from the data beside them and from the SVG: of a
 * store in which no two numbers are the same (distinct.h), and of a scaling
 * curve.  Pixels turn into numbers by the tics of the axes. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "plots/figure.h"
#include "plots/look.h"
#include "plots/scaling.h"
#include "tests/support/columns.h"
#include "tests/support/distinct.h"
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

extern const struct figure figure_curves, figure_speed, figure_flops,
    figure_size, figure_phases, figure_moves;

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
        figure_flops.render(r, folder) < 0 ||
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

/* ---- the data ---- */

/* y[i] = y[0] - c i^2 is drawn as the mean over the points within 2 of it, a
 * 20th of 80: of five squares that is i^2 + 2, at the ends of four and three
 * squares what stands here. */
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

/* seed "-": the mean over them, and the band. */
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

enum { LAST = DISTINCT_SEEDS };
static const double MEAN = (1 + LAST) / 2.0;

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

static const char *check_bands(const char *line, int t, int r)
{
    for (int i = 0; i < DISTINCT_STEPS; i++)
        line = check_line(line, "train", r, "-", distinct_train_step(i),
                          distinct_train(t, r, MEAN, i), smooth(t, r, MEAN, i),
                          smooth(t, r, 1, i), smooth(t, r, LAST, i));
    assert_true(*line == '\n');
    line = svg_next(line);
    for (int i = 0; i < DISTINCT_EVALS; i++)
        line = check_line(line, "valid", r, "-", distinct_valid_step(i),
                          distinct_valid(t, r, MEAN, i),
                          distinct_valid(t, r, MEAN, i),
                          distinct_valid(t, r, 1, i),
                          distinct_valid(t, r, LAST, i));
    assert_true(*line == '\n');
    return svg_next(line);
}

static void data_of_curves(void **state)
{
    (void)state;
    for (const char *const *task = tasks; *task; task++) {
        int t = distinct_task_of(*task);
        const char *line;
        char *tsv;

        contents(&tsv, "curves", *task, "tsv");
        line = svg_next(tsv);
        assert_memory_equal(tsv, "curve\tvariant\tseed\tstep\tvalue\tsmooth\t"
                            "low\thigh\n", (size_t)(line - tsv));
        for (int r = 0; r < DISTINCT_ROWS; r++) {
            for (int k = 1; k <= LAST; k++)
                line = check_seed(line, t, r, k);
            line = check_bands(line, t, r);
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

    double cost = !strcmp(figure, "size")    ? distinct_params(t, r)
                  : !strcmp(figure, "flops") ? distinct_flops(t, r)
                                             : distinct_speed(t, r, LAST - 1);

    return (struct point){cost, e.value, e.low, e.high};
}

/* Of two variants, one that the other does not beat in both. */
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
    for (const char *const *task = tasks; *task; task++) {
        char *tsv, head[64], name[32];
        const char *line;

        contents(&tsv, figure, *task, "tsv");
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
        assert_string_equal(line, "");
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
        svg_near(part_name[i], x, want[i], 1e-6);
    }
    return svg_next(line);
}

static void data_of_phases(void **state)
{
    double all[2][PARTS] = {{0}}; /* of each task */
    char *tsv;

    (void)state;
    for (int k = 0; tasks[k]; k++) {
        int t = distinct_task_of(tasks[k]);

        contents(&tsv, "phases", tasks[k], "tsv");
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
    contents(&tsv, "phases", "matrix", "tsv");
    const char *line = svg_next(tsv);
    for (int k = 0; tasks[k]; k++)
        line = check_bar(line, tasks[k], CELLS * DISTINCT_ROWS, all[k]);
    assert_string_equal(line, "");
    free(tsv);
    contents(&tsv, "phases", "matrix", "txt");
    svg_find(tsv, "before it was measured: 4 cells");
    free(tsv);
}

/* ---- how far logits move ---- */

/* Of both self-attentions; cross-attention does not count. */
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

static void data_of_moves(void **state)
{
    (void)state;
    for (int k = 0; tasks[k]; k++) {
        int t = distinct_task_of(tasks[k]);
        char *tsv;

        contents(&tsv, "moves", tasks[k], "tsv");
        const char *line = svg_next(tsv);
        assert_memory_equal(tsv, "variant\tseed\tstep\trms\tlow\thigh\n",
                            (size_t)(line - tsv));
        for (int r = 0; r < DISTINCT_ROWS; r++) {
            for (int seed = 1; seed < LAST; seed++)
                for (int i = 0; i < DISTINCT_MOVES; i++)
                    line = check_move(line, r, (char[]){(char)('0' + seed), 0},
                                      i, move(t, r, seed, i), NAN, NAN);
            for (int i = 0; i < DISTINCT_MOVES; i++)
                line = check_move(line, r, "-", i, move(t, r, LAST / 2.0, i),
                                  move(t, r, 1, i), move(t, r, LAST - 1, i));
            assert_true(*line == '\n');
            line = svg_next(line);
        }
        assert_string_equal(line, "");
        free(tsv);
    }
}

/* ---- the picture ---- */

/* Bars stand on each other, each a part of the variant's time. */
static void picture_of_phases(void **state)
{
    char *svg;
    int t = distinct_task_of(tasks[0]);
    double below[DISTINCT_ROWS] = {0};

    (void)state;
    contents(&svg, "phases", tasks[0], "svg");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    for (int i = 0; i < PARTS; i++) {
        const char *end_of, *at;

        at = svg_group(svg, i + 1, "", &end_of, NULL);
        at = svg_find(at, "<polygon") + 1; /* the legend's */
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
    svg_find(svg, ">Where the time goes: CNN/DailyMail (SYNTHETIC DATA), scale "
              "reduced");
    free(svg);
}

/* A curve and its band; value(t, r, k, i) at step(i). */
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

/* There along the least of the seeds, back along the greatest; what is above
 * the panel ends at its top. */
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

/* The panel's bands, then its lines, the best, uniform, last: on top. */
static void check_panel(const char *svg, const char *panel,
                        const struct axes *a, int t, const struct drawn *d)
{
    for (int r = 0; r < DISTINCT_ROWS; r++) {
        const char *end_of;

        check_band(svg_group(svg, 1 + r, panel, &end_of, distinct_rows[r]), a,
                   t, r, d, 112.5);
        check_path(svg_group(svg, 1 + r + DISTINCT_ROWS, panel, &end_of,
                         distinct_rows[r]), a, t, r, d);
    }
}

/* Beside the panel, at the height of the line's end. */
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

/* The unigram model of the first cell: a line across, and its words on it. */
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

/* Both panels end a 20th above and below what they show: of each curve all but
 * its first fifth, step 48 of 240, must fit. */
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
    svg_near("the middle of the right title", x, 681, 2);
    svg_place(svg, title[1], &x, &y);
    svg_near("the middle of the left title", x, 249, 2);
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
    for (const char *const *task = tasks; *task; task++) {
        int synthetic = !strcmp(*task, "cnndm");
        const char *unit = synthetic ? "token" : "example";
        char *svg, *title[] = {
            str_format(">validation cross-entropy, nats/%s<", unit),
            str_format(">training loss, nats/%s<", unit),
            str_format(">Learning curves: %s, scale reduced, 6 seeds<",
                       synthetic ? "CNN/DailyMail (SYNTHETIC DATA)"
                                 : "Movie reviews")};

        contents(&svg, "curves", *task, "svg");
        check_curves(svg, (const char *const *)title, distinct_task_of(*task));
        svg_find(svg, ">training: the moving mean over 5 % of the steps; "
                      "lines: the mean over the seeds; bands: from the least "
                      "of them to the greatest<");
        for (int i = 0; i < 3; i++)
            free(title[i]);
        free(svg);
    }
}

/* Of each point: the line to its name, bar, what hides the bar, mark, name. */
enum { JOIN, BAR, WHITE, MARK, NAME };

static const char *part(const char *svg, int what, int r, const char **end_of)
{
    return svg_group(svg, what * DISTINCT_ROWS + r + 1, "", end_of,
                 what == BAR || what == MARK ? distinct_rows[r] : NULL);
}

/* Bars are drawn from the low end to the high one, then the points. */
static void check_point(const char *svg, const struct axes *a, int r,
                        const char *figure, const char *task, double unit)
{
    const char *end_of, *at;
    double x, y, low, high, px, py, lx, ly;
    unsigned ink = look_of(distinct_rows[r], 0).ink;
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
    for (const char *const *task = tasks; *task; task++) {
        int synthetic = !strcmp(*task, "cnndm");
        char *svg, *words = str_format(
            ">%s: %s, scale reduced, 6 seeds<", title,
            synthetic ? "CNN/DailyMail (SYNTHETIC DATA)" : "Movie reviews");

        contents(&svg, figure, *task, "svg");
        struct axes a = svg_axes(svg, svg + strlen(svg));
        svg_find(svg, words);
        svg_find(svg, axis);
        svg_find(svg, synthetic
                      ? ">test cross-entropy, nats/token (lower is better)<"
                      : ">test accuracy, % (higher is better)<");
        svg_find(svg, ">bars: 95 % intervals over the seeds; stairs: Pareto's "
                  "front, what no other beats in both<");
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
    check_scatter("flops", "Quality against work", ">floating-point operations "
                  "a training step, millions (lower is better)<", 1e6);
    check_scatter("speed", "Quality against speed",
                  ">training steps per second (higher is better)<", 1);
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

/* Bands, then lines; beside each the most of its mean.  uniform ends lower, and
 * is drawn last. */
static void picture_of_moves(void **state)
{
    static const char title[] = ">How far a step moves the logits: Movie "
                                "reviews, scale reduced, 6 seeds<";
    int t = distinct_task_of("imdb"), last = DISTINCT_MOVES - 1;
    double x, y, above = 0;
    char *svg;

    (void)state;
    contents(&svg, "moves", "imdb", "svg");
    svg_find(svg, title);
    svg_find(svg, ">left out, as they were made before it was measured: 2 "
                  "cells<");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    a = (struct axes){svg_logarithms(a.x), svg_logarithms(a.y)};
    for (int r = 0; r < DISTINCT_ROWS; r++) {
        const char *end_of, *at;

        at = svg_group(svg, DISTINCT_ROWS + r + 1, "", &end_of,
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

static void scaling_picture(void **state)
{
    static const char *const entry[] = {
        ">vanilla: exponent 1.75 [1.50, 2.00]<",
        ">random: exponent 1.25 [1.10, 1.40]<", ">dense: exponent too noisy<"};
    const char *legend;
    double x, y;
    char *svg;

    (void)state;
    contents(&svg, "scaling", "length", "svg");
    struct axes a = svg_axes(svg, svg + strlen(svg));
    a = (struct axes){svg_logarithms(a.x), svg_logarithms(a.y)};
    svg_find(svg, ">Cost of a training step, by length N<");
    svg_find(svg, ">length N<");
    svg_find(svg, ">milliseconds a training step<");
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
    svg_place(svg, ">as many parameters at 100<", &x, &y);
    svg_near("the break-even", x, svg_pixel(&a.x, log(100)), 10);
    assert_true(x < svg_pixel(&a.x, log(100))); /* to the left, where room is */
    /* random less vanilla is 3 at 32, -8 at 64 */
    const double cross = 32 + 32 * 3 / 11.0;
    svg_place(svg, ">as fast as vanilla at 41<", &x, &y);
    svg_near("a ring's words", x, svg_pixel(&a.x, log(cross)), 25);
    svg_near("their height", y,
             svg_pixel(&a.y, log(8 + 13 * (cross - 32) / 32)), 25);
    assert_null(strstr(strstr(svg, "as fast as") + 1, "as fast as"));
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
