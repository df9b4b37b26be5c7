/*
 * A match is a box in the grid of the cells: along each axis some places, or
 * all.  Walking through the boxes costs what they hold, not their number times
 * that of the cells.
 */
#include "harness/config/matrix.h"

#include "harness/base/err.h"

#include <stdlib.h>
#include <string.h>

struct places { int n; int *at; }; /* along an axis; at NULL: all of it */
struct box { struct places axis[AXES]; };
struct place { const char *text; int at; };

struct grid {
    const struct values *axis;
    struct place        *sorted[AXES]; /* by text */
    struct arena        *memory;
};

static int by_text(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return strcmp(x->text, y->text);
}

static int by_place(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void sort(struct grid *g, const struct values axis[AXES])
{
    g->axis = axis;
    for (int x = 0; x < AXES; x++) {
        size_t n = (size_t)axis[x].n;

        g->sorted[x] = arena_take(g->memory, (n + 1) * sizeof(struct place));
        for (int i = 0; i < axis[x].n; i++)
            g->sorted[x][i] = (struct place){axis[x].value[i], i};
        qsort(g->sorted[x], n, sizeof(struct place), by_text);
    }
}

/* The places of a value or a list of them; what is not on the axis has none. */
static struct places find(const struct grid *g, int x, const struct node *k)
{
    const struct node *v = k->kind == NODE_LIST ? k->child : k;
    struct places p = {0, NULL};
    size_t room = 1;
    int unique = 0;

    for (const struct node *c = k->child; c; c = c->next)
        room++;
    p.at = arena_take(g->memory, room * sizeof *p.at);
    for (; v; v = k->kind == NODE_LIST ? v->next : NULL) {
        struct place like = {v->text, 0};
        const struct place *hit =
            bsearch(&like, g->sorted[x], (size_t)g->axis[x].n, sizeof like,
                    by_text);

        if (hit)
            p.at[p.n++] = hit->at;
    }
    qsort(p.at, (size_t)p.n, sizeof *p.at, by_place);
    for (int i = 0; i < p.n; i++)
        if (i == 0 || p.at[i] != p.at[i - 1])
            p.at[unique++] = p.at[i];
    p.n = unique;
    return p;
}

/* Returns how many cells are in it. */
static double enclose(struct box *b, const struct grid *g,
                      const struct node *map)
{
    double cells = 1;

    for (int x = 0; x < AXES; x++)
        b->axis[x] = (struct places){g->axis[x].n, NULL};
    for (const struct node *k = map->child; k; k = k->next)
        for (int x = 0; x < AXES; x++)
            if (!strcmp(k->key, experiment_axis[x]))
                b->axis[x] = find(g, x, k);
    for (int x = 0; x < AXES; x++)
        cells *= b->axis[x].n;
    return cells;
}

/* The number of the i-th cell in the box. */
static int cell_of(const struct box *b, const struct grid *g, int i)
{
    int cell = 0, stride = 1;

    for (int x = AXES - 1; x >= 0; x--) {
        const struct places *p = &b->axis[x];
        int k = i % p->n;

        cell += stride * (p->at ? p->at[k] : k);
        stride *= g->axis[x].n;
        i /= p->n;
    }
    return cell;
}

static int too_many(const struct experiment *e, double cells)
{
    return cells <= MATCH_MAX
               ? OK
               : err_set(ERR_USAGE, "%s: its overrides and exclusions match "
                         "cells %.0f times; at most %d are allowed", e->path,
                         cells, MATCH_MAX);
}

static int exclude(struct match *out, const struct experiment *e,
                   const struct grid *g)
{
    double all = 0;

    for (const struct node *n = e->exclude; n; n = n->next) {
        struct box b;
        double cells = enclose(&b, g, n);

        PASS(too_many(e, all += cells));
        for (int i = 0; i < (int)cells; i++)
            out->excluded[cell_of(&b, g, i)] = 1;
    }
    return OK;
}

/* The last override first, so that each cell's list begins with the first. */
static int override(struct match *out, const struct experiment *e,
                    const struct grid *g)
{
    size_t count = (size_t)e->noverride + 1;
    struct box *b = arena_take(g->memory, count * sizeof *b);
    double all = 0;
    int hits = 0;

    for (int k = 0; k < e->noverride; k++)
        PASS(too_many(e, all += enclose(&b[k], g, e->override[k].match)));
    out->hit = arena_take(g->memory, ((size_t)all + 1) * sizeof *out->hit);
    for (int k = e->noverride - 1; k >= 0; k--) {
        int cells = 1;

        for (int x = 0; x < AXES; x++)
            cells *= b[k].axis[x].n;
        for (int i = 0; i < cells; i++) {
            int *first = &out->first[cell_of(&b[k], g, i)];

            out->hit[hits] = (struct match_hit){k, *first};
            *first = hits++;
        }
    }
    return OK;
}

int match_cells(struct match *out, const struct experiment *e,
                const struct values axis[AXES], int cells, struct arena *a)
{
    struct grid g = {.memory = a};

    sort(&g, axis);
    out->excluded = arena_zero(a, (size_t)cells + 1);
    out->first = arena_take(a, ((size_t)cells + 1) * sizeof *out->first);
    for (int i = 0; i < cells; i++)
        out->first[i] = -1;
    PASS(exclude(out, e, &g));
    return override(out, e, &g);
}
