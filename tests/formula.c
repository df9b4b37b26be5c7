#include "tests/formula.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const real *formula_weight(const struct formula *f, const char *fmt, ...)
{
    char name[PARAM_NAME];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(name, sizeof name, fmt, ap);
    va_end(ap);
    const struct param *p = params_find(f->ps, name);
    return p ? p->value->x : NULL;
}

void formula_product(int n, int d, int e, const double *x, const real *w,
                     double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < e; j++) {
            double sum = 0;

            for (int k = 0; k < d; k++)
                sum += x[i * d + k] * (double)w[k * e + j];
            y[i * e + j] = sum;
        }
}

static double *take(const struct formula *f, int n, int d)
{
    return arena_take(f->memory, (size_t)n * (size_t)d * sizeof(double));
}

/* ---- scores: one function a variant ---- */

struct head {
    const struct formula *f;
    char          at[PARAM_NAME]; /* "encoder.0.self.random" */
    int           h, n;
    const double *x;              /* (n,d) */
};

/* Element i of head h of the parameter `name`, `size` values a head. */
static double of_head(const struct head *s, const char *name, int size, int i)
{
    const real *w = formula_weight(s->f, "%s.%s", s->at, name);

    return w ? (double)w[s->h * size + i] : 0;
}

/* x_h W_h + b_h, W (h,k,e), b (h,e) or none */
static void affine(const struct head *s, const double *xh, int e,
                   const char *w, const char *b, double *y)
{
    int k = s->f->c->d / s->f->c->heads;

    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < e; j++) {
            y[i * e + j] = of_head(s, b, e, j);
            for (int l = 0; l < k; l++)
                y[i * e + j] += xh[i * k + l] * of_head(s, w, k * e, l * e + j);
        }
}

/* The head's slice of X: (n,k). */
static double *slice(const struct head *s)
{
    int d = s->f->c->d, k = d / s->f->c->heads;
    double *y = take(s->f, s->n, k);

    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < k; l++)
            y[i * k + l] = s->x[i * d + s->h * k + l];
    return y;
}

static void dot(const struct head *s, double scale, double *b)
{
    int d = s->f->c->d, k = d / s->f->c->heads;
    double *q = take(s->f, s->n, d), *key = take(s->f, s->n, d);

    formula_product(s->n, d, d, s->x, formula_weight(s->f, "%s.q", s->at), q);
    formula_product(s->n, d, d, s->x, formula_weight(s->f, "%s.k", s->at),
                    key);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            double sum = 0;

            for (int l = s->h * k; l < (s->h + 1) * k; l++)
                sum += q[i * d + l] * key[j * d + l];
            b[i * s->n + j] = sum * scale;
        }
}

static void vanilla(const struct head *s, double *b)
{
    const struct model_config *c = s->f->c;

    dot(s, c->dot_scale ? 1 / sqrt((double)c->d / c->heads) : 1, b);
}

static void orthogonal(const struct head *s, double *b)
{
    dot(s, 1 / sqrt((double)s->f->c->d / s->f->c->heads), b);
}

static void dense(const struct head *s, double *b)
{
    int k = s->f->c->d / s->f->c->heads, N = s->f->c->N;
    double *inner = take(s->f, s->n, k), *wide = take(s->f, s->n, N);

    affine(s, slice(s), k, "w1", "b1", inner);
    for (int i = 0; i < s->n * k; i++)
        inner[i] = fmax(inner[i], 0);
    affine(s, inner, N, "w2", "b2", wide);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            b[i * s->n + j] = wide[i * N + j];
}

static void table(const struct head *s, double *b)
{
    int N = s->f->c->N;

    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            b[i * s->n + j] = of_head(s, "R", N * N, i * N + j);
}

static void low_rank(const struct head *s, double *b)
{
    int N = s->f->c->N, r = s->f->c->rank;

    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            b[i * s->n + j] = 0;
            for (int l = 0; l < r; l++)
                b[i * s->n + j] += of_head(s, "R1", N * r, i * r + l) *
                                   of_head(s, "R2", N * r, j * r + l);
        }
}

/* The largest divisor of N that is at most its root, unless it is set. */
static int smaller_factor(const struct model_config *c)
{
    int a = c->a ? c->a : c->c ? c->N / c->c : (int)sqrt(c->N + 0.5);

    while (c->N % a)
        a--;
    return a;
}

static void factors(const struct head *s, double *b)
{
    int N = s->f->c->N, na = smaller_factor(s->f->c), nc = N / na;
    double *fa = take(s->f, s->n, na), *fc = take(s->f, s->n, nc);

    affine(s, slice(s), na, "wa", "ba", fa);
    affine(s, slice(s), nc, "wc", "bc", fc);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            b[i * s->n + j] = fa[i * na + j % na] * fc[i * nc + j / na];
}

static void uniform(const struct head *s, double *b)
{
    for (int i = 0; i < s->n * s->n; i++)
        b[i] = 0;
}

static const struct {
    const char *name;
    void (*scores)(const struct head *s, double *b);
} score[] = {
    {"vanilla", vanilla},           {"orthogonal", orthogonal},
    {"dense", dense},               {"random", table},
    {"fixed-random", table},        {"factorized-random", low_rank},
    {"factorized-dense", factors},  {"uniform", uniform},
};

void formula_scores(const struct formula *f, const char *at,
                    const char *variant, int h, const double *x, int n,
                    double *b)
{
    struct head s = {.f = f, .h = h, .n = n, .x = x};
    size_t i = 0;

    snprintf(s.at, sizeof s.at, "%s.%s", at, variant);
    while (i < sizeof score / sizeof *score && strcmp(score[i].name, variant))
        i++;
    REQUIRE(i < sizeof score / sizeof *score,
            "tests/formula.c has no formula for %s", variant);
    score[i].scores(&s, b);
}

/* ---- attention ---- */

/* alpha = softmax(a), or 1 where there is one part. */
static int shares(const struct formula *f, const char *at, double alpha[8])
{
    const real *a = formula_weight(f, "%s.mix.a", at);
    double sum = 0;
    int n = 1;

    for (const char *s = f->variant; *s; s++)
        n += *s == '+';
    for (int i = 0; i < n; i++)
        sum += alpha[i] = n > 1 ? exp((double)a[i]) : 1;
    for (int i = 0; i < n; i++)
        alpha[i] /= sum;
    return n;
}

static void softmax(const double *b, int n, int length, int causal, double *p)
{
    for (int i = 0; i < n; i++) {
        double mass = 0;

        for (int j = 0; j < n; j++) {
            int seen = j < length && (!causal || j <= i);

            p[i * n + j] = seen ? exp(b[i * n + j]) : 0;
            mass += p[i * n + j];
        }
        for (int j = 0; j < n && mass > 0; j++)
            p[i * n + j] /= mass;
    }
}

void formula_weights(const struct formula *f, const char *at, int h,
                     const double *x, int n, int length, int causal,
                     double *p)
{
    char name[64], *part;
    double alpha[8], *b = take(f, n, n), *sum = take(f, n, n);
    int parts = shares(f, at, alpha);

    memset(sum, 0, (size_t)(n * n) * sizeof *sum);
    snprintf(name, sizeof name, "%s", f->variant);
    part = name;
    for (int i = 0; i < parts; i++) {
        char *end = part + strcspn(part, "+");

        *end = 0;
        formula_scores(f, at, part, h, x, n, b);
        for (int j = 0; j < n * n; j++)
            sum[j] += alpha[i] * b[j];
        part = end + 1;
    }
    softmax(sum, n, length, causal, p);
}

void formula_attention(const struct formula *f, const char *at,
                       const double *x, int n, int length, int causal,
                       double *y)
{
    int d = f->c->d, k = d / f->c->heads;
    double *v = take(f, n, d), *heads = take(f, n, d), *p = take(f, n, n);

    formula_product(n, d, d, x, formula_weight(f, "%s.v", at), v);
    for (int h = 0; h < f->c->heads; h++) {
        formula_weights(f, at, h, x, n, length, causal, p);
        for (int i = 0; i < n; i++)
            for (int l = h * k; l < (h + 1) * k; l++) {
                heads[i * d + l] = 0;
                for (int j = 0; j < n; j++)
                    heads[i * d + l] += p[i * n + j] * v[j * d + l];
            }
    }
    formula_product(n, d, d, heads, formula_weight(f, "%s.o", at), y);
}
