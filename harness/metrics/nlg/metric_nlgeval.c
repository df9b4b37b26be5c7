/*
 * BLEU-1, BLEU-4, ROUGE-L and CIDEr of dialogue, as `score nlgeval` computes
 * them; percent, as the paper prints them.  Where CIDEr is resampled, the
 * document frequencies stay those of the whole test set's references.
 */
#include "harness/metrics/gathered.h"

extern const struct scorer scorer_nlgeval;

#define NLGEVAL(id, label, key)                                               \
    static const char *const options_##id[] = {"main", key, NULL};            \
    static const struct gathered_score how_##id = {&scorer_nlgeval,           \
                                                   options_##id, 100};        \
    static double end_##id(void *self)                                        \
    {                                                                         \
        return gathered_end(self, &how_##id);                                 \
    }                                                                         \
    static int strata_##id(struct stratum *out, const struct seen *s,         \
                           size_t n)                                          \
    {                                                                         \
        return gathered_strata(out, &how_##id, s, n);                         \
    }                                                                         \
    const struct metric metric_##id = {                                       \
        .name = #id,                                                          \
        .title = label,                                                       \
        .unit = "%",                                                          \
        .better = 1,                                                          \
        .size = sizeof(struct gathered),                                      \
        .signature = key "|nrefs:1|case:mixed|tok:none|idf:references|"       \
                         "like:nlg-eval",                                     \
        .begin = gathered_begin,                                              \
        .add = gathered_see,                                                  \
        .end = end_##id,                                                      \
        .strata = strata_##id,                                                \
    };

NLGEVAL(nlg_bleu1, "BLEU-1", "Bleu_1")
NLGEVAL(nlg_bleu4, "BLEU-4", "Bleu_4")
NLGEVAL(nlg_rouge_l, "ROUGE-L", "ROUGE_L")
NLGEVAL(nlg_cider, "CIDEr", "CIDEr")
