/* names: looks up words that users type in lists of known names, and suggests
 * the nearest one if a word is unknown. */
#pragma once

#include <stddef.h>

struct arena;

/* A list literal that ends with NULL. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Returns the index of `word` in the list, which ends with NULL, or -1. */
int names_index(const char *const names[], const char *word);

/* Returns the index of the first of n words that occurs a second time, or -1.
 * If `before` is not NULL, *before is the index of its first occurrence. */
int names_twice(const char *const words[], int n, int *before);

/* Returns a copy in arena a.  NULL counts as an empty list. */
const char **names_kept(const char *const names[], struct arena *a);

/* Returns "one, two, three"; the caller frees it. */
char *names_list(const char *const names[]);

/* Returns ERR_USAGE with "unknown WHAT 'word': did you mean 'near'?".  If no
 * name is near, the message lists the names instead: all if they are few, or
 * else the nearest and the number of the others.  `lists` is the command that
 * lists them all, or NULL. */
int names_unknown(const char *what, const char *word,
                  const char *const names[], const char *lists);

/* Return the index of the word, or the error of names_unknown. */
int names_find(const char *what, const char *word, const char *const names[]);
int names_listed(const char *what, const char *word,
                 const char *const names[], const char *lists);

/* For a table whose rows of `bytes` bytes begin with a name, and whose last row
 * has NULL there.  names_of returns the list of names in arena a; names_row
 * returns the index of a word, or the error of names_unknown. */
const char *const *names_of(const void *rows, size_t bytes, struct arena *a);
int names_row(const char *what, const char *word, const void *rows,
              size_t bytes);

/*
 * Defines an enumeration and its words from one list, such as
 *     #define NORMS(X) X(NORM_LAYER, "layer") X(NORM_RMS, "rms")
 *     enum norm_kind { NORMS(NAMES_VALUE) };
 *     static const char *const norms[] = {NORMS(NAMES_WORD) NULL};
 */
#define NAMES_VALUE(value, word) value,
#define NAMES_WORD(value, word) word,

/* Defines KIND_find, which finds the entry of KIND_all (it ends with NULL) by
 * its name, or returns ERR_USAGE with the nearest name.  `what` describes the
 * kind, and `lists` is as for names_unknown. */
#define NAMES_FIND(kind, lists) NAMES_FIND_AS(kind, #kind, lists)
#define NAMES_FIND_AS(kind, what, lists)                                      \
    int kind##_find(const struct kind **out, const char *name)                \
    {                                                                         \
        const char *names[sizeof kind##_all / sizeof *kind##_all] = {NULL};   \
                                                                              \
        for (int i = 0; kind##_all[i]; i++)                                   \
            names[i] = kind##_all[i]->name;                                   \
        int at = names_listed(what, name, names, lists);                      \
        if (at < 0)                                                           \
            return at;                                                        \
        *out = kind##_all[at];                                                \
        return 0;                                                             \
    }
