#include "harness/data/value.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { DEEPEST = 64 };

struct reader {
    char *s; /* the next byte */
    const char *end;
    struct arena *memory;
    long lines; /* line feeds so far: they stand between values alone */
    int depth;
};

static int bad(const char *what) { return err_set(ERR_DATA, "JSON: %s", what); }

static void blanks(struct reader *r)
{
    while (*r->s == ' ' || *r->s == '\t' || *r->s == '\n' || *r->s == '\r')
        r->lines += *r->s++ == '\n';
}

/* ---- strings ---- */

/* Four hexadecimal digits behind \u; -1: they are not. */
static int hex4(const char *s)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *d = s[i] ? strchr(digits, s[i]) : NULL;

        if (!d)
            return -1;
        value = 16 * value + (int)(d - digits) % 16;
    }
    return value;
}

/* \uXXXX, or a surrogate pair of them, at s[0] = '\\'; *used: its bytes. */
static int unicode(const char *s, ucs4_t *out, int *used)
{
    int high = hex4(s + 2), low;

    *used = 6;
    *out = (ucs4_t)high;
    if (high < 0)
        return bad("\\u without four hexadecimal digits");
    if (!high)
        return bad("\\u0000 in text");
    if (high < 0xD800 || high > 0xDFFF)
        return OK;
    low = s[6] == '\\' && s[7] == 'u' ? hex4(s + 8) : -1;
    if (high > 0xDBFF || low < 0xDC00 || low > 0xDFFF)
        return bad("half a surrogate pair");
    *used = 12;
    *out = 0x10000 + (((ucs4_t)high - 0xD800) << 10) + ((ucs4_t)low - 0xDC00);
    return OK;
}

/* The escape at r->s, as UTF-8 at *to, which moves on. */
static int escape(struct reader *r, char **to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *known = r->s[1] ? strchr(from, r->s[1]) : NULL;
    ucs4_t c;
    int rc = OK, used = 2;

    if (known) {
        *(*to)++ = into[known - from];
    } else if (r->s[1] == 'u') {
        TRY(unicode(r->s, &c, &used));
        *to += u8_uctomb((uint8_t *)*to, c, 4);
    } else {
        return bad("an unknown escape");
    }
    r->s += used;
out:
    return rc;
}

static int is_plain(char c)
{
    return c != '"' && c != '\\' && (unsigned char)c >= 0x20;
}

/* r->s is behind the opening quote; escapes make text shorter, never longer. */
static int string(struct reader *r, const char **out)
{
    char *to = r->s;
    int rc = OK;

    *out = to;
    for (;;) {
        char *from = r->s;

        while (is_plain(*r->s))
            r->s++;
        if (to != from)
            memmove(to, from, (size_t)(r->s - from));
        to += r->s - from;
        if (*r->s == '"')
            break;
        if (*r->s != '\\')
            return bad(r->s == r->end ? "a string without its end"
                                      : "a control character in a string");
        TRY(escape(r, &to));
    }
    r->s++;
    *to = 0;
out:
    return rc;
}

/* ---- numbers ---- */

static const char *digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
static int number(struct reader *r, double *out)
{
    const char *s = r->s + (*r->s == '-'), *from = s;

    s = *s == '0' ? s + 1 : digits(s);
    int good = s > from;
    if (*s == '.') {
        from = ++s;
        s = digits(s);
        good = good && s > from;
    }
    if (*s == 'e' || *s == 'E') {
        s += s[1] == '+' || s[1] == '-' ? 2 : 1;
        from = s;
        s = digits(s);
        good = good && s > from;
    }
    if (!good)
        return bad("neither a value nor a number");
    *out = strtod(r->s, NULL);
    r->s += s - r->s;
    return isfinite(*out) ? OK : bad("a number without bounds");
}

/* ---- values ---- */

static int value(struct reader *r, struct value *v);

static int word(struct reader *r, const char *text)
{
    size_t n = strlen(text);

    if (strncmp(r->s, text, n))
        return bad("neither a value nor a number");
    r->s += n;
    return OK;
}

static int key(struct reader *r, const char **out)
{
    int rc = OK;

    if (*r->s != '"')
        return bad("expected a key");
    r->s++;
    TRY(string(r, out));
    blanks(r);
    TRY(word(r, ":"));
    blanks(r);
out:
    return rc;
}

/* The values of a list or an object, up to its closing bracket. */
static int values(struct reader *r, struct value *v, char close)
{
    const struct value **tail = &v->first;
    int rc = OK;

    v->first = NULL;
    if (++r->depth > DEEPEST)
        return bad("too many levels");
    for (r->s++, blanks(r); *r->s != close; blanks(r)) {
        if (v->first) {
            if (*r->s != ',')
                return bad("expected a comma or the closing bracket");
            r->s++;
            blanks(r);
        }
        struct value *next = arena_take(r->memory, sizeof *next);
        *next = (struct value){.key = NULL};
        if (close == '}')
            TRY(key(r, &next->key));
        TRY(value(r, next));
        *tail = next;
        tail = &next->next;
    }
    r->s++;
    r->depth--;
out:
    return rc;
}

static int value(struct reader *r, struct value *v)
{
    switch (*r->s) {
    case '{': v->kind = VALUE_OBJECT; return values(r, v, '}');
    case '[': v->kind = VALUE_LIST; return values(r, v, ']');
    case '"':
        v->kind = VALUE_STRING;
        r->s++;
        return string(r, &v->string);
    case 't': v->kind = VALUE_BOOLEAN; v->boolean = 1; return word(r, "true");
    case 'f': v->kind = VALUE_BOOLEAN; v->boolean = 0; return word(r, "false");
    case 'n': v->kind = VALUE_NULL; return word(r, "null");
    default: v->kind = VALUE_NUMBER; return number(r, &v->number);
    }
}

int value_read(const struct value **out, char *text, size_t n,
               struct arena *a, long *lines)
{
    struct reader r = {.s = text, .end = text + n, .memory = a};
    struct value *v = arena_take(a, sizeof *v);
    int rc = OK;

    *v = (struct value){.key = NULL};
    *out = v;
    blanks(&r);
    TRY(value(&r, v));
    blanks(&r);
    if (r.s != r.end)
        rc = bad("something behind the value");
out:
    *lines = r.lines;
    return rc;
}

/* ---- members ---- */

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
    static const char *const kinds[] = {"null", "boolean", "number", "string",
                                        "list", "object"};

    *out = value_get(object, name);
    if (!*out)
        return err_set(ERR_DATA, "there is no key '%s'", name);
    if ((*out)->kind != kind)
        return err_set(ERR_DATA, "'%s' is no %s", name, kinds[kind]);
    return OK;
}

int value_string(const char **out, const struct value *object, const char *name)
{
    const struct value *v;
    int rc;

    TRY(need(&v, object, name, VALUE_STRING));
    *out = v->string;
out:
    return rc;
}

int value_integer(long long *out, const struct value *object, const char *name)
{
    const struct value *v;
    int rc;

    TRY(need(&v, object, name, VALUE_NUMBER));
    if (v->number != floor(v->number) || fabs(v->number) > 9e15)
        return err_set(ERR_DATA, "'%s' is no integer", name);
    *out = (long long)v->number;
out:
    return rc;
}

int value_list(const struct value **first, const struct value *object,
              const char *name)
{
    const struct value *v;
    int rc;

    TRY(need(&v, object, name, VALUE_LIST));
    *first = v->first;
out:
    return rc;
}

int value_object(const struct value **out, const struct value *object,
                const char *name)
{
    return need(out, object, name, VALUE_OBJECT);
}
