/*
 * support: counts the entries of R (h,N,N) that training on sentences of n
 * tokens changes: the entries whose gradient is not 0.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

#include <math.h>

static const struct mask masks[] = {{0, NULL}, {1, NULL}};

struct touched { double all, upper, beyond; };

static struct touched count(const tensor *r, int n)
{
    int N = r->dim[2];
    struct touched t = {0};

    for (size_t e = 0; e < tensor_len(r); e++) {
        int i = (int)(e / (size_t)N) % N, j = (int)(e % (size_t)N);

        if (r->g[e] == 0)
            continue;
        t.all++;
        t.upper += j > i;
        t.beyond += i >= n || j >= n;
    }
    return t;
}

static int run_support(const struct check_args *a, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c;
    const char *variant;
    int n, causal;

    PASS(check_layer_word(&variant, a, "variant"));
    PASS(check_layer_sizes(&c, a));
    PASS(check_layer_int(&n, a, "n", 1, c.N));
    PASS(check_layer_int(&causal, a, "causal", 0, 1));
    PASS(check_layer_open(&l, variant, MIX_LOGITS, &c));
    const tensor *r = check_layer_slopes(&l, "R");
    if (!r || !r->g)
        return err_set(ERR_USAGE, "%s has no learned R", variant);
    l.layer.x = layer_tokens(&l.layer, n, 99);
    layer_backward(&l.layer, &masks[causal]);
    struct touched t = count(r, n);
    check_say(o, "share", t.all / (double)tensor_len(r), 0);
    check_say(o, "upper", t.upper, 0);
    check_say(o, "beyond", t.beyond, 0);
    return OK;
}

static const struct check_parameter parameters[] = {
    {"variant", NAN, "variant of R: random, random+vanilla, ..."},
    {"d", 16, "width of a token"},
    {"heads", 1, "heads"},
    {"N", 512, "rows of R"},
    {"n", 114, "tokens of a sentence"},
    {"causal", 1, "1: decoder, 0: encoder"},
    {0}};

static const struct check_measure measures[] = {
    {"share", "share of the entries of R that have a gradient"},
    {"upper", "number of them above the diagonal"},
    {"beyond", "number of them in rows or columns from n on"},
    {0}};

const struct check check_support = {
    "support", "entries of R that training changes", parameters, measures,
    run_support};
