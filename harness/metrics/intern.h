/*
 * intern: byte strings as numbers 0, 1, 2, ... in the order of first sight.
 */
#ifndef METRICS_INTERN_H
#define METRICS_INTERN_H

#include <stddef.h>

struct intern;
struct ints;

struct intern *intern_new(void);
void           intern_free(struct intern *t);
void           intern_clear(struct intern *t);
int            intern_count(const struct intern *t);

/* The number of a string; intern_find: -1 when it has none. */
int intern_add(struct intern *t, const char *s, size_t bytes);
int intern_find(const struct intern *t, const char *s, size_t bytes);

/* Replaces *out by the numbers of a text's n-grams, in their order:
 * max(words - n + 1, 0).  A text is words joined by single blanks, so an n-gram
 * is a slice of it, and slices of different n are never equal. */
void intern_grams(struct ints *out, struct intern *t, const char *text, int n);

#endif
