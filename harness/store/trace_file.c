#include "harness/store/trace_file.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/h5.h"
#include "harness/store/image.h"
#include "harness/store/store_private.h"

#include <fnmatch.h>
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

    ARRAY_ROOM(f->array, f->n, f->cap);
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

static hid_t type_of(enum trace_type type)
{
    return type == TRACE_FLOAT    ? H5T_IEEE_F32LE
           : type == TRACE_DOUBLE ? H5T_IEEE_F64LE
                                  : H5T_STD_I32LE;
}

/* ---- writing ---- */

enum { LIST = 64, CHUNK = 1 << 16, DEFLATE = 6 };

/* Compresses an array if it is a list of at least LIST values. */
static void pack(hid_t make, const struct trace_array *a)
{
    hsize_t n = a->nd == 1 ? (hsize_t)a->dim[0] : 0;
    hsize_t chunk = n < CHUNK ? n : CHUNK;

    if (n < LIST)
        return;
    H5Pset_chunk(make, 1, &chunk);
    H5Pset_shuffle(make);
    H5Pset_deflate(make, DEFLATE);
}

static const struct trace_about *about(const struct trace_file *f,
                                       const char *name)
{
    const struct trace_about *k = f->about;

    while (k && k->pattern && fnmatch(k->pattern, name, 0))
        k++;
    return k && k->pattern ? k : NULL;
}

static int describe(hid_t file, const char *name, const struct trace_about *k)
{
    OWNED(h5_close) hid_t data = H5Dopen2(file, name, H5P_DEFAULT);

    return data < 0 || h5_text(data, "long_name", k->long_name) ||
           h5_text(data, "dimensions", k->dimensions);
}

static int put(hid_t file, const struct trace_file *f,
               const struct trace_array *a, const char *path)
{
    OWNED(h5_close) hid_t make = h5_make(H5P_DATASET_CREATE);
    const struct trace_about *k = about(f, a->name);
    hsize_t dim[TRACE_DIMS];
    struct h5_data d = {a->nd, dim, type_of(a->type), make, a->x,
                        k ? k->units : NULL};

    for (int i = 0; i < a->nd; i++)
        dim[i] = (hsize_t)a->dim[i];
    if (f->packed)
        pack(make, a);
    return h5_dataset(file, a->name, &d) || (k && describe(file, a->name, k))
               ? h5_fail(path, a->name) : OK;
}

int trace_file_write(const struct trace_file *f, const char *path, int sealed)
{
    OWNED(h5_close) hid_t file = h5_create(path), root = H5I_INVALID_HID;
    OWNED(free) char *image = NULL;
    size_t bytes;

    if (file < 0)
        return h5_fail(path, "");
    root = h5_group(file, "");
    if (root < 0 || h5_text(root, "config", f->config) ||
        h5_text(root, "state", f->state) ||
        (f->about && h5_text(root, "version", TRACE_VERSION)))
        return h5_fail(path, "");
    for (const char *const *g = f->groups; g && *g; g++) {
        OWNED(h5_close) hid_t group = h5_group(file, *g);

        if (group < 0)
            return h5_fail(path, *g);
    }
    for (int i = 0; i < f->n; i++)
        PASS(put(file, f, &f->array[i], path));
    PASS(h5_bytes(file, path, &image, &bytes));
    cell_seal(image + bytes, image, bytes);
    return sealed ? file_write(path, image, bytes + CELL_SEAL)
                  : file_output(path, image, bytes);
}

/* ---- reading ---- */

struct reading {
    struct trace_file *f;
    struct image      *from;
    const char        *path;
};

static int wrong(const struct reading *r, const char *name, const char *what)
{
    return err_set(ERR_DATA, "%s:/%s: %s", r->path, name, what);
}

static int get(struct reading *r, const struct image_value *v,
               const char *name)
{
    static const enum trace_type type_of[] = {[IMAGE_FLOAT] = TRACE_FLOAT,
                                              [IMAGE_DOUBLE] = TRACE_DOUBLE,
                                              [IMAGE_INT] = TRACE_INT};
    int dim[TRACE_DIMS];

    if (strlen(name) >= TRACE_NAME)
        return wrong(r, name, "the name is too long");
    if (v->type != IMAGE_FLOAT && v->type != IMAGE_DOUBLE &&
        v->type != IMAGE_INT)
        return wrong(r, name, "is neither float32, float64 nor int32");
    for (int i = 0; i < v->rank; i++)
        dim[i] = (int)v->dim[i];
    void *x = trace_file_add(r->f, type_of[v->type], v->rank, dim, "%s", name);
    return image_numbers(r->from, v, x) ? wrong(r, name, image_why(r->from))
                                        : OK;
}

static int get_members(struct reading *r, const struct image_object *group,
                       const char *path)
{
    for (size_t i = 0; i < group->children; i++) {
        const struct image_object *o = group->child[i];
        OWNED(free) char *name = str_format("%s%s%s", path, *path ? "/" : "",
                                            o->name);

        PASS(o->is_data ? get(r, &o->value, name) : get_members(r, o, name));
    }
    return OK;
}

/* Reads an attribute of the root into the member of `f` with its name. */
static int get_text(struct reading *r, const struct image_attribute *a)
{
    char **out = NULL;
    OWNED(free) char *text = NULL;

    if (!strcmp(a->name, "config"))
        out = &r->f->config;
    else if (!strcmp(a->name, "state"))
        out = &r->f->state;
    else if (!strcmp(a->name, "version"))
        out = &r->f->version;
    else
        return err_set(ERR_DATA, "%s: attribute %s: not a trace; `synthbench "
                       "trace -o FILE.h5` writes one", r->path, a->name);
    if (a->value.type != IMAGE_TEXT || a->value.n != 1 ||
        image_texts(r->from, &a->value, &text))
        return err_set(ERR_DATA, "%s: attribute %s is not text", r->path,
                       a->name);
    *out = arena_text(r->f->memory, text);
    if (out == &r->f->version && strcmp(text, TRACE_VERSION))
        return err_set(ERR_DATA, "%s: version %s of the trace format, but this "
                       "program reads version " TRACE_VERSION " and files "
                       "without a version", r->path, text);
    return OK;
}

static int get_all(struct reading *r)
{
    const struct image_object *root = image_root(r->from);

    for (size_t i = 0; i < root->attributes; i++)
        PASS(get_text(r, &root->attribute[i]));
    if (!r->f->config || !r->f->state)
        return err_set(ERR_DATA, "%s: attribute %s is missing: not a trace",
                       r->path, r->f->config ? "state" : "config");
    return get_members(r, root, "");
}

static int read_bytes(struct reading *r, const char *bytes, size_t n)
{
    OWNED(image_close) struct image *from = NULL;

    if (image_open(&from, bytes, n))
        return err_set(ERR_DATA, "%s: %s", r->path, image_why(from));
    r->from = from;
    return get_all(r);
}

int trace_file_read(struct trace_file *f, const char *path, int sealed)
{
    OWNED(trace_file_close) struct trace_file own;
    OWNED(free) char *bytes = NULL;
    size_t n;

    *f = (struct trace_file){.memory = NULL};
    trace_file_open(&own);
    int rc = sealed ? file_read(&bytes, &n, path)
                    : file_read_stream(&bytes, &n, path);
    PASS(rc == ERR_IO ? err_wrap(ERR_DATA, "trace") : rc);
    if (sealed && cell_unseal(bytes, &n, NULL))
        return err_set(ERR_DATA, "%s: is damaged, or was not written by "
                       "synthbench: its last line is not the SHA-256 of the "
                       "bytes before it", path);
    PASS(read_bytes(&(struct reading){&own, NULL, path}, bytes, n));
    *f = own;
    own = (struct trace_file){.memory = NULL};
    return OK;
}
