/*
 * vocabulary: trains a tokenizer on a list of texts, or reads it from the cache
 * if it was trained before.  The file under CACHE/prepared is named by a digest
 * of the texts and the training parameters.  tasks/recipe.c calls
 * vocabulary_learn, then tokenizer_load.
 */
#pragma once

#include "harness/base/arena.h"

extern const char vocabulary_recipe[]; /* describes the training method; part
                                          of every cache key */

/* Sets *model to the *bytes bytes of the model, in arena a, for tokenizer_load.
 * Returns ERR_DATA if the text yields fewer than `pieces` pieces. */
int vocabulary_learn(const char **model, size_t *bytes, const char *const *text,
                     size_t n, int pieces, const char *cache, struct arena *a);
