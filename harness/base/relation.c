#include "harness/base/relation.h"

#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const void *relation_row(const struct relation *r, int i)
{
    return r->size ? (const char *)r->row + (size_t)i * r->size
                   : ((const void *const *)r->row)[i];
}

static const void *place_of(const struct column *c, const void *row)
{
    if (c->via)
        row = *(const void *const *)((const char *)row + c->via - 1);
    return (const char *)row + c->at;
}

static int is_text(const struct column *c)
{
    return c->type == COLUMN_TEXT || c->type == COLUMN_CHARS ||
           c->type == COLUMN_WORD || c->type == COLUMN_ENUM;
}

static const char *text_of(const struct column *c, const void *at)
{
    return c->type == COLUMN_ENUM    ? c->words[*(const int *)at]
           : c->type == COLUMN_CHARS ? (const char *)at
                                     : *(const char *const *)at;
}

static int is_real(const struct column *c)
{
    return c->type == COLUMN_REAL || c->type == COLUMN_WHOLE;
}

static long long integer_of(const struct column *c, const void *at)
{
    switch (c->type) {
    case COLUMN_LONG:
        return *(const long long *)at;
    case COLUMN_SIZE:
    case COLUMN_COUNT:
        return (long long)*(const size_t *)at;
    default:
        return *(const int *)at;
    }
}

static json_t *reals_json(const double *x, int n)
{
    json_t *list = json_array();

    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_whole(x[i]));
    return list;
}

static json_t *texts_json(const char *const *text)
{
    json_t *list = json_array();

    for (; text && *text; text++)
        json_array_append_new(list, json_string(*text));
    return list;
}

static int count_of(const struct column *c, const void *row)
{
    return *(const int *)((const char *)row + c->count);
}

/* Returns, as JSON, the value of a column of type COLUMN_REALS or
 * COLUMN_LIST. */
static json_t *list_json(const struct column *c, const void *row,
                         struct arena *a)
{
    const void *first = *(void *const *)place_of(c, row);
    int n = count_of(c, row);

    return c->type == COLUMN_REALS
               ? reals_json(first, first ? n : 0)
               : relation_json(&(struct relation){c->name, c->list, first,
                                                  c->size, n}, a);
}

static int is_list(const struct column *c)
{
    return c->type == COLUMN_REALS || c->type == COLUMN_LIST;
}

/* Returns 1 if the value is an enum or a flag that JSON writes as null. */
static int is_null(const struct column *c, const void *at)
{
    return c->flags & COLUMN_NULLABLE &&
           ((c->type == COLUMN_ENUM && !*(const int *)at) ||
            (c->type == COLUMN_BOOL && *(const int *)at < 0));
}

/* Returns a column of type COLUMN_EITHER as the column of the text or of the
 * number that the row has.  Returns other columns unchanged. */
static struct column column_in(const struct column *c, const void *row)
{
    struct column one = *c;

    if (c->type == COLUMN_EITHER &&
        *(const char *const *)((const char *)row + c->at)) {
        one.type = COLUMN_TEXT;
    } else if (c->type == COLUMN_EITHER) {
        one.type = COLUMN_WHOLE;
        one.at = c->count;
    }
    return one;
}

json_t *relation_value(const struct column *column, const void *row,
                       struct arena *a)
{
    const struct column one = column_in(column, row), *c = &one;
    const void *at = place_of(c, row);

    if (c->type == COLUMN_SHOWN)
        return json_string(c->show(row, a));
    if (is_list(c))
        return list_json(c, row, a);
    if (c->type == COLUMN_TEXTS)
        return texts_json(*(const char *const *const *)at);
    if (is_null(c, at))
        return json_null();
    if (c->type == COLUMN_WORD)
        return json_word(text_of(c, at));
    if (is_text(c))
        return json_string(text_of(c, at));
    if (is_real(c))
        return c->type == COLUMN_REAL ? json_real(*(const double *)at)
                                      : json_whole(*(const double *)at);
    if (c->type == COLUMN_JSON) {
        json_t *j = *(json_t *const *)at;

        return j ? json_incref(j) : json_null();
    }
    if (c->type == COLUMN_BOOL)
        return json_boolean(integer_of(c, at));
    return c->type == COLUMN_COUNT && !integer_of(c, at)
               ? json_null()
               : json_integer(integer_of(c, at));
}

const char *relation_text(const struct column *column, const void *row,
                          struct arena *a)
{
    const struct column one = column_in(column, row), *c = &one;
    const void *at = place_of(c, row);
    const char *text = c->show ? c->show(row, a)
                       : is_text(c) ? text_of(c, at)
                       : !is_real(c)
                           ? arena_format(a, c->form ? c->form : "%lld",
                                          integer_of(c, at))
                       : isnan(*(const double *)at)
                           ? c->none
                           : arena_format(a, c->form ? c->form : "%g",
                                          *(const double *)at);

    return text ? text : "";
}

int relation_left(const struct column *c)
{
    return c->left ? c->left > 0 : is_text(c);
}

/* Returns 1 if the value is NULL, 0 or NAN. */
static int is_empty(const struct column *c, const void *row)
{
    const void *at = place_of(c, row);

    switch (c->type) {
    case COLUMN_REALS:
    case COLUMN_TEXT:
    case COLUMN_JSON: return !*(void *const *)at;
    case COLUMN_LIST: return !count_of(c, row);
    case COLUMN_TEXTS: return !*(const char *const *const *)at ||
                              !**(const char *const *const *)at;
    default:
        return is_real(c) ? isnan(*(const double *)at) : !integer_of(c, at);
    }
}

void relation_put(json_t *object, const struct column *c, const void *row,
                  struct arena *a)
{
    for (; c->type != COLUMN_END; c++)
        if (c->name && !(c->flags & COLUMN_SPARSE && is_empty(c, row)))
            json_object_set_new(object, c->name, relation_value(c, row, a));
}

json_t *relation_object(const struct column *c, const void *row,
                        struct arena *a)
{
    json_t *object = json_object();

    relation_put(object, c, row, a);
    return object;
}

json_t *relation_json(const struct relation *r, struct arena *a)
{
    json_t *list = json_array();

    for (int i = 0; i < r->rows; i++)
        json_array_append_new(list, relation_object(r->column,
                                                    relation_row(r, i), a));
    return list;
}

/* ---- values that every format can represent ---- */

static void clean_real(double *x)
{
    char text[32];

    snprintf(text, sizeof text, "%.15g", *x);
    *x = isfinite(*x) ? strtod(text, NULL) : NAN;
}

void relation_clean_text(const char **text, struct arena *a)
{
    OWNED(free) char *clean = *text ? text_clean(*text, 1) : NULL;

    if (clean && strcmp(clean, *text))
        *text = arena_text(a, clean);
}

void relation_clean(const struct column *c, void *row, struct arena *a)
{
    for (; c->type != COLUMN_END; c++) {
        void *at = (char *)row + c->at;
        char *first = is_list(c) ? *(char **)at : NULL;

        if (c->via) /* is not part of the row */
            continue;
        if (c->type == COLUMN_TEXT)
            relation_clean_text(at, a);
        else if (is_real(c))
            clean_real(at);
        else if (c->type == COLUMN_TEXTS)
            for (const char **t = *(const char ***)at; t && *t; t++)
                relation_clean_text(t, a);
        for (int i = 0; first && i < count_of(c, row); i++)
            if (c->type == COLUMN_REALS)
                clean_real((double *)first + i);
            else
                relation_clean(c->list, first + (size_t)i * c->size, a);
    }
}
