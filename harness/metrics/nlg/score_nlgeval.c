/*
 * nlgeval: BLEU-1 to -4, ROUGE-L, CIDEr-D and plain CIDEr as nlg-eval prints
 * them (the code of coco-caption), without coco-caption's PTB tokenizer and
 * lowercasing.  BLEU is computed from sums over segments, the others are means
 * over segments.  CIDEr ranges from 0 to 10, the other scores from 0 to 1.
 *
 *   BLEU-n   BP (prod_{k<=n} (correct_k + 1e-15) / (total_k + 1e-9))^(1/n),
 *            with the counts of bleu.h.  BP = exp(1 - 1/r) if r < 1, else 1,
 *            where r = (hyp_words + 1e-15) / (ref_words + 1e-9).  A perfect
 *            text scores slightly below 1, a text without a match slightly
 *            above 0
 *   CIDEr    10 times the mean of sim_n over n = 1..4 and over references,
 *            where sim_n = sum_g a_g b_g / (|a| |b|).  For the n-gram g, a_g is
 *            its count in the hypothesis and b_g that in the reference, both
 *            times log(N / max(1, N_g)); N_g of the N segments have g in a
 *            reference.  With one segment, the logarithm and the score are 0
 *   CIDEr-D  uses min(a_g, b_g) instead of a_g, and multiplies each sim_n by
 *            exp(-d^2 / (2 * 6^2)), where d is the difference of the numbers of
 *            bigrams; for captions, it is called "CIDEr" (Vedantam, Zitnick,
 *            Parikh, CVPR 2015)
 *   ROUGE-L  (1 + b^2) P R / (R + b^2 P), b = 1.2, where P and R are each the
 *            best over the references.  Words are separated by single blanks,
 *            so two blanks enclose an empty word, and an empty text is one
 *            empty word
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/lcs.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/scorer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4",
                                    "ROUGE_L", "CIDEr", "CIDEr_plain_not_D",
                                    NULL};

struct options { int main; };

static const struct key options[] = {
    {"main", &key_enum, SCORE_AT(main), .initial = "CIDEr", .choices = names,
     .help = "metric that is the score"},
    {.name = NULL}};

enum { ROUGE = BLEU_ORDERS, CIDER_D, CIDER_PLAIN, VALUES };

/* Statistics of a segment, or their sums; all members are double. */
struct row {
    double correct[BLEU_ORDERS], total[BLEU_ORDERS], hyp_words, ref_words;
    double rouge, d, plain, segments;
};
enum { COLUMNS = sizeof(struct row) / sizeof(double) };

static void values(double out[VALUES], const struct row *sum)
{
    const double tiny = 1e-15, small = 1e-9;
    double r = (sum->hyp_words + tiny) / (sum->ref_words + small), product = 1;

    for (int n = 0; n < BLEU_ORDERS; n++) {
        product *= (sum->correct[n] + tiny) / (sum->total[n] + small);
        out[n] = pow(product, 1.0 / (n + 1));
        if (r < 1)
            out[n] *= exp(1 - 1 / r);
    }
    out[ROUGE] = sum->rouge / sum->segments;
    out[CIDER_D] = sum->d / sum->segments;
    out[CIDER_PLAIN] = sum->plain / sum->segments;
}

/* ---- CIDEr ---- */

struct cider_score { double d, plain; };

static const double SIGMA = 6;

struct cider {
    struct map    *grams;
    struct ints    segments_with; /* [gram] number of segments that have the
                                     n-gram in a reference */
    long           segments;
    struct ints    hyp, ref, scratch;
};

static void read_sorted(struct cider *c, struct ints *g, const char *text,
                        int n)
{
    ngram_numbers(g, c->grams, text, n);
    ints_sort(g);
    while (c->segments_with.n < (size_t)map_count(c->grams))
        ints_add(&c->segments_with, 0);
}

static void cider_add(struct cider *c, const char *const *ref, int refs)
{
    struct ints *all = &c->ref;

    c->segments++;
    for (int n = 1; n <= BLEU_ORDERS; n++) {
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

/* Returns the weight of the run of equal numbers at g->v[*i], and advances *i
 * past it. */
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

static struct cider_score cider_score(struct cider *c, const char *hyp,
                                      const char *const *ref, int refs)
{
    struct cider_score sum = {0, 0};
    double length = bigrams(c, hyp);

    for (int i = 0; i < refs; i++) {
        double d = length - bigrams(c, ref[i]);
        double near = exp(-d * d / (2 * SIGMA * SIGMA));

        for (int n = 1; n <= BLEU_ORDERS; n++) {
            read_sorted(c, &c->hyp, hyp, n);
            read_sorted(c, &c->ref, ref[i], n);
            struct cider_score s = similarity(c);
            sum.plain += s.plain;
            sum.d += s.d * near;
        }
    }
    sum.plain *= 10.0 / BLEU_ORDERS / refs;
    sum.d *= 10.0 / BLEU_ORDERS / refs;
    return sum;
}

/* ---- segments ---- */

struct scratch {
    struct ngrams *grams;
    struct cider   cider;
    struct map    *pieces;
    struct arena  *arena;
};

static void scratch_free(struct scratch *x)
{
    ngram_free(x->grams);
    map_free(x->cider.grams);
    ints_free(&x->cider.segments_with);
    ints_free(&x->cider.hyp);
    ints_free(&x->cider.ref);
    ints_free(&x->cider.scratch);
    map_free(x->pieces);
    arena_free(x->arena);
}
OWNER_OF_VALUE(scratch_free, struct scratch)

/* Sets `g` to the numbers of the words of `s`, which are separated by single
 * blanks; "" is one empty word. */
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

static double rouge_l(struct scratch *x, const struct segment *s)
{
    const double b2 = 1.2 * 1.2;
    struct ints *hyp = &x->cider.hyp, *ref = &x->cider.ref;
    double p = 0, r = 0;

    map_clear(x->pieces);
    read_pieces(hyp, x->pieces, s->hyp);
    for (int i = 0; i < s->refs; i++) {
        arena_reset(x->arena);
        read_pieces(ref, x->pieces, s->ref[i]);
        double hits = (double)lcs_length(ref->v, ref->n, hyp->v, hyp->n,
                                         x->arena);
        p = fmax(p, hits / (double)hyp->n);
        r = fmax(r, hits / (double)ref->n);
    }
    return p > 0 && r > 0 ? (1 + b2) * p * r / (r + b2 * p) : 0;
}

static struct row row_of(struct scratch *x, const struct segment *s)
{
    struct cider_score c = cider_score(&x->cider, s->hyp, s->ref, s->refs);
    struct bleu_stats b = {.hyp_words = 0};

    bleu_add(&b, x->grams, BLEU_ORDERS, s->hyp, s->ref, s->refs);
    struct row row = {.hyp_words = (double)b.hyp_words,
                      .ref_words = (double)b.ref_words, .d = c.d,
                      .plain = c.plain, .segments = 1};
    for (int n = 0; n < BLEU_ORDERS; n++) {
        row.correct[n] = (double)b.correct[n];
        row.total[n] = (double)b.total[n];
    }
    return row;
}

static struct row *of_all(const struct score_input *in)
{
    struct row *all = malloc(in->hyp->n * sizeof *all);
    OWNED(scratch_free) struct scratch x = {
        ngram_new(), {.grams = map_of_copies()}, map_of_copies(),
        .arena = arena_new()};
    OWNED(segment_free) struct segment s = {0};

    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i, 1);
        cider_add(&x.cider, s.ref, s.refs);
    }
    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i, 1);
        all[i] = row_of(&x, &s);
        segment_read(&s, in, i, 0);
        all[i].rouge = rouge_l(&x, &s);
    }
    return all;
}

static int score(json_t *out, const struct score_input *in)
{
    const struct options *o = score_given(in);
    size_t n = in->hyp->n;
    OWNED(free) struct row *all = of_all(in);
    OWNED(free) double *each = malloc(n * VALUES * sizeof *each);
    json_t *corpus = json_object(), *lists = json_object();
    struct row sum;
    double v[VALUES];

    scorer_sum((double *)&sum, (const double *)all, n, COLUMNS);
    values(v, &sum);
    for (size_t i = 0; i < n; i++)
        values(each + i * VALUES, &all[i]);
    for (int k = 0; k < VALUES; k++) {
        result_real(corpus, names[k], v[k]);
        result_json(lists, names[k], result_reals(each + k, n, VALUES));
    }
    result_real(out, "score", v[o->main]);
    result_format(out, "signature", "%s|nrefs:%d|case:mixed|tok:none|"
                  "idf:references|like:nlg-eval", names[o->main], in->refs);
    result_json(out, "corpus", corpus);
    result_json(out, "per_segment", lists);
    return OK;
}

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    *columns = COLUMNS;
    *stats = (double *)of_all(in);
    return OK;
}

static double of_sums(const double *sums, const struct score_input *in)
{
    const struct options *o = score_given(in);
    double v[VALUES];

    values(v, (const struct row *)sums);
    return v[o->main];
}

const struct scorer scorer_nlgeval = {
    .name = "nlgeval",
    .title = "nlg-eval",
    .unit = "1",
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = of_sums,
};
