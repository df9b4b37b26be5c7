/*
 * support: counts the entries of R (h,N,N) that training on sentences of n
 * tokens changes: the entries whose gradient is not 0.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"

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

static int run_support(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);

    PASS(check_range("n", v->n, 1, c.N));
    PASS(check_layer_open(&l, v->variant, MIX_LOGITS, &c));
    const tensor *r = check_layer_slopes(&l, "R");
    if (!r || !r->g)
        return err_set(ERR_USAGE, "%s has no learned R", v->variant);
    l.layer.x = layer_tokens(&l.layer, v->n, 99);
    layer_backward(&l.layer, &layer_mask[v->causal]);
    struct touched t = count(r, v->n);
    check_say(o, "share", t.all / (double)tensor_len(r), 0);
    check_say(o, "upper", t.upper, 0);
    check_say(o, "beyond", t.beyond, 0);
    return OK;
}

const struct check check_support = {
    "support", "entries of R that training changes",
    "variant d=16 heads=1 N=512 n=114 causal=1", run_support,
    {{"share", "share of the entries of R that have a gradient"},
     {"upper", "number of them above the diagonal"},
     {"beyond", "number of them in rows or columns from n on"}}};
