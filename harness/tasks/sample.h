/*
 * sample: keeps the texts on which a tokenizer is trained: the texts of all
 * training examples or, if there are many, of every 2nd (4th, 8th, ...)
 * example, so that memory is bounded.  recipe.c calls sample_take for each
 * example, then sample_texts.
 */
#pragma once

#include "harness/tasks/items.h"

#include <stddef.h>

struct sample { /* starts with all members 0 except `most`, which the caller
                   sets */
    long long most; /* bytes of text to read; 0: all */
    long long seen, read, bytes; /* examples read; bytes of text read; bytes
                                    of text kept */
    long stride; /* every stride-th example is kept */
    int n;
    size_t cap;
    struct sampled { char *source, *target; } *kept;
};

int  sample_take(void *sample, const struct item *it); /* an items_taker */
void sample_free(struct sample *s);

/* Returns the texts of the kept examples, for each its source, then its target,
 * and sets *n to their number.  The caller frees the array, not the texts,
 * which sample_free frees. */
const char **sample_texts(const struct sample *s, size_t *n);
