/*
 * sentence: where sentences end and how many words they have, by rules that
 * need no model of a language.  Text is valid UTF-8.
 *
 *     boundary   [.!?:]  white space  an upper-case letter
 *     token      \w+ | [^\w\s]     (a run of letters, digits, _; else one sign)
 */
#pragma once

#include "harness/base/arena.h"

int sentence_count(const char *s);
int sentence_tokens(const char *s);

/* The next word of *s, a run \w+ of *n bytes, behind which *s moves; NULL: none
 * is left. */
const char *sentence_word(const char **s, size_t *n);

/* A copy of the first sentence of *s, which has no white space at its end; *s
 * moves to the next sentence or the closing NUL. */
const char *sentence_take(const char **s, struct arena *a);
