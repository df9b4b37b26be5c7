#include "harness/train/weights.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/data/tokenizer.h"
#include "harness/store/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum trace_type type_of_real =
    sizeof(real) == sizeof(float) ? TRACE_FLOAT : TRACE_DOUBLE;

static const char *const group_of[] = {[PARAM_LEARNED] = "params",
                                       [PARAM_FROZEN] = "frozen"};

char *weights_path(const char *store, const char *id)
{
    return str_format("%s/weights/%s.h5", store, id);
}

static void vocabulary(const struct dataset *d, char hex[HASH_HEX])
{
    *hex = 0;
    if (d->tokenizer)
        tokenizer_digest(d->tokenizer, hex);
}

/* ---- writing ---- */

static void add_array(struct trace_file *f, enum trace_type type,
                      const char *group,
                      const struct param *p, const real *x)
{
    void *to = trace_file_add(f, type, p->value->nd, p->value->dim, "%s/%s",
                              group, p->name);
    size_t n = tensor_len(p->value);

    for (size_t i = 0; i < n; i++)
        if (type == TRACE_FLOAT)
            ((float *)to)[i] = (float)x[i];
        else
            ((double *)to)[i] = (double)x[i];
}

void weights_put(struct trace_file *f, const char *group,
                 const struct param *p, const real *x)
{
    add_array(f, TRACE_FLOAT, group, p, x);
}

static int make_folder(const char *path)
{
    OWNED(free) char *folder = str_format("%.*s", (int)(strrchr(path, '/') -
                                                        path), path);

    return file_mkdirs(folder);
}

int weights_write(const struct params *ps, const struct dataset *d,
                  const struct weights_of *of, const char *config,
                  const char *sha256)
{
    char hex[HASH_HEX];
    OWNED(free) char *path = weights_path(of->store, of->id);
    OWNED(json_decref) json_t *state = json_object();
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};

    vocabulary(d, hex);
    json_object_set_new(state, "id", json_string(of->id));
    json_object_set_new(state, "variant", json_string(of->variant));
    json_object_set_new(state, "data", json_string(d->digest));
    json_object_set_new(state, "vocabulary", json_string(hex));
    json_object_set_new(state, "sha256", json_string(sha256));
    trace_file_open(&f);
    f.config = arena_text(f.memory, config);
    OWNED(free) char *text = json_dumps(state, 0);
    f.state = arena_text(f.memory, text);
    for (int i = 0; i < ps->n; i++)
        add_array(&f, type_of_real, group_of[ps->list[i].kind], &ps->list[i],
                  tensor_read(ps->be, ps->list[i].value, f.memory));
    PASS(make_folder(path));
    return trace_file_write(&f, path, 1);
}

/* ---- reading ---- */

static int same_shape(const struct trace_array *a, const tensor *t)
{
    int same = a->nd == t->nd && a->type != TRACE_INT;

    for (int i = 0; same && i < a->nd; i++)
        same = a->dim[i] == t->dim[i];
    return same;
}

static void take_one(struct params *ps, const struct param *p,
                     const struct trace_array *a)
{
    size_t n = tensor_len(p->value);
    OWNED(arena_free) struct arena *scratch = arena_new();
    real *x = arena_take(scratch, n * sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = a->type == TRACE_FLOAT ? (real)((const float *)a->x)[i]
                                      : (real)((const double *)a->x)[i];
    ps->be->put(p->value->x, x, n * sizeof *x);
}

int weights_take(struct params *ps, const struct trace_file *f,
                 const char *path)
{
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];
        const struct trace_array *a =
            trace_file_find(f, "%s/%s", group_of[p->kind], p->name);

        if (!a || !same_shape(a, p->value))
            return err_set(ERR_DATA, "%s: /%s/%s is %s: the weights belong to "
                           "another model", path, group_of[p->kind], p->name,
                           a ? "of another shape" : "missing");
        take_one(ps, p, a);
    }
    return OK;
}

#define REMEDY "remove that cell's file in cells/, and `synthbench run` " \
               "trains it again"

/* What the cell file states about the cell's weights. */
struct stated { char *sha256, *file, *data; };

static void close_stated(struct stated *c)
{
    free(c->sha256);
    free(c->file);
    free(c->data);
}
OWNER_OF_VALUE(close_stated, struct stated)

static int read_stated(struct stated *out, const struct weights_of *of)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    int rc;

    *out = (struct stated){NULL, NULL, NULL};
    GOTO_IF_ERR(cell_open(&r, of->store, of->id));
    GOTO_IF_ERR(cell_get_text(r, "weights", "sha256", &out->sha256));
    GOTO_IF_ERR(cell_get_text(r, "weights", "file_sha256", &out->file));
    GOTO_IF_ERR(cell_get_text(r, "provenance", "data_digest", &out->data));
out:
    return rc == ERR_EMPTY
               ? err_set(ERR_DATA, "no weights to start from: %s; " REMEDY,
                         err_last())
               : rc;
}

int weights_digest(char sha256[HASH_HEX], const struct weights_of *of)
{
    OWNED(close_stated) struct stated c = {.data = NULL};

    PASS(read_stated(&c, of));
    snprintf(sha256, HASH_HEX, "%s", c.sha256);
    return OK;
}

static int check_state(const struct trace_file *f, const struct dataset *d,
                       const struct weights_of *of, const struct stated *c,
                       const char *path)
{
    char hex[HASH_HEX];
    const struct { const char *key, *want, *what; } part[] = {
        {"id", of->id, "belongs to another cell"},
        {"variant", of->variant, "belongs to another variant"},
        {"vocabulary", hex, "was trained with another vocabulary, so its token "
                            "ids mean other tokens"},
        {"data", c->data, "was not trained on the data of its cell"},
        {"sha256", c->sha256, "does not have the weights of its cell"}};
    OWNED(json_decref) json_t *state = json_loads(f->state, 0, NULL);
    int rc = OK;

    vocabulary(d, hex);
    for (size_t i = 0; i < sizeof part / sizeof *part && rc == OK; i++) {
        const char *got =
            json_string_value(json_object_get(state, part[i].key));

        if (!got)
            rc = err_set(ERR_DATA, "%s: attribute state has no %s: not a file "
                         "of weights; " REMEDY, path, part[i].key);
        else if (strcmp(got, part[i].want))
            rc = err_set(ERR_DATA, "%s: %s; " REMEDY, path, part[i].what);
    }
    return rc;
}

/* Checks that the learned tensors of the file, in the model's order, have the
 * digest `want`. */
static int check_digest(const struct params *ps, const struct trace_file *f,
                        const char *want, const char *path)
{
    struct sha256_ctx *sha = hash_new();
    char hex[HASH_HEX];

    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];
        const struct trace_array *a =
            trace_file_find(f, "%s/%s", group_of[p->kind], p->name);

        if (p->kind == PARAM_LEARNED)
            hash_add(sha, a->x, trace_array_len(a) *
                                    (a->type == TRACE_FLOAT ? 4 : 8));
    }
    hash_end(sha, hex);
    return strcmp(hex, want)
               ? err_set(ERR_DATA, "%s: does not have the weights of its cell; "
                         REMEDY, path)
               : OK;
}

/* Checks that the file has the digest `want`, which its cell recorded. */
static int check_file(const char *path, const char *want)
{
    char hex[HASH_HEX];
    int rc = hash_file(path, hex);

    if (rc == OK && strcmp(hex, want))
        rc = err_set(ERR_DATA, "%s: is damaged, or not the file that its cell "
                     "wrote; " REMEDY, path);
    return rc;
}

int weights_read(struct params *ps, const struct dataset *d,
                 const struct weights_of *of)
{
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    OWNED(free) char *path = weights_path(of->store, of->id);
    OWNED(close_stated) struct stated c = {.data = NULL};

    PASS(read_stated(&c, of));
    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing: no weights to start from; "
                       REMEDY, path);
    PASS(check_file(path, c.file));
    PASS(trace_file_read(&f, path, 1));
    PASS(check_state(&f, d, of, &c, path));
    PASS(weights_take(ps, &f, path));
    return check_digest(ps, &f, c.sha256, path);
}

/* Checks a file without reading its cell file: the file must be intact and name
 * the cell. */
static int check_alone(const char *path, const char *id)
{
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    OWNED(json_decref) json_t *state = json_object();

    PASS(trace_file_read(&f, path, 1));
    state = json_loads(f.state, 0, NULL);
    const char *own = json_string_value(json_object_get(state, "id"));
    if (!own || strcmp(own, id))
        return err_set(ERR_DATA, "%s: belongs to another cell", path);
    return OK;
}

int weights_check(const char *store, const char *id, int of_cell)
{
    struct weights_of of = {store, id, NULL};
    OWNED(free) char *path = weights_path(store, id);
    OWNED(close_stated) struct stated c = {NULL, NULL, NULL};
    int rc;

    if (!file_exists(path))
        return err_set(ERR_STORE, "%s: is missing", path);
    rc = of_cell ? read_stated(&c, &of) : check_alone(path, id);
    if (rc == OK && of_cell)
        rc = check_file(path, c.file);
    return rc < 0 ? err_set(ERR_STORE, "%s", err_last()) : OK;
}
