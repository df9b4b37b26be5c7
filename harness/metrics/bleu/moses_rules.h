/*
 * moses_rules: the passes of Moses's tokenizer, each over the whole line, left
 * to right, over what does not overlap.  Character classes are Unicode's:
 * "alpha" the property Alphabetic, "alnum" that or a decimal digit, "number"
 * the category N.
 */
#ifndef METRICS_BLEU_MOSES_RULES_H
#define METRICS_BLEU_MOSES_RULES_H

#include "harness/base/text.h"

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
