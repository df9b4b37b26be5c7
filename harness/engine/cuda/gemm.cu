/*
 * Matrix products, a part of kernels.cu: float32, and bfloat16 with sums in
 * float32 by the card's matrix instructions.  A block computes a tile of TILE x
 * TILE of C; its threads fetch the operands through shared memory.  Each value
 * of C is a sum in the order of k.
 */

/* The part of C that a block computes: its tile and its batch, or all batches
 * if they are folded (struct cuda_product). */
struct tile { int row, col; size_t outer, inner, outers, inners; };

DEVICE struct tile tile_of(const struct cuda_product *s)
{
    size_t down = (size_t)(s->m + TILE - 1) / TILE;
    size_t across = (size_t)(s->n + TILE - 1) / TILE;
    size_t at = BLOCK % (down * across);
    size_t apart = (size_t)(s->fold[1] ? 1 : s->inner);
    size_t batch = BLOCK / (down * across);
    struct tile t = {(int)(at / across) * TILE, (int)(at % across) * TILE,
                     batch / apart, batch % apart,
                     (size_t)(s->fold[0] ? s->outer : 1),
                     (size_t)(s->fold[1] ? s->inner : 1)};

    return t;
}

/* m, n and k of an inner batch. */
struct size { int m, n, k; };

DEVICE struct size size_of(const struct cuda_product *s, size_t i)
{
    int of = s->length ? s->length[i] : 0;
    struct size z = {s->length && s->limits == 'm' ? of : s->m,
                     s->length && s->limits == 'n' ? of : s->n,
                     s->length && s->limits == 'k' ? of : s->k};

    return z;
}

/* Stores one value of C, whose sum of products is `sum`. */
DEVICE void put(const struct cuda_product *s, const struct tile *t, int row,
                int col, real sum, const real *bias, real *c)
{
    struct size whole = {s->m, s->n, s->k};
    struct size z = s->fold[1] ? whole : size_of(s, t->inner);
    real *to = c + t->outer * s->step_c[0] + t->inner * s->step_c[1] +
               (size_t)row * (size_t)s->ldc + (size_t)col;

    if (row >= z.m || col >= z.n)
        return;
    sum = s->alpha * sum + (s->add ? *to : 0) +
          (bias ? bias[t->outer * s->step_bias + (size_t)col] : 0);
    *to = s->relu && !(sum > 0) ? 0 : sum;
}

/* ---- float32 ---- */

/* DEEP is the number of values of k processed at once.  A block has SIDE x SIDE
 * threads, each of which computes OWN x OWN values. */
enum { DEEP = 16, SIDE = 16, OWN = TILE / SIDE };

/* Loads TILE rows of op(A), or columns of op(B), at DEEP values of k from `at`
 * on.  In x, the distance between rows is `along`, and the distance between
 * values of k is `deep`. */
DEVICE void fetch(real tile[DEEP][TILE + 1], const real *x, size_t along,
                  size_t deep, int first, int rows, int at, int k)
{
    for (int e = THREAD; e < TILE * DEEP; e += BLOCK_THREADS) {
        /* Neighbouring threads read neighbouring values. */
        int i = deep == 1 ? e / DEEP : e % TILE;
        int l = deep == 1 ? e % DEEP : e / TILE;
        int in = first + i < rows && at + l < k;

        tile[l][i] = in ? x[(size_t)(first + i) * along +
                            (size_t)(at + l) * deep]
                        : 0;
    }
}

/* Adds A B of one batch to the thread's values of the tile. */
DEVICE void multiply(const struct cuda_product *s, const struct tile *t,
                     size_t o, size_t i, const real *a, const real *b,
                     real sum[OWN][OWN])
{
    SHARED real left[DEEP][TILE + 1], right[DEEP][TILE + 1];
    struct size z = size_of(s, i);
    int row = THREAD / SIDE, col = THREAD % SIDE;

    a += o * s->step_a[0] + i * s->step_a[1];
    b += o * s->step_b[0] + i * s->step_b[1];
    for (int k = 0; k < z.k; k += DEEP) {
        SYNC(); /* the previous tiles have been read */
        fetch(left, a, (size_t)(s->ta ? 1 : s->lda),
              (size_t)(s->ta ? s->lda : 1), t->row, z.m, k, z.k);
        fetch(right, b, (size_t)(s->tb ? s->ldb : 1),
              (size_t)(s->tb ? 1 : s->ldb), t->col, z.n, k, z.k);
        SYNC();
        UNROLL for (int l = 0; l < DEEP; l++)
            UNROLL for (int y = 0; y < OWN; y++)
                UNROLL for (int x = 0; x < OWN; x++)
                    sum[y][x] += left[l][row + SIDE * y] *
                                 right[l][col + SIDE * x];
    }
}

GLOBAL cuda_product(struct cuda_product s, const real *a, const real *b,
                    const real *bias, real *c)
{
    struct tile t = tile_of(&s);
    real sum[OWN][OWN] = {{0}};

    for (size_t o = 0; o < t.outers; o++)
        for (size_t i = 0; i < t.inners; i++)
            multiply(&s, &t, t.outer + o, t.inner + i, a, b, sum);
    UNROLL for (int y = 0; y < OWN; y++)
        UNROLL for (int x = 0; x < OWN; x++)
            put(&s, &t, t.row + THREAD / SIDE + SIDE * y,
                t.col + THREAD % SIDE + SIDE * x, sum[y][x], bias, c);
}

/* ---- bfloat16 ---- */

/* D += A B, computed by a warp: A (16,16) and B (16,8) are bfloat16, D is
 * float.  With g = lane div 4 and t = lane mod 4, a lane holds (PTX ISA,
 * mma.m16n8k16)
 *     a[i]  row g + 8 (i mod 2) of A, columns 2 t + 8 (i div 2) and the next
 *     b[i]  column g of B, rows 2 t + 8 i and the next
 *     d[i]  row g + 8 (i div 2) of D, column 2 t + i mod 2
 * with two values per word, the first in the lower half. */
#ifdef __CUDA__
DEVICE void mma(float d[4], const unsigned a[4], const unsigned b[2])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#else
static float half_of(unsigned word, int second)
{
    union bits u = {.u = second ? word & 0xffff0000u : word << 16};

    return u.f;
}

/* Does the same as mma, with the two values of each word as neighbours in a and
 * b.  Sums in the order of k; the card may add the 16 products of a value in
 * another order. */
static void multiply_lanes(real d[4], const real a[8], const real b[4])
{
    static real left[WARPS][WARP][8], right[WARPS][WARP][4];
    int w = THREAD / WARP, g = LANE / 4, t = LANE % 4;

    for (int i = 0; i < 8; i++)
        left[w][LANE][i] = a[i];
    for (int i = 0; i < 4; i++)
        right[w][LANE][i] = b[i];
    exchange(0, 0); /* all lanes have stored their values */
    for (int i = 0; i < 4; i++) {
        int row = g + 8 * (i / 2), col = 2 * t + i % 2;

        for (int k = 0; k < 16; k++) {
            const real *x = left[w][row % 8 * 4 + k % 8 / 2];
            const real *y = right[w][col * 4 + k % 8 / 2];

            d[i] += x[2 * (row / 8 + 2 * (k / 8)) + k % 2] *
                    y[2 * (k / 8) + k % 2];
        }
    }
    exchange(0, 0); /* all lanes have read the values */
}

static void mma(float d[4], const unsigned a[4], const unsigned b[2])
{
    real sum[4], left[8], right[4];

    for (int i = 0; i < 8; i++)
        left[i] = half_of(a[i / 2], i % 2);
    for (int i = 0; i < 4; i++)
        right[i] = half_of(b[i / 2], i % 2);
    for (int i = 0; i < 4; i++)
        sum[i] = d[i];
    multiply_lanes(sum, left, right);
    for (int i = 0; i < 4; i++)
        d[i] = (float)sum[i];
}
#endif

/* DEEP_LOW is the number of values of k processed at once, PITCH the number of
 * values per row in shared memory, chosen so that the lanes of a warp read from
 * different banks. */
enum { DEEP_LOW = 32, PITCH = DEEP_LOW + 8 };

/* Like fetch, but the values of k lie side by side in the tile. */
DEVICE void fetch_low(unsigned short tile[TILE][PITCH],
                      const unsigned short *x, size_t along, size_t deep,
                      int first, int rows, int at, int k)
{
    for (int e = THREAD; e < TILE * DEEP_LOW; e += BLOCK_THREADS) {
        int i = deep == 1 ? e / DEEP_LOW : e % TILE;
        int l = deep == 1 ? e % DEEP_LOW : e / TILE;
        int in = first + i < rows && at + l < k;

        tile[i][l] = (unsigned short)(in ? x[(size_t)(first + i) * along +
                                             (size_t)(at + l) * deep]
                                         : 0);
    }
}

DEVICE unsigned pair_at(const unsigned short *x)
{
    return x[0] | (unsigned)x[1] << 16;
}

/* A warp computes 32 rows and 16 columns of the tile, as 2 x 2 results of
 * mma. */
DEVICE void multiply_low(const struct cuda_product *s, const struct tile *t,
                         size_t o, size_t i, const unsigned short *a,
                         const unsigned short *b, float sum[2][2][4])
{
    SHARED unsigned short left[TILE][PITCH], right[TILE][PITCH];
    struct size z = size_of(s, i);
    int row = THREAD / WARP / 4 * 32 + LANE / 4, deep = LANE % 4 * 2;
    int col = THREAD / WARP % 4 * 16 + LANE / 4;

    a += o * s->step_a[0] + i * s->step_a[1];
    b += o * s->step_b[0] + i * s->step_b[1];
    for (int k = 0; k < z.k; k += DEEP_LOW) {
        SYNC(); /* the previous tiles have been read */
        fetch_low(left, a, (size_t)(s->ta ? 1 : s->lda),
                  (size_t)(s->ta ? s->lda : 1), t->row, z.m, k, z.k);
        fetch_low(right, b, (size_t)(s->tb ? s->ldb : 1),
                  (size_t)(s->tb ? 1 : s->ldb), t->col, z.n, k, z.k);
        SYNC();
        UNROLL for (int l = 0; l < DEEP_LOW; l += 16) {
            unsigned x[2][4], y[2][2];

            UNROLL for (int h = 0; h < 2; h++) {
                UNROLL for (int r = 0; r < 4; r++)
                    x[h][r] = pair_at(&left[row + 16 * h + 8 * (r % 2)]
                                           [l + deep + 8 * (r / 2)]);
                UNROLL for (int r = 0; r < 2; r++)
                    y[h][r] = pair_at(&right[col + 8 * h][l + deep + 8 * r]);
            }
            UNROLL for (int h = 0; h < 4; h++)
                mma(sum[h / 2][h % 2], x[h / 2], y[h % 2]);
        }
    }
}

GLOBAL cuda_product_low(struct cuda_product s, const unsigned short *a,
                        const unsigned short *b, const real *bias, real *c)
{
    struct tile t = tile_of(&s);
    int row = t.row + THREAD / WARP / 4 * 32 + LANE / 4;
    int col = t.col + THREAD / WARP % 4 * 16 + LANE % 4 * 2;
    float sum[2][2][4] = {{{0}}};

    for (size_t o = 0; o < t.outers; o++)
        for (size_t i = 0; i < t.inners; i++)
            multiply_low(&s, &t, t.outer + o, t.inner + i, a, b, sum);
    UNROLL for (int h = 0; h < 4; h++)
        UNROLL for (int e = 0; e < 4; e++)
            put(&s, &t, row + 16 * (h / 2) + 8 * (e / 2),
                col + 8 * (h % 2) + e % 2, (real)sum[h / 2][h % 2][e], bias,
                c);
}
