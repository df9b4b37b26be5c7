/*
 * ngram: the n-grams of texts, and their counts in a hypothesis and, as the
 * greatest count in one reference, in its references.  A text is words joined
 * by single blanks, or a sequence of characters, so an n-gram is a slice of it,
 * and slices of different orders are never equal.  Scorers call ngram_add for
 * the texts of a segment, then ngram_matches.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct ints;
struct map;

/* Replaces *out by the numbers of the n-grams of `text`, in order; there are
 * max(words - n + 1, 0). */
void ngram_numbers(struct ints *out, struct map *m, const char *text, int n);

enum ngram_side { NGRAM_HYP, NGRAM_REF };

struct ngrams;

struct ngrams *ngram_new(void);
void           ngram_free(struct ngrams *g);
OWNER(ngram_free, struct ngrams *)
void           ngram_clear(struct ngrams *g);

/* Counts the n-grams of `text`, which must live until the next clear, and
 * returns their number.  On the reference side, each text is a separate
 * reference. */
long ngram_add(struct ngrams *g, const char *text, int n,
               enum ngram_side side);

/* Does the same for n-grams of characters, whose offsets in `text` are start
 * (n_chars + 1). */
long ngram_add_chars(struct ngrams *g, const char *text, const size_t *start,
                     size_t n_chars, int n, enum ngram_side side);

/* Returns the sum over distinct n-grams of min(count in the hypothesis,
 * greatest count in one reference). */
long ngram_matches(const struct ngrams *g);
