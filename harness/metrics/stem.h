/*
 * stem: English words without their endings, as two tools of the field cut
 * them.
 */
#pragma once

#include <stddef.h>

/* M. F. Porter, "An algorithm for suffix stripping" (Program 14, 1980) with
 * NLTK 3.8's extensions, as rouge_score stems.  A word of lower-case ASCII,
 * changed in place; returns its new length. */
size_t stem_porter(char *word, size_t bytes);

/* Snowball's English stemmer ("Porter2", by libstemmer), as METEOR 1.5 stems.
 * UTF-8.  The stem lives until the next call with s. */
struct snowball;

struct snowball *snowball_new(void);
void             snowball_free(struct snowball *s);
const char      *snowball_stem(struct snowball *s, const char *word,
                               size_t bytes);
