// Converts the values of simdjson, which has no C interface, to struct value.
// simdjson allows \u0000 in text; this module does not.
#include <simdjson.h>

#include <algorithm>

#define _Noreturn [[noreturn]] // err.h is C11
extern "C" {
#include "harness/base/err.h"
#include "harness/data/format/value.h"
}

using simdjson::dom::element;
using simdjson::dom::element_type;

static int copy_text(const char **out, std::string_view s, struct arena *a)
{
    if (s.find('\0') != s.npos)
        return err_set(ERR_DATA, "JSON: \\u0000 in text");
    char *copy = (char *)arena_take(a, s.size() + 1);
    *std::copy(s.begin(), s.end(), copy) = 0;
    *out = copy;
    return OK;
}

static int fill(struct value *v, element from, struct arena *a) noexcept;

// Appends a value to a list or an object.  *tail points to the pointer that is
// set to the value; advances *tail.
static int append(const struct value ***tail, element from, struct arena *a,
                  std::string_view key)
{
    struct value *v = (struct value *)arena_zero(a, sizeof *v);
    int rc;

    **tail = v;
    *tail = &v->next;
    GOTO_IF_ERR(key.data() ? copy_text(&v->key, key, a) : OK);
    GOTO_IF_ERR(fill(v, from, a));
out:
    return rc;
}

// Never throws, because each value is read as the type that it has.
static int fill(struct value *v, element from, struct arena *a) noexcept
{
    const struct value **tail = &v->first;
    int rc = OK;

    switch (from.type()) {
    case element_type::NULL_VALUE:
        v->kind = VALUE_NULL;
        break;
    case element_type::BOOL:
        v->kind = VALUE_BOOLEAN;
        v->boolean = bool(from);
        break;
    case element_type::STRING:
        v->kind = VALUE_STRING;
        return copy_text(&v->string, from, a);
    case element_type::ARRAY:
        v->kind = VALUE_LIST;
        for (element e : simdjson::dom::array(from))
            GOTO_IF_ERR(append(&tail, e, a, {}));
        break;
    case element_type::OBJECT:
        v->kind = VALUE_OBJECT;
        for (auto e : simdjson::dom::object(from))
            GOTO_IF_ERR(append(&tail, e.value, a, e.key));
        break;
    default:
        v->kind = VALUE_NUMBER;
        v->number = double(from);
    }
out:
    return rc;
}

int value_read(const struct value **out, const char *text, size_t n,
               struct arena *a)
{
    struct value *v = (struct value *)arena_zero(a, sizeof *v);
    simdjson::dom::parser parser;
    element root;
    simdjson::error_code error = parser.parse(text, n).get(root);

    *out = v;
    if (error == simdjson::MEMALLOC)
        err_no_memory(n);
    if (error)
        return err_set(ERR_DATA, "JSON: %s", simdjson::error_message(error));
    return fill(v, root, a);
}

int value_is_json(const char *text, size_t n)
{
    simdjson::dom::parser parser;

    return parser.parse(text, n).error() == simdjson::SUCCESS;
}
