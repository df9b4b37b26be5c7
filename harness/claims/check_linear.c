/*
 * linear: compares the output of one head with W_V = W_O = I with R X, where R
 * holds the variant's scores of the same tokens X.  R X is the token mixing of
 * an MLP-Mixer with one linear layer.  Measures the largest difference divided
 * by the largest |R X|.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

static int identity(struct check_layer *l, const char *name)
{
    tensor *w = check_layer_weight(l, name);
    int d = l->c.d;

    if (!w)
        return err_set(ERR_USAGE, "%s has no W_V", l->subject.variant);
    for (int i = 0; i < d * d; i++)
        w->x[i] = i % (d + 1) == 0;
    return OK;
}

static int run_linear(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);
    int n = c.N, d = c.d;
    double most;

    c.heads = 1;
    PASS(check_layer_scored(&l, v->variant, &c));
    PASS(identity(&l, "v"));
    PASS(identity(&l, "o"));
    tensor *x = layer_tokens(&l.layer, n, 99);
    double *want = check_room(&l, n, d);
    check_times(n, n, d, check_layer_scores(&l, x, 0, 0),
                check_layer_wide(&l, x), want);
    double apart = check_apart(n * d, want, check_layer_output(&l, x), &most);
    check_say(o, "difference", apart / most, 0);
    return OK;
}

const struct check check_linear = {
    "linear", "one head without W_V and W_O, compared with R X",
    "variant d=16 N=12", run_linear,
    {{"difference", "largest |Y - R X| / largest |R X|"}}};
