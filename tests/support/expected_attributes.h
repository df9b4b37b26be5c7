/* expected_attributes: computes the attributes that a trained cell must have,
 * and compares them with those in its file. */
#pragma once

#include "tests/support/small_cells.h"

struct look {
    struct trained t;
    struct byhand  h;         /* the same training, by hand */
    const char    *parent;    /* digest of the initial weights */
    char           began[32]; /* start time of the test */
};

/* These functions fail the test if the value differs. */
void same_real(const char *path, double is, double want);
void same_text(const char *path, const char *is, const char *want);

/* Compares an attribute, such as "timing@tokens", with a value computed in
 * another way. Returns 0 if there is no such computation for it. */
int stored_attribute(struct look *k, const char *path);

/* Fails unless the dataset is 0, 1, 2, ... */
void stored_count(struct look *k, const char *path);

/* As stored_attribute, for attributes and datasets of the groups
 * attention/start (before the first step), attention/end (after the last step),
 * attention/moves and attention/sentence. */
int stored_attention(struct look *k, const char *path);
