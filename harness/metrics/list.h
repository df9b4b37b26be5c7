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
METRIC(rouge1)
METRIC(rouge2)
METRIC(rouge_l)
METRIC(nlg_bleu1)
METRIC(nlg_bleu4)
METRIC(nlg_rouge_l)
METRIC(nlg_cider)
METRIC(meteor)
METRIC(accuracy)
METRIC(glue8)
METRIC(glue9)
METRIC(superglue)

SCORER(bleu)
SCORER(bleu_t2t)
SCORER(bleu_multibleu)
SCORER(bleu_ende_t2t)
SCORER(chrf)
SCORER(ter)
SCORER(mcc)
SCORER(accuracy)
SCORER(acc_f1)
SCORER(stsb)
SCORER(cb)
SCORER(multirc)
SCORER(record)
SCORER(rouge)
SCORER(nlgeval)
SCORER(meteor)
SCORER(embsim)

VECTORS(bleu_sacrebleu)
VECTORS(bleu_t2t)
VECTORS(bleu_multibleu)
VECTORS(bleu_ende_t2t)
VECTORS(moses_tokenizer)
VECTORS(chrf)
VECTORS(ter)
VECTORS(rouge)
VECTORS(stem_porter)
VECTORS(stem_snowball)
VECTORS(nlgeval)
VECTORS(meteor)
VECTORS(embsim)
VECTORS(significance)
VECTORS(mcc)
VECTORS(accuracy)
VECTORS(acc_f1)
VECTORS(stsb)
VECTORS(cb)
VECTORS(multirc)
VECTORS(record)

#undef METRIC
#undef SCORER
#undef VECTORS
