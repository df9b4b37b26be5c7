/* image_private: declarations that image.c and the image_*.c files share:
 * functions that mark bytes of the file as used, cursors that read these bytes,
 * and parsers of HDF5's messages and indexes. */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/image.h"

enum { IMAGE_DEPTH = 8 }; /* maximum nesting of groups, and of trees */

struct collection; /* a block of HDF5's global heap, which stores texts */

struct image {
    const unsigned char *bytes;
    uint64_t             n;
    unsigned char       *taken; /* one bit per byte: already used */
    struct collection  **heap;  /* [address / COLLECTION], image_value.c */
    struct arena        *memory;
    struct image_object *root;
    char                 why[160];
};

/* A position for reading: from `at` up to, but excluding, `end`.  After a
 * failure every read returns 0. */
struct cursor {
    struct image *f;
    uint64_t      at, end;
};

#define IMAGE_NOWHERE UINT64_MAX /* the undefined address */

/* Records the failure `what` at address `at`, unless a failure is already
 * recorded, and returns -1. */
int image_fail(struct image *f, uint64_t at, const char *what);
int image_failed(const struct image *f);

/* Marks the bytes [`at`, `at` + `n`) as used and returns a cursor over them.
 * Fails if they are not in the file or are already marked. */
struct cursor image_claim(struct image *f, uint64_t at, uint64_t n);
/* Returns a cursor over the bytes [`at`, `at` + `n`), or up to the end of the
 * file if it comes first, without marking the bytes. */
struct cursor image_look(struct image *f, uint64_t at, uint64_t n);

uint64_t cursor_take(struct cursor *c, int bytes); /* little-endian */
const unsigned char *cursor_bytes(struct cursor *c, uint64_t n); /* or NULL */
void cursor_skip(struct cursor *c, uint64_t n);
uint64_t cursor_left(const struct cursor *c);
void cursor_expect(struct cursor *c, const char *signature); /* 4 bytes */
/* Reads a number of `bytes` bytes, and fails with the reason `what` unless it
 * is `value`. */
void cursor_want(struct cursor *c, int bytes, uint64_t value, const char *what);

/* ---- messages (image_message.c) ---- */
struct links { /* the links of a group */
    struct link { const char *name; uint64_t at, order; } *list;
    size_t n, cap;
};

struct attributes { struct image_attribute *list; size_t n, cap; };

/* The functions read_... parse a message of an object header, or a part of one.
 * read_link and read_attribute append to `out`; the others set members of
 * `out`. */
void read_link(struct cursor c, struct links *out);
void read_attribute(struct cursor c, struct attributes *out);
void read_space(struct cursor *c, struct image_value *out);
void read_type(struct cursor *c, struct image_value *out);
void read_filters(struct cursor c, struct image_value *out);
void links_add(struct links *l, struct image *f, const unsigned char *name,
               uint64_t n, uint64_t at, uint64_t order);

/* ---- indexes (image_index.c) ---- */

/* The index of the objects in the fractal heap at the address `heap`: a tree at
 * the address `tree`, sorted by name.  Its records have the type `type`, and
 * each record has the identifier of an object at byte `id`. */
struct index_of { uint64_t heap, tree; int type, id; };
/* Calls `each` for every object in the index, in the order of the tree. */
void index_each(struct image *f, const struct index_of *x,
                void (*each)(struct cursor c, void *to), void *to);
/* Appends the links of a symbol table to `out`. */
void index_symbols(struct image *f, uint64_t tree, uint64_t heap,
                   struct links *out);
/* Sets v->part, the places of the chunks of a dataset. */
void index_chunks(struct image *f, uint64_t tree, struct image_value *v);

size_t type_size(enum image_type t); /* bytes in the file */
