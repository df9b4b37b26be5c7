/* Reads the rows of a relation back from its JSON. */
#include "harness/base/relation.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void relation_wrong(struct relation_reader *r, const char *key,
                    const char *expected)
{
    if (r->rc == OK)
        r->rc = err_set(ERR_STORE, "%s: %s%s: expected %s, as written by `%s`",
                        r->path, r->at, key, expected, r->writer);
}

int relation_open(json_t **root, const struct relation_reader *r)
{
    int rc = json_read(root, r->path);

    return rc == ERR_STORE ? err_set(rc, "%s; expected a file that `%s` wrote",
                                     err_last(), r->writer)
                           : rc;
}

/* ---- a value ---- */

static const char *text_of(struct relation_reader *r, json_t *v,
                           const struct column *c)
{
    int null = json_is_null(v) && c->flags & COLUMN_NULLABLE;

    if (!json_is_string(v) && !null)
        relation_wrong(r, c->name, c->flags & COLUMN_NULLABLE
                                       ? "a string or null" : "a string");
    return json_is_string(v) ? arena_text(r->memory, json_string_value(v))
           : null            ? NULL
                             : "";
}

static double real_of(struct relation_reader *r, json_t *v, const char *key)
{
    if (!json_is_number(v) && !json_is_null(v))
        relation_wrong(r, key, "a number or null");
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static long long integer_of(struct relation_reader *r, json_t *v,
                            const struct column *c)
{
    long long most = c->least || c->most ? c->most : RELATION_MOST;
    json_int_t x = json_integer_value(v);

    if (json_is_integer(v) && x >= c->least && x <= most)
        return x;
    relation_wrong(r, c->name, arena_format(r->memory, "%lld to %lld",
                                            c->least, most));
    return c->least;
}

static int flag_of(struct relation_reader *r, json_t *v,
                   const struct column *c)
{
    if (json_is_null(v) && c->flags & COLUMN_NULLABLE)
        return -1;
    if (!json_is_boolean(v))
        relation_wrong(r, c->name, "true or false");
    return json_is_true(v);
}

static int word_of(struct relation_reader *r, json_t *v,
                   const struct column *c)
{
    int null = (c->flags & COLUMN_NULLABLE) != 0;
    int i = json_is_string(v) ? names_index(c->words, json_string_value(v))
                              : -1;

    if (null && json_is_null(v))
        return 0;
    if (i < null) { /* if null is allowed, words[0] stands for it */
        OWNED(free) char *all = names_list(c->words + null);

        relation_wrong(r, c->name, arena_format(r->memory, "one of %s%s", all,
                                                null ? ", or null" : ""));
    }
    return i < 0 ? 0 : i;
}

/* Reads a list of numbers.  An earlier column has set the number of values in
 * the row.  If the list has another length, allocates no memory for the
 * values. */
static void read_reals(struct relation_reader *r, json_t *list,
                       const struct column *c, void *row)
{
    int n = *(int *)((char *)row + c->count);
    int fits = json_is_array(list) && json_array_size(list) == (size_t)n;
    double *out = arena_zero(r->memory, ((size_t)(fits ? n : 0) + 1) *
                                            sizeof *out);

    for (int i = 0; fits && i < n; i++) {
        json_t *v = json_array_get(list, (size_t)i);

        fits = json_is_number(v);
        out[i] = json_number_value(v);
    }
    if (!fits)
        relation_wrong(r, c->name,
                       arena_format(r->memory, "a list of %d numbers", n));
    *(double **)((char *)row + c->at) = out;
}

static void read_value(struct relation_reader *r, json_t *v,
                       const struct column *c, void *row)
{
    void *at = (char *)row + c->at;

    switch (c->type) {
    case COLUMN_TEXT: *(const char **)at = text_of(r, v, c); break;
    case COLUMN_REAL:
    case COLUMN_WHOLE: *(double *)at = real_of(r, v, c->name); break;
    case COLUMN_INT: *(int *)at = (int)integer_of(r, v, c); break;
    case COLUMN_LONG: *(long long *)at = integer_of(r, v, c); break;
    case COLUMN_SIZE: *(size_t *)at = (size_t)integer_of(r, v, c); break;
    case COLUMN_BOOL: *(int *)at = flag_of(r, v, c); break;
    case COLUMN_ENUM: *(int *)at = word_of(r, v, c); break;
    case COLUMN_REALS: read_reals(r, v, c, row); break;
    default: REQUIRE(0, "column %s cannot be read", c->name);
    }
}

/* ---- rows ---- */

static void read_list(struct relation_reader *r, json_t *from,
                      const struct column *c, void *row)
{
    *(void **)((char *)row + c->at) = relation_read_rows(
        r, from, c->name, c->most ? (int)c->most : RELATION_MOST,
        (int *)((char *)row + c->count), c->list, c->size, c->check);
}

void relation_read(struct relation_reader *r, json_t *from,
                   const struct column *c, void *row)
{
    for (; c->type != COLUMN_END; c++) {
        json_t *v = c->name ? json_object_get(from, c->name) : NULL;
        int may_lack = (c->flags & (COLUMN_LATER | COLUMN_SPARSE)) != 0;
        int real = c->type == COLUMN_REAL || c->type == COLUMN_WHOLE;

        if (!c->name || c->flags & COLUMN_DERIVED)
            continue;
        if (!v && may_lack && real)
            *(double *)((char *)row + c->at) = NAN;
        else if ((v || !may_lack) && c->type == COLUMN_LIST)
            read_list(r, from, c, row);
        else if (c->type == COLUMN_TEXTS)
            *(const char ***)((char *)row + c->at) =
                relation_read_texts(r, from, c->name);
        else if (v || !may_lack)
            read_value(r, v, c, row);
    }
}

void *relation_read_rows(struct relation_reader *r, json_t *from,
                         const char *key, int most, int *n,
                         const struct column *c, size_t size,
                         relation_check *check)
{
    json_t *all = json_object_get(from, key);
    char within[sizeof r->at], *out;
    int objects = json_is_array(all) && json_array_size(all) <= (size_t)most;

    for (size_t i = 0; objects && i < json_array_size(all); i++)
        objects = json_is_object(json_array_get(all, i));
    if (!objects)
        relation_wrong(r, key, arena_format(r->memory, "a list of at most %d "
                                            "objects", most));
    *n = r->rc == OK ? (int)json_array_size(all) : 0;
    out = arena_zero(r->memory, ((size_t)*n + 1) * size);
    memcpy(within, r->at, sizeof within);
    for (int i = 0; i < *n; i++) {
        json_t *one = json_array_get(all, (size_t)i);
        void *row = out + (size_t)i * size;

        snprintf(r->at, sizeof r->at, "%.60s%.20s[%d].", within, key, i);
        relation_read(r, one, c, row);
        if (check)
            check(r, one, row);
    }
    memcpy(r->at, within, sizeof r->at);
    return out;
}

const char **relation_read_texts(struct relation_reader *r, json_t *from,
                                 const char *key)
{
    json_t *all = json_object_get(from, key), *j;
    const char **out = arena_zero(r->memory, (json_array_size(all) + 1) *
                                                 sizeof *out);
    size_t i;

    if (all && !json_is_array(all))
        relation_wrong(r, key, "a list of strings");
    json_array_foreach(all, i, j) {
        if (!json_is_string(j))
            relation_wrong(r, key, "a list of strings");
        out[i] = arena_text(r->memory, json_is_string(j) ? json_string_value(j)
                                                         : "");
    }
    return out;
}
