#include "harness/base/relation.h"

#include <math.h>

const void *relation_row(const struct relation *r, int i)
{
    return r->size ? (const char *)r->row + (size_t)i * r->size
                   : ((const void *const *)r->row)[i];
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

json_t *relation_value(const struct column *c, const void *row,
                       struct arena *a)
{
    const void *at = (const char *)row + c->at;

    if (c->type == COLUMN_SHOWN)
        return json_string(c->show(row, a));
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

const char *relation_text(const struct column *c, const void *row,
                          struct arena *a)
{
    const void *at = (const char *)row + c->at;
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

int relation_left(const struct column *c) { return c->left || is_text(c); }

json_t *relation_object(const struct column *c, const void *row,
                        struct arena *a)
{
    json_t *object = json_object();

    for (; c->type != COLUMN_END; c++)
        if (c->name)
            json_object_set_new(object, c->name, relation_value(c, row, a));
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
