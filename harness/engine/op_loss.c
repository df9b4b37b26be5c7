/*
 * Cross-entropy with label smoothing e (Szegedy et al. 2016):
 *
 *     loss = -sum_v q_v log p_v,  p = softmax(logits),
 *     q = 1 - e at the target and e / (V - 1) at each other class,
 *     gradient of the logits = scale (p - q).
 *
 * The logits of the vocabulary never exist as a whole: blocks of rows pass
 * through product, softmax, loss and gradient while they are in the cache.  A
 * backend may use larger blocks (loss_rows).  Padding rows are removed before
 * the first product.  The host reads results once, after the last block.
 *
 * Regression uses the squared error: loss = scale sum (y - want)^2.
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

#include <string.h>

/* A block has as many rows as have their logits in the cache together, but at
 * least BLOCK_ROWS.  Each block reads the table twice, and reads and writes the
 * table's gradient once.  If the table does not fit into the cache, a block has
 * MANY_ROWS rows instead, which reduces this traffic. */
enum { CACHE_BYTES = 1 << 20, BLOCK_ROWS = 128, MANY_ROWS = 256 };

/* The rows that count in the loss, and their results.  row[i] is the index of
 * row i in (b,m). */
struct found {
    size_t  rows, sums;
    int    *row, *target;
    double *nll, *sum;   /* buffers (rows), (sums) */
    unsigned char *hit;  /* a buffer (rows); NULL: not computed */
};

static struct found found_take(struct tape *t, size_t rows, size_t sums,
                               int hits)
{
    return (struct found){.rows = rows, .sums = sums,
                          .nll = arena_again(t->data, rows * sizeof(double)),
                          .sum = arena_again(t->data, sums * sizeof(double)),
                          .hit = hits ? arena_again(t->data, rows) : NULL};
}

/* Copies the results to the host and to *l, then releases the buffers. */
static void found_give(struct tape *t, const struct found *f, struct loss *l)
{
    size_t reals = f->rows * sizeof(double), sums = f->sums * sizeof(double);
    double *sum = arena_take(t->nodes, sums);
    double *nll = arena_take(t->nodes, l->nll ? reals : 0);
    int hits = l->hit && f->hit;
    unsigned char *hit = arena_take(t->nodes, hits ? f->rows : 0);

    if (f->rows && l->nll)
        backend_get(t->be, nll, f->nll, reals);
    if (f->rows && hits)
        backend_get(t->be, hit, f->hit, f->rows);
    if (f->rows)
        backend_get(t->be, sum, f->sum, sums);
    for (size_t i = 0; i < f->rows; i++) {
        size_t at = f->row ? (size_t)f->row[i] : i;

        if (l->nll)
            l->nll[at] = nll[i];
        if (hits)
            l->hit[at] = hit[i];
    }
    for (size_t i = 0; f->rows && i < f->sums; i++)
        l->sum += sum[i];
    arena_give(t->data, f->nll, reals);
    arena_give(t->data, f->sum, sums);
    if (f->hit)
        arena_give(t->data, f->hit, f->rows);
}

static size_t counted(struct tape *t, const struct loss *l, int b, int m,
                      int **row)
{
    size_t n = 0;

    *row = arena_take(t->nodes, (size_t)b * (size_t)m * sizeof **row);
    for (int i = 0; i < b; i++) {
        int length = l->length ? l->length[i] : m;

        REQUIRE(length <= m, "%d targets in a row of %d", length, m);
        for (int j = l->prompt ? l->prompt[i] : 0; j < length; j++)
            (*row)[n++] = i * m + j;
    }
    return n;
}

struct block {
    size_t  rows;
    int     d, v;
    real   *y, *gy, *logits;  /* (rows,d) (rows,d) (rows,v) */
};

static size_t block_rows(const struct backend *be, int d, int v)
{
    size_t row = (size_t)v * sizeof(real), rows = CACHE_BYTES / row;

    if (be->loss_rows)
        return be->loss_rows;
    if (row * (size_t)d > CACHE_BYTES)
        return MANY_ROWS;
    return rows < BLOCK_ROWS ? BLOCK_ROWS : rows / BLOCK_ROWS * BLOCK_ROWS;
}

static struct block block_take(struct tape *t, size_t rows, int d, int v)
{
    size_t wide = rows * (size_t)d * sizeof(real);

    return (struct block){
        rows, d, v, arena_again(t->data, wide), arena_again(t->data, wide),
        arena_again(t->data, rows * (size_t)v * sizeof(real))};
}

static void block_give(struct tape *t, const struct block *k)
{
    size_t wide = k->rows * (size_t)k->d * sizeof(real);

    arena_give(t->data, k->y, wide);
    arena_give(t->data, k->gy, wide);
    arena_give(t->data, k->logits, k->rows * (size_t)k->v * sizeof(real));
}

/* Computes the loss and the gradients of `rows` rows of f, from row `at` on. */
static void one_block(struct tape *t, tensor *y, tensor *table,
                      const struct loss *l, const struct block *k,
                      const struct found *f, size_t at, size_t rows)
{
    int d = table->dim[1], v = table->dim[0], *row = f->row + at;
    int gradient = t->mode == TAPE_TRAIN;
    size_t wide = (size_t)d;
    real factor = (real)l->logits;
    struct gemm logits = {.m = (int)rows, .n = v, .k = d, .tb = 1, .lda = d,
                          .ldb = d, .ldc = v, .alpha = factor};
    struct gemm by_y = {.m = (int)rows, .n = d, .k = v, .lda = v, .ldb = d,
                        .ldc = d, .alpha = factor};
    struct gemm by_table = {.m = v, .n = d, .k = (int)rows, .ta = 1, .lda = v,
                            .ldb = d, .ldc = d, .alpha = factor};
    struct cross_entropy ce = {rows, v, f->target + at, l->smoothing, l->scale};

    t->be->gather(rows, wide, wide, row, y->x, k->y);
    tape_gemm(t, &logits, k->y, table->x, NULL, k->logits);
    t->be->cross_entropy(&ce, k->logits, gradient, f->nll + at, f->hit + at,
                         f->sum + at / k->rows);
    if (gradient && y->g && table->g)
        tape_lower(t, rows * (size_t)v, k->logits);
    if (gradient && y->g) {
        tape_gemm(t, &by_y, k->logits, table->x, NULL, k->gy);
        t->be->scatter_add(rows, wide, row, k->gy, y->g);
    }
    if (gradient && table->g) {
        by_table.add = tape_adds(t, table);
        tape_gemm(t, &by_table, k->logits, k->y, NULL, table->g);
    }
    tape_raise(t);
}

static void clear(struct loss *l, size_t n)
{
    l->sum = 0;
    if (l->nll)
        memset(l->nll, 0, n * sizeof *l->nll);
    if (l->hit)
        memset(l->hit, 0, n);
}

static void root_back(struct tape *t, tensor *loss)
{
    (void)t;
    (void)loss; /* the gradient was computed during forward */
}

static tensor *root(struct tape *t, const struct loss *l, int nin,
                    tensor *const in[])
{
    tensor *y = tape_node(t, 0, NULL, root_back, nin, in);
    real sum = (real)l->sum;

    t->be->put(y->x, &sum, sizeof sum);
    return y;
}

tensor *ad_vocab_loss(struct tape *t, tensor *y, tensor *table,
                      struct loss *loss)
{
    int d = table->dim[1], v = table->dim[0], *row;
    size_t n = counted(t, loss, y->dim[0], y->dim[1], &row);
    size_t room = block_rows(t->be, d, v), most = n && n < room ? n : room;
    struct block k = block_take(t, n ? most : 0, d, v);
    struct found f = found_take(t, n, (n + most - 1) / most, 1);

    REQUIRE(tensor_last(y) == d, "y ends in %d, table in %d", tensor_last(y),
            d);
    clear(loss, (size_t)y->dim[0] * (size_t)y->dim[1]);
    f.row = row;
    f.target = arena_take(t->nodes, n * sizeof *f.target);
    for (size_t i = 0; i < n; i++)
        f.target[i] = loss->target[row[i]];
    tape_gradient(t, y);
    tape_leaves(t); /* the table may be a leaf */
    for (size_t at = 0; at < n; at += most)
        one_block(t, y, table, loss, &k, &f, at, n - at < most ? n - at : most);
    block_give(t, &k);
    found_give(t, &f, loss);
    return root(t, loss, 2, (tensor *[]){y, table});
}

tensor *ad_class_loss(struct tape *t, tensor *logits, struct loss *loss)
{
    size_t rows = tensor_rows(logits), n = tensor_len(logits);
    struct found f = found_take(t, rows, 1, 1);
    real *x = arena_again(t->data, n * sizeof *x);
    struct cross_entropy ce = {rows, tensor_last(logits), loss->target,
                               loss->smoothing, loss->scale};

    clear(loss, rows);
    t->be->copy(x, logits->x, n * sizeof *x);
    t->be->cross_entropy(&ce, x, t->mode == TAPE_TRAIN, f.nll, f.hit, f.sum);
    if (t->mode == TAPE_TRAIN && tape_gradient(t, logits))
        t->be->axpy(n, 1, x, logits->g);
    arena_give(t->data, x, n * sizeof *x);
    found_give(t, &f, loss);
    return root(t, loss, 1, &logits);
}

tensor *ad_square_loss(struct tape *t, tensor *y, const float *want,
                       struct loss *loss)
{
    size_t n = tensor_len(y), bytes = n * sizeof(real);
    struct found f = found_take(t, n, 1, 0);
    real *error = arena_again(t->data, bytes);
    real *wanted = arena_again(t->data, bytes);
    real *host = arena_take(t->nodes, bytes);
    int gradient = t->mode == TAPE_TRAIN;

    REQUIRE(tensor_last(y) == 1, "%d outputs", tensor_last(y));
    clear(loss, n);
    for (size_t i = 0; i < n; i++)
        host[i] = (real)want[i];
    t->be->put(wanted, host, bytes);
    t->be->square_error(n, loss->scale, wanted, y->x, error,
                        gradient ? tape_gradient(t, y) : NULL, f.nll, f.sum);
    arena_give(t->data, error, bytes);
    arena_give(t->data, wanted, bytes);
    found_give(t, &f, loss);
    return root(t, loss, 1, &y);
}
