#include "harness/plan/plan.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/frozen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- cells of the plan as cells of the file ---- */

/* Copies the text into the arena and frees the original. */
static const char *kept(char *text, struct arena *a)
{
    const char *copy = arena_text(a, text);

    free(text);
    return copy;
}

static struct frozen_cell cell_of(const struct cell *c, struct arena *a)
{
    const struct config *g = &c->config;
    struct frozen_cell f = {
        .config = kept(settings_text(g, 1), a),
        .runtime = kept(settings_text(g, 0), a),
        .label = {g->variant, g->task, g->scale, (long long)g->seed,
                  g->synthetic},
        .row = strcmp(c->row, g->variant) ? c->row : NULL,
        .recipe = settings_recipe(g), .numerics = NUMERICS_VERSION,
        .refused = c->refused};

    strcpy(f.id, c->id);
    return f;
}

static const char *label(const struct frozen_cell *c, struct arena *a)
{
    return cell_name(a, frozen_row(c), c->label.task, c->label.scale,
                     c->label.seed);
}

/* ---- what differs ---- */

enum { NAMED = 3 }; /* maximum number of keys in a message */

/* Returns a value as text, such as "10", or "the default" if the configuration
 * omits the key. */
static const char *value(const json_t *config, const char *key,
                         struct arena *a)
{
    const json_t *v = json_object_get(config, key);

    if (!v)
        return "the default";
    OWNED(free) char *text = json_dumps(v, JSON_ENCODE_ANY |
                                               JSON_REAL_PRECISION(6));
    return arena_text(a, text);
}

/* Returns text such as "steps: 10, stored: 700" for the configurations of two
 * cells with the same label. */
static const char *differences(const char *mine, const char *theirs,
                               struct arena *a)
{
    OWNED(json_decref) json_t *x = json_loads(mine, 0, NULL);
    OWNED(json_decref) json_t *y = json_loads(theirs, 0, NULL);
    OWNED(json_decref) json_t *keys = json_copy(x);
    struct text out = {0};
    const char *key;
    json_t *v;
    int n = 0;

    json_object_update_missing(keys, y);
    json_object_foreach(keys, key, v)
        if (!json_equal(json_object_get(x, key), json_object_get(y, key)) &&
            n++ < NAMED)
            text_format(&out, "%s%s: %s, stored: %s", n > 1 ? "; " : "", key,
                        value(x, key, a), value(y, key, a));
    if (n > NAMED)
        text_put(&out, "; ...");
    if (!n)
        text_put(&out, "its settings are equal, but an earlier version of "
                       "synthbench computed it differently");
    return text_keep(&out, a);
}

/* Reports that the store's experiment lacks `missing` cells of the plan.
 * `first` is one of these cells. */
static int refuse(const struct plan *p, const struct frozen *old, int missing,
                  const struct cell *first, struct arena *a)
{
    struct frozen_cell mine = cell_of(first, a);
    const char *name = label(&mine, a), *why = "no cell there has this name";

    for (int i = 0; i < old->n; i++)
        if (!old->cell[i].older && !strcmp(label(&old->cell[i], a), name))
            why = differences(mine.config, old->cell[i].config, a);
    return err_set(ERR_USAGE, "%s holds experiment `%s`, which lacks %d of "
                              "the %d cells of this one, for example %s (%s); "
                              "add them with --extend, or use another "
                              "--store",
                   p->store, old->name, missing, p->n, name, why);
}

/* ---- freezing ---- */

/* Sets the cells of *out to the cells of the plan, followed by the cells of
 * `old` (may be NULL) with other ids.  Older cells come last.  A cell of `old`
 * counts as older if the plan has a cell with the same label (row, task, scale
 * and seed). */
static void merge(struct frozen *out, const struct plan *p,
                  const struct frozen *old)
{
    struct arena *a = out->memory;
    OWNED(map_free) struct map *ids = map_new(), *labels = map_new();
    int most = p->n + (old ? old->n : 0);

    out->cell = arena_zero(a, ((size_t)most + 1) * sizeof *out->cell);
    for (int i = 0; i < p->n; i++) {
        struct frozen_cell *c = &out->cell[out->n];

        *c = cell_of(&p->cell[i], a);
        if (map_add(ids, c->id, 0))
            map_add(labels, label(c, a), out->n++);
    }
    for (int older = 0; old && older < 2; older++)
        for (int i = 0; i < old->n; i++) {
            struct frozen_cell *c = &out->cell[out->n];

            *c = old->cell[i];
            c->older |= map_get(labels, label(c, a), -1) >= 0;
            out->n += c->older == older && map_add(ids, c->id, 0);
        }
}

static int has_task(const struct plan *p, const char *task)
{
    for (int i = 0; i < p->n; i++)
        if (!strcmp(p->cell[i].config.task, task))
            return 1;
    return 0;
}

/* Returns the uncompared tasks of the plan and, if `old` is not NULL, the
 * uncompared tasks of `old` that have no cell in the plan. */
static const char **uncompared(const struct plan *p, const struct frozen *old,
                               struct arena *a)
{
    const char **out;
    size_t n = 0, room = 1;

    while (p->uncompared[room - 1])
        room++;
    for (size_t i = 0; old && old->uncompared[i]; i++)
        room++;
    out = arena_zero(a, room * sizeof *out);
    for (; p->uncompared[n]; n++)
        out[n] = p->uncompared[n];
    for (size_t i = 0; old && old->uncompared[i]; i++)
        if (!has_task(p, old->uncompared[i]) &&
            names_index(out, old->uncompared[i]) < 0)
            out[n++] = old->uncompared[i];
    return out;
}

/* Returns the contrasts of the plan, or of the store if the plan has none. */
static const char **contrasts(const struct plan *p, const struct frozen *old)
{
    return *p->contrasts || !old ? p->contrasts : old->contrasts;
}

static int replace(const struct plan *p, const struct frozen *old)
{
    struct frozen all = {.name = old ? old->name : p->name,
                         .title = old ? old->title : p->title,
                         .own = p->own || (old && old->own),
                         .file = p->file ? p->file : old ? old->file : NULL,
                         .memory = arena_new()};
    OWNED(arena_free) struct arena *memory = all.memory;

    all.uncompared = uncompared(p, old, memory);
    all.contrasts = contrasts(p, old);
    all.guessed = *p->guessed || !old ? p->guessed : old->guessed;
    merge(&all, p, old);
    return frozen_write(&all, p->store);
}

/* Returns the number of cells of the plan that are not current cells of `old`.
 * Sets *first to the first of them. */
static int missing(const struct plan *p, const struct frozen *old,
                   const struct cell **first)
{
    OWNED(map_free) struct map *ids = map_new();
    int n = 0;

    for (int i = 0; i < old->n; i++)
        if (!old->cell[i].older)
            map_add(ids, old->cell[i].id, i);
    for (int i = p->n - 1; i >= 0; i--)
        if (map_get(ids, p->cell[i].id, -1) < 0) {
            *first = &p->cell[i];
            n++;
        }
    return n;
}

/* Returns 1 if both lists have the same names in any order. */
static int same_names(const char *const *a, const char *const *b)
{
    int same = 1;

    for (int i = 0; a[i]; i++)
        same &= names_index(b, a[i]) >= 0;
    for (int i = 0; b[i]; i++)
        same &= names_index(a, b[i]) >= 0;
    return same;
}

/* Returns text such as "all tasks except glue, superglue". */
static const char *compared(const char *const *but, struct arena *a)
{
    OWNED(free) char *list = names_list(but);

    return *but ? arena_format(a, "all tasks except %s", list) : "all tasks";
}

int freeze_write(const struct plan *p, int extend)
{
    OWNED(frozen_close) struct frozen *old = NULL;
    const struct cell *first = NULL;
    OWNED(close) int lock = -1;

    PASS(store_lock(&lock, p->store, "lock"));
    int rc = frozen_read(&old, p->store);
    if (rc == ERR_EMPTY)
        return replace(p, NULL);
    PASS(rc);
    const char **but = uncompared(p, old, old->memory);
    int n = missing(p, old, &first), other = !same_names(but, old->uncompared);
    int judges = !same_names(contrasts(p, old), old->contrasts);
    if (n && !extend)
        return refuse(p, old, n, first, old->memory);
    if (other && !extend)
        say("%s still compares %s; --extend changes this to %s", p->store,
            compared(old->uncompared, old->memory),
            compared(but, old->memory));
    if (judges && !extend)
        say("%s keeps its contrasts; --extend replaces them by those of the "
            "experiment's file", p->store);
    return n || ((other || judges) && extend) ? replace(p, old) : OK;
}

int freeze_check(const struct plan *p)
{
    OWNED(frozen_close) struct frozen *old = NULL;
    const struct cell *first = NULL;
    int rc = frozen_read(&old, p->store);

    if (rc == ERR_EMPTY)
        return OK;
    PASS(rc);
    int n = missing(p, old, &first);
    return n ? refuse(p, old, n, first, old->memory) : OK;
}

/* ---- reading ---- */

static int restore(struct cell *c, const struct frozen_cell *f,
                   struct arena *a)
{
    char name[MIX_NAME];

    strcpy(c->id, f->id);
    c->row = arena_text(a, frozen_row(f));
    int rc = settings_restore(&c->config, f->config, f->runtime);
    int recipe = rc == OK ? settings_recipe(&c->config) : DATA_RECIPE_VERSION;
    /* A cell is older if this version would train it under another id. */
    c->older = f->older || f->recipe != recipe ||
               f->numerics != NUMERICS_VERSION;
    PASS(rc);
    OWNED(free) char *mine = c->older ? NULL : settings_text(&c->config, 1);
    if (mine && strcmp(mine, f->config))
        return err_set(ERR_STORE, "its configuration is from another version "
                       "of synthbench; run the experiment's file with "
                       "--extend");
    PASS(mix_parse(&c->mix, name, c->config.variant));
    PASS(task_find(&c->task, c->config.task));
    c->refused = model_fault(&c->config.model, &c->mix);
    return OK;
}

int freeze_read(struct plan **out, const char *store)
{
    OWNED(frozen_close) struct frozen *f = NULL;
    OWNED(plan_close) struct plan *p = NULL;

    PASS(frozen_read(&f, store));
    p = plan_new(f->name, f->title, f->n);
    p->store = arena_text(p->memory, store);
    plan_compare_but(p, f->uncompared);
    p->contrasts = names_kept(f->contrasts, p->memory);
    p->guessed = names_kept(f->guessed, p->memory);
    p->own = f->own;
    p->file = f->file ? arena_text(p->memory, f->file) : NULL;
    for (int i = 0; i < f->n; i++) {
        struct cell *c = &p->cell[p->n];

        *c = (struct cell){.older = 0};
        int rc = restore(c, &f->cell[i], p->memory);
        /* An older cell may have keys that this version no longer supports.  It
         * is omitted here; its file in STORE/cells is complete. */
        if (rc < 0 && !c->older)
            return err_wrap(ERR_STORE, "%s/experiment.json: cell %s", store,
                            f->cell[i].id);
        p->n += rc == OK;
    }
    plan_link(p);
    return MOVE_OUT(out, p);
}
