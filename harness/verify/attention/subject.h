/* subject: what is verified: every variant of a list, and mixtures of them in
 * each of their readings. */
#pragma once

#include "harness/nn/attention.h"

enum { SUBJECTS = 96 };

struct subject {
    char          name[64];    /* "random+vanilla, sigmoid"           */
    char          variant[64]; /* "random+vanilla"                    */
    struct mix    mix;
    enum mix_rule rule;
    int           share_q;     /* model_config.share_q                */
};

/* The variants of `list`, which ends with NULL, then the mixtures whose parts
 * are all there; returns how many. */
int subject_list(const struct variant *const list[],
                 struct subject out[SUBJECTS]);

/* "a" or "a+b", in this order, mixed by `rule`; 0 where a part is missing. */
int subject_make(struct subject *out, const struct variant *const list[],
                 const char *variant, enum mix_rule rule);

/* How many of its parts have this trait. */
int subject_parts(const struct subject *s, enum trait trait);
