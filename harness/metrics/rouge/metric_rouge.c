/* ROUGE-1, -2 and -L as `score rouge` computes them; percent. */
#include "harness/metrics/gathered.h"

extern const struct scorer scorer_rouge;

#define ROUGE(id, label, key)                                                 \
    static const char *const options_##id[] = {"main", key, NULL};            \
    static const struct gathered_score how_##id = {&scorer_rouge,             \
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
        .signature = key "|nrefs:1|stem:no|tok:a-z0-9|mean:segments|"         \
                         "like:rouge_score-0.1",                              \
        .begin = gathered_begin,                                              \
        .add = gathered_see,                                                  \
        .end = end_##id,                                                      \
        .strata = strata_##id,                                                \
    };

ROUGE(rouge1, "ROUGE-1", "rouge1")
ROUGE(rouge2, "ROUGE-2", "rouge2")
ROUGE(rouge_l, "ROUGE-L", "rougeL")
