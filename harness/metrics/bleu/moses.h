/*
 * moses: the text steps that German BLEU scores of the tensor2tensor papers
 * were made with: Moses's replace-unicode-punctuation.perl and tokenizer.perl
 * (1.1), and the split of compounds at hyphens.
 */
#ifndef METRICS_BLEU_MOSES_H
#define METRICS_BLEU_MOSES_H

#include "harness/base/owned.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"

struct moses;

/* Reads FOLDER/nonbreaking_prefix.LANGUAGE, Moses's own list; ERR_DATA. */
int  moses_open(struct moses **out, const char *folder, const char *language);
void moses_close(struct moses *m);
OWNER(moses_close, struct moses *)

/* SHA-256 of the list. */
const char *moses_prefixes(const struct moses *m);

enum { MOSES_AGGRESSIVE = 1, MOSES_NO_ESCAPE = 2 }; /* -a, -no-escape */

/* UTF-8 in and out; the caller frees. */
char *moses_tokenize(const struct moses *m, const char *line, int flags);
char *moses_replace_punctuation(const char *line);
char *moses_split_compounds(const char *line); /* A-B -> A ##AT##-##AT## B */

/* ---- moses_rules.c: the passes of the tokenizer, each over the whole line,
 * left to right, over what does not overlap.  Character classes are Unicode's:
 * "alpha" the property Alphabetic, "alnum" that or a decimal digit, "number"
 * the category N ---- */

int moses_is_space(uint32_t c); /* Perl's \s */
int moses_is_alpha(uint32_t c);

/* White space is one blank, none at the ends; control characters go. */
void moses_squeeze(struct text *t);

/* Blanks round what is no alnum, space, . ' ` , - ; colon: nor a colon before a
 * lowercase letter. */
void moses_split_signs(struct text *t, int colon);

void moses_split_hyphens(struct text *t); /* a-b -> a @-@ b */
void moses_split_commas(struct text *t);  /* but between numbers */

enum moses_apostrophe {
    MOSES_RIGHT, /* don't -> don 't */
    MOSES_LEFT,  /* l'a -> l' a     */
    MOSES_ALONE
};
void moses_split_apostrophes(struct text *t, enum moses_apostrophe kind);

/* Runs of dots become words, " DOTDOTMULTI ", and dots again. */
void moses_hold_dots(struct text *t);
void moses_release_dots(struct text *t);

#endif
