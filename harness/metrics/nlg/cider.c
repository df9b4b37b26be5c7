#include "harness/metrics/nlg/cider.h"

#include "harness/base/map.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/ngram.h"

#include <math.h>
#include <stdlib.h>

enum { ORDERS = 4 };
static const double SIGMA = 6;

struct cider {
    struct map    *grams;
    struct ints    segments_with; /* [gram], in their references */
    long           segments;
    struct ints    hyp, ref, scratch;
};

struct cider *cider_new(void)
{
    struct cider *c = malloc(sizeof *c);

    *c = (struct cider){.grams = map_of_copies()};
    return c;
}

void cider_free(struct cider *c)
{
    if (!c)
        return;
    map_free(c->grams);
    ints_free(&c->segments_with);
    ints_free(&c->hyp);
    ints_free(&c->ref);
    ints_free(&c->scratch);
    free(c);
}

static void read_sorted(struct cider *c, struct ints *g, const char *text,
                        int n)
{
    ngram_numbers(g, c->grams, text, n);
    ints_sort(g);
    while (c->segments_with.n < (size_t)map_count(c->grams))
        ints_add(&c->segments_with, 0);
}

void cider_add(struct cider *c, const char *const *ref, int refs)
{
    struct ints *all = &c->ref;

    c->segments++;
    for (int n = 1; n <= ORDERS; n++) {
        all->n = 0;
        for (int i = 0; i < refs; i++) {
            read_sorted(c, &c->scratch, ref[i], n);
            ints_unite(all, &c->scratch);
        }
        for (size_t i = 0; i < all->n; i++)
            if (i == 0 || all->v[i] != all->v[i - 1])
                c->segments_with.v[all->v[i]]++;
    }
}

/* The run of equal numbers at g->v[*i]: its weight; *i moves behind it. */
static double weight(const struct cider *c, const struct ints *g, size_t *i)
{
    int id = g->v[*i], segments = c->segments_with.v[id];
    size_t first = *i;

    while (*i < g->n && g->v[*i] == id)
        ++*i;
    return (double)(*i - first) *
           (log((double)c->segments) - log(segments > 1 ? segments : 1));
}

static double norm(const struct cider *c, const struct ints *g)
{
    double sum = 0;

    for (size_t i = 0; i < g->n;) {
        double w = weight(c, g, &i);

        sum += w * w;
    }
    return sqrt(sum);
}

static struct cider_score similarity(const struct cider *c)
{
    const struct ints *hyp = &c->hyp, *ref = &c->ref;
    double norms = norm(c, hyp) * norm(c, ref);
    struct cider_score s = {0, 0};

    for (size_t i = 0, j = 0; i < hyp->n && j < ref->n;) {
        int x = hyp->v[i], y = ref->v[j];
        double a = x <= y ? weight(c, hyp, &i) : 0;
        double b = y <= x ? weight(c, ref, &j) : 0;

        s.plain += a * b;
        s.d += fmin(a, b) * b;
    }
    if (norms > 0) {
        s.plain /= norms;
        s.d /= norms;
    }
    return s;
}

static double bigrams(struct cider *c, const char *text)
{
    ngram_numbers(&c->scratch, c->grams, text, 2);
    return (double)c->scratch.n;
}

struct cider_score cider_score(struct cider *c, const char *hyp,
                               const char *const *ref, int refs)
{
    struct cider_score sum = {0, 0};
    double length = bigrams(c, hyp);

    for (int i = 0; i < refs; i++) {
        double d = length - bigrams(c, ref[i]);
        double near = exp(-d * d / (2 * SIGMA * SIGMA));

        for (int n = 1; n <= ORDERS; n++) {
            read_sorted(c, &c->hyp, hyp, n);
            read_sorted(c, &c->ref, ref[i], n);
            struct cider_score s = similarity(c);
            sum.plain += s.plain;
            sum.d += s.d * near;
        }
    }
    sum.plain *= 10.0 / ORDERS / refs;
    sum.d *= 10.0 / ORDERS / refs;
    return sum;
}
