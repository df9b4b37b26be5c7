/*
 * Tokens without padding: the first length[s] rows of sentence s of a rectangle
 * (b,n,d) stand behind those of the sentences before it in (1,rows,d).
 *
 *     pack      y = the tokens of x, then zeros;  x' += y' at them
 *     unpack    the other way, of each head: 0 at padding
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

/* Where no more than an eighth is padding, copies would cost as much as it. */
enum { WORTH = 8 };

const struct packing *tape_packing(struct tape *t, const int *length, int b,
                                   int n)
{
    int tokens = 0, all = b * n;

    for (int s = 0; length && s < b; s++)
        tokens += length[s];
    int rows = (tokens + PACKED_ROWS - 1) / PACKED_ROWS * PACKED_ROWS;
    if (!tokens || rows > all - all / WORTH)
        return NULL;
    struct packing *p = arena_take(t->nodes, sizeof *p);
    *p = (struct packing){b, n, rows, length};
    return p;
}

int packing_is_of(const struct packing *p, const tensor *x)
{
    return p && x->nd == 3 && x->dim[0] == 1 && x->dim[1] == p->rows;
}

enum way { PACK, UNPACK, ADD_TO_PACKED, ADD_TO_WIDE };

static void clear(struct tape *t, real *x, size_t n)
{
    if (n) /* x may be where a buffer ends */
        t->be->zero(x, n * sizeof *x);
}

/* n values of one sentence. */
static void move_one(struct tape *t, size_t n, real *packed, real *wide,
                     enum way way)
{
    if (way == PACK)
        t->be->copy(packed, wide, n * sizeof *wide);
    if (way == UNPACK)
        t->be->copy(wide, packed, n * sizeof *wide);
    if (way == ADD_TO_PACKED)
        t->be->axpy(n, 1, wide, packed);
    if (way == ADD_TO_WIDE)
        t->be->axpy(n, 1, packed, wide);
}

/* Sentence by sentence: packed (1,rows,d), wide (b,n,d). */
static void move(struct tape *t, const struct packing *p, int width,
                 real *packed, real *wide, enum way way)
{
    size_t d = (size_t)width, row = (size_t)p->n * d;
    real *end = packed + (size_t)p->rows * d;

    for (int s = 0; s < p->b; s++, wide += row) {
        size_t n = (size_t)p->length[s] * d;

        if (n)
            move_one(t, n, packed, wide, way);
        if (way == UNPACK)
            clear(t, wide + n, row - n);
        packed += n;
    }
    if (way == PACK)
        clear(t, packed, (size_t)(end - packed));
}

static void pack_back(struct tape *t, tensor *y)
{
    move(t, y->aux, tensor_last(y), y->g, y->in[0]->g, ADD_TO_WIDE);
}

tensor *ad_pack(struct tape *t, tensor *x, const struct packing *p)
{
    if (!p)
        return x;
    REQUIRE(x->nd == 3 && x->dim[0] == p->b && x->dim[1] == p->n,
            "x is (%d,%d,..), the packing is for (%d,%d,..)", x->dim[0],
            x->dim[1], p->b, p->n);
    tensor *y = tape_node(t, 3, (int[]){1, p->rows, x->dim[2]}, pack_back, 1,
                          &x);
    y->aux = (void *)p; /* read only; aux is where backward looks */
    move(t, p, tensor_last(y), y->x, x->x, PACK);
    tape_give_up(t, x);
    return y;
}

static void each_head(struct tape *t, const struct packing *p, const tensor *y,
                      real *packed, real *wide, enum way way)
{
    size_t heads = y->nd == 4 ? (size_t)y->dim[0] : 1;
    size_t d = (size_t)tensor_last(y);

    for (size_t h = 0; h < heads; h++)
        move(t, p, (int)d, packed + h * (size_t)p->rows * d,
             wide + h * (size_t)p->b * (size_t)p->n * d, way);
}

static void unpack_back(struct tape *t, tensor *y)
{
    each_head(t, y->aux, y, y->in[0]->g, y->g, ADD_TO_PACKED);
}

tensor *ad_unpack(struct tape *t, tensor *x, const struct packing *p)
{
    if (!p)
        return x;
    int at = x->nd - 3, dim[] = {x->dim[0], p->b, p->n, tensor_last(x)};

    REQUIRE(at >= 0 && x->dim[at] == 1 && x->dim[at + 1] == p->rows,
            "%d rows do not match the packing of (%d,%d,..)", x->dim[at + 1],
            p->b, p->n);
    tensor *y = tape_node(t, x->nd, dim + 1 - at, unpack_back, 1, &x);
    y->aux = (void *)p;
    each_head(t, p, y, x->x, y->x, UNPACK);
    return y;
}
