/*
 * Checks of the scores B of a variant.
 *
 * scores: measures the distribution of the scores B of a variant, and how far
 * softmax(B) is from equal weights for all n tokens.  The distance is KL = ln n
 * - H, in nats, where H is the entropy of the weights; the largest weight times
 * n is a second measure.  Tokens are N(0, I), and rows of B are not masked.
 * Each head is a draw.  If the scores of a head depend on the tokens, the
 * values of this draw are means over the sentences.
 *
 * structure: measures the structure of the scores B of each head, and reports
 * the maximum of each measure over the heads.  The measures are the ranks of B
 * and of softmax(B), which count singular values above 1e-5 of the largest;
 * whether all rows of B are equal; and whether B is symmetric and positive
 * semidefinite, like a Gram matrix.
 */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/stats/linalg.h"
#include "harness/stats/stats.h"

#include <math.h>

/* ---- scores ---- */

enum { DRAWS = 96 };

struct spread {
    int    n;
    double variance[DRAWS], kurtosis[DRAWS], kl[DRAWS], peak;
};

/* Replaces `b` by softmax(b), and returns the mean KL over its rows.  Raises
 * *peak to n p, where p is the largest weight, if n p is larger. */
static double divergence(double *b, int n, double *peak)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        double *p = b + i * n;

        formula_softmax(p, n);
        for (int j = 0; j < n; j++) {
            sum += p[j] > 0 ? p[j] * log(n * p[j]) : 0;
            *peak = fmax(*peak, n * p[j]);
        }
    }
    return sum / n;
}

static void one_head(struct spread *s, struct check_layer *l, tensor *x)
{
    int n = x->dim[1], at = s->n;
    int reads = l->subject.mix.part[0]->depends != DEPENDS_NOTHING;
    int sentences = reads ? LAYER_B : 1;

    for (int k = 0; k < sentences; k++) {
        double *b = check_layer_scores(l, x, at, k);
        double mean = 0, m2 = 0, m4 = 0;

        for (int i = 0; i < n * n; i++)
            mean += b[i] / (n * n);
        for (int i = 0; i < n * n; i++) {
            m2 += pow(b[i] - mean, 2) / (n * n);
            m4 += pow(b[i] - mean, 4) / (n * n);
        }
        s->variance[at] += m2 / sentences;
        s->kurtosis[at] += (m2 > 0 ? m4 / (m2 * m2) : 0) / sentences;
        s->kl[at] += divergence(b, n, &s->peak) / sentences;
    }
}

static int measure_variant(struct spread *s, const char *variant,
                const struct check_values *v)
{
    OWNED(check_layer_close) struct check_layer l = {0};
    struct model_config c = check_layer_config(v);

    PASS(check_range("n", v->n, 2, c.N));
    if (c.heads < 2)
        return err_set(ERR_USAGE, "heads: %d: expected at least 2, for "
                       "standard errors", c.heads);
    c.r_scale = v->scale;
    c.r_init = (enum r_init)v->start;
    PASS(check_layer_scored(&l, variant, &c));
    tensor *x = layer_tokens(&l.layer, v->n, 99);
    for (s->n = 0; s->n < c.heads && s->n < DRAWS; s->n++)
        one_head(s, &l, x);
    return OK;
}

/* Reports the mean variance of the draws `s` divided by that of the draws `t`,
 * which are independent of `s` or the same object.  The ratio of 0 to 0 is
 * 1. */
static void say_ratio(struct check_out *o, const struct spread *s,
                      const struct spread *t)
{
    double x = stats_mean(s->variance, (size_t)s->n);
    double y = stats_mean(t->variance, (size_t)t->n);
    double ex = stats_sd(s->variance, (size_t)s->n) / sqrt(s->n);
    double ey = stats_sd(t->variance, (size_t)t->n) / sqrt(t->n);

    if (s == t || x == 0 || y == 0)
        check_say(o, "ratio", x == y ? 1 : y > 0 ? 0 : INFINITY, 0);
    else
        check_say(o, "ratio", x / y, x / y * hypot(ex / x, ey / y));
}

static int run_scores(const struct check_values *v, struct check_out *o)
{
    struct spread s = {0}, t = {0};

    PASS(measure_variant(&s, v->variant, v));
    if (*v->against)
        PASS(measure_variant(&t, v->against, v));
    check_mean(o, "variance", s.variance, s.n);
    check_mean(o, "kurtosis", s.kurtosis, s.n);
    check_mean(o, "kl", s.kl, s.n);
    check_say(o, "peak", s.peak, 0);
    say_ratio(o, &s, *v->against ? &t : &s);
    return OK;
}

const struct check check_scores = {
    "scores", "spread of scores, and distance from uniform weights",
    "variant against= start=normal scale=1 d=64 heads=8 k=0 N=64 n=64",
    run_scores,
    {{"variance", "variance of the scores"},
     {"kurtosis", "kurtosis of the scores: normal 3, uniform 1.8"},
     {"kl", "KL divergence of softmax(B) from uniform weights, nats"},
     {"peak", "n times the largest weight"},
     {"ratio", "variance / that of the variant that it is compared with"}}};

/* ---- structure ---- */

#define TOLERANCE 1e-5 /* scores are float32 sums */

struct maxima {
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

static void symmetry(struct maxima *s, int n, const double *b, double *mean)
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
static void take_head(struct maxima *s, struct check_layer *l, int n, double *b)
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
    struct maxima s = {0};

    PASS(check_range("n", v->n, 2, c.N));
    PASS(check_layer_scored(&l, v->variant, &c));
    tensor *x = layer_tokens(&l.layer, v->n, 99);
    for (int h = 0; h < c.heads; h++)
        take_head(&s, &l, v->n, check_layer_scores(&l, x, h, 0));
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
