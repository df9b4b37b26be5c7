/*
 * Every op and every kernel, told once.
 *
 *     OP(name, parameter, ...)              tensor *ad_NAME(struct tape *t,
 *                                           parameters): ops.h
 *     KERNEL(name, class, work, parameter, ...)
 *                                           void, of every backend: backend.h;
 *                                           on the processor cpu_NAME
 *
 * A parameter is (type, name), ten at most; the class says under which name
 * the kernel's time is told (timed.h).  The work is what a call reads, writes
 * and multiplies, an expression of its parameters: VALUES(of reals, each read
 * or written once) or a function of count.c; only count.c reads it.  Kernels
 * whose result is a gradient or a sum (+=) add to it, all others store.
 * Pointers are buffers, but those to int and to structs of shapes (backend.h).
 */
#ifndef OP
#define OP(name, ...)
#endif
#ifndef KERNEL
#define KERNEL(name, class, work, ...)
#endif

/* ---- linear ---- */

/* act(x W + c);  x (..,d), W (d,e), c (e) or NULL -> (..,e) */
OP(linear, (tensor *, x), (tensor *, w), (tensor *, c), (enum act, act))

/* act(x_h W_h + c_h)[..cols];  x (b,n,h k): head h is a slice of the width, or
 * x (b,n,k), the same for all, or x (h,b,n,k);  W (h,k,o), or, of slices, (k,o)
 * for all heads, c (h,o) or NULL -> (h,b,n,cols), cols <= o */
OP(head_linear, (tensor *, x), (tensor *, w), (tensor *, c), (enum act, act),
   (int, cols))

KERNEL(gemm, PRODUCTS, gemm_work(s), (const struct gemm *, s),
       (const real *, a), (const real *, b), (const real *, bias), (real *, c))
/* gy = 0 where y = 0 */
KERNEL(relu_back, ELEMENTWISE, VALUES(3.0 * n), (size_t, n), (const real *, y),
       (real *, gy))
/* sum[o step + j] += the sum over r of x[o,r,j];  x (outer,rows,n) */
KERNEL(column_sums, ELEMENTWISE, VALUES(1.0 * outer * rows * n), (int, outer),
       (size_t, rows), (int, n), (size_t, step), (const real *, x),
       (real *, sum))

/* ---- scores made of tokens ---- */

/* scale q_h k_h^T;  q (b,n,d), k (b,m,d) -> (h,b,n,m) */
OP(dot_scores, (tensor *, q), (tensor *, k), (int, heads), (double, scale))

/* B[.., j] = A[.., j mod a] C[.., j div a], j < m;  A (h,b,n,a), C (h,b,n,c) */
OP(pair, (tensor *, fa), (tensor *, fc), (int, m))
KERNEL(pair, SCORES, VALUES(1.0 * rows * (a + c + m)), (size_t, rows),
       (int, a), (int, c), (int, m), (const real *, fa), (const real *, fc),
       (real *, out))
KERNEL(pair_back, SCORES, VALUES(1.0 * rows * (3 * (a + c) + m)),
       (size_t, rows), (int, a), (int, c), (int, m), (const real *, fa),
       (const real *, fc), (const real *, gout), (real *, ga), (real *, gc))

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
KERNEL(columns, SCORES, VALUES(2.0 * r * h * m + 1.0 * h * n * m), (int, r),
       (int, h), (int, N), (int, n), (int, m), (const real *, r1),
       (const real *, r2), (real *, y))
KERNEL(columns_back, SCORES, VALUES(6.0 * r * h * m + 1.0 * h * n * m),
       (int, r), (int, h), (int, N), (int, n), (int, m), (const real *, r1),
       (const real *, r2), (const real *, gy), (real *, gr1), (real *, gr2))

/* T[bucket(j - i), h] for rows i = from .. and columns j < m;  T (buckets,h)
 * -> (h,1,n,m).  Buckets as in T5 (Raffel et al. 2020). */
OP(relative, (tensor *, table), (const struct relative *, r), (int, from),
   (int, n), (int, m))
/* y[h,i,j] = table[row[j - i + n - 1], h];  table (rows,h), row (n+m-1) */
KERNEL(diagonals, SCORES, VALUES(1.0 * h * n * m), (int, n), (int, m), (int, h),
       (const int *, row), (const real *, table), (real *, y))
KERNEL(diagonals_back, SCORES, VALUES(1.0 * h * n * m), (int, n), (int, m),
       (int, h), (const int *, row), (const real *, gy), (real *, gtable))

/* ---- mixtures ---- */

/* sum_i w_i X_i + P of `parts` tensors that have the same shape, or a second
 * dimension of 1, which repeats; P may be NULL.  The rule makes w of a.  With
 * MIX_HEADS the parts are concatenated along the first dimension. */
OP(mix, (enum mix_rule, rule), (int, parts), (tensor *const *, x),
   (tensor *, a), (tensor *, plus))
/* w of a (parts), or (1) where it is a sigmoid; w (parts).  sigmoid: parts 2 */
KERNEL(mix_weights, SCORES, VALUES(3.0 * parts), (int, parts), (int, sigmoid),
       (const real *, a), (double *, w))
/* ga += its gradient, from gw (parts), the gradient of w */
KERNEL(mix_weights_back, SCORES, VALUES(6.0 * parts), (int, parts),
       (int, sigmoid), (const double *, w), (const double *, gw), (real *, ga))
/* y = the sum (struct mix_sum), from the first part to the last, then plus;
 * w NULL: all 1.  Parts that are missing, and plus, may be NULL. */
KERNEL(mix, SCORES, mix_work(s), (const struct mix_sum *, s),
       (const double *, w), (const real *, x0), (const real *, x1),
       (const real *, x2), (const real *, x3), (const real *, plus),
       (real *, y))
/* For x, part p of s:  gx += w_p y' (gx NULL: not),  gw[p] = <y', x> (gw NULL:
 * not), y' summed over the heads and sentences that x repeats for */
KERNEL(mix_back, SCORES, mix_back_work(s, p, gx != NULL, gw != NULL),
       (const struct mix_sum *, s), (int, p), (const double *, w),
       (const real *, gy), (const real *, x), (real *, gx), (double *, gw))

/* ---- attention ---- */

/* softmax(B + mask) V with dropout on the weights;  v (b,m,d) -> (b,n,d) */
OP(attend, (tensor *, scores), (tensor *, v), (struct keys, keys))
/* p (h,b,n,m), or (h,1,n,m) where it is attend_once, is kept for attend_back;
 * work: 2 attend_together(a) n m */
KERNEL(attend, ATTENTION, attend_work(a), (const struct attend *, a),
       (const real *, scores), (const real *, v), (real *, work), (real *, p),
       (real *, y))
/* gscores or gv may be NULL */
KERNEL(attend_back, ATTENTION,
       attend_back_work(a, gscores != NULL, gv != NULL),
       (const struct attend *, a), (const real *, p), (const real *, v),
       (const real *, gy), (real *, work), (real *, gscores), (real *, gv))

/* ---- along the length ---- */

/* x1 sigmoid(x2), x = (x1, x2) (b,n,2d) -> (b,n,d), 0 from length[b] on */
OP(glu, (tensor *, x), (const int *, length))
KERNEL(glu, CONVOLUTION, VALUES(3.0 * b * n * d), (int, b), (int, n), (int, d),
       (const int *, length), (const real *, x), (real *, y))
KERNEL(glu_back, CONVOLUTION, VALUES(7.0 * b * n * d), (int, b), (int, n),
       (int, d), (const int *, length), (const real *, x), (const real *, gy),
       (real *, gx))

/* Softmax of each run of k values of the last dimension. */
OP(softmax, (tensor *, x), (int, k))
KERNEL(softmax, CONVOLUTION, VALUES(2.0 * rows * k), (size_t, rows), (int, k),
       (const real *, x), (real *, y))
KERNEL(softmax_back, CONVOLUTION, VALUES(4.0 * rows * k), (size_t, rows),
       (int, k), (const real *, y), (const real *, gy), (real *, gx))

/* y[i,c] = bias[c] + sum_j w[c H div d, j] u[from + i + first + j, c], H heads
 * of k taps;  u (b,m,d), w (H,k) or (b,n,H k), bias (d) or NULL -> (b,n,d) */
OP(conv, (tensor *, u), (tensor *, w), (tensor *, bias), (int, n),
   (int, heads), (int, from), (int, first))
KERNEL(conv, CONVOLUTION, conv_work(s), (const struct conv *, s),
       (const real *, u), (const real *, w), (const real *, bias), (real *, y))
KERNEL(conv_back, CONVOLUTION, conv_back_work(s), (const struct conv *, s),
       (const real *, u), (const real *, w), (const real *, gy), (real *, gu),
       (real *, gw))

/* E[:, :n] x over the first length[b] positions;  E (p,N), x (b,n,d)
 * -> (b,p,d) */
OP(project, (tensor *, e), (tensor *, x), (const int *, length))

/* Tokens without padding, p of their rectangle (tape.h); p NULL: x itself.
 * x (b,n,d) -> (1,rows,d); pack is the last to read x */
OP(pack, (tensor *, x), (const struct packing *, p))
/* And back, of each head: x ([h,]1,rows,d) -> ([h,]b,n,d), 0 at padding */
OP(unpack, (tensor *, x), (const struct packing *, p))
/* wide (h,b,n,d), packed (h,rows,d).  add: only tokens are added, what lies at
 * others is left; else packed, or wide, is stored, 0 after the tokens. */
KERNEL(pack, ELEMENTWISE, VALUES((2.0 + add) * h * p->rows * d),
       (const struct packing *, p), (int, h), (int, d), (int, add),
       (const real *, wide), (real *, packed))
KERNEL(unpack, ELEMENTWISE,
       VALUES(add ? 3.0 * h * p->rows * d
                  : 1.0 * h * (p->rows + p->b * p->n) * d),
       (const struct packing *, p), (int, h), (int, d), (int, add),
       (const real *, packed), (real *, wide))

/* Mean over the first length[b] positions (divided by at least 1): (b,n,d)
 * -> (b,d) */
OP(mean, (tensor *, x), (const int *, length))
KERNEL(mean, ELEMENTWISE, VALUES(1.0 * b * n * d), (int, b), (int, n), (int, d),
       (const int *, length), (const real *, x), (real *, y))
KERNEL(mean_back, ELEMENTWISE, VALUES(2.0 * b * n * d), (int, b), (int, n),
       (int, d), (const int *, length), (const real *, gy), (real *, gx))

/* ---- between the products ---- */

/* Layer normalisation over the last dimension (Ba et al. 2016), biased
 * variance, eps inside the root; without a bias root mean square
 * normalisation (Zhang and Sennrich 2019). */
OP(norm, (tensor *, x), (tensor *, gain), (tensor *, bias), (double, eps))
/* y = (x - mean) rstd gain + bias; stat (rows,2) is mean and rstd.  bias NULL:
 * mean 0 and the root mean square in place of the deviation */
KERNEL(norm, NORM, VALUES(2.0 * rows * d), (size_t, rows), (int, d),
       (double, eps), (const real *, x), (const real *, gain),
       (const real *, bias), (real *, y), (real *, stat))
/* gbias NULL: of a norm without a bias */
KERNEL(norm_back, NORM, VALUES(4.0 * rows * d), (size_t, rows), (int, d),
       (const real *, x), (const real *, gain), (const real *, stat),
       (const real *, gy), (real *, gx), (real *, ggain), (real *, gbias))

/* scale table[id] + wave[from + i];  id (b,n), wave (N,d) or NULL, a constant
 * or learned -> (b,n,d) */
OP(embed, (tensor *, table), (tensor *, wave), (const int *, id), (int, b),
   (int, n), (int, from), (double, scale))
/* y[r] = scale table[id[r]] + wave[(from + r mod n)] */
KERNEL(embed, EMBEDDING, VALUES((wave ? 3.0 : 2.0) * rows * d), (size_t, rows),
       (int, n), (int, d), (int, from), (const int *, id),
       (const real *, table), (const real *, wave), (real, scale), (real *, y))
/* gtable or gwave may be NULL.  An id may occur many times, a position does so
 * once a sentence. */
KERNEL(embed_back, EMBEDDING,
       VALUES((1.0 + 2 * !!gtable + 2 * !!gwave) * rows * d),
       (size_t, rows), (int, n), (int, d), (int, from), (const int *, id),
       (real, scale), (const real *, gy), (real *, gtable), (real *, gwave))

OP(dropout, (tensor *, x))
OP(residual, (tensor *, x), (tensor *, z)) /* x + dropout(z) */
/* kept[s,i] = 1 with probability keep, else 0, drawn by (key of site + s,
 * first + i);  kept (sites,n) */
KERNEL(drop_draw, DROPOUT, VALUES(0.25 * sites * n), (int, sites), (size_t, n),
       (struct rng_key, key), (uint64_t, first), (real, keep),
       (unsigned char *, kept))
/* kept (rows,d) of a packing: at token i of sentence s what drop_draw has for
 * (row + s) n d + i d, the rectangle's place; 0 after the tokens */
KERNEL(drop_draw_packed, DROPOUT, VALUES(0.25 * p->rows * d),
       (const struct packing *, p), (int, d), (struct rng_key, key),
       (int, row), (real, keep), (unsigned char *, kept))
/* y = x + kept z / keep (x NULL: 0; kept NULL: all);  gz += kept gy / keep */
KERNEL(drop_add, ELEMENTWISE, VALUES((2.0 + !!x + 0.25 * !!kept) * n),
       (size_t, n), (real, keep), (const unsigned char *, kept),
       (const real *, x), (const real *, z), (real *, y))
KERNEL(drop_back, ELEMENTWISE, VALUES((3.0 + 0.25 * !!kept) * n), (size_t, n),
       (real, keep), (const unsigned char *, kept), (const real *, gy),
       (real *, gz))

/* y += a x */
KERNEL(axpy, ELEMENTWISE, VALUES(3.0 * n), (size_t, n), (real, a),
       (const real *, x), (real *, y))

/* ---- rows and blocks ---- */

/* to = from, and to += from (struct blocks); the blocks of `to` are disjoint */
KERNEL(copy_blocks, ELEMENTWISE, VALUES(2.0 * s->outer * s->rows * s->cols),
       (const struct blocks *, s), (const real *, from), (real *, to))
KERNEL(add_blocks, ELEMENTWISE, VALUES(3.0 * s->outer * s->rows * s->cols),
       (const struct blocks *, s), (const real *, from), (real *, to))
/* to[i step + c] = from[row[i] step + c], i < rows, c < cols <= step.  from may
 * be to if row[i] ascends strictly: rows then move up, in order. */
KERNEL(gather, ELEMENTWISE, VALUES(2.0 * rows * cols), (size_t, rows),
       (size_t, cols), (size_t, step), (const int *, row), (const real *, from),
       (real *, to))
/* to[row[i],c] += from[i,c];  from (rows,cols), row ascends strictly */
KERNEL(scatter_add, ELEMENTWISE, VALUES(3.0 * rows * cols), (size_t, rows),
       (size_t, cols), (const int *, row), (const real *, from), (real *, to))
/* x (b,from) becomes (b,to), to >= from, in place, zeros after each row */
KERNEL(spread, ELEMENTWISE, VALUES(1.0 * b * from + 1.0 * b * to), (int, b),
       (size_t, from), (size_t, to), (real *, x))

/* ---- losses ---- */

/* Roots: their gradient is taken while the loss is computed, so nothing may
 * follow them.
 * logits = y E^T over rows in blocks;  y (b,m,d), E (v,d) -> scalar */
OP(vocab_loss, (tensor *, y), (tensor *, table), (struct loss *, loss))
/* logits (b,c) -> scalar */
OP(class_loss, (tensor *, logits), (struct loss *, loss))
/* Mean squared error: y (b,1), want (b) -> scalar; nll is (y - want)^2. */
OP(square_loss, (tensor *, y), (const float *, want), (struct loss *, loss))

/* loss[0] = scale times the sum of the smoothed ones.  nll[r] = -log p(target)
 * and hit[r] = 1 where the most probable class is the target (the first of
 * equals), else 0; with `gradient` the logits become d loss / d logits. */
KERNEL(cross_entropy, LOSS, VALUES((1.0 + gradient) * s->rows * s->v),
       (const struct cross_entropy *, s), (real *, logits), (int, gradient),
       (double *, nll), (unsigned char *, hit), (double *, loss))
/* error = y - want, nll = error^2, loss[0] = scale sum nll, and
 * gy += 2 scale error (gy NULL: not);  all others (n) */
KERNEL(square_error, LOSS, VALUES(5.0 * n + 2.0 * !!gy * n), (size_t, n),
       (double, scale), (const real *, want), (const real *, y),
       (real *, error), (real *, gy), (double *, nll), (double *, loss))

/* ---- decoding ---- */

/* out (rows,k): the k largest of each row of x (rows,v), the largest first, of
 * equals that with the smaller id; work (v) */
KERNEL(best, LOSS, VALUES(1.0 * rows * v), (size_t, rows), (int, v), (int, k),
       (const real *, x), (real *, work), (struct best *, out))

/* ---- optimisers ---- */

KERNEL(adam, OPTIMIZER, VALUES(7.0 * n), (size_t, n), (const struct adam *, s),
       (const real *, g), (real *, p), (real *, m), (real *, v))
/* v: outer (cols + rows) means where factored, else one a value */
KERNEL(adafactor, OPTIMIZER, adafactor_work(s), (const struct adafactor *, s),
       (const real *, g), (real *, p), (real *, v))

#undef OP
#undef KERNEL
