/*
 * formula_output: computes the variants that are not a softmax over n x n
 * scores, in place of the outputs Y_h of formula.c.
 *
 * In Linformer, all heads share E and F (p,N); keys and values are zero at
 * padding; k is the width of a head:
 *     Y_h = softmax(Q_h (E K_h)^T / sqrt(k)) F V_h
 * A convolution has H groups of K taps; channel c is in group g = c H div d:
 *     u = GLU(x W_1 + b_1)
 *     y_ic = sum_j softmax(w_i,g)_j u_(i + first + j),c
 * with first = -(K div 2), or -(K - 1) in a decoder, and zeros outside the
 * sentence.  The taps w are learned (lightweight) or u_i W_k (dynamic).  The
 * convolutions of the released code (-mtf) have 9 taps for each channel, a
 * bias, and one more product before the last: (y + bias) W_2 + b_2.
 */
#include "harness/verify/attention/formula.h"

#include <math.h>
#include <string.h>

/* ---- linformer ---- */

static int slots(const struct model_config *c)
{
    return c->projection ? c->projection : (c->N + 3) / 4;
}

/* Returns M[:, :length] z (p,I), where z (n,I) are the keys or values and M is
 * the parameter `side`, E or F. */
static double *shorten(const struct formula_layer *l, const char *at,
                       const char *side, const double *z)
{
    const double *e = formula_weight(l->f, at, side);
    const struct model_config *c = l->f->c;
    int I = config_inner(c), p = slots(c);
    double *y = formula_take(l->f, p, I);

    for (int s = 0; s < p; s++)
        for (int i = 0; i < I; i++) {
            y[s * I + i] = 0;
            for (int j = 0; j < l->length; j++)
                y[s * I + i] += e[s * c->N + j] * z[j * I + i];
        }
    return y;
}

double *formula_linformer(const struct formula_layer *l, const char *at)
{
    const struct model_config *c = l->f->c;
    int k = config_head(c), I = config_inner(c), p = slots(c);
    double scale = c->dot_scale ? 1 / sqrt(k) : 1;
    double *y = formula_take(l->f, l->n, I), *b = formula_take(l->f, 1, p);
    double *q = formula_project(l, at, "q");
    double *key = shorten(l, at, "e", formula_project(l, at, "k"));
    double *v = shorten(l, at, "f", formula_project(l, l->at, "v"));

    for (int r = 0; r < l->n * c->heads; r++) {
        int i = r / c->heads, from = r % c->heads * k;

        for (int s = 0; s < p; s++) {
            b[s] = 0;
            for (int e = from; e < from + k; e++)
                b[s] += scale * q[i * I + e] * key[s * I + e];
        }
        formula_softmax(b, p);
        for (int e = from; e < from + k; e++) {
            y[i * I + e] = 0;
            for (int s = 0; s < p; s++)
                y[i * I + e] += b[s] * v[s * I + e];
        }
    }
    return y;
}

/* ---- convolutions ---- */

int formula_conv_heads(const struct model_config *c)
{
    return c->conv_heads ? c->conv_heads : c->heads;
}

static int taps_of(const struct formula_layer *l)
{
    const struct widths *w = &l->f->c->conv_width;

    return w->at[l->index < w->n ? l->index : w->n - 1];
}

int formula_first(const struct formula_layer *l, int taps)
{
    return l->causal ? -(taps - 1) : -(taps / 2);
}

double *formula_gate(const struct formula_layer *l, const char *at)
{
    int d = l->f->c->d;
    double *wide = formula_linear(l, l->x, d, 2 * d, at, "w1", "b1");
    double *u = formula_take(l->f, l->n, d);

    for (int i = 0; i < l->n; i++)
        for (int c = 0; c < d; c++)
            u[i * d + c] = i >= l->length ? 0
                                          : wide[i * 2 * d + c] /
                                            (1 + exp(-wide[i * 2 * d + d + c]));
    return u;
}

/* Returns the convolution (n,d) of u.  Replaces w, which has `taps` taps per
 * row and head, by its softmax over the taps. */
static double *convolve(const struct formula_layer *l, const double *u,
                        double *w, int heads, int taps)
{
    int d = l->f->c->d, first = formula_first(l, taps);
    double *y = formula_take(l->f, l->n, d);

    for (int r = 0; r < l->n * heads; r++)
        formula_softmax(w + r * taps, taps);
    for (int i = 0; i < l->n; i++)
        for (int c = 0; c < d; c++) {
            const double *tap = w + (i * heads + c * heads / d) * taps;

            y[i * d + c] = 0;
            for (int j = 0; j < taps; j++) {
                int at = i + first + j;

                if (at >= 0 && at < l->n)
                    y[i * d + c] += tap[j] * u[at * d + c];
            }
        }
    return y;
}

/* Returns the learned taps of `size` values, repeated for every position. */
static double *repeat(const struct formula_layer *l, const char *at, int size)
{
    const double *taps = formula_weight(l->f, at, "taps");
    double *w = formula_take(l->f, l->n, size);

    for (int i = 0; i < l->n; i++)
        memcpy(w + i * size, taps, (size_t)size * sizeof *w);
    return w;
}

/* Returns u W_k + b_k (n,size); b_k may be missing. */
static double *predict(const struct formula_layer *l, const char *at,
                       const double *u, int size)
{
    return formula_linear(l, u, l->f->c->d, size, at, "wk", "bk");
}

double *formula_lightweight(const struct formula_layer *l, const char *at)
{
    int H = formula_conv_heads(l->f->c), K = taps_of(l);

    return convolve(l, formula_gate(l, at), repeat(l, at, H * K), H, K);
}

double *formula_dynamic(const struct formula_layer *l, const char *at)
{
    int H = formula_conv_heads(l->f->c), K = taps_of(l);
    double *u = formula_gate(l, at);

    return convolve(l, u, predict(l, at, u, H * K), H, K);
}

enum { MTF_TAPS = 9 };

/* Returns (y + bias) W_2 + b_2, where y is the convolution of u with the taps
 * w. */
static double *mtf(const struct formula_layer *l, const char *at,
                   const double *u, double *w)
{
    const double *bias = formula_weight(l->f, at, "bias");
    int d = l->f->c->d;
    double *z = convolve(l, u, w, d, MTF_TAPS);

    for (int i = 0; i < l->n * d; i++)
        z[i] += bias[i % d];
    return formula_linear(l, z, d, d, at, "w2", "b2");
}

double *formula_lightweight_mtf(const struct formula_layer *l, const char *at)
{
    return mtf(l, at, formula_gate(l, at),
               repeat(l, at, l->f->c->d * MTF_TAPS));
}

double *formula_dynamic_mtf(const struct formula_layer *l, const char *at)
{
    double *u = formula_gate(l, at);

    return mtf(l, at, u, predict(l, at, u, l->f->c->d * MTF_TAPS));
}

/* ---- reach and counts ---- */

int formula_reach_conv(const struct model_config *c, int causal)
{
    return causal ? c->conv_width.at[0] - 1 : c->conv_width.at[0] / 2;
}

int formula_reach_mtf(const struct model_config *c, int causal)
{
    (void)c;
    return causal ? MTF_TAPS - 1 : MTF_TAPS / 2;
}

long formula_count_linformer(const struct model_config *c)
{
    return formula_count_qk(c) + 2 * (long)slots(c) * c->N;
}

static long gate(const struct model_config *c)
{
    return 2 * (long)c->d * c->d + 2 * c->d;
}

/* Counts the values of a layer with conv_width.at[0] taps. */
long formula_count_lightweight(const struct model_config *c)
{
    return gate(c) + (long)formula_conv_heads(c) * c->conv_width.at[0];
}

long formula_count_dynamic(const struct model_config *c)
{
    return gate(c) +
           (long)c->d * formula_conv_heads(c) * c->conv_width.at[0];
}

/* Counts the depthwise bias, W_2, b_2, and the bias of the output. */
static long pointwise(const struct model_config *c)
{
    return (long)c->d * c->d + 3 * c->d;
}

long formula_count_lightweight_mtf(const struct model_config *c)
{
    return gate(c) + pointwise(c) + (long)MTF_TAPS * c->d;
}

long formula_count_dynamic_mtf(const struct model_config *c)
{
    return gate(c) + pointwise(c) + MTF_TAPS * ((long)c->d * c->d + c->d);
}
