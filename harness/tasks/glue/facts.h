/*
 * facts: what a text says of its package, where a person's tag bears it out.
 *
 * Of each facet (the language it is written in, the toolkit, the suite, the
 * human language, the field) a package has one value at most here; it is a fact
 * of every text that names that value and no other of the facet.
 */
#pragma once

#include "harness/tasks/glue/deal.h"

enum { FACTS_LANGUAGE, FACTS_SUITE = 2, FACTS_FACETS = 5, FACTS_FRAMES = 8 };

struct fact {
    const struct passage *p;
    const char *text;
    int facet, value;
    unsigned addressed, tagged; /* facets: bits of what the text speaks of, and
                                   the tags                                 */
};

struct facts { int n; size_t cap; struct fact *fact; };

/* Those in texts of at most `tokens` tokens, each text once, in the order of
 * the passages.  The caller frees fact. */
struct facts facts_find(const struct mixture *m, int tokens);

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

/* 1: neither text speaks of the other's facet. */
int facts_apart(const struct fact *a, const struct fact *b);

/* 1: nor do the tags of its package decide it. */
int facts_open(const struct fact *a, const struct fact *b);
