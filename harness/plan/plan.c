#include "harness/plan/plan.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/datadir.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/config/filter.h"
#include "harness/nn/checkpoint.h"
#include "harness/train/weights.h"

#include <string.h>

struct plan *plan_new(const char *name, const char *title, int cells)
{
    struct arena *a = arena_new();
    struct plan *p = arena_zero(a, sizeof *p);

    p->memory = a;
    p->name = arena_text(a, name);
    p->title = arena_text(a, title);
    p->cell = arena_zero(a, ((size_t)cells + 1) * sizeof *p->cell);
    plan_compare_but(p, NULL);
    p->contrasts = names_kept(NULL, a);
    p->guessed = names_kept(NULL, a);
    return p;
}

void plan_compare_but(struct plan *p, const char *const *task)
{
    p->uncompared = names_kept(task, p->memory);
}

int plan_uncompared(const struct plan *p, const char *task)
{
    return names_index(p->uncompared, task) >= 0;
}

void plan_close(struct plan *p)
{
    if (p)
        arena_free(p->memory);
}

static int fill(struct plan *p, const struct matrix_cell *cell, int n,
                const struct plan_of *of)
{
    char name[MIX_NAME];

    for (p->n = 0; p->n < n; p->n++) {
        struct cell *c = &p->cell[p->n];

        c->row = arena_text(p->memory, cell[p->n].row);
        c->config = cell[p->n].config;
        if (of->change)
            of->change(&c->config);
        PASS(mix_parse(&c->mix, name, c->config.variant));
        PASS(task_find(&c->task, c->config.task));
        c->refused = model_fault(&c->config.model, &c->mix);
    }
    PASS(plan_identify(p));
    plan_link(p);
    return OK;
}

/* Sets the uncompared tasks to those tasks of the list `task` that have cells
 * in the plan. */
static void compare_but(struct plan *p, const char *const *task)
{
    size_t n = 0, all = 0;

    while (task && task[all])
        all++;
    const char **has = arena_zero(p->memory, (all + 1) * sizeof *has);
    for (size_t i = 0; i < all; i++)
        for (int k = 0; k < p->n; k++)
            if (!strcmp(p->cell[k].config.task, task[i])) {
                has[n++] = task[i];
                break;
            }
    plan_compare_but(p, has);
}

static void take_contrasts(struct plan *p, const struct experiment *e)
{
    int n = 0;

    for (const struct node *c = e->contrast; c; c = c->next)
        n++;
    p->contrasts = arena_zero(p->memory,
                              ((size_t)n + 1) * sizeof *p->contrasts);
    n = 0;
    for (const struct node *c = e->contrast; c; c = c->next)
        p->contrasts[n++] = arena_text(p->memory, c->text);
}

/* Returns 1 if the included experiment with the name of `e` is another file. */
static int is_shadowed(const struct experiment *e)
{
    OWNED(free) char *file = str_format("experiments/%s.yaml", e->name);
    OWNED(free) char *path = str_format("/%s", e->path);
    OWNED(free) char *end = str_format("/%s", file), *found = NULL;

    return !str_ends(path, end) && datadir_find(&found, file) == OK;
}

/* Returns 1 if the file NAME.yaml alone does not determine the cells of the
 * plan. */
static int is_own(const struct plan_of *of, const struct experiment *e)
{
    const struct choice *c = &of->choice;

    for (int i = 0; i < c->set.n; i++)
        if (!settings_is_runtime(c->set.a[i].key))
            return 1;
    return c->tasks || c->variants || of->name ||
           !strcmp(of->experiment, "-") || is_shadowed(e) ||
           !str_is_harmless(of->experiment); /* cannot be printed */
}

/* Returns the path by which the plan records the experiment file.  Returns NULL
 * for an included experiment, which is found by its name. */
static const char *file_of(const struct plan_of *of, const struct experiment *e)
{
    OWNED(free) char *file = str_format("experiments/%s.yaml", e->name);
    OWNED(free) char *found = NULL;

    return datadir_find(&found, file) == OK ? NULL : of->experiment;
}

static int from_file(struct plan **out, const struct plan_of *of)
{
    OWNED(experiment_close) struct experiment *e = NULL;
    OWNED(free) struct matrix_cell *cell = NULL;
    OWNED(plan_close) struct plan *p = NULL;
    int n;

    PASS(experiment_read(&e, of->experiment));
    PASS(matrix_cells(e, &of->choice, &cell, &n));
    p = plan_new(of->name ? of->name : e->name,
                 of->title ? of->title : e->title, n);
    p->guessed = names_kept(e->guessed.value, p->memory);
    p->own = is_own(of, e);
    p->file = p->own ? NULL : file_of(of, e);
    p->file = p->file ? arena_text(p->memory, p->file) : NULL;
    PASS(fill(p, cell, n, of));
    compare_but(p, e->uncompared.value);
    take_contrasts(p, e);
    return MOVE_OUT(out, p);
}

static int select_cells(struct plan *p, const struct plan_of *of)
{
    const char *filter = of->filter;
    int wanted = 0, all = 0;

    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];
        int rc = 1;

        if (c->older)
            continue;
        all++;
        if (filter && (rc = filter_match(filter, &c->config)) < 0)
            return rc;
        wanted += c->selected = rc;
    }
    if (!wanted && filter)
        return err_set(ERR_EMPTY, "-E '%s' matches none of the %d cells of %s",
                       filter, all, p->name);
    if (!wanted && p->n && !of->older)
        return err_set(ERR_EMPTY, "%s: all its cells (%d) are older: from an "
                       "earlier state of the experiment or another numerics "
                       "version; run the experiment's file with --extend to "
                       "train the current cells, or `show STORE#CELL` to see "
                       "an older one",
                       p->store, p->n);
    return wanted || p->n ? OK : err_set(ERR_EMPTY, "%s has no cells",
                                         p->name);
}

int plan_open(struct plan **out, const struct plan_of *of)
{
    const struct choice *c = &of->choice;
    OWNED(plan_close) struct plan *p = NULL;

    *out = NULL;
    if (of->experiment) {
        PASS(from_file(&p, of));
    } else {
        if (!of->store)
            return err_set(ERR_USAGE, "specify an experiment's file, or its "
                           "results with --store DIR");
        if (c->scale || c->seeds || c->synthetic || c->set.n)
            return err_set(ERR_USAGE, "%s: its experiment is frozen; -S, "
                           "--scale, --seeds and --synthetic need the "
                           "experiment's file", of->store);
        PASS(freeze_read(&p, of->store));
    }
    p->store = of->store ? arena_text(p->memory, of->store)
                         : arena_format(p->memory, "results/%s", p->name);
    PASS(select_cells(p, of));
    return MOVE_OUT(out, p);
}

/* ---- state and cost of the cells ---- */

static int count_others(struct plan *p, struct store *s)
{
    const char **id = arena_take(p->memory, ((size_t)p->n + 1) * sizeof *id);
    int n = 0;

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected)
            id[n++] = p->cell[i].id;
    return store_others(s, id, n, &p->others);
}

/* Sets the progress of an unfinished cell to that of its checkpoint. */
static void look_saved(struct plan *p, struct cell *c)
{
    OWNED(free) char *base = str_format("%s/checkpoints/%s", p->store, c->id);

    c->saved = checkpoint_step(base, c->id);
    c->progress = c->saved ? arena_format(p->memory, "saved at step %ld of %d",
                                          c->saved, c->config.steps)
                           : "";
}

static int look_at(struct plan *p, struct cell *c, struct store *s)
{
    int rc = store_status(s, c->id, &c->status);

    if (rc == ERR_STORE)
        c->damage = arena_text(p->memory, err_last());
    return rc == ERR_STORE ? OK : rc;
}

static int look_up(struct plan *p)
{
    OWNED(stage_end) struct stage stage = {.what = "reading cells"};
    OWNED(store_close) struct store *s = NULL;
    int rc = store_open(&s, p->store, 0);

    if (rc == ERR_EMPTY) /* no store yet: all cells are missing */
        return OK;
    PASS(rc);
    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        stage_show(&stage, i, p->n);
        PASS(look_at(p, c, s));
        if (c->status.state != CELL_DONE)
            look_saved(p, c);
    }
    return count_others(p, s);
}

int plan_look_selected(struct plan *p)
{
    OWNED(store_close) struct store *s = NULL;
    int unfinished = 0, rc = store_open(&s, p->store, 0);

    PASS(cell_maybe(rc));
    for (int i = 0; i < p->n && rc == OK; i++) {
        struct cell *c = &p->cell[i];

        if (c->selected)
            PASS(look_at(p, c, s));
        unfinished += c->selected && c->status.state != CELL_DONE;
    }
    return rc == ERR_EMPTY || unfinished ? plan_look(p) : OK;
}

/* If the plan shows that the weights from which `c` starts will not become
 * available, returns the reason, else NULL. */
static const char *wait_in_vain(const struct plan *p, const struct cell *c)
{
    const struct cell *from = c->parent;
    OWNED(free) char *path = weights_path(p->store, c->config.pretrained);
    const char *why = NULL;

    if (from && from->refused)
        why = arena_format(p->memory, "it starts from %s, which is refused",
                           from->config.task);
    else if (from && (from->damage || from->status.state != CELL_DONE))
        why = from->selected
                  ? NULL
                  : arena_format(p->memory, "it starts from the weights of "
                                 "%s/%s/%llu (%s), which is neither done nor "
                                 "selected", from->row, from->config.task,
                                 (unsigned long long)from->config.seed,
                                 from->id);
    else if (!file_exists(path))
        why = arena_format(p->memory, "it starts from %s, which is missing; if "
                           "cells/ has that cell, remove its file to train it "
                           "again", path);
    return why;
}

int plan_tried(const struct cell *trial)
{
    return !trial->damage && store_tried(&trial->status);
}

/* If the plan shows that no trial can be chosen for `c`, returns the reason,
 * else NULL. */
static const char *choose_in_vain(const struct plan *p, const struct cell *c)
{
    if (!c->trial)
        return "the experiment lacks some of its trials";
    for (int i = 0; i < c->trials; i++) {
        const struct cell *t = c->trial[i];

        if (!t->selected && !plan_tried(t))
            return arena_format(p->memory, "its settings depend on trial %s, "
                                "which is neither done nor selected", t->id);
        if (t->blocked)
            return arena_format(p->memory, "its settings depend on trial %s, "
                                "which is blocked", t->id);
    }
    return NULL;
}

static double work(const struct cell *c)
{
    return c->step.flops * c->config.steps;
}

/* Returns the mean speed (FLOP/s) of the finished cells with device `d` and
 * task `task` (NULL: any task), or 0 if there are none. */
static double speed(const struct plan *p, enum device d,
                    const struct task *task)
{
    double flops = 0, seconds = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (c->damage || c->status.state != CELL_DONE ||
            plan_is_external(c) || c->config.device != d ||
            (task && c->task != task))
            continue;
        flops += work(c);
        seconds += c->status.seconds;
    }
    return seconds > 0 ? flops / seconds : 0;
}

static void expect_time(struct plan *p)
{
    double any = 0, own = 0;

    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];
        enum device d = c->config.device;

        if (!i || d != c[-1].config.device)
            any = speed(p, d, NULL);
        if (!i || d != c[-1].config.device || c->task != c[-1].task)
            own = speed(p, d, c->task); /* cells of a task are adjacent */
        c->seconds = work(c) / (own > 0   ? own
                                : any > 0 ? any
                                : train_speed(d, c->config.precision));
    }
}

/* Returns 1 if `c` has the same data as the preceding cell.  Cells of a task
 * are adjacent. */
static int as_before(const struct plan *p, const struct cell *c)
{
    return c > p->cell && !c[-1].refused &&
           train_same_data(&c->config, &c[-1].config);
}

static void expect_lengths(struct plan *p, struct cell *c)
{
    struct task_opts o = train_data(&c->config, p->cache, p->files);

    if (as_before(p, c))
        c->lengths = c[-1].lengths;
    else
        task_lengths(&c->lengths, c->task, &o, p->memory);
}

/* Returns 1 if all bytes of the configuration, except its seed, are those of
 * the preceding cell, so that its cost is the same. */
static int costs_as_before(const struct plan *p, const struct cell *c)
{
    struct config seeded = c->config;

    if (!as_before(p, c))
        return 0;
    seeded.seed = c[-1].config.seed;
    return !memcmp(&seeded, &c[-1].config, sizeof seeded);
}

static int expects_shorter(const struct cell *c)
{
    return c->lengths.from != LENGTHS_LONGEST;
}

static void expect_cost(struct plan *p, struct cell *c)
{
    struct config expected = c->config;

    expect_lengths(p, c);
    if (costs_as_before(p, c)) {
        c->cost = c[-1].cost;
        c->step = c[-1].step;
        return;
    }
    settings_expect(&expected);
    train_cost(&expected, &c->mix, c->task, &c->lengths, &c->cost);
    train_expect(&c->step, &expected, &c->mix, &c->lengths);
    if (!expects_shorter(c) && expected.batch_by == BATCH_EXAMPLES)
        c->step.flops = c->cost.flops_per_step;
}

int plan_look(struct plan *p)
{
    PASS(look_up(p));
    for (int i = 0; i < p->n; i++) {
        struct cell *c = &p->cell[i];

        if (plan_starts(c) && c->status.state != CELL_DONE)
            c->blocked = wait_in_vain(p, c);
        if (c->trials && !c->blocked && !c->refused &&
            c->status.state != CELL_DONE)
            c->blocked = choose_in_vain(p, c);
        if (plan_is_external(c) && c->status.state != CELL_DONE)
            c->blocked = "another program trained it; `synthbench adopt` "
                         "stores it again";
        if (!c->refused)
            expect_cost(p, c);
    }
    expect_time(p);
    return OK;
}

static int needs_data(const struct cell *c)
{
    return c->selected && !c->refused && c->status.state != CELL_DONE;
}

const char *plan_lacks(const struct plan *p, const struct cell *c)
{
    struct task_opts o = train_data(&c->config, p->cache,
                                    p->files ? p->files : p->cache);

    if (!needs_data(c))
        return NULL;
    for (const struct cell *d = p->cell; d < c; d++)
        if (needs_data(d) && d->task == c->task &&
            d->config.synthetic == o.synthetic &&
            !strcmp(d->config.scale, c->config.scale))
            return NULL;
    return task_present(c->task, &o) < 0
               ? arena_text(p->memory, task_reason(c->task, err_last()))
               : NULL;
}

enum cell_state plan_state(const struct cell *c)
{
    return c->refused   ? CELL_REFUSED
           : c->damage  ? CELL_FAILED
           : c->blocked ? CELL_BLOCKED
                        : c->status.state;
}

const char *plan_status(const struct cell *c)
{
    return cell_state_text[plan_state(c)];
}

const char *plan_reason(const struct cell *c)
{
    return c->refused   ? c->refused
           : c->damage  ? c->damage
           : c->blocked ? c->blocked
                        : c->status.message;
}

const char *plan_note(const struct cell *c)
{
    const char *why = plan_reason(c);

    return *why || !c->saved ? why : c->progress;
}
