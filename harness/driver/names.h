/* names: words that people type, checked against the words we know. */
#ifndef DRIVER_NAMES_H
#define DRIVER_NAMES_H

/* Where `word` stands in the list (it ends with NULL), or -1. */
int names_index(const char *const names[], const char *word);

/* The first of n words that stands before, too, or -1; *before, which may be
 * NULL: there. */
int names_twice(const char *const words[], int n, int *before);

/* ERR_USAGE: "unknown WHAT 'word': did you mean 'near'?", or with all that
 * is known when nothing is near. */
int names_unknown(const char *what, const char *word,
                  const char *const names[]);

#endif
