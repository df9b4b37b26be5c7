/*
 * vocabulary: the tokenizer of some texts, learned once: the model is kept
 * under CACHE/prepared by a digest of the texts and of what is learned.
 */
#pragma once

#include "harness/base/arena.h"

extern const char vocabulary_recipe[]; /* how, in words: part of every key */

/* *model: *bytes bytes that tokenizer_load takes, from arena a.  ERR_DATA: the
 * text cannot give so many pieces. */
int vocabulary_learn(const char **model, size_t *bytes, const char *const *text,
                     size_t n, int pieces, const char *cache, struct arena *a);
