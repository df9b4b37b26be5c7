/* str: helpers for short texts, and messages on stderr.  text.h has growing
 * texts and UTF-8. */
#pragma once

#include <stddef.h>

/* Return formatted text, or a copy; the caller frees it. */
char *str_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *str_copy(const char *s);

int str_order(const void *a, const void *b); /* strcmp, for qsort of char * */
const char *str_base(const char *path); /* the part after its last slash */
/* Returns 1 if s ends with `end`. */
int str_ends(const char *s, const char *end);

/* Returns the edit distance (Levenshtein) in bytes.  b has less than 128 bytes;
 * for a longer one, its length is returned. */
size_t str_edits(const char *a, const char *b);

/* Returns the name that is nearest to `word` by edit distance, or NULL if none
 * is within about one letter in three.  names ends with NULL.  The part of a
 * name after its last dot matches, too: "warmup" finds schedule.warmup. */
const char *str_nearest(const char *word, const char *const names[]);

/* Parse a decimal number as in the C locale, regardless of the environment.
 * Return 0 if all of s is such a number, or -1. */
int str_to_int(const char *s, long long *out);
int str_to_real(const char *s, double *out); /* finite */

/* Writes a finite x with the fewest digits (15 to 17) that read back to it:
 * "0.03", "1", "1e-09".  Returns out. */
const char *str_real(double x, char out[32]);

/* Writes "1 h 02 min", "3 min 05 s" or "12 s".  Returns out. */
const char *str_duration(double seconds, char out[32]);

/* Replaces, in place, characters that would control a terminal or reorder a
 * line (text_steers) and bytes that are not UTF-8: white space by a blank, all
 * others by '?'.  Control characters in `but` are kept.  Returns s. */
char *str_harmless(char *s, const char *but);

/* Returns 1 if str_harmless(s, "") would replace nothing. */
int str_is_harmless(const char *s);

/* Prints on stdout; str_harmless is applied, but keeps line breaks and tabs.
 * For output outside of a sheet that may contain names or text from files. */
void put_harmless(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line "synthbench: ..." on stderr; str_harmless is applied as
 * above. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
