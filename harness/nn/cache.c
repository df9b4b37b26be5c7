#include "harness/nn/cache.h"

#include "harness/base/err.h"

enum { SLOTS = 256 };

struct cache {
    struct arena         *memory;
    const struct backend *be;
    int                   b, cap, next;
    tensor                slot[SLOTS]; /* x is NULL: not yet filled */
};

struct cache *cache_new(struct arena *a, const struct backend *be, int b,
                        int cap)
{
    struct cache *c = arena_zero(a, sizeof *c);

    c->memory = a;
    c->be = be;
    c->b = b;
    c->cap = cap;
    return c;
}

void cache_begin(struct cache *c) { c->next = 0; }

static tensor *next_slot(struct cache *c)
{
    REQUIRE(c->next < SLOTS, "more than %d slots", SLOTS);
    return &c->slot[c->next++];
}

static void fill(struct cache *c, tensor *slot, int rows, int d)
{
    *slot = (tensor){.nd = 3, .dim = {c->b, rows, d}};
    size_t bytes = tensor_len(slot) * sizeof(real);
    slot->x = arena_take(c->memory, bytes);
    c->be->zero(slot->x, bytes);
}

tensor *cache_extend(struct cache *c, const tensor *y, int from)
{
    size_t n = (size_t)y->dim[1], d = (size_t)y->dim[2], cap = (size_t)c->cap;
    tensor *slot = next_slot(c);

    REQUIRE(from + y->dim[1] <= c->cap && y->dim[0] == c->b,
            "position %d of %d, %d rows of %d", from, c->cap, y->dim[0], c->b);
    if (!slot->x)
        fill(c, slot, c->cap, y->dim[2]);
    for (size_t b = 0; b < (size_t)c->b; b++)
        c->be->put(slot->x + (b * cap + (size_t)from) * d, y->x + b * n * d,
                   n * d * sizeof(real));
    return slot;
}

tensor *cache_kept(struct cache *c)
{
    REQUIRE(c->next < SLOTS, "more than %d slots", SLOTS);
    return c->slot[c->next].x ? &c->slot[c->next++] : NULL;
}

tensor *cache_keep(struct cache *c, const tensor *y)
{
    tensor *slot = next_slot(c);

    fill(c, slot, y->dim[1], y->dim[2]);
    c->be->put(slot->x, y->x, tensor_len(y) * sizeof(real));
    return slot;
}
