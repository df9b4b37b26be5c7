/*
 * Counts brackets outside strings to find where an element begins and ends, and
 * parses each element with simdjson.  simdjson also parses the outline: the
 * text of the file, in which each element is reduced to its brackets.
 */
#include "harness/data/format/jsonarray.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/bytes.h"

#include <string.h>

enum { ROOM = 1 << 17 };

struct jsonarray {
    struct bytes *bytes;
    const char *path, *key;
    char room[ROOM];
    size_t at, n;        /* room[at] to room[n - 1] are not used yet */
    long line, first;    /* line of the current byte; first of the element */
    long depth, level;   /* open brackets: now; around an element */
    int quoted, escaped; /* the next byte is in a string; follows a backslash */
    struct text outline, element;
    size_t list; /* if the bracket opened last at depth `level` is a [, the
                    offset in `outline` after it; if it is a {, 0 */
    struct arena *memory;
};

static int place(const struct jsonarray *a, long line, int rc)
{
    return rc == ERR_DATA ? err_wrap(rc, "%s:%ld", a->path, line) : rc;
}

/* Advances the state by one byte.  Returns the byte if it is a bracket outside
 * strings, or 0. */
static int step(struct jsonarray *a, char c)
{
    a->line += c == '\n';
    if (a->quoted) {
        a->quoted = c != '"' || a->escaped;
        a->escaped = c == '\\' && !a->escaped;
        return 0;
    }
    a->quoted = c == '"';
    return c == '[' || c == ']' || c == '{' || c == '}' ? c : 0;
}

/* Appends the bytes up to and including the next bracket to the element or to
 * the outline.  Returns the bracket, or 0 at the end of the file. */
static int to_bracket(struct jsonarray *a)
{
    struct text *to = a->depth > a->level ? &a->element : &a->outline;
    int bracket = 0;

    for (;;) {
        size_t from = a->at;
        while (a->at < a->n && !bracket)
            bracket = step(a, a->room[a->at++]);
        text_add(to, a->room + from, a->at - from);
        if (bracket)
            return bracket;
        a->at = 0;
        PASS(bytes_read(a->bytes, a->room, ROOM, &a->n));
        if (!a->n)
            return 0;
    }
    return OK;
}

/* Reads up to the end of the next element or of another object or list at the
 * same depth.  Returns 1, or 0 at the end of the file. */
static int span(struct jsonarray *a)
{
    int c;

    while ((c = to_bracket(a)) > 0) {
        int opens = c == '[' || c == '{';

        a->depth += opens ? 1 : -1;
        if (opens && a->depth == a->level)
            a->list = c == '[' ? a->outline.n : 0;
        if (opens && a->depth == a->level + 1) {
            a->first = a->line;
            text_clear(&a->element);
            text_add_char(&a->element, (uint32_t)c);
        }
        if (!opens && a->depth == a->level) {
            text_add_char(&a->outline, (uint32_t)c);
            return 1;
        }
    }
    return c;
}

/* Parses the outline so far, closed by `rest`, and sets *list to the list of
 * elements, or to NULL if the outline does not contain it yet. */
static int find_list(struct jsonarray *a, const char *rest,
                     const struct value **list)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t skip = strncmp(a->outline.s, mark, 3) ? 0 : 3;
    const struct value *v;

    text_put(&a->outline, rest);
    arena_reset(a->memory);
    PASS(value_read(&v, a->outline.s + skip, a->outline.n - skip, a->memory));
    *list = a->key ? value_get(v, a->key) : v;
    if (*list && (*list)->kind != VALUE_LIST)
        return err_set(ERR_DATA, "not a list");
    for (v = *list ? (*list)->first : NULL; v; v = v->next)
        if (v->kind != VALUE_LIST && v->kind != VALUE_OBJECT)
            return err_set(ERR_DATA,
                           "an element is neither a list nor an object");
    return OK;
}

static int next(struct jsonarray *a, const struct value **v)
{
    const struct value *list;
    int rc;

    while ((rc = span(a)) > 0) {
        if (!a->list)
            continue;
        PASS(place(a, a->line, find_list(a, a->key ? "]}" : "]", &list)));
        a->outline.n = a->list;
        text_put(&a->outline, "{}");
        if (!list || list->next) /* the element belongs to another member */
            continue;
        arena_reset(a->memory);
        PASS(place(a, a->first, value_read(v, a->element.s, a->element.n,
                                           a->memory)));
        return 1;
    }
    PASS(rc);
    PASS(place(a, a->line, find_list(a, "", &list)));
    return list ? OK : err_set(ERR_DATA, "%s: there is no key '%s'", a->path,
                               a->key);
}

int jsonarray_each(const char *path, const char *key,
                   int (*take)(void *to, const struct value *v,
                               struct arena *a),
                   void *to)
{
    struct jsonarray a = {.path = path, .key = key, .line = 1, .first = 1,
                          .level = key ? 2 : 1, .memory = arena_new()};
    const struct value *v;
    int rc;

    text_clear(&a.outline);
    GOTO_IF_ERR(bytes_open(&a.bytes, path));
    while ((rc = next(&a, &v)) > 0)
        GOTO_IF_ERR(place(&a, a.first, take(to, v, a.memory)));
out:
    bytes_close(a.bytes);
    text_free(&a.outline);
    text_free(&a.element);
    arena_free(a.memory);
    return rc;
}
