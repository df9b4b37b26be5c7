/*
 * sample: the training texts of a tokenizer: every training example or, if
 * there are many, every second, fourth ... one, so that memory is bounded.
 * recipe.c calls sample_take for each example, then sample_texts.
 */
#pragma once

#include "harness/tasks/items.h"

#include <stddef.h>

struct sample { /* starts as {0}, except `most` */
    long long most; /* bytes to read; 0: all */
    long long seen, read, bytes; /* examples; their bytes; bytes kept */
    long stride;
    int n;
    size_t cap;
    struct sampled { char *source, *target; } *kept;
};

int  sample_take(void *sample, const struct item *it); /* an items_taker */
void sample_free(struct sample *s);

/* Returns the kept texts, sources and targets in order, and sets *n to their
 * number.  The caller frees the array. */
const char **sample_texts(const struct sample *s, size_t *n);
