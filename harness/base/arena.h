/*
 * arena: memory that is allocated block by block and released all at once.
 * Every module uses it.  arena_new creates an arena, arena_take and the
 * functions after it allocate, arena_reset discards all blocks but keeps their
 * memory, and arena_free releases the arena.
 *
 *   model   parameters, optimizer state, layer state    freed with the model
 *   step    activations and gradients of one step       reset each step
 *   batch   token ids, lengths                          reset each batch
 *
 * Pointers are 64-byte aligned.  Because arena_reset keeps the memory, a
 * steady-state step requests none from the system.  arena_give releases a
 * single block before the reset.  arena_again reuses the start of the smallest
 * released block that is large enough; if there is none, it allocates a block.
 * The blocks lie in slabs, larger pieces of memory.  Slabs of 128 KiB and more
 * are mapped from the system and unmapped when they are freed; huge pages are
 * used where a single block fills them.  If built with -DARENA_DEBUG, every
 * block is a malloc of its own, which arena_give frees, so that
 * AddressSanitizer detects overruns and use after release.
 */
#pragma once

#include "harness/base/owned.h"

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* The source of an arena's slabs.  `take` returns `bytes` bytes, 64-byte
 * aligned and never NULL, of which the first `block` bytes belong to one block.
 * `give` releases them. */
struct arena_memory {
    void *(*take)(size_t bytes, size_t block);
    void  (*give)(void *p, size_t bytes);
};
extern const struct arena_memory arena_host; /* the memory of this process */

struct arena *arena_new(void);               /* uses arena_host */
struct arena *arena_of(const struct arena_memory *m); /* uses *m */
void          arena_free(struct arena *a);
OWNER(arena_free, struct arena *)
void         *arena_take(struct arena *a, size_t bytes);  /* not cleared */
void         *arena_again(struct arena *a, size_t bytes); /* not cleared */
void          arena_give(struct arena *a, void *p, size_t bytes);
/* arena_zero returns cleared bytes, arena_text a copy of `s`, and arena_format
 * and arena_vformat return formatted text.  `a` must use arena_host. */
void         *arena_zero(struct arena *a, size_t bytes);
char         *arena_text(struct arena *a, const char *s);
char         *arena_format(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
char         *arena_vformat(struct arena *a, const char *fmt, va_list ap);
void          arena_reset(struct arena *a);               /* keeps the memory */
/* Clears `bytes` bytes at `p`, which must be memory of arena_host.  From
 * 128 KiB on, whole pages are returned to the system and cost nothing until
 * they are touched. */
void          arena_clear(void *p, size_t bytes);
/* Returns the greatest number of bytes that arena_take has allocated since a
 * reset, over the whole life of the arena.  Bytes that arena_give has released
 * count, too. */
size_t        arena_peak(const struct arena *a);
/* Returns the total size of the slabs in bytes. */
size_t        arena_held(const struct arena *a);
