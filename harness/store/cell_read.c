/*
 * Reading a cell.  Before HDF5 sees a byte of it the whole file is compared
 * with its seal and its journal line: no number comes from a damaged file.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/cell_config.h"
#include "harness/store/h5.h"
#include "harness/store/journal.h"
#include "harness/store/store_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct cell_reader {
    hid_t              file;
    char              *path;
    struct cell_labels label;
    struct arena      *memory; /* of label */
};

char *cell_path(const char *store, const char *id)
{
    REQUIRE(*id && !strchr(id, '/'), "cell id '%s'", id);
    return str_format("%s/cells/%s.h5", store, id);
}

static int damaged(const char *path, const char *what)
{
    return err_set(ERR_STORE,
                   "%s: %s; remove the file and `synthbench run` trains the "
                   "cell again", path, what);
}

/* *n: without the seal. */
static int check_seal(const char *path, const char *bytes, size_t *n)
{
    char seal[CELL_SEAL + 1];

    if (*n < CELL_SEAL)
        return damaged(path, "is not a whole cell file");
    *n -= CELL_SEAL;
    cell_seal(seal, bytes, *n);
    return memcmp(seal, bytes + *n, CELL_SEAL)
               ? damaged(path, "is damaged, or not a cell file")
               : OK;
}

static int check_line(const char *store, const char *id, const char *path,
                      const char *bytes, size_t n)
{
    struct journal_line line;
    char hex[HASH_HEX];
    int rc = journal_find(store, id, &line);

    if (rc == ERR_EMPTY) /* committed, but its runner died before the line */
        return OK;
    if (rc < 0)
        return rc;
    hash_sha256(bytes, n, hex);
    return strcmp(hex, line.sha256)
               ? damaged(path, "is not the file of its line in journal.tsv")
               : OK;
}

/* It calls itself the cell `id`, in a form that this program knows. */
static int check_root(struct cell_reader *r, const char *id)
{
    char *name = NULL;
    long long schema;
    int rc = cell_get_text(r, "", "id", &name);

    if (rc == OK)
        rc = cell_get_int(r, "", "schema_version", &schema);
    if (rc == ERR_EMPTY)
        rc = damaged(r->path, "is not a cell of synthbench");
    else if (rc == OK && schema > CELL_SCHEMA)
        rc = err_set(ERR_STORE, "%s: has schema_version %lld, newer than the "
                     "%d of this program; use a newer synthbench", r->path,
                     schema, CELL_SCHEMA);
    else if (rc == OK && strcmp(name, id))
        rc = damaged(r->path, "is the file of another cell");
    free(name);
    return rc;
}

/* Its kind is the one asked for; NULL: it has none, it was trained. */
static int check_kind(struct cell_reader *r, const char *kind)
{
    char *own = NULL;
    int rc = cell_get_text(r, "", "kind", &own);

    if (rc == ERR_EMPTY)
        rc = kind ? damaged(r->path, "is of another kind") : OK;
    else if (rc == OK && (!kind || strcmp(kind, own)))
        rc = damaged(r->path, "is of another kind");
    free(own);
    return rc;
}

/* The versions that the id hashes beside the configuration. */
static int get_version(struct cell_reader *r, const char *name, int *out)
{
    long long version;
    int rc = cell_get_int(r, "provenance", name, &version);

    if (rc == OK && (version < 0 || version > INT_MAX))
        rc = damaged(r->path, "has a version that none is");
    *out = rc < 0 ? 0 : (int)version;
    return rc;
}

static int check_id(struct cell_reader *r, const char *id, const char *config)
{
    char want[CELL_ID];
    int recipe, numerics, rc;

    TRY(get_version(r, "data_recipe_version", &recipe));
    TRY(get_version(r, "numerics_version", &numerics));
    cell_id(want, config, recipe, numerics);
    if (strcmp(want, id))
        TRY(damaged(r->path, "has a configuration that its id is not of"));
out:
    return rc;
}

/* Labels that people read in the file are those of the configuration. */
static int check_label(struct cell_reader *r, const char *name,
                       const char *want)
{
    char *own = NULL;
    int rc = cell_get_text(r, "", name, &own);

    if (rc == OK && strcmp(own, want))
        rc = damaged(r->path, "has a label that its configuration does not "
                     "say");
    free(own);
    return rc;
}

static int check_config(struct cell_reader *r, const char *id)
{
    char *text = NULL;
    json_t *config = NULL;
    long long seed;
    int rc;

    TRY(cell_get_text(r, "config", "json", &text));
    config = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(config) ||
        strcmp(cell_config_text(config, r->memory), text) ||
        cell_config_labels(&r->label, config, r->memory) < 0)
        TRY(damaged(r->path, "has no configuration"));
    TRY(check_id(r, id, text));
    TRY(check_label(r, "variant", r->label.variant));
    TRY(check_label(r, "task", r->label.task));
    TRY(check_label(r, "scale", r->label.scale));
    TRY(cell_get_int(r, "", "seed", &seed));
    if (seed != r->label.seed)
        rc = damaged(r->path, "has a label that its configuration does not "
                     "say");
out:
    json_decref(config);
    free(text);
    return rc == ERR_EMPTY ? damaged(r->path, "lacks its configuration") : rc;
}

static int open_checked(struct cell_reader **out, const char *store,
                        const char *id, const char *kind)
{
    struct cell_reader *r = calloc(1, sizeof *r);
    char *bytes = NULL;
    size_t n;
    int rc = OK;

    *out = NULL;
    REQUIRE(r, "out of memory");
    r->path = cell_path(store, id);
    r->memory = arena_new();
    r->file = H5I_INVALID_HID;
    if (!file_exists(r->path))
        TRY(err_set(ERR_EMPTY, "%s: there is no such cell; `synthbench run` "
                    "trains it", r->path));
    TRY(file_read(&bytes, &n, r->path));
    TRY(check_line(store, id, r->path, bytes, n));
    TRY(check_seal(r->path, bytes, &n));
    r->file = h5_image(r->path, bytes, n);
    if (r->file < 0)
        TRY(h5_fail(r->path, ""));
    TRY(check_root(r, id));
    TRY(check_kind(r, kind));
    if (!kind)
        TRY(check_config(r, id));
    *out = r;
    r = NULL;
out:
    free(bytes);
    cell_close(r);
    return rc;
}

int cell_open(struct cell_reader **out, const char *store, const char *id)
{
    return open_checked(out, store, id, NULL);
}

int cell_open_kind(struct cell_reader **out, const char *store, const char *id,
                   const char *kind)
{
    return open_checked(out, store, id, kind);
}

const struct cell_labels *cell_labels_of(const struct cell_reader *r)
{
    return &r->label;
}

void cell_close(struct cell_reader *r)
{
    if (!r)
        return;
    if (r->file >= 0)
        H5Fclose(r->file);
    arena_free(r->memory);
    free(r->path);
    free(r);
}

static int absent(const struct cell_reader *r, const char *path,
                  const char *name)
{
    return err_set(ERR_EMPTY, "%s:/%s%s%s: there is no such thing", r->path,
                   path, *path && *name ? "/" : "", name);
}

/* ---- attributes ---- */

static int open_attribute(hid_t *out, struct cell_reader *r, const char *group,
                          const char *name)
{
    const char *object = *group ? group : "/";

    *out = H5I_INVALID_HID;
    if (!h5_exists(r->file, group) ||
        H5Aexists_by_name(r->file, object, name, H5P_DEFAULT) <= 0)
        return absent(r, group, name);
    *out = H5Aopen_by_name(r->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    return *out < 0 ? h5_fail(r->path, group) : OK;
}

int cell_get_text(struct cell_reader *r, const char *group, const char *name,
                  char **out)
{
    hid_t a;
    char *text = NULL;
    int rc = open_attribute(&a, r, group, name);

    *out = NULL;
    if (rc < 0)
        return rc;
    hid_t own = H5Aget_type(a), type = h5_string(), space = H5Aget_space(a);
    if (H5Tis_variable_str(own) <= 0 ||
        H5Sget_simple_extent_npoints(space) != 1)
        rc = err_set(ERR_STORE, "%s:/%s: %s is not a text", r->path, group,
                     name);
    else if (H5Aread(a, type, &text) < 0)
        rc = h5_fail(r->path, group);
    else
        *out = str_copy(text ? text : "");
    H5free_memory(text);
    H5Sclose(space);
    H5Tclose(type);
    H5Tclose(own);
    H5Aclose(a);
    return rc;
}

static int get_number(struct cell_reader *r, const char *group,
                      const char *name, hid_t type, void *out)
{
    hid_t a;
    int rc = open_attribute(&a, r, group, name);

    if (rc < 0)
        return rc;
    hid_t space = H5Aget_space(a);
    if (H5Sget_simple_extent_npoints(space) != 1)
        rc = err_set(ERR_STORE, "%s:/%s: %s is not one number", r->path, group,
                     name);
    else if (H5Aread(a, type, out) < 0)
        rc = h5_fail(r->path, group);
    H5Sclose(space);
    H5Aclose(a);
    return rc;
}

int cell_get_int(struct cell_reader *r, const char *group, const char *name,
                 long long *out)
{
    return get_number(r, group, name, H5T_NATIVE_LLONG, out);
}

int cell_get_real(struct cell_reader *r, const char *group, const char *name,
                  double *out)
{
    return get_number(r, group, name, H5T_NATIVE_DOUBLE, out);
}

/* ---- datasets ---- */

/* All values as `type`: numbers, or strings as char *. */
static int get(struct cell_reader *r, const char *path, hid_t type, void **out,
               size_t *n)
{
    hid_t data = -1, space = -1, own = -1;
    char *x = NULL;
    int rc = OK;

    *out = NULL;
    *n = 0;
    if (!h5_exists(r->file, path))
        return absent(r, path, "");
    data = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (data < 0)
        TRY(h5_fail(r->path, path));
    space = H5Dget_space(data);
    own = H5Dget_type(data);
    if (H5Tis_variable_str(own) != H5Tis_variable_str(type))
        TRY(err_set(ERR_STORE, "%s:/%s: has another type", r->path, path));
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 0)
        TRY(h5_fail(r->path, path));
    x = calloc((size_t)count + 1, H5Tget_size(type));
    if (!x)
        TRY(err_errno(ERR_SPACE, "%s:/%s", r->path, path));
    if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0)
        TRY(h5_fail(r->path, path));
    *n = (size_t)count;
    *out = x;
    x = NULL;
out:
    free(x);
    if (own >= 0)
        H5Tclose(own);
    if (space >= 0)
        H5Sclose(space);
    if (data >= 0)
        H5Dclose(data);
    return rc;
}

int cell_get_array(struct cell_reader *r, const char *path, double **out,
                   size_t *n)
{
    void *x;
    int rc = get(r, path, H5T_NATIVE_DOUBLE, &x, n);

    *out = x;
    return rc;
}

int cell_get_strings(struct cell_reader *r, const char *path, char ***out,
                     size_t *n)
{
    hid_t type = h5_string();
    void *rows;
    int rc = get(r, path, type, &rows, n);

    H5Tclose(type);
    *out = rows;
    for (size_t i = 0; i < *n; i++) { /* from the library's memory to ours */
        char *s = (*out)[i];

        (*out)[i] = str_copy(s ? s : "");
        H5free_memory(s);
    }
    return rc;
}

/* The name of the i-th link of a group, in the order of creation. */
static int link_name(char **out, struct cell_reader *r, const char *group,
                     hsize_t i)
{
    ssize_t n = H5Lget_name_by_idx(r->file, group, H5_INDEX_CRT_ORDER,
                                   H5_ITER_INC, i, NULL, 0, H5P_DEFAULT);

    if (n < 0)
        return h5_fail(r->path, group);
    *out = malloc((size_t)n + 1);
    REQUIRE(*out, "out of memory");
    n = H5Lget_name_by_idx(r->file, group, H5_INDEX_CRT_ORDER, H5_ITER_INC, i,
                           *out, (size_t)n + 1, H5P_DEFAULT);
    return n < 0 ? h5_fail(r->path, group) : OK;
}

int cell_get_names(struct cell_reader *r, const char *group, char ***out,
                   size_t *n)
{
    const char *at = *group ? group : "/";
    H5G_info_t info;
    char **name = NULL;
    int rc = OK;

    *out = NULL;
    *n = 0;
    if (!h5_exists(r->file, group))
        return absent(r, group, "");
    if (H5Gget_info_by_name(r->file, at, &info, H5P_DEFAULT) < 0)
        TRY(h5_fail(r->path, group));
    name = calloc((size_t)info.nlinks + 1, sizeof *name);
    REQUIRE(name, "out of memory");
    for (hsize_t i = 0; i < info.nlinks; i++)
        TRY(link_name(&name[i], r, at, i));
    *out = name;
    *n = (size_t)info.nlinks;
    name = NULL;
out:
    if (name)
        cell_free_strings(name, (size_t)info.nlinks);
    return rc;
}

void cell_free_strings(char **s, size_t n)
{
    for (size_t i = 0; s && i < n; i++)
        free(s[i]);
    free(s);
}

int cell_get_metric(struct cell_reader *r, const char *name, double *out)
{
    char *path = str_format("metrics/%s", name);
    double *x;
    size_t n;
    int rc;

    TRY(cell_get_array(r, path, &x, &n));
    *out = *x;
    free(x);
    if (n != 1)
        rc = err_set(ERR_STORE, "%s:/%s: is not one number", r->path, path);
out:
    free(path);
    return rc;
}
