#include "harness/plan/plan.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/frozen.h"

#include <stdio.h>
#include <string.h>

enum { PREFIX = 6 };

/* Returns the part CELL of an argument "STORE#CELL" or "CELL". */
static const char *cell_part(const char *arg)
{
    const char *hash = strrchr(arg, '#');

    return hash ? hash + 1 : arg;
}

int target_group(const char *arg)
{
    const char *slash = strchr(cell_part(arg), '/');

    return slash && !strchr(slash + 1, '/');
}

static int is(const struct cell *c, const char *wanted)
{
    char name[FROZEN_ROW + 64];
    int group = snprintf(name, sizeof name, "%s/%s", c->row, c->config.task);

    if (!strcmp(wanted, name))
        return 1;
    snprintf(name + group, sizeof name - (size_t)group, "/%llu",
             (unsigned long long)c->config.seed);
    return !strcmp(wanted, name) ||
           (strlen(wanted) >= PREFIX &&
            !strncmp(wanted, c->id, strlen(wanted)));
}

/* Returns the cell name `wanted` with its variant in normal spelling:
 * "random+vanilla/lm1b/1" for "vanilla+random/lm1b/1".  The caller frees it. */
static char *normal(const char *wanted)
{
    size_t n = strcspn(wanted, ",/");
    OWNED(free) char *text = str_format("%.*s", (int)n, wanted);
    char variant[MIX_NAME];
    struct mix mix;

    return wanted[n] && mix_parse(&mix, variant, text) == OK
               ? str_format("%s%s", variant, wanted + n)
               : str_copy(wanted);
}

static int same_seed(const struct plan *p, int i)
{
    for (int j = 0; j < i; j++)
        if (p->cell[j].selected &&
            p->cell[j].config.seed == p->cell[i].config.seed)
            return 1;
    return 0;
}

/* Returns the cell name in the plan whose spelling is nearest to `wanted`, or
 * NULL. */
static const char *nearest(const struct plan *p, const char *wanted, int group)
{
    const char **name = arena_zero(p->memory,
                                   ((size_t)p->n + 1) * sizeof *name);

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        name[i] = group ? arena_format(p->memory, "%s/%s", c->row,
                                       c->config.task)
                        : arena_format(p->memory, "%s/%s/%llu", c->row,
                                       c->config.task,
                                       (unsigned long long)c->config.seed);
    }
    return str_nearest(wanted, name);
}

/* If `wanted` is only the name of a row, returns text such as ", because it
 * lacks the task, as in random/lm1b", else "". */
static const char *with_task(const struct plan *p, const char *wanted)
{
    for (int i = 0; i < p->n; i++)
        if (!strcmp(p->cell[i].row, wanted))
            return arena_format(p->memory, ", because it lacks the task, as in "
                                "'%s/%s'", wanted, p->cell[i].config.task);
    return "";
}

static int none(const struct plan *p, const char *wanted, int group)
{
    const char *near = nearest(p, wanted, group);

    if (near)
        return err_set(ERR_EMPTY, "%s: %s has no such cell: did you mean "
                       "'%s'?", wanted, p->store, near);
    return err_set(ERR_EMPTY, "%s: %s has no such cell%s; name it by %d or "
                   "more digits of its id, by variant/task/seed or, for all "
                   "seeds, by variant/task (`status --all` lists the cells)",
                   wanted, p->store, with_task(p, wanted), PREFIX);
}

/* Selects the cells that `wanted` names.  Prefers current cells to older ones.
 */
static int find(struct plan *p, const char *wanted, int group)
{
    char all[1024] = "";
    int at = 0, found = 0, many = 0;

    for (int older = 0; older < 2 && !found; older++)
        for (int i = 0; i < p->n; i++) {
            struct cell *c = &p->cell[i];

            c->selected = c->older == older && is(c, wanted);
            if (!c->selected)
                continue;
            many |= group ? same_seed(p, i) : found > 0;
            if (found++ < 20)
                at += snprintf(all + at, sizeof all - (size_t)at, " %s",
                               c->id);
        }
    if (many)
        return err_set(ERR_USAGE, "%s matches %d cells of %s:%s",
                       wanted, found, p->store, all);
    return found ? OK : none(p, wanted, group);
}

int target_find(struct plan **out, const char *arg, const char *store)
{
    OWNED(free) char *copy = str_copy(arg);
    OWNED(free) char *wanted = normal(cell_part(arg));
    char *hash = strrchr(copy, '#');
    OWNED(plan_close) struct plan *p = NULL;

    if (hash) {
        *hash = 0;
        store = copy;
    }
    if (!store)
        return err_set(ERR_USAGE, "%s: expected a cell: use STORE#CELL, or "
                                  "CELL with --store DIR", arg);
    PASS(plan_open(&p, &(struct plan_of){.store = store, .older = 1}));
    PASS(find(p, wanted, target_group(arg)));
    return MOVE_OUT(out, p);
}

int target_open(struct plan **out, const char *arg, const char *store)
{
    OWNED(plan_close) struct plan *p = NULL;

    *out = NULL;
    PASS(target_find(&p, arg, store));
    PASS(plan_look(p));
    return MOVE_OUT(out, p);
}
