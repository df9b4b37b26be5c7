/*
 * Reading a cell.  Before HDF5 sees a byte of it the whole file is compared
 * with its journal line, so that no number comes from a damaged file.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/h5.h"
#include "harness/store/journal.h"
#include "harness/store/store_private.h"

#include <stdlib.h>
#include <string.h>

struct cell_reader {
    hid_t file;
    char *path;
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

static int check_digest(const char *store, const char *id, const char *path,
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
    if (n < (size_t)line.bytes)
        return damaged(path, "is cut off");
    return strcmp(hex, line.sha256)
               ? damaged(path, "is damaged (not the SHA-256 of journal.tsv)")
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

int cell_open(struct cell_reader **out, const char *store, const char *id)
{
    struct cell_reader *r = calloc(1, sizeof *r);
    char *bytes = NULL;
    size_t n;
    int rc = OK;

    *out = NULL;
    REQUIRE(r, "out of memory");
    r->path = cell_path(store, id);
    r->file = H5I_INVALID_HID;
    if (!file_exists(r->path))
        TRY(err_set(ERR_EMPTY, "%s: there is no such cell; `synthbench run` "
                    "trains it", r->path));
    TRY(file_read(&bytes, &n, r->path));
    TRY(check_digest(store, id, r->path, bytes, n));
    r->file = h5_image(r->path, bytes, n);
    if (r->file < 0)
        TRY(damaged(r->path, "is not a whole HDF5 file"));
    TRY(check_root(r, id));
    *out = r;
    r = NULL;
out:
    free(bytes);
    cell_close(r);
    return rc;
}

void cell_close(struct cell_reader *r)
{
    if (!r)
        return;
    if (r->file >= 0)
        H5Fclose(r->file);
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

/* A string of fixed length and no other thing. */
static int fixed_string(hid_t type)
{
    return H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type);
}

int cell_get_text(struct cell_reader *r, const char *group, const char *name,
                  char **out)
{
    hid_t a;
    int rc = open_attribute(&a, r, group, name);

    *out = NULL;
    if (rc < 0)
        return rc;
    hid_t type = H5Aget_type(a);
    char *text = calloc(1, H5Tget_size(type) + 1);
    if (!text || H5Aget_storage_size(a) != H5Tget_size(type) ||
        !fixed_string(type))
        rc = err_set(ERR_STORE, "%s:/%s: %s is not a text", r->path, group,
                     name);
    else if (H5Aread(a, type, text) < 0)
        rc = h5_fail(r->path, group);
    H5Tclose(type);
    H5Aclose(a);
    if (rc < 0)
        free(text);
    else
        *out = text;
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

/* All values as `type`, or, where that is not given, as the strings of fixed
 * length that they are, *width bytes each. */
static int get(struct cell_reader *r, const char *path, hid_t type, void **out,
               size_t *n, size_t *width)
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
    if (fixed_string(own) != (type < 0))
        TRY(err_set(ERR_STORE, "%s:/%s: has another type", r->path, path));
    *width = H5Tget_size(type < 0 ? own : type);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 0)
        TRY(h5_fail(r->path, path));
    x = calloc((size_t)count + 1, *width);
    if (!x)
        TRY(err_errno(ERR_SPACE, "%s:/%s", r->path, path));
    if (H5Dread(data, type < 0 ? own : type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                x) < 0)
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
    size_t width;
    int rc = get(r, path, H5T_NATIVE_DOUBLE, &x, n, &width);

    *out = x;
    return rc;
}

int cell_get_strings(struct cell_reader *r, const char *path, char ***out,
                     size_t *n)
{
    void *rows;
    size_t width;
    int rc = get(r, path, H5I_INVALID_HID, &rows, n, &width);

    *out = NULL;
    if (rc < 0)
        return rc;
    *out = calloc(*n + 1, sizeof **out);
    REQUIRE(*out, "out of memory");
    for (size_t i = 0; i < *n; i++)
        (*out)[i] = str_format("%.*s", (int)width, (char *)rows + i * width);
    free(rows);
    return OK;
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
