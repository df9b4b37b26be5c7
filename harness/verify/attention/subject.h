/* subject: lists what `synthbench verify` checks: every variant, and mixtures
 * of variants, each mixture with every rule that combines its parts. */
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

/* Stores a subject for each variant of `list`, which ends with NULL, then for
 * the mixtures whose parts are all in the list.  Returns the number of
 * subjects. */
int subject_list(const struct variant *const list[],
                 struct subject out[SUBJECTS]);

/* Creates the subject of `variant`, "a" or "a+b", with the parts in this order,
 * combined by `rule`.  Returns 1, or 0 if a part is not in the list. */
int subject_make(struct subject *out, const struct variant *const list[],
                 const char *variant, enum mix_rule rule);

/* Returns the number of parts of the subject that have the trait
 * (nn/attention.h). */
int subject_parts(const struct subject *s, enum trait trait);
