/*
 * Implements match_cells (matrix.h).  The cells that an entry matches form a
 * box in the grid of cells: some or all places along each axis.  match_cells
 * enumerates the cells of each box, so its time is proportional to the number
 * of cells in the boxes, not to the product of boxes and cells.
 */
#include "harness/config/matrix.h"

#include "harness/base/err.h"
#include "harness/base/map.h"

#include <stdlib.h>
#include <string.h>

/* Places along an axis.  `at` has `n` of them in increasing order; if it is
 * NULL, these are all `n` places of the axis. */
struct places { int n; int *at; };
struct box { struct places axis[AXES]; };

struct grid {
    const struct experiment *of;
    const struct values *axis;
    struct map          *place[AXES]; /* from value to place on the axis */
    struct arena        *memory;
};

static void grid_close(struct grid *g)
{
    for (int x = 0; x < AXES; x++)
        map_free(g->place[x]);
}
OWNER_OF_VALUE(grid_close, struct grid)

static int by_place(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Returns the places on axis `x` of the values of `k`, which is a value or a
 * list of values.  Ignores values that are not on the axis. */
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
        int at = map_get(g->place[x], v->text, -1);

        if (at >= 0)
            p.at[p.n++] = at;
    }
    qsort(p.at, (size_t)p.n, sizeof *p.at, by_place);
    for (int i = 0; i < p.n; i++)
        if (i == 0 || p.at[i] != p.at[i - 1])
            p.at[unique++] = p.at[i];
    p.n = unique;
    return p;
}

/* Returns 1 if, for every key of `map` that `vary` sets, the point has one of
 * the values in the map. */
static int has(const struct experiment *e, int point, const struct node *map)
{
    for (const struct node *k = map->child; k; k = k->next) {
        const struct node *v = k->kind == NODE_LIST ? k->child : k;
        const char *own = experiment_varied(e, point, k->key);

        if (!experiment_varies(e, k->key, 0))
            continue;
        while (v && !(own && !strcmp(v->text, own)))
            v = k->kind == NODE_LIST ? v->next : NULL;
        if (!v)
            return 0;
    }
    return 1;
}

static struct places find_points(const struct grid *g, const struct node *map)
{
    int n = g->axis[AXIS_VARY].n;
    struct places p = {0, arena_take(g->memory, (size_t)n * sizeof *p.at)};

    for (int i = 0; i < n; i++)
        if (has(g->of, i, map))
            p.at[p.n++] = i;
    return p;
}

/* Sets *b to the cells that the map matches and returns their number. */
static double enclose(struct box *b, const struct grid *g,
                      const struct node *map)
{
    double cells = 1;

    for (int x = 0; x < AXES; x++)
        b->axis[x] = (struct places){g->axis[x].n, NULL};
    for (const struct node *k = map->child; k; k = k->next)
        for (int x = 0; x < AXIS_VARY; x++)
            if (!strcmp(k->key, g->axis[x].key))
                b->axis[x] = find(g, x, k);
    b->axis[AXIS_VARY] = find_points(g, map);
    for (int x = 0; x < AXES; x++)
        cells *= b->axis[x].n;
    return cells;
}

/* Returns the number of the i-th cell of the box. */
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
               : err_set(ERR_USAGE, "%s: its overrides, exclusions and 'tune' "
                         "match cells %.0f times; at most %d are allowed",
                         e->path, cells, MATCH_MAX);
}

/* Returns the EXCLUDED bits of the cells that `map` excludes: the plain or the
 * tuned cell of each pair if the map has the key `tuned`, else both cells. */
static char excluded_by(const struct node *map)
{
    for (const struct node *k = map->child; k; k = k->next)
        if (!strcmp(k->key, "tuned") && k->kind == NODE_TEXT)
            return strcmp(k->text, "true") ? EXCLUDED : EXCLUDED_TUNED;
    return EXCLUDED | EXCLUDED_TUNED;
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
            out->excluded[cell_of(&b, g, i)] |= excluded_by(n);
    }
    return OK;
}

/* Adds the overrides from the last to the first, so that the list of each cell
 * starts with the first override. */
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

static int tune(struct match *out, const struct experiment *e,
                const struct grid *g)
{
    double all = 0;

    for (int k = 0; k < e->ntune; k++) {
        struct box b;
        double cells = enclose(&b, g, e->tune[k].match);

        PASS(too_many(e, all += cells));
        for (int i = 0; i < (int)cells; i++)
            out->tune[cell_of(&b, g, i)] = k;
    }
    return OK;
}

int match_cells(struct match *out, const struct experiment *e,
                const struct values *axis, int cells, struct arena *a)
{
    OWNED(grid_close) struct grid g = {.of = e, .axis = axis, .memory = a};

    for (int x = 0; x < AXES; x++) {
        g.place[x] = map_new();
        for (int i = 0; i < axis[x].n; i++)
            map_add(g.place[x], axis[x].value[i], i);
    }
    out->excluded = arena_zero(a, (size_t)cells + 1);
    out->first = arena_take(a, ((size_t)cells + 1) * sizeof *out->first);
    out->tune = arena_take(a, ((size_t)cells + 1) * sizeof *out->tune);
    for (int i = 0; i < cells; i++)
        out->first[i] = out->tune[i] = -1;
    PASS(exclude(out, e, &g));
    PASS(tune(out, e, &g));
    return override(out, e, &g);
}
