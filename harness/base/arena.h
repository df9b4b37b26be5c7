/*
 * arena: memory with one owner and one moment of release.
 *
 *   model   parameters, optimizer state, layer state    freed with the model
 *   step    activations and gradients of one step       reset each step
 *   batch   token ids, lengths                          reset each batch
 *
 * Pointers are 64-byte aligned.  Memory given back by a reset is reused, never
 * returned, so a steady-state step allocates nothing; a block given back
 * before (arena_give) is what arena_again looks at first.  Slabs of 1 MiB and
 * more are advised to be huge pages, and go back to the system when they are
 * freed.  Built with -DARENA_DEBUG every block is its own malloc, freed when it
 * is given back, so that AddressSanitizer sees overruns and late use.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
struct arena *arena_dry(void); /* only counts: every block is the same page */
void          arena_free(struct arena *a);
void         *arena_take(struct arena *a, size_t bytes);  /* not cleared */
void         *arena_again(struct arena *a, size_t bytes); /* nor is this */
void          arena_give(struct arena *a, void *p, size_t bytes); /* all of p */
void         *arena_zero(struct arena *a, size_t bytes);
char         *arena_text(struct arena *a, const char *s); /* a copy */
void          arena_reset(struct arena *a);               /* keeps its memory */
size_t        arena_peak(const struct arena *a); /* bytes, between resets */
size_t        arena_held(const struct arena *a);          /* bytes of slabs */

#endif
