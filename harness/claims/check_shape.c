/* shape: measures the shape of one matrix of a layer.  The program computes x
 * W, so W has one row for each component of x. */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

#include <math.h>

static int run_shape(const struct check_args *a, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c;
    const char *variant, *name;

    PASS(check_layer_word(&variant, a, "variant"));
    PASS(check_layer_word(&name, a, "matrix"));
    PASS(check_layer_sizes(&c, a));
    PASS(check_layer_int(&c.projection, a, "slots", 1, c.N));
    PASS(check_layer_open(&l, variant, MIX_LOGITS, &c));
    const tensor *w = check_layer_weight(&l, name);
    if (!w || w->nd < 2)
        return err_set(ERR_USAGE, "%s has no matrix %s", variant, name);
    check_say(o, "rows", w->dim[w->nd - 2], 0);
    check_say(o, "columns", w->dim[w->nd - 1], 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "variant of the layer"},
    {"matrix", NAN, "name of the matrix: q, k, R, w1, w2, ..."},
    {"d", 64, "width of a token"},
    {"heads", 4, "heads"},
    {"rank", 8, "r of factorized-random"},
    {"N", 32, "longest sentence"},
    {"slots", 8, "p of linformer"},
    {0}};

static const struct check_measure measures[] = {
    {"rows", "rows of the matrix of a head"},
    {"columns", "columns of the matrix of a head"},
    {0}};

const struct check check_shape = {
    "shape", "rows and columns of a layer's matrix", parameters, measures,
    run_shape};
