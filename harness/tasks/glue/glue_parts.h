/*
 * glue_parts: functions that make counterparts of the subtasks of GLUE and
 * SuperGLUE from package descriptions and reviews.  glue.c and superglue.c list
 * them in the parts of their mixtures (mixture.h).
 *
 * The counterparts test the path of these tasks: mixing, tokenising, packing,
 * fine-tuning from weights of c4, decoding and metrics.  Prefixes, names of
 * fields, labels and metrics are those of the official data in T5's format.
 * The counterparts do not measure understanding of language, and no variant is
 * compared on them: models of the reduced scale stay at the majority class.
 * README.md of tasks has the measurements: with as many steps and examples,
 * these models do not learn to match two segments of gen/gen_match.c either.
 *
 * Most subtasks are about two texts, the short description of a package and a
 * sentence of a long description.  The answer says how their packages are
 * related.  Each text occurs once with every answer, so a single text does not
 * reveal the answer; the words that both texts share may reveal it.
 *
 *     mrpc, qqp, qnli, rte, wnli, boolq, multirc, wic
 *             one package, or two of one section
 *     stsb, mnli, cb
 *             one package, two of one section, or two of different sections
 *     copa    a text of a package, and the question which of two others is of
 *             the same package
 *     record, wsc
 *             two packages with their names and short descriptions, and a
 *             sentence about one of them, which is to be named
 *     cola    a sentence; in the other class two neighbouring words are swapped
 *     sst2    a sentence of a film review
 */
#pragma once

#include "harness/tasks/glue/blocks.h"

/* The parameters of make_pairs.  In `form`, {1} stands for the short
 * description, {2} for the sentence, and {3} for the section of the package
 * that {1} describes.  `target` lists the answers: one package, one section,
 * different sections. */
struct pairs {
    const char *form, *target[MIXTURE_CLASSES + 1];
    int half;    /* 0: all blocks; 1: a half of them, chosen by a hash; 2: the
                    other half */
    int grouped; /* 1: the answers to a question about a text are scored
                    together, and all examples belong to class 0 when
                    mixture.c divides them among the classes */
};

/* A row of a list of parts; the arguments after `form_` are the targets and, if
 * needed, `.half`. */
#define PAIRS(name_, classes_, train, valid, test, form_, ...)                \
    {name_, classes_, {train, valid, test}, make_pairs,                       \
     &(const struct pairs){form_, __VA_ARGS__, .grouped = 0}}

void make_pairs(struct mixture *m);
void make_copa(struct mixture *m);
void make_record(struct mixture *m);
void make_wsc(struct mixture *m);
void make_cola(struct mixture *m);
void make_sst2(struct mixture *m);
