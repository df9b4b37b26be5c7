/* str: formats, parses and compares short texts, and prints messages on stderr.
 * text.h has growing texts and UTF-8. */
#pragma once

#include <stddef.h>

/* str_format returns formatted text, str_copy a copy of `s`; the caller frees
 * the text. */
char *str_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *str_copy(const char *s);

int str_order(const void *a, const void *b); /* strcmp, for qsort of char * */
const char *str_base(const char *path); /* the part after its last slash */
/* Returns 1 if `s` ends with `end`. */
int str_ends(const char *s, const char *end);

/* Returns the edit distance (Levenshtein) of `a` and `b` in bytes.  If `b` has
 * 128 bytes or more, returns the length of `b` instead. */
size_t str_edits(const char *a, const char *b);

/* Returns the name that is nearest to `word` by edit distance, or NULL if none
 * is similar: at most about one letter in three may differ.  `names` ends with
 * NULL.  The part of a name after its last dot matches, too: "warmup" finds
 * schedule.warmup. */
const char *str_nearest(const char *word, const char *const names[]);

/* str_to_int and str_to_real parse a decimal number as in the C locale,
 * regardless of the environment.  They return 0, or -1 if `s` as a whole is not
 * such a number. */
int str_to_int(const char *s, long long *out);
int str_to_real(const char *s, double *out); /* finite numbers only */

/* Writes a finite `x` with the fewest significant digits (15 to 17, trailing
 * zeros omitted) from which str_to_real restores `x`: "0.03", "1", "1e-09".
 * Returns `out`. */
const char *str_real(double x, char out[32]);

/* Writes text such as "5 days", "1 h 02 min", "3 min 05 s" or "12 s".  Returns
 * `out`. */
const char *str_duration(double seconds, char out[32]);

/* Replaces, in place, characters that would control a terminal or reorder a
 * line (text_steers, text.h) and bytes that are not UTF-8: white space by a
 * blank, the others by '?'.  Keeps the control characters that `but` lists.
 * Returns `s`. */
char *str_harmless(char *s, const char *but);

/* Returns 1 if str_harmless(s, "") would replace nothing. */
int str_is_harmless(const char *s);

/* Prints on stdout, after applying str_harmless, which keeps line breaks and
 * tabs here.  Use it for output that may contain names or text from files and
 * is not printed by a sheet (print/sheet.h). */
void put_harmless(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line "synthbench: ..." on stderr, after applying str_harmless in the
 * same way. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
