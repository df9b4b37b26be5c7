#include "harness/base/arena.h"

#include "harness/base/err.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, HUGE_PAGE = 2 << 20, SLAB = 4 << 20, SMALL = 64 << 10 };

struct slab {
    struct slab *next;
    size_t       size, used;
    char        *mem;
};

struct arena {
    int          dry;
    struct slab *first, *now;
    size_t       live, peak;
};

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

struct arena *arena_new(void)
{
    struct arena *a = calloc(1, sizeof *a);

    REQUIRE(a, "out of memory");
    return a;
}

struct arena *arena_dry(void)
{
    struct arena *a = arena_new();

    a->dry = 1;
    return a;
}

/* As much again as there is, for the many arenas that stay small; whole huge
 * pages from half of one on. */
static size_t slab_size(const struct arena *a, size_t bytes)
{
#ifdef ARENA_DEBUG
    (void)a;
    return bytes ? bytes : ALIGN;
#else
    size_t held = arena_held(a), least = held < SLAB ? held : SLAB, size;

    if (least < SMALL)
        least = SMALL;
    size = bytes > least ? bytes : least;
    return size > HUGE_PAGE / 2 ? round_up(size, HUGE_PAGE) : size;
#endif
}

/* Straight from the system, at a multiple of a huge page: malloc would keep
 * what is freed.  Huge pages are advice: a refusal costs time only. */
static char *take_pages(size_t size)
{
    char *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        err_no_memory(size);
    size_t head = -(uintptr_t)p % HUGE_PAGE;
    if (head)
        munmap(p, head);
    munmap(p + head + size, HUGE_PAGE - head);
    madvise(p + head, size, MADV_HUGEPAGE);
    return p + head;
}

static int is_pages(size_t size) { return size % HUGE_PAGE == 0; }

static struct slab *slab_new(struct arena *a, size_t bytes)
{
    struct slab *s = calloc(1, sizeof *s);

    REQUIRE(s, "out of memory");
    s->size = slab_size(a, bytes);
    s->mem = is_pages(s->size) ? take_pages(s->size)
                               : aligned_alloc(ALIGN, s->size);
    if (!s->mem)
        err_no_memory(s->size);
    return s;
}

static char page[4096];

void *arena_take(struct arena *a, size_t bytes)
{
    struct slab **at = a->now ? &a->now : &a->first;

    REQUIRE(bytes <= SIZE_MAX / 2, "%zu bytes", bytes);
    bytes = round_up(bytes, ALIGN);
    if (a->dry) {
        a->live += bytes;
        a->peak = a->live > a->peak ? a->live : a->peak;
        return page;
    }
    while (*at && (*at)->size - (*at)->used < bytes)
        at = &(*at)->next;
    if (!*at)
        *at = slab_new(a, bytes);
    a->now = *at;
    void *p = a->now->mem + a->now->used;
    a->now->used += bytes;
    a->live += bytes;
    a->peak = a->live > a->peak ? a->live : a->peak;
    return p;
}

void *arena_zero(struct arena *a, size_t bytes)
{
    void *p = arena_take(a, bytes);

    return a->dry ? p : memset(p, 0, bytes);
}

char *arena_text(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;

    return memcpy(arena_take(a, n), s, n);
}

static void drop(struct arena *a)
{
    for (struct slab *s = a->first, *next; s; s = next) {
        next = s->next;
        if (is_pages(s->size))
            munmap(s->mem, s->size);
        else
            free(s->mem);
        free(s);
    }
    a->first = NULL;
}

/* Several slabs become one that holds the most ever asked for: what a step
 * that outgrew the first slab leaves in pieces, the next one finds whole. */
void arena_reset(struct arena *a)
{
#ifdef ARENA_DEBUG
    drop(a);
#endif
    if (a->first && a->first->next) {
        drop(a);
        a->first = slab_new(a, a->peak);
    }
    if (a->first)
        a->first->used = 0;
    a->now = NULL;
    a->live = 0;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    drop(a);
    free(a);
}

size_t arena_peak(const struct arena *a) { return a->peak; }

size_t arena_held(const struct arena *a)
{
    size_t n = 0;

    for (const struct slab *s = a->first; s; s = s->next)
        n += s->size;
    return n;
}
