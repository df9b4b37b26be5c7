#include "harness/plan/sample.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const struct cell *x = *(struct cell *const *)a;
    const struct cell *y = *(struct cell *const *)b;

    return strcmp(x->id, y->id);
}

/* Returns the number of chosen cells that have the task of `c`, plus the number
 * that have its variant. */
static int times_chosen(struct cell *const chosen[], int n,
                        const struct cell *c)
{
    int times = 0;

    for (int i = 0; i < n; i++)
        times += (chosen[i]->task == c->task) +
                 !strcmp(chosen[i]->config.variant, c->config.variant);
    return times;
}

/* Chooses `n` cells and moves them to the front.  Each choice is a cell with
 * the smallest times_chosen and, among several, the one with the smallest id (a
 * hash). */
static void choose(struct cell *cell[], int all, int n)
{
    qsort(cell, (size_t)all, sizeof *cell, by_id);
    for (int i = 0; i < n; i++) {
        int best = i, least = times_chosen(cell, i, cell[i]);

        for (int j = i + 1; j < all && least > 0; j++) {
            int times = times_chosen(cell, i, cell[j]);

            if (times < least) {
                least = times;
                best = j;
            }
        }
        struct cell *c = cell[best];
        cell[best] = cell[i];
        cell[i] = c;
    }
}

int sample_select(struct plan *p, int n, int finished)
{
    struct cell **cell = arena_take(p->memory,
                                    ((size_t)p->n + 1) * sizeof *cell);
    int all = 0, selected = 0;

    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        if (c->selected && !c->refused && !plan_is_external(c) &&
            (!finished || plan_state(c) == CELL_DONE))
            cell[all++] = c;
        c->selected = 0;
    }
    n = n < 0 || n > all ? all : n;
    choose(cell, all, n);
    for (int i = 0; i < n; i++)
        for (struct cell *c = cell[i]; c; c = (struct cell *)c->parent)
            c->selected = 1;
    for (int i = 0; i < p->n; i++)
        selected += p->cell[i].selected;
    return selected;
}
