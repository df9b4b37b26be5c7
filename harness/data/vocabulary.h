/*
 * vocabulary: the tokenizer of a list of texts.  It is trained once: the model
 * is kept under CACHE/prepared by a digest of the texts and the training
 * parameters.  recipe.c calls vocabulary_learn, then tokenizer_load.
 */
#pragma once

#include "harness/base/arena.h"

extern const char vocabulary_recipe[]; /* training method in words: part of
                                          every key */

/* Sets *model to the *bytes bytes of the model, in arena a, for tokenizer_load.
 * Returns ERR_DATA if the text yields fewer than `pieces` pieces. */
int vocabulary_learn(const char **model, size_t *bytes, const char *const *text,
                     size_t n, int pieces, const char *cache, struct arena *a);
