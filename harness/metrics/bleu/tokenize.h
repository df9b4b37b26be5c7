/*
 * tokenize: the tokenizers of sacreBLEU 2.6.0 and tensor2tensor, which make
 * BLEU scores of detokenised text comparable, and the rules they share.
 */
#pragma once

#include "harness/base/text.h"

#include <stdint.h>

/* UTF-8 in, tokens with white space between them out; the caller frees. */
typedef char *tokenize(const char *line);

tokenize tokenize_t2t; /* tensor2tensor's bleu_hook */

/*
 * 13a    NIST mteval-v13a
 * intl   mteval-v14, Unicode punctuation
 * none   words as they stand
 * char   every character
 * zh     Chinese characters, the rest as 13a
 */
extern const char *const tokenizer_names[]; /* they, NULL */
tokenize *tokenizer(const char *name);      /* of that list     */

/* ---- rules ---- */

/* A line without the white space at its end, in lower case where asked. */
struct text rule_begin(const char *line, int lower);

/* Puts tokens together: the words of t, which is freed. */
char *tokenize_words(struct text *t);

/* &quot; &amp; &lt; &gt;, in this order, each over the whole line. */
void rule_entities(struct text *t);

/* Every `old` becomes `new`. */
void rule_replace(struct text *t, const char *old, const char *new);

/* Blanks round each character of a class. */
void rule_split(struct text *t, int (*sign)(uint32_t));

/* Where `first` and `second` stand side by side, blanks go round the sign,
 * which is the first of the two or the second: "a," -> "a , ".  Passes once,
 * left to right, over what does not overlap. */
void rule_pair(struct text *t, int (*first)(uint32_t), int (*second)(uint32_t),
               int sign_first);

/* (before)(sign)(after): what replaces the sign.  Passes likewise. */
void rule_around(struct text *t, int (*before)(uint32_t),
                 int (*sign)(uint32_t), int (*after)(uint32_t),
                 const char *replaced);

void rule_a(struct text *t); /* of mteval-v13a: tokenize.c */
void rules_bcd(struct text *t);

int rule_any(const char *s, size_t bytes, int (*sign)(uint32_t)); /* is there
                                                                     one? */
int is_ascii_digit(uint32_t c), is_no_number(uint32_t c); /* of category N */
int is_comma(uint32_t c), is_apostrophe(uint32_t c), is_small_s(uint32_t c);
int rule_in_ranges(uint32_t c, const uint32_t range[][2], size_t n);
