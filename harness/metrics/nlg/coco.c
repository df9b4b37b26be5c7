#include "harness/metrics/nlg/coco.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"
#include "harness/metrics/lcs.h"
#include "harness/metrics/ngram.h"

#include <math.h>
#include <string.h>

void coco_open(struct coco *c)
{
    *c = (struct coco){.grams = map_of_copies(), .scratch = arena_new()};
}

void coco_close(struct coco *c)
{
    map_free(c->grams);
    arena_free(c->scratch);
    ints_free(&c->hyp);
    ints_free(&c->ref);
    ints_free(&c->all);
}

/* Which of two reference lengths is nearer to the hypothesis'. */
static double nearer(double words, double a, double b)
{
    double da = fabs(a - words), db = fabs(b - words);

    return da < db || (da == db && a < b) ? a : b;
}

struct coco_stats coco_bleu_count(struct coco *c, const char *hyp,
                                  const char *const *ref, int refs)
{
    struct coco_stats s = {0};

    map_clear(c->grams);
    for (int n = 1; n <= COCO_ORDERS; n++) {
        ngram_numbers(&c->hyp, c->grams, hyp, n);
        ints_sort(&c->hyp);
        s.total[n - 1] = (double)c->hyp.n;
        if (n == 1)
            s.hyp_words = (double)c->hyp.n;
        c->all.n = 0;
        for (int i = 0; i < refs; i++) {
            ngram_numbers(&c->ref, c->grams, ref[i], n);
            ints_sort(&c->ref);
            ints_unite(&c->all, &c->ref);
            if (n == 1)
                s.ref_words = i ? nearer(s.hyp_words, (double)c->ref.n,
                                         s.ref_words)
                                : (double)c->ref.n;
        }
        s.correct[n - 1] = (double)ints_common(&c->hyp, &c->all);
    }
    return s;
}

void coco_bleu(double bleu[COCO_ORDERS], const struct coco_stats *s)
{
    const double tiny = 1e-15, small = 1e-9;
    double product = 1, r = (s->hyp_words + tiny) / (s->ref_words + small);

    for (int n = 0; n < COCO_ORDERS; n++) {
        product *= (s->correct[n] + tiny) / (s->total[n] + small);
        bleu[n] = pow(product, 1.0 / (n + 1));
        if (r < 1)
            bleu[n] *= exp(1 - 1 / r);
    }
}

/* What stands between single blanks; "" is one empty word. */
static void read_pieces(struct ints *g, struct map *t, const char *s)
{
    g->n = 0;
    for (;; s++) {
        size_t n = strcspn(s, " ");

        ints_add(g, map_number(t, s, n));
        s += n;
        if (!*s)
            return;
    }
}

double coco_rouge_l(struct coco *c, const char *hyp, const char *const *ref,
                    int refs)
{
    const double b2 = 1.2 * 1.2;
    double p = 0, r = 0;

    map_clear(c->grams);
    read_pieces(&c->hyp, c->grams, hyp);
    for (int i = 0; i < refs; i++) {
        arena_reset(c->scratch);
        read_pieces(&c->ref, c->grams, ref[i]);
        double hits = (double)lcs_length(c->ref.v, c->ref.n, c->hyp.v,
                                         c->hyp.n, c->scratch);
        p = fmax(p, hits / (double)c->hyp.n);
        r = fmax(r, hits / (double)c->ref.n);
    }
    return p > 0 && r > 0 ? (1 + b2) * p * r / (r + b2 * p) : 0;
}
