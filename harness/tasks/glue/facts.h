/*
 * facts: what a text says of its package, where a person's tag bears it out.
 *
 * Of each facet (the language it is written in, the toolkit, the suite, the
 * human language, the field) a package has one value at most here; it is a fact
 * of every text that names that value and no other of the facet.
 */
#pragma once

#include "harness/tasks/glue/deal.h"

enum {
    FACTS_LANGUAGE,
    FACTS_SUITE = 2,
    FACTS_FACETS = 5,
    FACTS_KNOWN = 24,
    FACTS_VALUES = FACTS_FACETS * FACTS_KNOWN, /* at most */
    FACTS_FRAMES = 8,
    FACTS_TOKENS = 22 /* of a text at most: examples fit in 64 pieces */
};

struct fact {
    const struct passage *p;
    const char *text;
    int facet, value, tokens;
    unsigned addressed; /* bits of the facets that the text speaks of */
};

struct facts { int n; const struct fact *fact; };

/* Those of the passages, in their order, each text once; they are m's, and
 * searched for once. */
const struct facts *facts_find(struct mixture *m);

/* Its facet and value as one number, below FACTS_VALUES. */
int facts_number(const struct fact *f);

/* "Python"; "which language" */
const char *facts_name(const struct fact *f);
const char *facts_noun(const struct fact *f);

/* What is said of it, in FACTS_FRAMES ways: "it is written in NAME", begun with
 * a capital where `before` is "", and with `after` behind it. */
const struct wording *facts_say(struct mixture *m, const struct fact *f,
                                const char *before, const char *name,
                                const char *after);

/* 1: one of them says what the other's package cannot be: another value of the
 * same facet. */
int facts_differ(const struct fact *a, const struct fact *b);

/* 1: neither text speaks of the other's facet: what is said of the one is left
 * open by the other. */
int facts_apart(const struct fact *a, const struct fact *b);
