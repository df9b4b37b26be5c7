/*
 * known_words: replaces each word of running text that is not in a published
 * word list by UNK, as the reference code of LM1B does.  official.c calls
 * known_words_open, then known_words_keep for each row.  In Python:
 *
 *     " ".join(word if word in list else "UNK" for word in line.split())
 *
 * Source: Tensor2Tensor, data_generators/lm1b.py, _replace_oov.
 */
#pragma once

#include "harness/base/map.h"
#include "harness/base/text.h"
#include "harness/tasks/official.h"

#define UNKNOWN_WORD "UNK"

/* Sets *out to the words of the split p->vocabulary, a map that the caller
 * frees, or to NULL if p has no vocabulary. */
int known_words_open(struct map **out, const struct official_part *p,
                     const char *dir);

/* Sets *out to s, with every word that is not in `known` replaced by UNK. */
void known_words_keep(struct text *out, const char *s, const struct map *known);
