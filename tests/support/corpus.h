/*
 * corpus: text for tests in the formats of the sources: package descriptions as
 * in Debian's indexes, scenarios of Wesnoth, WordNet, reviews.
 */
#pragma once

#include <stdio.h>

struct corpus {
    FILE *packages, *english, *german, *french;
    const char *tags; /* of the packages to come; NULL: none */
    const char *in_french; /* what comes as French; NULL: the same as German */
};

/* Packages and Translation-en, -de, -fr in CACHE/apt, empty. */
void corpus_open(struct corpus *c, const char *cache);
void corpus_close(struct corpus *c);

/* A package; texts as they stand behind "Description-xx: ", one for both other
 * languages unless in_french says another.  source, foreign: NULL: none. */
void corpus_add(struct corpus *c, const char *package, const char *source,
                const char *section, const char *english, const char *foreign);

/* So many made-up words, drawn for i of package p, each with the suffix. */
char *corpus_words(int p, int i, int n, const char *suffix);

/* "ONE and TWO do VALUE", or so: in one of several ways, drawn for p.  They
 * differ in their function words, so that claims can be worded to share as many
 * of them with texts that do not bear them out as with one that does. */
char *corpus_says(int p, const char *one, const char *two, const char *value);

/* Made-up packages in CACHE/apt, one a source, of sections games, math, net,
 * sound in turn, and half as many of section perl; English words and the same
 * words with "en" as German.  Each has the paragraph CORPUS_TEMPLATE, always
 * with another German text, besides its own, and names the value of its
 * tags. */
void corpus_fill(const char *cache, int packages);

/* What the other sources hold, in CACHE/wesnoth, wordnet and sentiment. */
enum { CORPUS_SCENARIOS = 12, CORPUS_TURNS = 20, CORPUS_REVIEWS = 200 };
void corpus_fill_others(const char *cache);

/* A new cache of its own (scratch_remove) with the real text of the cache that
 * REAL_TEXT of the environment names. */
char *corpus_real(void);
#define CORPUS_TEMPLATE "This package has the manual."
