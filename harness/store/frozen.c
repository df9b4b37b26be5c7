#include "harness/store/frozen.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/json.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/contrast.h"
#include "harness/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 2 };

static char *path_of(const char *store)
{
    return str_format("%s/experiment.json", store);
}

/* ---- writing ---- */

static json_t *parsed(const char *text)
{
    json_t *j = json_loads(text, 0, NULL);

    REQUIRE(json_is_object(j), "not a JSON object: %s", text);
    return j;
}

static json_t *pack(const struct frozen_cell *c)
{
    char id[CELL_ID];

    cell_id(id, c->config, c->recipe, c->numerics);
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:s*, s:s*}", "id", id,
                     "data_recipe", c->recipe, "numerics", c->numerics,
                     "config", parsed(c->config), "runtime",
                     parsed(c->runtime), "row", c->row, "refused", c->refused);
}

static json_t *texts(const char *const *text)
{
    json_t *all = json_array();

    for (; *text; text++)
        json_array_append_new(all, json_string(*text));
    return all;
}

int frozen_write(const struct frozen *f, const char *store)
{
    json_t *list[2] = {json_array(), json_array()};
    OWNED(json_decref) json_t *all = NULL;
    OWNED(free) char *path = path_of(store);

    for (int i = 0; i < f->n; i++)
        json_array_append_new(list[f->cell[i].older], pack(&f->cell[i]));
    all = json_pack("{s:i, s:s, s:s, s:o, s:o}", "schema_version", SCHEMA,
                    "name", f->name, "title", f->title, "cells", list[0],
                    "older", list[1]);
    if (f->uncompared && *f->uncompared)
        json_object_set_new(all, "uncompared", texts(f->uncompared));
    if (f->contrasts && *f->contrasts)
        json_object_set_new(all, "contrasts", texts(f->contrasts));
    if (f->guessed && *f->guessed)
        json_object_set_new(all, "guessed", texts(f->guessed));
    if (f->own)
        json_object_set_new(all, "own", json_true());
    if (f->file)
        json_object_set_new(all, "file", json_string(f->file));
    OWNED(free) char *sealed = json_seal(all);
    REQUIRE(sealed, "%s: cannot write title '%s'", path, f->title);
    return file_write(path, sealed, strlen(sealed));
}

/* ---- reading ---- */

static int damaged(const char *path, const char *what)
{
    return err_set(ERR_STORE, "%s: %s; remove the file: `synthbench run` of "
                   "the experiment writes it again and keeps the cells", path,
                   what);
}

/* Parses the JSON and checks its schema and its seal. */
static int parse(json_t **out, const char *path, const char *text, size_t n)
{
    char where[512];
    json_error_t e;
    int schema = 0;

    *out = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
    if (!*out) {
        snprintf(where, sizeof where, "%.400s:%d", path, e.line);
        return damaged(where, e.text);
    }
    if (json_unpack(*out, "{s:i}", "schema_version", &schema) || schema < 1)
        return damaged(path, "has no schema_version");
    if (schema > SCHEMA)
        return err_set(ERR_STORE, "%s: was written by a later version of "
                       "synthbench (schema %d, this one reads up to %d); "
                       "update synthbench", path, schema, SCHEMA);
    if (schema < SCHEMA)
        return damaged(path, "was written by an earlier version of synthbench, "
                       "which did not seal it");
    if (json_sealed(text, n) < 0) {
        snprintf(where, sizeof where, "%s", err_last());
        return damaged(path, where);
    }
    return OK;
}

/* Returns 1 if `row` is the name of a row of `variant` with settings, such as
 * "random,steps=700" for the variant "random". */
static int is_row(const char *row, const char *variant)
{
    size_t n = strlen(variant);

    return !strncmp(row, variant, n) && strlen(row) < FROZEN_ROW &&
           row[n] == ',' && !row[n + strspn(row + n, CELL_LETTERS ",=:")];
}

static int read_row(struct frozen_cell *c, const char *row, struct arena *a)
{
    c->row = row ? arena_text(a, row) : NULL;
    return !row || is_row(row, c->label.variant)
               ? OK
               : err_set(ERR_STORE, "its row does not belong to variant %s",
                         c->label.variant);
}

static int read_cell(struct frozen_cell *c, json_t *j, int older,
                     struct arena *a)
{
    json_t *config, *runtime;
    const char *id, *refused = NULL, *row = NULL;
    char want[CELL_ID];
    json_error_t e;

    if (json_unpack_ex(j, &e, 0, "{s:s, s:i, s:i, s:o, s:o, s?s, s?s}", "id",
                       &id, "data_recipe", &c->recipe, "numerics", &c->numerics,
                       "config", &config, "runtime", &runtime, "row", &row,
                       "refused", &refused))
        return err_set(ERR_STORE, "%s", e.text);
    if (!json_is_object(config) || !json_is_object(runtime))
        return err_set(ERR_STORE, "its configuration is not an object");
    c->older = older;
    c->config = cell_config_text(config, a);
    c->runtime = cell_config_text(runtime, a);
    cell_id(want, c->config, c->recipe, c->numerics);
    if (strcmp(id, want))
        return err_set(ERR_STORE, "its id is '%.32s', but its configuration "
                       "has the id %s", id, want);
    strcpy(c->id, want);
    if (refused && !text_printable(refused))
        return err_set(ERR_STORE, "its message contains control characters");
    c->refused = refused ? arena_text(a, refused) : NULL;
    const char *parent = json_string_value(json_object_get(config,
                                                           "pretrained"));
    c->parent = parent ? arena_text(a, parent) : NULL; /* may be "none" */
    const char *trial = json_string_value(json_object_get(config, "trial"));
    c->trial = trial && strcmp(trial, "none");
    PASS(cell_config_labels(&c->label, config, a));
    return read_row(c, row, a);
}

static int read_cells(struct frozen *f, json_t *list, int older,
                      struct map *known, const char *path)
{
    char why[512];
    size_t i;
    json_t *j;

    json_array_foreach(list, i, j) {
        struct frozen_cell *c = &f->cell[f->n];
        int rc = read_cell(c, j, older, f->memory);

        if (rc == OK && !map_add(known, c->id, f->n))
            rc = err_set(ERR_STORE, "%s appears twice", c->id);
        if (rc < 0) {
            snprintf(why, sizeof why, "%s %zu: %s",
                     older ? "older cell" : "cell", i + 1, err_last());
            return damaged(path, why);
        }
        f->n++;
    }
    return OK;
}

/* Reads a list of texts, each of which `is_one` must accept.  Stores from
 * earlier versions lack some of the lists, which are then empty. */
static int read_texts(const char ***out, struct frozen *f, json_t *list,
                      int (*is_one)(const char *text), const char *path,
                      const char *what)
{
    size_t i, n = json_array_size(list);
    json_t *j;

    if (list && !json_is_array(list))
        return damaged(path, what);
    *out = arena_zero(f->memory, (n + 1) * sizeof **out);
    json_array_foreach(list, i, j) {
        const char *text = json_string_value(j);

        if (!text || !is_one(text))
            return damaged(path, what);
        (*out)[i] = arena_text(f->memory, text);
    }
    return OK;
}

static int read_all(struct frozen *f, json_t *all, const char *path)
{
    json_t *cells, *older;
    OWNED(map_free) struct map *known = map_new();
    json_error_t e;

    if (json_unpack_ex(all, &e, 0, "{s:s, s:s, s:o, s:o}", "name", &f->name,
                       "title", &f->title, "cells", &cells, "older", &older))
        return damaged(path, e.text);
    if (!json_is_array(cells) || !json_is_array(older))
        return damaged(path, "its cells are not a list");
    if (!cell_name_ok(f->name) || !text_printable(f->title))
        return damaged(path, "its name or title has invalid characters");
    f->name = arena_text(f->memory, f->name);
    f->title = arena_text(f->memory, f->title);
    PASS(read_texts(&f->uncompared, f, json_object_get(all, "uncompared"),
                    cell_name_ok, path,
                    "its 'uncompared' is not a list of tasks"));
    PASS(read_texts(&f->contrasts, f, json_object_get(all, "contrasts"),
                    contrast_ok, path,
                    "its 'contrasts' is not a list of contrasts"));
    PASS(read_texts(&f->guessed, f, json_object_get(all, "guessed"),
                    text_printable, path,
                    "its 'guessed' is not a list of texts"));
    json_t *own = json_object_get(all, "own");
    f->own = json_is_true(own);
    if (own && !json_is_boolean(own))
        return damaged(path, "its 'own' is not true or false");
    json_t *file = json_object_get(all, "file");
    f->file = file ? json_string_value(file) : NULL;
    if (file && (!f->file || !text_printable(f->file)))
        return damaged(path, "its 'file' is not the name of a file");
    f->file = f->file ? arena_text(f->memory, f->file) : NULL;
    f->cell = arena_zero(f->memory, (json_array_size(cells) +
                                     json_array_size(older) + 1) *
                                        sizeof *f->cell);
    PASS(read_cells(f, cells, 0, known, path));
    return read_cells(f, older, 1, known, path);
}

/* Returns 1 if there are files in STORE/cells. */
static int has_cells(const char *store, struct arena *a)
{
    const char **name;

    return !folder_names(&name, arena_format(a, "%s/cells", store), a) && *name;
}

static int no_store(const char *path, const char *store)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(free) char *word = text_quoted(store);
    const char *near = folder_nearest(store, "/experiment.json", a);

    if (has_cells(store, a))
        return err_set(ERR_EMPTY, "%s: no such file, although the store has "
                       "cells; `synthbench run EXPERIMENT.yaml --store %s` "
                       "with their experiment writes it again and keeps the "
                       "cells", path, word);
    if (near)
        return err_set(ERR_EMPTY, "%s: no such file: no experiment has been "
                       "run in this folder; did you mean '%s'?", path, near);
    return err_set(ERR_EMPTY, "%s: no such file: no experiment has been run in "
                   "this folder; `synthbench run FILE.yaml --store %s` runs "
                   "one", path, word);
}

int frozen_read(struct frozen **out, const char *store)
{
    struct arena *memory = arena_new();
    OWNED(frozen_close) struct frozen *f = arena_zero(memory, sizeof *f);
    OWNED(free) char *path = path_of(store), *text = NULL;
    OWNED(json_decref) json_t *all = NULL;
    size_t n;

    *out = NULL;
    f->memory = memory;
    PASS(store_place(store));
    if (!file_exists(path))
        return no_store(path, store);
    int rc = file_read(&text, &n, path);
    if (rc < 0)
        return err_wrap(rc == ERR_IO ? ERR_STORE : rc,
                        "the store's experiment");
    PASS(parse(&all, path, text, n));
    PASS(read_all(f, all, path));
    return MOVE_OUT(out, f);
}

void frozen_close(struct frozen *f)
{
    if (f)
        arena_free(f->memory);
}
