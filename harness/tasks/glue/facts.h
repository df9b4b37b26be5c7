/*
 * facts: finds statements in a package's description that a human-assigned tag
 * of the package confirms.  The makers in glue_facts.c call facts_find first.
 *
 * A facet is a kind of tag: programming language, toolkit, suite, human
 * language or field.  Only packages with a single value of a facet are used.
 * This value is a fact of every text of the package that names the value and no
 * other value of the facet.
 */
#pragma once

#include "harness/tasks/glue/deal.h"

enum {
    FACTS_LANGUAGE,
    FACTS_SUITE = 2,
    FACTS_FACETS = 5,
    FACTS_KNOWN = 24, /* maximum values of a facet */
    FACTS_VALUES = FACTS_FACETS * FACTS_KNOWN, /* upper bound */
    FACTS_FRAMES = 8, /* ways to state a fact */
    FACTS_TOKENS = 22 /* maximum tokens of a text, so that examples fit in 64
                         pieces of the tokenizer */
};

struct fact {
    const struct passage *p;
    const char *text;
    int facet, value, tokens;
    unsigned addressed; /* bits of the facets that the text mentions */
};

struct facts { int n; const struct fact *fact; };

/* Returns the facts of the passages of m, in the order of the passages; a text
 * occurs in one fact only.  The first call computes them; they belong to m. */
const struct facts *facts_find(struct mixture *m);

/* Returns a number below FACTS_VALUES that identifies facet and value of f. */
int facts_number(const struct fact *f);

/* facts_name returns the name of the value, such as "Python"; facts_noun
 * returns the question that asks for the facet, such as "which language". */
const char *facts_name(const struct fact *f);
const char *facts_noun(const struct fact *f);

/* Returns FACTS_FRAMES ways to state that the facet of f has the value `name`,
 * such as "it is written in NAME", each with `before` in front of it and
 * `after` at its end.  If `before` is "", the sentence begins with a capital
 * letter. */
const struct wording *facts_say(struct mixture *m, const struct fact *f,
                                const char *before, const char *name,
                                const char *after);

/* Returns 1 if `a` and `b` are different values of one facet, so that each
 * excludes the other. */
int facts_differ(const struct fact *a, const struct fact *b);

/* Returns 1 if `a` and `b` have different facets and neither text mentions the
 * facet of the other fact, so that each text leaves the other fact open. */
int facts_apart(const struct fact *a, const struct fact *b);
