/*
 * known_words: running text as the reference code of LM1B reads it, whose words
 * are those of one published list; each other word is UNK.
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

/* The words of p->vocabulary, the caller's; NULL where p has none. */
int known_words_open(struct map **out, const struct official_part *p,
                     const char *dir);

/* out: s, with no other words than these. */
void known_words_keep(struct text *out, const char *s, const struct map *known);
