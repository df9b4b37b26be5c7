/*
 * ops: the differentiable operations.  Each returns a new tensor on the
 * tape and never fails: a wrong shape is a bug (REQUIRE).  The letters are
 * those of the formulas: b batch, h heads, n rows, m keys, d width, k = d/h,
 * v vocabulary, N longest length.  Score tensors are (h,b,n,m), or (h,1,n,m)
 * where they are the same for every sentence.
 */
#ifndef ENGINE_OPS_H
#define ENGINE_OPS_H

#include "harness/engine/tape.h"

enum act { ACT_NONE, ACT_RELU };

/* act(x W + c);  x (..,d), W (d,e), c (e) or NULL -> (..,e) */
tensor *ad_linear(struct tape *t, tensor *x, tensor *w, tensor *c,
                  enum act act);

/* act(x_h W_h + c_h)[..cols];  x (b,n,h k): head h is a slice of the width, or
 * x (h,b,n,k);  W (h,k,o), or (k,o) for all heads, c (h,o) or NULL
 * -> (h,b,n,cols), cols <= o */
tensor *ad_head_linear(struct tape *t, tensor *x, tensor *w, tensor *c,
                       enum act act, int cols);

/* scale q_h k_h^T;  q (b,n,d), k (b,m,d) -> (h,b,n,m) */
tensor *ad_dot_scores(struct tape *t, tensor *q, tensor *k, int heads,
                      double scale);

/* R (h,N,N) -> rows from .. from + n - 1, columns 0 .. m - 1: (h,1,n,m) */
tensor *ad_corner(struct tape *t, tensor *r, int from, int n, int m);

/* The same corner of R1 R2^T;  R1, R2 (h,N,r) */
tensor *ad_low_rank(struct tape *t, tensor *r1, tensor *r2, int from, int n,
                    int m);

/* B[.., j] = A[.., j mod a] C[.., j div a];  A (h,b,n,a), C (h,b,n,c) */
tensor *ad_pair(struct tape *t, tensor *fa, tensor *fc, int m);

/* sum_t R1[t,h,j] R2[t,h,j], the same row n times;  R1, R2 (r,h,N), m <= N
 * -> (h,1,n,m) */
tensor *ad_columns(struct tape *t, tensor *r1, tensor *r2, int n, int m);

/* T[bucket(j - i), h] for rows i = from .. and columns j < m;  T (buckets,h)
 * -> (h,1,n,m).  Buckets as in T5 (Raffel et al. 2020). */
struct relative { int buckets, longest, causal; };
tensor *ad_relative(struct tape *t, tensor *table, const struct relative *r,
                    int from, int n, int m);

/* All scores equal: zeros (h,1,n,m), a constant. */
tensor *ad_no_scores(struct tape *t, int h, int n, int m);

/* sum_i w_i X_i + P of tensors that have the same shape, or a second dimension
 * of 1, which repeats; P may be NULL.  The rule makes w of a. */
enum mix_rule {
    MIX_LOGITS,  /* w = softmax(a), a (parts): scores are mixed   */
    MIX_PLUS,    /* w = 1, a NULL                                 */
    MIX_SIGMOID, /* w = (1 - s, s), s = sigmoid(a), a (1)         */
    MIX_WEIGHTS  /* as logits: outputs are mixed                  */
};
tensor *ad_mix(struct tape *t, enum mix_rule rule, int parts,
               tensor *const x[], tensor *a, tensor *plus);

/* softmax(B + mask) V with dropout on the weights;  v (b,m,d) -> (b,n,d) */
struct keys {
    int        from, causal;
    const int *length;      /* (b), or NULL: all m are visible     */
    int        linear;      /* no softmax: (mask B) V              */
};
tensor *ad_attend(struct tape *t, tensor *scores, tensor *v, struct keys keys);

/* x1 sigmoid(x2), x = (x1, x2) (b,n,2d) -> (b,n,d), 0 from length[b] on */
tensor *ad_glu(struct tape *t, tensor *x, const int *length);

/* Softmax of each run of k values of the last dimension. */
tensor *ad_softmax(struct tape *t, tensor *x, int k);

/* y[i,c] = bias[c] + sum_j w[c H div d, j] u[from + i + first + j, c], H heads
 * of k taps;  u (b,m,d), w (H,k) or (b,n,H k), bias (d) or NULL -> (b,n,d) */
tensor *ad_conv(struct tape *t, tensor *u, tensor *w, tensor *bias, int n,
                int heads, int from, int first);

/* E[:, :n] x over the first length[b] positions;  E (p,N), x (b,n,d)
 * -> (b,p,d) */
tensor *ad_project(struct tape *t, tensor *e, tensor *x, const int *length);

/* Layer normalisation over the last dimension (Ba et al. 2016), biased
 * variance, eps inside the root; without a bias root mean square
 * normalisation (Zhang and Sennrich 2019). */
tensor *ad_norm(struct tape *t, tensor *x, tensor *gain, tensor *bias,
                double eps);

/* scale table[id] + wave[from + i];  id (b,n), wave (N,d) or NULL, a constant
 * or learned -> (b,n,d) */
tensor *ad_embed(struct tape *t, tensor *table, tensor *wave,
                 const int *id, int b, int n, int from, double scale);

tensor *ad_dropout(struct tape *t, tensor *x);
tensor *ad_residual(struct tape *t, tensor *x, tensor *z); /* x + dropout(z) */

/* Mean over the first length[b] positions: (b,n,d) -> (b,d) */
tensor *ad_mean(struct tape *t, tensor *x, const int *length);

/*
 * Cross-entropy, label smoothing, and its gradient in one pass.  Roots: the
 * gradient is taken while the loss is computed, so nothing may follow them.
 */
struct loss {
    const int *target;     /* (b,m) ids, or (b) labels                    */
    const int *length;     /* (b) positions that count; NULL: all         */
    const int *prompt;     /* (b) but for the first of them; NULL: none   */
    double     smoothing;
    double     scale;      /* 1 / targets of the whole batch              */
    double     logits;     /* factor of the logits; 0 means 1             */
    double     sum;        /* out: scale times the smoothed loss          */
    double    *nll;        /* out: (b,m) or (b) -log p, 0 at padding; or NULL */
    unsigned char *hit;    /* out: same shape; or NULL                    */
};

/* logits = y E^T over rows in blocks;  y (b,m,d), E (v,d) -> scalar */
tensor *ad_vocab_loss(struct tape *t, tensor *y, tensor *table,
                      struct loss *loss);
/* logits (b,c) -> scalar */
tensor *ad_class_loss(struct tape *t, tensor *logits, struct loss *loss);
/* Mean squared error: y (b,1), want (b) -> scalar; nll is (y - want)^2. */
tensor *ad_square_loss(struct tape *t, tensor *y, const float *want,
                       struct loss *loss);

#endif
