/* image_private: what the files of `image` share. */
#pragma once

#include "harness/base/arena.h"
#include "harness/store/image.h"

enum { IMAGE_DEPTH = 8 }; /* of groups in groups, and of trees */

struct collection; /* of the global heap */

struct image {
    const unsigned char *bytes;
    uint64_t             n;
    unsigned char       *taken; /* a bit a byte: it has a use already */
    struct collection  **heap;  /* by address / COLLECTION            */
    struct arena        *memory;
    struct image_object *root;
    char                 why[160];
};

/* Reading on: from `at`, not to `end`.  After a failure all is 0. */
struct cursor {
    struct image *f;
    uint64_t      at, end;
};

#define IMAGE_NOWHERE UINT64_MAX /* an address of nothing */

/* Keeps the first reason; returns -1. */
int image_fail(struct image *f, uint64_t at, const char *what);
int image_failed(const struct image *f);

/* The bytes [at, at + n): of the file, and in no other use from now on. */
struct cursor image_claim(struct image *f, uint64_t at, uint64_t n);
/* The same without a claim, for a look ahead; n cut off at the file's end. */
struct cursor image_look(struct image *f, uint64_t at, uint64_t n);

uint64_t cursor_take(struct cursor *c, int bytes); /* little end first */
const unsigned char *cursor_bytes(struct cursor *c, uint64_t n); /* or NULL */
void cursor_skip(struct cursor *c, uint64_t n);
uint64_t cursor_left(const struct cursor *c);
void cursor_expect(struct cursor *c, const char *signature); /* 4 letters */
/* Fails unless the next bytes are this number. */
void cursor_want(struct cursor *c, int bytes, uint64_t value, const char *what);

/* ---- messages (image_message.c) ---- */
struct links { /* of a group */
    struct link { const char *name; uint64_t at, order; } *list;
    size_t n, cap;
};

struct attributes { struct image_attribute *list; size_t n, cap; };

void read_link(struct cursor c, struct links *out);
void read_attribute(struct cursor c, struct attributes *out);
void read_space(struct cursor *c, struct image_value *out);
void read_type(struct cursor *c, struct image_value *out);
void read_filters(struct cursor c, struct image_value *out);
void links_add(struct links *l, struct image *f, const unsigned char *name,
               uint64_t n, uint64_t at, uint64_t order);

/* ---- indices (image_index.c) ---- */

/* What a fractal heap holds, in the order of the tree of names at `tree`:
 * records of `type`, an identifier at byte `id` of each. */
struct index_of { uint64_t heap, tree; int type, id; };
void index_each(struct image *f, const struct index_of *x,
                void (*each)(struct cursor c, void *to), void *to);
/* A symbol table. */
void index_symbols(struct image *f, uint64_t tree, uint64_t heap,
                   struct links *out);
/* Where the chunks of a dataset stand: v->part. */
void index_chunks(struct image *f, uint64_t tree, struct image_value *v);

size_t type_size(enum image_type t); /* in the file */
