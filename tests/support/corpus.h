/*
 * corpus: writes text for tests in the formats of the program's sources:
 * package descriptions as in Debian's indexes, scenarios of Wesnoth and
 * reviews.
 */
#pragma once

#include <stdio.h>

struct corpus {
    FILE *packages, *english, *german, *french;
    /* The French text of packages that are added next; NULL: the German one. */
    const char *in_french;
};

/* Creates empty files Packages and Translation-en, -de and -fr in CACHE/apt. */
void corpus_open(struct corpus *c, const char *cache);
void corpus_close(struct corpus *c);

/* Adds a package. `english` and `foreign` are texts in the form that follows
 * "Description-xx: ". `foreign` is the German text and, unless c->in_french is
 * another one, also the French text. `source` and `foreign` may be NULL. */
void corpus_add(struct corpus *c, const char *package, const char *source,
                const char *section, const char *english, const char *foreign);

/* Returns n made-up words, drawn for sentence i of package p, each with the
 * suffix. The caller frees them. */
char *corpus_words(int p, int i, int n, const char *suffix);

/* Returns a sentence such as "ONE and TWO do VALUE", in one of several forms,
 * drawn for package p. */
char *corpus_says(int p, const char *one, const char *two, const char *value);

/* Fills CACHE/apt with made-up packages, one per source: `packages` packages of
 * the sections games, math, net and sound in turn, and half as many of section
 * perl. The German text is the English text with "en" appended to every word.
 * Each description also has the paragraph CORPUS_TEMPLATE, whose German text
 * differs each time. */
void corpus_fill(const char *cache, int packages);

/* Fills CACHE/wesnoth and CACHE/sentiment. */
enum { CORPUS_SCENARIOS = 12, CORPUS_TURNS = 20, CORPUS_REVIEWS = 200 };
void corpus_fill_others(const char *cache);

/* Returns a new cache folder that links to the text in the folder named by the
 * environment variable REAL_TEXT. Remove it with scratch_remove. */
char *corpus_real(void);
#define CORPUS_TEMPLATE "This package has the manual."
