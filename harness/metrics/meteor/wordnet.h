/*
 * wordnet: which meanings a word has, from the files index.* and *.exc of
 * WordNet 3.0 (Miller, CACM 38, 1995), as METEOR 1.5 looks them up.
 */
#ifndef METRICS_METEOR_WORDNET_H
#define METRICS_METEOR_WORDNET_H

#include "harness/base/owned.h"

#include <stddef.h>

struct ints;
struct wordnet;

int  wordnet_open(struct wordnet **out, const char *folder); /* ERR_DATA */
void wordnet_close(struct wordnet *w);
OWNER(wordnet_close, struct wordnet *)

/*
 * The synsets of the word and of its base forms: those of the list of
 * exceptions if it has the word, else the first that WordNet's rules of
 * detachment find.  Replaces what *out held, sorted.  A synset is its offset
 * alone, so synsets of different parts of speech may coincide, as in METEOR.
 */
void wordnet_synsets(struct ints *out, const struct wordnet *w,
                     const char *word, size_t bytes);

/* The first digits of the SHA-256 of all files. */
const char *wordnet_digest(const struct wordnet *w);

#endif
