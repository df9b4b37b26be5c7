#include "harness/data/format/value.h"

#include "harness/base/err.h"

#include <math.h>
#include <string.h>

const struct value *value_get(const struct value *object, const char *name)
{
    const struct value *found = NULL;

    if (object->kind != VALUE_OBJECT)
        return NULL;
    for (const struct value *v = object->first; v; v = v->next)
        if (!strcmp(v->key, name))
            found = v;
    return found;
}

static int need(const struct value **out, const struct value *object,
                const char *name, enum value_kind kind)
{
    static const char *const kinds[] = {"null", "a boolean", "a number",
                                        "a string", "a list", "an object"};

    *out = value_get(object, name);
    if (!*out)
        return err_set(ERR_DATA, "there is no key '%s'", name);
    if ((*out)->kind != kind)
        return err_set(ERR_DATA, "'%s' is not %s", name, kinds[kind]);
    return OK;
}

int value_string(const char **out, const struct value *object, const char *name)
{
    const struct value *v;

    PASS(need(&v, object, name, VALUE_STRING));
    *out = v->string;
    return OK;
}

int value_integer(long long *out, const struct value *object, const char *name)
{
    const struct value *v;

    PASS(need(&v, object, name, VALUE_NUMBER));
    if (v->number != floor(v->number) || fabs(v->number) > 9e15)
        return err_set(ERR_DATA, "'%s' is not an integer", name);
    *out = (long long)v->number;
    return OK;
}

int value_list(const struct value **first, const struct value *object,
               const char *name)
{
    const struct value *v;

    PASS(need(&v, object, name, VALUE_LIST));
    *first = v->first;
    return OK;
}

int value_object(const struct value **out, const struct value *object,
                 const char *name)
{
    return need(out, object, name, VALUE_OBJECT);
}
