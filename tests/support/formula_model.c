/* The parts of the transformer around the attention layers of formula.h. */
#include "tests/support/formula_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define take formula_take

/* Computes (x - mean) / sqrt(variance + eps) gain + bias. For an RMS norm,
 * which has no bias, the mean is taken as 0 and the variance is the mean
 * square. */
static double *norm(const struct formula *f, const char *at, const double *x,
                    int n)
{
    int d = f->c->d;
    const double *gain = formula_weight(f, at, "norm.gain");
    const double *bias = formula_weight(f, at, "norm.bias");
    double *y = take(f, n, d);

    for (int i = 0; i < n; i++) {
        double mean = 0, variance = 0;

        for (int j = 0; j < d && f->c->norm == NORM_LAYER; j++)
            mean += x[i * d + j] / d;
        for (int j = 0; j < d; j++)
            variance += pow(x[i * d + j] - mean, 2) / d;
        for (int j = 0; j < d; j++)
            y[i * d + j] = (x[i * d + j] - mean) /
                           sqrt(variance + f->c->norm_eps) * gain[j] +
                           (bias ? bias[j] : 0);
    }
    return y;
}

static void add_to(double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

/* Returns the position embedding of position i, column j: either sinusoidal
 * (sines first, then cosines) or learned. */
static double position(const struct formula *f, const char *stack, int i,
                       int j)
{
    const double *table = formula_weight(f, stack, "position");
    int d = f->c->d, half = d / 2;
    double angle = i / pow(10000, j % half / (half - 1.0));

    if (f->c->position == POSITION_LEARNED)
        return table[i * d + j];
    if (f->c->position == POSITION_NONE)
        return 0;
    return j < half ? sin(angle) : cos(angle);
}

/* Computes E[id] (times sqrt(d) if embed_scale is set) plus the position
 * embedding. */
static void embed(const struct formula *f, const char *stack, const int *ids,
                  int n, double *y)
{
    const double *table = formula_weight(f, "embed", "table");
    int d = f->c->d;
    double scale = f->c->embed_scale ? sqrt(d) : 1;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            y[i * d + j] = scale * table[ids[i] * d + j] +
                           position(f, stack, i, j);
}

static double *cross(const struct formula *f, const char *at, const double *x,
                     int m, const double *memory, int n, int length)
{
    int d = f->c->d;
    int heads_of = f->c->cross_heads ? f->c->cross_heads : f->c->heads;
    int k = d / heads_of;
    double scale = f->c->dot_scale ? 1 / sqrt(k) : 1;
    double *q = take(f, m, d), *key = take(f, n, d), *v = take(f, n, d);
    double *heads = take(f, m, d), *y = take(f, m, d), *sum = take(f, 1, k);

    formula_product(m, d, d, x, formula_weight(f, at, "q"), q);
    formula_product(n, d, d, memory, formula_weight(f, at, "k"), key);
    formula_product(n, d, d, memory, formula_weight(f, at, "v"), v);
    for (int i = 0; i < m; i++)
        for (int h = 0; h < heads_of; h++) {
            double mass = 0;

            memset(sum, 0, (size_t)k * sizeof *sum);
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
    formula_product(m, d, d, heads, formula_weight(f, at, "o"), y);
    return y;
}

/* Computes relu(x W1 + b1) W2 + b2; the biases are optional. */
static double *ffn(const struct formula *f, const char *at, const double *x,
                   int n)
{
    int d = f->c->d, ff = f->c->ff;
    const double *b1 = formula_weight(f, at, "b1");
    const double *b2 = formula_weight(f, at, "b2");
    double *inner = take(f, n, ff), *y = take(f, n, d);

    formula_product(n, d, ff, x, formula_weight(f, at, "w1"), inner);
    for (int i = 0; i < n * ff; i++)
        inner[i] = fmax(0, inner[i] + (b1 ? b1[i % ff] : 0));
    formula_product(n, ff, d, inner, formula_weight(f, at, "w2"), y);
    for (int i = 0; i < n * d && b2; i++)
        y[i] += b2[i % d];
    return y;
}

struct memory { const double *x; int n, length; };

static void stack(const struct formula *f, const char *name, const int *ids,
                  int n, int length, int causal, const struct memory *memory,
                  double *y)
{
    int d = f->c->d;
    double *x = take(f, n, d);
    const double *relative = formula_weight(f, name, "relative");

    embed(f, name, ids, n, x);
    for (int i = 0; i < f->c->layers; i++) {
        char at[64];

        snprintf(at, sizeof at, "%s.%d.self", name, i);
        struct formula_layer self = {.f = f, .at = at, .relative = relative,
                                     .index = i, .x = norm(f, at, x, n),
                                     .n = n, .length = length,
                                     .causal = causal};
        add_to(x, formula_attention(&self), n * d);
        if (memory) {
            snprintf(at, sizeof at, "%s.%d.cross", name, i);
            add_to(x, cross(f, at, norm(f, at, x, n), n, memory->x, memory->n,
                            memory->length), n * d);
        }
        snprintf(at, sizeof at, "%s.%d.ffn", name, i);
        if (!f->c->probe)
            add_to(x, ffn(f, at, norm(f, at, x, n), n), n * d);
    }
    memcpy(y, f->c->probe ? x : norm(f, name, x, n),
           (size_t)(n * d) * sizeof *y);
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
    const double *table = formula_weight(f, f->c->tied ? "embed" : "softmax",
                                         "table");
    int d = f->c->d, vocab = f->c->vocab;
    double scale = f->c->logit_scale ? 1 / sqrt(d) : 1;

    for (int i = 0; i < m; i++)
        for (int v = 0; v < vocab; v++) {
            logits[i * vocab + v] = 0;
            for (int j = 0; j < d; j++)
                logits[i * vocab + v] += scale * y[i * d + j] *
                                         table[v * d + j];
        }
}

void formula_classify(const struct formula *f, const double *x, int length,
                      double *logits)
{
    const double *b = formula_weight(f, "classifier", "b");
    int d = f->c->d;
    double *mean = take(f, 1, d);

    for (int j = 0; j < d; j++) {
        mean[j] = 0;
        for (int i = 0; i < length; i++)
            mean[j] += x[i * d + j] / length;
    }
    formula_product(1, d, f->c->classes, mean,
                    formula_weight(f, "classifier", "w"), logits);
    for (int c = 0; c < f->c->classes; c++)
        logits[c] += b[c];
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
