#include "harness/cmd/table1.h"

#include <math.h>

static double flops_only(const struct model_config *c,
                         const struct variant *v)
{
    struct layer_cost cost = layer_cost(c, v);

    return (isnan(cost.scores) ? 0 : cost.scores) + cost.mixing;
}

struct question {
    const struct model_config *c;
    const struct variant      *v, *dot;
    double (*measure)(const struct model_config *c, const struct variant *v);
};

static int is_cheaper(const struct question *q, int n)
{
    struct model_config c = *q->c;

    c.N = n;
    c.a = c.c = 0; /* 0 means the divisors nearest to sqrt(N) */
    return q->measure(&c, q->v) < q->measure(&c, q->dot);
}

/* Returns the first N at which the answer of is_cheaper differs from the answer
 * at SHORTEST.  To find out whether there is such an N, first tests powers of
 * two, and a prime, which is no product of two factors a and c near sqrt(N). */
static struct break_even search(const struct question *q)
{
    enum { SHORTEST = 2, LONGEST = 65536, PRIME = 65521 };
    int first = is_cheaper(q, SHORTEST), changes = 0, n = SHORTEST;

    for (int at = SHORTEST; at <= LONGEST && !changes; at *= 2)
        changes = is_cheaper(q, at) != first;
    if (!changes && is_cheaper(q, PRIME) == first)
        return (struct break_even){first ? CHEAPER_ALWAYS : CHEAPER_NEVER, 0};
    while (is_cheaper(q, n) == first)
        n++;
    return (struct break_even){first ? CHEAPER_BELOW : CHEAPER_FROM, n};
}

struct table1_row table1_row(const struct model_config *c,
                             const struct variant *v,
                             const struct variant *dot)
{
    struct question params = {c, v, dot, layer_cost_params};
    struct question flops = {c, v, dot, flops_only};

    return (struct table1_row){v, layer_cost(c, v), search(&params),
                               search(&flops)};
}
