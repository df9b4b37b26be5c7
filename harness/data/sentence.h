/*
 * sentence: sentence boundaries and token counts by rules that need no language
 * model.  Text is valid UTF-8.  Recipes use them to select and to split texts.
 *
 *     boundary   [.!?:]  white space  an upper-case letter
 *     token      \w+ | [^\w\s]   (a run of letters, digits, _; else one sign)
 */
#pragma once

#include "harness/base/arena.h"

int sentence_count(const char *s);
int sentence_tokens(const char *s);

/* Returns the next word of *s, a run \w+ of *n bytes, and advances *s past it,
 * or returns NULL if no word is left. */
const char *sentence_word(const char **s, size_t *n);

/* Returns a copy of the first sentence of *s without white space at its end.
 * Advances *s to the next sentence or the closing NUL. */
const char *sentence_take(const char **s, struct arena *a);
