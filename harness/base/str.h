/* str: small helpers for text, and talk on stderr. */
#pragma once

#include <stddef.h>

/* printf into fresh memory; the caller frees. */
char *str_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *str_copy(const char *s);

int str_order(const void *a, const void *b); /* strcmp, for qsort of char * */
const char *str_base(const char *path); /* behind its last slash */
int str_ends(const char *s, const char *end); /* 1: in these letters */

/* How many letters are put in, left out or changed (Levenshtein), in names of
 * below 128. */
size_t str_edits(const char *a, const char *b);

/* The name of the list (it ends with NULL) nearest to `word` by edit distance,
 * or NULL when none is near (one letter in three).  What stands behind the dot
 * of a name finds it too: "warmup", schedule.warmup. */
const char *str_nearest(const char *word, const char *const names[]);

/* Numbers as people and as machines write them, in the C locale whatever the
 * environment says.  Return 0 when the whole of s is such a number. */
int str_to_int(const char *s, long long *out);
int str_to_real(const char *s, double *out); /* finite */

/* x, finite, in the fewest digits that read back to it: "0.03", "1", "1e-09" */
const char *str_real(double x, char out[32]);

/* "1 h 02 min", "3 min 05 s", "12 s" */
const char *str_duration(double seconds, char out[32]);

/* Replaces, in place, what would steer a terminal or reorder a line
 * (text_steers) and bytes that are no UTF-8: white space by a blank, all else
 * by '?'.  Control characters of `but` stay. */
char *str_harmless(char *s, const char *but);

int str_is_harmless(const char *s); /* 1: it would replace nothing, "" */

/* Prints on stdout; line breaks and tabs stay, all else is made harmless.  For
 * output outside of a sheet that may hold names or text from files. */
void put_harmless(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* One line on stderr, "synthbench: " in front, and '?' for what would steer a
 * terminal. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
