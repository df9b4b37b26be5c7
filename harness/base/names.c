#include "harness/base/names.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>

int names_index(const char *const names[], const char *word)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], word))
            return i;
    return -1;
}

int names_twice(const char *const words[], int n, int *before)
{
    OWNED(map_free) struct map *seen = map_new();

    for (int i = 0; i < n; i++) {
        if (map_add(seen, words[i], i))
            continue;
        if (before)
            *before = map_get(seen, words[i], -1);
        return i;
    }
    return -1;
}

const char **names_kept(const char *const names[], struct arena *a)
{
    const char **out;
    size_t n = 0;

    while (names && names[n])
        n++;
    out = arena_zero(a, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = arena_text(a, names[i]);
    return out;
}

/* Numbers of names.  An error message lists all names if there are at most FEW,
 * or at most SEVERAL if no command lists them; otherwise it lists the NEAREST
 * names that are most similar to the word. */
enum { FEW = 8, SEVERAL = 16, NEAREST = 6 };

/* Returns the first name that begins with `word`.  If there is none, returns
 * the nearest name by edit distance, or NULL if no name is near. */
static const char *nearest(const char *word, const char *const names[])
{
    for (int i = 0; *word && names[i]; i++)
        if (!strncmp(names[i], word, strlen(word)))
            return names[i];
    return str_nearest(word, names);
}

char *names_list(const char *const names[])
{
    struct text all = {0};

    text_clear(&all);
    for (int i = 0; names[i]; i++)
        text_format(&all, "%s%s", i ? ", " : "", names[i]);
    return all.s;
}

/* Selects the names with the smallest edit distance, nearest first. */
static void keep_nearest(const char *near[NEAREST + 1], const char *word,
                         const char *const names[])
{
    size_t edits[NEAREST];
    int n = 0;

    for (int i = 0; names[i]; i++) {
        size_t e = str_edits(word, names[i]);
        int at = n < NEAREST ? n++ : NEAREST;

        for (; at > 0 && edits[at - 1] > e; at--)
            if (at < NEAREST) {
                near[at] = near[at - 1];
                edits[at] = edits[at - 1];
            }
        if (at < NEAREST) {
            near[at] = names[i];
            edits[at] = e;
        }
    }
    near[n] = NULL;
}

int names_unknown(const char *what, const char *word,
                  const char *const names[], const char *lists)
{
    const char *near = nearest(word, names), *some[NEAREST + 1];
    int n = 0;

    if (near)
        return err_set(ERR_USAGE, "unknown %s '%s': did you mean '%s'?", what,
                       word, near);
    while (names[n])
        n++;
    keep_nearest(some, word, names);
    int cut = n > (lists ? FEW : SEVERAL);
    OWNED(free) char *all = names_list(cut ? some : names);
    err_set(ERR_USAGE, "unknown %s '%s': expected one of %s", what, word, all);
    if (cut)
        err_set(ERR_USAGE, "%s and %d more", err_last(), n - NEAREST);
    return cut && lists ? err_set(ERR_USAGE, "%s (`%s` lists them)",
                                  err_last(), lists)
                        : ERR_USAGE;
}

int names_listed(const char *what, const char *word,
                 const char *const names[], const char *lists)
{
    int i = names_index(names, word);

    return i < 0 ? names_unknown(what, word, names, lists) : i;
}

int names_find(const char *what, const char *word, const char *const names[])
{
    return names_listed(what, word, names, NULL);
}

const char *const *names_of(const void *rows, size_t bytes, struct arena *a)
{
    const char *row = rows;
    size_t n = 0;

    while (*(const char *const *)(const void *)(row + n * bytes))
        n++;
    const char **name = arena_zero(a, (n + 1) * sizeof *name);
    for (size_t i = 0; i < n; i++)
        name[i] = *(const char *const *)(const void *)(row + i * bytes);
    return name;
}

int names_row(const char *what, const char *word, const void *rows,
              size_t bytes)
{
    OWNED(arena_free) struct arena *a = arena_new();

    return names_find(what, word, names_of(rows, bytes, a));
}
