/*
 * arena: memory with one owner and one moment of release.
 *
 *   model   parameters, optimizer state, layer state    freed with the model
 *   step    activations and gradients of one step       reset each step
 *   batch   token ids, lengths                          reset each batch
 *
 * Pointers are 64-byte aligned.  Memory given back by a reset is reused, never
 * returned, so a steady-state step allocates nothing.  A block may be given
 * back before: arena_again cuts from the smallest such block that is large
 * enough, if there is one.  Slabs of 128 KiB and more come from the system, in
 * huge pages as far as one block fills them, and return to it when they are
 * freed.  Built with -DARENA_DEBUG every block is its own malloc, freed when it
 * is given back, so that AddressSanitizer sees overruns and late use.
 */
#pragma once

#include "harness/base/owned.h"

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* Where slabs come from, 64-byte aligned and never NULL, and go to.  The first
 * `block` bytes of a slab are one block. */
struct arena_memory {
    void *(*take)(size_t bytes, size_t block);
    void  (*give)(void *p, size_t bytes);
};
extern const struct arena_memory arena_host; /* the process's own */

struct arena *arena_new(void);               /* of arena_host */
struct arena *arena_of(const struct arena_memory *m);
void          arena_free(struct arena *a);
OWNER(arena_free, struct arena *)
void         *arena_take(struct arena *a, size_t bytes);  /* not cleared */
void         *arena_again(struct arena *a, size_t bytes); /* not cleared */
void          arena_give(struct arena *a, void *p, size_t bytes);
void         *arena_zero(struct arena *a, size_t bytes);   /* arena_host's */
char         *arena_text(struct arena *a, const char *s); /* a copy; too */
char         *arena_format(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
char         *arena_vformat(struct arena *a, const char *fmt, va_list ap);
void          arena_reset(struct arena *a);               /* keeps its memory */
/* Of arena_host's memory: zeros from here on, which cost none until they are
 * touched. */
void          arena_clear(void *p, size_t bytes);
size_t        arena_peak(const struct arena *a);          /* bytes taken */
size_t        arena_held(const struct arena *a);          /* bytes of slabs */
