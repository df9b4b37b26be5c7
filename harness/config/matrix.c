#include "harness/config/matrix.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/experiment_part.h"
#include "harness/config/tuning.h"
#include "harness/store/contrast.h"

#include <stdlib.h>
#include <string.h>

static void append(struct assigns *to, const struct assign *a, int n)
{
    if (n)
        memcpy(to->a + to->n, a, (size_t)n * sizeof *a);
    to->n += n;
}

/* Resolves the configuration of the cell at `place`.  `hit` is the index of its
 * first hit in m->hit, or -1.  Later assignments win, in the order: axes,
 * settings, overrides, `vary`, -S. */
static int resolve(const struct experiment *e, const struct choice *o,
                   const struct values *axis, const int place[AXES],
                   const struct match *m, int hit, struct assigns *all,
                   struct config *c)
{
    static const struct assign synthetic = {"synthetic", "true",
                                            "--synthetic"};
    const struct assigns *point = &e->point[place[AXIS_VARY]];

    all->n = 0;
    for (int x = 0; x < AXIS_VARY; x++)
        all->a[all->n++] = (struct assign){axis[x].key,
                                           axis[x].value[place[x]], e->path};
    append(all, e->settings.a, e->settings.n);
    for (; hit >= 0; hit = m->hit[hit].next) {
        const struct assigns *set = &e->override[m->hit[hit].override].set;

        append(all, set->a, set->n);
    }
    append(all, point->a, point->n);
    append(all, o->set.a, o->set.n);
    append(all, &synthetic, o->synthetic);
    return settings_resolve(c, all->a, all->n);
}

/* Returns ERR_USAGE if the option -S has a setting that only an experiment can
 * set, or that this experiment varies. */
static int check_own(const struct experiment *e, const struct assign *a)
{
    const char *by = settings_set_by(a->key);

    if (by)
        return err_set(ERR_USAGE, "%s %s: only %s%s can set it", a->where,
                       a->key, *by == '`' ? "" : "an experiment's ", by);
    return experiment_varies(e, a->key, 0)
               ? err_set(ERR_USAGE, "%s %s: %s varies it; use -E to select "
                         "among its values", a->where, a->key, e->path)
               : OK;
}

/* Replaces the values of an axis by `value`, the values of an option, in normal
 * spelling. */
static int replace(struct values *axis, const char *option,
                   const char *const *value, struct arena *a)
{
    struct config scratch = {.seed = 0};
    size_t n = 0;

    while (value[n])
        n++;
    axis->value = arena_zero(a, (n + 1) * sizeof *axis->value);
    for (axis->n = 0; axis->n < (int)n; axis->n++) {
        OWNED(free) char *text = NULL;
        int rc = settings_set(&scratch, axis->key, value[axis->n]);

        if (rc < 0)
            return err_wrap(rc, "%s", option);
        PASS(settings_get(&scratch, axis->key, &text));
        axis->value[axis->n] = arena_text(a, text);
    }
    int twice = names_twice(axis->value, axis->n, NULL);
    return twice < 0 ? OK : err_set(ERR_USAGE, "%s %s appears twice", option,
                                    axis->value[twice]);
}

/* Copies the axes of the experiment and applies the changes of the command
 * line. */
static int choose(const struct experiment *e, const struct choice *o,
                  struct values *axis, struct arena *a)
{
    struct config scratch = {.seed = 0};
    int rc = OK;

    memcpy(axis, e->axis, sizeof e->axis);
    for (int i = 0; i < o->set.n; i++)
        PASS(check_own(e, &o->set.a[i]));
    if (o->scale) {
        rc = settings_set(&scratch, "scale", o->scale);
        if (rc < 0)
            return err_wrap(rc, "--scale");
        axis[AXIS_SCALE].n = 1;
        axis[AXIS_SCALE].value = arena_take(a, sizeof(char *));
        axis[AXIS_SCALE].value[0] = o->scale;
    }
    if (o->tasks)
        PASS(replace(&axis[AXIS_TASK], "--task", o->tasks, a));
    if (o->variants)
        PASS(replace(&axis[AXIS_VARIANT], "--variant", o->variants, a));
    if (o->seeds) {
        struct values *v = &axis[AXIS_SEED];

        v->n = o->seeds;
        v->value = arena_take(a, (size_t)v->n * sizeof *v->value);
        for (int i = 0; i < v->n; i++)
            v->value[i] = arena_format(a, "%lld",
                                       o->seed ? o->seed[i] : i + 1);
    }
    return rc;
}

struct cells {
    struct experiment  *of;
    const char         *point; /* what the point of `vary` adds to rows */
    struct matrix_cell *cell;
    int                 n;
    size_t              room;
    struct map         *trial; /* from row/task/scale to index in `cell` */
};

static void cells_close(struct cells *c)
{
    free(c->cell);
    map_free(c->trial);
}
OWNER_OF_VALUE(cells_close, struct cells)

static void add_cell(struct cells *to, const struct config *c, const char *end)
{
    ARRAY_ROOM(to->cell, to->n, to->room);
    to->cell[to->n++] = (struct matrix_cell){
        *c, arena_format(to->of->memory, "%s%s%s", c->variant, to->point, end)};
}

/* Adds a trial unless it has been added.  Cells with different seeds share
 * their trials. */
static int add_trial(struct cells *to, const struct config *c)
{
    OWNED(free) char *end = str_format(MATRIX_TRIAL "%s", c->trial);
    OWNED(free) char *name = str_format("%s%s%s/%s/%s", c->variant, to->point,
                                        end, c->task, c->scale);
    int at = map_get(to->trial, name, -1);
    char id[SETTINGS_ID], other[SETTINGS_ID];

    if (at < 0) {
        map_add(to->trial, name, to->n);
        add_cell(to, c, end);
        return OK;
    }
    settings_id(c, id);
    settings_id(&to->cell[at].config, other);
    return !strcmp(id, other)
               ? OK
               : err_set(ERR_USAGE, "%s: 'tune': the seeds of %s%s on %s have "
                         "different settings, so they cannot share trials",
                         to->of->path, c->variant, to->point, c->task);
}

/* Adds the trials of a cell, then the cell with the settings that they choose.
 */
static int add_tuned(struct cells *to, const struct tune *t, struct config c)
{
    OWNED(free) char *text = tuning_text(t, &c);

    PASS(settings_set(&c, "tuned", text));
    for (int i = 0; i < tuning_trials(&c); i++) {
        struct config trial;

        int rc = tuning_trial(&trial, &c, i);
        if (rc < 0)
            return err_wrap(rc, "%s:%d: a trial of %s%s on %s", to->of->path,
                            t->match->line, c.variant, to->point, c.task);
        PASS(add_trial(to, &trial));
    }
    add_cell(to, &c, MATRIX_TUNED);
    return OK;
}

/* Adds cell `i` of the product of the axes and, if `tune` matches it, its tuned
 * cell. */
static int add_pair(struct cells *to, const struct match *m, int i,
                    const struct config *c)
{
    const struct experiment *e = to->of;

    if (!(m->excluded[i] & EXCLUDED))
        add_cell(to, c, "");
    if (m->tune[i] >= 0 && !(m->excluded[i] & EXCLUDED_TUNED))
        PASS(add_tuned(to, &e->tune[m->tune[i]], *c));
    return to->n <= MATRIX_MAX
               ? OK
               : err_set(ERR_USAGE, "%s: with its trials, more than %d cells",
                         e->path, MATRIX_MAX);
}

/* Returns an empty list with room for all assignments of one cell. */
static struct assigns assigns_of(const struct experiment *e,
                                 const struct choice *o, struct arena *a)
{
    size_t most = AXES + 1 + (size_t)e->settings.n + (size_t)o->set.n;
    int varied = 0;

    for (int i = 0; i < e->noverride; i++)
        most += (size_t)e->override[i].set.n;
    for (int i = 0; i < e->axis[AXIS_VARY].n; i++)
        varied = e->point[i].n > varied ? e->point[i].n : varied;
    return (struct assigns){
        0, arena_take(a, (most + (size_t)varied) * sizeof(struct assign))};
}

/* Returns ERR_USAGE unless all tuned cells of a task, scale and point of `vary`
 * have the same number of trials, so that variants are compared fairly. */
static int check_trials(const struct cells *c)
{
    OWNED(map_free) struct map *first = map_of_copies();

    for (int i = 0; i < c->n; i++) {
        const struct matrix_cell *cell = &c->cell[i];
        int trials = tuning_trials(&cell->config);

        if (!trials)
            continue;
        OWNED(free) char *group = str_format(
            "%s/%s%s", cell->config.task, cell->config.scale,
            cell->row + strlen(cell->config.variant));
        int at = map_get(first, group, i);
        const struct matrix_cell *other = &c->cell[at];

        if (at == i)
            map_add(first, group, i);
        if (tuning_trials(&other->config) != trials)
            return err_set(ERR_USAGE, "%s: 'tune': %s has %d trials on %s and "
                           "%s has %d; give every variant the same number",
                           c->of->path, other->row,
                           tuning_trials(&other->config), cell->config.task,
                           cell->row, trials);
    }
    return OK;
}

/* Returns ERR_USAGE if a cell sets `mix`, but no cell is a mixture. */
static int check_mix(const struct cells *c, const struct assigns *last)
{
    size_t n = (size_t)c->n;
    OWNED(free) struct config *all = malloc((n + 1) * sizeof *all);

    for (size_t i = 0; i < n; i++)
        all[i] = c->cell[i].config;
    return settings_check_mix(all, c->n, last->a, last->n);
}

static int check_row(const struct cells *c, const struct node *at,
                     const char *task, const char *row)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->cell[i].config.task, task) &&
            !strcmp(c->cell[i].row, row))
            return OK;
    return wrong(c->of, at, "contrast '%s': there is no row %s on %s", at->text,
                 row, task);
}

static int check_contrasts(const struct cells *c)
{
    struct contrast_named x;

    for (const struct node *n = c->of->contrast; n; n = n->next) {
        contrast_read(&x, n->text, c->of->memory);
        PASS(check_row(c, n, x.task, x.a));
        PASS(check_row(c, n, x.task, x.b));
    }
    return OK;
}

int matrix_cells(struct experiment *e, const struct choice *o,
                 struct matrix_cell **out, int *n)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(cells_close) struct cells cells = {.of = e,
                                             .trial = map_of_copies()};
    struct assigns all = assigns_of(e, o, a);
    struct values axis[AXES];
    struct match m;
    double product = 1;

    *out = NULL;
    *n = 0;
    if (o->tasks || o->variants) {
        e->ntune = 0;
        e->exclude = NULL;
        e->contrast = NULL;
    }
    PASS(choose(e, o, axis, a));
    for (int x = 0; x < AXES; x++)
        product *= axis[x].n;
    if (product > MATRIX_MAX)
        return err_set(ERR_USAGE, "%s: %.0f cells; at most %d are allowed",
                       e->path, product, MATRIX_MAX);
    PASS(match_cells(&m, e, axis, (int)product, a));
    for (int i = 0; i < (int)product; i++) {
        int place[AXES];
        struct config c;

        for (int x = AXES - 1, at = i; x >= 0; at /= axis[x--].n)
            place[x] = at % axis[x].n;
        if (m.excluded[i] == (EXCLUDED | EXCLUDED_TUNED) ||
            (m.excluded[i] == EXCLUDED && m.tune[i] < 0))
            continue;
        cells.point = axis[AXIS_VARY].value[place[AXIS_VARY]];
        PASS(resolve(e, o, axis, place, &m, m.first[i], &all, &c));
        PASS(add_pair(&cells, &m, i, &c));
    }
    PASS(check_mix(&cells, &all));
    PASS(check_trials(&cells));
    PASS(check_contrasts(&cells));
    *n = cells.n;
    return MOVE_OUT(out, cells.cell);
}
