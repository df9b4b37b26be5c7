/*
 * tokenize: the tokenizers of sacreBLEU 2.6.0 and tensor2tensor, which make
 * BLEU scores of detokenised text comparable, and the rules that these
 * tokenizers share.  Scorers call tokenizer, then the function it returns.
 */
#pragma once

#include "harness/base/text.h"

#include <stdint.h>

/* Takes UTF-8 and returns tokens separated by white space.  The caller frees
 * the result. */
typedef char *tokenize(const char *line);

tokenize tokenize_t2t; /* tensor2tensor's bleu_hook */

/*
 * 13a    NIST mteval-v13a
 * intl   NIST mteval-v14, which separates Unicode punctuation and symbols
 * none   no change
 * char   every character is a token
 * zh     every Chinese character is a token, the rest is split as by 13a
 */
extern const char *const tokenizer_names[]; /* ends with NULL */
tokenize *tokenizer(const char *name); /* one of tokenizer_names */

/* ---- rules ---- */

/* Returns `line` without white space at its end, in lower case if `lower` is
 * 1. */
struct text rule_begin(const char *line, int lower);

/* Returns the words of `t`, joined by single blanks, and frees `t`. */
char *tokenize_words(struct text *t);

/* Replaces the entities &quot; &amp; &lt; &gt; by their characters, one entity
 * after another, in this order, in the whole line. */
void rule_entities(struct text *t);

/* Replaces every `old` by `new`. */
void rule_replace(struct text *t, const char *old, const char *new);

/* Puts blanks around each character for which `sign` returns 1. */
void rule_split(struct text *t, int (*sign)(uint32_t));

/* Finds pairs of adjacent characters, the first of the class `first` and the
 * second of the class `second`.  If `sign_first` is 1, puts blanks around the
 * first character of each pair, else around the second: "a," -> "a , ".  Makes
 * one pass from left to right, over pairs that do not overlap. */
void rule_pair(struct text *t, int (*first)(uint32_t), int (*second)(uint32_t),
               int sign_first);

/* Finds three adjacent characters of the classes `before`, `sign` and `after`,
 * and replaces the middle one by `replaced`.  Makes one pass, as rule_pair
 * does. */
void rule_around(struct text *t, int (*before)(uint32_t),
                 int (*sign)(uint32_t), int (*after)(uint32_t),
                 const char *replaced);

/* rule_a applies the rule A of mteval-v13a, rules_bcd the rules B, C and D (see
 * tokenize.c). */
void rule_a(struct text *t);
void rules_bcd(struct text *t);

/* Returns 1 if `sign` returns 1 for at least one character of `s`. */
int rule_any(const char *s, size_t bytes, int (*sign)(uint32_t));
/* Classes of characters.  is_no_number returns 1 unless `c` is in the Unicode
 * category N; rule_in_ranges returns 1 if `c` is in one of n ranges. */
int is_ascii_digit(uint32_t c), is_no_number(uint32_t c);
int is_comma(uint32_t c), is_apostrophe(uint32_t c), is_small_s(uint32_t c);
int rule_in_ranges(uint32_t c, const uint32_t range[][2], size_t n);
