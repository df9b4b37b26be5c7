#include "harness/data/map.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"

#include <stdlib.h>
#include <string.h>

struct slot {
    const char *key; /* NULL: free */
    uint64_t hash;
    int value;
};

struct map {
    size_t cap, used; /* cap: a power of two, at most half full */
    struct slot *slot;
};

static struct slot *slots_new(size_t n)
{
    struct slot *s = calloc(n, sizeof *s);

    return s;
}

struct map *map_new(void)
{
    struct map *m = malloc(sizeof *m);

    *m = (struct map){.cap = 1024, .slot = slots_new(1024)};
    return m;
}

void map_free(struct map *m)
{
    if (!m)
        return;
    free(m->slot);
    free(m);
}

/* The slot of key, or the free one where it belongs. */
static struct slot *find(const struct map *m, const char *key, uint64_t h)
{
    for (size_t i = h;; i++) {
        struct slot *s = &m->slot[i & (m->cap - 1)];

        if (!s->key || (s->hash == h && !strcmp(s->key, key)))
            return s;
    }
}

static void grow(struct map *m)
{
    struct map wide = {.cap = 2 * m->cap, .used = m->used};

    wide.slot = slots_new(wide.cap);
    for (size_t i = 0; i < m->cap; i++)
        if (m->slot[i].key)
            *find(&wide, m->slot[i].key, m->slot[i].hash) = m->slot[i];
    free(m->slot);
    *m = wide;
}

int map_add(struct map *m, const char *key, int value)
{
    uint64_t h = hash_name(key);
    struct slot *s = find(m, key, h);

    if (s->key)
        return 0;
    *s = (struct slot){key, h, value};
    if (2 * ++m->used > m->cap)
        grow(m);
    return 1;
}

int map_get(const struct map *m, const char *key, int absent)
{
    const struct slot *s = find(m, key, hash_name(key));

    return s->key ? s->value : absent;
}
