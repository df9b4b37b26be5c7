#include "harness/data/jsonarray.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistr.h>

enum { ROOM = 1 << 17, END = -1 };
enum state { START, INSIDE, DONE };

struct jsonarray {
    struct bytes *bytes;
    char *path, *key;
    unsigned char room[ROOM];
    size_t at, n;     /* what is read and not yet taken: room[at .. n-1] */
    long line, first; /* of the next byte; of the element */
    int failed;       /* of bytes_read: seen as the end, told later */
    enum state state;
    int elements;
    struct text text; /* of the element */
    struct arena *memory;
};

int jsonarray_open(struct jsonarray **out, const char *path, const char *key)
{
    struct bytes *b;
    int rc;

    *out = NULL;
    TRY(bytes_open(&b, path));
    struct jsonarray *a = calloc(1, sizeof *a);
    REQUIRE(a, "out of memory");
    a->bytes = b;
    a->path = str_copy(path);
    a->key = key ? str_copy(key) : NULL;
    a->line = a->first = 1;
    a->memory = arena_new();
    *out = a;
out:
    return rc;
}

void jsonarray_close(struct jsonarray *a)
{
    if (!a)
        return;
    bytes_close(a->bytes);
    free(a->path);
    free(a->key);
    text_free(&a->text);
    arena_free(a->memory);
    free(a);
}

struct arena *jsonarray_memory(const struct jsonarray *a)
{
    return a->memory;
}

static int refuse(const struct jsonarray *a, long line, const char *why)
{
    return err_set(ERR_DATA, "%s:%ld: %s", a->path, line, why);
}

int jsonarray_place(const struct jsonarray *a, int rc)
{
    return rc == ERR_DATA ? err_wrap(rc, "%s:%ld", a->path, a->first) : rc;
}

/* ---- bytes ---- */

static int peek(struct jsonarray *a)
{
    if (a->at < a->n)
        return a->room[a->at];
    a->at = a->n = 0;
    if (!a->failed)
        a->failed = bytes_read(a->bytes, a->room, ROOM, &a->n);
    return a->n ? a->room[0] : END;
}

static int take(struct jsonarray *a)
{
    int c = peek(a);

    a->at += c != END;
    a->line += c == '\n';
    return c;
}

static int peek_sign(struct jsonarray *a)
{
    int c;

    while ((c = peek(a)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        take(a);
    return c;
}

static int expect(struct jsonarray *a, int sign)
{
    char why[] = "JSON: expected ?";

    if (peek_sign(a) == sign) {
        take(a);
        return OK;
    }
    if (a->failed)
        return a->failed;
    why[sizeof why - 2] = (char)sign;
    return refuse(a, a->line, why);
}

/* ---- values as they stand ---- */

static void store(struct jsonarray *a, int c, int keep)
{
    char byte = (char)c;

    if (keep)
        text_add(&a->text, &byte, 1);
}

static void span_string(struct jsonarray *a, int keep)
{
    int c;

    store(a, take(a), keep);
    while ((c = peek(a)) != END) {
        store(a, take(a), keep);
        if (c == '"')
            break;
        if (c == '\\' && peek(a) != END)
            store(a, take(a), keep);
    }
}

/* 1: no number or word goes on with this byte. */
static int is_stop(int c)
{
    return c == END || (c && strchr(",:]} \t\n\r", c));
}

/* Takes one value, into text if it is to be kept: up to the bracket or the
 * quotation mark that closes it, or what cannot belong to it. */
static void span(struct jsonarray *a, int keep)
{
    int depth = 0, whole = 0, c;

    text_clear(&a->text);
    peek_sign(a);
    a->first = a->line;
    while (depth || !whole) {
        c = peek(a);
        if (c == END || (!depth && is_stop(c)))
            break;
        if (c == '"') {
            span_string(a, keep);
        } else {
            depth += (c == '[' || c == '{') - (c == ']' || c == '}');
            store(a, take(a), keep);
        }
        whole = c == '"' || c == ']' || c == '}' || is_stop(peek(a));
    }
}

static int parse(struct jsonarray *a, const struct value **v)
{
    long lines = 0;
    char why[512];

    if (a->failed)
        return a->failed;
    if (u8_check((const uint8_t *)a->text.s, a->text.n))
        return refuse(a, a->first, "not valid UTF-8");
    arena_reset(a->memory);
    if (!value_read(v, a->text.s, a->text.n, a->memory, &lines))
        return OK;
    snprintf(why, sizeof why, "%s", err_last());
    return refuse(a, a->first + lines, why);
}

/* ---- the list ---- */

/* Up to the list of the key, whose bracket is next. */
static int find_key(struct jsonarray *a)
{
    const struct value *v;
    int rc;

    TRY(expect(a, '{'));
    for (;;) {
        span(a, 1);
        TRY(parse(a, &v));
        if (v->kind != VALUE_STRING)
            return refuse(a, a->first, "JSON: expected a key");
        int found = !strcmp(v->string, a->key);
        TRY(expect(a, ':'));
        if (found)
            return OK;
        span(a, 0);
        if (peek_sign(a) != ',') {
            TRY(expect(a, '}'));
            return err_set(ERR_DATA, "%s: there is no key '%s'", a->path,
                           a->key);
        }
        take(a);
    }
out:
    return rc;
}

static int start(struct jsonarray *a)
{
    int rc = OK;

    if (peek(a) == 0xEF) { /* EF BB BF */
        for (int i = 0; i < 3; i++)
            take(a);
    }
    if (a->key)
        TRY(find_key(a));
    TRY(expect(a, '['));
    a->state = INSIDE;
out:
    return rc;
}

/* What follows the list. */
static int finish(struct jsonarray *a)
{
    int rc = OK;

    a->state = DONE;
    take(a);
    while (a->key && peek_sign(a) == ',') {
        take(a);
        span(a, 0);
        TRY(expect(a, ':'));
        span(a, 0);
    }
    if (a->key)
        TRY(expect(a, '}'));
    if (peek_sign(a) != END)
        rc = refuse(a, a->line, "JSON: something behind the value");
    else if (a->failed)
        rc = a->failed;
out:
    return rc;
}

int jsonarray_next(struct jsonarray *a, const struct value **v)
{
    int rc = OK;

    if (a->state == START)
        TRY(start(a));
    if (a->state == DONE)
        return 0;
    if (peek_sign(a) == ']' && !a->elements)
        return finish(a);
    if (a->elements++) {
        if (peek_sign(a) == ']')
            return finish(a);
        TRY(expect(a, ','));
    }
    span(a, 1);
    TRY(parse(a, v));
    return 1;
out:
    return rc;
}
