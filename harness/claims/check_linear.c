/*
 * linear: one head with W_V = W_O = I against R X, R the variant's scores of
 * the same tokens: the token mixing of an MLP-Mixer with one linear layer.
 * The largest difference, of the largest |R X|.
 */
#include "harness/claims/draws.h"

#include "harness/base/err.h"

#include <math.h>

static const struct mask open_mask = {0, NULL};

static int identity(struct laid *l, const char *name)
{
    tensor *w = laid_weight(l, name);
    int d = l->c.d;

    if (!w)
        return err_set(ERR_USAGE, "%s has no W_V", l->subject.variant);
    for (int i = 0; i < d * d; i++)
        w->x[i] = i % (d + 1) == 0;
    return OK;
}

static double apart(struct laid *l, tensor *x)
{
    int n = x->dim[1], d = x->dim[2];
    const double *r = laid_scores(l, x, 0, 0), *in = laid_wide(l, x);
    double *want = draws_room(l, n, d), worst = 0, most = 0;

    draws_times(n, n, d, r, in, want);
    const tensor *y = layer_run(&l->layer, TAPE_EVAL, x, &open_mask);
    for (int i = 0; i < n * d; i++) {
        worst = fmax(worst, fabs((double)y->x[i] - want[i]));
        most = fmax(most, fabs(want[i]));
    }
    return worst / most;
}

static int run(const struct check_args *a, struct check_out *o)
{
    OWNED(laid_close) struct laid l = {0};
    struct model_config c;
    const char *variant;

    PASS(laid_word(&variant, a, "variant"));
    PASS(laid_sizes(&c, a));
    c.heads = 1;
    PASS(laid_open(&l, variant, MIX_LOGITS, &c));
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
    measures, run};
