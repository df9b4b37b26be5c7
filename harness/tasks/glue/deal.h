/*
 * deal: balances pairs of texts, so that neither a single text nor the share of
 * common words reveals the label.  The makers of glue_parts.h call deal_pairs.
 *
 * A pair (p, h) of a premise p and a hypothesis h holds or does not hold.  If
 * two pairs (p, h) and (q, g) hold but (q, h) and (p, g) do not, they yield
 * four examples.  The overlaps (tasks/overlap.h) of the two pairs on a line
 * must lie in the same tenth of [0,1]:
 *
 *     (p, h) holds    (q, h) does not hold
 *     (q, g) holds    (p, g) does not hold
 *
 * Each text occurs equally often in examples that hold and in examples that do
 * not hold.  So does each word of a text, each tenth of overlap and each
 * combination of a text and a tenth: a model that uses only these performs at
 * chance level.  If a hypothesis has several wordings, one is chosen for which
 * the tenths are equal.
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
    const struct wording *hypothesis; /* [wordings], tried from `first` on */
    int wordings, first;
    const void *of;          /* private data of the maker */
    int dealt;               /* 1: already combined with another pair */
};

/* Returns a wording; the text is not copied. */
struct wording deal_wording(struct mixture *m, const char *text);

/* Returns a pair whose hypothesis has one wording. */
struct pair deal_pair(struct mixture *m, const struct passage *p,
                      const char *premise, const char *hypothesis);

/* Returns the first wording of x's hypothesis whose overlaps with the premise
 * of x and with the premises of the n pairs in `of` lie in the same tenth, or
 * NULL if there is none. */
const struct wording *deal_worded(const struct pair *x,
                                  const struct pair *const *of, int n);

struct dealing {
    /* Returns 1 if the hypothesis of `a` does not hold for the premise of `b`,
     * nor that of `b` for the premise of `a`. */
    int (*crosses)(const struct pair *a, const struct pair *b);
    /* Adds the examples of two pairs to `m`; h[k] is the chosen wording of the
     * hypothesis of two[k]. */
    void (*add)(struct mixture *m, const struct pair *const two[2],
                const char *const h[2]);
};

/* Combines the n pairs, two at a time, and adds their examples to `m` by
 * how->add.  Each pair is used at most once, and only while its split needs
 * examples of its class. */
void deal_pairs(struct mixture *m, const struct dealing *how, struct pair *pair,
                int n);

/* Calls add_one for each of the four examples of two pairs. */
void deal_four(struct mixture *m, const struct pair *const two[2],
               const char *const h[2],
               void (*add_one)(struct mixture *m, const struct pair *premise,
                               const char *hypothesis, int holds));
