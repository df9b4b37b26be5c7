/*
 * Every kernel of kernels.cu.  CUDA(name, (type, parameter), ...) becomes its
 * prototype, cuda_NAME, its launch (launch.c) and its call in tests
 * (tests/support/device.c).  Kernels that say "adds" do +=, all others store.
 * Unless a row says how many blocks it needs, any number gives the same bits.
 */

/* y += a x */
CUDA(axpy, (size_t, n), (real, a), (const real *, x), (real *, y))
/* g = 0 where y = 0 */
CUDA(relu_back, (size_t, n), (const real *, y), (real *, g))
/* low: x rounded to bfloat16 */
CUDA(lower, (size_t, n), (const real *, x), (unsigned short *, low))
/* sum[b] = x . y over the values b SPAN .. of them: a block a span */
CUDA(dots, (size_t, n), (const real *, x), (const real *, y), (double *, sum))
/* *sum: scale times all n of x; one block */
CUDA(total, (size_t, n), (double, scale), (const double *, x),
     (double *, sum))

/* sum[o step + s n + j]: of rows s slice .. of x (outer,rows,n); adds where
 * `add`.  A block 32 columns of a slice */
CUDA(column_sums, (size_t, rows), (int, n), (size_t, slice), (size_t, step),
     (int, add), (const real *, x), (real *, sum))

/* kept (sites,n): of site + s */
CUDA(drop_draw, (int, sites), (size_t, n), (struct cuda_key, key),
     (size_t, first), (unsigned, limit), (unsigned char *, kept))
/* The tokens of a packing; start (b + 1): where sentences begin in it */
CUDA(drop_draw_packed, (int, b), (size_t, one), (int, d), (const int *, start),
     (struct cuda_key, key), (size_t, first), (unsigned, limit),
     (unsigned char *, kept))
CUDA(drop_add, (size_t, n), (real, keep), (const unsigned char *, kept),
     (const real *, x), (const real *, z), (real *, y))
/* adds */
CUDA(drop_back, (size_t, n), (real, keep), (const unsigned char *, kept),
     (const real *, gy), (real *, gz))

/* A warp a row; stat (rows,2) */
CUDA(norm, (size_t, rows), (int, d), (double, eps), (const real *, x),
     (const real *, gain), (const real *, bias), (real *, y), (real *, stat))
/* adds to gx; a warp a row.  biased: the norm has a bias */
CUDA(norm_back, (size_t, rows), (int, d), (int, biased), (const real *, x),
     (const real *, gain), (const real *, stat), (const real *, gy),
     (real *, gx))
/* Of each slice as column_sums: sums of gy z and, unless NULL, of gy */
CUDA(norm_gains, (size_t, rows), (int, d), (size_t, slice), (const real *, x),
     (const real *, stat), (const real *, gy), (real *, gain), (real *, bias))

/* A warp a row */
CUDA(softmax, (size_t, rows), (int, k), (const real *, x), (real *, y))
/* adds; a warp a row */
CUDA(softmax_back, (size_t, rows), (int, k), (const real *, y),
     (const real *, gy), (real *, gx))

/* ---- rows and blocks ---- */

/* to = from, or += where `add` */
CUDA(move_blocks, (struct cuda_blocks, s), (int, add), (const real *, from),
     (real *, to))
CUDA(gather, (size_t, rows), (size_t, cols), (size_t, step),
     (size_t, to_step), (const int *, row), (const real *, from), (real *, to))
/* adds */
CUDA(scatter_add, (size_t, rows), (size_t, cols), (const int *, row),
     (const real *, from), (real *, to))
/* to (b,wide): from (b,narrow), then zeros */
CUDA(spread, (int, b), (size_t, narrow), (size_t, wide), (const real *, from),
     (real *, to))
/* start (b + 1): where sentences begin among the packed rows */
CUDA(pack, (struct cuda_packing, p), (const int *, start), (int, add),
     (const real *, wide), (real *, packed))
CUDA(unpack, (struct cuda_packing, p), (const int *, start), (int, add),
     (const real *, packed), (real *, wide))

/* ---- mixtures ---- */

/* One thread */
CUDA(mix_weights, (int, parts), (int, sigmoid), (const real *, a),
     (double *, w))
CUDA(mix_weights_back, (int, parts), (int, sigmoid), (const double *, w),
     (const double *, gw), (real *, ga))
CUDA(mix, (struct cuda_mix, s), (const double *, w), (real *, y))
/* gx += w_p y', and sum[b] = <y', x>, values b SPAN .. of the part: a block a
 * span; gx or sum may be NULL */
CUDA(mix_back, (struct cuda_mix, s), (int, p), (const double *, w),
     (const real *, gy), (real *, gx), (double *, sum))

/* ---- scores ---- */

CUDA(pair, (size_t, rows), (int, a), (int, c), (int, m), (const real *, fa),
     (const real *, fc), (real *, out))
/* adds */
CUDA(pair_back, (size_t, rows), (int, a), (int, c), (int, m),
     (const real *, fa), (const real *, fc), (const real *, gout),
     (real *, ga), (real *, gc))
CUDA(columns, (int, r), (int, h), (int, N), (int, n), (int, m),
     (const real *, r1), (const real *, r2), (real *, y))
/* adds */
CUDA(columns_back, (int, r), (int, h), (int, N), (int, n), (int, m),
     (const real *, r1), (const real *, r2), (const real *, gy),
     (real *, gr1), (real *, gr2))
CUDA(diagonals, (int, n), (int, m), (int, h), (const int *, row),
     (const real *, table), (real *, y))
/* sum[k,o], o < n + m - 1: of gy where j - i + n - 1 = o */
CUDA(diagonal_sums, (int, n), (int, m), (int, h), (const real *, gy),
     (real *, sum))
/* adds: table[r,k], r < rows, the sums of o with row[o] = r */
CUDA(diagonals_back, (int, n), (int, m), (int, h), (int, rows),
     (const int *, row), (const real *, sum), (real *, table))

/* ---- attention ---- */

/* p and, unless NULL, thin = kept p / keep; a warp a row of p */
CUDA(weigh, (struct cuda_attend, a), (const real *, scores), (real *, p),
     (real *, thin))
/* thin = kept p / keep, of n values */
CUDA(thin, (size_t, n), (real, keep), (const unsigned char *, kept),
     (const real *, p), (real *, thin))
/* adds, of gp (h,b,n,m) = gy v^T; a warp a row of gscores */
CUDA(weigh_back, (struct cuda_attend, a), (const real *, p),
     (const real *, gp), (real *, gscores))

/* ---- along the length ---- */

CUDA(glu, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, x), (real *, y))
/* adds */
CUDA(glu_back, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, x), (const real *, gy), (real *, gx))
CUDA(conv, (struct cuda_conv, s), (const real *, u), (const real *, w),
     (const real *, bias), (real *, y))
/* adds */
CUDA(conv_back, (struct cuda_conv, s), (const real *, w), (const real *, gy),
     (real *, gu))
/* taps (b,n,heads k) of the gradient; adds where `add`; a warp a row and
 * head */
CUDA(conv_taps, (struct cuda_conv, s), (int, add), (const real *, u),
     (const real *, gy), (real *, taps))
CUDA(mean, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, x), (real *, y))
/* adds */
CUDA(mean_back, (int, b), (int, n), (int, d), (const int *, length),
     (const real *, gy), (real *, gx))

/* ---- embedding ---- */

CUDA(embed, (size_t, rows), (int, n), (int, d), (int, from),
     (const int *, id), (const real *, table), (const real *, wave),
     (real, scale), (real *, y))
/* out[to[g]] = scale times the sum of rows item[start[g]] .. of x (..,d);
 * item, to NULL: their own places; adds where `add` */
CUDA(group_sums, (int, groups), (int, d), (const int *, start),
     (const int *, item), (const int *, to), (real, scale), (int, add),
     (const real *, x), (real *, out))
/* adds to wave (n,d) the sums of x (b,n,d) over b */
CUDA(wave_back, (int, b), (int, n), (int, d), (const real *, x),
     (real *, wave))

/* ---- losses ---- */

/* nll, smoothed (rows): a block a row */
CUDA(cross_entropy, (struct cuda_loss, s), (real *, logits), (int, gradient),
     (double *, nll), (double *, smoothed), (unsigned char *, hit))
CUDA(square_error, (size_t, n), (double, scale), (const real *, want),
     (const real *, y), (real *, error), (real *, gy), (double *, nll))

/* ---- decoding ---- */

/* A block a row */
CUDA(best, (int, v), (int, k), (const real *, x), (struct cuda_best *, out))

/* ---- optimisers ---- */

CUDA(adam, (size_t, n), (struct cuda_adam, s), (const real *, g), (real *, p),
     (real *, m), (real *, v))
/* sum[o,i] = the squares of g at o, i and all of the near axis; a warp an
 * (o,i) */
CUDA(far_squares, (struct cuda_matrix, s), (const real *, g), (double *, sum))
/* sum[o,t,j] = of the far axis' slice t alone; a block 32 columns of a slice */
CUDA(near_squares, (struct cuda_matrix, s), (size_t, slice),
     (const real *, g), (double *, sum))
/* v[o step + j] = decay v + (1 - decay) (eps + sum over t of sum[o,t,j] / n) */
CUDA(moments, (size_t, outer), (size_t, cols), (size_t, slices),
     (struct cuda_decay, c), (const double *, sum), (real *, v))
/* mean[o] of the `rows` first moments; a warp an o */
CUDA(row_means, (size_t, outer), (size_t, rows), (size_t, step),
     (const real *, v), (double *, mean))
/* sum[b] = of u^2, values b SPAN .. of the tensor: a block a span.  mean NULL:
 * v is not factored */
CUDA(units, (struct cuda_matrix, s), (const real *, g), (const real *, v),
     (const double *, mean), (double *, sum))
/* p -= rate u, with the rate made of the sums of p^2 and u^2 */
CUDA(adafactor, (struct cuda_matrix, s), (struct cuda_rate, r),
     (const real *, g), (const real *, v), (const double *, mean),
     (const double *, p_squares), (const double *, u_squares), (real *, p))

/* ---- products ---- */

/* C = alpha op(A) op(B) ..., of engine/backend.h's struct gemm: a block a
 * tile of TILE x TILE of C, the tiles of a batch one after another */
CUDA(product, (struct cuda_product, s), (const real *, a), (const real *, b),
     (const real *, bias), (real *, c))
/* The same of bfloat16 */
CUDA(product_low, (struct cuda_product, s), (const unsigned short *, a),
     (const unsigned short *, b), (const real *, bias), (real *, c))
