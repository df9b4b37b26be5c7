#include "harness/gate/digests.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/frozen.h"
#include "harness/store/store.h"

#include <string.h>

const char *const digests_word[] = {
    "equal", "different weights", "different numbers", "only in A",
    "only in B", "damaged"};

/* ---- the cells of both stores ---- */

/* Returns the name of the cell's row in tables, such as "random,steps=700".  If
 * the store's experiment is unknown or does not have the cell, returns the name
 * of the variant. */
static const char *row_of(const struct frozen *f, const char *id,
                          const struct cell_labels *l)
{
    for (int i = 0; f && i < f->n; i++)
        if (!strcmp(f->cell[i].id, id))
            return frozen_row(&f->cell[i]);
    return l->variant;
}

/* Lists the cells of a store.  Each has the value "id" and, if it is damaged,
 * the value "damage". */
static int read_side(struct baseline **out, const char *path)
{
    OWNED(store_close) struct store *store = NULL;
    OWNED(frozen_close) struct frozen *f = NULL;
    struct baseline *b = *out = baseline_new(path);
    const char **id;
    int n;

    PASS(store_open(&store, path, 0));
    int rc = frozen_read(&f, path);
    if (rc < 0 && rc != ERR_EMPTY)
        say("%s; its cells are named by their variants", err_last());
    PASS(store_list(store, &id, &n));
    b->cell = arena_zero(b->memory, ((size_t)n + 1) * sizeof *b->cell);
    for (; b->cells < n; b->cells++) {
        struct baseline_cell *c = &b->cell[b->cells];
        OWNED(cell_close) struct cell_reader *r = NULL;

        c->value = arena_zero(b->memory, 2 * sizeof *c->value);
        c->name = arena_text(b->memory, id[b->cells]);
        baseline_add(c, "id")->text = c->name;
        if (cell_open(&r, path, c->name) < 0) {
            baseline_add(c, "damage")->text = arena_text(b->memory, err_last());
            continue;
        }
        const struct cell_labels *l = cell_labels_of(r);
        c->name = cell_name(b->memory, row_of(f, id[b->cells], l), l->task,
                            l->scale, l->seed);
    }
    return OK;
}

/* ---- comparison ---- */

static enum digests_outcome judge(struct digests *d, struct digests_pair *p,
                                  const char *a, const char *b)
{
    if (!p->damage && p->id[0] && p->id[1] &&
        likeness_read(&p->like, a, p->id[0], b, p->id[1], d->memory) < 0)
        p->damage = arena_text(d->memory, err_last());
    p->what = p->damage ? p->damage : "";
    if (p->damage)
        return DIGESTS_DAMAGED;
    if (!p->id[0] || !p->id[1])
        return p->id[0] ? DIGESTS_ONLY_A : DIGESTS_ONLY_B;
    p->what = likeness_why(&p->like);
    if (strcmp(p->like.weights[0], p->like.weights[1]))
        return DIGESTS_WEIGHTS;
    return p->like.n[CELL_RESULTS] ? DIGESTS_NUMBERS : DIGESTS_EQUAL;
}

/* Adds the pairs of cells whose ids are equal if `same` is 1, else the other
 * pairs. */
static void add_pairs(struct digests *d, const struct cell_pair *m, int n,
                      int same)
{
    for (int i = 0; i < n; i++) {
        const struct cell_pair *x = &m[i];
        const char *a = x->a ? baseline_text(x->a, "id") : NULL;
        const char *b = x->b ? baseline_text(x->b, "id") : NULL;
        const char *damage = x->a ? baseline_text(x->a, "damage") : NULL;

        if (same != (a && b && !strcmp(a, b)))
            continue;
        if (!damage && x->b)
            damage = baseline_text(x->b, "damage");
        d->pair[d->n++] = (struct digests_pair){
            .name = (x->a ? x->a : x->b)->name, .id = {a, b},
            .damage = damage};
    }
}

int digests_compare(struct digests *out, const char *a, const char *b)
{
    struct cell_pair *pair;

    *out = (struct digests){.memory = arena_new()};
    PASS(read_side(&out->side[0], a));
    PASS(read_side(&out->side[1], b));
    int n = pair_baselines(&pair, out->side[0], out->side[1], out->memory);
    if (!n)
        return err_set(ERR_EMPTY, "%s and %s have no finished cell", a, b);
    out->pair = arena_zero(out->memory, (size_t)n * sizeof *out->pair);
    add_pairs(out, pair, n, 1);
    add_pairs(out, pair, n, 0);
    for (int i = 0; i < out->n; i++) {
        struct digests_pair *p = &out->pair[i];

        p->outcome = judge(out, p, a, b);
        out->count[p->outcome]++;
    }
    return OK;
}

void digests_close(struct digests *d)
{
    baseline_close(d->side[0]);
    baseline_close(d->side[1]);
    arena_free(d->memory);
}
