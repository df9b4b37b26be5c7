/*
 * texts: reads the raw texts that a recipe turns into examples, from the
 * sources that the recipe needs.  recipe.c calls texts_open before it calls a
 * recipe.
 */
#pragma once

#include "harness/data/source/ddtp.h"
#include "harness/data/source/manifest.h"

struct turn { const char *scenario, *speaker, *text; }; /* scenario:
                                                           "1_Home.cfg" */

struct opinion { const char *text; int label, film; }; /* film: 1 if it is
                                                          from imdb.json */

struct texts {
    struct ddtp ddtp;
    int turns, opinions;
    struct turn *turn;       /* in order                     */
    struct opinion *opinion; /* order: imdb, yelp, amazon       */
    size_t turns_cap, opinions_cap;
    struct arena *memory;
};

/* Reads the texts of the sources whose bits (such as 1 << SOURCE_APT) are set
 * in `needs`; the texts of other sources remain empty.  `m` holds the manifests
 * of the sources.  `language` selects the translations, or is NULL.  Call
 * texts_close to free. */
int  texts_open(struct texts *t, const struct manifest m[SOURCES],
                unsigned needs, const char *language);
void texts_close(struct texts *t);
