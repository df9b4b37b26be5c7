/*
 * glue_parts: functions that make examples of the subtasks of GLUE and
 * SuperGLUE from package descriptions and their tags, WordNet and reviews, in
 * T5's text format.  glue.c and superglue.c list them in the parts of their
 * mixtures (mixture.h).  The examples are:
 *
 *     cola    a sentence; in the other class two of its words are swapped, a
 *             function word is lost or doubled, or a verb's number is changed
 *     sst2    a sentence of a film review
 *     mrpc, qqp
 *             a short description, and the first sentence of the long
 *             description of the same package or of another package, if
 *             possible from the same section
 *     stsb    two short descriptions; the score is 5 times the Jaccard index of
 *             their tags, and half of the scores are above 2.5
 *     mnli, rte, cb
 *             a text that names a value of a facet (facts.h), and a claim that
 *             the package's tags confirm, deny (they have another value) or
 *             leave open.  mnli_mismatched has claims about suites, and
 *             mnli_matched has none
 *     qnli    a question about a facet, and a text that answers the question or
 *             is about another facet
 *     boolq   a text that names a value of a facet, and a yes-no question
 *     multirc two texts that name values of a facet, and a question about one
 *             of them, with the values of both as answers
 *     copa    a sentence, and the question which of two others comes before or
 *             after it
 *     record  a passage from whose last sentence a name that occurred before is
 *             removed
 *     wic     two of WordNet's examples of a word, with the same or different
 *             meanings
 *     wnli, wsc
 *             the referent of a pronoun (Winograd schemas from a generator)
 */
#pragma once

#include "harness/tasks/glue/mixture.h"

/* glue_pairs.c */
void each_cola(struct mixture *m, const struct passage *p);
void make_sst2(struct mixture *m);
/* make_match requires that the member `of` of its part (struct part) points to
 * one of these. */
extern const struct matches match_mrpc, match_qqp;
void make_match(struct mixture *m);
void make_stsb(struct mixture *m);

/* glue_facts.c */
/* The member `of` of the part must point to one of these: to one of the first
 * three for make_inference (three classes), to one of the last two for make_rte
 * (two classes). */
extern const struct inference infer_matched, infer_mismatched, infer_cb;
extern const struct inference infer_rte, infer_rte_superglue;
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
