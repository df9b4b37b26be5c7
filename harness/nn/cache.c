#include "harness/nn/cache.h"

#include "harness/base/err.h"

struct slot {
    tensor       y;     /* x is NULL: not yet filled       */
    real        *spare; /* as much again, for cache_select */
    int          once;  /* computed once, for a sentence   */
    struct slot *next;
};

struct cache {
    struct arena         *memory;
    const struct backend *be;
    int                   b, cap;
    size_t                bytes;
    struct slot          *first, **next; /* in the order of the layers */
};

struct cache *cache_new(struct arena *a, const struct backend *be, int b,
                        int cap)
{
    struct cache *c = arena_zero(a, sizeof *c);

    c->memory = a;
    c->be = be;
    c->b = b;
    c->cap = cap;
    cache_begin(c);
    return c;
}

size_t cache_bytes(const struct cache *c) { return c->bytes; }

void cache_begin(struct cache *c) { c->next = &c->first; }

static struct slot *next_slot(struct cache *c)
{
    struct slot *s = *c->next;

    if (!s)
        s = *c->next = arena_zero(c->memory, sizeof *s);
    c->next = &s->next;
    return s;
}

static real *take(struct cache *c, size_t bytes)
{
    static real nothing[1];

    c->bytes += bytes;
    return c->be == &backend_dry ? nothing : arena_take(c->memory, bytes);
}

static void fill(struct cache *c, struct slot *s, int rows, int d, int once)
{
    s->y = (tensor){.nd = 3, .dim = {c->b, rows, d}};
    size_t bytes = tensor_len(&s->y) * sizeof(real);
    s->y.x = take(c, bytes);
    s->once = once;
    c->be->zero(s->y.x, bytes);
}

/* Do rows only move up, so that none is read after it was written? */
static int ascending(const int *row, int n)
{
    for (int i = 0; i < n; i++)
        if (row[i] < (i ? row[i - 1] + 1 : 0))
            return 0;
    return 1;
}

static void select_rows(struct cache *c, struct slot *s, const int *row, int n,
                        int positions)
{
    size_t d = (size_t)s->y.dim[2], one = (size_t)s->y.dim[1] * d;
    size_t used = (size_t)positions * d * sizeof(real);
    int in_place = ascending(row, n);
    real *old = s->y.x;

    if (!in_place && !s->spare) {
        s->spare = take(c, (size_t)c->b * one * sizeof(real));
        c->be->zero(s->spare, (size_t)c->b * one * sizeof(real));
    }
    real *to = in_place ? old : s->spare;
    for (int i = 0; i < n; i++)
        if (!in_place || row[i] != i)
            c->be->put(to + (size_t)i * one, old + (size_t)row[i] * one, used);
    if (in_place)
        return;
    s->y.x = to;
    s->spare = old;
}

void cache_select(struct cache *c, const int *row, int n, int from, int same)
{
    REQUIRE(n <= c->b, "%d rows of %d", n, c->b);
    for (struct slot *s = c->first; s; s = s->next) {
        if (!s->once || !same)
            select_rows(c, s, row, n, s->once ? s->y.dim[1] : from);
        s->y.dim[0] = n;
    }
    c->b = n;
}

tensor *cache_extend(struct cache *c, const tensor *y, int from)
{
    size_t n = (size_t)y->dim[1], d = (size_t)y->dim[2], cap = (size_t)c->cap;
    struct slot *s = next_slot(c);

    REQUIRE(from + y->dim[1] <= c->cap && y->dim[0] == c->b,
            "position %d of %d, %d rows of %d", from, c->cap, y->dim[0], c->b);
    if (!s->y.x)
        fill(c, s, c->cap, y->dim[2], 0);
    for (size_t b = 0; b < (size_t)c->b; b++)
        c->be->put(s->y.x + (b * cap + (size_t)from) * d, y->x + b * n * d,
                   n * d * sizeof(real));
    return &s->y;
}

tensor *cache_kept(struct cache *c)
{
    return *c->next ? &next_slot(c)->y : NULL;
}

tensor *cache_keep(struct cache *c, const tensor *y)
{
    struct slot *s = next_slot(c);

    fill(c, s, y->dim[1], y->dim[2], 1);
    c->be->put(s->y.x, y->x, tensor_len(y) * sizeof(real));
    return &s->y;
}
