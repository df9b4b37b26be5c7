/*
 * tokenize: the tokenizers of sacreBLEU 2.6.0 and tensor2tensor, which make
 * BLEU scores of detokenised text comparable, and the rules they share.
 */
#pragma once

#include "harness/base/text.h"

#include <stdint.h>

/* Takes UTF-8 and returns tokens separated by white space; the caller frees. */
typedef char *tokenize(const char *line);

tokenize tokenize_t2t; /* tensor2tensor's bleu_hook */

/*
 * 13a    NIST mteval-v13a
 * intl   mteval-v14, Unicode punctuation
 * none   no change
 * char   every character is a token
 * zh     Chinese characters, the rest as 13a
 */
extern const char *const tokenizer_names[]; /* these, NULL             */
tokenize *tokenizer(const char *name);      /* by its name in the list */

/* ---- rules ---- */

/* Returns a line without white space at its end, in lower case if `lower`. */
struct text rule_begin(const char *line, int lower);

/* Returns the words of t, joined by single blanks, and frees t. */
char *tokenize_words(struct text *t);

/* Replaces &quot; &amp; &lt; &gt;, in this order, each in the whole line. */
void rule_entities(struct text *t);

/* Replaces every `old` by `new`. */
void rule_replace(struct text *t, const char *old, const char *new);

/* Puts blanks around each character of a class. */
void rule_split(struct text *t, int (*sign)(uint32_t));

/* If characters of `first` and `second` are adjacent, puts blanks around the
 * sign, which is the first of the two if sign_first is 1, else the second: "a,"
 * -> "a , ".  Makes one pass, left to right, over pairs that do not overlap. */
void rule_pair(struct text *t, int (*first)(uint32_t), int (*second)(uint32_t),
               int sign_first);

/* Replaces the sign in (before)(sign)(after) by `replaced`, in one such
 * pass. */
void rule_around(struct text *t, int (*before)(uint32_t),
                 int (*sign)(uint32_t), int (*after)(uint32_t),
                 const char *replaced);

void rule_a(struct text *t); /* rule A of mteval-v13a: see tokenize.c */
void rules_bcd(struct text *t);

/* Returns 1 if a character of s is in the class. */
int rule_any(const char *s, size_t bytes, int (*sign)(uint32_t));
/* Classes of characters; is_no_number accepts all but category N. */
int is_ascii_digit(uint32_t c), is_no_number(uint32_t c);
int is_comma(uint32_t c), is_apostrophe(uint32_t c), is_small_s(uint32_t c);
int rule_in_ranges(uint32_t c, const uint32_t range[][2], size_t n);
