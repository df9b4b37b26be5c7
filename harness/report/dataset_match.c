#include "harness/report/dataset_match.h"

#include "harness/base/err.h"

#include <string.h>

struct dataset_row {
    const char *varied; /* settings of the row: ",N=32", or "" */
    const char *digest, *first; /* first: id of the first cell with the
                                   settings `varied` */
    size_t      examples;
    int         set;
};

static int same(const struct dataset_row *row, const struct dataset_cell *c)
{
    return !strcmp(row->digest, c->digest) && row->examples == c->examples;
}

static void add_row(struct dataset_match *a, const struct dataset_cell *c,
                    const char *varied)
{
    struct arena *m = a->memory;
    size_t n = (size_t)a->n;
    struct dataset_row *all = arena_take(m, (n + 1) * sizeof *all);
    int set = a->sets;

    if (n)
        memcpy(all, a->row, n * sizeof *all);
    for (int i = a->n - 1; i >= 0; i--)
        if (same(&all[i], c))
            set = all[i].set;
    all[n] = (struct dataset_row){arena_text(m, varied),
                                  arena_text(m, c->digest),
                                  arena_text(m, c->id), c->examples, set};
    a->sets += set == a->sets;
    a->row = all;
    a->n++;
}

int dataset_match_add(int *set, struct dataset_match *a,
                      const struct dataset_cell *c, const char *where)
{
    const char *varied = c->variant + strcspn(c->variant, ",");
    int i = 0;

    while (i < a->n && strcmp(a->row[i].varied, varied))
        i++;
    if (i == a->n)
        add_row(a, c, varied);
    *set = a->row[i].set;
    if (!same(&a->row[i], c))
        return err_set(ERR_STORE, "cells %s and %s have different training, "
                       "validation or test data and cannot be in one %s: use "
                       "the same data settings or, if the text has changed "
                       "since, train them again with `synthbench run --force`",
                       a->row[i].first, c->id, where);
    return OK;
}
