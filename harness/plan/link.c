/* Finds the cells on which a cell depends, and sets cell ids, for plan.c.  A
 * cell can depend on the cell from whose weights it starts and, if it is tuned,
 * on the trials by which its settings are chosen. */
#include "harness/plan/plan.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/config/tuning.h"

#include <string.h>

int plan_starts(const struct cell *c)
{
    return strcmp(c->config.pretrained, "none") != 0;
}

int plan_is_trial(const struct cell *c)
{
    return strcmp(c->config.trial, "none") != 0;
}

int plan_is_external(const struct cell *c)
{
    return c->config.trainer == TRAINER_EXTERNAL;
}

/* Returns "TASK/ROW/SCALE/SEED" of a cell; the caller frees it. */
static char *name_of(const struct cell *c)
{
    return str_format("%s/%s/%s/%llu", c->config.task, c->row, c->config.scale,
                      (unsigned long long)c->config.seed);
}

static struct map *sites_of(const struct plan *p)
{
    struct map *names = map_of_copies();

    for (int i = 0; i < p->n; i++) {
        OWNED(free) char *name = name_of(&p->cell[i]);

        map_add(names, name, i);
    }
    return names;
}

/* Returns the row of `c` without ",tuned" or ",trial,..."; the caller frees
 * it. */
static char *stem_of(const struct cell *c)
{
    const struct config *g = &c->config;
    OWNED(free) char *end = strcmp(g->tuned, "none") ? str_copy(MATRIX_TUNED)
                            : plan_is_trial(c)
                                ? str_format(MATRIX_TRIAL "%s", g->trial)
                                : str_copy("");
    size_t n = strlen(c->row) - (str_ends(c->row, end) ? strlen(end) : 0);

    return str_format("%.*s", (int)n, c->row);
}

/* Returns the cell with this name (name_of), or NULL. */
static struct cell *find(struct plan *p, const struct map *names,
                         const char *name)
{
    int at = map_get(names, name, -1);

    return at < 0 ? NULL : &p->cell[at];
}

/* Returns trial `i` of `c`, or NULL if the plan lacks this trial. */
static struct cell *find_trial(struct plan *p, const struct map *names,
                               const struct cell *c, int i)
{
    OWNED(free) char *values = tuning_values(&c->config, i), *stem = stem_of(c);
    OWNED(free) char *name = str_format("%s/%s" MATRIX_TRIAL "%s/%s/%lld",
                                        c->config.task, stem, values,
                                        c->config.scale,
                                        tuning_seed(&c->config));

    return find(p, names, name);
}

/* Sets the trials of `c`.  If the plan lacks a trial, sets c->trial to NULL. */
static void link_trials(struct plan *p, const struct map *names, struct cell *c)
{
    c->trials = tuning_trials(&c->config);
    c->trial = arena_zero(p->memory, ((size_t)c->trials + 1) *
                                         sizeof *c->trial);
    for (int i = 0; i < c->trials; i++) {
        c->trial[i] = find_trial(p, names, c, i);
        if (!c->trial[i]) {
            c->trial = NULL;
            break;
        }
    }
}

void plan_link(struct plan *p)
{
    OWNED(map_free) struct map *ids = map_new(), *names = sites_of(p);

    for (int i = 0; i < p->n; i++)
        link_trials(p, names, &p->cell[i]);
    for (int i = 0; i < p->n; i++)
        map_add(ids, p->cell[i].id, i);
    for (int i = 0; i < p->n; i++) {
        int from = plan_starts(&p->cell[i])
                       ? map_get(ids, p->cell[i].config.pretrained, -1) : -1;

        p->cell[i].parent = from < 0 ? NULL : &p->cell[from];
    }
}

/* Returns the cell whose weights `c` starts from, or NULL.  It is the cell of
 * the task c->config.pretrained with the same scale, seed, variant and varied
 * settings.  If there is a plain and a tuned cell of this kind, a plain `c`
 * starts from the plain cell, and a tuned `c` or a trial from the tuned
 * cell. */
static struct cell *find_start(struct plan *p, const struct map *names,
                               const struct cell *c)
{
    static const char *const tail[] = {MATRIX_TUNED, ""};
    OWNED(free) char *stem = stem_of(c);
    struct cell *from = NULL;
    int plain = !strcmp(stem, c->row);

    for (int i = 0; i < 2 && !from; i++) {
        OWNED(free) char *name = str_format("%s/%s%s/%s/%llu",
                                            c->config.pretrained, stem,
                                            tail[i ^ plain], c->config.scale,
                                            (unsigned long long)c->config.seed);

        from = find(p, names, name);
    }
    return from;
}

static void count(struct params *ps, const struct cell *c)
{
    struct config expected = c->config;

    settings_expect(&expected);
    params_count(ps);
    model_new(&expected.model, &c->mix, ps);
}

/* Returns ERR_USAGE if `from` lacks a tensor of `c` or has the tensor in
 * another shape.  The message names the first such tensor. */
static int check_model(const struct cell *c, const struct cell *from)
{
    OWNED(params_close) struct params own = {0}, other = {0};

    if (c->refused || from->refused)
        return OK;
    count(&own, c);
    count(&other, from);
    for (int i = 0; i < own.n; i++) {
        const struct param *p = &own.list[i];
        const struct param *q = params_find(&other, p->name);

        if (!q || q->value->nd != p->value->nd ||
            memcmp(q->value->dim, p->value->dim,
                   (size_t)p->value->nd * sizeof *p->value->dim))
            return err_set(ERR_USAGE, "%s/%s cannot start from %s: %s %s; "
                           "use the same model, N and vocab for both",
                           c->row, c->config.task, from->config.task, p->name,
                           q ? "has another shape there" : "is not there");
    }
    return OK;
}

/* The maximum length of a chain of cells in which each starts from the next.  A
 * longer chain is a cycle, because all cells of a chain have the same variant,
 * scale and seed, and there are far fewer tasks than CHAIN. */
enum { CHAIN = 1000 };

/* Sets the id of `c`.  If `c` starts from another cell, sets the id of that
 * cell first, because the id of `c` depends on it. */
static int identify(struct plan *p, const struct map *names, struct cell *c,
                    int depth)
{
    struct config *g = &c->config;
    struct cell *from;

    if (*c->id)
        return OK;
    if (plan_starts(c) && !cell_is_id(g->pretrained)) {
        from = find_start(p, names, c);
        if (!from || depth == CHAIN)
            return err_set(ERR_USAGE, "%s/%s/%llu starts from %s, %s",
                           c->row, g->task, (unsigned long long)g->seed,
                           g->pretrained, from ? "which starts from this cell" :
                           "but the experiment has no such cell with "
                           "this variant, scale and seed");
        PASS(identify(p, names, from, depth + 1));
        PASS(check_model(c, from));
        strcpy(g->pretrained, from->id);
    }
    settings_id(g, c->id);
    return OK;
}

int plan_identify(struct plan *p)
{
    OWNED(map_free) struct map *names = sites_of(p);

    for (int i = 0; i < p->n; i++)
        PASS(identify(p, names, &p->cell[i], 0));
    return OK;
}
