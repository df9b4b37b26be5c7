#include "harness/base/json.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#undef json_string
#undef json_real
#undef json_object_set
#undef json_array_append_new
#undef json_dumps

json_t *json_sure_string(const char *s)
{
    json_t *j = s ? json_string(s) : json_null();

    if (!j) {
        OWNED(free) char *clean = text_clean(s, 0);

        j = json_string(clean);
    }
    REQUIRE(j, "'%s' is not a text", s);
    return j;
}

json_t *json_sure_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_whole(double x)
{
    return fabs(x) < 0x1p53 && x == floor(x) ? json_integer((json_int_t)x)
                                             : json_sure_real(x);
}

json_t *json_word(const char *s)
{
    return s && *s ? json_sure_string(s) : json_null();
}

int json_sure_set(json_t *object, const char *key, json_t *value)
{
    REQUIRE(value && json_is_object(object), "%s: no value, or no object", key);
    if (json_object_set(object, key, value) < 0) {
        OWNED(free) char *clean = text_clean(key, 0);

        REQUIRE(json_object_set(object, clean, value) == 0, "'%s' is not a key",
                clean);
    }
    json_decref(value);
    return 0;
}

int json_sure_append(json_t *array, json_t *value)
{
    REQUIRE(json_array_append_new(array, value) == 0, "no value, or no array");
    return 0;
}

/* ---- packing ---- */

struct pack { const char *fmt; va_list ap; };

/* Returns the next letter of the format, or 0 at its end. */
static int next(struct pack *p)
{
    p->fmt += strspn(p->fmt, " ,:");
    return *p->fmt ? *p->fmt++ : 0;
}

static int follows(struct pack *p, char c)
{
    if (*p->fmt != c)
        return 0;
    p->fmt++;
    return 1;
}

static json_t *pack_value(struct pack *p, int letter);

static json_t *pack_object(struct pack *p)
{
    json_t *all = json_object(), *value;
    int letter;

    while ((letter = next(p)) != '}') {
        REQUIRE(letter == 's', "a key must be 's', not '%c'", letter);
        const char *key = va_arg(p->ap, const char *);
        value = pack_value(p, next(p));
        if (follows(p, '*') && json_is_null(value))
            json_decref(value);
        else
            json_sure_set(all, key, value);
    }
    return all;
}

static json_t *pack_array(struct pack *p)
{
    json_t *all = json_array();
    int letter;

    while ((letter = next(p)) != ']')
        json_sure_append(all, pack_value(p, letter));
    return all;
}

/* Returns `j` or, if it is NULL, JSON's null.  NULL is allowed only if '?' or
 * '*' follows in the format. */
static json_t *or_null(struct pack *p, json_t *j)
{
    int may = follows(p, '?') || *p->fmt == '*';

    REQUIRE(j || may, "NULL before '%s'", p->fmt);
    return j ? j : json_null();
}

static json_t *pack_value(struct pack *p, int letter)
{
    const char *s;

    switch (letter) {
    case '{': return pack_object(p);
    case '[': return pack_array(p);
    case 's':
        s = va_arg(p->ap, const char *);
        return or_null(p, s ? json_sure_string(s) : NULL);
    case 'i': return json_integer(va_arg(p->ap, int));
    case 'I': return json_integer(va_arg(p->ap, json_int_t));
    case 'f': return json_sure_real(va_arg(p->ap, double));
    case 'w': return json_whole(va_arg(p->ap, double));
    case 'b': return json_boolean(va_arg(p->ap, int));
    case 'n': return json_null();
    case 'o': return or_null(p, va_arg(p->ap, json_t *));
    case 'O': return or_null(p, json_incref(va_arg(p->ap, json_t *)));
    default: REQUIRE(0, "unknown format '%c' before '%s'", letter, p->fmt);
    }
}

json_t *json_sure_pack(const char *fmt, ...)
{
    struct pack p = {.fmt = fmt};

    va_start(p.ap, fmt);
    json_t *j = pack_value(&p, next(&p));
    va_end(p.ap);
    REQUIRE(!next(&p), "'%s' has more than one value", fmt);
    return j;
}

/* ---- writing ---- */

char *json_sure_dumps(const json_t *j, size_t flags)
{
    char *s = json_dumps(j, flags);

    REQUIRE(s, "cannot be written as JSON");
    return s;
}

/* Escapes only characters beyond ASCII, which occur only within strings, where
 * \u is allowed. */
int json_sure_dumpf(const json_t *j, FILE *out, size_t flags)
{
    OWNED(free) char *s = json_sure_dumps(j, flags);
    size_t bytes = strlen(s), from = 0, length;

    for (size_t i = 0; i < bytes; i += length) {
        uint32_t c = text_decode(s, i, bytes, &length);

        if (c < 0x7F || !text_steers(c))
            continue;
        fwrite(s + from, 1, i - from, out);
        fprintf(out, "\\u%04x", (unsigned)c);
        from = i + length;
    }
    fwrite(s + from, 1, bytes - from, out);
    return ferror(out) ? -1 : 0;
}

int json_read(json_t **out, const char *path)
{
    OWNED(free) char *bytes = NULL;
    json_error_t e;
    size_t n;

    PASS(file_named(path, 0));
    PASS(file_read_stream(&bytes, &n, path));
    n = text_unmark(bytes, n);
    *out = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &e);
    if (!*out)
        return err_set(ERR_STORE, "%s:%d: not JSON: %s", path, e.line, e.text);
    return OK;
}
