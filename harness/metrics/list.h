/* The list of metrics and scorers.  Before a file includes this list, it
 * defines the macro METRIC, SCORER or both.  The rows of an undefined macro
 * expand to nothing. */
#ifndef METRIC
#define METRIC(name)
#endif
#ifndef SCORER
#define SCORER(name)
#endif

METRIC(ce)
METRIC(token_accuracy)
METRIC(ppl)
METRIC(ppl_word)
METRIC(bleu)
METRIC(rouge1)
METRIC(rouge2)
METRIC(rouge_l)
METRIC(rouge_lsum)
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

#undef METRIC
#undef SCORER
