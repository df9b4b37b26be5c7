/* stored: what the attributes of a trained cell have to say. */
#pragma once

#include "tests/support/trained.h"

struct look {
    struct trained t;
    struct byhand  h;         /* the same training */
    const char    *parent;    /* digest of the weights it started from */
    char           began[32]; /* when this test did */
};

/* They fail the test. */
void same_real(const char *path, double is, double want);
void same_text(const char *path, const char *is, const char *want);

/* Compares "timing@tokens" with what it has to be, computed from something
 * else.  0: there is none such. */
int stored_attribute(struct look *k, const char *path);

/* It is 0, 1, 2, ... */
void stored_count(struct look *k, const char *path);

/* The same of attention/start, before the first step, attention/end, after the
 * last, attention/moves and attention/sentence; their datasets too. */
int stored_attention(struct look *k, const char *path);
