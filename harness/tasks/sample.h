/*
 * sample: the texts that a tokenizer learns from: every training example, or of
 * many every second, fourth ... one, so that memory is bounded.
 */
#pragma once

#include "harness/tasks/items.h"

#include <stddef.h>

struct sample { /* starts as {0}, but for `most` */
    long long most; /* bytes to look at; 0: all that there are */
    long long seen, read, bytes; /* examples, their bytes; those kept */
    long stride;
    int n;
    size_t cap;
    struct sampled { char *source, *target; } *kept;
};

int  sample_take(void *sample, const struct item *it); /* an items_taker */
void sample_free(struct sample *s);

/* The texts kept, sources and targets as they came; the caller frees the array.
 */
const char **sample_texts(const struct sample *s, size_t *n);
