/*
 * structure: measures the structure of the scores B of a head: the ranks of B
 * and of softmax(B), which count singular values above 1e-5 of the largest;
 * whether all rows of B are equal; and whether B is symmetric and positive
 * semidefinite, like a Gram matrix.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/stats/linalg.h"

#include <math.h>

#define TOLERANCE 1e-5 /* scores are float32 sums */

struct seen {
    int    rank, softmax_rank;
    double rows, skew, negative;
};

static double largest(int n, const double *b)
{
    double most = 0;

    for (int i = 0; i < n * n; i++)
        most = fmax(most, fabs(b[i]));
    return most;
}

static void symmetry(struct seen *s, int n, const double *b, double *mean)
{
    double apart = 0, low, high;

    for (int i = 0; i < n * n; i++) {
        double other = b[i % n * n + i / n];

        apart += pow(b[i] - other, 2) / 2;
        mean[i] = (b[i] + other) / 2;
    }
    s->skew = fmax(s->skew, sqrt(apart / check_norm2(n * n, b)));
    linalg_symmetric(&low, &high, n, mean);
    s->negative = fmax(s->negative, -low / fmax(fabs(low), fabs(high)));
}

/* Updates *s, the maxima over heads, with the measures of one head.  Overwrites
 * `b`. */
static void look(struct seen *s, struct check_layer *l, int n, double *b)
{
    int rank = linalg_rank(n, n, b, TOLERANCE);
    double most = largest(n, b);

    s->rank = rank > s->rank ? rank : s->rank;
    for (int i = 0; i < n * n; i++)
        s->rows = fmax(s->rows, fabs(b[i] - b[i % n]) / most);
    symmetry(s, n, b, check_room(l, n, n));
    for (int i = 0; i < n; i++)
        formula_softmax(b + i * n, n);
    rank = linalg_rank(n, n, b, TOLERANCE);
    s->softmax_rank = rank > s->softmax_rank ? rank : s->softmax_rank;
}

static int run_structure(const struct check_values *v, struct check_out *o)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);
    struct seen s = {0};

    PASS(check_range("n", v->n, 2, c.N));
    PASS(check_layer_scored(&l, v->variant, &c));
    tensor *x = layer_tokens(&l.layer, v->n, 99);
    for (int h = 0; h < c.heads; h++)
        look(&s, &l, v->n, check_layer_scores(&l, x, h, 0));
    check_say(o, "rank", s.rank, 0);
    check_say(o, "softmax_rank", s.softmax_rank, 0);
    check_say(o, "rows", s.rows, 0);
    check_say(o, "skew", s.skew, 0);
    check_say(o, "negative", s.negative, 0);
    return OK;
}

const struct check check_structure = {
    "structure", "rank, equal rows and symmetry of the scores",
    "variant d=64 heads=2 k=0 rank=8 N=32 n=32", run_structure,
    {{"rank", "rank of B"},
     {"softmax_rank", "rank of softmax(B)"},
     {"rows", "largest difference of a row from the first / max |B|"},
     {"skew", "||B - B^T||_F / 2^(1/2) ||B||_F"},
     {"negative", "-least eigenvalue / largest |eigenvalue|, (B + B^T) / 2"}}};
