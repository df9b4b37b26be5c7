/* Whoever reads this defines the macros of the kinds that it wants. */
#ifndef METRIC
#define METRIC(name)
#endif
#ifndef SCORER
#define SCORER(name)
#endif
#ifndef VECTORS
#define VECTORS(name)
#endif

METRIC(ce)
METRIC(token_accuracy)
METRIC(ppl)
METRIC(ppl_word)
METRIC(bleu)
METRIC(accuracy)

SCORER(bleu)
SCORER(bleu_t2t)
SCORER(bleu_multibleu)
SCORER(bleu_ende_t2t)
SCORER(chrf)
SCORER(ter)

VECTORS(bleu_sacrebleu)
VECTORS(bleu_t2t)
VECTORS(bleu_multibleu)
VECTORS(bleu_ende_t2t)
VECTORS(moses_tokenizer)
VECTORS(chrf)
VECTORS(ter)
VECTORS(significance)

#undef METRIC
#undef SCORER
#undef VECTORS
