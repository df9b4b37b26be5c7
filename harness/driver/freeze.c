#include "harness/driver/freeze.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

static char *path_of(const char *store)
{
    return str_format("%s/experiment.json", store);
}

static json_t *parsed(char *text) /* frees it */
{
    json_t *j = json_loads(text, 0, NULL);

    REQUIRE(j, "settings_text gave '%s'", text);
    free(text);
    return j;
}

static json_t *pack(const struct cell *c)
{
    const struct config *g = &c->config;

    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:s*}", "id", c->id,
                     "variant", g->variant, "task", g->task, "scale",
                     g->scale, "seed", (json_int_t)g->seed, "config",
                     parsed(settings_text(g, 1)), "runtime",
                     parsed(settings_text(g, 0)), "refused", c->refused);
}

/* What stands there; *out NULL: nothing yet. */
static int load(json_t **out, const char *path)
{
    char *text;
    json_error_t e;
    json_t *j;
    int schema = 0, rc;

    *out = NULL;
    if (!file_exists(path))
        return OK;
    rc = file_read(&text, NULL, path);
    if (rc < 0)
        return rc;
    j = json_loads(text, JSON_REJECT_DUPLICATES, &e);
    free(text);
    if (!j)
        return err_set(ERR_STORE, "%s:%d: %s; remove the file, and `run` of "
                       "the experiment writes it again", path, e.line, e.text);
    if (json_unpack_ex(j, &e, 0, "{s:i}", "schema_version", &schema))
        rc = err_set(ERR_STORE, "%s: %s; remove the file, and `run` of the "
                     "experiment writes it again", path, e.text);
    else if (schema > SCHEMA)
        rc = err_set(ERR_STORE, "%s: schema %d is newer than this program, "
                     "which knows up to %d: update synthbench", path, schema,
                     SCHEMA);
    if (rc < 0) {
        json_decref(j);
        return rc;
    }
    *out = j;
    return OK;
}

/* Cells of `from` whose id is not in `known`. */
static void move_unknown(json_t *to, json_t *from, json_t *known)
{
    size_t i;
    json_t *cell;

    json_array_foreach(from, i, cell) {
        const char *id = json_string_value(json_object_get(cell, "id"));

        if (id && !json_object_get(known, id)) {
            json_array_append(to, cell);
            json_object_set_new(known, id, json_true());
        }
    }
}

int freeze_write(const struct plan *p)
{
    json_t *old = NULL, *cells = json_array(), *older = json_array();
    json_t *known = json_object(), *all = NULL;
    char *path = path_of(p->store), *text = NULL;
    int rc;

    TRY(load(&old, path));
    for (int i = 0; i < p->n; i++) {
        if (p->cell[i].older)
            continue;
        json_array_append_new(cells, pack(&p->cell[i]));
        json_object_set_new(known, p->cell[i].id, json_true());
    }
    move_unknown(older, json_object_get(old, "cells"), known);
    move_unknown(older, json_object_get(old, "older"), known);
    all = json_pack("{s:i, s:s, s:s, s:i, s:i, s:O, s:O}", "schema_version",
                    SCHEMA, "name", p->name, "title", p->title, "data_recipe",
                    DATA_RECIPE_VERSION, "numerics", NUMERICS_VERSION, "cells",
                    cells, "older", older);
    text = all ? json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(17))
               : NULL;
    REQUIRE(text, "%s: title '%s' cannot be written", path, p->title);
    TRY(file_write(path, text, strlen(text)));
out:
    free(text);
    json_decref(all);
    json_decref(known);
    json_decref(older);
    json_decref(cells);
    json_decref(old);
    free(path);
    return rc;
}

/* ---- reading ---- */

static int read_cell(struct cell *c, json_t *j)
{
    json_t *config, *runtime;
    const char *id;
    char name[MIX_NAME];
    json_error_t e;
    int rc;

    if (json_unpack_ex(j, &e, 0, "{s:s, s:o, s:o}", "id", &id, "config",
                       &config, "runtime", &runtime))
        return err_set(ERR_STORE, "%s", e.text);
    if (strlen(id) != SETTINGS_ID - 1)
        return err_set(ERR_STORE, "'%s' is no cell id", id);
    strcpy(c->id, id);
    char *hashed = json_dumps(config, 0), *other = json_dumps(runtime, 0);
    rc = settings_restore(&c->config, hashed, other);
    free(other);
    free(hashed);
    if (rc == OK)
        rc = mix_parse(&c->mix, name, c->config.variant);
    if (rc == OK)
        rc = registry_task(&c->task, c->config.task);
    if (rc == OK)
        c->refused = model_fault(&c->config.model, &c->mix);
    return rc < 0 ? err_wrap(ERR_STORE, "cell %s", id) : OK;
}

/* An older cell may speak of keys that this program no longer has: then it is
 * left out here, its file in STORE/cells still tells all. */
static int read_cells(struct plan *p, json_t *cells, int older)
{
    size_t i;
    json_t *j;

    json_array_foreach(cells, i, j) {
        struct cell *c = &p->cell[p->n];

        c->older = older;
        if (read_cell(c, j) == OK)
            p->n++;
        else if (!older)
            return err_wrap(ERR_STORE, "%s/experiment.json", p->store);
    }
    return OK;
}

int freeze_read(struct plan **out, const char *store)
{
    char *path = path_of(store);
    json_t *all, *cells, *older;
    const char *name, *title;
    struct plan *p = NULL;
    json_error_t e;
    int rc;

    TRY(load(&all, path));
    if (!all)
        TRY(err_set(ERR_EMPTY, "%s: no such file: nothing has been run into "
                    "this folder; `synthbench run FILE.yaml --store %s` does "
                    "that", path, store));
    if (json_unpack_ex(all, &e, 0, "{s:s, s:s, s:o, s:o}", "name", &name,
                       "title", &title, "cells", &cells, "older", &older))
        TRY(err_set(ERR_STORE, "%s: %s; remove the file, and `run` of the "
                    "experiment writes it again", path, e.text));
    p = plan_new(name, title,
                 (int)(json_array_size(cells) + json_array_size(older)));
    p->store = arena_text(p->memory, store);
    TRY(read_cells(p, cells, 0));
    TRY(read_cells(p, older, 1));
    plan_link(p);
    *out = p;
    p = NULL;
out:
    plan_close(p);
    json_decref(all);
    free(path);
    return rc;
}
