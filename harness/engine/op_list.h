/*
 * Every op and every kernel, told once.
 *
 *     OP(name, parameter, ...)              tensor *ad_NAME(struct tape *t,
 *                                           parameters): ops.h
 *     KERNEL(name, class, parameter, ...)   void, of every backend: backend.h;
 *                                           on the processor cpu_NAME
 *
 * A parameter is (type, name), ten at most; the class says under which name
 * the kernel's time is told (timed.h).  Kernels whose result is a gradient or
 * a sum (+=) add to it, all others store.
 */
#ifndef OP
#define OP(name, ...)
#endif
#ifndef KERNEL
#define KERNEL(name, class, ...)
#endif

/* ---- linear ---- */

/* act(x W + c);  x (..,d), W (d,e), c (e) or NULL -> (..,e) */
OP(linear, (tensor *, x), (tensor *, w), (tensor *, c), (enum act, act))

/* act(x_h W_h + c_h)[..cols];  x (b,n,h k): head h is a slice of the width, or
 * x (b,n,k), the same for all, or x (h,b,n,k);  W (h,k,o), or, of slices, (k,o)
 * for all heads, c (h,o) or NULL -> (h,b,n,cols), cols <= o */
OP(head_linear, (tensor *, x), (tensor *, w), (tensor *, c), (enum act, act),
   (int, cols))

KERNEL(gemm, PRODUCTS, (const struct gemm *, s), (const real *, a),
       (const real *, b), (const real *, bias), (real *, c))
/* gy = 0 where y = 0 */
KERNEL(relu_back, ELEMENTWISE, (size_t, n), (const real *, y), (real *, gy))
/* sum[j] += x[.., j] */
KERNEL(column_sums, ELEMENTWISE, (size_t, rows), (int, n), (const real *, x),
       (real *, sum))

/* ---- scores made of tokens ---- */

/* scale q_h k_h^T;  q (b,n,d), k (b,m,d) -> (h,b,n,m) */
OP(dot_scores, (tensor *, q), (tensor *, k), (int, heads), (double, scale))

/* B[.., j] = A[.., j mod a] C[.., j div a], j < m;  A (h,b,n,a), C (h,b,n,c) */
OP(pair, (tensor *, fa), (tensor *, fc), (int, m))
KERNEL(pair, SCORES, (size_t, rows), (int, a), (int, c), (int, m),
       (const real *, fa), (const real *, fc), (real *, out))
KERNEL(pair_back, SCORES, (size_t, rows), (int, a), (int, c), (int, m),
       (const real *, fa), (const real *, fc), (const real *, gout),
       (real *, ga), (real *, gc))

/* All scores equal: zeros (h,1,n,m), a constant. */
OP(no_scores, (int, h), (int, n), (int, m))

/* ---- scores read from tables ---- */

/* R (h,N,N) -> rows from .. from + n - 1, columns 0 .. m - 1: (h,1,n,m) */
OP(corner, (tensor *, r), (int, from), (int, n), (int, m))

/* The same corner of R1 R2^T;  R1, R2 (h,N,r) */
OP(low_rank, (tensor *, r1), (tensor *, r2), (int, from), (int, n), (int, m))

/* sum_t R1[t,h,j] R2[t,h,j], the same row n times;  R1, R2 (r,h,N), m <= N
 * -> (h,1,n,m) */
OP(columns, (tensor *, r1), (tensor *, r2), (int, n), (int, m))
KERNEL(columns, SCORES, (int, r), (int, h), (int, N), (int, n), (int, m),
       (const real *, r1), (const real *, r2), (real *, y))
KERNEL(columns_back, SCORES, (int, r), (int, h), (int, N), (int, n), (int, m),
       (const real *, r1), (const real *, r2), (const real *, gy),
       (real *, gr1), (real *, gr2))

/* T[bucket(j - i), h] for rows i = from .. and columns j < m;  T (buckets,h)
 * -> (h,1,n,m).  Buckets as in T5 (Raffel et al. 2020). */
OP(relative, (tensor *, table), (const struct relative *, r), (int, from),
   (int, n), (int, m))
/* y[h,i,j] = table[row[j - i + n - 1], h];  table (rows,h), row (n+m-1) */
KERNEL(diagonals, SCORES, (int, n), (int, m), (int, h), (const int *, row),
       (const real *, table), (real *, y))
KERNEL(diagonals_back, SCORES, (int, n), (int, m), (int, h), (const int *, row),
       (const real *, gy), (real *, gtable))

/* ---- mixtures ---- */

/* sum_i w_i X_i + P of `parts` tensors that have the same shape, or a second
 * dimension of 1, which repeats; P may be NULL.  The rule makes w of a.  With
 * MIX_HEADS the parts are concatenated along the first dimension. */
OP(mix, (enum mix_rule, rule), (int, parts), (tensor *const *, x),
   (tensor *, a), (tensor *, plus))

/* ---- attention ---- */

/* softmax(B + mask) V with dropout on the weights;  v (b,m,d) -> (b,n,d) */
OP(attend, (tensor *, scores), (tensor *, v), (struct keys, keys))
/* p (h,b,n,m) is kept for attend_back; work: 2 n m */
KERNEL(attend, ATTENTION, (const struct attend *, a), (const real *, scores),
       (const real *, v), (real *, work), (real *, p), (real *, y))
/* gscores or gv may be NULL */
KERNEL(attend_back, ATTENTION, (const struct attend *, a), (const real *, p),
       (const real *, v), (const real *, gy), (real *, work),
       (real *, gscores), (real *, gv))

/* ---- along the length ---- */

/* x1 sigmoid(x2), x = (x1, x2) (b,n,2d) -> (b,n,d), 0 from length[b] on */
OP(glu, (tensor *, x), (const int *, length))
KERNEL(glu, CONVOLUTION, (int, b), (int, n), (int, d), (const int *, length),
       (const real *, x), (real *, y))
KERNEL(glu_back, CONVOLUTION, (int, b), (int, n), (int, d),
       (const int *, length), (const real *, x), (const real *, gy),
       (real *, gx))

/* Softmax of each run of k values of the last dimension. */
OP(softmax, (tensor *, x), (int, k))
KERNEL(softmax, CONVOLUTION, (size_t, rows), (int, k), (const real *, x),
       (real *, y))
KERNEL(softmax_back, CONVOLUTION, (size_t, rows), (int, k), (const real *, y),
       (const real *, gy), (real *, gx))

/* y[i,c] = bias[c] + sum_j w[c H div d, j] u[from + i + first + j, c], H heads
 * of k taps;  u (b,m,d), w (H,k) or (b,n,H k), bias (d) or NULL -> (b,n,d) */
OP(conv, (tensor *, u), (tensor *, w), (tensor *, bias), (int, n),
   (int, heads), (int, from), (int, first))
KERNEL(conv, CONVOLUTION, (const struct conv *, s), (const real *, u),
       (const real *, w), (const real *, bias), (real *, y))
KERNEL(conv_back, CONVOLUTION, (const struct conv *, s), (const real *, u),
       (const real *, w), (const real *, gy), (real *, gu), (real *, gw))

/* E[:, :n] x over the first length[b] positions;  E (p,N), x (b,n,d)
 * -> (b,p,d) */
OP(project, (tensor *, e), (tensor *, x), (const int *, length))

/* Tokens without padding, p of their rectangle (tape.h); p NULL: x itself.
 * x (b,n,d) -> (1,rows,d); pack is the last to read x */
OP(pack, (tensor *, x), (const struct packing *, p))
/* And back, of each head: x ([h,]1,rows,d) -> ([h,]b,n,d), 0 at padding */
OP(unpack, (tensor *, x), (const struct packing *, p))

/* Mean over the first length[b] positions (divided by at least 1): (b,n,d)
 * -> (b,d) */
OP(mean, (tensor *, x), (const int *, length))
KERNEL(mean, ELEMENTWISE, (int, b), (int, n), (int, d), (const int *, length),
       (const real *, x), (real *, y))
KERNEL(mean_back, ELEMENTWISE, (int, b), (int, n), (int, d),
       (const int *, length), (const real *, gy), (real *, gx))

/* ---- between the products ---- */

/* Layer normalisation over the last dimension (Ba et al. 2016), biased
 * variance, eps inside the root; without a bias root mean square
 * normalisation (Zhang and Sennrich 2019). */
OP(norm, (tensor *, x), (tensor *, gain), (tensor *, bias), (double, eps))
/* y = (x - mean) rstd gain + bias; stat (rows,2) is mean and rstd.  bias NULL:
 * mean 0 and the root mean square in place of the deviation */
KERNEL(norm, NORM, (size_t, rows), (int, d), (double, eps), (const real *, x),
       (const real *, gain), (const real *, bias), (real *, y),
       (real *, stat))
KERNEL(norm_back, NORM, (size_t, rows), (int, d), (const real *, x),
       (const real *, gain), (const real *, stat), (const real *, gy),
       (real *, gx), (real *, ggain), (real *, gbias))

/* scale table[id] + wave[from + i];  id (b,n), wave (N,d) or NULL, a constant
 * or learned -> (b,n,d) */
OP(embed, (tensor *, table), (tensor *, wave), (const int *, id), (int, b),
   (int, n), (int, from), (double, scale))
/* y[r] = scale table[id[r]] + wave[(from + r mod n)] */
KERNEL(embed, EMBEDDING, (size_t, rows), (int, n), (int, d), (int, from),
       (const int *, id), (const real *, table), (const real *, wave),
       (real, scale), (real *, y))
/* gtable or gwave may be NULL */
KERNEL(embed_back, EMBEDDING, (size_t, rows), (int, n), (int, d), (int, from),
       (const int *, id), (real, scale), (const real *, gy), (real *, gtable),
       (real *, gwave))

OP(dropout, (tensor *, x))
OP(residual, (tensor *, x), (tensor *, z)) /* x + dropout(z) */
/* kept[i] = 1 with probability keep, drawn by (key, first + i) */
KERNEL(drop_draw, DROPOUT, (size_t, n), (struct rng_key, key),
       (uint64_t, first), (real, keep), (unsigned char *, kept))
/* y = x + kept z / keep (x NULL: 0);  gz += kept gy / keep */
KERNEL(drop_add, ELEMENTWISE, (size_t, n), (real, keep),
       (const unsigned char *, kept), (const real *, x), (const real *, z),
       (real *, y))
KERNEL(drop_back, ELEMENTWISE, (size_t, n), (real, keep),
       (const unsigned char *, kept), (const real *, gy), (real *, gz))

/* y += a x */
KERNEL(axpy, ELEMENTWISE, (size_t, n), (real, a), (const real *, x),
       (real *, y))
/* *sum += x . y */
KERNEL(dot, ELEMENTWISE, (size_t, n), (const real *, x), (const real *, y),
       (double *, sum))

/* ---- losses ---- */

/* Roots: their gradient is taken while the loss is computed, so nothing may
 * follow them.
 * logits = y E^T over rows in blocks;  y (b,m,d), E (v,d) -> scalar */
OP(vocab_loss, (tensor *, y), (tensor *, table), (struct loss *, loss))
/* logits (b,c) -> scalar */
OP(class_loss, (tensor *, logits), (struct loss *, loss))
/* Mean squared error: y (b,1), want (b) -> scalar; nll is (y - want)^2. */
OP(square_loss, (tensor *, y), (const float *, want), (struct loss *, loss))

/* *loss: scale times the sum of the smoothed ones.  nll[r] = -log p(target)
 * and hit[r] = 1 where the most probable class is the target (the first of
 * equals); with `gradient` the logits become d loss / d logits. */
KERNEL(cross_entropy, LOSS, (const struct cross_entropy *, s),
       (real *, logits), (int, gradient), (double *, nll),
       (unsigned char *, hit), (double *, loss))

/* ---- optimisers ---- */

KERNEL(adam, OPTIMIZER, (size_t, n), (const struct adam *, s),
       (const real *, g), (real *, p), (real *, m), (real *, v))
/* v: outer (cols + rows) means where factored, else one a value */
KERNEL(adafactor, OPTIMIZER, (const struct adafactor *, s), (const real *, g),
       (real *, p), (real *, v))

#undef OP
#undef KERNEL
