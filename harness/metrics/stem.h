/*
 * stem: removes the endings of English words by one of two algorithms.  rouge.c
 * calls stem_porter, meteor.c calls snowball_stem.
 */
#pragma once

#include <stddef.h>

/* Stems a word of lower-case ASCII in place and returns its new length.  The
 * algorithm is M. F. Porter, "An algorithm for suffix stripping" (Program 14,
 * 1980), with NLTK 3.8's extensions, as in rouge_score. */
size_t stem_porter(char *word, size_t bytes);

/* Snowball's English stemmer ("Porter2") from libstemmer, as in METEOR 1.5, for
 * words in UTF-8.  snowball_stem returns the stem, which lives until the next
 * call with the same s. */
struct snowball;

struct snowball *snowball_new(void);
void             snowball_free(struct snowball *s);
const char      *snowball_stem(struct snowball *s, const char *word,
                               size_t bytes);
