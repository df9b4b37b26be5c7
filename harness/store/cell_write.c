/*
 * Writes cells (cell.h).  A dataset of fewer than CHUNKED values is stored in
 * its object header, which has a checksum; a longer one is chunked and
 * deflated.  In texts, bytes that are not UTF-8 become U+FFFD, and control
 * characters of attributes become blanks.  Before a cell is stored, its bytes
 * are read back by the code that reads cells, so every stored cell can be
 * opened.
 */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "harness/store/h5.h"
#include "harness/store/image.h"
#include "harness/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKED = 64, CHUNK = 1 << 14, DEFLATE = 4 };

struct cell_writer {
    hid_t file;
    char *path, *id;
};

int cell_begin(struct cell_writer **out, const char *store, const char *id)
{
    OWNED(cell_abandon) struct cell_writer *w = calloc(1, sizeof *w);

    *out = NULL;
    w->path = cell_path(store, id);
    w->id = str_copy(id);
    w->file = h5_create(w->path);
    if (w->file < 0)
        return h5_fail(w->path, "");
    return MOVE_OUT(out, w);
}

void cell_abandon(struct cell_writer *w)
{
    if (!w)
        return;
    h5_close(w->file);
    free(w->path);
    free(w->id);
    free(w);
}

/* Adds those root attributes of the CF and ACDD conventions that were not put,
 * so that the file can be understood outside its store. */
static int describe(const struct cell_writer *w)
{
    char now[32];
    OWNED(free) char *title = str_format("synthbench cell %s", w->id);
    OWNED(free) char *history = str_format("%s synthbench run", clock_iso(now));
    const char *const text[][2] = {
        {"Conventions", "CF-1.8, ACDD-1.3"}, {"title", title},
        {"source", "synthbench"},            {"history", history},
        {"date_created", now},               {"id", w->id}};
    int64_t schema = CELL_SCHEMA;
    OWNED(h5_close) hid_t root = h5_group(w->file, "");
    int bad = root < 0;

    for (size_t i = 0; i < sizeof text / sizeof *text && !bad; i++)
        bad = H5Aexists(root, text[i][0]) <= 0 &&
              h5_text(root, text[i][0], text[i][1]);
    if (!bad && H5Aexists(root, "schema_version") <= 0)
        bad = h5_attribute(root, "schema_version", H5T_STD_I64LE, &schema);
    return bad ? h5_fail(w->path, "") : OK;
}

void cell_seal(char out[CELL_SEAL + 1], const char *bytes, size_t n)
{
    char hex[HASH_HEX];

    hash_sha256(bytes, n, hex);
    snprintf(out, CELL_SEAL + 1, CELL_SEAL_TEXT, hex);
}

/* Checks that a reader can open the file and that it passes cell_check. */
static int can_be_read(const struct cell_writer *w, const char *bytes, size_t n)
{
    OWNED(image_close) struct image *f = NULL;
    const char *why = image_open(&f, bytes, n) ? image_why(f)
                      : cell_check(f, 1) < 0   ? err_last()
                                               : NULL;

    return why ? err_set(ERR_STORE, "%s:%s: not stored, because it could not "
                         "be read back", w->path, why)
               : OK;
}

int cell_commit(struct cell_writer *w)
{
    OWNED(cell_abandon) struct cell_writer *own = w;
    OWNED(free) char *image = NULL;
    size_t n;

    PASS(describe(w));
    if (cell_lay_out(w->file))
        return h5_fail(w->path, "");
    PASS(h5_bytes(w->file, w->path, &image, &n));
    PASS(can_be_read(w, image, n));
    cell_seal(image + n, image, n);
    int rc = file_write(w->path, image, n + CELL_SEAL);
    return rc == ERR_SPACE
               ? err_set(rc, "%s; free some disk space and run again (finished "
                         "cells are kept)", err_last())
               : rc;
}

/* ---- attributes ---- */

static int put_attribute(struct cell_writer *w, const char *group,
                         const char *name, hid_t type, const void *value)
{
    OWNED(h5_close) hid_t g = h5_group(w->file, group);

    return g < 0 || h5_attribute(g, name, type, value)
               ? h5_fail(w->path, group) : OK;
}

int cell_put_text(struct cell_writer *w, const char *group, const char *name,
                  const char *value)
{
    OWNED(h5_close) hid_t type = h5_string();
    OWNED(free) char *text = text_clean(value, 1);

    return put_attribute(w, group, name, type, &text);
}

int cell_put_int(struct cell_writer *w, const char *group, const char *name,
                 long long value)
{
    int64_t v = value;

    return put_attribute(w, group, name, H5T_STD_I64LE, &v);
}

int cell_put_real(struct cell_writer *w, const char *group, const char *name,
                  double value)
{
    return put_attribute(w, group, name, H5T_IEEE_F64LE, &value);
}

/* ---- the configuration ---- */

static int put_key(struct cell_writer *w, const char *key, const json_t *value)
{
    if (json_is_string(value))
        return cell_put_text(w, "config", key, json_string_value(value));
    if (json_is_real(value))
        return cell_put_real(w, "config", key, json_real_value(value));
    return cell_put_int(w, "config", key,
                        json_is_integer(value) ? json_integer_value(value)
                                               : json_is_true(value));
}

static int put_labels(struct cell_writer *w, const struct cell_labels *l)
{
    PASS(cell_put_text(w, "", "variant", l->variant));
    PASS(cell_put_text(w, "", "task", l->task));
    PASS(cell_put_text(w, "", "scale", l->scale));
    return cell_put_int(w, "", "seed", l->seed);
}

int cell_put_config(struct cell_writer *w, const char *config,
                    const char *settings, int recipe, int numerics)
{
    OWNED(json_decref) json_t *all = json_loads(config, 0, NULL);
    json_t *value;
    OWNED(json_decref) json_t *each = json_loads(settings, 0, NULL);
    OWNED(arena_free) struct arena *a = arena_new();
    struct cell_labels label;
    char id[CELL_ID];
    const char *key;

    cell_id(id, config, recipe, numerics);
    REQUIRE(all && !strcmp(cell_config_text(all, a), config) &&
                !strcmp(id, w->id) && each,
            "the id of %s is not %s", config, w->id);
    PASS(cell_config_labels(&label, all, a));
    PASS(put_labels(w, &label));
    PASS(cell_put_int(w, "provenance", "data_recipe_version", recipe));
    PASS(cell_put_int(w, "provenance", "numerics_version", numerics));
    PASS(cell_put_text(w, "config", "json", config));
    json_object_foreach(each, key, value)
        PASS(put_key(w, key, value));
    return OK;
}

/* ---- datasets ---- */

static size_t values(int rank, const hsize_t *dim)
{
    size_t n = 1;

    for (int i = 0; i < rank; i++)
        n *= (size_t)dim[i];
    return n;
}

/* Returns the creation properties of a dataset: compact, or chunked and
 * deflated.  A chunk contains whole rows of the first dimension. */
hid_t cell_storage(int rank, const hsize_t *dim)
{
    hid_t make = h5_make(H5P_DATASET_CREATE);
    size_t n = values(rank, dim);

    if (n >= CHUNKED) {
        size_t row = n / (size_t)dim[0], most = row < CHUNK ? CHUNK / row : 1;
        hsize_t chunk[CELL_RANK];

        memcpy(chunk, dim, (size_t)rank * sizeof *chunk);
        chunk[0] = dim[0] < most ? dim[0] : most;
        H5Pset_chunk(make, rank, chunk);
        H5Pset_shuffle(make);
        H5Pset_deflate(make, DEFLATE);
    } else if (n > 0) {
        H5Pset_layout(make, H5D_COMPACT);
    }
    return make;
}

static int put(struct cell_writer *w, const char *path,
               const struct cell_shape *s, hid_t type, const void *x,
               const char *units)
{
    hsize_t dim[CELL_RANK];

    for (int i = 0; i < s->rank; i++)
        dim[i] = s->dim[i];
    OWNED(h5_close) hid_t make = cell_storage(s->rank, dim);
    struct h5_data d = {s->rank, dim, type, make, x, units};

    return h5_dataset(w->file, path, &d) ? h5_fail(w->path, path) : OK;
}

static struct cell_shape list_of(size_t n)
{
    return (struct cell_shape){1, {n}};
}

int cell_put_grid(struct cell_writer *w, const char *path, const char *units,
                  const double *x, const struct cell_shape *s)
{
    return put(w, path, s, H5T_IEEE_F64LE, x, units);
}

int cell_put_array(struct cell_writer *w, const char *path, const char *units,
                   const double *x, size_t n)
{
    struct cell_shape list = list_of(n);

    return cell_put_grid(w, path, units, x, &list);
}

int cell_put_ints(struct cell_writer *w, const char *path, const char *units,
                  const int64_t *x, size_t n)
{
    struct cell_shape list = list_of(n);

    return put(w, path, &list, H5T_STD_I64LE, x, units);
}

int cell_put_string_grid(struct cell_writer *w, const char *path,
                         const char *const *s, const struct cell_shape *shape)
{
    OWNED(h5_close) hid_t type = h5_string();
    size_t n = 1;

    for (int i = 0; i < shape->rank; i++)
        n *= shape->dim[i];
    char **text = malloc((n + 1) * sizeof *text);

    for (size_t i = 0; i < n; i++)
        text[i] = text_clean(s[i] ? s[i] : "", 0);
    int rc = put(w, path, shape, type, text, NULL);
    cell_free_strings(text, n);
    return rc;
}

int cell_put_strings(struct cell_writer *w, const char *path,
                     const char *const *s, size_t n)
{
    struct cell_shape list = list_of(n);

    return cell_put_string_grid(w, path, s, &list);
}

int cell_put_name(struct cell_writer *w, const char *path,
                  const char *long_name)
{
    OWNED(h5_close) hid_t data = H5Dopen2(w->file, path, H5P_DEFAULT);

    return data < 0 || h5_text(data, "long_name", long_name)
               ? h5_fail(w->path, path) : OK;
}

int cell_put_metric(struct cell_writer *w, const char *name, const char *units,
                    int better, const char *signature, double value)
{
    OWNED(free) char *path = str_format("metrics/%s", name);
    int64_t sign = better;

    PASS(put(w, path, &(struct cell_shape){0}, H5T_IEEE_F64LE, &value, units));
    OWNED(h5_close) hid_t data = H5Dopen2(w->file, path, H5P_DEFAULT);
    if (data < 0 ||
        h5_attribute(data, "better", H5T_STD_I64LE, &sign) ||
        h5_text(data, "signature", signature))
        return h5_fail(w->path, path);
    return OK;
}
