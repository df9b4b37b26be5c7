/*
 * BLEU-1 to -4, ROUGE-L, CIDEr-D and plain CIDEr as nlg-eval prints them (the
 * code of coco-caption): no PTB tokenizer and no lower case, which coco-caption
 * has.  BLEU is computed from sums over segments, the others are means over
 * segments.  Scores run from 0 to 1, but CIDEr's to 10.
 *
 *   BLEU-n   (prod_{k<=n} (correct_k + 1e-15) / (total_k + 1e-9))^(1/n) * BP,
 *            matches clipped by the references' largest count,
 *            r = (hyp + 1e-15) / (ref + 1e-9), BP = exp(1 - 1/r) if r < 1,
 *            ref = the length nearest to the hypothesis', the shorter of two;
 *            so a perfect text gets a little less than 1, and no match a little
 *            more than 0
 *   ROUGE-L  (1 + b^2) P R / (R + b^2 P), b = 1.2, P and R each from the best
 *            of the references; words are what stands between single blanks, so
 *            two blanks hold an empty word and no text is one
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/lcs.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/nlg/cider.h"
#include "harness/metrics/segment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4",
                                    "ROUGE_L", "CIDEr", "CIDEr_plain_not_D",
                                    NULL};

static const struct score_option options[] = {
    {.key = "main", .kind = SCORE_WORD, .value = "CIDEr", .words = names,
     .doc = "which of the metrics is the score"},
    {.key = NULL},
};

enum { ROUGE = BLEU_ORDERS, CIDER_D, CIDER_PLAIN, VALUES };

/* Of a segment, or their sum; all of it double. */
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

/* ---- segments ---- */

struct scratch {
    struct ngrams *grams;
    struct cider  *cider;
    struct map    *pieces;
    struct ints    hyp, ref;
    struct arena  *arena;
};

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

static double rouge_l(struct scratch *x, const struct segment *s)
{
    const double b2 = 1.2 * 1.2;
    double p = 0, r = 0;

    map_clear(x->pieces);
    read_pieces(&x->hyp, x->pieces, s->hyp);
    for (int i = 0; i < s->refs; i++) {
        arena_reset(x->arena);
        read_pieces(&x->ref, x->pieces, s->ref[i]);
        double hits = (double)lcs_length(x->ref.v, x->ref.n, x->hyp.v,
                                         x->hyp.n, x->arena);
        p = fmax(p, hits / (double)x->hyp.n);
        r = fmax(r, hits / (double)x->ref.n);
    }
    return p > 0 && r > 0 ? (1 + b2) * p * r / (r + b2 * p) : 0;
}

static struct row row_of(struct scratch *x, const struct segment *s)
{
    struct cider_score c = cider_score(x->cider, s->hyp, s->ref, s->refs);
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
    struct scratch x = {ngram_new(), cider_new(), map_of_copies(),
                        .arena = arena_new()};
    struct segment s = {0};

    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i);
        cider_add(x.cider, s.ref, s.refs);
    }
    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i);
        all[i] = row_of(&x, &s);
        segment_read_stripped(&s, in, i);
        all[i].rouge = rouge_l(&x, &s);
    }
    segment_free(&s);
    ngram_free(x.grams);
    cider_free(x.cider);
    map_free(x.pieces);
    ints_free(&x.hyp);
    ints_free(&x.ref);
    arena_free(x.arena);
    return all;
}

static int score(json_t *out, const struct score_input *in)
{
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
        json_object_set_new(corpus, names[k], json_real(v[k]));
        json_object_set_new(lists, names[k], result_reals(each + k, n,
                                                          VALUES));
    }
    json_object_set_new(out, "score", json_real(v[score_index(in, "main")]));
    result_format(out, "signature", "%s|nrefs:%d|case:mixed|tok:none|"
                  "idf:references|like:nlg-eval", score_text(in, "main"),
                  in->refs);
    result_put(out, "{s:o, s:o}", "corpus", corpus, "per_segment", lists);
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
    double v[VALUES];

    values(v, (const struct row *)sums);
    return v[score_index(in, "main")];
}

const struct scorer scorer_nlgeval = {
    .name = "nlgeval",
    .title = "nlg-eval",
    .unit = "1",
    .better = 1,
    .options = options,
    .score = score,
    .segments = segments,
    .of_sums = of_sums,
};
