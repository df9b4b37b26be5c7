/*
 * Packs tokens without padding: in (1,rows,d), the first length[s] rows of
 * sentence s of a rectangle (b,n,d) follow those of the earlier sentences.
 *
 *     pack      y = the tokens of x, then zeros;  x' += y' at the tokens
 *     unpack    the reverse, for each head: 0 at padding
 *
 * If scores are deferred (form.h), unpack unpacks the tokens from which the
 * scores are computed; the rows of the scores at padding are then arbitrary.
 */
#include "harness/base/err.h"
#include "harness/engine/form.h"
#include "harness/engine/ops.h"

/* If at most 1 / WORTH of an array is padding, packing would cost as much time
 * as it saves. */
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

static void pack_back(struct tape *t, tensor *y)
{
    t->be->unpack(y->aux, 1, tensor_last(y), 1, y->g, y->in[0]->g);
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
    y->aux = (void *)p; /* backward only reads aux */
    y->reals = 0;
    t->be->pack(p, 1, tensor_last(y), 0, x->x, y->x);
    tape_give_up(t, x);
    return y;
}

static int heads(const tensor *y) { return y->nd == 4 ? y->dim[0] : 1; }

static void unpack_back(struct tape *t, tensor *y)
{
    t->be->pack(y->aux, heads(y), tensor_last(y), 1, y->g, y->in[0]->g);
}

tensor *ad_unpack(struct tape *t, tensor *x, const struct packing *p)
{
    if (!p)
        return x;
    if (x->form && x->form->with)
        return x->form->with(t, x, ad_unpack(t, x->in[0], p));
    int at = x->nd - 3, dim[] = {x->dim[0], p->b, p->n, tensor_last(x)};

    REQUIRE(at >= 0 && x->dim[at] == 1 && x->dim[at + 1] == p->rows,
            "%d rows do not match the packing of (%d,%d,..)", x->dim[at + 1],
            p->b, p->n);
    tensor *y = tape_node(t, x->nd, dim + 1 - at, unpack_back, 1, &x);
    y->aux = (void *)p;
    y->reals = 0;
    t->be->unpack(p, heads(y), tensor_last(y), 0, x->x, y->x);
    return y;
}
