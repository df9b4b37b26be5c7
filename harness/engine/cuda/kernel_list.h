/*
 * The list of all kernels of kernels.cu (X macro).  CUDA(name, (type,
 * parameter), ...) becomes the prototype of cuda_NAME, its launch (launches.h)
 * and its call in tests (tests/support/device.c).  A kernel adds to its result
 * (+=) if its comment says "Adds"; all others store it.  Unless a comment says
 * how many blocks or warps a kernel needs, any number of blocks gives
 * bit-identical results.  If a comment does not give the formula of a kernel,
 * the kernel or op of the same name in op_list.h does.  SPAN and TILE are
 * defined in kernels.h; a slice is a number of consecutive rows.
 */

/* y += a x */
CUDA(axpy, (size_t, n), (real, a), (const real *, x), (real *, y))
/* g = 0 where y = 0 */
CUDA(relu_back, (size_t, n), (const real *, y), (real *, g))
/* The same for y rounded to bfloat16. */
CUDA(relu_back_low, (size_t, n), (const unsigned short *, y), (real *, g))
/* low = x rounded to bfloat16 */
CUDA(lower, (size_t, n), (const real *, x), (unsigned short *, low))
/* sum[b] = the dot product of x and y over the values b SPAN to b SPAN + SPAN -
 * 1; one block per b */
CUDA(dots, (size_t, n), (const real *, x), (const real *, y), (double *, sum))
/* *sum = scale times the sum of the n values of x; one block */
CUDA(total, (size_t, n), (double, scale), (const double *, x),
     (double *, sum))

/* sum[o step + s n + j] = the sum of x[o,r,j] over the rows r of slice s, which
 * begins at row s * slice;  x (outer,rows,n).  Adds if `add` is set.  One block
 * per 32 columns of a slice. */
CUDA(column_sums, (size_t, rows), (int, n), (size_t, slice), (size_t, step),
     (int, add), (const real *, x), (real *, sum))

/* Row s of `kept` (sites,n) is drawn with the key of site key.site + s. */
CUDA(drop_draw, (int, sites), (size_t, n), (struct cuda_key, key),
     (size_t, first), (unsigned, limit), (unsigned char *, kept))
/* Draws `kept` (rows,d) for the tokens of a packing.  In the padded array, each
 * sentence takes `one` values; those of sentence s are drawn with the indices
 * from first + s * one on.  start (b + 1) holds the row at which each
 * sentence begins, then the number of rows. */
CUDA(drop_draw_packed, (int, b), (size_t, one), (int, d), (const int *, start),
     (struct cuda_key, key), (size_t, first), (unsigned, limit),
     (unsigned char *, kept))
CUDA(drop_add, (size_t, n), (real, keep), (const unsigned char *, kept),
     (const real *, x), (const real *, z), (real *, y))
/* Adds to gz. */
CUDA(drop_back, (size_t, n), (real, keep), (const unsigned char *, kept),
     (const real *, gy), (real *, gz))

/* One warp per row; `stat` is (rows,2). */
CUDA(norm, (size_t, rows), (int, d), (double, eps), (const real *, x),
     (const real *, gain), (const real *, bias), (real *, y), (real *, stat))
/* Adds to gx; one warp per row.  `biased` says whether the norm has a bias. */
CUDA(norm_back, (size_t, rows), (int, d), (int, biased), (const real *, x),
     (const real *, gain), (const real *, stat), (const real *, gy),
     (real *, gx))
/* `gain` = the column sums of gy z, where z is the normalised x.  `bias`,
 * unless it is NULL, = the column sums of gy.  Both have one row of sums per
 * slice, as in column_sums. */
CUDA(norm_gains, (size_t, rows), (int, d), (size_t, slice), (const real *, x),
     (const real *, stat), (const real *, gy), (real *, gain), (real *, bias))

/* One warp per row. */
CUDA(softmax, (size_t, rows), (int, k), (const real *, x), (real *, y))
/* Adds to gx; one warp per row. */
CUDA(softmax_back, (size_t, rows), (int, k), (const real *, y),
     (const real *, gy), (real *, gx))

/* ---- rows and blocks ---- */

/* `to` = `from`, or `to` += `from` if `add` is set */
CUDA(move_blocks, (struct cuda_blocks, s), (int, add), (const real *, from),
     (real *, to))
CUDA(gather, (size_t, rows), (size_t, cols), (size_t, step),
     (size_t, to_step), (const int *, row), (const real *, from), (real *, to))
/* Adds to `to`. */
CUDA(scatter_add, (size_t, rows), (size_t, cols), (const int *, row),
     (const real *, from), (real *, to))
/* Each row of `to` (b,wide) is the same row of `from` (b,narrow), followed by
 * zeros. */
CUDA(spread, (int, b), (size_t, narrow), (size_t, wide), (const real *, from),
     (real *, to))
/* In pack and unpack, start (b + 1) holds the packed row at which each sentence
 * begins, then the number of packed rows. */
CUDA(pack, (struct cuda_packing, p), (const int *, start), (int, add),
     (const real *, wide), (real *, packed))
CUDA(unpack, (struct cuda_packing, p), (const int *, start), (int, add),
     (const real *, packed), (real *, wide))

/* ---- mixtures ---- */

/* In mix_weights and mix_weights_back, one thread computes everything. */
CUDA(mix_weights, (int, parts), (int, sigmoid), (const real *, a),
     (double *, w))
CUDA(mix_weights_back, (int, parts), (int, sigmoid), (const double *, w),
     (const double *, gw), (real *, ga))
CUDA(mix, (struct cuda_mix, s), (const double *, w), (real *, y))
/* For part p with values x:  gx += w_p y', and sum[b] = the dot product of y'
 * and x over the SPAN values of the part from b SPAN on.  y' is gy, summed over
 * the sentences for which x is repeated.  One block per b.  gx or sum may be
 * NULL. */
CUDA(mix_back, (struct cuda_mix, s), (int, p), (const double *, w),
     (const real *, gy), (real *, gx), (double *, sum))

/* ---- scores ---- */

CUDA(pair, (size_t, rows), (int, a), (int, c), (int, m), (const real *, fa),
     (const real *, fc), (real *, out))
/* Adds to ga and gc. */
CUDA(pair_back, (size_t, rows), (int, a), (int, c), (int, m),
     (const real *, fa), (const real *, fc), (const real *, gout),
     (real *, ga), (real *, gc))
CUDA(columns, (int, r), (int, h), (int, N), (int, n), (int, m),
     (const real *, r1), (const real *, r2), (real *, y))
/* Adds to gr1 and gr2. */
CUDA(columns_back, (int, r), (int, h), (int, N), (int, n), (int, m),
     (const real *, r1), (const real *, r2), (const real *, gy),
     (real *, gr1), (real *, gr2))
CUDA(diagonals, (int, n), (int, m), (int, h), (const int *, row),
     (const real *, table), (real *, y))
/* For each head k, sum[k,o] = the sum of gy[k,i,j] over all i and j with j - i
 * + n - 1 = o;  o < n + m - 1 */
CUDA(diagonal_sums, (int, n), (int, m), (int, h), (const real *, gy),
     (real *, sum))
/* Adds to table[r,k], r < rows, the sum of sum[k,o] over all o with row[o] =
 * r. */
CUDA(diagonals_back, (int, n), (int, m), (int, h), (int, rows),
     (const int *, row), (const real *, sum), (real *, table))

/* ---- attention ---- */

/* Stores the weights p and, unless `thin` is NULL, thin = kept p / keep; one
 * warp per row of p. */
CUDA(weigh, (struct cuda_attend, a), (const real *, scores), (real *, p),
     (real *, thin))
/* thin = kept p / keep, for n values */
CUDA(thin, (size_t, n), (real, keep), (const unsigned char *, kept),
     (const real *, p), (real *, thin))
/* Adds to gscores.  gp (h,b,n,m) is gy v^T, the gradient of the weights.  One
 * warp per row of gscores. */
CUDA(weigh_back, (struct cuda_attend, a), (const real *, p),
     (const real *, gp), (real *, gscores))

/* ---- fused attention (attend.cu) ---- */

/* Writes x, or `low` if it is not NULL, in the form in which matrix
 * instructions read operands (struct cuda_operand). */
CUDA(operand, (struct cuda_layout, s), (const real *, x),
     (const unsigned short *, low), (struct quad *, to))
/* y (b,n,h k) = the output of attention; stat (h,b,n,2) = the maximum of the
 * scores of each row, and 1 / the sum of their exponentials.  One warp per
 * SQUARE rows of a head of a sentence. */
CUDA(fuse, (struct cuda_fuse, f), (real *, stat), (real *, y))
/* along (h,b,n) = the sum of Y' Y over the k values of each row; one warp per
 * row */
CUDA(fuse_along, (struct cuda_fuse, f), (const real *, y), (const real *, gy),
     (real *, along))
/* fuse_rows sums over the keys of each row, fuse_keys over the rows of each
 * key; both add the sums to the values in `to`.  One warp per SQUARE rows, or
 * keys, of one head and one of the g.slices slices. */
CUDA(fuse_rows, (struct cuda_fuse, f), (struct cuda_gather, g),
     (const real *, stat), (real *, to))
CUDA(fuse_keys, (struct cuda_fuse, f), (struct cuda_gather, g),
     (const real *, stat), (real *, to))
/* Adds to the gradients of the tables that have sentences of their own (`own`
 * is 1), or of those that all sentences share (0).  One warp per SQUARE rows
 * and 2 SQUARE keys of a head or, if `own` is 1, of a head of a sentence. */
CUDA(fuse_tables, (struct cuda_fuse, f), (int, own), (const real *, stat))
/* One warp per SQUARE rows of a head of a sentence.  sum[i,w] = the sum, over
 * the rows of warp w, of the products of the gradient of the scores and the
 * values of the parts with weight i. */
CUDA(fuse_weights, (struct cuda_fuse, f), (const real *, stat),
     (double *, sum))
/* Adds to `to`. */
CUDA(fold, (struct cuda_fold, s), (const double *, w), (const real *, x),
     (real *, to))

/* ---- along the length ---- */

CUDA(glu, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, x), (real *, y))
/* Adds to gx. */
CUDA(glu_back, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, x), (const real *, gy), (real *, gx))
CUDA(conv, (struct cuda_conv, s), (const real *, u), (const real *, w),
     (const real *, bias), (real *, y))
/* Adds to gu. */
CUDA(conv_back, (struct cuda_conv, s), (const real *, w), (const real *, gy),
     (real *, gu))
/* taps (b,n,heads k) = the gradient of the taps; adds to it if `add` is set.
 * One warp per row and head. */
CUDA(conv_taps, (struct cuda_conv, s), (int, add), (const real *, u),
     (const real *, gy), (real *, taps))
CUDA(mean, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, x), (real *, y))
/* Adds to gx. */
CUDA(mean_back, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, gy), (real *, gx))

/* ---- embedding ---- */

CUDA(embed, (size_t, rows), (int, n), (int, d), (int, from),
     (const int *, id), (const real *, table), (const real *, wave),
     (real, scale), (real *, y))
/* Row to[g] of `out` = `scale` times the sum of the rows item[i] of x (..,d)
 * for start[g] <= i < start[g + 1].  Adds if `add` is set.  If `item` is NULL,
 * it counts as item[i] = i; if `to` is NULL, it counts as to[g] = g. */
CUDA(group_sums, (int, groups), (int, d), (const int *, start),
     (const int *, item), (const int *, to), (real, scale), (int, add),
     (const real *, x), (real *, out))
/* Adds the sum of x (b,n,d) over the b sentences to wave (n,d). */
CUDA(wave_back, (int, b), (int, n), (int, d), (const real *, x),
     (real *, wave))

/* ---- losses ---- */

/* nll and smoothed are (rows); one block per row. */
CUDA(cross_entropy, (struct cuda_loss, s), (real *, logits), (int, gradient),
     (double *, nll), (double *, smoothed), (unsigned char *, hit))
CUDA(square_error, (size_t, n), (double, scale), (const real *, want),
     (const real *, y), (real *, error), (real *, gy), (double *, nll))

/* ---- decoding ---- */

/* One block per row. */
CUDA(best, (int, v), (int, k), (const real *, x), (struct cuda_best *, out))

/* ---- optimisers ---- */

CUDA(adam, (size_t, n), (struct cuda_adam, s), (const real *, g), (real *, p),
     (real *, m), (real *, v))
/* In the following, o is the index of a matrix of struct cuda_matrix
 * (kernels.h), i an index on its far axis, and j one on its near axis.
 *
 * sum[o,i] = the sum over j of the squares of g at (o,i,j); one warp per (o,i)
 */
CUDA(far_squares, (struct cuda_matrix, s), (const real *, g), (double *, sum))
/* sum[o,t,j] = the sum of the squares of g at (o,i,j) over the i of slice t of
 * the far axis; one block per 32 columns of a slice */
CUDA(near_squares, (struct cuda_matrix, s), (size_t, slice),
     (const real *, g), (double *, sum))
/* v[at] = decay v[at] + (1 - decay) (eps + all / n), where at = o step + j and
 * all is the sum over t of sum[o,t,j] */
CUDA(moments, (size_t, outer), (size_t, cols), (size_t, slices),
     (struct cuda_decay, c), (const double *, sum), (real *, v))
/* mean[o] = the mean of v[o step] to v[o step + rows - 1]; one warp per o */
CUDA(row_means, (size_t, outer), (size_t, rows), (size_t, step),
     (const real *, v), (double *, mean))
/* sum[b] = the sum of u^2 over the SPAN values of the tensor from b SPAN on,
 * where u = g / sqrt(second moment); one block per b.  If `mean` is NULL, v is
 * not factored. */
CUDA(units, (struct cuda_matrix, s), (const real *, g), (const real *, v),
     (const double *, mean), (double *, sum))
/* p -= rate u, with u as in `units`; the rate is computed from the sums of p^2
 * and u^2 */
CUDA(adafactor, (struct cuda_matrix, s), (struct cuda_rate, r),
     (const real *, g), (const real *, v), (const double *, mean),
     (const double *, p_squares), (const double *, u_squares), (real *, p))

/* ---- products ---- */

/* Computes the product that struct gemm of engine/backend.h defines.  One block
 * per tile of C (TILE x TILE values); the tiles of a batch are consecutive. */
CUDA(product, (struct cuda_product, s), (const real *, a), (const real *, b),
     (const real *, bias), (real *, c))
/* Computes the same product as `product`, but from bfloat16 operands. */
CUDA(product_low, (struct cuda_product, s), (const unsigned short *, a),
     (const unsigned short *, b), (const real *, bias), (real *, c))
