/*
 * sentence: splits text into sentences and counts tokens, by rules that need no
 * language model.  Text is valid UTF-8.  The recipes of tasks (tasks/recipe.h)
 * call these functions to select and to split texts.
 *
 *     boundary   the white space between [.!?:] and an upper-case letter
 *     token      \w+ | [^\w\s]   (a run of letters, digits and _, or any other
 *                single character that is not white space)
 */
#pragma once

#include "harness/base/arena.h"

int sentence_count(const char *s);
int sentence_tokens(const char *s);

/* Returns the next word (\w+) of *s, sets *n to its number of bytes and
 * advances *s past the word.  Returns NULL if no word is left. */
const char *sentence_word(const char **s, size_t *n);

/* Returns a copy, in arena a, of the first sentence of *s without trailing
 * white space.  Advances *s to the next sentence or the closing NUL. */
const char *sentence_take(const char **s, struct arena *a);
