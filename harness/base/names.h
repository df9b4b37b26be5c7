/* names: looks up a user's words in lists of known names, and suggests the
 * nearest name if a word is unknown. */
#pragma once

#include <stddef.h>

struct arena;

/* A list literal that ends with NULL. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Returns the index of `word` in the list, which ends with NULL, or -1. */
int names_index(const char *const names[], const char *word);

/* Finds a word that occurs twice: returns the first index whose word also
 * occurs at a lower index, or -1 if there is none.  If `before` is not NULL,
 * sets *before to the index of that first occurrence. */
int names_twice(const char *const words[], int n, int *before);

/* Returns a copy of the list and of its names in arena `a`.  If `names` is
 * NULL, the copy is an empty list. */
const char **names_kept(const char *const names[], struct arena *a);

/* Returns the names as text, "one, two, three"; the caller frees it. */
char *names_list(const char *const names[]);

/* Returns ERR_USAGE with "unknown WHAT 'word': did you mean 'near'?".  If no
 * name is similar to the word, the message lists the names instead: all names
 * if they are few, else the nearest ones and the number of the others.  `lists`
 * is the command that lists all names, or NULL. */
int names_unknown(const char *what, const char *word,
                  const char *const names[], const char *lists);

/* names_find and names_listed return the index of `word`, or the error of
 * names_unknown; names_find passes NULL as `lists`. */
int names_find(const char *what, const char *word, const char *const names[]);
int names_listed(const char *what, const char *word,
                 const char *const names[], const char *lists);

/* These functions take a table whose rows have `bytes` bytes each and begin
 * with a pointer to a name, which is NULL in the last row.  names_of returns
 * the list of names in arena `a`; names_row returns the index of the row that
 * `word` names, or the error of names_unknown. */
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

/* Defines KIND_find, which sets *out to the entry of KIND_all that has a given
 * name, or returns the error of names_unknown.  KIND_all is an array of struct
 * KIND * that ends with NULL.  `what` and `lists` are passed to
 * names_unknown. */
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
