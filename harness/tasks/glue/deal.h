/*
 * deal: balances pairs of texts, so that neither a single text nor the share of
 * common words reveals the label.  The makers of glue_parts.h call deal_pairs.
 *
 * If two pairs (p, h) and (q, g) hold and their exchanged hypotheses do not,
 * they give four examples:
 *
 *     (p, h) holds    (q, h) does not    both overlaps lie in the same tenth
 *     (q, g) holds    (p, g) does not    and so do these
 *
 * Each text occurs once in either class.  So does every count over the words of
 * one text, over tenths of overlap (tasks/overlap.h), or over a text and a
 * tenth: a model that uses only these performs at chance level.  A hypothesis
 * with several wordings is worded so that the tenths agree.
 */
#pragma once

#include "harness/tasks/glue/mixture.h"
#include "harness/tasks/overlap.h"

struct wording { const char *text; struct word_set words; };

struct pair { /* a pair that holds */
    enum split split;
    int class, key;          /* only pairs of the same class, split and key
                                are combined */
    struct wording premise;
    const struct wording *hypothesis; /* `wordings` ways, tried from `first`
                                         on */
    int wordings, first;
    const void *of;          /* private to the maker */
    int dealt;
};

/* Returns a wording; the text is not copied. */
struct wording deal_wording(struct mixture *m, const char *text);

/* Returns the pair of the first text and the only wording of the second. */
struct pair deal_pair(struct mixture *m, const struct passage *p,
                      const char *premise, const char *hypothesis);

/* Returns the wording of x's hypothesis whose overlap with the premises of all
 * n pairs lies in the same tenth as with its own, or NULL. */
const struct wording *deal_worded(const struct pair *x,
                                  const struct pair *const *of, int n);

struct dealing {
    /* Returns 1 if neither hypothesis holds for the other's premise. */
    int (*crosses)(const struct pair *a, const struct pair *b);
    /* Makes the examples; h[k] is the worded hypothesis of two[k]. */
    void (*add)(struct mixture *m, const struct pair *const two[2],
                const char *const h[2]);
};

/* Combines each pair at most once, as long as its split needs its class. */
void deal_pairs(struct mixture *m, const struct dealing *how, struct pair *pair,
                int n);

/* Calls add_one for each of the four examples. */
void deal_four(struct mixture *m, const struct pair *const two[2],
               const char *const h[2],
               void (*add_one)(struct mixture *m, const struct pair *premise,
                               const char *hypothesis, int holds));
