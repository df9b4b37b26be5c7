#include "harness/store/trace_file.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/h5.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t size_of[] = {[TRACE_FLOAT] = 4, [TRACE_DOUBLE] = 8,
                                 [TRACE_INT] = 4};

void trace_file_open(struct trace_file *f)
{
    *f = (struct trace_file){.memory = arena_new()};
}

void trace_file_close(struct trace_file *f)
{
    arena_free(f->memory);
    free(f->array);
    *f = (struct trace_file){.memory = NULL};
}

size_t trace_array_len(const struct trace_array *a)
{
    size_t n = 1;

    for (int i = 0; i < a->nd; i++)
        n *= (size_t)a->dim[i];
    return n;
}

static void name_of(char name[TRACE_NAME], const char *fmt, va_list ap)
{
    int n = vsnprintf(name, TRACE_NAME, fmt, ap);

    REQUIRE(n >= 0 && n < TRACE_NAME, "name %s", name);
}

void *trace_file_add(struct trace_file *f, enum trace_type type, int nd,
                     const int dim[], const char *name, ...)
{
    va_list ap;

    if (f->n == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 256;
        f->array = realloc(f->array, (size_t)f->cap * sizeof *f->array);
        REQUIRE(f->array, "out of memory");
    }
    struct trace_array *a = &f->array[f->n++];
    *a = (struct trace_array){.type = type, .nd = nd};
    va_start(ap, name);
    name_of(a->name, name, ap);
    va_end(ap);
    REQUIRE(nd <= TRACE_DIMS, "%s: %d dimensions", a->name, nd);
    for (int i = 0; i < nd; i++)
        a->dim[i] = dim[i];
    a->x = arena_zero(f->memory, trace_array_len(a) * size_of[type] + 1);
    return a->x;
}

const struct trace_array *trace_file_find(const struct trace_file *f,
                                          const char *name, ...)
{
    char full[TRACE_NAME];
    va_list ap;

    va_start(ap, name);
    name_of(full, name, ap);
    va_end(ap);
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->array[i].name, full))
            return &f->array[i];
    return NULL;
}

static hid_t memory_type(enum trace_type type)
{
    return type == TRACE_FLOAT    ? H5T_NATIVE_FLOAT
           : type == TRACE_DOUBLE ? H5T_NATIVE_DOUBLE
                                  : H5T_NATIVE_INT32;
}

static hid_t disk_type(enum trace_type type)
{
    return type == TRACE_FLOAT    ? H5T_IEEE_F32LE
           : type == TRACE_DOUBLE ? H5T_IEEE_F64LE
                                  : H5T_STD_I32LE;
}

/* ---- writing ---- */

static int put(hid_t file, const struct trace_array *a, const char *path)
{
    const char *slash = strrchr(a->name, '/');
    char *folder = str_format("%.*s", slash ? (int)(slash - a->name) : 0,
                              a->name);
    hsize_t dim[TRACE_DIMS];
    int rc = OK;

    for (int i = 0; i < a->nd; i++)
        dim[i] = (hsize_t)a->dim[i];
    hid_t group = h5_group(file, folder), make = h5_make(H5P_DATASET_CREATE);
    hid_t space = a->nd ? H5Screate_simple(a->nd, dim, NULL)
                        : H5Screate(H5S_SCALAR), data = -1;

    if (group >= 0)
        data = H5Dcreate2(group, slash ? slash + 1 : a->name,
                          disk_type(a->type), space, H5P_DEFAULT, make,
                          H5P_DEFAULT);
    if (data < 0 || H5Dwrite(data, memory_type(a->type), H5S_ALL, H5S_ALL,
                             H5P_DEFAULT, a->x) < 0)
        rc = h5_fail(path, a->name);
    if (data >= 0 && H5Dclose(data) < 0)
        rc = h5_fail(path, a->name);
    H5Pclose(make);
    H5Sclose(space);
    if (group >= 0)
        H5Gclose(group);
    free(folder);
    return rc;
}

int trace_file_write(const struct trace_file *f, const char *path)
{
    hid_t file = h5_create(path), root = -1;
    char *image = NULL;
    size_t bytes;
    int rc = OK;

    if (file < 0)
        return h5_fail(path, "");
    root = h5_group(file, "");
    if (root < 0 || h5_text(root, "config", f->config) ||
        h5_text(root, "state", f->state))
        TRY(h5_fail(path, ""));
    for (const char *const *g = f->groups; g && *g; g++) {
        hid_t group = h5_group(file, *g);

        if (group < 0)
            TRY(h5_fail(path, *g));
        H5Gclose(group);
    }
    for (int i = 0; i < f->n; i++)
        TRY(put(file, &f->array[i], path));
    TRY(h5_bytes(file, path, &image, &bytes));
    TRY(file_output(path, image, bytes));
out:
    free(image);
    if (root >= 0)
        H5Gclose(root);
    H5Fclose(file);
    return rc;
}

/* ---- reading ---- */

struct reading {
    struct trace_file *f;
    const char        *path;
    int                rc;
};

static int wrong(const char *path, const char *name, const char *what)
{
    return err_set(ERR_DATA, "%s:/%s: %s", path, name, what);
}

static int type_of(hid_t data, enum trace_type *out)
{
    hid_t own = H5Dget_type(data);
    H5T_class_t class = H5Tget_class(own);
    size_t size = H5Tget_size(own);
    int known = 1;

    if (class == H5T_FLOAT && (size == 4 || size == 8))
        *out = size == 4 ? TRACE_FLOAT : TRACE_DOUBLE;
    else if (class == H5T_INTEGER && size == 4 &&
             H5Tget_sign(own) == H5T_SGN_2)
        *out = TRACE_INT;
    else
        known = 0;
    H5Tclose(own);
    return known;
}

/* A file of a few bytes may claim any shape: traces are small. */
enum { LEN_MAX = 1 << 28 };

static int shape_of(hid_t data, int *nd, int dim[TRACE_DIMS])
{
    hid_t space = H5Dget_space(data);
    hsize_t wide[H5S_MAX_RANK], len = 1;
    int n = H5Sget_simple_extent_dims(space, wide, NULL), fits;

    fits = n >= 0 && n <= TRACE_DIMS &&
           H5Sget_simple_extent_type(space) != H5S_NULL;
    for (int i = 0; fits && i < n; i++) {
        fits = wide[i] <= LEN_MAX / (len ? len : 1);
        len *= wide[i];
        dim[i] = (int)wide[i];
    }
    *nd = n;
    H5Sclose(space);
    return fits;
}

static int get(struct reading *r, hid_t data, const char *name)
{
    enum trace_type type;
    int nd, dim[TRACE_DIMS];

    if (strlen(name) >= TRACE_NAME)
        return wrong(r->path, name, "the name is too long");
    if (!type_of(data, &type))
        return wrong(r->path, name, "is neither float32, float64 nor int32");
    if (!shape_of(data, &nd, dim))
        return wrong(r->path, name, "has a shape that no trace has");
    void *x = trace_file_add(r->f, type, nd, dim, "%s", name);
    if (H5Dread(data, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0)
        return err_wrap(ERR_DATA, "%s", (h5_fail(r->path, name), "trace"));
    return OK;
}

static herr_t visit(hid_t root, const char *name, const H5L_info_t *info,
                    void *to)
{
    struct reading *r = to;
    hid_t object = H5Oopen(root, name, H5P_DEFAULT);

    (void)info;
    if (object < 0) {
        h5_fail(r->path, name);
        r->rc = err_wrap(ERR_DATA, "trace");
        return -1;
    }
    if (H5Iget_type(object) == H5I_DATASET)
        r->rc = get(r, object, name);
    H5Oclose(object);
    return r->rc < 0 ? -1 : 0;
}

/* An attribute of the root, by its name. */
static herr_t attribute(hid_t root, const char *name, const H5A_info_t *info,
                        void *to)
{
    struct reading *r = to;
    char **out = !strcmp(name, "config")  ? &r->f->config
                 : !strcmp(name, "state") ? &r->f->state
                                          : NULL;
    hid_t a, own, space, type;
    char *text = NULL;

    (void)info;
    if (!out) {
        r->rc = err_set(ERR_DATA, "%s: attribute %s has no place in a trace",
                        r->path, name);
        return -1;
    }
    a = H5Aopen(root, name, H5P_DEFAULT);
    own = H5Aget_type(a);
    space = H5Aget_space(a);
    type = h5_string();
    if (H5Tis_variable_str(own) > 0 &&
        H5Sget_simple_extent_npoints(space) == 1 &&
        H5Aread(a, type, &text) >= 0 && text)
        *out = arena_text(r->f->memory, text);
    else
        r->rc = err_set(ERR_DATA, "%s: attribute %s is not a text", r->path,
                        name);
    H5free_memory(text);
    H5Tclose(type);
    H5Sclose(space);
    H5Tclose(own);
    H5Aclose(a);
    return r->rc < 0 ? -1 : 0;
}

static int read_all(struct reading *r, hid_t file)
{
    if (H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, NULL, attribute, r) < 0)
        return r->rc < 0 ? r->rc : wrong(r->path, "", "cannot be read");
    if (!r->f->config || !r->f->state)
        return err_set(ERR_DATA, "%s: attribute %s is missing: not a trace",
                       r->path, r->f->config ? "state" : "config");
    if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, r) < 0)
        return r->rc < 0 ? r->rc : wrong(r->path, "", "cannot be read");
    return OK;
}

int trace_file_read(struct trace_file *f, const char *path)
{
    struct reading r = {f, path, OK};
    char *bytes = NULL;
    size_t n;
    hid_t file = -1;
    int rc = file_read(&bytes, &n, path);

    trace_file_open(f);
    if (rc == ERR_IO)
        rc = err_wrap(ERR_DATA, "trace");
    TRY(rc);
    file = h5_image(path, bytes, n);
    if (file < 0)
        TRY(err_set(ERR_DATA, "%s: not an HDF5 file", path));
    TRY(read_all(&r, file));
out:
    if (file >= 0)
        H5Fclose(file);
    free(bytes);
    if (rc < 0)
        trace_file_close(f);
    return rc;
}
