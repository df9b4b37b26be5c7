/*
 * ngram: the n-grams of texts, and how often each occurs in a hypothesis and,
 * at most, in one of its references.  A text is words joined by single blanks,
 * or characters side by side, so an n-gram is a slice of it, and slices of
 * different orders never are equal.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct ints;
struct map;

/* Replaces *out by the numbers of the n-grams of `text`, in their order:
 * max(words - n + 1, 0). */
void ngram_numbers(struct ints *out, struct map *m, const char *text, int n);

enum ngram_side { NGRAM_HYP, NGRAM_REF };

struct ngrams;

struct ngrams *ngram_new(void);
void           ngram_free(struct ngrams *g);
OWNER(ngram_free, struct ngrams *)
void           ngram_clear(struct ngrams *g);

/* Counts the n-grams of `text`, which must live until the next clear; returns
 * how many there are.  Each text of the reference's side is a reference of its
 * own. */
long ngram_add(struct ngrams *g, const char *text, int n,
               enum ngram_side side);

/* The same of characters: start (n_chars + 1) are their offsets in `text`. */
long ngram_add_chars(struct ngrams *g, const char *text, const size_t *start,
                     size_t n_chars, int n, enum ngram_side side);

/* Sum over distinct n-grams of min(count in the hypothesis, most in one
 * reference). */
long ngram_matches(const struct ngrams *g);
