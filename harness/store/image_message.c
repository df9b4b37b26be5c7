/*
 * Reads messages of object headers (IV.A.2 of the HDF5 format): the type and
 * shape of a dataset or an attribute, and the target of a link.
 */
#include "harness/base/array.h"
#include "harness/store/image_private.h"

#include <string.h>

/* Fails unless a name is printable ASCII without a slash. */
static void check_name(struct image *f, const unsigned char *s, uint64_t n,
                       uint64_t at)
{
    int good = s && n > 0 && n <= IMAGE_NAME;

    for (uint64_t i = 0; good && i < n; i++)
        good = s[i] >= ' ' && s[i] <= '~' && s[i] != '/';
    if (!good)
        image_fail(f, at, "invalid name");
}

void links_add(struct links *l, struct image *f, const unsigned char *name,
               uint64_t n, uint64_t at, uint64_t order)
{
    check_name(f, name, n, at);
    if (image_failed(f))
        return;
    char *copy = arena_zero(f->memory, n + 1);
    memcpy(copy, name, n);
    ARRAY_ROOM(l->list, l->n, l->cap);
    l->list[l->n++] = (struct link){copy, at, order};
}

void read_link(struct cursor c, struct links *out)
{
    cursor_want(&c, 1, 1, "unsupported link version");
    int flags = (int)cursor_take(&c, 1);
    uint64_t order = out->n, n;

    if (flags & 0x08)
        cursor_want(&c, 1, 0, "unsupported link type (soft, external or "
                    "user-defined)");
    if (flags & 0x04)
        order = cursor_take(&c, 8);
    if (flags & 0x10)
        cursor_skip(&c, 1); /* ASCII or UTF-8: ASCII is a subset */
    n = cursor_take(&c, 1 << (flags & 3));
    const unsigned char *name = cursor_bytes(&c, n);
    uint64_t at = cursor_take(&c, 8);
    if (!image_failed(c.f))
        links_add(out, c.f, name, n, at, order);
}

/* ---- shapes and types ---- */

enum { MOST = 1 << 30 }; /* maximum number of values of an object */

void read_space(struct cursor *c, struct image_value *out)
{
    cursor_want(c, 1, 1, "unsupported version of a shape");
    uint64_t rank = cursor_take(c, 1);
    int flags = (int)cursor_take(c, 1);

    cursor_skip(c, 5);
    if (rank > IMAGE_RANK || flags & ~1) {
        image_fail(c->f, c->at, "unsupported shape");
        return;
    }
    out->rank = (int)rank;
    out->n = 1;
    for (int i = 0; i < out->rank; i++) {
        uint64_t dim = cursor_take(c, 8);

        if (dim && out->n > MOST / dim)
            image_fail(c->f, c->at - 8, "a shape has too many values");
        out->dim[i] = dim;
        out->n *= dim;
    }
    for (int i = 0; i < out->rank && flags & 1; i++)
        cursor_want(c, 8, out->dim[i], "unsupported extendible shape");
}

size_t type_size(enum image_type t)
{
    return t == IMAGE_TEXT                          ? 16
           : t == IMAGE_DOUBLE || t == IMAGE_LONG ? 8
                                                    : 4;
}

static const struct type {
    enum image_type type;
    int             n; /* number of `bytes` that must match */
    unsigned char   bytes[20]; /* class, version, flags, size, properties */
} types[] = {
    {IMAGE_FLOAT, 20, {0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23,
                       127, 0, 0, 0}},
    {IMAGE_DOUBLE, 20, {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0,
                        52, 0xff, 3, 0, 0}},
    {IMAGE_INT, 12, {0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}},
    {IMAGE_LONG, 12, {0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}},
    /* Strings of variable length.  The character type, which follows these
     * bytes, may be any. */
    {IMAGE_TEXT, 8, {0x19, 1, 1, 0, 16, 0, 0, 0}},
    {IMAGE_TEXT, 8, {0x19, 1, 0, 0, 16, 0, 0, 0}},
};

void read_type(struct cursor *c, struct image_value *out)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct type *t = &types[i];

        if (cursor_left(c) < (uint64_t)t->n ||
            memcmp(c->f->bytes + c->at, t->bytes, (size_t)t->n))
            continue;
        out->type = t->type;
        cursor_skip(c, (uint64_t)t->n);
        return;
    }
    image_fail(c->f, c->at, "unsupported type");
}

/* Reads the type of an attribute.  It becomes IMAGE_OTHER if it is a type that
 * only the attributes of dimension scales have: a string of fixed length, a
 * list of references, or a pair of a reference and a number. */
static void read_any_type(struct cursor *c, struct image_value *out)
{
    enum { FIXED_TEXT = 3, COMPOUND = 6, SEQUENCE = 9 };
    const unsigned char *p = c->f->bytes + c->at;
    int class = cursor_left(c) < 8 ? -1 : *p & 15;

    if (class == FIXED_TEXT || class == COMPOUND ||
        (class == SEQUENCE && !(p[1] & 15)))
        out->type = IMAGE_OTHER;
    else
        read_type(c, out);
}

/* ---- filters ---- */

enum { DEFLATE = 1, SHUFFLE = 2 };

void read_filters(struct cursor c, struct image_value *out)
{
    cursor_want(&c, 1, 1, "unsupported version of filters");
    uint64_t n = cursor_take(&c, 1);

    cursor_skip(&c, 6);
    for (uint64_t i = 0; i < n && !image_failed(c.f); i++) {
        uint64_t id = cursor_take(&c, 2), name = cursor_take(&c, 2);

        cursor_skip(&c, 2);
        uint64_t values = cursor_take(&c, 2);
        cursor_skip(&c, (name + 7) / 8 * 8);
        cursor_skip(&c, 4 * (values + values % 2));
        if (id == SHUFFLE && !out->deflated && !out->shuffled)
            out->shuffled = 1;
        else if (id == DEFLATE && !out->deflated)
            out->deflated = 1;
        else
            image_fail(c.f, c.at, "unsupported filters");
    }
}

/* ---- attributes ---- */

/* Returns the next part of an attribute message (name, type or shape).  Version
 * 1 of the message pads each part to a multiple of 8 bytes. */
static struct cursor part(struct cursor *c, uint64_t n, int padded)
{
    struct cursor p = {c->f, c->at, c->at + n};

    cursor_skip(c, padded ? (n + 7) / 8 * 8 : n);
    return p;
}

void read_attribute(struct cursor c, struct attributes *out)
{
    uint64_t version = cursor_take(&c, 1), flags = cursor_take(&c, 1);
    uint64_t name_n = cursor_take(&c, 2), type_n = cursor_take(&c, 2);
    uint64_t space_n = cursor_take(&c, 2);
    struct image_attribute a = {.name = NULL};
    struct image_value *v = &a.value;

    if ((version != 1 && version != 3) || (version == 3 && flags))
        image_fail(c.f, c.at, "unsupported attribute");
    if (version == 3)
        cursor_skip(&c, 1);
    struct cursor name = part(&c, name_n, version == 1);
    struct cursor type = part(&c, type_n, version == 1);
    struct cursor space = part(&c, space_n, version == 1);
    const unsigned char *text = cursor_bytes(&name, name_n);
    check_name(c.f, text, name_n ? name_n - 1 : 0, c.at);
    if (!image_failed(c.f) && text[name_n - 1])
        image_fail(c.f, name.at, "a name is not terminated");
    a.name = (const char *)text; /* the bytes outlive the image */
    if (!image_failed(c.f))
        read_any_type(&type, v);
    read_space(&space, v);
    v->at = c.at;
    v->bytes = v->type == IMAGE_OTHER ? cursor_left(&c)
                                      : v->n * type_size(v->type);
    cursor_skip(&c, v->bytes);
    if (image_failed(c.f))
        return;
    ARRAY_ROOM(out->list, out->n, out->cap);
    out->list[out->n++] = a;
}
