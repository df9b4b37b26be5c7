/*
 * Reads indexes (section III of the HDF5 format): version 2 trees over a
 * fractal heap (links and attributes of large objects), symbol tables (groups
 * of the older format), and version 1 trees over chunks.
 */
#include "harness/store/image_private.h"

#include <string.h>

/* ---- fractal heap (III.G) ---- */

enum { ROWS = 32, BLOCK = 1 << 16 };

struct heap {
    struct image *f;
    /* If `rows` is 0, the heap has only one block, at `root`. */
    uint64_t      root, start, most, width, rows;
    /* The sizes in bytes of an identifier, and of the offset and the length
     * that an identifier contains. */
    int           id, offset_bytes, length_bytes;
    uint64_t      block_head; /* bytes of a block before its offset field */
};

/* Returns the number of bytes that can represent numbers up to `x`. */
static int bytes_for(uint64_t x)
{
    int n = 1;

    while (n < 8 && x >> 8 * n)
        n++;
    return n;
}

static int power_of_two(uint64_t x) { return x && !(x & (x - 1)); }

static void open_heap(struct heap *h, struct image *f, uint64_t at)
{
    struct cursor c = image_claim(f, at, 146);
    uint64_t managed, bits;

    *h = (struct heap){.f = f, .block_head = 4 + 1 + 8};
    cursor_expect(&c, "FRHP");
    cursor_want(&c, 1, 0, "unsupported heap version");
    h->id = (int)cursor_take(&c, 2);
    cursor_want(&c, 2, 0, "unsupported heap filters");
    cursor_skip(&c, 1);
    managed = cursor_take(&c, 4);
    cursor_skip(&c, 12 * 8);
    h->width = cursor_take(&c, 2);
    h->start = cursor_take(&c, 8);
    h->most = cursor_take(&c, 8);
    bits = cursor_take(&c, 2);
    cursor_skip(&c, 2);
    h->root = cursor_take(&c, 8);
    h->rows = cursor_take(&c, 2);
    h->offset_bytes = (int)((bits + 7) / 8);
    h->length_bytes = bytes_for(managed < h->most ? managed : h->most);
    if (!image_failed(f) &&
        (h->width < 1 || h->width > 64 || !power_of_two(h->start) ||
         h->start > h->most || h->most > BLOCK || h->rows > ROWS ||
         bits < 1 || bits > 64 ||
         h->id < 1 + h->offset_bytes + h->length_bytes || h->id > 32))
        image_fail(f, at, "unsupported heap");
}

static uint64_t row_size(const struct heap *h, uint64_t row)
{
    return row < 2 ? h->start : h->start << (row - 1);
}

/* Returns the address of the block that contains the heap offset `offset`.
 * Sets *size to the size of the block, and *base to the heap offset of its
 * first byte. */
static uint64_t find_block(struct heap *h, uint64_t offset, uint64_t *base,
                           uint64_t *size)
{
    uint64_t entry = 0;

    *base = 0;
    *size = h->start;
    if (h->rows == 0)
        return h->root;
    for (uint64_t row = 0; row < h->rows; row++, entry += h->width) {
        *size = row_size(h, row);
        if (*size > h->most)
            break;
        if (offset - *base >= h->width * *size) {
            *base += h->width * *size;
            continue;
        }
        uint64_t i = (offset - *base) / *size;
        struct cursor c = image_look(h->f, h->root, UINT64_MAX);
        *base += i * *size;
        cursor_expect(&c, "FHIB");
        cursor_skip(&c, h->block_head - 4 + (uint64_t)h->offset_bytes +
                            8 * (entry + i));
        return cursor_take(&c, 8);
    }
    image_fail(h->f, h->root, "an object is not in its heap");
    return 0;
}

/* Claims the bytes of the object to which the identifier at `id` refers. */
static struct cursor find_object(struct heap *h, struct cursor id)
{
    uint64_t at, base, size;

    cursor_want(&id, 1, 0, "an object is too large for a heap block");
    uint64_t offset = cursor_take(&id, h->offset_bytes);
    uint64_t n = cursor_take(&id, h->length_bytes);
    at = find_block(h, offset, &base, &size);
    struct cursor c = image_look(h->f, at, UINT64_MAX);
    cursor_expect(&c, "FHDB");
    if (offset - base < h->block_head || offset - base > size ||
        n > size - (offset - base))
        image_fail(h->f, at, "an object lies outside its heap block");
    return image_failed(h->f) ? c : image_claim(h->f, at + offset - base, n);
}

/* ---- version 2 trees (III.A.2) ---- */

struct tree {
    struct image *f;
    int           type;
    uint64_t      record;
    /* For a node at height `d` above the leaves: most[d] is the number of
     * records that fit into it.  total[d] is the number of bytes of the field
     * that counts all records of its subtree. */
    uint64_t      most[IMAGE_DEPTH];
    int           total[IMAGE_DEPTH];
    int           count; /* bytes of the field that counts a node's records */
    const struct index_of *x;
    struct heap   heap;
    void        (*object)(struct cursor c, void *to);
    void         *to;
};

enum { NODE = 10 }; /* signature, version, type, and checksum */

/* Returns the size in bytes of a pointer to a node at height `d`.  A pointer is
 * the address of the node, its number of records and, unless the node is a
 * leaf, the number of records of its subtree. */
static uint64_t pointer_size(const struct tree *t, int d)
{
    return 8 + (uint64_t)t->count + (d ? (uint64_t)t->total[d] : 0);
}

/* Computes the maximum number of records of a node at each height.  These
 * maxima determine how many bytes a pointer uses for the numbers of records. */
static void node_sizes(struct tree *t, uint64_t node, uint64_t depth)
{
    uint64_t all = 0;

    for (int d = 0; d <= (int)depth; d++) {
        uint64_t pointer = d ? pointer_size(t, d - 1) : 0;

        if (node < NODE + pointer + t->record) {
            image_fail(t->f, 0, "the nodes of a tree are too small");
            return;
        }
        t->most[d] = (node - NODE - pointer) / (t->record + pointer);
        all = d ? (t->most[d] + 1) * all + t->most[d] : t->most[d];
        t->count = d ? t->count : bytes_for(all);
        t->total[d] = bytes_for(all);
    }
}

static void one_record(struct tree *t, struct cursor c)
{
    c.at += (uint64_t)t->x->id;
    c.end = c.at + (uint64_t)t->heap.id;
    struct cursor object = find_object(&t->heap, c);

    if (!image_failed(t->f))
        t->object(object, t->to);
}

static void walk(struct tree *t, uint64_t at, uint64_t records, int depth)
{
    uint64_t body = records * t->record;

    if (records > t->most[depth]) {
        image_fail(t->f, at, "a tree node has too many records");
        return;
    }
    if (depth)
        body += (records + 1) * pointer_size(t, depth - 1);
    struct cursor c = image_claim(t->f, at, 6 + body);
    cursor_expect(&c, depth ? "BTIN" : "BTLF");
    cursor_want(&c, 1, 0, "unsupported tree version");
    cursor_want(&c, 1, (uint64_t)t->type, "unexpected tree type");
    for (uint64_t i = 0; i < records && !image_failed(t->f); i++) {
        one_record(t, (struct cursor){t->f, c.at, c.at + t->record});
        cursor_skip(&c, t->record);
    }
    for (uint64_t i = 0; depth && i <= records && !image_failed(t->f); i++) {
        uint64_t child = cursor_take(&c, 8);
        uint64_t n = cursor_take(&c, t->count);

        cursor_skip(&c, depth > 1 ? (uint64_t)t->total[depth - 1] : 0);
        walk(t, child, n, depth - 1);
    }
}

static void open_tree(struct tree *t, uint64_t at, uint64_t record)
{
    struct cursor c = image_claim(t->f, at, 38);
    uint64_t node, depth, root, records;

    cursor_expect(&c, "BTHD");
    cursor_want(&c, 1, 0, "unsupported tree version");
    cursor_want(&c, 1, (uint64_t)t->type, "unexpected tree type");
    node = cursor_take(&c, 4);
    cursor_want(&c, 2, record, "unexpected record size of a tree");
    depth = cursor_take(&c, 2);
    cursor_skip(&c, 2);
    root = cursor_take(&c, 8);
    records = cursor_take(&c, 2);
    t->record = record;
    if (node > BLOCK || depth >= IMAGE_DEPTH)
        image_fail(t->f, at, "unsupported tree");
    if (!image_failed(t->f))
        node_sizes(t, node, depth);
    if (!image_failed(t->f) && records)
        walk(t, root, records, (int)depth);
}

void index_each(struct image *f, const struct index_of *x,
                void (*each)(struct cursor c, void *to), void *to)
{
    struct tree t = {.f = f, .type = x->type, .x = x, .object = each,
                     .to = to};

    if (x->heap == IMAGE_NOWHERE)
        return; /* all links or attributes are in the object header */
    open_heap(&t.heap, f, x->heap);
    /* The record of a link is a hash (4 bytes) and the identifier; the record
     * of an attribute is the identifier and 9 more bytes. */
    if (!image_failed(f))
        open_tree(&t, x->tree, (uint64_t)t.heap.id + (x->id ? 4 : 9));
}

/* ---- version 1 trees (III.A.1): a key, a child, a key, ... ---- */

/* Claims a node, sets *used to its number of children, and returns a cursor at
 * its first key.  `key` is the size of a key in bytes. */
static struct cursor open_node(struct image *f, uint64_t at, int type,
                               int level, uint64_t key, uint64_t *used)
{
    struct cursor c = image_look(f, at, 24);

    cursor_expect(&c, "TREE");
    cursor_want(&c, 1, (uint64_t)type, "unexpected tree type");
    uint64_t height = cursor_take(&c, 1);
    *used = cursor_take(&c, 2);
    if (level >= 0 ? height != (uint64_t)level : height >= IMAGE_DEPTH)
        image_fail(f, at, "a tree has another height than declared");
    cursor_skip(&c, 16);
    uint64_t n = *used * (key + 8) + key;
    image_claim(f, at, 24 + n);
    c.end += n;
    return c;
}

static int level_of(struct image *f, uint64_t at)
{
    struct cursor c = image_look(f, at, 24);

    cursor_skip(&c, 5);
    return (int)cursor_take(&c, 1);
}

struct symbols { struct links *out; struct cursor names; };

static void read_symbol(struct cursor *c, struct symbols *s)
{
    struct image *f = c->f;
    uint64_t name = cursor_take(c, 8), at = cursor_take(c, 8);

    if (cursor_take(c, 4) > 1)
        image_fail(f, c->at - 4, "unsupported soft link");
    cursor_skip(c, 20);
    struct cursor names = s->names;
    cursor_skip(&names, name);
    uint64_t left = cursor_left(&names);
    left = left > IMAGE_NAME + 1 ? IMAGE_NAME + 1 : left;
    const unsigned char *text = f->bytes + names.at;
    const unsigned char *end = left ? memchr(text, 0, left) : NULL;
    if (!end)
        image_fail(f, c->at, "a name is not terminated");
    if (!image_failed(f))
        links_add(s->out, f, text, (uint64_t)(end - text), at, s->out->n);
}

static void read_symbols(struct image *f, uint64_t at, struct symbols *s)
{
    struct cursor c = image_look(f, at, 8);

    cursor_expect(&c, "SNOD");
    cursor_want(&c, 2, 1, "unsupported symbol table version");
    uint64_t n = cursor_take(&c, 2);
    image_claim(f, at, 8 + 40 * n);
    c.end += 40 * n;
    for (uint64_t i = 0; i < n && !image_failed(f); i++)
        read_symbol(&c, s);
}

static void walk_symbols(struct image *f, uint64_t at, int level,
                         struct symbols *s)
{
    uint64_t used;
    struct cursor c = open_node(f, at, 0, level, 8, &used);

    for (uint64_t i = 0; i < used && !image_failed(f); i++) {
        cursor_skip(&c, 8);
        uint64_t child = cursor_take(&c, 8);
        if (level)
            walk_symbols(f, child, level - 1, s);
        else
            read_symbols(f, child, s);
    }
}

void index_symbols(struct image *f, uint64_t tree, uint64_t heap,
                   struct links *out)
{
    struct cursor c = image_claim(f, heap, 32);
    struct symbols s = {.out = out};
    int level = level_of(f, tree);

    cursor_expect(&c, "HEAP");
    cursor_want(&c, 4, 0, "unsupported heap version");
    uint64_t n = cursor_take(&c, 8);
    cursor_skip(&c, 8);
    s.names = image_claim(f, cursor_take(&c, 8), n);
    if (level >= IMAGE_DEPTH)
        image_fail(f, tree, "a tree has too many levels");
    if (!image_failed(f))
        walk_symbols(f, tree, level, &s);
}

/* ---- chunks ---- */

/* Reads the index entry of a chunk.  A chunk may skip a filter: deflate if it
 * would make the chunk larger, shuffle for strings.  One byte of deflated data
 * expands to at most 1032 bytes. */
static void read_chunk(struct cursor *c, struct image_value *v, int most)
{
    struct image_chunk *k = &v->part[v->chunks];
    uint64_t size = v->chunk * type_size(v->type), at = c->at;

    k->bytes = cursor_take(c, 4);
    uint64_t passed = cursor_take(c, 4);
    k->shuffled = v->shuffled && !(passed & 1);
    k->deflated = v->deflated && !(passed >> v->shuffled & 1);
    k->first = cursor_take(c, 8) * (v->n / v->dim[0]);
    /* The offsets in the other dimensions and within a value are 0. */
    for (int i = 0; i < v->rank; i++)
        cursor_want(c, 8, 0, "unexpected chunk shape");
    k->at = cursor_take(c, 8);
    if (image_failed(c->f))
        return;
    if (v->chunks >= most || k->first != (uint64_t)v->chunks * v->chunk ||
        (k->deflated ? k->bytes < size / 1040 : k->bytes != size))
        image_fail(c->f, at, "chunks do not match their dataset");
    image_claim(c->f, k->at, k->bytes);
    v->chunks++;
}

static void walk_chunks(struct image *f, uint64_t at, int level,
                        struct image_value *v, int most)
{
    uint64_t used, key = 16 + 8 * (uint64_t)v->rank;
    struct cursor c = open_node(f, at, 1, level, key, &used);

    for (uint64_t i = 0; i < used && !image_failed(f); i++) {
        if (level == 0) {
            read_chunk(&c, v, most);
            continue;
        }
        cursor_skip(&c, key);
        walk_chunks(f, cursor_take(&c, 8), level - 1, v, most);
    }
}

void index_chunks(struct image *f, uint64_t tree, struct image_value *v)
{
    uint64_t most = (v->n + v->chunk - 1) / v->chunk;
    int level = level_of(f, tree);

    if (image_failed(f))
        return;
    if (most > f->n / 32 || level >= IMAGE_DEPTH) {
        image_fail(f, tree, "a dataset is declared larger than the file can "
                   "hold");
        return;
    }
    v->part = arena_take(f->memory, (most + 1) * sizeof *v->part);
    walk_chunks(f, tree, level, v, (int)most);
    if ((uint64_t)v->chunks != most)
        image_fail(f, tree, "chunks of a dataset are missing");
}
