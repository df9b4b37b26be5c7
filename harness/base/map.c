/* Implements maps as hash tables with linear probing, which are at most half
 * full.  A table contains indices into a dense list of entries, so clearing is
 * fast, and growing does not touch the strings. */
#include "harness/base/map.h"

#include "harness/base/arena.h"
#include "harness/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 }; /* the number of slots is a power of two */
enum { PIECE = 1 << 12 };   /* size of the blocks that hold copies */

struct entry { const char *s; size_t bytes; int number; };

/* `entry` is 1 + the index of the entry, or 0 if the slot is free. */
struct slot { uint32_t hash, entry; };

struct map {
    struct slot  *slot;
    size_t        slots, cap; /* cap: allocated entries */
    struct entry *entry;      /* (cap) the first `used` are valid */
    int           used;
    /* Memory of copied strings; NULL if the map does not copy. */
    struct arena *copies;
    char         *free;       /* unused part of the last block */
    size_t        left;
};

struct map *map_new(void)
{
    struct map *m = malloc(sizeof *m);

    *m = (struct map){.slot = calloc(FIRST_SLOTS, sizeof *m->slot),
                      .slots = FIRST_SLOTS};
    return m;
}

struct map *map_of_copies(void)
{
    struct map *m = map_new();

    m->copies = arena_new();
    return m;
}

void map_free(struct map *m)
{
    if (!m)
        return;
    if (m->copies)
        arena_free(m->copies);
    free(m->entry);
    free(m->slot);
    free(m);
}

void map_clear(struct map *m)
{
    memset(m->slot, 0, m->slots * sizeof *m->slot);
    m->used = 0;
    m->left = 0;
    if (m->copies)
        arena_reset(m->copies);
}

int map_count(const struct map *m) { return m->used; }

static const char *copy(struct map *m, const char *s, size_t bytes)
{
    if (m->left < bytes) {
        m->left = bytes > PIECE ? bytes : PIECE;
        m->free = arena_take(m->copies, m->left);
    }
    char *own = m->free;
    m->free += bytes;
    m->left -= bytes;
    return bytes ? memcpy(own, s, bytes) : "";
}

/* Returns the remaining bytes of a string, fewer than eight, as a number. */
static uint64_t rest_of(const char *s, size_t bytes)
{
    const unsigned char *u = (const unsigned char *)s;
    uint32_t front, back;

    if (bytes >= sizeof front) {
        memcpy(&front, s, sizeof front);
        memcpy(&back, s + bytes - sizeof back, sizeof back);
        return front | (uint64_t)back << 32;
    }
    return bytes ? u[0] | u[bytes / 2] << 8 | u[bytes - 1] << 16 : 0;
}

/* Returns a hash: takes eight bytes at a time, multiplies, and folds the high
 * bits down. */
static uint32_t hash_of(const char *s, size_t bytes)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t h = bytes * odd, x;

    for (; bytes >= sizeof x; s += sizeof x, bytes -= sizeof x) {
        memcpy(&x, s, sizeof x);
        h = (h ^ x) * odd;
        h ^= h >> 32;
    }
    h = (h ^ rest_of(s, bytes)) * odd;
    return (uint32_t)((h ^ h >> 32) * odd >> 32);
}

/* Returns the slot of the string, or the free slot for it. */
static struct slot *find(const struct map *m, const char *s, size_t bytes,
                         uint32_t hash)
{
    for (size_t i = hash;; i++) {
        struct slot *p = &m->slot[i & (m->slots - 1)];

        if (!p->entry)
            return p;
        if (p->hash != hash)
            continue;
        const struct entry *e = &m->entry[p->entry - 1];
        if (e->bytes == bytes && !memcmp(e->s, s, bytes))
            return p;
    }
}

static void grow(struct map *m)
{
    OWNED(free) struct slot *old = m->slot;
    size_t n = m->slots;

    m->slots *= 2;
    m->slot = calloc(m->slots, sizeof *m->slot);
    for (size_t k = 0; k < n; k++) {
        size_t i = old[k].hash;

        if (!old[k].entry)
            continue;
        while (m->slot[i & (m->slots - 1)].entry)
            i++;
        m->slot[i & (m->slots - 1)] = old[k];
    }
}

/* Returns the entry of a string.  A new string gets `number`. */
static struct entry *enter(struct map *m, const char *s, size_t bytes,
                           int number)
{
    uint32_t hash = hash_of(s, bytes);
    struct slot *p = find(m, s, bytes, hash);

    if (p->entry)
        return &m->entry[p->entry - 1];
    ARRAY_ROOM(m->entry, m->used, m->cap);
    struct entry *e = &m->entry[m->used++];
    *e = (struct entry){m->copies ? copy(m, s, bytes) : s, bytes, number};
    *p = (struct slot){hash, (uint32_t)m->used};
    if (2 * (size_t)m->used > m->slots)
        grow(m);
    return e;
}

int map_number(struct map *m, const char *s, size_t bytes)
{
    return enter(m, s, bytes, m->used)->number;
}

int map_find(const struct map *m, const char *s, size_t bytes)
{
    const struct slot *p = find(m, s, bytes, hash_of(s, bytes));

    return p->entry ? m->entry[p->entry - 1].number : -1;
}

int map_add(struct map *m, const char *key, int number)
{
    int before = m->used;

    enter(m, key, strlen(key), number);
    return m->used > before;
}

int map_get(const struct map *m, const char *key, int absent)
{
    size_t bytes = strlen(key);
    const struct slot *p = find(m, key, bytes, hash_of(key, bytes));

    return p->entry ? m->entry[p->entry - 1].number : absent;
}
