/* Recomputes every step of the optimisers from the papers' formulas in plain
 * loops over all axes, and likewise the learning-rate schedules. */
#include "harness/nn/optim.h"
#include "tests/support/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000, STEPS = 5 };

/* ---- parameters of every shape ---- */

static const struct shape { const char *name; int nd, dim[3]; } shapes[] = {
    {"rows", 2, {4, 9}},       {"columns", 2, {9, 4}},
    {"square", 2, {5, 5}},     {"long", 1, {40}},
    {"outer first", 3, {2, 5, 7}}, {"outer between", 3, {8, 2, 6}},
    {"outer last", 3, {7, 5, 2}},  {"turned", 3, {5, 7, 3}},
    {"cube", 3, {4, 4, 4}},    {"three", 2, {3, 50}},
    {"four", 2, {4, 50}},      {"single", 2, {1, 6}}};
enum { SHAPES = sizeof shapes / sizeof *shapes, FACTOR_MIN = 4 };

static void declare(struct params *ps, const struct shape *list, int n)
{
    for (int i = 0; i < n; i++) {
        int still[] = {3, 3};

        params_add(ps, list[i].name, PARAM_LEARNED, init_normal(1),
                   list[i].nd, list[i].dim);
        params_add(ps, "between", PARAM_FROZEN, init_normal(1), 2, still);
    }
}

struct opened { struct params plan, params; struct optim optim; real *g; };

static void open_optim(struct opened *o, const struct optim_rule *rule,
                       const struct shape *list, int n)
{
    params_count(&o->plan);
    declare(&o->plan, list, n);
    params_open(&o->params, &o->plan, &backend_cpu, 1);
    declare(&o->params, list, n);
    optim_open(&o->optim, &o->params, rule);
    o->g = calloc(o->params.learned, sizeof *o->g);
}

static void close_optim(struct opened *o)
{
    params_close(&o->params);
    params_close(&o->plan);
    free(o->g);
}

/* Draws gradients of step t with a wide range of sizes and both signs. */
static void draw_gradients(struct opened *o, int t)
{
    struct rng_key key = {.seed = 4, .stream = RNG_TEST, .step = (uint32_t)t};

    for (size_t i = 0; i < o->params.learned; i++)
        o->g[i] = (real)(rng_normal(key, i) * pow(10, (int)(i % 5) - 3));
}

static void step(struct opened *o, int t, double rate)
{
    draw_gradients(o, t);
    /* backwards, because the order does not matter */
    for (int i = o->optim.units - 1; i >= 0; i--)
        optim_step(&o->optim, i, o->g, (uint64_t)t, rate);
}

static size_t copy(double *to, const real *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (double)from[i];
    return n;
}

/* ---- Adam (Kingma and Ba 2015, algorithm 1) ---- */

static void adam(void **state)
{
    static const struct shape two[] = {{"large", 2, {200, 190}},
                                       {"small", 1, {7}}};
    static const struct optim_rule rule = {OPTIM_ADAM, .b1 = 0.8, .b2 = 0.9,
                                           .eps = 0.05};
    static double p[MOST], m[MOST], v[MOST];
    struct opened o;

    (void)state;
    open_optim(&o, &rule, two, 2);
    for (int k = 0; k < 2; k++) {
        const struct param *of = params_find(&o.params, two[k].name);
        size_t n = copy(p + of->at, of->value->x, tensor_len(of->value));

        assert_true(of->at + n <= MOST);
    }
    for (int t = 1; t <= STEPS; t++) {
        step(&o, t, 0.3 / t);
        for (size_t i = 0; i < o.params.learned; i++) {
            double g = (double)o.g[i];

            m[i] = 0.8 * m[i] + 0.2 * g;
            v[i] = 0.9 * v[i] + 0.1 * g * g;
            p[i] -= 0.3 / t * (m[i] / (1 - pow(0.8, t))) /
                    (sqrt(v[i] / (1 - pow(0.9, t))) + 0.05);
        }
        for (int k = 0; k < 2; k++) {
            const struct param *of = params_find(&o.params, two[k].name);

            assert_near(of->name, of->value->x, p + of->at,
                        tensor_len(of->value), CLOSE);
        }
    }
    close_optim(&o);
}

/* ---- Adafactor (Shazeer and Stern 2018, algorithms 4 and 5) ---- */

static const struct optim_rule factors = {
    OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-6, .eps2 = 1e-3, .clip = 0.7,
    .factor_min = FACTOR_MIN};

/* Adafactor's state of a tensor with three axes, of which the first ones may
 * have length 1. `first` and `second` are the factored axes, or -1. */
struct moments { int dim[3], first, second; double p[MOST], v[MOST]; };

/* Chooses the two longest axes as the factored ones, if both have at least
 * FACTOR_MIN elements. */
static void choose(struct moments *m)
{
    int big = -1;

    m->first = m->second = -1;
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++) {
            int least = m->dim[a] < m->dim[b] ? m->dim[a] : m->dim[b];
            int sum = m->dim[a] + m->dim[b];

            if (least >= FACTOR_MIN && sum > big) {
                big = sum;
                m->first = a;
                m->second = b;
            }
        }
}

static size_t index_of(const struct moments *m, const int at[3])
{
    return ((size_t)at[0] * (size_t)m->dim[1] + (size_t)at[1]) *
               (size_t)m->dim[2] + (size_t)at[2];
}

/* Returns the mean of x over the axes in the bit set `over`, at position `at`
 * of the other axes. */
static double mean_over(const struct moments *m, const double *x, int over,
                        const int at[3])
{
    double sum = 0, n = 0;
    int i[3];

    for (i[0] = 0; i[0] < m->dim[0]; i[0]++)
        for (i[1] = 0; i[1] < m->dim[1]; i[1]++)
            for (i[2] = 0; i[2] < m->dim[2]; i[2]++) {
                int here = 1;

                for (int a = 0; a < 3; a++)
                    here &= over >> a & 1 || i[a] == at[a];
                if (here) {
                    sum += x[index_of(m, i)];
                    n++;
                }
            }
    return sum / n;
}

/* Returns the second moment at `at`. Row and column means of the running mean
 * of g^2 + eps1 equal running means of its row and column means, so the product
 * R C / mean(R) can be computed from the full tensor. */
static double second_moment(const struct moments *m, const int at[3])
{
    if (m->first < 0)
        return m->v[index_of(m, at)];
    int a = 1 << m->first, b = 1 << m->second;
    return mean_over(m, m->v, a, at) * mean_over(m, m->v, b, at) /
           mean_over(m, m->v, a | b, at);
}

static double rms(const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum / (double)n);
}

static void adafactor_step(struct moments *m, const real *g, int t,
                           double rate)
{
    static double u[MOST];
    size_t n = (size_t)(m->dim[0] * m->dim[1] * m->dim[2]);
    double b = 1 - pow(t, -0.8);
    int i[3];

    for (size_t k = 0; k < n; k++)
        m->v[k] = b * m->v[k] +
                  (1 - b) * ((double)g[k] * (double)g[k] + factors.eps1);
    for (i[0] = 0; i[0] < m->dim[0]; i[0]++)
        for (i[1] = 0; i[1] < m->dim[1]; i[1]++)
            for (i[2] = 0; i[2] < m->dim[2]; i[2]++) {
                size_t k = index_of(m, i);

                u[k] = (double)g[k] / sqrt(second_moment(m, i));
            }
    double clip = fmax(1, rms(u, n) / factors.clip);
    double size = fmax(factors.eps2, rms(m->p, n));
    for (size_t k = 0; k < n; k++)
        m->p[k] -= rate * size * u[k] / clip;
}

static void one_tensor(struct opened *o, int k)
{
    static struct moments m;
    const struct param *of = params_find(&o->params, shapes[k].name);
    int gap = 3 - shapes[k].nd;

    memset(&m, 0, sizeof m);
    for (int i = 0; i < 3; i++)
        m.dim[i] = i < gap ? 1 : shapes[k].dim[i - gap];
    choose(&m);
    copy(m.p, of->value->x, tensor_len(of->value));
    for (int t = 1; t <= STEPS; t++) {
        step(o, t, 0.2 / t);
        adafactor_step(&m, o->g + of->at, t, 0.2 / t);
        assert_near(of->name, of->value->x, m.p, tensor_len(of->value),
                    10 * CLOSE);
    }
}

static void adafactor(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        struct opened o;

        open_optim(&o, &factors, shapes, SHAPES);
        one_tensor(&o, k);
        close_optim(&o);
    }
}

/* A weight of 0 changes by -lr eps2 clip = -0.2 1e-3 0.7 in the first step, for
 * any large gradient. */
static void near_zero(void **state)
{
    static const struct shape one[] = {{"w", 1, {8}}};
    struct opened o;
    double want[8];

    (void)state;
    open_optim(&o, &factors, one, 1);
    real *w = params_find(&o.params, "w")->value->x;
    for (int i = 0; i < 8; i++) {
        w[i] = 0;
        o.g[i] = 1000;
        want[i] = -0.2 * 1e-3 * 0.7;
    }
    optim_step(&o.optim, 0, o.g, 1, 0.2);
    assert_near("w", w, want, 8, 1e-3 * CLOSE);
    close_optim(&o);
}

/* The state of a factored tensor has one value per row and one per column; the
 * state of another tensor has one value per weight. */
static void sizes(void **state)
{
    static const size_t want[SHAPES] = {
        4 + 9, 9 + 4, 5 + 5, 40, 2 * (5 + 7), 2 * (8 + 6), 2 * (7 + 5),
        3 * (5 + 7), 4 * (4 + 4), 3 * 50, 4 + 50, 6};

    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        struct opened o;

        open_optim(&o, &factors, &shapes[k], 1);
        assert_int_equal(o.optim.values, want[k]);
        assert_int_equal(optim_values(&o.plan, &factors), want[k]);
        close_optim(&o);
    }
}

/* ---- schedules ---- */

static double rate_at(const char *name, double t, const struct course *c)
{
    return schedule_find(name)->rate(t, c);
}

/* Expected rates at step t, with warmup w. noam: c d^-1/2 min(t^-1/2, t w^-3/2)
 * (Vaswani et al. 2017, eq. 3). rsqrt: c / sqrt(max(t, w)) (Raffel et al. 2020,
 * 3.1.2). rsqrt-decay: the last ten of a hundred steps have 1, 0.9, ... 0.1 of
 * rsqrt. */
static void schedules_by_step(void **state)
{
    const double w = 20, c = 3;
    const int d = 48;
    const struct course course = {.d = d, .steps = 100, .scale = c,
                                  .warmup = w};

    (void)state;
    for (int t = 1; t <= 100; t++) {
        double rise = t / (w * sqrt(w)), fall = 1 / sqrt(t);
        double noam = c / sqrt(d) * (rise < fall ? rise : fall);
        double flat = c / sqrt(t < w ? w : t);

        assert_true(fabs(rate_at("noam", t, &course) / noam - 1) < 1e-14);
        assert_true(fabs(rate_at("rsqrt", t, &course) / flat - 1) < 1e-14);
        assert_true(rate_at("constant", t, &course) == c);
        double rest = t <= 91 ? 1 : (101 - t) / 10.0;
        assert_true(fabs(rate_at("rsqrt-decay", t, &course) / flat / rest - 1)
                    < 1e-14);
    }
}

/* Rates of 10 steps, 3 of them warmup, in 1000ths of the scale; step 11 would
 * have rate 0. linear falls by eighths from step 3 on. cosine is (1 + cos(pi k
 * / 8)) / 2 at step 3 + k. trapezoid: the last fifth is two steps, with 1 and
 * 1/2 of the scale. */
static void decays_by_step(void **state)
{
    static const struct { const char *name; double want[11]; } run[] = {
        {"linear", {333.333333, 666.666667, 1000, 875, 750, 625, 500, 375, 250,
                    125, 0}},
        {"cosine", {333.333333, 666.666667, 1000, 961.939766, 853.553391,
                    691.341716, 500, 308.658284, 146.446609, 38.060234, 0}},
        {"trapezoid", {333.333333, 666.666667, 1000, 1000, 1000, 1000, 1000,
                       1000, 1000, 500, 0}}};
    const struct course course = {.d = 7, .steps = 10, .scale = 1000,
                                  .warmup = 3};

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int t = 1; t <= 11; t++) {
            double is = rate_at(run[i].name, t, &course);

            if (fabs(is - run[i].want[t - 1]) > 1e-6)
                fail_msg("%s, step %d: %.9g", run[i].name, t, is);
        }
}

/* A run that consists of warmup ends at the scale; a single step has the scale
 * as its rate. A trapezoid may start to fall before it reaches its top. */
static void shortest_decays(void **state)
{
    const struct course one = {.steps = 1, .scale = 0.5, .warmup = 1};
    const struct course rise = {.steps = 4, .scale = 2, .warmup = 4};

    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *name = NAMES("linear", "cosine", "trapezoid")[i];

        assert_true(rate_at(name, 1, &one) == 0.5);
        assert_true(rate_at(name, 2, &one) == 0);
        assert_true(rate_at(name, 3, &rise) == 1.5);
        assert_true(rate_at(name, 4, &rise) == 2);
    }
    const struct course late = {.steps = 10, .scale = 1, .warmup = 9.5};
    assert_true(fabs(rate_at("trapezoid", 9, &late) - 9 / 9.5) < 1e-15);
    assert_true(rate_at("trapezoid", 10, &late) == 0.5);
}

/* ---- gradients that count as 0 ---- */

/* Settles the gradients from the middle of the flat array on, then all of them.
 * A blank gradient becomes zeros when it is settled; before that it does not
 * change. The last gradient is not blank, so it keeps its value. */
static void settled(void **state)
{
    struct opened o;
    struct params view;
    static const struct optim_rule rule = {.kind = OPTIM_ADAM};
    int last = 2 * (SHAPES - 1), middle = SHAPES;

    (void)state;
    open_optim(&o, &rule, shapes, SHAPES);
    params_view(&view, &o.params);
    declare(&view, shapes, SHAPES);
    for (size_t i = 0; i < o.params.learned; i++)
        view.grad[i] = 7;
    params_blank(&view);
    view.list[last].value->blank = 0;
    for (int all = 0; all < 2; all++) {
        params_settle(&view, all ? NULL : view.list[middle].value->g);
        for (int i = 0; i <= last; i += 2) {
            const tensor *x = view.list[i].value;
            int done = i < last && (all || i >= middle);

            assert_int_equal(x->blank, !done && i < last);
            for (size_t j = 0; j < tensor_len(x); j++)
                assert_true(x->g[j] == (done ? 0 : 7));
        }
    }
    params_close(&view);
    close_optim(&o);
}

int main(void)
{
    const struct CMUnitTest optim[] = {
        {"blank gradients become zeros, from the given address on", settled,
         NULL, NULL, NULL},
        {"steps of Adam equal the paper's, for any division of the weights",
         adam, NULL, NULL, NULL},
        {"steps of Adafactor equal the paper's, whichever axes are longest",
         adafactor, NULL, NULL, NULL},
        {"Adafactor's step of weights near 0 is relative to eps2", near_zero,
         NULL, NULL, NULL},
        {"the state of factored weights has a value per row and per column",
         sizes, NULL, NULL, NULL},
        {"each schedule follows its formula at each step", schedules_by_step,
         NULL, NULL, NULL},
        {"a decaying rate peaks after the warmup and is 0 after the last step",
         decays_by_step, NULL, NULL, NULL},
        {"the shortest runs and warmups have a learning rate", shortest_decays,
         NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("optim", optim, NULL, NULL);
}
