/*
 * texts: what recipes make examples of, read from the sources that they need.
 */
#pragma once

#include "harness/data/source/ddtp.h"
#include "harness/data/source/manifest.h"

struct turn { const char *scenario, *speaker, *text; }; /* "1_Home.cfg" */

struct usage {               /* an example that holds the word */
    const char *word, *part; /* "bank", "n"                    */
    int meaning;             /* by number                      */
    const char *example;
};

struct opinion { const char *text; int label, film; }; /* film: of imdb.json */

struct texts {
    struct ddtp ddtp;
    int turns, usages, opinions, meanings;
    struct turn *turn;       /* in their order                  */
    struct usage *usage;     /* in the order of WordNet's files */
    struct opinion *opinion; /* imdb, yelp, amazon              */
    size_t turns_cap, usages_cap, opinions_cap;
    struct arena *memory;
};

/* needs: bits 1 << SOURCE_APT ...; m: manifests of those sources; language: of
 * the translations, or NULL.  Others are empty. */
int  texts_open(struct texts *t, const struct manifest m[SOURCES],
                unsigned needs, const char *language);
void texts_close(struct texts *t);
