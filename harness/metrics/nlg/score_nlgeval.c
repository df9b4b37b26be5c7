/*
 * BLEU-1 to -4, ROUGE-L, CIDEr-D and plain CIDEr as nlg-eval prints them: no
 * PTB tokenizer and no lower case, which coco-caption has.  BLEU is computed
 * from sums over segments, the others are means over segments.
 */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/nlg/cider.h"
#include "harness/metrics/nlg/coco.h"
#include "harness/metrics/segment.h"

#include <stdlib.h>

static const char *const names[] = {"Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4",
                                    "ROUGE_L", "CIDEr", "CIDEr_plain_not_D",
                                    NULL};

static const struct score_option options[] = {
    {.key = "main", .kind = SCORE_WORD, .value = "CIDEr", .words = names,
     .doc = "which of the metrics is the score"},
    {.key = NULL},
};

enum { ROUGE = COCO_ORDERS, CIDER_D, CIDER_PLAIN, VALUES };

/* Of a segment, or their sum; all of it double. */
struct row { struct coco_stats bleu; double rouge, d, plain, segments; };
enum { COLUMNS = sizeof(struct row) / sizeof(double) };

static void values(double out[VALUES], const struct row *sum)
{
    coco_bleu(out, &sum->bleu);
    out[ROUGE] = sum->rouge / sum->segments;
    out[CIDER_D] = sum->d / sum->segments;
    out[CIDER_PLAIN] = sum->plain / sum->segments;
}

static void add(double *sum, const double *row)
{
    for (int k = 0; k < COLUMNS; k++)
        sum[k] += row[k];
}

static struct row *of_all(const struct score_input *in)
{
    struct row *all = malloc(in->hyp->n * sizeof *all);
    struct cider *cider = cider_new();
    struct segment s = {0};
    struct coco coco;

    coco_open(&coco);
    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i);
        cider_add(cider, s.ref, s.refs);
    }
    for (size_t i = 0; i < in->hyp->n; i++) {
        segment_read(&s, in, i);
        struct cider_score c = cider_score(cider, s.hyp, s.ref, s.refs);
        all[i] = (struct row){coco_bleu_count(&coco, s.hyp, s.ref, s.refs),
                              .d = c.d, .plain = c.plain, .segments = 1};
        segment_read_stripped(&s, in, i);
        all[i].rouge = coco_rouge_l(&coco, s.hyp, s.ref, s.refs);
    }
    segment_free(&s);
    coco_close(&coco);
    cider_free(cider);
    return all;
}

static void put_segments(struct result *out, const struct row *all, size_t n)
{
    result_object(out, "per_segment");
    for (int k = 0; k < VALUES; k++) {
        result_list(out, names[k]);
        for (size_t i = 0; i < n; i++) {
            double v[VALUES];

            values(v, &all[i]);
            result_real(out, NULL, v[k]);
        }
        result_end(out);
    }
    result_end(out);
}

static int score(struct result *out, const struct score_input *in)
{
    struct row *all = of_all(in), sum = {.segments = 0};
    double v[VALUES];
    char *signature = str_format("%s|nrefs:%d|case:mixed|tok:none|"
                                 "idf:references|like:nlg-eval",
                                 score_text(in, "main"), in->refs);

    for (size_t i = 0; i < in->hyp->n; i++)
        add((double *)&sum, (const double *)&all[i]);
    values(v, &sum);
    result_real(out, "score", v[score_index(in, "main")]);
    result_text(out, "signature", signature);
    result_object(out, "corpus");
    for (int k = 0; k < VALUES; k++)
        result_real(out, names[k], v[k]);
    result_end(out);
    put_segments(out, all, in->hyp->n);
    free(signature);
    free(all);
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
