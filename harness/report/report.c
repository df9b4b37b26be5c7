#include "harness/report/report.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"

#include <jansson.h>
#include <stdlib.h>

enum { SCHEMA = 1 };

static int read_cell(struct report *r, struct report_cell *c, json_t *j,
                     const char *path)
{
    const char *id, *variant, *task, *scale;
    json_int_t seed;
    json_t *config;
    json_error_t e;

    if (json_unpack_ex(j, &e, 0, "{s:s, s:s, s:s, s:s, s:I, s:o}", "id", &id,
                       "variant", &variant, "task", &task, "scale", &scale,
                       "seed", &seed, "config", &config))
        return err_set(ERR_STORE, "%s: cell %td: %s", path, c - r->cell + 1,
                       e.text);
    json_t *synthetic = json_object_get(config, "synthetic");
    const char *refused = json_string_value(json_object_get(j, "refused"));
    *c = (struct report_cell){
        .id = arena_text(r->memory, id),
        .variant = arena_text(r->memory, variant),
        .task = arena_text(r->memory, task),
        .scale = arena_text(r->memory, scale),
        .seed = seed,
        .synthetic = json_is_true(synthetic) || json_integer_value(synthetic),
        .state = refused ? CELL_REFUSED : CELL_MISSING,
        .message = arena_text(r->memory, refused ? refused : ""),
    };
    return OK;
}

static int read_experiment(struct report *r, json_t *root, const char *path)
{
    const char *name, *title;
    json_t *cells;
    json_error_t e;
    int schema, rc = OK;

    if (json_unpack_ex(root, &e, 0, "{s:i}", "schema_version", &schema))
        return err_set(ERR_STORE, "%s: %s", path, e.text);
    if (schema > SCHEMA)
        return err_set(ERR_STORE, "%s: schema %d is newer than this program, "
                       "which knows up to %d: update synthbench", path, schema,
                       SCHEMA);
    if (json_unpack_ex(root, &e, 0, "{s:s, s:s, s:o}", "name", &name, "title",
                       &title, "cells", &cells))
        return err_set(ERR_STORE, "%s: %s", path, e.text);
    r->name = arena_text(r->memory, name);
    r->title = arena_text(r->memory, title);
    r->n = (int)json_array_size(cells);
    r->cell = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof *r->cell);
    for (int i = 0; i < r->n; i++)
        TRY(read_cell(r, &r->cell[i], json_array_get(cells, (size_t)i), path));
out:
    return rc;
}

static int load(json_t **out, const char *store, const char *path)
{
    char *text = NULL;
    json_error_t e;
    size_t bytes;
    int rc = OK;

    if (!file_exists(path))
        return err_set(ERR_EMPTY, "%s: no such file: nothing has been run into "
                       "this folder; `synthbench run FILE.yaml --store %s` "
                       "does that", path, store);
    TRY(file_read(&text, &bytes, path));
    *out = json_loadb(text, bytes, 0, &e);
    if (!*out)
        rc = err_set(ERR_STORE, "%s:%d: %s; remove it, and `synthbench run` of "
                     "the experiment writes it again", path, e.line, e.text);
out:
    free(text);
    return rc;
}

static int read_states(struct report *r, struct store *s)
{
    struct cell_status status;

    for (int i = 0; i < r->n; i++) {
        struct report_cell *c = &r->cell[i];
        int rc;

        if (c->state == CELL_REFUSED)
            continue;
        rc = store_status(s, c->id, &status);
        if (rc == OK && status.state == CELL_DONE)
            rc = store_verify(s, c->id);
        if (rc < 0 && rc != ERR_STORE)
            return rc;
        c->damaged = rc == ERR_STORE;
        r->damaged += c->damaged;
        c->state = c->damaged ? CELL_FAILED : status.state;
        if (c->state == CELL_FAILED)
            c->message = arena_text(r->memory, c->damaged ? err_last()
                                                          : status.message);
    }
    return OK;
}

int report_open(struct report **out, const char *store)
{
    struct arena *memory = arena_new();
    struct report *r = arena_zero(memory, sizeof *r);
    struct store *s = NULL;
    json_t *root = NULL;
    char *path = str_format("%s/experiment.json", store);
    int rc = OK;

    *out = NULL;
    r->memory = memory;
    r->store = arena_text(memory, store);
    TRY(load(&root, store, path));
    TRY(read_experiment(r, root, path));
    TRY(store_open(&s, store, 0));
    TRY(read_states(r, s));
    *out = r;
out:
    store_close(s);
    json_decref(root);
    free(path);
    if (rc < 0)
        arena_free(memory);
    return rc;
}

int report_damage(const struct report *r)
{
    for (int i = 0; i < r->n; i++)
        if (r->cell[i].damaged)
            say("%s", r->cell[i].message);
    return r->damaged ? err_exit_code(ERR_STORE) : OK;
}

void report_close(struct report *r)
{
    if (r)
        arena_free(r->memory);
}
