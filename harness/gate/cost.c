#include "harness/gate/cost.h"

#include "harness/base/array.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/gate/pair_cells.h"
#include "harness/gate/pacer.h"
#include "harness/stats/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 3, KINDS = 2 }; /* sides A, B, A' (cost.h); time, memory */
enum { ORDERS = 6, TURNS = 60 }; /* orders of the sides; turns per round */

/* The kinds of cost. */
static const struct { const char *name, *units; } kind[KINDS] = {
    {"cost/step_seconds", "s"}, {"cost/peak_bytes", "byte"}};

/* Pairs of an old and a new cell; the pairs differ from each other only in the
 * seed. */
struct shape {
    const char *name; /* "random/lm1b/smoke/1"; several seeds: with a star in
                         place of the seed */
    int         n;    /* number of pairs */
    const char *config[2]; /* old, new; without the seed */
};

struct work {
    const struct cost_of *of;
    struct judgement     *out;
    struct shape         *shape;
    int                   n;
    size_t                room;
};

static void close_work(struct work *w) { free(w->shape); }
OWNER_OF_VALUE(close_work, struct work)

/* ---- the configurations to compare ---- */

static int without_seed(char **out, const struct baseline_cell *c)
{
    *out = baseline_seedless(c);
    return *out ? OK : err_set(ERR_STORE, "%s: the baseline does not contain "
                               "its settings", c->name);
}

static int add_pair(struct work *w, struct map *numbers,
                    const struct cell_pair *m)
{
    OWNED(free) char *old = NULL, *new = NULL, *both = NULL;

    PASS(without_seed(&old, m->a));
    PASS(without_seed(&new, m->b));
    both = str_format("%s%s", old, new);
    int at = map_number(numbers, both, strlen(both));
    if (at == w->n) {
        ARRAY_ROOM(w->shape, w->n, w->room);
        w->shape[w->n++] = (struct shape){
            .name = m->b->name, .config = {arena_text(w->out->memory, old),
                                           arena_text(w->out->memory, new)}};
    }
    w->shape[at].n++;
    return OK;
}

static int find_shapes(struct work *w)
{
    OWNED(map_free) struct map *numbers = map_of_copies();
    struct cell_pair *all;
    int n = pair_baselines(&all, w->of->old, w->of->new, w->out->memory);

    for (int i = 0; i < n; i++)
        if (all[i].a && all[i].b)
            PASS(add_pair(w, numbers, &all[i]));
    for (struct shape *s = w->shape; s < w->shape + w->n; s++)
        if (s->n > 1) /* several seeds */
            s->name = pair_all_seeds(s->name, w->out->memory);
    return OK;
}

/* ---- rows ---- */

static double ratio(double logarithm) { return 100 * expm1(logarithm); }

/* Returns the mean of n independent values, and sets *error to the standard
 * error of the mean. */
static double mean_of(double *error, const double *x, int n)
{
    *error = stats_sd(x, (size_t)n) / sqrt((double)n);
    return stats_mean(x, (size_t)n);
}

/* ---- two programs in turns ---- */

/* Indices of the values of a round or a turn: the log-ratios d and z of cost.h,
 * and the time or memory of the old and the new program. */
enum { D, Z, OLD, NEW, SERIES };

struct rounds { double *of[KINDS][SERIES]; }; /* [rounds] each */

/* Sets *n to the number of steps that take about 4 ms, which is the length of a
 * turn, and warms up all sides.  Because noise from other processes changes
 * within tens of milliseconds, turns must be short: then the noise is
 * distributed evenly over the sides. */
static int steps_of_turn(int *n, struct pacer *const side[SIDES])
{
    struct paced first;

    PASS(pacer_steps(&first, side[0], 3));
    double wanted = 0.004 / first.seconds;
    *n = wanted < 1 ? 1 : wanted > 1e5 ? 100000 : (int)wanted;
    for (int i = 0; i < SIDES; i++) /* warm-up */
        PASS(pacer_steps(&first, side[i], *n));
    return OK;
}

static double median(double *x, int n)
{
    return stats_quantile(x, (size_t)n, 0.5);
}

/* Times the turns of a round, with n steps for each side.  Each turn times each
 * side once; the turns go through all six orders of the sides. */
static int time_turns(struct rounds *to, int round,
                      struct pacer *const side[SIDES], int n)
{
    static const int order[ORDERS][SIDES] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2},
                                            {2, 0, 1}, {0, 2, 1}, {1, 2, 0}};
    double x[SERIES][TURNS];
    struct paced p[SIDES];

    for (int t = 0; t < TURNS; t++) {
        for (int i = 0; i < SIDES; i++) {
            int who = order[t % ORDERS][i];

            PASS(pacer_steps(&p[who], side[who], n));
        }
        double a = log(p[0].seconds), b = log(p[1].seconds);
        double again = log(p[2].seconds);
        x[D][t] = b - (a + again) / 2;
        x[Z][t] = again - a;
        x[OLD][t] = p[0].seconds;
        x[NEW][t] = p[1].seconds;
    }
    for (int i = 0; i < SERIES; i++)
        to->of[0][i][round] = median(x[i], TURNS);
    to->of[1][OLD][round] = p[0].bytes;
    to->of[1][NEW][round] = p[1].bytes;
    to->of[1][D][round] = log(p[1].bytes) - log(p[0].bytes * p[2].bytes) / 2;
    to->of[1][Z][round] = log(p[2].bytes / p[0].bytes);
    return OK;
}

static int time_round(struct rounds *to, int round, const struct work *w,
                      const struct shape *s)
{
    OWNED(pacer_close) struct pacer *a = NULL, *b = NULL, *again = NULL;
    int n, threads = w->of->threads;

    PASS(pacer_open(&a, w->of->against, s->config[0], threads));
    PASS(pacer_open(&b, w->of->program, s->config[1], threads));
    PASS(pacer_open(&again, w->of->against, s->config[0], threads));
    struct pacer *const side[SIDES] = {a, b, again};
    PASS(steps_of_turn(&n, side));
    return time_turns(to, round, side, n);
}

/* Adds the row of the cost k of a configuration, without its verdict. */
static void add_row(struct work *w, const struct shape *s, int k,
                    double *const of[SERIES])
{
    struct judged *r = judge_add(w->out, s->name, kind[k].name,
                                 JUDGE_UNDECIDED, "cost", "");
    int n = w->of->rounds;

    r->units = kind[k].units;
    r->old = median(of[OLD], n);
    r->new = median(of[NEW], n);
    r->difference = ratio(mean_of(&r->error, of[D], n));
    r->degrees = n - 1;
    r->noise = mean_of(&r->noise_error, of[Z], n);
    r->margin = 100 * w->of->margin;
    r->relative = 1;
    r->better = -1;
}

static int time_shape(struct work *w, const struct shape *s)
{
    int n = w->of->rounds;
    struct rounds x;

    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < SERIES; i++)
            x.of[k][i] = arena_take(w->out->memory, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        PASS(time_round(&x, i, w, s));
    for (int k = 0; k < KINDS; k++)
        add_row(w, s, k, x.of[k]);
    return OK;
}

/* ---- verdicts ---- */

/* Decides a row of a family of m tests.  r->noise is the mean of z (cost.h),
 * and r->noise_error its standard error; like r->error, they are of
 * logarithms. */
static void conclude(struct work *w, struct judged *r, int m)
{
    double t = stats_t_at(1 - STATS_LEVEL / (2.0 * m), r->degrees);
    double d = log1p(r->difference / 100);
    double noise = fabs(r->noise) + t * r->noise_error;
    struct verdict v = verdict_t(d, r->error, r->degrees, (size_t)m);

    r->p = v.p;
    r->between = (struct interval){ratio(v.between.low),
                                   ratio(v.between.high)};
    r->why = arena_format(w->out->memory, "%.0f rounds; two runs of the "
                          "baseline differ by up to %.2g %%", r->degrees + 1,
                          ratio(noise));
    if (r->difference * v.sign > r->margin && fabs(d) > noise)
        r->verdict = v.sign > 0 ? JUDGE_WORSE : JUDGE_BETTER;
    else if (r->between.low >= -r->margin && r->between.high <= r->margin &&
             ratio(noise) <= r->margin)
        r->verdict = JUDGE_EQUAL;
}

/* Decides the rows from number `first` on, which are a family of tests. */
static void decide(struct work *w, int first)
{
    for (int i = first; i < w->out->n; i++)
        conclude(w, &w->out->row[i], w->out->n - first);
}

/* ---- second measurement of alarms: costs that are worse or better ---- */

static int is_alarm(const struct judged *r)
{
    return r->verdict == JUDGE_WORSE || r->verdict == JUDGE_BETTER;
}

/* Keeps the verdict if the second measurement `again` agrees; otherwise sets it
 * to undecided. */
static void confirm(struct judged *r, const struct judged *again,
                    struct arena *a)
{
    int same = r->verdict == again->verdict;

    r->why = arena_format(a, "%s; measured again: %+.2g %%%s", r->why,
                          again->difference,
                          same ? "" : ", which does not confirm it");
    if (!same)
        r->verdict = JUDGE_UNDECIDED;
}

/* Returns the number of alarms of a shape.  The rows of the shapes begin at row
 * `first`, in the order of the shapes, with KINDS rows for each shape. */
static int alarms_of(const struct work *w, int first, int shape)
{
    int n = 0;

    for (int k = 0; k < KINDS; k++)
        n += is_alarm(&w->out->row[first + shape * KINDS + k]);
    return n;
}

/* Measures the shapes that have alarms a second time.  Judges the second
 * measurement by itself, then confirms each alarm or sets it to undecided. */
static int measure_again(struct work *w, int first)
{
    struct judgement rows = {.memory = w->out->memory};
    OWNED(close_work) struct work again = {.of = w->of, .out = &rows};
    int rc = OK, at = 0;

    for (int i = 0; i < w->n && rc == OK; i++)
        if (alarms_of(w, first, i))
            rc = time_shape(&again, &w->shape[i]);
    decide(&again, 0);
    for (int i = 0; i < w->n && rc == OK; i++) {
        if (!alarms_of(w, first, i))
            continue;
        for (int k = 0; k < KINDS; k++, at++) {
            struct judged *r = &w->out->row[first + i * KINDS + k];

            if (is_alarm(r))
                confirm(r, &rows.row[at], w->out->memory);
        }
    }
    free(rows.row);
    return rc;
}

int cost_probe(const struct cost_of *of)
{
    OWNED(pacer_close) struct pacer *p = NULL;
    OWNED(free) char *config = NULL;
    struct paced one;

    PASS(without_seed(&config, &of->old->cell[0]));
    PASS(pacer_open(&p, of->against, config, of->threads));
    return pacer_steps(&one, p, 1);
}

int cost_judge(struct judgement *j, const struct cost_of *of)
{
    OWNED(close_work) struct work w = {.of = of, .out = j};
    int first = j->n;

    PASS(find_shapes(&w));
    double began = clock_seconds();
    for (int i = 0; i < w.n; i++) {
        PASS(time_shape(&w, &w.shape[i]));
        if (of->progress)
            of->progress(w.shape[i].name, i + 1, w.n,
                     (clock_seconds() - began) / (i + 1) * (w.n - i - 1));
    }
    decide(&w, first);
    return measure_again(&w, first);
}
