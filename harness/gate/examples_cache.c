#include "harness/gate/examples_cache.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "harness/store/trace_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Indices in the list cells/ID (examples_cache.h), and the types of values/0 to
 * values/2. */
enum { TEXTS_AT = MEASURE_SUMS, GROUP_AT = TEXTS_AT + TESTED_TEXTS,
       LISTS = GROUP_AT + 1 };
enum { TYPES = 3 };
static const enum trace_type types[TYPES] = {TRACE_INT, TRACE_FLOAT,
                                             TRACE_DOUBLE};

/* A row of `arrays` in the file. */
struct array { int type, first, n; };

struct examples_cache {
    struct trace_file         file;
    char                     *path;
    int                       arrays;
    const struct array       *array;
    const struct trace_array *values[TYPES];
};

char *examples_cache_path(const char *baseline)
{
    REQUIRE(str_ends(baseline, ".tsv"), "baseline %s", baseline);
    return str_format("%.*s.examples.h5",
                      (int)(strlen(baseline) - strlen(".tsv")), baseline);
}

void examples_cache_close(struct examples_cache *k)
{
    if (!k)
        return;
    trace_file_close(&k->file);
    free(k->path);
    free(k);
}

/* ---- writing ---- */

struct writing {
    struct trace_file file;
    struct map       *digests; /* digest of an array -> its index */
    int               arrays;
    size_t            room, values_room[TYPES];
    struct array     *array;
    int               n[TYPES];
    double           *values[TYPES];
};

static void close_writing(struct writing *w)
{
    trace_file_close(&w->file);
    map_free(w->digests);
    free(w->array);
    for (int t = 0; t < TYPES; t++)
        free(w->values[t]);
}
OWNER_OF_VALUE(close_writing, struct writing)

/* Returns the first type that represents all n numbers exactly. */
static int type_of(const double *x, size_t n)
{
    int type = 0;

    for (size_t i = 0; i < n && type < 2; i++) {
        if (type == 0 && (!(fabs(x[i]) <= INT_MAX) || x[i] != rint(x[i]) ||
                          (x[i] == 0 && signbit(x[i]))))
            type = 1;
        if (type == 1 && x[i] != (double)(float)x[i])
            type = 2;
    }
    return type;
}

/* Returns the index of the array that consists of the n numbers x, and adds the
 * array if the file does not have it yet. */
static int add_array(struct writing *w, const double *x, size_t n)
{
    char hex[HASH_HEX];

    hash_sha256(x, n * sizeof *x, hex);
    if (!map_add(w->digests, hex, w->arrays))
        return map_get(w->digests, hex, -1);
    int t = type_of(x, n);

    ARRAY_ROOM(w->array, w->arrays, w->room);
    w->array[w->arrays] = (struct array){t, w->n[t], (int)n};
    for (size_t i = 0; i < n; i++) {
        ARRAY_ROOM(w->values[t], w->n[t], w->values_room[t]);
        w->values[t][w->n[t]++] = x[i];
    }
    return w->arrays++;
}

static int add_texts(struct writing *w, char *const *text, size_t n)
{
    OWNED(text_free) struct text all = {0};

    for (size_t i = 0; i < n; i++)
        text_add(&all, text[i], strlen(text[i]) + 1);
    OWNED(free) double *x = malloc((all.n + 1) * sizeof *x);
    for (size_t i = 0; i < all.n; i++)
        x[i] = (unsigned char)all.s[i];
    return add_array(w, x, all.n);
}

static int add_cell(struct writing *w, const char *store, const char *id)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    OWNED(examples_close) struct tested x = {.n = 0};
    int dim = LISTS, at[LISTS];

    PASS(cell_open(&r, store, id));
    PASS(examples_read(&x, r, id));
    for (int k = 0; k < MEASURE_SUMS; k++)
        at[k] = x.sum[k] ? add_array(w, x.sum[k], x.n) : -1;
    for (int k = 0; k < TESTED_TEXTS; k++)
        at[TEXTS_AT + k] = x.text[k] ? add_texts(w, x.text[k], x.n) : -1;
    OWNED(free) double *group = malloc((x.n + 1) * sizeof *group);
    for (size_t i = 0; x.seen && i < x.n; i++)
        group[i] = x.seen[i].group;
    at[GROUP_AT] = x.seen ? add_array(w, group, x.n) : -1;
    memcpy(trace_file_add(&w->file, TRACE_INT, 1, &dim, "cells/%s", id), at,
           sizeof at);
    return OK;
}

static int put_all(struct writing *w, const char *path)
{
    int dim[2] = {w->arrays, 3};

    memcpy(trace_file_add(&w->file, TRACE_INT, 2, dim, "arrays"), w->array,
           (size_t)w->arrays * sizeof *w->array);
    for (int t = 0; t < TYPES; t++) {
        const double *x = w->values[t];
        void *to = trace_file_add(&w->file, types[t], 1, &w->n[t], "values/%d",
                                  t);

        for (int i = 0; i < w->n[t]; i++)
            if (t == 0)
                ((int *)to)[i] = (int)x[i];
            else if (t == 1)
                ((float *)to)[i] = (float)x[i];
            else
                ((double *)to)[i] = x[i];
    }
    w->file.packed = 1;
    w->file.config = arena_text(w->file.memory, "{\"schema_version\": 1}");
    w->file.state = arena_text(w->file.memory, "{}");
    return trace_file_write(&w->file, path, 1);
}

int examples_cache_save(struct baseline *b, const char *path, const char *store,
                        size_t *bytes)
{
    OWNED(close_writing) struct writing w = {.digests = map_of_copies()};
    OWNED(free) char *written = NULL;
    char hex[HASH_HEX];

    trace_file_open(&w.file);
    for (int i = 0; i < b->cells; i++)
        PASS(add_cell(&w, store, baseline_text(&b->cell[i], "id")));
    PASS(put_all(&w, path));
    PASS(file_read(&written, bytes, path));
    hash_sha256(written, *bytes, hex);
    baseline_add_fact(b, "examples", hex);
    return OK;
}

/* ---- reading ---- */

/* Finds `arrays` and the values in the file.  Returns 1 if they have the form
 * that examples_cache.h describes, otherwise 0. */
static int find_lists(struct examples_cache *k)
{
    const struct trace_array *a = trace_file_find(&k->file, "arrays");
    int good = a && a->type == TRACE_INT && a->nd == 2 && a->dim[1] == 3;

    for (int t = 0; t < TYPES && good; t++) {
        k->values[t] = trace_file_find(&k->file, "values/%d", t);
        good = k->values[t] && k->values[t]->type == types[t];
    }
    k->arrays = good ? a->dim[0] : 0;
    k->array = good ? a->x : NULL;
    for (int i = 0; i < k->arrays && good; i++) {
        const struct array *one = &k->array[i];

        good = one->type >= 0 && one->type < TYPES && one->first >= 0 &&
               one->n >= 0 && (size_t)one->first + (size_t)one->n <=
                                  trace_array_len(k->values[one->type]);
    }
    return good;
}

int examples_cache_open(struct examples_cache **out, const struct baseline *b,
                        const char *baseline)
{
    OWNED(examples_cache_close) struct examples_cache *k = calloc(1, sizeof *k);
    const char *want = baseline_fact(b, "examples");
    char hex[HASH_HEX];

    *out = NULL;
    k->path = examples_cache_path(baseline);
    if (!file_exists(k->path))
        return OK;
    PASS(hash_file(k->path, hex));
    if (!want || strcmp(want, hex))
        return err_set(ERR_STORE, "%s: was not saved with %s: damaged, or from "
                       "another baseline; restore it from version control, or "
                       "save both again with --examples", k->path, baseline);
    if (trace_file_read(&k->file, k->path, 1) < 0)
        return err_wrap(ERR_STORE, "test examples");
    return find_lists(k) ? MOVE_OUT(out, k)
                         : err_set(ERR_STORE, "%s: inconsistent contents: "
                                   "`synthbench baseline save --examples` "
                                   "writes the file again", k->path);
}

/* Returns the array with index `at`, or NULL if there is none. */
static const struct array *array_of(const struct examples_cache *k, int at)
{
    return at >= 0 && at < k->arrays ? &k->array[at] : NULL;
}

/* Reads the array with index `at`, which has one number per example; if `at` is
 * -1, sets *out to NULL.  *n is the number of examples; if it is 0, the array
 * determines it.  Returns 0, or -1 if the array is invalid. */
static int read_numbers(double **out, size_t *n, const struct examples_cache *k,
                        int at)
{
    const struct array *a = array_of(k, at);

    *out = NULL;
    if (at == -1)
        return 0;
    if (!a || (*n && (size_t)a->n != *n))
        return -1;
    *n = (size_t)a->n;
    *out = malloc((*n + 1) * sizeof **out);
    const void *x = k->values[a->type]->x;
    for (int i = 0, from = a->first; i < a->n; i++)
        (*out)[i] = a->type == 0   ? ((const int *)x)[from + i]
                    : a->type == 1 ? ((const float *)x)[from + i]
                                   : ((const double *)x)[from + i];
    return 0;
}

/* Splits the bytes `all` into n texts, each of which ends with a NUL.  Returns
 * NULL if the bytes do not have exactly n texts. */
static char **cut_texts(const char *all, size_t bytes, size_t n)
{
    char **text = calloc(n + 1, sizeof *text);
    size_t at = 0, k = 0;

    for (; k < n && at < bytes; k++) {
        text[k] = str_copy(all + at);
        at += strlen(all + at) + 1;
    }
    if (k == n && at == bytes)
        return text;
    cell_free_strings(text, n);
    return NULL;
}

static int read_texts(char ***out, size_t n, const struct examples_cache *k,
                      int at)
{
    const struct array *a = array_of(k, at);

    *out = NULL;
    if (at == -1)
        return 0;
    if (!a || a->type != 0)
        return -1;
    const int *byte = (const int *)k->values[0]->x + a->first;
    OWNED(free) char *all = calloc((size_t)a->n + 1, 1);

    for (int i = 0; i < a->n; i++)
        all[i] = (char)byte[i];
    *out = cut_texts(all, (size_t)a->n, n);
    return *out ? 0 : -1;
}

int examples_cache_read(struct tested *out, const struct examples_cache *k,
                        const char *id)
{
    const struct trace_array *a = trace_file_find(&k->file, "cells/%s", id);
    OWNED(free) double *group = NULL;
    int good = a && a->type == TRACE_INT && trace_array_len(a) == LISTS;
    const int *at = good ? a->x : NULL;

    *out = (struct tested){.n = 0};
    for (int i = 0; i < MEASURE_SUMS && at; i++)
        good &= !read_numbers(&out->sum[i], &out->n, k, at[i]);
    if (at)
        good &= !read_numbers(&group, &out->n, k, at[GROUP_AT]);
    for (int i = 0; i < TESTED_TEXTS && at; i++)
        good &= !read_texts(&out->text[i], out->n, k, at[TEXTS_AT + i]);
    if (!good)
        return err_set(ERR_STORE, "%s: inconsistent test examples of cell %s: "
                       "`synthbench baseline save --examples` writes them "
                       "again", k->path, id);
    examples_see(out, group);
    return OK;
}
