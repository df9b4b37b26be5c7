/*
 * The ops between the products: normalisation, embedding, dropout, residual
 * sums, the mean over positions.
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

static void norm_back(struct tape *t, tensor *y)
{
    tensor *x = y->in[0], *gain = y->in[1], *bias = y->in[2];

    REQUIRE(x->g && gain->g && (!bias || bias->g), "norm: an operand has no "
            "gradient");
    t->be->norm_back(tensor_rows(y), tensor_last(y), x->x, gain->x, y->aux,
                     y->g, x->g, gain->g, bias ? bias->g : NULL);
}

tensor *ad_norm(struct tape *t, tensor *x, tensor *gain, tensor *bias,
                double eps)
{
    REQUIRE(gain->dim[0] == tensor_last(x), "gain %d, x ends in %d",
            gain->dim[0], tensor_last(x));
    tensor *y = tape_node(t, x->nd, x->dim, norm_back, 3,
                          (tensor *[]){x, gain, bias});

    y->aux = arena_take(t->data, 2 * tensor_rows(y) * sizeof(real));
    t->be->norm(tensor_rows(y), tensor_last(y), eps, x->x, gain->x,
                bias ? bias->x : NULL, y->x, y->aux);
    return y;
}

struct lookup { const int *id; int from; real scale; };

static void embed_back(struct tape *t, tensor *y)
{
    const struct lookup *l = y->aux;

    t->be->embed_back(tensor_rows(y), y->dim[1], tensor_last(y), l->from,
                      l->id, l->scale, y->g, y->in[0]->g,
                      y->in[1] ? y->in[1]->g : NULL);
}

tensor *ad_embed(struct tape *t, tensor *table, tensor *wave,
                 const int *id, int b, int n, int from, double scale)
{
    int v = table->dim[0], d = table->dim[1], dim[] = {b, n, d};

    REQUIRE(!wave || from + n <= wave->dim[0], "positions %d to %d of %d",
            from, from + n, wave->dim[0]);
    for (int i = 0; i < b * n; i++)
        REQUIRE(id[i] >= 0 && id[i] < v, "id %d, vocabulary %d", id[i], v);
    tensor *y = tape_node(t, 3, dim, embed_back, 2,
                          (tensor *[]){table, wave});
    struct lookup l = {id, from, (real)scale};

    tape_keep(t, y, &l, sizeof l);
    t->be->embed(tensor_rows(y), n, d, from, id, table->x,
                 wave ? wave->x : NULL, l.scale, y->x);
    return y;
}

/* x' += y',  z' += kept y' / keep */
static void residual_back(struct tape *t, tensor *y)
{
    tensor *x = y->in[0], *z = y->in[1];
    size_t n = tensor_len(y);

    if (x && !tape_adds(t, x))
        t->be->copy(x->g, y->g, n * sizeof(real));
    else if (x && x->g)
        t->be->axpy(n, 1, y->g, x->g);
    if (y->aux && tape_gradient(t, z))
        t->be->drop_back(n, t->keep, y->aux, y->g, z->g);
    else if (!y->aux)
        tape_pass(t, y, z);
}

static tensor *drop_add(struct tape *t, tensor *x, tensor *z)
{
    tensor *y = tape_node(t, z->nd, z->dim, residual_back, 2,
                          (tensor *[]){x, z});
    size_t n = tensor_len(y);

    y->aux = packing_is_of(t->packing, y)
                 ? tape_dropout_packed(t, tensor_last(y))
                 : tape_dropout(t, n, n / (size_t)y->dim[0]);
    y->writes = 1;
    y->reals = 0;
    t->be->drop_add(n, t->keep, y->aux, x ? x->x : NULL, z->x, y->x);
    tape_give_up(t, z);
    return y;
}

tensor *ad_residual(struct tape *t, tensor *x, tensor *z)
{
    REQUIRE(tensor_len(x) == tensor_len(z), "sizes %zu and %zu differ",
            tensor_len(x), tensor_len(z));
    return drop_add(t, x, z);
}

tensor *ad_dropout(struct tape *t, tensor *x)
{
    return t->keep < 1 ? drop_add(t, NULL, x) : x;
}

static void mean_back(struct tape *t, tensor *y)
{
    const tensor *x = y->in[0];

    t->be->mean_back(x->dim[0], x->dim[1], x->dim[2], y->aux, y->g, x->g);
}

tensor *ad_mean(struct tape *t, tensor *x, const int *length)
{
    int dim[] = {x->dim[0], x->dim[2]};
    tensor *y = tape_node(t, 2, dim, mean_back, 1, &x);

    y->aux = (void *)length; /* backward only reads aux */
    t->be->mean(x->dim[0], x->dim[1], x->dim[2], length, x->x, y->x);
    return y;
}
