/*
 * glue_parts: makers of the subtasks of GLUE and SuperGLUE from package
 * descriptions and their tags, WordNet and reviews, in T5's text format.
 * glue.c and superglue.c list them as the parts of their mixtures.
 *
 *     cola    a sentence, or one with two words swapped, a function word lost
 *             or doubled, or a verb's number changed
 *     sst2    a sentence of a film review
 *     mrpc    a short description and the first sentence of the long one, of
 *     qqp     the same package or of another, from its section if possible
 *     stsb    two short descriptions; 5 times the Jaccard index of their tags;
 *             half are above 2.5
 *     mnli, rte, cb
 *             a text that names a value of a facet (facts.h), and a claim that
 *             the package's tags confirm, deny (they have another value) or
 *             leave open.  mnli_mismatched: claims about suites, which
 *             mnli_matched does not contain
 *     qnli    a question about a facet; a text that answers it, or is about
 *             another facet
 *     boolq   the same facts as yes-no questions
 *     multirc two such texts; a question about each, with the values of both
 *     copa    which sentence comes before or after
 *     record  a name that occurred before, removed from the last sentence
 *     wic     a word of WordNet in two of its examples, with one meaning or two
 *     wnli, wsc
 *             the referent of a pronoun (Winograd schemas from a generator)
 */
#pragma once

#include "harness/tasks/glue/mixture.h"

/* glue_pairs.c */
void each_cola(struct mixture *m, const struct passage *p);
void make_sst2(struct mixture *m);
extern const struct matches match_mrpc, match_qqp;
/* with one of these */
void make_match(struct mixture *m);
void make_stsb(struct mixture *m);

/* glue_facts.c */
extern const struct inference infer_matched, infer_mismatched, infer_cb;
extern const struct inference infer_rte, infer_rte_superglue;
/* with one of these, for three classes and for two */
void make_inference(struct mixture *m);
void make_rte(struct mixture *m);
void make_qnli(struct mixture *m);
void make_boolq(struct mixture *m);
void make_multirc(struct mixture *m);

/* glue_stories.c */
void make_copa(struct mixture *m);
void each_record(struct mixture *m, const struct passage *p);
void make_wic(struct mixture *m);

/* glue_winograd.c */
void make_wnli(struct mixture *m);
void make_wsc(struct mixture *m);
