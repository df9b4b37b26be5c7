/*
 * Fused attention, a part of kernels.cu:  Y = dropout(softmax(B)) V, where B is
 * a sum of parts (struct score_part, backend.h), without an array (h,b,n,m).
 *
 * Warps do not exchange data.  A warp holds SQUARE rows of a head of a sentence
 * and loops over the keys, STEP squares at a time.  The softmax is computed
 * online (Milakov and Gimelshein 2018): the largest score so far is subtracted,
 * and earlier sums are rescaled when it grows.  The backward pass computes the
 * weights again from the maxima and sums of the forward pass (Dao et al. 2022).
 * A warp that sums over rows holds SQUARE keys and loops over the rows.  In the
 * code, "left" means the rows and "right" the keys or, if `turned` is set, the
 * reverse.
 *
 * Operands of the products are bfloat16 and sums are float32.  A lane holds the
 * values that `mma` returns (gemm.cu): with g = lane div 4 and t = lane mod 4,
 * value d of group x lies at left g + 8 (d div 2) and right 8 x + 2 t + d mod
 * 2.  Two groups are a square.
 */

enum {
    STEP = FUSED_STEP, GROUPS = 2 * STEP, WIDEST = FUSED_WIDEST / SQUARE
};

/* ---- operands ---- */

DEVICE struct pair pair_of(real first, real second)
{
#ifdef REAL_DOUBLE
    struct pair p = {{first, second}};
#else
    struct pair p = {bf16_of(first) | (unsigned)bf16_of(second) << 16};
#endif
    return p;
}

/* Adds to d (16,8) the product of a and of square b's rows 8 e to 8 e + 7. */
DEVICE void multiply_half(real d[4], const struct quad *a,
                          const struct quad *b, int e)
{
#ifdef REAL_DOUBLE
    real left[8], right[4];

    for (int i = 0; i < 8; i++)
        left[i] = a->of[i / 2].of[i % 2];
    for (int i = 0; i < 4; i++)
        right[i] = b->of[e + i / 2 * 2].of[i % 2];
    multiply_lanes(d, left, right);
#else
    unsigned left[4] = {a->of[0].of, a->of[1].of, a->of[2].of, a->of[3].of};
    unsigned right[2] = {b->of[e].of, b->of[e + 2].of};

    mma(d, left, right);
#endif
}

/* Adds A B^T to d (16,16). */
DEVICE void multiply_square(real d[2][4], const struct quad *a,
                            const struct quad *b)
{
    UNROLL for (int e = 0; e < 2; e++)
        multiply_half(d[e], a, b, e);
}

/* Returns value i of x, or of `low` if it is not NULL. */
DEVICE real value_of(const real *x, const unsigned short *low, size_t i)
{
    union bits wide = {0};

    if (!low)
        return x[i];
    wide.u = (unsigned)low[i] << 16;
    return wide.f;
}

GLOBAL cuda_operand(struct cuda_layout s, const real *x,
                    const unsigned short *low, struct quad *to)
{
    size_t down = (size_t)(s.rows + SQUARE - 1) / SQUARE;
    size_t across = (size_t)(s.cols + SQUARE - 1) / SQUARE;

    EACH(i, s.heads * s.sentences * down * across * WARP) {
        size_t square = i / WARP, block = square / (down * across);
        int row = (int)(square / across % down) * SQUARE + (int)(i % WARP) / 4;
        int col = (int)(square % across) * SQUARE + (int)(i % 4) * 2;
        size_t from = block / s.sentences * s.head +
                      block % s.sentences * s.sentence;

        UNROLL for (int w = 0; w < 4; w++) {
            int r = row + 8 * (w % 2), c = col + 8 * (w / 2);
            size_t at = from + (size_t)r * s.row + (size_t)c * s.col;
            real first = 0, second = 0;

            if (r < s.rows && c < s.cols)
                first = value_of(x, low, at);
            if (r < s.rows && c + 1 < s.cols)
                second = value_of(x, low, at + s.col);
            to[i].of[w] = pair_of(first, second);
        }
    }
}

/* Returns the lane's part of square (down,across) of a matrix of x. */
DEVICE struct quad square_of(const struct cuda_operand *x, size_t h, size_t s,
                             int down, int across)
{
    return x->at[h * x->head + s * x->sentence +
                 (size_t)(down * x->across + across) * WARP + (size_t)LANE];
}

/* ---- the scores of a tile ---- */

/* The tile that a warp computes: head h and sentence s of the scores, and the
 * first square on the left and on the right. */
struct spot { size_t h, s; int left, right, turned; };

/* The row and the key of value d of group x. */
struct cell { int row, key; };

DEVICE struct cell cell_of(const struct spot *at, int x, int d)
{
    int left = SQUARE * at->left + LANE / 4 + 8 * (d / 2);
    int right = SQUARE * at->right + 8 * x + LANE % 4 * 2 + d % 2;
    struct cell c = {at->turned ? right : left, at->turned ? left : right};

    return c;
}

/* Returns a, or b if `second` is set.  Members are chosen one by one, because a
 * pointer to a kernel argument would move all arguments to local memory. */
DEVICE struct cuda_operand choose(const struct cuda_operand *a,
                                  const struct cuda_operand *b, int second)
{
    struct cuda_operand x = {second ? b->at : a->at,
                             second ? b->head : a->head,
                             second ? b->sentence : a->sentence,
                             second ? b->down : a->down,
                             second ? b->across : a->across};

    return x;
}

/* Adds to `sum` the products of square at->left of one operand with the STEP
 * squares from at->right on of the other.  `rows` has a row for each row of the
 * scores, `keys` a row for each key. */
DEVICE void multiply_tile(const struct cuda_operand *rows,
                          const struct cuda_operand *keys, size_t h,
                          const struct spot *at, real sum[GROUPS][4])
{
    struct cuda_operand a = choose(rows, keys, at->turned);
    struct cuda_operand b = choose(keys, rows, at->turned);

    for (int c = 0; c < a.across; c++) {
        struct quad x = square_of(&a, h, at->s, at->left, c);

        UNROLL for (int i = 0; i < STEP; i++)
            if (at->right + i < b.down) {
                struct quad y = square_of(&b, h, at->s, at->right + i, c);

                multiply_square(&sum[2 * i], &x, &y);
            }
    }
}

DEVICE real weight_of(const double *w, int i)
{
    return i < 0 ? 1 : (real)w[i];
}

/* Stores part p of the scores, without its weight, in sum, or zeros where the
 * table has no value. */
DEVICE void part_of(const struct cuda_fuse *f, int p, const struct spot *at,
                    real sum[GROUPS][4])
{
    const struct cuda_part *x = &f->part[p];
    size_t h = at->h - (size_t)x->first;
    const real *from = x->x + h * x->step[0] + at->s * x->step[1];

    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++) {
            struct cell c = cell_of(at, i, d);

            sum[i][d] = 0;
            if (!x->k.at && c.row < f->n && c.key < f->m)
                sum[i][d] = from[(size_t)c.row * x->step[2] +
                                 (size_t)c.key * x->step[3]];
        }
    if (!x->k.at)
        return;
    multiply_tile(&x->q, &x->k, h, at, sum);
    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++)
            sum[i][d] *= x->scale;
}

DEVICE int covers(const struct cuda_part *x, size_t h)
{
    return (int)h >= x->first && (int)h < x->first + x->h;
}

/* Stores the scores of a tile in sum. */
DEVICE void scores_of(const struct cuda_fuse *f, const struct spot *at,
                      real sum[GROUPS][4])
{
    real one[GROUPS][4];

    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++)
            sum[i][d] = 0;
    for (int p = 0; p < f->parts; p++) {
        real w = weight_of(f->w, f->part[p].weight);

        if (!covers(&f->part[p], at->h))
            continue;
        part_of(f, p, at, one);
        UNROLL for (int i = 0; i < GROUPS; i++)
            UNROLL for (int d = 0; d < 4; d++)
                sum[i][d] += w * one[i][d];
    }
}

/* Returns the number of keys that row i of sentence s sees, or 0 if there is no
 * such row. */
DEVICE int seen_by(const struct cuda_fuse *f, size_t s, int i)
{
    int end = f->m, before = f->from + i + 1;

    if (f->length && f->length[s] < end)
        end = f->length[s];
    if (f->causal && before < end)
        end = before;
    return i < f->n ? end : 0;
}

/* Returns the number of keys that at least one row of square `left` of sentence
 * s sees. */
DEVICE int seen_by_square(const struct cuda_fuse *f, size_t s, int left)
{
    int last = SQUARE * left + SQUARE - 1, most = f->n - 1;

    return seen_by(f, s, last < most ? last : most);
}

/* ---- dropout ---- */

/* Returns 16 bits for row `row`.  Bit i is 1 if dropout keeps the weight of key
 * `key` + i. */
DEVICE unsigned draw_16(const struct cuda_fuse *f, const struct spot *at,
                        int row, int key)
{
    size_t first = f->counter + (at->s * (size_t)f->n + (size_t)row) *
                                    (size_t)f->m + (size_t)key;
    struct cuda_key site = {f->key.seed, f->key.site + at->h, f->key.stream,
                            f->key.step};
    unsigned bits = 0, c[4];

    for (size_t block = first / 8; block <= (first + 15) / 8; block++) {
        draw_block(site, block, c);
        UNROLL for (size_t i = 0; i < 8; i++) {
            size_t bit = block * 8 + i - first; /* wraps to a huge value
                                                   before `first` */

            bits |= bit < 16 ? is_kept(c, i, f->limit) << bit : 0;
        }
    }
    return bits;
}

/* Applies dropout to a tile: divides the values that it keeps by f->keep and
 * sets the others to 0.  Each lane draws 16 keys of one row. */
DEVICE void drop(const struct cuda_fuse *f, const struct spot *at,
                 real tile[GROUPS][4])
{
    SHARED unsigned short kept[WARPS][WARP];
    int w = THREAD / WARP, half = LANE / SQUARE;
    int first = SQUARE * (at->turned ? at->left : at->right + half);
    int row = SQUARE * (at->turned ? at->right + half : at->left);

    if (!f->limit)
        return;
    WARP_SYNC(); /* the previous bits have been read */
    kept[w][LANE] =
        (unsigned short)draw_16(f, at, row + LANE % SQUARE, first);
    WARP_SYNC();
    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++) {
            int l = LANE / 4 + 8 * (d / 2), r = 8 * i + LANE % 4 * 2 + d % 2;
            int bits = at->turned ? kept[w][r] >> l
                                  : kept[w][r / SQUARE * SQUARE + l] >>
                                        r % SQUARE;

            tile[i][d] = bits & 1 ? tile[i][d] / f->keep : 0;
        }
}

/* ---- products with a tile ---- */

/* Returns square i of a tile as an operand. */
DEVICE struct quad quad_of(real tile[GROUPS][4], int i)
{
    struct quad q;

    UNROLL for (int w = 0; w < 4; w++)
        q.of[w] = pair_of(tile[2 * i + w / 2][w % 2 * 2],
                          tile[2 * i + w / 2][w % 2 * 2 + 1]);
    return q;
}

/* Adds to `sum` the product of a tile and the factor whose transpose is
 * `by`. */
DEVICE void gather_tile(const struct cuda_operand *by, size_t h,
                        const struct spot *at, real tile[GROUPS][4],
                        real sum[WIDEST][2][4])
{
    UNROLL for (int i = 0; i < STEP; i++) {
        struct quad x = quad_of(tile, i);

        if (at->right + i >= by->across)
            continue;
        UNROLL for (int c = 0; c < WIDEST; c++)
            if (c < by->down) {
                struct quad y = square_of(by, h, at->s, c, at->right + i);

                multiply_square(sum[c], &x, &y);
            }
    }
}

/* ---- forward ---- */

/* row_sum returns the sum of v over the four lanes that hold a row, row_max its
 * maximum. */
DEVICE real row_sum(real v)
{
    v += exchange(v, 1);
    return v + exchange(v, 2);
}

DEVICE real row_max(real v)
{
    for (int x = 1; x < 4; x *= 2) {
        real o = exchange(v, x);

        v = o > v ? o : v;
    }
    return v;
}

/* Less than any score.  e^x is 0 for x = LOWEST, and for x = LOWEST minus any
 * score. */
#define LOWEST ((real)-1e30)

/* Replaces the scores of a tile by the exponentials of their differences to the
 * largest score so far of their row; keys that are not visible become 0.  `top`
 * and `sum` are the maxima and sums of the two rows of the lane so far; `more`
 * receives the factors by which earlier sums of the rows must be multiplied. */
DEVICE void exponentials(const struct cuda_fuse *f, const struct spot *at,
                         real tile[GROUPS][4], real top[2], real sum[2],
                         real more[2])
{
    UNROLL for (int r = 0; r < 2; r++) {
        int end = seen_by(f, at->s, cell_of(at, 0, 2 * r).row);
        real all = 0, best = top[r];

        UNROLL for (int i = 0; i < 2 * GROUPS; i++) {
            real x = tile[i / 2][2 * r + i % 2];

            if (cell_of(at, i / 2, i % 2).key < end)
                best = x > best ? x : best;
        }
        best = row_max(best);
        more[r] = exp_of(top[r] - best);
        top[r] = best;
        UNROLL for (int i = 0; i < 2 * GROUPS; i++) {
            real *x = &tile[i / 2][2 * r + i % 2];

            *x = cell_of(at, i / 2, i % 2).key < end ? exp_of(*x - best) : 0;
            all += *x;
        }
        sum[r] = sum[r] * more[r] + all;
    }
}

/* Stores the values of y that the lane holds: `sum` times scale[0] in the
 * lane's first row, times scale[1] in its second row. */
DEVICE void put_rows(const struct cuda_fuse *f, const struct spot *at,
                     real sum[WIDEST][2][4], const real scale[2], real *y)
{
    size_t wide = (size_t)f->h * (size_t)f->k;

    UNROLL for (int c = 0; c < WIDEST; c++)
        UNROLL for (int i = 0; i < 8; i++) {
            int row = cell_of(at, 0, i % 4).row;
            int col = SQUARE * c + 8 * (i / 4) + LANE % 4 * 2 + i % 2;

            if (row < f->n && col < f->k)
                y[(at->s * (size_t)f->n + (size_t)row) * wide +
                  at->h * (size_t)f->k + (size_t)col] =
                    sum[c][i / 4][i % 4] * scale[i % 4 / 2];
        }
}

/* Returns the spot of warp w, if each head of a sentence has `left` squares on
 * the left. */
DEVICE struct spot spot_of(size_t w, size_t sentences, int left)
{
    size_t block = w / (size_t)left;
    struct spot at = {block / sentences, block % sentences,
                      (int)(w % (size_t)left), 0, 0};

    return at;
}

DEVICE int squares(int n) { return (n + SQUARE - 1) / SQUARE; }

GLOBAL cuda_fuse(struct cuda_fuse f, real *stat, real *y)
{
    struct spot at = spot_of(WARP_AT, (size_t)f.b, squares(f.n));
    real out[WIDEST][2][4] = {{{0}}}, top[2] = {LOWEST, LOWEST};
    real sum[2] = {0, 0}, more[2], tile[GROUPS][4];

    if (at.h >= (size_t)f.h)
        return;
    int end = seen_by_square(&f, at.s, at.left);
    for (; SQUARE * at.right < end; at.right += STEP) {
        scores_of(&f, &at, tile);
        exponentials(&f, &at, tile, top, sum, more);
        UNROLL for (int c = 0; c < WIDEST; c++)
            UNROLL for (int i = 0; i < 8; i++)
                out[c][i / 4][i % 4] *= more[i % 4 / 2];
        drop(&f, &at, tile);
        gather_tile(&f.turned_v, at.h, &at, tile, out);
    }
    UNROLL for (int r = 0; r < 2; r++) {
        int row = cell_of(&at, 0, 2 * r).row;
        size_t to = (at.h * (size_t)f.b + at.s) * (size_t)f.n + (size_t)row;
        real all = row_sum(sum[r]);

        sum[r] = all > 0 ? 1 / all : 0;
        if (LANE % 4 == 0 && row < f.n) {
            stat[2 * to] = top[r];
            stat[2 * to + 1] = sum[r];
        }
    }
    put_rows(&f, &at, out, sum, y);
}

/* ---- backward ---- */

GLOBAL cuda_fuse_along(struct cuda_fuse f, const real *y, const real *gy,
                       real *along)
{
    size_t r = WARP_AT, n = (size_t)f.n, b = (size_t)f.b, k = (size_t)f.k;
    size_t h = r / (b * n), at = (r % (b * n) * (size_t)f.h + h) * k;
    real sum = 0;

    if (h >= (size_t)f.h)
        return;
    for (size_t j = (size_t)LANE; j < k; j += WARP)
        sum += y[at + j] * gy[at + j];
    sum = warp_sum(sum);
    if (LANE == 0)
        along[r] = sum;
}

/* Stores the weights of a tile, before dropout. */
DEVICE void weights_of(const struct cuda_fuse *f, const struct spot *at,
                       const real *stat, real tile[GROUPS][4])
{
    size_t first = (at->h * (size_t)f->b + at->s) * (size_t)f->n;

    scores_of(f, at, tile);
    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++) {
            struct cell c = cell_of(at, i, d);
            const real *row = stat + 2 * (first + (size_t)c.row);

            tile[i][d] = c.key < seen_by(f, at->s, c.row)
                             ? exp_of(tile[i][d] - row[0]) * row[1]
                             : 0;
        }
}

/* Replaces the weights of a tile by the gradient of the scores. */
DEVICE void to_gradient(const struct cuda_fuse *f, const struct spot *at,
                        real tile[GROUPS][4])
{
    size_t first = (at->h * (size_t)f->b + at->s) * (size_t)f->n;
    real g[GROUPS][4];

    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++)
            g[i][d] = 0;
    multiply_tile(&f->gy, &f->v, at->h, at, g);
    drop(f, at, g);
    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++) {
            struct cell c = cell_of(at, i, d);

            if (c.row < f->n)
                tile[i][d] *= g[i][d] - f->along[first + (size_t)c.row];
        }
}

/* Multiplies one tile, of the weights after dropout or of the gradient of the
 * scores, by the factor whose transpose is g->by, and adds the product to
 * `sum`. */
DEVICE void gather_one(const struct cuda_fuse *f, const struct cuda_gather *g,
                       const struct spot *at, const real *stat,
                       real sum[WIDEST][2][4])
{
    real tile[GROUPS][4];

    weights_of(f, at, stat, tile);
    if (g->part < 0)
        drop(f, at, tile);
    else
        to_gradient(f, at, tile);
    gather_tile(&g->by, at->h - (size_t)g->first, at, tile, sum);
}

/* Adds to `sum` the sums over all right squares of one sentence. */
DEVICE void gather_sentence(const struct cuda_fuse *f,
                            const struct cuda_gather *g, struct spot at,
                            const real *stat, real sum[WIDEST][2][4])
{
    int key = SQUARE * at.left, end = squares(f->n);

    if (!at.turned)
        end = squares(seen_by_square(f, at.s, at.left));
    else if (f->length && key >= f->length[at.s])
        end = 0;
    else if (f->causal && key > f->from)
        at.right = (key - f->from) / SQUARE; /* earlier rows do not see it */
    for (; at.right < end; at.right += STEP)
        gather_one(f, g, &at, stat, sum);
}

/* Computes the sums of one warp, and adds them to `to`.  `left` is the number
 * of rows or, if `turned` is set, of keys. */
DEVICE void gather(const struct cuda_fuse *f, const struct cuda_gather *g,
                   int left, int turned, const real *stat, real *to)
{
    struct spot at = spot_of(WARP_AT, (size_t)g->slices, squares(left));
    real sum[WIDEST][2][4] = {{{0}}}, scale = 1;
    size_t each = (size_t)g->each, end = (at.s + 1) * each;

    if (at.h >= (size_t)g->heads)
        return;
    to += at.h * g->to[0] + at.s * g->to[1];
    at.turned = turned;
    at.h += (size_t)g->first;
    for (at.s *= each; at.s < end && at.s < (size_t)f->b; at.s++)
        gather_sentence(f, g, at, stat, sum);
    if (g->scaled)
        scale = weight_of(f->w, f->part[g->part].weight) *
                f->part[g->part].scale;
    UNROLL for (int c = 0; c < WIDEST; c++)
        UNROLL for (int i = 0; i < 8; i++) {
            int row = SQUARE * at.left + LANE / 4 + i % 4 / 2 * 8;
            int col = SQUARE * c + 8 * (i / 4) + LANE % 4 * 2 + i % 2;

            if (row < left && col < g->width)
                to[(size_t)row * g->to[2] + (size_t)col * g->to[3]] +=
                    scale * sum[c][i / 4][i % 4];
        }
}

GLOBAL cuda_fuse_rows(struct cuda_fuse f, struct cuda_gather g,
                      const real *stat, real *to)
{
    gather(&f, &g, f.n, 0, stat, to);
}

GLOBAL cuda_fuse_keys(struct cuda_fuse f, struct cuda_gather g,
                      const real *stat, real *to)
{
    gather(&f, &g, f.m, 1, stat, to);
}

/* Adds the gradient `sum` of the scores of a tile, times the weight of table x,
 * to the gradient of x. */
DEVICE void add_to_table(const struct cuda_fuse *f, const struct cuda_part *x,
                         const struct spot *at, real sum[GROUPS][4])
{
    real w = weight_of(f->w, x->weight);
    size_t h = at->h - (size_t)x->first;
    real *to = x->gx + h * x->to[0] + at->s * x->to[1];

    UNROLL for (int i = 0; i < GROUPS; i++)
        UNROLL for (int d = 0; d < 4; d++) {
            struct cell c = cell_of(at, i, d);

            if (c.row < f->n && c.key < f->m)
                to[(size_t)c.row * x->to[2] + (size_t)c.key * x->to[3]] +=
                    w * sum[i][d];
        }
}

GLOBAL cuda_fuse_tables(struct cuda_fuse f, int own, const real *stat)
{
    int across = (squares(f.m) + STEP - 1) / STEP;
    size_t w = WARP_AT, b = (size_t)f.b;
    struct spot at = spot_of(w / (size_t)across, own ? b : 1, squares(f.n));
    size_t last = own ? at.s + 1 : b;
    real sum[GROUPS][4] = {{0}}, tile[GROUPS][4];

    if (at.h >= (size_t)f.h)
        return;
    at.right = (int)(w % (size_t)across) * STEP;
    for (; at.s < last; at.s++) {
        if (SQUARE * at.right >= seen_by_square(&f, at.s, at.left))
            continue;
        weights_of(&f, &at, stat, tile);
        to_gradient(&f, &at, tile);
        UNROLL for (int i = 0; i < GROUPS; i++)
            UNROLL for (int d = 0; d < 4; d++)
                sum[i][d] += tile[i][d];
    }
    at.s = last - 1;
    for (int p = 0; p < f.parts; p++) {
        const struct cuda_part *x = &f.part[p];

        if (x->gx && (x->step[1] > 0) == own && covers(x, at.h))
            add_to_table(&f, x, &at, sum);
    }
}

/* For each part with a weight, adds the sum of the products of its values and
 * the gradient g of a tile's scores to sum[weight of the part]. */
DEVICE void weigh_parts(const struct cuda_fuse *f, const struct spot *at,
                        real g[GROUPS][4], double sum[FUSED_WEIGHTS])
{
    for (int p = 0; p < f->parts; p++) {
        int weight = f->part[p].weight;
        real tile[GROUPS][4];
        double all = 0;

        if (weight < 0 || !covers(&f->part[p], at->h))
            continue;
        part_of(f, p, at, tile);
        UNROLL for (int i = 0; i < GROUPS; i++)
            UNROLL for (int d = 0; d < 4; d++)
                all += (double)g[i][d] * (double)tile[i][d];
        UNROLL for (int i = 0; i < FUSED_WEIGHTS; i++)
            sum[i] += i == weight ? all : 0;
    }
}

GLOBAL cuda_fuse_weights(struct cuda_fuse f, const real *stat, double *sum)
{
    size_t w = WARP_AT, n = (size_t)(f.h * f.b) * (size_t)squares(f.n);
    struct spot at = spot_of(w, (size_t)f.b, squares(f.n));
    double all[FUSED_WEIGHTS] = {0};
    real g[GROUPS][4];

    if (w >= n)
        return;
    int end = seen_by_square(&f, at.s, at.left);
    for (; SQUARE * at.right < end; at.right += STEP) {
        weights_of(&f, &at, stat, g);
        to_gradient(&f, &at, g);
        weigh_parts(&f, &at, g, all);
    }
    UNROLL for (size_t i = 0; i < FUSED_WEIGHTS; i++) {
        double one = warp_sum_64(all[i]);

        if (LANE == 0)
            sum[i * n + w] = one;
    }
}

GLOBAL cuda_fold(struct cuda_fold s, const double *w, const real *x, real *to)
{
    size_t rows = (size_t)s.rows, cols = (size_t)s.cols;
    size_t all = (size_t)s.outer * rows * cols;
    real scale = s.scale * weight_of(w, s.weight);

    EACH(i, all) {
        real sum = 0;

        for (size_t z = 0; z < (size_t)s.slices; z++)
            sum += x[z * all + i];
        to[i / (rows * cols) * s.to[0] + i % rows * s.to[1] +
           i / rows % cols * s.to[2]] += scale * sum;
    }
}
