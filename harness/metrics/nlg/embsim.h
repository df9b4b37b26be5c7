/*
 * embsim: how near the words of two texts are in a table of word vectors
 * (Liu et al., EMNLP 2016), as nlg-eval computes it.  For each segment the
 * best reference counts.
 *
 *   average  cosine of the sums of the word vectors
 *   extrema  cosine of the vectors of extremes: per dimension the largest value
 *            x over the words where it is positive or outweighs the smallest,
 *            y, else y; but if y > 0, x, and if y = 0, 0
 *   greedy   mean of two means: of each hypothesis word the best cosine with a
 *            reference word, and the other way round
 *
 * A word that the table does not hold gets the mean of the whole table.
 */
#ifndef METRICS_NLG_EMBSIM_H
#define METRICS_NLG_EMBSIM_H

#include "harness/base/owned.h"

#include <stddef.h>

struct lines;

enum embsim_kind {
    EMBSIM_AVERAGE,
    EMBSIM_EXTREMA,
    EMBSIM_GREEDY,
    EMBSIM_KINDS
};

struct embsim;

/* The table is text: a word and its values, separated by blanks, on each line.
 * ERR_DATA. */
int  embsim_open(struct embsim **out, const struct lines *table);
void embsim_close(struct embsim *e);
OWNER(embsim_close, struct embsim *)
int  embsim_dimensions(const struct embsim *e);
int  embsim_words(const struct embsim *e);

/* Texts are words joined by single blanks, at least one in each.  A cosine with
 * a vector of zeros is 0, but returns -1 where all of a text's vectors add up
 * to zeros: its average has no direction. */
int embsim_score(double out[EMBSIM_KINDS], struct embsim *e, const char *hyp,
                 const char *const *ref, int refs);


#endif
