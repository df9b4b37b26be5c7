/*
 * Reads the structure of a file: superblock, object headers, groups.  See "HDF5
 * File Format Specification Version 3.0", II.A and IV.A.1; the other image_*.c
 * files also cite sections of it.
 */
#include "harness/store/image.h"

#include "harness/store/image_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- object headers ---- */

/* The contents of the messages of one object header. */
enum { PARTS = 64 };
struct header {
    struct image_object *o;
    struct links         links;
    struct attributes    attributes;
    struct index_of      more_links, more_attributes;
    uint64_t             tree, heap; /* addresses of a symbol table */
    struct cursor        layout, filters;
    unsigned             seen; /* one bit per message type */
    int                  parts;
    struct { uint64_t at, n; } part[PARTS]; /* continuations of the header */
};

enum message {
    NIL = 0, SPACE = 1, LINK_INFO = 2, TYPE = 3, OLD_FILL = 4, FILL = 5,
    LINK = 6, LAYOUT = 8, GROUP_INFO = 10, FILTERS = 11, ATTRIBUTE = 12,
    CONTINUATION = 16, SYMBOLS = 17, CHANGED = 18, ATTRIBUTE_INFO = 21
};

enum { MANY = 1 << NIL | 1 << LINK | 1 << ATTRIBUTE | 1 << CONTINUATION };

static void add_part(struct header *h, struct cursor c)
{
    uint64_t at = cursor_take(&c, 8), n = cursor_take(&c, 8);

    if (h->parts == PARTS) {
        image_fail(c.f, c.at, "an object header has too many parts");
        return;
    }
    h->part[h->parts].at = at;
    h->part[h->parts++].n = n;
}

/* Reads a message "link info" or "attribute info", which has the addresses of
 * the heap and of the tree of names.  `order` is the number of bytes of an
 * optional field, the largest creation order, which is skipped. */
static void read_info(struct cursor c, struct index_of *out, int order,
                      int type, int id)
{
    cursor_want(&c, 1, 0, "unsupported index version");
    int flags = (int)cursor_take(&c, 1);

    if (flags & 1)
        cursor_skip(&c, (uint64_t)order);
    *out = (struct index_of){.type = type, .id = id};
    out->heap = cursor_take(&c, 8);
    out->tree = cursor_take(&c, 8);
}

static void read_message(struct header *h, int type, int flags, struct cursor c)
{
    unsigned bit = type < 32 ? 1u << type : 0;

    if (flags & 2 || (h->seen & bit & ~(unsigned)MANY)) {
        image_fail(c.f, c.at, "shared or duplicate header message");
        return;
    }
    h->seen |= bit;
    switch (type) {
    case SPACE: read_space(&c, &h->o->value); break;
    case TYPE: read_type(&c, &h->o->value); break;
    case LINK: read_link(c, &h->links); break;
    case ATTRIBUTE: read_attribute(c, &h->attributes); break;
    case LINK_INFO: read_info(c, &h->more_links, 8, 5, 4); break;
    case ATTRIBUTE_INFO: read_info(c, &h->more_attributes, 2, 8, 0); break;
    case CONTINUATION: add_part(h, c); break;
    case LAYOUT: h->layout = c; break;
    case FILTERS: h->filters = c; break;
    case SYMBOLS:
        h->tree = cursor_take(&c, 8);
        h->heap = cursor_take(&c, 8);
        break;
    case NIL: case OLD_FILL: case FILL: case GROUP_INFO: case CHANGED: break;
    default:
        image_fail(c.f, c.at, "unsupported header message (external files, "
                   "shared parts, ...)");
    }
}

/* Reads messages up to the end of a part.  `head` is the number of bytes before
 * the body of each message. */
static void read_messages(struct header *h, struct cursor c, int version,
                          int ordered)
{
    uint64_t head = version == 1 ? 8 : ordered ? 6 : 4;

    while (cursor_left(&c) >= head) {
        int type = (int)cursor_take(&c, version == 1 ? 2 : 1);
        uint64_t n = cursor_take(&c, 2);
        int flags = (int)cursor_take(&c, 1);
        struct cursor body;

        cursor_skip(&c, version == 1 ? 3 : ordered ? 2 : 0);
        body = (struct cursor){c.f, c.at, c.at + n};
        cursor_skip(&c, n);
        if (!image_failed(c.f))
            read_message(h, type, flags, body);
    }
}

static void read_part(struct header *h, struct image *f, int i, int version,
                      int ordered)
{
    struct cursor c = image_claim(f, h->part[i].at, h->part[i].n);

    if (version == 2) {
        cursor_expect(&c, "OCHK");
        if (cursor_left(&c) < 4)
            image_fail(f, c.at, "a part of an object header is truncated");
        else
            c.end -= 4; /* excludes the checksum */
    }
    read_messages(h, c, version, ordered);
}

static void read_header(struct header *h, struct image *f, uint64_t at)
{
    struct cursor c = image_look(f, at, UINT64_MAX);
    int version = 2, ordered = 0;
    uint64_t n;

    if (cursor_left(&c) && f->bytes[at] == 'O') {
        cursor_expect(&c, "OHDR");
        cursor_want(&c, 1, 2, "unsupported object header version");
        int flags = (int)cursor_take(&c, 1);
        ordered = flags >> 2 & 1;
        cursor_skip(&c, (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
        n = cursor_take(&c, 1 << (flags & 3));
    } else {
        version = 1;
        cursor_want(&c, 2, 1, "unsupported object header version");
        cursor_skip(&c, 6);
        n = cursor_take(&c, 4);
        cursor_skip(&c, 4);
    }
    if (n > cursor_left(&c)) {
        image_fail(f, at, "an object header is truncated");
        return;
    }
    image_claim(f, at, c.at + n + (version == 2 ? 4 : 0) - at);
    c.end = c.at + n;
    read_messages(h, c, version, ordered);
    for (int i = 0; i < h->parts && !image_failed(f); i++)
        read_part(h, f, i, version, ordered);
}

/* ---- values of a dataset ---- */

/* CHUNK is the maximum number of values of a chunk.  A chunked dataset has at
 * most ROOM + RATIO * n bytes, where n is the size of the file. */
enum { CHUNK = 1 << 16, ROOM = 16 << 20, RATIO = 64 };

static void place_chunked(struct cursor c, struct image_value *v)
{
    uint64_t tree, rows, row = 1;

    cursor_want(&c, 1, (uint64_t)v->rank + 1, "chunks have another rank than "
                "their dataset");
    tree = cursor_take(&c, 8);
    rows = cursor_take(&c, 4);
    for (int i = 1; i < v->rank; row *= v->dim[i++])
        cursor_want(&c, 4, v->dim[i], "chunks do not cover whole rows");
    cursor_want(&c, 4, type_size(v->type), "chunks have another value size "
                "than their dataset");
    if (!v->rank || !rows || rows > CHUNK || row > CHUNK || rows * row > CHUNK)
        image_fail(c.f, c.at, "unsupported chunk shape");
    if (v->n * type_size(v->type) > ROOM + RATIO * c.f->n)
        image_fail(c.f, c.at, "a dataset is far larger than the file");
    v->chunk = rows * row;
    if (!image_failed(c.f) && v->n)
        index_chunks(c.f, tree, v);
}

static void place(struct header *h, struct image_value *v)
{
    struct cursor c = h->layout, filters = h->filters;
    uint64_t size = v->n * type_size(v->type);

    if (h->seen & 1 << FILTERS)
        read_filters(filters, v);
    cursor_want(&c, 1, 3, "unsupported layout version");
    switch (cursor_take(&c, 1)) {
    case 0: /* compact */
        v->bytes = cursor_take(&c, 2);
        v->at = c.at;
        cursor_skip(&c, v->bytes);
        break;
    case 1: /* contiguous */
        v->at = cursor_take(&c, 8);
        v->bytes = cursor_take(&c, 8);
        if (v->n && v->bytes != size)
            image_fail(c.f, c.at, "values are missing");
        else if (v->n)
            image_claim(c.f, v->at, size);
        break;
    case 2: place_chunked(c, v); break;
    default: image_fail(c.f, c.at, "unsupported layout");
    }
    if (!v->chunk && v->n && (v->bytes < size || v->deflated || v->shuffled))
        image_fail(c.f, c.at, "values are missing");
}

/* ---- objects ---- */

static void one_link(struct cursor c, void *to) { read_link(c, to); }
static void one_attribute(struct cursor c, void *to) { read_attribute(c, to); }

static int by_order(const void *a, const void *b)
{
    const struct link *x = a, *y = b;

    return (x->order > y->order) - (x->order < y->order);
}

static struct image_object *open_object(struct image *f, const char *name,
                                        uint64_t at, int depth);

static void open_children(struct image *f, struct header *h, int depth)
{
    struct image_object *o = h->o;

    if (h->seen & 1 << SYMBOLS)
        index_symbols(f, h->tree, h->heap, &h->links);
    if (h->seen & 1 << LINK_INFO)
        index_each(f, &h->more_links, one_link, &h->links);
    if (image_failed(f) || !h->links.n)
        return;
    qsort(h->links.list, h->links.n, sizeof *h->links.list, by_order);
    o->child = arena_zero(f->memory, h->links.n * sizeof(void *));
    o->children = h->links.n;
    for (size_t i = 0; i < o->children && !image_failed(f); i++)
        o->child[i] = open_object(f, h->links.list[i].name,
                                  h->links.list[i].at, depth + 1);
}

static void open_kind(struct image *f, struct header *h, uint64_t at, int depth)
{
    unsigned data = 1 << SPACE | 1 << TYPE | 1 << LAYOUT;
    unsigned group = 1 << SYMBOLS | 1 << LINK_INFO;

    h->o->is_data = (h->seen & data) == data;
    if (!h->o->is_data == !(h->seen & group) ||
        (!h->o->is_data && h->seen & data))
        image_fail(f, at, "an object is neither a group nor a dataset");
    else if (h->o->is_data)
        place(h, &h->o->value);
    else if (depth == IMAGE_DEPTH)
        image_fail(f, at, "groups are nested too deeply");
    else
        open_children(f, h, depth);
}

static struct image_object *open_object(struct image *f, const char *name,
                                        uint64_t at, int depth)
{
    OWNED(free) struct header *h = calloc(1, sizeof *h);
    struct image_object *o = arena_zero(f->memory, sizeof *o);

    h->o = o;
    o->name = name;
    read_header(h, f, at);
    if (!image_failed(f) && h->seen & 1 << ATTRIBUTE_INFO)
        index_each(f, &h->more_attributes, one_attribute, &h->attributes);
    if (!image_failed(f))
        open_kind(f, h, at, depth);
    o->attributes = h->attributes.n;
    o->attribute = arena_take(f->memory, o->attributes * sizeof *o->attribute);
    if (o->attributes)
        memcpy(o->attribute, h->attributes.list,
               o->attributes * sizeof *o->attribute);
    free(h->attributes.list);
    free(h->links.list);
    return o;
}

/* ---- the file ---- */

static uint64_t read_superblock(struct image *f)
{
    static const unsigned char head[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a,
                                         '\n', 0, 0, 0, 0, 0, 8, 8, 0};
    struct cursor c = image_claim(f, 0, 96);
    const unsigned char *p = cursor_bytes(&c, sizeof head);

    if (p && memcmp(p, head, 8))
        image_fail(f, 0, "not an HDF5 file");
    else if (p && memcmp(p, head, sizeof head))
        image_fail(f, 8, "unsupported HDF5 file format (with h5py, use "
                   "libver='earliest')");
    cursor_skip(&c, 8); /* sizes of nodes, and flags */
    cursor_want(&c, 8, 0, "unsupported base address");
    cursor_skip(&c, 8);
    if (cursor_take(&c, 8) > f->n)
        image_fail(f, f->n, "the file is truncated");
    cursor_want(&c, 8, IMAGE_NOWHERE, "the file needs a special HDF5 driver");
    cursor_skip(&c, 8);
    return cursor_take(&c, 8);
}

int image_open(struct image **out, const void *bytes, size_t n)
{
    struct image *f = calloc(1, sizeof *f);

    *out = f;
    f->bytes = bytes;
    f->n = n;
    f->memory = arena_new();
    f->taken = arena_zero(f->memory, n / 8 + 1);
    f->heap = arena_zero(f->memory, (n / 4096 + 1) * sizeof *f->heap);
    uint64_t root = read_superblock(f);
    if (!image_failed(f))
        f->root = open_object(f, "", root, 0);
    if (!image_failed(f) && f->root->is_data)
        image_fail(f, root, "the root is not a group");
    return image_failed(f) ? -1 : 0;
}

void image_close(struct image *f)
{
    if (!f)
        return;
    arena_free(f->memory);
    free(f);
}

const struct image_object *image_root(const struct image *f)
{
    return f->root;
}

static const struct image_object *child_of(const struct image_object *o,
                                           const char *name, size_t n)
{
    for (size_t i = 0; i < o->children; i++)
        if (!strncmp(o->child[i]->name, name, n) && !o->child[i]->name[n])
            return o->child[i];
    return NULL;
}

const struct image_object *image_find(const struct image *f, const char *path)
{
    const struct image_object *o = f->root;

    while (o && *path) {
        size_t n = strcspn(path, "/");

        o = child_of(o, path, n);
        path += n + (path[n] == '/');
    }
    return o;
}

const struct image_attribute *image_attribute(const struct image_object *o,
                                              const char *name)
{
    for (size_t i = 0; i < o->attributes; i++)
        if (!strcmp(o->attribute[i].name, name))
            return &o->attribute[i];
    return NULL;
}
