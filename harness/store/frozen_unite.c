/* Implements frozen_unite (frozen.h).  The result does not depend on the order
 * of the stores: of their titles, it has the first in alphabetical order, and
 * of their files (struct frozen) the last. */
#include "harness/store/frozen.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct part { struct frozen *is; const char *store, *text; };

struct parts {
    struct part  *of;
    int           n;
    struct arena *memory;
};

static void close_parts(struct parts *p)
{
    for (int i = 0; i < p->n; i++)
        frozen_close(p->of[i].is);
    arena_free(p->memory);
}
OWNER_OF_VALUE(close_parts, struct parts)

static int read_part(struct parts *p, const char *store)
{
    OWNED(free) char *path = str_format("%s/experiment.json", store);
    OWNED(free) char *text = NULL;
    struct part *now = &p->of[p->n];
    int rc = frozen_read(&now->is, store);

    if (rc == ERR_EMPTY)
        return OK;
    PASS(rc);
    p->n++;
    now->store = store;
    PASS(file_read(&text, NULL, path));
    now->text = arena_text(p->memory, text);
    return OK;
}

static int same_name(const struct parts *p)
{
    for (int i = 1; i < p->n; i++)
        if (strcmp(p->of[i].is->name, p->of[0].is->name))
            return err_set(ERR_USAGE, "%s belongs to experiment %s, %s to %s: "
                           "a store belongs to one experiment", p->of[0].store,
                           p->of[0].is->name, p->of[i].store,
                           p->of[i].is->name);
    return OK;
}

/* ---- cells ---- */

/* Compares two texts; NULL counts as "". */
static int by_text(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "");
}

static int by_place(const void *a, const void *b)
{
    const struct frozen_cell *x = a, *y = b;
    int by = x->older - y->older;

    by = by ? by : strcmp(x->label.scale, y->label.scale);
    by = by ? by : strcmp(x->label.task, y->label.task);
    by = by ? by : strcmp(frozen_row(x), frozen_row(y));
    by = by ? by : (x->label.seed > y->label.seed) -
                       (x->label.seed < y->label.seed);
    return by ? by : strcmp(x->id, y->id);
}

/* Compares two entries of one cell by the fields that its id does not
 * determine: runtime settings, row name and refusal.  Returns 1 if `x` precedes
 * `y`.  The first entry in this order is kept. */
static int before(const struct frozen_cell *x, const struct frozen_cell *y)
{
    int by = strcmp(x->runtime, y->runtime);

    by = by ? by : by_text(x->row, y->row);
    return (by ? by : by_text(x->refused, y->refused)) < 0;
}

static void add_cell(struct frozen *all, struct map *ids,
                     const struct frozen_cell *c)
{
    int at = map_get(ids, c->id, all->n);
    struct frozen_cell *own = &all->cell[at];

    if (map_add(ids, c->id, all->n)) {
        all->n++;
        *own = *c;
        return;
    }
    int older = own->older | c->older;
    if (before(c, own))
        *own = *c;
    own->older = older;
}

static void add_cells(struct frozen *all, const struct parts *p)
{
    OWNED(map_free) struct map *ids = map_new();
    size_t most = 1;

    for (int i = 0; i < p->n; i++)
        most += (size_t)p->of[i].is->n;
    all->cell = arena_zero(all->memory, most * sizeof *all->cell);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->of[i].is->n; k++)
            add_cell(all, ids, &p->of[i].is->cell[k]);
    qsort(all->cell, (size_t)all->n, sizeof *all->cell, by_place);
}

static const char *store_of(const struct parts *p, const struct frozen_cell *c)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->of[i].is->n; k++)
            if (!strcmp(p->of[i].is->cell[k].id, c->id))
                return p->of[i].store;
    return "?";
}

/* Returns ERR_USAGE if tables would show two cells in the same place. */
static int each_its_place(const struct frozen *all, const struct parts *p)
{
    for (int i = 1; i < all->n; i++) {
        const struct frozen_cell *x = &all->cell[i - 1], *y = &all->cell[i];

        if (y->older || strcmp(x->label.scale, y->label.scale) ||
            strcmp(x->label.task, y->label.task) ||
            strcmp(frozen_row(x), frozen_row(y)) ||
            x->label.seed != y->label.seed)
            continue;
        return err_set(ERR_USAGE, "%s/%s/%s/%lld has other settings in %s "
                                  "(%s) than in %s (%s): the stores were made "
                                  "with different versions of experiment %s, "
                                  "so no table can hold both; report them one "
                                  "by one", frozen_row(x),
                       x->label.task, x->label.scale, x->label.seed,
                       store_of(p, x), x->id, store_of(p, y), y->id,
                       all->name);
    }
    return OK;
}

/* ---- all ---- */

/* Returns the list of texts that is the member of `f` at the offset `at`. */
static const char **list_of(const struct frozen *f, size_t at)
{
    return *(const char ***)((char *)(uintptr_t)f + at);
}

/* Returns the sorted union of the lists of texts of all experiments; `at` is
 * the offset of the list in struct frozen. */
static const char **unite_texts(const struct parts *p, size_t at)
{
    const char **all;
    size_t n = 0, most = 1;

    for (int i = 0; i < p->n; i++)
        for (const char **text = list_of(p->of[i].is, at); *text; text++)
            most++;
    all = arena_zero(p->memory, most * sizeof *all);
    for (int i = 0; i < p->n; i++)
        for (const char **text = list_of(p->of[i].is, at); *text; text++)
            if (names_index(all, *text) < 0)
                all[n++] = *text;
    qsort(all, n, sizeof *all, str_order);
    return all;
}

static int all_alike(const struct parts *p)
{
    for (int i = 1; i < p->n; i++)
        if (strcmp(p->of[i].text, p->of[0].text))
            return 0;
    return 1;
}

static int unite(const struct parts *p, const char *to)
{
    struct frozen all = {.name = p->of[0].is->name,
                         .title = p->of[0].is->title,
                         .file = p->of[0].is->file, .memory = p->memory};

    for (int i = 1; i < p->n; i++) {
        if (strcmp(p->of[i].is->title, all.title) < 0)
            all.title = p->of[i].is->title;
        if (by_text(p->of[i].is->file, all.file) > 0)
            all.file = p->of[i].is->file;
    }
    for (int i = 0; i < p->n; i++)
        all.own |= p->of[i].is->own;
    add_cells(&all, p);
    PASS(each_its_place(&all, p));
    all.uncompared = unite_texts(p, offsetof(struct frozen, uncompared));
    all.contrasts = unite_texts(p, offsetof(struct frozen, contrasts));
    all.guessed = unite_texts(p, offsetof(struct frozen, guessed));
    return frozen_write(&all, to);
}

int frozen_unite(const char *to, const char *const store[], int n)
{
    OWNED(close_parts) struct parts p = {.memory = arena_new()};
    OWNED(free) char *path = str_format("%s/experiment.json", to);

    p.of = arena_zero(p.memory, ((size_t)n + 1) * sizeof *p.of);
    for (int i = 0; i < n; i++)
        PASS(read_part(&p, store[i]));
    if (!p.n)
        return err_set(ERR_EMPTY, "none of these stores has an experiment");
    PASS(same_name(&p));
    return all_alike(&p) ? file_write(path, p.of[0].text,
                                      strlen(p.of[0].text))
                         : unite(&p, to);
}
