/*
 * facts: statements of a text about its package that a human-assigned tag
 * confirms.  The makers in glue_facts.c call facts_find first.
 *
 * For each facet (the language it is written in, the toolkit, the suite, the
 * human language, the field) only packages with a single value are used.  This
 * value is a fact of every text that names it and no other value of the facet.
 */
#pragma once

#include "harness/tasks/glue/deal.h"

enum {
    FACTS_LANGUAGE,
    FACTS_SUITE = 2,
    FACTS_FACETS = 5,
    FACTS_KNOWN = 24,
    FACTS_VALUES = FACTS_FACETS * FACTS_KNOWN, /* upper bound */
    FACTS_FRAMES = 8,
    FACTS_TOKENS = 22 /* most tokens of a text: examples fit in 64 pieces */
};

struct fact {
    const struct passage *p;
    const char *text;
    int facet, value, tokens;
    unsigned addressed; /* bits of the facets that the text mentions */
};

struct facts { int n; const struct fact *fact; };

/* Returns the facts of the passages, in order, each text once.  They belong to
 * m and are computed once. */
const struct facts *facts_find(struct mixture *m);

/* Returns facet and value as one number below FACTS_VALUES. */
int facts_number(const struct fact *f);

/* "Python"; "which language" */
const char *facts_name(const struct fact *f);
const char *facts_noun(const struct fact *f);

/* Returns FACTS_FRAMES ways to state a fact, such as "it is written in NAME".
 * `before` precedes the sentence; if it is "", the sentence begins with a
 * capital.  `after` follows it. */
const struct wording *facts_say(struct mixture *m, const struct fact *f,
                                const char *before, const char *name,
                                const char *after);

/* Returns 1 if the facts are different values of one facet, so that each
 * excludes the other. */
int facts_differ(const struct fact *a, const struct fact *b);

/* Returns 1 if the facets differ and neither text mentions the other's facet,
 * so that the other's fact is left open. */
int facts_apart(const struct fact *a, const struct fact *b);
