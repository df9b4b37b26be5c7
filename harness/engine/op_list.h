/*
 * The list of all ops and kernels (X macros).
 *
 *     OP(name, parameter, ...)
 *         declares tensor *ad_NAME(struct tape *t, parameters); see ops.h
 *     KERNEL(name, class, work, parameter, ...)
 *         declares a void function of every backend; see backend.h.  The CPU
 *         kernel is cpu_NAME.
 *
 * Each parameter is written (type, name); an entry has at most ten parameters.
 * The class is the group in which the time of the kernel is reported (timed.h).
 * The work is what a call reads, writes and multiplies, as an expression of the
 * parameters: VALUES(n), for n reals that are read or written once each, or a
 * function of count.c.  Only count.c uses the work.  A kernel adds to its
 * result if the result is a gradient or the comment writes +=; all other
 * kernels overwrite it.  Pointers are buffers, except pointers to int and to
 * structs of shapes (backend.h).
 *
 * The comment of an op gives its formula, the shapes of its inputs and, after
 * ->, the shape of its result.  ops.h defines the letters.
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

/* The first `cols` columns of act(x_h W_h + c_h) for each head h.  x is (b,n,h
 * k), whose width is split into heads; or (b,n,k), which all heads read; or
 * (h,b,n,k).  W is (h,k,o) or, unless x is (b,n,k), (k,o) for all heads;  c
 * (h,o) or NULL -> (h,b,n,cols), cols <= o */
OP(head_linear, (tensor *, x), (tensor *, w), (tensor *, c), (enum act, act),
   (int, cols))

/* Computes the product that struct gemm (backend.h) describes. */
KERNEL(gemm, PRODUCTS, gemm_work(s), (const struct gemm *, s),
       (const real *, a), (const real *, b), (const real *, bias), (real *, c))
/* gy = 0 where y = 0 */
KERNEL(relu_back, ELEMENTWISE, VALUES(3.0 * n), (size_t, n), (const real *, y),
       (real *, gy))
/* The same for y rounded to bfloat16. */
KERNEL(relu_back_low, ELEMENTWISE, VALUES(2.5 * n), (size_t, n),
       (const uint16_t *, y), (real *, gy))
/* sum[o step + j] += the sum over r of x[o,r,j];  x (outer,rows,n) */
KERNEL(column_sums, ELEMENTWISE, VALUES(1.0 * outer * rows * n), (int, outer),
       (size_t, rows), (int, n), (size_t, step), (const real *, x),
       (real *, sum))

/* ---- scores computed from tokens ---- */

/* scale q_h k_h^T;  q (b,n,d), k (b,m,d) -> (h,b,n,m) */
OP(dot_scores, (tensor *, q), (tensor *, k), (int, heads), (double, scale))

/* B[.., j] = A[.., j mod a] C[.., j div a], j < m, where A is fa (h,b,n,a) and
 * C is fc (h,b,n,c) -> (h,b,n,m) */
OP(pair, (tensor *, fa), (tensor *, fc), (int, m))
KERNEL(pair, SCORES, VALUES(1.0 * rows * (a + c + m)), (size_t, rows),
       (int, a), (int, c), (int, m), (const real *, fa), (const real *, fc),
       (real *, out))
KERNEL(pair_back, SCORES, VALUES(1.0 * rows * (3 * (a + c) + m)),
       (size_t, rows), (int, a), (int, c), (int, m), (const real *, fa),
       (const real *, fc), (const real *, gout), (real *, ga), (real *, gc))

/* Constant zeros (h,1,n,m), so that all weights are equal. */
OP(no_scores, (int, h), (int, n), (int, m))

/* ---- scores read from tables ---- */

/* Rows `from` to `from` + n - 1 and columns 0 to m - 1 of R;  R (h,N,N) ->
 * (h,1,n,m) */
OP(corner, (tensor *, r), (int, from), (int, n), (int, m))

/* Rows `from` to `from` + n - 1 and columns 0 to m - 1 of R1 R2^T;  R1, R2
 * (h,N,r) -> (h,1,n,m) */
OP(low_rank, (tensor *, r1), (tensor *, r2), (int, from), (int, n), (int, m))

/* y[h,.,i,j] = sum_t R1[t,h,j] R2[t,h,j], equal for all n rows i;  R1, R2
 * (r,h,N), m <= N -> (h,1,n,m) */
OP(columns, (tensor *, r1), (tensor *, r2), (int, n), (int, m))
KERNEL(columns, SCORES, VALUES(2.0 * r * h * m + 1.0 * h * n * m), (int, r),
       (int, h), (int, N), (int, n), (int, m), (const real *, r1),
       (const real *, r2), (real *, y))
KERNEL(columns_back, SCORES, VALUES(6.0 * r * h * m + 1.0 * h * n * m),
       (int, r), (int, h), (int, N), (int, n), (int, m), (const real *, r1),
       (const real *, r2), (const real *, gy), (real *, gr1), (real *, gr2))

/* T[bucket(j - i), h] for the rows i = `from` to `from` + n - 1 and the columns
 * j = 0 to m - 1;  T (buckets,h) -> (h,1,n,m).  bucket() is the function of T5
 * (Raffel et al. 2020). */
OP(relative, (tensor *, table), (const struct relative *, r), (int, from),
   (int, n), (int, m))
/* y[h,i,j] = table[row[j - i + n - 1], h];  table (rows,h), row (n+m-1) */
KERNEL(diagonals, SCORES, VALUES(1.0 * h * n * m), (int, n), (int, m), (int, h),
       (const int *, row), (const real *, table), (real *, y))
KERNEL(diagonals_back, SCORES, VALUES(1.0 * h * n * m), (int, n), (int, m),
       (int, h), (const int *, row), (const real *, gy), (real *, gtable))

/* ---- mixtures ---- */

/* sum_i w_i X_i + P, with `parts` tensors X_i (`x`) and the tensor P (`plus`;
 * NULL: 0).  All tensors have the same shape, except that the second dimension
 * of some can be 1; these are repeated along it.  `rule` (ops.h) says how w is
 * computed from a.  With MIX_HEADS the parts are concatenated along the first
 * dimension. */
OP(mix, (enum mix_rule, rule), (int, parts), (tensor *const *, x),
   (tensor *, a), (tensor *, plus))
/* Computes w (parts) from a, which is (parts), or (1) if `sigmoid`.  A sigmoid
 * requires 2 parts. */
KERNEL(mix_weights, SCORES, VALUES(3.0 * parts), (int, parts), (int, sigmoid),
       (const real *, a), (double *, w))
/* ga += the gradient of a, computed from gw (parts), the gradient of w */
KERNEL(mix_weights_back, SCORES, VALUES(6.0 * parts), (int, parts),
       (int, sigmoid), (const double *, w), (const double *, gw), (real *, ga))
/* Stores the sum Y of struct mix_sum in y.  The parts are added in order, then
 * `plus`.  If w is NULL, all weights are 1.  `plus` and the x of missing parts
 * may be NULL. */
KERNEL(mix, SCORES, mix_work(s), (const struct mix_sum *, s),
       (const double *, w), (const real *, x0), (const real *, x1),
       (const real *, x2), (const real *, x3), (const real *, plus),
       (real *, y))
/* x is the tensor of part p of s.  gx += w_p y' unless gx is NULL, and gw[p] =
 * the dot product of y' and x unless gw is NULL.  y' is gy; if x is repeated
 * for all sentences, it is the sum of gy over the sentences. */
KERNEL(mix_back, SCORES, mix_back_work(s, p, gx != NULL, gw != NULL),
       (const struct mix_sum *, s), (int, p), (const double *, w),
       (const real *, gy), (const real *, x), (real *, gx), (double *, gw))

/* ---- attention ---- */

/* softmax(B + mask) V with dropout on the weights;  `scores` is B (h,b,n,m) or
 * (h,1,n,m), v (b,m,d) -> (b,n,d) */
OP(attend, (tensor *, scores), (tensor *, v), (struct keys, keys))
/* Stores the output in y and the weights, which attend_back needs, in p, which
 * is (h,b,n,m), or (h,1,n,m) if attend_once(a) (backend.h).  work is a buffer
 * of 2 attend_together(a) n m values. */
KERNEL(attend, ATTENTION, attend_work(a), (const struct attend *, a),
       (const real *, scores), (const real *, v), (real *, work), (real *, p),
       (real *, y))
/* Computes the gradients of the scores and of V; gscores or gv may be NULL.
 * work is as in attend. */
KERNEL(attend_back, ATTENTION,
       attend_back_work(a, gscores != NULL, gv != NULL),
       (const struct attend *, a), (const real *, p), (const real *, v),
       (const real *, gy), (real *, work), (real *, gscores), (real *, gv))

/* Fused attention: stores the output in y and, for each row, the maximum of its
 * scores and 1 / the sum of their exponentials in stat (h,b,n,2). */
KERNEL(fuse, ATTENTION, fuse_work(s), (const struct fused *, s),
       (const real *, v), (real *, stat), (real *, y))
/* Adds to the gradients in s and to gv; gv may be NULL.  s->gw, if not NULL, is
 * overwritten. */
KERNEL(fuse_back, ATTENTION, fuse_back_work(s, gv != NULL),
       (const struct fused *, s), (const real *, v), (const real *, stat),
       (const real *, y), (const real *, gy), (real *, gv))

/* ---- along the length ---- */

/* x1 sigmoid(x2), where x = (x1, x2);  x (b,n,2d) -> (b,n,d).  The result is 0
 * from position length[b] on; `length` may be NULL. */
OP(glu, (tensor *, x), (const int *, length))
KERNEL(glu, CONVOLUTION, VALUES(3.0 * b * n * d), (int, b), (int, n), (int, d),
       (const int *, length), (const real *, x), (real *, y))
KERNEL(glu_back, CONVOLUTION, VALUES(7.0 * b * n * d), (int, b), (int, n),
       (int, d), (const int *, length), (const real *, x), (const real *, gy),
       (real *, gx))

/* The softmax of each k consecutive values of the last dimension. */
OP(softmax, (tensor *, x), (int, k))
KERNEL(softmax, CONVOLUTION, VALUES(2.0 * rows * k), (size_t, rows), (int, k),
       (const real *, x), (real *, y))
KERNEL(softmax_back, CONVOLUTION, VALUES(4.0 * rows * k), (size_t, rows),
       (int, k), (const real *, y), (const real *, gy), (real *, gx))

/* y[i,c] = bias[c] + sum_j w[c H div d, j] u[`from` + i + `first` + j, c], with
 * H = `heads` and taps j = 0 .. k - 1; u is 0 outside its m rows;  u (b,m,d), w
 * (H,k) or (b,n,H k), bias (d) or NULL -> (b,n,d) */
OP(conv, (tensor *, u), (tensor *, w), (tensor *, bias), (int, n),
   (int, heads), (int, from), (int, first))
KERNEL(conv, CONVOLUTION, conv_work(s), (const struct conv *, s),
       (const real *, u), (const real *, w), (const real *, bias), (real *, y))
KERNEL(conv_back, CONVOLUTION, conv_back_work(s), (const struct conv *, s),
       (const real *, u), (const real *, w), (const real *, gy), (real *, gu),
       (real *, gw))

/* The product of the first n columns of E with x, whose positions from
 * length[b] on count as 0;  E (p,N), x (b,n,d) -> (b,p,d) */
OP(project, (tensor *, e), (tensor *, x), (const int *, length))

/* The tokens of x without padding, packed by p (tape.h), or x itself if p is
 * NULL;  x (b,n,d) -> (1,rows,d).  No later op may read x. */
OP(pack, (tensor *, x), (const struct packing *, p))
/* Reverses pack, for each head if there are heads;  x ([h,]1,rows,d) ->
 * ([h,]b,n,d), 0 at padding */
OP(unpack, (tensor *, x), (const struct packing *, p))
/* `wide` is (h,b,n,d), `packed` (h,rows,d); pack writes `packed`, unpack writes
 * `wide`.  If `add` is set, the tokens are added to the result and its other
 * values do not change.  Otherwise the result is stored, with 0 where there is
 * no token. */
KERNEL(pack, ELEMENTWISE, VALUES((2.0 + add) * h * p->rows * d),
       (const struct packing *, p), (int, h), (int, d), (int, add),
       (const real *, wide), (real *, packed))
KERNEL(unpack, ELEMENTWISE,
       VALUES(add ? 3.0 * h * p->rows * d
                  : 1.0 * h * (p->rows + p->b * p->n) * d),
       (const struct packing *, p), (int, h), (int, d), (int, add),
       (const real *, packed), (real *, wide))

/* The mean over the first length[b] positions, or 0 if length[b] is 0;  x
 * (b,n,d) -> (b,d) */
OP(mean, (tensor *, x), (const int *, length))
KERNEL(mean, ELEMENTWISE, VALUES(1.0 * b * n * d), (int, b), (int, n), (int, d),
       (const int *, length), (const real *, x), (real *, y))
KERNEL(mean_back, ELEMENTWISE, VALUES(2.0 * b * n * d), (int, b), (int, n),
       (int, d), (const int *, length), (const real *, gy), (real *, gx))

/* ---- norms, embeddings and dropout ---- */

/* Layer normalisation over the last dimension (Ba et al. 2016), with biased
 * variance and eps inside the root.  If `bias` is NULL, it is root mean square
 * normalisation (Zhang and Sennrich 2019). */
OP(norm, (tensor *, x), (tensor *, gain), (tensor *, bias), (double, eps))
/* y = (x - mean) rstd gain + bias.  stat (rows,2) receives mean and rstd.  If
 * bias is NULL, mean is 0 and rstd is 1 / the root mean square. */
KERNEL(norm, NORM, VALUES(2.0 * rows * d), (size_t, rows), (int, d),
       (double, eps), (const real *, x), (const real *, gain),
       (const real *, bias), (real *, y), (real *, stat))
/* Computes the gradients of x, gain and bias from stat; gbias is NULL if the
 * norm has no bias. */
KERNEL(norm_back, NORM, VALUES(4.0 * rows * d), (size_t, rows), (int, d),
       (const real *, x), (const real *, gain), (const real *, stat),
       (const real *, gy), (real *, gx), (real *, ggain), (real *, gbias))

/* scale table[id[b,i]] + wave[`from` + i];  table (v,d), id (b,n), wave (N,d),
 * which is constant, learned or NULL -> (b,n,d) */
OP(embed, (tensor *, table), (tensor *, wave), (const int *, id), (int, b),
   (int, n), (int, from), (double, scale))
/* y[r] = scale table[id[r]] + wave[`from` + r mod n] */
KERNEL(embed, EMBEDDING, VALUES((wave ? 3.0 : 2.0) * rows * d), (size_t, rows),
       (int, n), (int, d), (int, from), (const int *, id),
       (const real *, table), (const real *, wave), (real, scale), (real *, y))
/* Adds gy to the gradients of the rows that embed read: `scale` gy to gtable,
 * and gy to gwave.  An id may occur in many rows.  gtable or gwave may be
 * NULL. */
KERNEL(embed_back, EMBEDDING,
       VALUES((1.0 + 2 * !!gtable + 2 * !!gwave) * rows * d),
       (size_t, rows), (int, n), (int, d), (int, from), (const int *, id),
       (real, scale), (const real *, gy), (real *, gtable), (real *, gwave))

/* x with dropout at the tape's rate */
OP(dropout, (tensor *, x))
OP(residual, (tensor *, x), (tensor *, z)) /* x + dropout(z) */
/* kept[s,i] = 1 with probability `keep`, else 0.  It is drawn with the key of
 * site key.site + s, at counter `first` + i;  kept (sites,n) */
KERNEL(drop_draw, DROPOUT, VALUES(0.25 * sites * n), (int, sites), (size_t, n),
       (struct rng_key, key), (uint64_t, first), (real, keep),
       (unsigned char *, kept))
/* Draws kept (rows,d) for packed tokens.  Token i of sentence s gets the d
 * values that drop_draw draws from counter (row + s) n d + i d on, as if the
 * tokens were not packed.  Rows after the last token are 0. */
KERNEL(drop_draw_packed, DROPOUT, VALUES(0.25 * p->rows * d),
       (const struct packing *, p), (int, d), (struct rng_key, key),
       (int, row), (real, keep), (unsigned char *, kept))
/* drop_add: y = x + kept z / keep;  drop_back: gz += kept gy / keep.  If x is
 * NULL, it counts as 0; if `kept` is NULL, all values are kept. */
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

/* copy_blocks: `to` = `from`;  add_blocks: `to` += `from`.  struct blocks gives
 * the distances in both arrays.  The blocks of `to` are disjoint. */
KERNEL(copy_blocks, ELEMENTWISE, VALUES(2.0 * s->outer * s->rows * s->cols),
       (const struct blocks *, s), (const real *, from), (real *, to))
KERNEL(add_blocks, ELEMENTWISE, VALUES(3.0 * s->outer * s->rows * s->cols),
       (const struct blocks *, s), (const real *, from), (real *, to))
/* to[i step + c] = from[row[i] step + c], i < rows, c < cols <= step.  If
 * row[i] ascends strictly, `from` and `to` may be the same array: rows then
 * move towards its start, in order. */
KERNEL(gather, ELEMENTWISE, VALUES(2.0 * rows * cols), (size_t, rows),
       (size_t, cols), (size_t, step), (const int *, row), (const real *, from),
       (real *, to))
/* to[row[i],c] += from[i,c];  from (rows,cols); row[i] ascends strictly */
KERNEL(scatter_add, ELEMENTWISE, VALUES(3.0 * rows * cols), (size_t, rows),
       (size_t, cols), (const int *, row), (const real *, from), (real *, to))
/* Extends x (b,`from`) in place to (b,`to`), where `to` >= `from`, with zeros
 * at the end of each row. */
KERNEL(spread, ELEMENTWISE, VALUES(1.0 * b * from + 1.0 * b * to), (int, b),
       (size_t, from), (size_t, to), (real *, x))

/* ---- losses ---- */

/* A loss is the last op on a tape: its gradient is computed together with the
 * loss, so no op may follow it.
 *
 * vocab_loss: logits = y E^T, in blocks of rows;  y (b,m,d), E (v,d) ->
 * scalar */
OP(vocab_loss, (tensor *, y), (tensor *, table), (struct loss *, loss))
/* class_loss: logits (b,c) -> scalar */
OP(class_loss, (tensor *, logits), (struct loss *, loss))
/* square_loss: the mean squared error;  y (b,1), want (b) -> scalar.  loss->nll
 * receives (y - want)^2. */
OP(square_loss, (tensor *, y), (const float *, want), (struct loss *, loss))

/* loss[0] = `scale` times the sum of the smoothed losses.  nll[r] = -log
 * p(target).  hit[r] = 1 if the most probable class (with equal probabilities,
 * the first) is the target, else 0.  If `gradient` is set, the logits are
 * replaced by d loss / d logits. */
KERNEL(cross_entropy, LOSS, VALUES((1.0 + gradient) * s->rows * s->v),
       (const struct cross_entropy *, s), (real *, logits), (int, gradient),
       (double *, nll), (unsigned char *, hit), (double *, loss))
/* error = y - want, nll = error^2, loss[0] = `scale` times the sum of nll, and
 * gy += 2 `scale` error unless gy is NULL.  All arrays except `loss` are
 * (n). */
KERNEL(square_error, LOSS, VALUES(5.0 * n + 2.0 * !!gy * n), (size_t, n),
       (double, scale), (const real *, want), (const real *, y),
       (real *, error), (real *, gy), (double *, nll), (double *, loss))

/* ---- decoding ---- */

/* out (rows,k) receives the k largest values of each row of x (rows,v), in
 * descending order; equal values are ordered by ascending id.  work is a buffer
 * (v). */
KERNEL(best, LOSS, VALUES(1.0 * rows * v), (size_t, rows), (int, v), (int, k),
       (const real *, x), (real *, work), (struct best *, out))

/* ---- optimisers ---- */

/* One step of the optimizer for n weights p with gradient g, state m and v. */
KERNEL(adam, OPTIMIZER, VALUES(7.0 * n), (size_t, n), (const struct adam *, s),
       (const real *, g), (real *, p), (real *, m), (real *, v))
/* One step of the optimizer for weights p with gradient g and state v.  If
 * s->factored, v holds, for each of s->outer matrices, the means of its `rows`
 * rows, then those of its `cols` columns; else one value per weight. */
KERNEL(adafactor, OPTIMIZER, adafactor_work(s), (const struct adafactor *, s),
       (const real *, g), (real *, p), (real *, v))

#undef OP
#undef KERNEL
