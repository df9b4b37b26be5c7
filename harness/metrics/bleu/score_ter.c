/*
 * ter: translation edit rate as sacreBLEU 2.6.0 computes it.
 *
 *   TER = 100 sum of edits / sum of lengths
 *
 * Both sums are over the segments.  The edits of a segment are the minimum over
 * its references; its length is the mean number of words of its references.
 *
 * If the references have no words, TER is 100 if there are edits, else 0.
 */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/metrics/bleu/ter.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/ngram.h"

#include <stdlib.h>

struct options { struct ter_form form; int sentence_level; };

static const struct score_option options[] = {
    {"normalized", SCORE_FLAG, SCORE_AT(form.normalized), "no",
     .doc = "separate punctuation"},
    {"no_punct", SCORE_FLAG, SCORE_AT(form.no_punct), "no",
     .doc = "remove punctuation"},
    {"asian_support", SCORE_FLAG, SCORE_AT(form.asian_support), "no",
     .doc = "split ideographs; treat Asian punctuation as such"},
    {"case_sensitive", SCORE_FLAG, SCORE_AT(form.case_sensitive), "no",
     .doc = "keep case"},
    {"sentence_level", SCORE_FLAG, SCORE_AT(sentence_level), "no",
     .doc = "also the values of each segment"},
    {.key = NULL}};

/* Statistics of a segment, which are a row of `segments`, or their sums. */
struct edits { double edits, length; };

static double rate(struct edits e)
{
    if (e.length > 0) /* 100 * edits / length would round differently */
        return 100 * (e.edits / e.length);
    return e.edits > 0 ? 100 : 0;
}

static struct edits segment(const struct score_input *in, size_t i,
                            const struct ter_form *f)
{
    OWNED(free) char *hyp = ter_tokenize(in->hyp->line[i], f);
    OWNED(map_free) struct map *words = map_of_copies();
    OWNED(ints_free) struct ints h = {0}, r = {0};
    struct edits e = {.edits = -1};

    ngram_numbers(&h, words, hyp, 1);
    for (int k = 0; k < in->refs; k++) {
        OWNED(free) char *ref = ter_tokenize(in->ref[k]->line[i], f);

        ngram_numbers(&r, words, ref, 1);
        double edits = (double)ter_edits(h.v, h.n, r.v, r.n);

        if (e.edits < 0 || edits < e.edits)
            e.edits = edits;
        e.length += (double)r.n;
    }
    e.length /= in->refs;
    return e;
}

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    struct edits *e = malloc(in->hyp->n * sizeof *e);
    const struct options *o = score_given(in);

    for (size_t i = 0; i < in->hyp->n; i++)
        e[i] = segment(in, i, &o->form);
    *stats = (double *)e;
    *columns = 2;
    return OK;
}

static double of_sums(const double *x, const struct score_input *in)
{
    (void)in;
    return rate((struct edits){x[0], x[1]});
}

static void add_names(json_t *out, const struct score_input *in,
                      const struct ter_form *f, double score)
{
    result_signature(
        out,
        "nrefs:%d|case:%s|tok:tercom|norm:%s|punct:%s|asian:%s|version:2.6.0",
        "#:%d|c:%s|t:tercom|nr:%s|pn:%s|as:%s|v:2.6.0", in->refs,
        f->case_sensitive ? "mixed" : "lc", f->normalized ? "yes" : "no",
        f->no_punct ? "no" : "yes", f->asian_support ? "yes" : "no");
    result_format(out, "printed", "TER = %.2f", score);
}

static int score(json_t *out, const struct score_input *in)
{
    const struct options *o = score_given(in);
    OWNED(free) double *x = NULL;
    double sum[2];
    size_t columns, n = in->hyp->n;

    PASS(segments(&x, &columns, in));
    scorer_sum(sum, x, n, columns);
    result_real(out, "score", of_sums(sum, in));
    add_names(out, in, &o->form, of_sums(sum, in));
    result_whole(out, "num_edits", sum[0]);
    result_real(out, "ref_length", sum[1]);
    if (!o->sentence_level)
        return OK;
    json_t *edits = json_array(), *sentences = json_object();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(edits, json_whole(x[2 * i]));
    result_json(out, "sentences", sentences);
    result_json(sentences, "num_edits", edits);
    result_json(sentences, "avg_ref_len", result_reals(x + 1, n, 2));
    result_json(sentences, "score", scorer_each(x, columns, of_sums, in));
    return OK;
}

const struct scorer scorer_ter = {
    .name = "ter",
    .title = "TER",
    .unit = "%",
    .better = -1,
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = of_sums};
