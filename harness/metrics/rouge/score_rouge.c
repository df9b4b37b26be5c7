/*
 * rouge: P, R and F of a system are the means of P, R and F over the segments.
 * With several references, each type of ROUGE uses, in each segment, the
 * reference with the greatest F.  (rouge_score's own aggregate is the median of
 * random bootstrap means: it is not reproducible and differs by about 1e-3.)
 */
#include "harness/base/err.h"
#include "harness/metrics/rouge/rouge.h"
#include "harness/metrics/scorer.h"

#include <stdlib.h>

static const char *const types[] = {"rouge1", "rouge2", "rouge3", "rougeL",
                                    "rougeLsum", NULL};

struct options {
    int use_stemmer, periods, main;
    const char *separator;
};

static const struct key options[] = {
    {"use_stemmer", &key_bool, SCORE_AT(use_stemmer), .initial = "false",
     .help = "replace words over three letters by Porter stems"},
    {"periods", &key_bool, SCORE_AT(periods), .initial = "false",
     .help = "end sentences of rougeLsum at ` . `, too"},
    {"separator", &key_text, SCORE_AT(separator),
     .help = "text that ends sentences of rougeLsum, such as <q>"},
    {"main", &key_enum, SCORE_AT(main), .initial = "rougeL", .choices = types,
     .help = "type whose mean F is the score"},
    {.name = NULL}};

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
    const struct options *o = score_given(in);
    struct rouge *r = rouge_new(o->use_stemmer, o->periods, o->separator);
    struct scores *all = malloc(in->hyp->n * sizeof *all);

    for (size_t i = 0; i < in->hyp->n; i++)
        all[i] = of_segment(r, in, i);
    rouge_free(r);
    return all;
}

static int score(json_t *out, const struct score_input *in)
{
    enum { COLUMNS = sizeof(struct scores) / sizeof(double) };
    const struct options *o = score_given(in);
    OWNED(free) struct scores *all = of_all(in);
    json_t *f = json_object(), *three = json_object(), *each = json_object();
    int separated = o->separator && *o->separator;
    size_t n = in->hyp->n;
    struct scores mean;

    scorer_sum((double *)&mean, (const double *)all, n, COLUMNS);
    for (int t = 0; t < ROUGE_TYPES; t++) {
        struct rouge_score *s = &mean.of[t];
        json_t *list = json_array();

        *s = (struct rouge_score){s->p / (double)n, s->r / (double)n,
                                  s->f / (double)n};
        for (size_t i = 0; i < n; i++)
            json_array_append_new(list, result_reals(&all[i].of[t].p, 3, 1));
        result_real(f, types[t], s->f);
        result_json(three, types[t], result_reals(&s->p, 3, 1));
        result_json(each, types[t], list);
    }
    result_real(out, "score", mean.of[o->main].f);
    result_format(
        out, "signature",
        "%s|nrefs:%d|stem:%s|tok:a-z0-9|%s%s%s%smean:segments|"
        "like:rouge_score-0.1",
        types[o->main], in->refs, o->use_stemmer ? "porter-nltk" : "no",
        o->periods ? "sentences:periods|" : "",
        separated ? "separator:" : "", separated ? o->separator : "",
        separated ? "|" : "");
    result_json(out, "mean_f", f);
    result_json(out, "mean_p_r_f", three);
    result_json(out, "per_segment_p_r_f", each);
    return OK;
}

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    const struct options *o = score_given(in);
    OWNED(free) struct scores *all = of_all(in);

    scorer_values(stats, columns, &all->of[o->main].f,
                  in->hyp->n, sizeof *all / sizeof(double));
    return OK;
}

const struct scorer scorer_rouge = {
    .name = "rouge",
    .title = "ROUGE",
    .unit = "1",
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = scorer_mean,
};
