#include "harness/nn/optim.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double noam(double t, const struct course *c)
{
    return c->scale / sqrt(c->d) *
           fmin(1 / sqrt(t), t * pow(c->warmup, -1.5));
}

static double rsqrt(double t, const struct course *c)
{
    return c->scale / sqrt(fmax(t, c->warmup));
}

static double rsqrt_decay(double t, const struct course *c)
{
    return rsqrt(t, c) * fmin(1, 10 * (c->steps + 1 - t) / c->steps);
}

static double constant(double t, const struct course *c)
{
    (void)t;
    return c->scale;
}

/* Returns the fraction of the decay phase that remains at step t: 1 up to the
 * end of the warmup, falling to 0 at step T + 1 (T: c->steps). */
static double left(double t, const struct course *c)
{
    return fmin(1, (c->steps + 1 - t) / (c->steps + 1 - c->warmup));
}

static double linear(double t, const struct course *c)
{
    return c->scale * fmin(t / c->warmup, left(t, c));
}

static double cosine(double t, const struct course *c)
{
    return c->scale * fmin(t / c->warmup, (1 - cos(M_PI * left(t, c))) / 2);
}

static double trapezoid(double t, const struct course *c)
{
    double fall = 5 * (c->steps + 1 - t) / c->steps;

    return c->scale * fmin(fmin(t / c->warmup, 1), fall);
}

const struct schedule *schedule_find(const char *name)
{
#define SCHEDULE(rate, word) {word, rate},
    static const struct schedule all[] = {SCHEDULES(SCHEDULE)};
#undef SCHEDULE

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name))
            return &all[i];
    return NULL;
}

/* ---- units ---- */

static size_t adam_values(const struct params *ps)
{
    return 2 * ps->learned; /* m, then v */
}

/* Returns the shape of w for Adafactor.  If each of the two largest axes has at
 * least factor_min entries, w is factored: the largest axis becomes the
 * columns, the second largest the rows, and the third, if any, `outer`.  If two
 * axes are equal, the earlier counts as the larger. */
static struct adafactor shape_of(const tensor *w, int factor_min)
{
    struct adafactor s = {.outer = 1, .rows = 1, .cols = tensor_len(w),
                          .step_col = 1};
    size_t step[TENSOR_DIMS];
    int big[2] = {-1, -1};

    for (int i = 0; i < w->nd; i++) {
        int first = big[0] < 0 || w->dim[i] > w->dim[big[0]];

        if (first || big[1] < 0 || w->dim[i] > w->dim[big[1]]) {
            big[1] = first ? big[0] : i;
            big[0] = first ? i : big[0];
        }
    }
    if (big[1] < 0 || w->dim[big[1]] < factor_min)
        return s;
    REQUIRE(w->nd <= 3, "%d dimensions", w->nd);
    step[w->nd - 1] = 1;
    for (int i = w->nd - 1; i > 0; i--)
        step[i - 1] = step[i] * (size_t)w->dim[i];
    s.factored = 1;
    s.cols = (size_t)w->dim[big[0]];
    s.rows = (size_t)w->dim[big[1]];
    s.outer = tensor_len(w) / (s.rows * s.cols);
    s.step_col = step[big[0]];
    s.step_row = step[big[1]];
    s.step_outer = w->nd == 3 ? step[3 - big[0] - big[1]] : 0;
    return s;
}

static size_t moments(const struct adafactor *s)
{
    return s->outer * (s->factored ? s->rows + s->cols : s->rows * s->cols);
}

size_t optim_values(const struct params *ps, const struct optim_rule *rule)
{
    size_t n = 0;

    if (rule->kind == OPTIM_ADAM)
        return adam_values(ps);
    for (int i = 0; i < ps->n; i++) {
        struct adafactor s = shape_of(ps->list[i].value, rule->factor_min);

        if (ps->list[i].kind == PARAM_LEARNED)
            n += moments(&s);
    }
    return n;
}

double optim_rate(const struct optim_rule *r, const struct param *p)
{
    char within[PARAM_NAME];

    if (!p->score)
        return 1;
    for (int i = 0; i < PART_RATES && r->part_rate[i].part; i++) {
        snprintf(within, sizeof within, ".%s.", r->part_rate[i].part);
        if (strstr(p->name, within))
            return r->part_rate[i].rate;
    }
    return r->score_rate;
}

static void add_pieces(struct optim *o, size_t at, size_t end, double rate)
{
    size_t most = o->ps->be->adam_values;

    for (; at < end; at += most)
        o->unit[o->units++] = (struct optim_unit){
            .at = at, .n = end - at < most ? end - at : most, .state = at,
            .rate = rate};
}

/* Makes units of consecutive tensors with the same rate; none has more than
 * adam_values values (engine/backend.h). */
static void adam_units(struct optim *o)
{
    const struct params *ps = o->ps;
    size_t most = ps->learned / ps->be->adam_values + (size_t)ps->n + 1;
    size_t from = 0;
    double rate = 1;

    o->unit = arena_zero(ps->memory, most * sizeof *o->unit);
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];

        if (p->kind == PARAM_FROZEN || optim_rate(&o->rule, p) == rate)
            continue;
        add_pieces(o, from, p->at, rate);
        from = p->at;
        rate = optim_rate(&o->rule, p);
    }
    add_pieces(o, from, ps->learned, rate);
}

/* Makes one unit per tensor, because a step of Adafactor needs sums over the
 * whole tensor. */
static void adafactor_units(struct optim *o)
{
    size_t state = 0;

    o->unit = arena_zero(o->ps->memory, (size_t)o->ps->n * sizeof *o->unit);
    for (int i = 0; i < o->ps->n; i++) {
        const struct param *p = &o->ps->list[i];
        struct optim_unit *u = &o->unit[o->units];

        if (p->kind == PARAM_FROZEN)
            continue;
        *u = (struct optim_unit){
            .at = p->at, .n = tensor_len(p->value), .state = state,
            .rate = optim_rate(&o->rule, p),
            .shape = shape_of(p->value, o->rule.factor_min)};
        state += moments(&u->shape);
        o->units++;
    }
}

void optim_open(struct optim *o, struct params *ps,
                const struct optim_rule *rule)
{
    *o = (struct optim){.ps = ps, .rule = *rule,
                        .values = optim_values(ps, rule)};
    o->state = arena_take(ps->data, o->values * sizeof *o->state);
    backend_clear(ps->be, o->state, o->values * sizeof *o->state);
    (rule->kind == OPTIM_ADAM ? adam_units : adafactor_units)(o);
}

static void adam(struct optim *o, const struct optim_unit *u, const real *g,
                 double t, double rate)
{
    const struct optim_rule *r = &o->rule;
    struct adam s = {r->b1, r->b2, r->eps, rate, 1 - pow(r->b1, t),
                     1 - pow(r->b2, t)};

    o->ps->be->adam(u->n, &s, g, o->ps->flat + u->at, o->state + u->state,
                    o->state + o->ps->learned + u->state);
}

static void adafactor(struct optim *o, const struct optim_unit *u,
                      const real *g, double t, double rate)
{
    const struct optim_rule *r = &o->rule;
    struct adafactor s = u->shape;

    s.decay = 1 - pow(t, -r->decay);
    s.eps1 = r->eps1;
    s.eps2 = r->eps2;
    s.clip = r->clip;
    s.lr = rate;
    o->ps->be->adafactor(&s, g, o->ps->flat + u->at, o->state + u->state);
}

void optim_step(struct optim *o, int unit, const real *g, uint64_t t,
                double rate)
{
    const struct optim_unit *u = &o->unit[unit];

    REQUIRE(unit < o->units && t > 0, "unit %d of %d", unit, o->units);
    (o->rule.kind == OPTIM_ADAM ? adam : adafactor)(o, u, g + u->at, (double)t,
                                                    rate * u->rate);
}

/* Returns the offset of the state of unit u; for u == o->units, the end of the
 * state.  Under Adam, this is the state m; v has the same offsets plus
 * ps->learned. */
static size_t state_at(const struct optim *o, int u)
{
    size_t end = o->rule.kind == OPTIM_ADAM ? o->ps->learned : o->values;

    return u < o->units ? o->unit[u].state : end;
}

int optim_pieces(const struct optim *o, int first, int last,
                 struct optim_piece out[OPTIM_PIECES])
{
    size_t at = state_at(o, first), n = state_at(o, last) - at;

    if (first == last)
        return 0;
    out[0] = (struct optim_piece){at, n};
    out[1] = (struct optim_piece){o->ps->learned + at, n}; /* Adam's v */
    return o->rule.kind == OPTIM_ADAM ? 2 : 1;
}
