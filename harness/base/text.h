/*
 * text: growing strings and operations on UTF-8.  Corpora, tasks and metrics
 * use it.  Characters are code points.  White space is defined as for Python's
 * str.split(): U+0009-000D, 001C-001F, 0020, 0085, 00A0, 1680, 2000-200A, 2028,
 * 2029, 202F, 205F and 3000.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct arena;
struct text { char *s; size_t n, cap; }; /* s[n] is 0; starts as {0} */

/* Append `bytes` bytes, a string, or formatted text. */
void  text_add(struct text *t, const char *s, size_t bytes);
void  text_put(struct text *t, const char *s);
void  text_format(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets `t` to "" and keeps its memory. */
void  text_clear(struct text *t);
/* Frees the text of `t`, moves the text of `from` into `t`, and sets `from` to
 * {0}. */
void  text_move(struct text *t, struct text *from);
void  text_free(struct text *t);
OWNER_OF_VALUE(text_free, struct text)
/* Returns a copy of the text of `t` in arena `a`, and frees `t`. */
char *text_keep(struct text *t, struct arena *a);

/* Appends `s`, but replaces each occurrence of the first string of a pair by
 * the second string of that pair.  The list of pairs ends with NULL; if several
 * pairs match at a position, the first is used. */
void text_swap(struct text *t, const char *s, const char *const pair[][2]);

/* Returns the length of `s` without trailing white space. */
size_t text_rstrip(const char *s, size_t bytes);

/* text_strip and text_strip_ascii remove white space at both ends in place, and
 * return the new start.  text_strip_ascii removes only blank, \t, \n, \v, \f
 * and \r. */
char *text_strip(char *s);
char *text_strip_ascii(char *s);

/* Removes, in place, a byte order mark at the start and the CR of CR LF line
 * ends, which editors of other systems add.  s[bytes] must be 0.  Returns the
 * remaining number of bytes, after which there is a 0, too. */
size_t text_unmark(char *s, size_t bytes);

/* Appends `s` as one word of a shell command, in quotes only if needed. */
void text_shell(struct text *t, const char *s);
/* Returns the text that text_shell would append; the caller frees it. */
char *text_quoted(const char *s);

/* Appends the words of `s`, joined by single blanks. */
void text_join_words(struct text *out, const char *s, size_t bytes);

/* Appends `s` in lower case, like Python's str.lower(), with full case mapping
 * and final sigma. */
void text_lower(struct text *out, const char *s, size_t bytes);

uint32_t text_decode_long(const char *s, size_t bytes, size_t *length);

/* Returns the character at s[i] and sets *length to its length in bytes.  For
 * an invalid byte, returns U+FFFD. */
static inline uint32_t text_decode(const char *s, size_t i, size_t bytes,
                                   size_t *length)
{
    if ((unsigned char)s[i] >= 0x80)
        return text_decode_long(s + i, bytes - i, length);
    *length = 1;
    return (unsigned char)s[i];
}
void     text_add_char(struct text *t, uint32_t c);
int      text_is_space(uint32_t c);

/* Returns 1 for control characters (C0, DEL, C1, line and paragraph separators)
 * and for bidi controls, which no output may contain unchanged. */
int text_steers(uint32_t c);

/* Returns 1 if `s` is UTF-8 without control characters (C0, C1, line and
 * paragraph separators), and so can be shown in a terminal, a table or a
 * script. */
int text_printable(const char *s);

/* Returns a copy in which bytes that are not UTF-8 are replaced by U+FFFD and,
 * if `one_line` is not 0, control characters (as in text_printable) by blanks.
 * The caller frees the copy. */
char *text_clean(const char *s, int one_line);

/* The words of a line; each slice points into the line. */
struct slice { const char *s; size_t n; };
struct words { struct slice *word; size_t n, cap; }; /* starts as {0} */

/* Replaces the list by the words of `s`. */
void words_split(struct words *w, const char *s, size_t bytes);
void words_add(struct words *w, const char *s, size_t n);
void words_free(struct words *w);
OWNER_OF_VALUE(words_free, struct words)
int  slice_equal(struct slice a, struct slice b);
