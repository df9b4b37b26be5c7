/*
 * deal: pairs of texts, dealt so that neither text alone, nor how many words
 * they share, tells the label.
 *
 * Of two pairs that hold, (p, h) and (q, g), whose hypotheses changed over do
 * not, four examples are made:
 *
 *     (p, h) holds    (q, h) does not    both overlaps lie in the same tenth
 *     (q, g) holds    (p, g) does not    and so do these
 *
 * Each text stands once in either class.  So does every count over the words of
 * one text, over tenths of overlap (tasks/overlap.h), or over a text and a
 * tenth: what looks at these alone is left with chance.  A hypothesis that can
 * be worded in several ways is worded so that the tenths agree.
 */
#pragma once

#include "harness/tasks/glue/mixture.h"
#include "harness/tasks/overlap.h"

struct wording { const char *text; struct word_set words; };

struct pair { /* one that holds */
    enum split split;
    int class, key;          /* pairs of one split and key are dealt together */
    struct wording premise;
    const struct wording *hypothesis; /* of `wordings` ways, from `first` on */
    int wordings, first;
    const void *of;          /* the maker's */
    int dealt;
};

/* The text is not copied. */
struct wording deal_wording(struct mixture *m, const char *text);

/* A pair of the first text and the only wording of the second. */
struct pair deal_pair(struct mixture *m, const struct passage *p,
                      const char *premise, const char *hypothesis);

/* The wording of x's hypothesis in which it overlaps with the premises of all
 * n pairs in the same tenth; NULL: there is none. */
const struct wording *deal_worded(const struct pair *x,
                                  const struct pair *const *of, int n);

struct dealing {
    /* 1: the hypothesis of either does not hold of the other's premise. */
    int (*crosses)(const struct pair *a, const struct pair *b);
    /* Makes the examples; h[k]: as two[k]'s hypothesis is worded. */
    void (*add)(struct mixture *m, const struct pair *const two[2],
                const char *const h[2]);
};

/* Deals each pair once at most, as long as its split wants its class. */
void deal_pairs(struct mixture *m, const struct dealing *how, struct pair *pair,
                int n);

/* Calls add_one for each of the four. */
void deal_four(struct mixture *m, const struct pair *const two[2],
               const char *const h[2],
               void (*add_one)(struct mixture *m, const struct pair *premise,
                               const char *hypothesis, int holds));
