#include "harness/nn/cache.h"

#include "harness/base/err.h"

enum { KEYS = 16 }; /* number of keys at the first position */

struct slot {
    tensor       y;     /* x NULL: not allocated yet       */
    real        *spare; /* second buffer, for cache_select */
    size_t       room;  /* bytes of each buffer            */
    int          once;  /* 1: computed once for a sentence */
    struct slot *next;
};

struct cache {
    struct arena         *memory, *data;
    const struct backend *be;
    int                   b, cap, keys;
    size_t                bytes;
    struct slot          *first, **next; /* in the order of the layers */
};

struct cache *cache_new(struct arena *a, const struct tape *t, int b, int cap)
{
    struct cache *c = arena_zero(a, sizeof *c);

    c->memory = a;
    c->data = t->kept;
    c->be = t->be;
    c->b = b;
    c->cap = cap;
    c->keys = cap < KEYS ? cap : KEYS;
    c->next = &c->first;
    return c;
}

size_t cache_bytes(const struct cache *c) { return c->bytes; }

static void spread(struct cache *c, struct slot *s, size_t keys)
{
    size_t d = (size_t)s->y.dim[2], old = (size_t)s->y.dim[1];

    c->be->spread(c->b, old * d, keys * d, s->y.x);
    s->y.dim[1] = (int)keys;
}

int cache_begin(struct cache *c, int from)
{
    int keys = c->keys;

    while (keys <= from)
        keys *= 2;
    keys = keys < c->cap ? keys : c->cap;
    for (struct slot *s = c->first; s && keys > c->keys; s = s->next)
        if (!s->once)
            spread(c, s, (size_t)keys);
    c->keys = keys;
    c->next = &c->first;
    return keys;
}

static struct slot *next_slot(struct cache *c)
{
    struct slot *s = *c->next;

    if (!s)
        s = *c->next = arena_zero(c->memory, sizeof *s);
    c->next = &s->next;
    return s;
}

static real *take_bytes(struct cache *c, size_t bytes)
{
    c->bytes += bytes;
    return arena_take(c->data, bytes);
}

/* Allocates the slot (b,rows,d), with zeros and room for `most` rows. */
static void fill(struct cache *c, struct slot *s, int rows, int most, int d)
{
    s->y = (tensor){.nd = 3, .dim = {c->b, rows, d}};
    s->room = (size_t)c->b * (size_t)most * (size_t)d * sizeof(real);
    s->y.x = take_bytes(c, s->room);
    c->be->zero(s->y.x, s->room);
}

/* Returns 1 if row[] is strictly ascending.  If so, copying row row[i] to row i
 * in ascending order reads no row after it was overwritten. */
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
    size_t used = (size_t)positions * d;
    int in_place = ascending(row, n);
    real *old = s->y.x;

    if (!in_place && !s->spare) {
        s->spare = take_bytes(c, s->room);
        c->be->zero(s->spare, s->room);
    }
    real *to = in_place ? old : s->spare;
    if (n)
        c->be->gather((size_t)n, used, one, row, old, to);
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
    size_t n = (size_t)y->dim[1], d = (size_t)y->dim[2];
    size_t keys = (size_t)c->keys;
    struct slot *s = next_slot(c);

    REQUIRE(from + y->dim[1] <= c->keys && y->dim[0] == c->b,
            "position %d of %d, %d rows of %d", from, c->keys, y->dim[0],
            c->b);
    if (!s->y.x)
        fill(c, s, c->keys, c->cap, y->dim[2]);
    struct blocks rows = {1, (size_t)c->b, n * d, {0, n * d}, {0, keys * d}};
    c->be->copy_blocks(&rows, y->x, s->y.x + (size_t)from * d);
    return &s->y;
}

tensor *cache_kept(struct cache *c)
{
    return *c->next ? &next_slot(c)->y : NULL;
}

tensor *cache_keep(struct cache *c, const tensor *y)
{
    struct slot *s = next_slot(c);

    fill(c, s, y->dim[1], y->dim[1], y->dim[2]);
    s->once = 1;
    c->be->copy(s->y.x, y->x, tensor_len(y) * sizeof(real));
    return &s->y;
}
