/*
 * linear: compares the output of one head with W_V = W_O = I with R X, where R
 * holds the variant's scores of the same tokens X.  R X is the token mixing of
 * an MLP-Mixer with one linear layer.  Measures the largest difference divided
 * by the largest |R X|.
 */
#include "harness/claims/weight_draws.h"

#include "harness/base/err.h"

#include <math.h>

static const struct mask open_mask = {0, NULL};

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

static double apart(struct check_layer *l, tensor *x)
{
    int n = x->dim[1], d = x->dim[2];
    const double *r = check_layer_scores(l, x, 0, 0),
                 *in = check_layer_wide(l, x);
    double *want = draws_room(l, n, d), worst = 0, most = 0;

    draws_times(n, n, d, r, in, want);
    const tensor *y = layer_run(&l->layer, TAPE_EVAL, x, &open_mask);
    for (int i = 0; i < n * d; i++) {
        worst = fmax(worst, fabs((double)y->x[i] - want[i]));
        most = fmax(most, fabs(want[i]));
    }
    return worst / most;
}

static int run_linear(const struct check_args *a, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c;
    const char *variant;

    PASS(check_layer_word(&variant, a, "variant"));
    PASS(check_layer_sizes(&c, a));
    c.heads = 1;
    PASS(check_layer_open(&l, variant, MIX_LOGITS, &c));
    if (l.subject.mix.n > 1 || !l.subject.mix.part[0]->scores)
        return err_set(ERR_USAGE, "%s has no scores of its own", variant);
    PASS(identity(&l, "v"));
    PASS(identity(&l, "o"));
    check_say(o, "difference", apart(&l, layer_tokens(&l.layer, c.N, 99)), 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "mixer, random, ..."},
    {"d", 16, "width of a token"},
    {"N", 12, "tokens of a sentence"},
    {0}};

static const struct check_measure measures[] = {
    {"difference", "largest |Y - R X| / largest |R X|"},
    {0}};

const struct check check_linear = {
    "linear", "one head without W_V and W_O, compared with R X", parameters,
    measures, run_linear};
