/*
 * formula: computes a self-attention layer from its definition (formula.h).
 * Its output is (concat_h Y_h) W_o, where Y_h = P V_h and V = X W_v.  The
 * weights P of head h depend on the rule that combines the parts of a mixture.
 * With the scores B_1 ... B_m of the parts, T5's position bias T and the
 * learned values a of the rule, they are
 *
 *     logits    P = softmax(sum_i alpha_i B_i + T + mask), alpha = softmax(a)
 *     plus      P = softmax(B_1 + ... + B_m + T + mask)
 *     sigmoid   P = softmax((1 - s) B_1 + s B_2 + T + mask), s = sigmoid(a)
 *     weights   P = sum_i alpha_i softmax(B_i + T + mask)
 *     heads     P = softmax(B_i + T + mask), where i is the part of this head:
 *               each of m parts has h/m consecutive heads
 */
#include "harness/verify/attention/formula.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- weights ---- */

void formula_open(struct formula *f, const struct params *ps,
                  const struct model_config *c, const char *variant)
{
    *f = (struct formula){.c = c, .variant = variant, .params = ps,
                          .kept = arena_new(), .scratch = arena_new()};
    f->weight = arena_take(f->kept, ((size_t)ps->n + 1) * sizeof *f->weight);
    for (int i = 0; i < ps->n; i++) {
        const tensor *w = ps->list[i].value;
        size_t n = tensor_len(w);

        f->weight[i] = arena_take(f->kept, n * sizeof **f->weight);
        for (size_t j = 0; j < n; j++)
            f->weight[i][j] = (double)w->x[j];
    }
}

void formula_close(struct formula *f)
{
    arena_free(f->kept);
    arena_free(f->scratch);
}

void formula_forget(struct formula *f) { arena_reset(f->scratch); }

const double *formula_weight(const struct formula *f, const char *at,
                             const char *name)
{
    char full[2 * PARAM_NAME];

    snprintf(full, sizeof full, "%s.%s", at, name);
    const struct param *p = params_find(f->params, full);
    return p ? f->weight[p - f->params->list] : NULL;
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

double *formula_linear(const struct formula_layer *l, const double *x, int d,
                       int e, const char *at, const char *w, const char *b)
{
    const double *bias = b ? formula_weight(l->f, at, b) : NULL;
    double *y = formula_take(l->f, l->n, e);

    formula_product(l->n, d, e, x, formula_weight(l->f, at, w), y);
    for (int i = 0; i < l->n * e && bias; i++)
        y[i] += bias[i % e];
    return y;
}

double *formula_project(const struct formula_layer *l, const char *at,
                        const char *name)
{
    char bias[16];

    snprintf(bias, sizeof bias, "%s.bias", name);
    return formula_linear(l, l->x, l->f->c->d, config_inner(l->f->c), at, name,
                          bias);
}

/* ---- the parts of a mixture ---- */

enum { PARTS = 8 };

struct parts { int n; const struct formula_rule *rule[PARTS]; };

/* Splits a variant into its parts.  The rule of a part without a formula is
 * NULL. */
static void split(struct parts *p, const char *variant)
{
    p->n = 0;
    for (const char *s = variant; s; s = strchr(s, '+')) {
        s += *s == '+';
        REQUIRE(p->n < PARTS, "%s: too many parts", variant);
        p->rule[p->n++] = formula_part(s);
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

/* Returns the number of keys that row i sees; they are the first ones. */
static int seen(const struct formula_layer *l, int i)
{
    return l->causal && i + 1 < l->length ? i + 1 : l->length;
}

void formula_softmax(double *x, int n)
{
    double mass = 0, most = -INFINITY;

    for (int i = 0; i < n; i++)
        most = fmax(most, x[i]);
    for (int i = 0; i < n; i++)
        mass += x[i] = exp(x[i] - most);
    for (int i = 0; i < n; i++)
        x[i] /= mass;
}

/* Sets p to 0 where a row does not see the key. */
static void hide(const struct formula_layer *l, double *p)
{
    for (int i = 0; i < l->n; i++)
        for (int j = seen(l, i); j < l->n; j++)
            p[i * l->n + j] = 0;
}

/* Replaces the scores b (n,n) by the attention weights. */
static void softmax(const struct formula_layer *l, double *b)
{
    for (int i = 0; i < l->n; i++)
        formula_softmax(b + i * l->n, seen(l, i));
    hide(l, b);
}

/* Returns the bucket of T5's position bias for `far`, the position of the key
 * minus that of the query.  The term 1e-9 keeps exact powers from being rounded
 * down. */
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

/* Sets alpha[i] to the weight of part i of the mixture. */
static void shares(const struct formula_layer *l, int n, double alpha[PARTS])
{
    const double *a = formula_weight(l->f, l->at, "mix.a");

    for (int i = 0; i < n; i++)
        alpha[i] = 1;
    if (n == 1 || l->f->c->mix == MIX_PLUS || l->f->c->mix == MIX_HEADS)
        return;
    REQUIRE(a, "%s.mix.a is missing", l->at);
    if (l->f->c->mix == MIX_SIGMOID) {
        alpha[1] = 1 / (1 + exp(-a[0]));
        alpha[0] = 1 - alpha[1];
        return;
    }
    memcpy(alpha, a, (size_t)n * sizeof *alpha);
    formula_softmax(alpha, n);
}

/* Returns the number of heads of each part. */
static int part_heads(const struct model_config *c, int parts)
{
    return parts > 1 && c->mix == MIX_HEADS ? c->heads / parts : c->heads;
}

static struct model_config part_config(const struct model_config *c, int parts)
{
    struct model_config own = *c;

    own.head_width = config_head(c);
    own.heads = part_heads(c, parts);
    return own;
}

/* Computes the scores b (n,n) of head h of the part with this rule; `parts` is
 * the number of parts of the mixture. */
static void part_scores(const struct formula_layer *l,
                        const struct formula_rule *rule, int parts, int h,
                        double *b)
{
    const struct model_config c = part_config(l->f->c, parts);
    struct formula f = *l->f;
    struct formula_layer own = *l;
    char at[PARAM_NAME];

    f.c = &c;
    own.f = &f;
    snprintf(at, sizeof at, "%s.%s", l->at, rule->name);
    rule->scores(&own, at, h, b);
}

static void weights(const struct formula_layer *l, const struct parts *parts,
                    int h, double *p)
{
    int n = l->n, each = parts->n > 1 && l->f->c->mix == MIX_WEIGHTS;
    double *b = formula_take(l->f, n, n), alpha[PARTS];

    int own = part_heads(l->f->c, parts->n);

    memset(p, 0, (size_t)(n * n) * sizeof *p);
    shares(l, parts->n, alpha);
    for (int i = 0; i < parts->n; i++) {
        if (own < l->f->c->heads && h / own != i)
            continue;
        part_scores(l, parts->rule[i], parts->n, h % own, b);
        if (each) {
            add_relative(l, h, b);
            softmax(l, b);
        }
        for (int e = 0; e < n * n; e++)
            p[e] += alpha[i] * b[e];
    }
    if (each)
        return;
    add_relative(l, h, p);
    softmax(l, p);
}

/* ---- the layer ---- */

/* Returns the outputs (n,I) of all heads.  If the rule is `linear`, the scores
 * are the weights, without a softmax. */
static double *heads(const struct formula_layer *l, const struct parts *parts)
{
    const struct formula *f = l->f;
    int n = l->n, k = config_head(f->c), I = config_inner(f->c);
    double *v = formula_project(l, l->at, "v"), *y = formula_take(f, n, I);
    double *p = formula_take(f, n, n);

    for (int h = 0; h < f->c->heads; h++) {
        if (parts->rule[0]->linear) {
            part_scores(l, parts->rule[0], 1, h, p);
            hide(l, p);
        } else {
            weights(l, parts, h, p);
        }
        for (int i = 0; i < n; i++)
            for (int e = h * k; e < (h + 1) * k; e++) {
                y[i * I + e] = 0;
                for (int j = 0; j < n; j++)
                    y[i * I + e] += p[i * n + j] * v[j * I + e];
            }
    }
    return y;
}

double *formula_attention(const struct formula_layer *l)
{
    const struct model_config *c = l->f->c;
    char at[PARAM_NAME];
    struct parts parts;

    split(&parts, l->f->variant);
    for (int i = 0; i < parts.n; i++)
        REQUIRE(parts.rule[i], "there is no formula for %s", l->f->variant);
    const struct formula_rule *rule = parts.rule[0];
    snprintf(at, sizeof at, "%s.%s", l->at, rule->name);
    double *inner = rule->output ? rule->output(l, at) : heads(l, &parts);
    return formula_linear(l, inner, rule->bare ? c->d : config_inner(c), c->d,
                          l->at, "o", "o.bias");
}

/* ---- counts ---- */

static long count(formula_count *of, const struct model_config *c)
{
    return of ? of(c) : 0;
}

static long shared(const struct model_config *c, const struct parts *p)
{
    int has = 0, takes = 0;

    for (int i = 0; i < p->n; i++) {
        has |= p->rule[i]->has_q;
        takes |= p->rule[i]->takes_q;
    }
    const struct model_config own = part_config(c, p->n);

    return c->share_q && has && takes ? (long)c->d * config_inner(&own) : 0;
}

long formula_learned(const struct model_config *c, const char *variant)
{
    struct parts p;

    split(&p, variant);
    const struct model_config own = part_config(c, p.n);
    int mixes = p.n > 1 && c->mix != MIX_PLUS && c->mix != MIX_HEADS;
    long sum = mixes ? c->mix == MIX_SIGMOID ? 1 : p.n : 0;
    sum += p.rule[0]->bare ? (long)c->d * c->d
                           : 2 * (long)c->d * config_inner(c);
    if (c->attention_bias)
        sum += (p.rule[0]->bare ? 0 : config_inner(c)) +
               (p.rule[0]->biased ? 0 : c->d);
    for (int i = 0; i < p.n; i++)
        sum += count(p.rule[i]->learned, &own);
    return sum - shared(c, &p);
}

long formula_frozen(const struct model_config *c, const char *variant)
{
    struct parts p;
    long sum = 0;

    split(&p, variant);
    const struct model_config own = part_config(c, p.n);
    for (int i = 0; i < p.n; i++)
        sum += count(p.rule[i]->frozen, &own);
    return sum;
}
