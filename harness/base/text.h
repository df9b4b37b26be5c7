/*
 * text: strings that grow, and what is done to them.  UTF-8; characters are
 * code points; white space is what Python's str.split() takes for it
 * (U+0009-000D, 001C-001F, 0020, 0085, 00A0, 1680, 2000-200A, 2028, 2029,
 * 202F, 205F, 3000).
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>
#include <stdint.h>

struct arena;
struct text { char *s; size_t n, cap; }; /* s[n] is 0; starts as {0} */

void  text_add(struct text *t, const char *s, size_t bytes);
void  text_put(struct text *t, const char *s); /* all of s */
void  text_format(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void  text_clear(struct text *t);              /* to "", keeps its memory */
void  text_move(struct text *t, struct text *from); /* frees what t held */
void  text_free(struct text *t);
OWNER_OF_VALUE(text_free, struct text)
char *text_keep(struct text *t, struct arena *a); /* a copy; frees t */

/* Appends s; where it goes on as the first of a pair, the second stands.  The
 * pairs end with NULL; of several that fit, the first. */
void text_swap(struct text *t, const char *s, const char *const pair[][2]);

/* The length of s without the white space at its end. */
size_t text_rstrip(const char *s, size_t bytes);

/* s without the white space at its ends, cut in place; of ASCII: blank, \t, \n,
 * \v, \f, \r alone. */
char *text_strip(char *s);
char *text_strip_ascii(char *s);

/* Removes from s, in place, what editors of other systems add: a byte order
 * mark at the start, and the CR of line ends CR LF.  s[bytes] is 0, before and
 * after.  Returns the bytes that are left. */
size_t text_unmark(char *s, size_t bytes);

/* Appends s as one word of sh, whatever is in it: in quotes where it needs
 * them. */
void text_shell(struct text *t, const char *s);
void text_quotes(struct text *t, const char *s); /* in quotes anyway */
char *text_quoted(const char *s); /* text_shell's alone; the caller frees */

/* Appends the words of s, joined by single blanks. */
void text_join_words(struct text *out, const char *s, size_t bytes);

/* Python's str.lower(): full case mapping, final sigma and all; appends. */
void text_lower(struct text *out, const char *s, size_t bytes);

uint32_t text_decode_long(const char *s, size_t bytes, size_t *length);

/* The character at s[i], and its length; a bad byte is U+FFFD. */
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
 * and for bidi controls: no output may show them as they are. */
int text_steers(uint32_t c);

/* UTF-8 without control characters (C0, C1, line and paragraph separators): a
 * label that a terminal, a table or a script may show. */
int text_printable(const char *s);

/* A copy, the caller's: bytes that are no UTF-8 are U+FFFD, and, one_line,
 * those control characters blanks. */
char *text_clean(const char *s, int one_line);

/* The words of a line, as slices of it. */
struct slice { const char *s; size_t n; };
struct words { struct slice *word; size_t n, cap; }; /* starts as {0} */

void words_split(struct words *w, const char *s, size_t bytes); /* replaces */
void words_add(struct words *w, const char *s, size_t n);
void words_free(struct words *w);
OWNER_OF_VALUE(words_free, struct words)
int  slice_equal(struct slice a, struct slice b);
