/*
 * Cross-entropy with label smoothing e (Szegedy et al. 2016):
 *
 *     loss = -sum_v q_v log p_v,  p = softmax(logits),
 *     q = 1 - e at the target and e / (V - 1) at each other class,
 *     logits' = scale (p - q).
 *
 * The vocabulary's logits never exist as a whole: blocks of rows go through
 * product, softmax, loss and gradient while they are in the cache.  Padding
 * rows are left out before the first product.  Regression takes the squared
 * error instead: loss = scale sum (y - want)^2.
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

#include <string.h>

/* A block's logits stay in the cache.  It reads the table twice and its
 * gradient once, and writes that: where the table does not fit into the cache,
 * more rows wait for memory less often, which counts more. */
enum { CACHE_BYTES = 1 << 20, BLOCK_ROWS = 128, MANY_ROWS = 256 };

/* The rows that count: row[i] = index into (b,m). */
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
    int    *target;
    double *nll;
    unsigned char *hit;
};

static size_t block_rows(int d, int v)
{
    size_t row = (size_t)v * sizeof(real), rows = CACHE_BYTES / row;

    if (row * (size_t)d > CACHE_BYTES)
        return MANY_ROWS;
    return rows < BLOCK_ROWS ? BLOCK_ROWS : rows / BLOCK_ROWS * BLOCK_ROWS;
}

static struct block block_take(struct tape *t, size_t rows, int d, int v)
{
    size_t wide = rows * (size_t)d * sizeof(real);

    return (struct block){
        rows, d, v, arena_again(t->data, wide), arena_again(t->data, wide),
        arena_again(t->data, rows * (size_t)v * sizeof(real)),
        arena_take(t->nodes, rows * sizeof(int)),
        arena_take(t->nodes, rows * sizeof(double)),
        arena_take(t->nodes, rows)};
}

static void block_give(struct tape *t, const struct block *k)
{
    size_t wide = k->rows * (size_t)k->d * sizeof(real);

    arena_give(t->data, k->y, wide);
    arena_give(t->data, k->gy, wide);
    arena_give(t->data, k->logits, k->rows * (size_t)k->v * sizeof(real));
}

static void one_block(struct tape *t, tensor *y, tensor *table, struct loss *l,
                      const struct block *k, const int *row, size_t rows,
                      int gradient)
{
    int d = table->dim[1], v = table->dim[0];
    size_t wide = (size_t)d * sizeof(real);
    real factor = (real)l->logits;
    struct gemm logits = {.m = (int)rows, .n = v, .k = d, .tb = 1, .lda = d,
                          .ldb = d, .ldc = v, .alpha = factor};
    struct gemm by_y = {.m = (int)rows, .n = d, .k = v, .lda = v, .ldb = d,
                        .ldc = d, .alpha = factor};
    struct gemm by_table = {.m = v, .n = d, .k = (int)rows, .ta = 1, .lda = v,
                            .ldb = d, .ldc = d, .alpha = factor};
    struct cross_entropy ce = {rows, v, k->target, l->smoothing, l->scale};
    double sum = 0;

    for (size_t i = 0; i < rows; i++) {
        t->be->copy(k->y + i * (size_t)d, y->x + (size_t)row[i] * (size_t)d,
                    wide);
        k->target[i] = l->target[row[i]];
    }
    tape_gemm(t, &logits, k->y, table->x, NULL, k->logits);
    t->be->cross_entropy(&ce, k->logits, gradient, k->nll, k->hit, &sum);
    l->sum += sum;
    for (size_t i = 0; i < rows && l->nll; i++)
        l->nll[row[i]] = k->nll[i];
    for (size_t i = 0; i < rows && l->hit; i++)
        l->hit[row[i]] = k->hit[i];
    if (gradient && y->g && table->g)
        tape_lower(t, rows * (size_t)v, k->logits);
    if (gradient && y->g) {
        tape_gemm(t, &by_y, k->logits, table->x, NULL, k->gy);
        for (size_t i = 0; i < rows; i++)
            t->be->axpy((size_t)d, 1, k->gy + i * (size_t)d,
                        y->g + (size_t)row[i] * (size_t)d);
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
    (void)loss; /* its gradient was taken on the way forward */
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
    size_t most = block_rows(d, v);
    struct block k = block_take(t, most < n ? most : n, d, v);

    REQUIRE(tensor_last(y) == d, "y ends in %d, table in %d", tensor_last(y),
            d);
    clear(loss, (size_t)y->dim[0] * (size_t)y->dim[1]);
    tape_gradient(t, y);
    tape_leaves(t); /* the table's is one */
    for (size_t at = 0; at < n; at += most)
        one_block(t, y, table, loss, &k, row + at,
                  n - at < most ? n - at : most, t->mode == TAPE_TRAIN);
    block_give(t, &k);
    return root(t, loss, 2, (tensor *[]){y, table});
}

tensor *ad_class_loss(struct tape *t, tensor *logits, struct loss *loss)
{
    size_t rows = tensor_rows(logits), n = tensor_len(logits);
    struct block k = block_take(t, rows, 1, tensor_last(logits));
    struct cross_entropy ce = {rows, tensor_last(logits), loss->target,
                               loss->smoothing, loss->scale};

    clear(loss, rows);
    t->be->copy(k.logits, logits->x, n * sizeof(real));
    t->be->cross_entropy(&ce, k.logits, t->mode == TAPE_TRAIN,
                         loss->nll ? loss->nll : k.nll,
                         loss->hit ? loss->hit : k.hit, &loss->sum);
    if (t->mode == TAPE_TRAIN && tape_gradient(t, logits))
        t->be->axpy(n, 1, k.logits, logits->g);
    block_give(t, &k);
    return root(t, loss, 1, &logits);
}

tensor *ad_square_loss(struct tape *t, tensor *y, const float *want,
                       struct loss *loss)
{
    size_t n = tensor_len(y);
    real *error = arena_take(t->data, n * sizeof *error);
    real *less = arena_take(t->nodes, n * sizeof *less);

    REQUIRE(tensor_last(y) == 1, "%d outputs", tensor_last(y));
    clear(loss, n);
    for (size_t i = 0; i < n; i++)
        less[i] = (real)-want[i];
    t->be->put(error, less, n * sizeof *error);
    t->be->axpy(n, 1, y->x, error);
    for (size_t i = 0; i < n && loss->nll; i++)
        t->be->dot(1, error + i, error + i, &loss->nll[i]);
    t->be->dot(n, error, error, &loss->sum);
    loss->sum *= loss->scale;
    if (t->mode == TAPE_TRAIN && tape_gradient(t, y))
        t->be->axpy(n, (real)(2 * loss->scale), error, y->g);
    return root(t, loss, 1, &y);
}
