/*
 * ngram: counts the n-grams that a hypothesis shares with its references.  A
 * text consists of words joined by single blanks, so an n-gram is a slice of
 * the text, and n-grams of different n are never equal.  Scorers call ngram_add
 * for each text of a segment, then ngram_matches.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct ints;
struct map;

/* Replaces *out by a list with one number for each n-gram of `text`, in order.
 * The list has max(words - n + 1, 0) elements.  Equal n-grams have equal
 * numbers, which the map `m` assigns. */
void ngram_numbers(struct ints *out, struct map *m, const char *text, int n);

enum ngram_side { NGRAM_HYP, NGRAM_REF };

struct ngrams;

struct ngrams *ngram_new(void);
void           ngram_free(struct ngrams *g);
OWNER(ngram_free, struct ngrams *)
void           ngram_clear(struct ngrams *g);

/* Adds the n-grams of `text` to the counts of `side` and returns their number.
 * `text` must live until ngram_clear or ngram_free.  Each text added as
 * NGRAM_REF is a separate reference. */
long ngram_add(struct ngrams *g, const char *text, int n,
               enum ngram_side side);

/* Returns the sum over distinct n-grams of min(count in the hypothesis,
 * greatest count in one reference). */
long ngram_matches(const struct ngrams *g);
