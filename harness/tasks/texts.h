/*
 * texts: the raw texts that recipes turn into examples, read from the sources
 * that they need.  recipe.c opens them before it calls a recipe.
 */
#pragma once

#include "harness/data/source/ddtp.h"
#include "harness/data/source/manifest.h"

struct turn { const char *scenario, *speaker, *text; }; /* "1_Home.cfg" */

struct usage {               /* an example with the word */
    const char *word, *part; /* "bank", "n"              */
    int meaning;             /* number of the synset     */
    const char *example;
};

struct opinion { const char *text; int label, film; }; /* film: from
                                                          imdb.json */

struct texts {
    struct ddtp ddtp;
    int turns, usages, opinions, meanings;
    struct turn *turn;       /* in order                        */
    struct usage *usage;     /* in the order of WordNet's files */
    struct opinion *opinion; /* order: imdb, yelp, amazon       */
    size_t turns_cap, usages_cap, opinions_cap;
    struct arena *memory;
};

/* Reads the texts of the sources in `needs` (bits 1 << SOURCE_APT ...); m holds
 * their manifests.  `language` selects the translations, or is NULL.  Other
 * texts are empty.  Call texts_close to free. */
int  texts_open(struct texts *t, const struct manifest m[SOURCES],
                unsigned needs, const char *language);
void texts_close(struct texts *t);
