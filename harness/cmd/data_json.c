/* Rows of corpora as JSON objects. */
#include "harness/cmd/data_verbs.h"

static json_t *texts(const char *const *text)
{
    json_t *list = json_array();

    for (; *text; text++)
        json_array_append_new(list, json_string(*text));
    return list;
}

static json_t *value(const struct field *f)
{
    switch (f->kind) {
    case FIELD_TEXT: return f->text ? json_string(f->text) : json_null();
    case FIELD_INTEGER: return json_integer(f->integer);
    case FIELD_REAL: return json_real(f->real);
    case FIELD_TEXTS: return texts(f->texts);
    case FIELD_OBJECT: return data_json(f->object);
    }
    return NULL;
}

json_t *data_json(const struct field *row)
{
    json_t *object = json_object();

    for (; row->key; row++)
        json_object_set_new(object, row->key, value(row));
    return object;
}

json_t *data_skipped_json(const struct skipped *k)
{
    json_t *object = json_pack("{s:s, s:I, s:s}", "file", k->file, "line",
                               (json_int_t)k->line, "reason", k->reason);

    if (k->more)
        json_object_update_new(object, data_json(k->more));
    return object;
}

const char *data_text(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

long long data_integer(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}
