#include "harness/train/weights.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/data/tokenizer.h"

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

static void add(struct trace_file *f, enum trace_type type, const char *group,
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
    add(f, TRACE_FLOAT, group, p, x);
}

static int make_folder(const char *path)
{
    char *folder = str_format("%.*s", (int)(strrchr(path, '/') - path), path);
    int rc = file_mkdirs(folder);

    free(folder);
    return rc;
}

int weights_write(const struct params *ps, const struct dataset *d,
                  const char *path, const char *id, const char *config)
{
    struct trace_file f;
    char hex[HASH_HEX];
    json_t *state;
    int rc;

    vocabulary(d, hex);
    state = json_pack("{s:s, s:s}", "id", id, "vocabulary", hex);
    trace_file_open(&f);
    f.config = arena_text(f.memory, config);
    char *text = json_dumps(state, 0);
    REQUIRE(text, "out of memory");
    f.state = arena_text(f.memory, text);
    free(text);
    json_decref(state);
    for (int i = 0; i < ps->n; i++)
        add(&f, type_of_real, group_of[ps->list[i].kind], &ps->list[i],
            ps->list[i].value->x);
    TRY(make_folder(path));
    TRY(trace_file_write(&f, path));
out:
    trace_file_close(&f);
    return rc;
}

/* ---- reading ---- */

static int same_shape(const struct trace_array *a, const tensor *t)
{
    int same = a->nd == t->nd && a->type != TRACE_INT;

    for (int i = 0; same && i < a->nd; i++)
        same = a->dim[i] == t->dim[i];
    return same;
}

int weights_take(struct params *ps, const struct trace_file *f,
                 const char *path)
{
    for (int i = 0; i < ps->n; i++) {
        const struct param *p = &ps->list[i];
        const struct trace_array *a =
            trace_file_find(f, "%s/%s", group_of[p->kind], p->name);

        if (!a || !same_shape(a, p->value))
            return err_set(ERR_DATA, "%s: /%s/%s is %s: the weights are of "
                           "another model", path, group_of[p->kind], p->name,
                           a ? "of another shape" : "missing");
        size_t n = tensor_len(p->value);
        for (size_t j = 0; j < n; j++)
            p->value->x[j] = a->type == TRACE_FLOAT
                                 ? (real)((const float *)a->x)[j]
                                 : (real)((const double *)a->x)[j];
    }
    return OK;
}

static int check_state(const struct trace_file *f, const struct dataset *d,
                       const char *path)
{
    char hex[HASH_HEX];
    json_t *state = json_loads(f->state, 0, NULL);
    const char *theirs =
        json_string_value(json_object_get(state, "vocabulary"));
    int rc = OK;

    vocabulary(d, hex);
    if (!theirs)
        rc = err_set(ERR_DATA, "%s: attribute state tells no vocabulary: not "
                     "a file of weights", path);
    else if (strcmp(theirs, hex))
        rc = err_set(ERR_DATA, "%s: was trained with another vocabulary: ids "
                     "would not mean the same", path);
    json_decref(state);
    return rc;
}

int weights_read(struct params *ps, const struct dataset *d, const char *path)
{
    struct trace_file f = {.memory = NULL};
    int rc;

    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing: nothing to start from; "
                       "remove that cell's file in cells/, and `synthbench "
                       "run` trains it again", path);
    TRY(trace_file_read(&f, path));
    TRY(check_state(&f, d, path));
    TRY(weights_take(ps, &f, path));
out:
    if (f.memory)
        trace_file_close(&f);
    return rc;
}
