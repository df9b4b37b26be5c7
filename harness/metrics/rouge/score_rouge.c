/*
 * The score of a system is the mean over segments of P, R and F each; with
 * several references a segment has the scores of the one with the largest F,
 * for each type by itself.  (rouge_score's own aggregate is the median of
 * random bootstrap means: not to be reproduced, about 1e-3 away.)
 */
#include "harness/base/err.h"
#include "harness/metrics/rouge/rouge.h"
#include "harness/metrics/scorer.h"

#include <stdlib.h>

static const char *const types[] = {"rouge1", "rouge2", "rouge3", "rougeL",
                                    "rougeLsum", NULL};

static const struct score_option options[] = {
    {.key = "use_stemmer", .kind = SCORE_FLAG, .value = "no",
     .doc = "words over three letters by their Porter stems"},
    {.key = "main", .kind = SCORE_WORD, .value = "rougeL", .words = types,
     .doc = "whose mean F is the score"},
    {.key = NULL},
};

struct scores { struct rouge_score of[ROUGE_TYPES]; };

static struct scores of_segment(struct rouge *r, const struct score_input *in,
                                size_t i)
{
    struct scores best, s;

    rouge_score(r, in->hyp->line[i], in->ref[0]->line[i], best.of);
    for (int k = 1; k < in->refs; k++) {
        rouge_score(r, in->hyp->line[i], in->ref[k]->line[i], s.of);
        for (int t = 0; t < ROUGE_TYPES; t++)
            if (s.of[t].f > best.of[t].f)
                best.of[t] = s.of[t];
    }
    return best;
}

static struct scores *of_all(const struct score_input *in)
{
    struct rouge *r = rouge_new(score_flag(in, "use_stemmer"));
    struct scores *all = malloc(in->hyp->n * sizeof *all);

    for (size_t i = 0; i < in->hyp->n; i++)
        all[i] = of_segment(r, in, i);
    rouge_free(r);
    return all;
}

static void put(struct result *out, const char *name, struct rouge_score s)
{
    result_reals(out, name, (double[]){s.p, s.r, s.f}, 3);
}

static struct rouge_score mean(const struct scores *all, size_t n, int type)
{
    struct rouge_score sum = {0};

    for (size_t i = 0; i < n; i++) {
        sum.p += all[i].of[type].p;
        sum.r += all[i].of[type].r;
        sum.f += all[i].of[type].f;
    }
    return (struct rouge_score){sum.p / (double)n, sum.r / (double)n,
                                sum.f / (double)n};
}

static int score(struct result *out, const struct score_input *in)
{
    struct scores *all = of_all(in);
    size_t n = in->hyp->n;

    result_real(out, "score", mean(all, n, score_index(in, "main")).f);
    result_format(
        out, "signature",
        "%s|nrefs:%d|stem:%s|tok:a-z0-9|mean:segments|like:rouge_score-0.1",
        score_text(in, "main"), in->refs,
        score_flag(in, "use_stemmer") ? "porter-nltk" : "no");
    result_object(out, "mean_f");
    for (int t = 0; t < ROUGE_TYPES; t++)
        result_real(out, types[t], mean(all, n, t).f);
    result_end(out);
    result_object(out, "mean_p_r_f");
    for (int t = 0; t < ROUGE_TYPES; t++)
        put(out, types[t], mean(all, n, t));
    result_end(out);
    result_object(out, "per_segment_p_r_f");
    for (int t = 0; t < ROUGE_TYPES; t++) {
        result_list(out, types[t]);
        for (size_t i = 0; i < n; i++)
            put(out, NULL, all[i].of[t]);
        result_end(out);
    }
    result_end(out);
    free(all);
    return OK;
}

/* F, and 1 to count segments. */
static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    struct scores *all = of_all(in);
    int type = score_index(in, "main");

    *columns = 2;
    *stats = malloc(in->hyp->n * 2 * sizeof **stats);
    for (size_t i = 0; i < in->hyp->n; i++) {
        (*stats)[2 * i] = all[i].of[type].f;
        (*stats)[2 * i + 1] = 1;
    }
    free(all);
    return OK;
}

const struct scorer scorer_rouge = {
    .name = "rouge",
    .title = "ROUGE",
    .unit = "1",
    .better = 1,
    .options = options,
    .score = score,
    .segments = segments,
    .of_sums = scorer_mean,
};
