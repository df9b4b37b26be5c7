#include "harness/base/arena.h"

#include "harness/base/array.h"
#include "harness/base/err.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ALIGN = 64, PAGE = 4 << 10, HUGE_PAGE = 2 << 20, PAGES = 128 << 10,
    SLAB = 4 << 20, SMALL = 64 << 10
};

#ifdef ARENA_DEBUG
enum { DEBUG = 1 };
#else
enum { DEBUG = 0 };
#endif

struct slab {
    struct slab *next;
    size_t       size, used;
    char        *mem;
};

struct spare { char *at; size_t bytes; };

struct arena {
    const struct arena_memory *memory;
    struct slab  *first, *now;
    size_t        held;         /* total size of the slabs */
    size_t        taken, peak;  /* bytes taken since the last reset; maximum
                                   of `taken` so far */
    /* Blocks returned by arena_give, oldest first. */
    struct spare *spare;
    int           spares;
    size_t        cap;
};

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

struct arena *arena_of(const struct arena_memory *m)
{
    struct arena *a = calloc(1, sizeof *a);

    a->memory = m;
    return a;
}

struct arena *arena_new(void) { return arena_of(&arena_host); }

/* Returns the size of a new slab for a block of `bytes` bytes.  Unless the
 * block needs more, a slab is as large as all present slabs together, but at
 * least SMALL and at most SLAB, so that small arenas use little memory.  Slabs
 * of PAGES bytes and more are mapped, and their size is a multiple of PAGE. */
static size_t slab_size(const struct arena *a, size_t bytes)
{
    size_t least = a->held < SLAB ? a->held : SLAB, size;

    if (DEBUG)
        return bytes ? bytes : ALIGN;
    if (least < SMALL)
        least = SMALL;
    size = bytes > least ? bytes : least;
    return size >= PAGES ? round_up(size, PAGE) : size;
}

static int is_pages(size_t size) { return !DEBUG && size >= PAGES; }

/* Maps `size` bytes, aligned to a huge page.  malloc is not used because it
 * would keep freed memory.  Huge pages are only advised: without them the
 * program is slower, but correct.  The advice covers the huge pages that lie
 * completely within the first `block` bytes, so that all of them are used
 * fully. */
static char *take_pages(size_t size, size_t block)
{
    char *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        err_no_memory(size);
    size_t head = -(uintptr_t)p % HUGE_PAGE;
    if (head)
        munmap(p, head);
    munmap(p + head + size, HUGE_PAGE - head);
    if (block >= HUGE_PAGE)
        madvise(p + head, block - block % HUGE_PAGE, MADV_HUGEPAGE);
    return p + head;
}

static void *host_take(size_t bytes, size_t block)
{
    return is_pages(bytes) ? take_pages(bytes, block)
                           : aligned_alloc(ALIGN, bytes);
}

static void host_give(void *p, size_t bytes)
{
    if (is_pages(bytes))
        munmap(p, bytes);
    else
        free(p);
}

const struct arena_memory arena_host = {host_take, host_give};

void arena_clear(void *p, size_t bytes)
{
    char *from = p;
    size_t head = -(uintptr_t)p % PAGE;
    size_t pages = bytes > head ? (bytes - head) / PAGE * PAGE : 0;

    if (pages < PAGES || madvise(from + head, pages, MADV_DONTNEED)) {
        memset(p, 0, bytes);
        return;
    }
    memset(from, 0, head);
    memset(from + head + pages, 0, bytes - head - pages);
}

static struct slab *slab_new(struct arena *a, size_t bytes)
{
    struct slab *s = calloc(1, sizeof *s);

    s->size = slab_size(a, bytes);
    s->mem = a->memory->take(s->size, bytes);
    a->held += s->size;
    return s;
}

static void slab_free(struct arena *a, struct slab *s)
{
    a->held -= s->size;
    a->memory->give(s->mem, s->size);
    free(s);
}

static char *from_slab(struct arena *a, size_t bytes)
{
    struct slab **at = a->now ? &a->now : &a->first;

    while (*at && (*at)->size - (*at)->used < bytes)
        at = &(*at)->next;
    if (!*at)
        *at = slab_new(a, bytes);
    a->now = *at;
    char *p = a->now->mem + a->now->used;
    a->now->used += bytes;
    return p;
}

void *arena_take(struct arena *a, size_t bytes)
{
    REQUIRE(bytes <= SIZE_MAX / 2, "%zu bytes", bytes);
    bytes = round_up(bytes, ALIGN);
    a->taken += bytes;
    a->peak = a->taken > a->peak ? a->taken : a->peak;
    return from_slab(a, bytes);
}

/* ---- returned blocks ---- */

/* Returns the index of the smallest spare block of at least `bytes` bytes, or
 * -1 if there is none.  If several are equal, chooses the one that was returned
 * last. */
static int fitting(const struct arena *a, size_t bytes)
{
    int best = -1;

    for (int i = 0; i < a->spares; i++)
        if (a->spare[i].bytes >= bytes &&
            (best < 0 || a->spare[i].bytes <= a->spare[best].bytes))
            best = i;
    return best;
}

void *arena_again(struct arena *a, size_t bytes)
{
    size_t whole = round_up(bytes, ALIGN);
    int i = fitting(a, whole);

    if (i < 0)
        return arena_take(a, bytes);
    struct spare *s = &a->spare[i];
    char *p = s->at;
    s->bytes -= whole;
    if (s->bytes == 0)
        memmove(s, s + 1, (size_t)(--a->spares - i) * sizeof *s);
    else
        s->at += whole;
    return DEBUG ? from_slab(a, whole) : p;
}

/* Frees the slab of the block at `p`.  Called only with ARENA_DEBUG, where
 * every block has a slab of its own. */
static void discard(struct arena *a, const char *p)
{
    struct slab **at = &a->first;

    while (*at && (*at)->mem != p)
        at = &(*at)->next;
    REQUIRE(*at, "not a block of this arena");
    struct slab *s = *at;
    *at = s->next;
    slab_free(a, s);
    a->now = NULL;
}

void arena_give(struct arena *a, void *p, size_t bytes)
{
    ARRAY_ROOM(a->spare, a->spares, a->cap);
    a->spare[a->spares++] = (struct spare){p, round_up(bytes, ALIGN)};
    if (DEBUG)
        discard(a, p);
}

void *arena_zero(struct arena *a, size_t bytes)
{
    return memset(arena_take(a, bytes), 0, bytes);
}

char *arena_text(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;

    return memcpy(arena_take(a, n), s, n);
}

char *arena_vformat(struct arena *a, const char *fmt, va_list ap)
{
    va_list copy;

    va_copy(copy, ap);
    size_t n = (size_t)vsnprintf(NULL, 0, fmt, copy) + 1;
    va_end(copy);
    char *s = arena_take(a, n);
    vsnprintf(s, n, fmt, ap);
    return s;
}

char *arena_format(struct arena *a, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    char *s = arena_vformat(a, fmt, ap);
    va_end(ap);
    return s;
}

static void drop(struct arena *a)
{
    for (struct slab *s = a->first, *next; s; s = next) {
        next = s->next;
        slab_free(a, s);
    }
    a->first = NULL;
}

/* Replaces several slabs by one of the peak size, so that a step that outgrew
 * its first slab finds contiguous memory the next time. */
void arena_reset(struct arena *a)
{
    if (DEBUG)
        drop(a);
    if (a->first && a->first->next) {
        drop(a);
        a->first = slab_new(a, a->peak);
    }
    if (a->first)
        a->first->used = 0;
    a->now = NULL;
    a->taken = 0;
    a->spares = 0;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    drop(a);
    free(a->spare);
    free(a);
}

size_t arena_peak(const struct arena *a) { return a->peak; }

size_t arena_held(const struct arena *a) { return a->held; }
