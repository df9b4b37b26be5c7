/* The transformer of formula.h around its attention. */
#include "tests/formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double *take(const struct formula *f, int n, int d)
{
    return arena_take(f->memory, (size_t)n * (size_t)d * sizeof(double));
}

/* (x - mean) / sqrt(variance + eps) gain + bias */
static double *norm(const struct formula *f, const char *at, const double *x,
                    int n)
{
    int d = f->c->d;
    const real *gain = formula_weight(f, "%s.norm.gain", at);
    const real *bias = formula_weight(f, "%s.norm.bias", at);
    double *y = take(f, n, d);

    for (int i = 0; i < n; i++) {
        double mean = 0, variance = 0;

        for (int j = 0; j < d; j++)
            mean += x[i * d + j] / d;
        for (int j = 0; j < d; j++)
            variance += pow(x[i * d + j] - mean, 2) / d;
        for (int j = 0; j < d; j++)
            y[i * d + j] = (x[i * d + j] - mean) /
                           sqrt(variance + f->c->norm_eps) * (double)gain[j] +
                           (double)bias[j];
    }
    return y;
}

static void add(double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

/* sqrt(d) E[id] + the sinusoid of its position: sines, then cosines. */
static void embed(const struct formula *f, const int *ids, int n, double *y)
{
    const real *table = formula_weight(f, "embed.table");
    int d = f->c->d, half = d / 2;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            double angle = i / pow(10000, j % half / (half - 1.0));

            y[i * d + j] = sqrt(d) * (double)table[ids[i] * d + j] +
                           (j < half ? sin(angle) : cos(angle));
        }
}

static double *cross(const struct formula *f, const char *at, const double *x,
                     int m, const double *memory, int n, int length)
{
    int d = f->c->d, k = d / f->c->heads;
    double scale = f->c->dot_scale ? 1 / sqrt(k) : 1;
    double *q = take(f, m, d), *key = take(f, n, d), *v = take(f, n, d);
    double *heads = take(f, m, d), *y = take(f, m, d);

    formula_product(m, d, d, x, formula_weight(f, "%s.q", at), q);
    formula_product(n, d, d, memory, formula_weight(f, "%s.k", at), key);
    formula_product(n, d, d, memory, formula_weight(f, "%s.v", at), v);
    for (int i = 0; i < m; i++)
        for (int h = 0; h < f->c->heads; h++) {
            double mass = 0, sum[64] = {0};

            for (int j = 0; j < length; j++) {
                double score = 0;

                for (int l = h * k; l < h * k + k; l++)
                    score += scale * q[i * d + l] * key[j * d + l];
                mass += exp(score);
                for (int l = 0; l < k; l++)
                    sum[l] += exp(score) * v[j * d + h * k + l];
            }
            for (int l = 0; l < k; l++)
                heads[i * d + h * k + l] = sum[l] / mass;
        }
    formula_product(m, d, d, heads, formula_weight(f, "%s.o", at), y);
    return y;
}

/* relu(x W1 + b1) W2 + b2 */
static double *ffn(const struct formula *f, const char *at, const double *x,
                   int n)
{
    int d = f->c->d, ff = f->c->ff;
    const real *b1 = formula_weight(f, "%s.b1", at);
    const real *b2 = formula_weight(f, "%s.b2", at);
    double *inner = take(f, n, ff), *y = take(f, n, d);

    formula_product(n, d, ff, x, formula_weight(f, "%s.w1", at), inner);
    for (int i = 0; i < n * ff; i++)
        inner[i] = fmax(0, inner[i] + (double)b1[i % ff]);
    formula_product(n, ff, d, inner, formula_weight(f, "%s.w2", at), y);
    for (int i = 0; i < n * d; i++)
        y[i] += (double)b2[i % d];
    return y;
}

struct memory { const double *x; int n, length; };

static void stack(const struct formula *f, const char *name, const int *ids,
                  int n, int length, int causal, const struct memory *memory,
                  double *y)
{
    int d = f->c->d;
    double *x = take(f, n, d), *z = take(f, n, d);

    embed(f, ids, n, x);
    for (int i = 0; i < f->c->layers; i++) {
        char at[64];

        snprintf(at, sizeof at, "%s.%d.self", name, i);
        formula_attention(f, at, norm(f, at, x, n), n, length, causal, z);
        add(x, z, n * d);
        if (memory) {
            snprintf(at, sizeof at, "%s.%d.cross", name, i);
            add(x, cross(f, at, norm(f, at, x, n), n, memory->x, memory->n,
                         memory->length), n * d);
        }
        snprintf(at, sizeof at, "%s.%d.ffn", name, i);
        add(x, ffn(f, at, norm(f, at, x, n), n), n * d);
    }
    memcpy(y, norm(f, name, x, n), (size_t)(n * d) * sizeof *y);
}

void formula_encode(const struct formula *f, const int *ids, int n, int length,
                    double *y)
{
    stack(f, "encoder", ids, n, length, 0, NULL, y);
}

void formula_decode(const struct formula *f, const int *ids, int m,
                    const double *memory, int n, int length, double *y)
{
    struct memory from = {memory, n, length};

    stack(f, "decoder", ids, m, m, 1, memory ? &from : NULL, y);
}

void formula_logits(const struct formula *f, const double *y, int m,
                    double *logits)
{
    const real *table = formula_weight(f, f->c->tied ? "embed.table"
                                                     : "softmax.table");
    int d = f->c->d, vocab = f->c->vocab;

    for (int i = 0; i < m; i++)
        for (int v = 0; v < vocab; v++) {
            logits[i * vocab + v] = 0;
            for (int j = 0; j < d; j++)
                logits[i * vocab + v] += y[i * d + j] *
                                         (double)table[v * d + j];
        }
}

void formula_classify(const struct formula *f, const double *x, int length,
                      double *logits)
{
    const real *b = formula_weight(f, "classifier.b");
    int d = f->c->d;
    double *mean = take(f, 1, d);

    for (int j = 0; j < d; j++) {
        mean[j] = 0;
        for (int i = 0; i < length; i++)
            mean[j] += x[i * d + j] / length;
    }
    formula_product(1, d, f->c->classes, mean,
                    formula_weight(f, "classifier.w"), logits);
    for (int c = 0; c < f->c->classes; c++)
        logits[c] += (double)b[c];
}

double formula_loss(const double *logits, int v, int target, double e)
{
    double mass = 0, loss = 0;

    for (int j = 0; j < v; j++)
        mass += exp(logits[j]);
    for (int j = 0; j < v; j++)
        loss -= (j == target ? 1 - e : e / (v - 1)) *
                log(exp(logits[j]) / mass);
    return loss;
}
