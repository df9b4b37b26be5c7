/*
 * Metrics of decoded texts that `score NAME` computes, too.  They are in
 * percent, as in the paper.
 *
 *   ROUGE   no stemming; in -Lsum, which the paper's Table 3 calls ROUGE-L,
 *           " . " also ends a sentence, as in T5
 *   nlg_    BLEU-1, BLEU-4, ROUGE-L and CIDEr of dialogue; when CIDEr is
 *           resampled, the document frequencies remain those of the references
 *           of the whole test set
 *   METEOR  from the texts only: exact and stem matches, no synonyms, no list
 *           of function words
 */
#include "harness/base/names.h"
#include "harness/metrics/gathered.h"

#define TEXTS(id, label, of, text, ...)                                       \
    extern const struct scorer scorer_##of;                                   \
    const struct metric metric_##id = {                                       \
        .name = #id,                                                          \
        .title = label,                                                       \
        .unit = "%",                                                          \
        .better = 1,                                                          \
        .signature = text,                                                    \
        .how = &(const struct gathered_score){&scorer_##of,                   \
                                              NAMES(__VA_ARGS__), 100},       \
        .measure = gathered_measure,                                          \
        .strata = gathered_strata,                                            \
    };

#define ROUGE(id, label, key)                                                 \
    TEXTS(id, label, rouge, key "|nrefs:1|stem:no|tok:a-z0-9|mean:segments|"  \
          "like:rouge_score-0.1", "main", key)
#define NLGEVAL(id, label, key)                                               \
    TEXTS(id, label, nlgeval, key "|nrefs:1|case:mixed|tok:none|"             \
          "idf:references|like:nlg-eval", "main", key)

ROUGE(rouge1, "ROUGE-1", "rouge1")
ROUGE(rouge2, "ROUGE-2", "rouge2")
ROUGE(rouge_l, "ROUGE-L", "rougeL")
TEXTS(rouge_lsum, "ROUGE-Lsum", rouge,
      "rougeLsum|nrefs:1|stem:no|tok:a-z0-9|sentences:periods|mean:segments|"
      "like:rouge_score-0.1", "main", "rougeLsum", "periods", "true")
NLGEVAL(nlg_bleu1, "BLEU-1", "Bleu_1")
NLGEVAL(nlg_bleu4, "BLEU-4", "Bleu_4")
NLGEVAL(nlg_rouge_l, "ROUGE-L", "ROUGE_L")
NLGEVAL(nlg_cider, "CIDEr", "CIDEr")
TEXTS(meteor, "METEOR", meteor,
      "exact,stem|no function words|normalised|like:METEOR-1.5",
      "modules", "exact,stem", "function_words", "none", "prefixes", "none")
