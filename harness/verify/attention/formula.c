/*
 * Self-attention: out = (concat_h Y_h) W_o, Y_h = P V_h, V = X W_v, and with
 * scores B_1 ... B_m of the parts and T5's position bias T
 *
 *     logits    P = softmax(sum_i alpha_i B_i + T + mask), alpha = softmax(a)
 *     plus      P = softmax(B_1 + ... + B_m + T + mask)
 *     sigmoid   P = softmax((1 - s) B_1 + s B_2 + T + mask), s = sigmoid(a)
 *     weights   P = sum_i alpha_i softmax(B_i + T + mask)
 */
#include "harness/verify/attention/formula.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- weights ---- */

void formula_open(struct formula *f, const struct params *ps,
                  const struct model_config *c, const char *variant)
{
    *f = (struct formula){.c = c, .variant = variant, .n = ps->n,
                          .kept = arena_new(), .scratch = arena_new()};
    f->weight = arena_zero(f->kept, (size_t)f->n * sizeof *f->weight);
    for (int i = 0; i < f->n; i++) {
        struct formula_weight *w = &f->weight[i];

        w->name = ps->list[i].name;
        w->n = tensor_len(ps->list[i].value);
        w->x = arena_take(f->kept, w->n * sizeof *w->x);
        for (size_t j = 0; j < w->n; j++)
            w->x[j] = (double)ps->list[i].value->x[j];
    }
}

void formula_close(struct formula *f)
{
    arena_free(f->kept);
    arena_free(f->scratch);
}

void formula_forget(struct formula *f) { arena_reset(f->scratch); }

static const struct formula_weight *find(const struct formula *f,
                                         const char *fmt, va_list ap)
{
    char name[PARAM_NAME];

    vsnprintf(name, sizeof name, fmt, ap);
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->weight[i].name, name))
            return &f->weight[i];
    return NULL;
}

const struct formula_weight *formula_find(const struct formula *f,
                                          const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    const struct formula_weight *w = find(f, fmt, ap);
    va_end(ap);
    return w;
}

const double *formula_weight(const struct formula *f, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    const struct formula_weight *w = find(f, fmt, ap);
    va_end(ap);
    return w ? w->x : NULL;
}

double *formula_take(const struct formula *f, int n, int d)
{
    return arena_take(f->scratch, (size_t)n * (size_t)d * sizeof(double));
}

void formula_product(int n, int d, int e, const double *x, const double *w,
                     double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < e; j++) {
            double sum = 0;

            for (int k = 0; k < d; k++)
                sum += x[i * d + k] * w[k * e + j];
            y[i * e + j] = sum;
        }
}

double *formula_project(const struct formula_layer *l, const char *fmt, ...)
{
    int I = config_inner(l->f->c);
    double *y = formula_take(l->f, l->n, I);
    char name[PARAM_NAME];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(name, sizeof name, fmt, ap);
    va_end(ap);
    const double *bias = formula_weight(l->f, "%s.bias", name);
    formula_product(l->n, l->f->c->d, I, l->x, formula_weight(l->f, "%s", name),
                    y);
    for (int i = 0; i < l->n * I && bias; i++)
        y[i] += bias[i % I];
    return y;
}

/* ---- the parts of a mixture ---- */

enum { PARTS = 8 };

struct parts {
    int n;
    char text[96];
    const struct formula_rule *rule[PARTS];
};

/* The rule of a part that has no formula is NULL. */
static void split(struct parts *p, const char *variant)
{
    p->n = 0;
    snprintf(p->text, sizeof p->text, "%s", variant);
    for (char *part = p->text, *plus; part; part = plus) {
        plus = strchr(part, '+');
        if (plus)
            *plus++ = 0;
        REQUIRE(p->n < PARTS, "%s: too many parts", variant);
        p->rule[p->n++] = formula_rule(part);
    }
}

int formula_knows(const char *variant)
{
    struct parts p;

    split(&p, variant);
    for (int i = 0; i < p.n; i++)
        if (!p.rule[i])
            return 0;
    return 1;
}

/* ---- weights P of a head ---- */

/* Row i sees key j. */
static int sees(const struct formula_layer *l, int i, int j)
{
    return j < l->length && (!l->causal || j <= i);
}

static void softmax(const struct formula_layer *l, const double *b, double *p)
{
    for (int i = 0; i < l->n; i++) {
        double mass = 0;

        for (int j = 0; j < l->n; j++) {
            int at = i * l->n + j;

            p[at] = sees(l, i, j) ? exp(b[at]) : 0;
            mass += p[at];
        }
        for (int j = 0; j < l->n && mass > 0; j++)
            p[i * l->n + j] /= mass;
    }
}

/* T5's bucket of key - query.  Exact powers round up: 1e-9 before the floor. */
static int bucket_of(const struct model_config *c, int far, int causal)
{
    int buckets = c->relative_buckets, first = 0, distance = -far;

    if (!causal) {
        buckets /= 2;
        first = far > 0 ? buckets : 0;
        distance = far < 0 ? -far : far;
    }
    distance = distance < 0 ? 0 : distance;
    int exact = buckets / 2;
    if (distance < exact)
        return first + distance;
    int step = exact + (int)floor(log((double)distance / exact) /
                                  log((double)c->relative_distance / exact) *
                                  (buckets - exact) + 1e-9);
    return first + (step < buckets ? step : buckets - 1);
}

static void add_relative(const struct formula_layer *l, int h, double *b)
{
    const struct model_config *c = l->f->c;

    for (int i = 0; i < l->n && l->relative; i++)
        for (int j = 0; j < l->n; j++)
            b[i * l->n + j] +=
                l->relative[bucket_of(c, j - i, l->causal) * c->heads + h];
}

/* How much of each part. */
static void shares(const struct formula_layer *l, int n, double alpha[PARTS])
{
    const double *a = formula_weight(l->f, "%s.mix.a", l->at);
    double sum = 0;

    for (int i = 0; i < n; i++)
        alpha[i] = 1;
    if (n == 1 || l->f->c->mix == MIX_PLUS)
        return;
    REQUIRE(a, "%s.mix.a is missing", l->at);
    if (l->f->c->mix == MIX_SIGMOID) {
        alpha[1] = 1 / (1 + exp(-a[0]));
        alpha[0] = 1 - alpha[1];
        return;
    }
    for (int i = 0; i < n; i++)
        sum += exp(a[i]);
    for (int i = 0; i < n; i++)
        alpha[i] = exp(a[i]) / sum;
}

/* sum += alpha z, (n,n) */
static void blend(int n, double alpha, const double *z, double *sum)
{
    for (int i = 0; i < n * n; i++)
        sum[i] += alpha * z[i];
}

static void part_scores(const struct formula_layer *l,
                        const struct formula_rule *rule, int h, double *b)
{
    char at[PARAM_NAME];

    snprintf(at, sizeof at, "%s.%s", l->at, rule->name);
    rule->scores(l, at, h, b);
}

static void weights(const struct formula_layer *l, const struct parts *parts,
                    int h, double *p)
{
    int n = l->n, each = parts->n > 1 && l->f->c->mix == MIX_WEIGHTS;
    double *b = formula_take(l->f, n, n), *soft = formula_take(l->f, n, n);
    double *sum = formula_take(l->f, n, n), alpha[PARTS];

    memset(sum, 0, (size_t)(n * n) * sizeof *sum);
    shares(l, parts->n, alpha);
    for (int i = 0; i < parts->n; i++) {
        part_scores(l, parts->rule[i], h, b);
        if (each) {
            add_relative(l, h, b);
            softmax(l, b, soft);
        }
        blend(n, alpha[i], each ? soft : b, sum);
    }
    if (each) {
        memcpy(p, sum, (size_t)(n * n) * sizeof *p);
        return;
    }
    add_relative(l, h, sum);
    softmax(l, sum, p);
}

/* A linear mixer's scores are its weights. */
static void linear(const struct formula_layer *l,
                   const struct formula_rule *rule, int h, double *p)
{
    part_scores(l, rule, h, p);
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->n; j++)
            if (!sees(l, i, j))
                p[i * l->n + j] = 0;
}

/* ---- the layer ---- */

static void heads(const struct formula_layer *l, const struct parts *parts,
                  double *y)
{
    const struct formula *f = l->f;
    int n = l->n, k = config_head(f->c), I = config_inner(f->c);
    double *v = formula_project(l, "%s.v", l->at), *p = formula_take(f, n, n);

    for (int h = 0; h < f->c->heads; h++) {
        if (parts->rule[0]->linear)
            linear(l, parts->rule[0], h, p);
        else
            weights(l, parts, h, p);
        for (int i = 0; i < n; i++)
            for (int e = h * k; e < (h + 1) * k; e++) {
                y[i * I + e] = 0;
                for (int j = 0; j < n; j++)
                    y[i * I + e] += p[i * n + j] * v[j * I + e];
            }
    }
}

void formula_attention(const struct formula_layer *l, double *y)
{
    const struct formula *f = l->f;
    const double *bias = formula_weight(f, "%s.o.bias", l->at);
    struct parts parts;

    split(&parts, f->variant);
    for (int i = 0; i < parts.n; i++)
        REQUIRE(parts.rule[i], "there is no formula for %s", f->variant);
    const struct formula_rule *rule = parts.rule[0];
    int d = f->c->d, I = rule->bare ? d : config_inner(f->c);
    double *inner = formula_take(f, l->n, I);
    if (rule->output) {
        char at[PARAM_NAME];

        snprintf(at, sizeof at, "%s.%s", l->at, rule->name);
        rule->output(l, at, inner);
    } else {
        heads(l, &parts, inner);
    }
    formula_product(l->n, I, d, inner, formula_weight(f, "%s.o", l->at), y);
    for (int i = 0; i < l->n * d && bias; i++)
        y[i] += bias[i % d];
}

/* ---- counts ---- */

static long shared(const struct model_config *c, const struct parts *p)
{
    int has = 0, takes = 0;

    for (int i = 0; i < p->n; i++) {
        has |= p->rule[i]->has_q;
        takes |= p->rule[i]->takes_q;
    }
    return c->share_q && has && takes ? (long)c->d * config_inner(c) : 0;
}

long formula_learned(const struct model_config *c, const char *variant)
{
    struct parts p;

    split(&p, variant);
    int mixes = p.n > 1 && c->mix != MIX_PLUS;
    long sum = mixes ? c->mix == MIX_SIGMOID ? 1 : p.n : 0;
    sum += p.rule[0]->bare ? (long)c->d * c->d
                           : 2 * (long)c->d * config_inner(c);
    if (c->attention_bias)
        sum += (p.rule[0]->bare ? 0 : config_inner(c)) +
               (p.rule[0]->biased ? 0 : c->d);
    for (int i = 0; i < p.n; i++)
        sum += p.rule[i]->learned(c);
    return sum - shared(c, &p);
}

long formula_frozen(const struct model_config *c, const char *variant)
{
    struct parts p;
    long sum = 0;

    split(&p, variant);
    for (int i = 0; i < p.n; i++)
        sum += p.rule[i]->frozen ? p.rule[i]->frozen(c) : 0;
    return sum;
}
