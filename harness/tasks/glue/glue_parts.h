/*
 * glue_parts: how the subtasks of GLUE and SuperGLUE are made of package
 * descriptions and their tags, of WordNet and of reviews, in T5's words.
 *
 *     cola    a sentence, or one with two words swapped, a function word lost
 *             or doubled, or a verb's number changed
 *     sst2    a sentence of a film review
 *     mrpc    a short description and the first sentence of the long one, of
 *     qqp     the same package or of another of its section
 *     stsb    two short descriptions; 5 times the Jaccard index of their tags
 *     mnli, rte, cb
 *             a sentence that names a language or toolkit; a claim about it
 *             that the package's tags bear out, deny (they name another one),
 *             or do not decide.  mnli_matched: of sections for programmers;
 *             mnli_mismatched: of others
 *     qnli    a question about the language or toolkit; a sentence that answers
 *             it or another of the same description
 *     boolq, multirc
 *             the same facts, asked yes or no, and with three answers
 *     copa    which sentence comes before or after
 *     record  a name that came before, taken out of the last sentence
 *     wic     a word of WordNet in two of its examples: of one meaning or two
 *     wnli, wsc
 *             whom a pronoun means (Winograd schemas from a generator)
 */
#pragma once

#include "harness/tasks/glue/mixture.h"

/* glue_pairs.c */
void each_cola(struct mixture *m, const struct passage *p);
void make_sst2(struct mixture *m);
extern const struct matches match_mrpc, match_qqp;
/* of one of these */
void each_match(struct mixture *m, const struct passage *p);
void each_stsb(struct mixture *m, const struct passage *p);

/* glue_facts.c */
extern const struct inference infer_matched, infer_mismatched, infer_cb;
extern const struct inference infer_rte, infer_rte_superglue;
void make_inference(struct mixture *m); /* of one of these */
void make_qnli(struct mixture *m);
void make_boolq(struct mixture *m);
void make_multirc(struct mixture *m);

/* glue_stories.c */
void each_copa(struct mixture *m, const struct passage *p);
void each_record(struct mixture *m, const struct passage *p);
void make_wic(struct mixture *m);

/* glue_winograd.c */
void make_wnli(struct mixture *m);
void make_wsc(struct mixture *m);
