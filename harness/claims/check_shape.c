/* shape: measures the shape of one matrix of a layer.  The program computes x
 * W, so W has one row for each component of x. */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

static int run_shape(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);

    PASS(check_range("slots", v->slots, 1, c.N));
    c.projection = v->slots;
    PASS(check_layer_open(&l, v->variant, MIX_LOGITS, &c));
    const tensor *w = check_layer_weight(&l, v->matrix);
    if (!w || w->nd < 2)
        return err_set(ERR_USAGE, "%s has no matrix %s", v->variant,
                       v->matrix);
    check_say(o, "rows", w->dim[w->nd - 2], 0);
    check_say(o, "columns", w->dim[w->nd - 1], 0);
    return OK;
}

const struct check check_shape = {
    "shape", "rows and columns of a layer's matrix",
    "variant matrix d=64 heads=4 rank=8 N=32 slots=8", run_shape,
    {{"rows", "rows of the matrix of a head"},
     {"columns", "columns of the matrix of a head"}}};
