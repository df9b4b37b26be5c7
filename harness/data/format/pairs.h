/*
 * pairs: sentences and their translations.
 *
 * Two descriptions pair when both have as many flowed paragraphs; verbatim
 * lines pair when the whole sequence of blocks agrees.  Sentences of a block
 * pair one to one when their numbers agree, else the block is one pair.
 * Left out: equal sides (nobody translated them), a side of fewer than 3 or
 * more than 60 tokens, a side of more than twice the other's tokens.
 */
#pragma once

#include "harness/data/source/ddtp.h"

struct pair {
    const char *source; /* package */
    const char *english, *foreign;
};

struct pairs {
    int n;
    size_t cap;
    struct pair *pair;
};

/* Texts live in d->memory. */
void pairs_open(struct pairs *p, const struct ddtp *d);
void pairs_close(struct pairs *p);
OWNER_OF_VALUE(pairs_close, struct pairs)
