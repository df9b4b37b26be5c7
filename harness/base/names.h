/* names: words that people type, checked against the words we know. */
#pragma once

#include <stddef.h>

struct arena;

/* A list in place: ends with NULL. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Where `word` stands in the list (it ends with NULL), or -1. */
int names_index(const char *const names[], const char *word);

/* The first of n words that stands before, too, or -1; *before, which may be
 * NULL: there. */
int names_twice(const char *const words[], int n, int *before);

/* A copy in arena a; NULL is an empty list. */
const char **names_kept(const char *const names[], struct arena *a);

/* "one, two, three"; the caller frees. */
char *names_list(const char *const names[]);

/* ERR_USAGE: "unknown WHAT 'word': did you mean 'near'?", or with what is known
 * when nothing is near: all of a few, else those that need the fewest edits and
 * how many more there are.  `lists`: the command that tells all, or NULL. */
int names_unknown(const char *what, const char *word,
                  const char *const names[], const char *lists);

/* Where it stands, or that. */
int names_find(const char *what, const char *word, const char *const names[]);
int names_listed(const char *what, const char *word,
                 const char *const names[], const char *lists);

/* The names of a table whose rows of `bytes` bytes begin with one, the last row
 * with NULL: as a list, from arena a; names_row: where a word stands there. */
const char *const *names_of(const void *rows, size_t bytes, struct arena *a);
int names_row(const char *what, const char *word, const void *rows,
              size_t bytes);

/*
 * An enumeration and its words, told once, from rows like
 *     #define NORMS(X) X(NORM_LAYER, "layer") X(NORM_RMS, "rms")
 *     enum norm_kind { NORMS(NAMES_VALUE) };
 *     static const char *const norms[] = {NORMS(NAMES_WORD) NULL};
 */
#define NAMES_VALUE(value, word) value,
#define NAMES_WORD(value, word) word,

/* KIND_find: the entry of KIND_all (it ends with NULL) that has a name, or
 * ERR_USAGE with the nearest one; `what` is the kind in words, `lists` as
 * above. */
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
