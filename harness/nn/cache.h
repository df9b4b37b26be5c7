/*
 * cache: the keys and values of positions already decoded, so that decoding
 * computes them only once.
 *
 * decode.c makes a cache for each batch and calls cache_begin before each
 * position.  The layers then request their slots (window_extend in
 * attention.h), each of which holds one tensor of one layer.  The order of the
 * requests is the same at each position, so a slot needs no name.  A slot is
 * (b,keys,d) and contains zeros beyond the positions written so far.  The
 * number of keys doubles when needed, so that attention reads few unwritten
 * positions and its products have few different shapes.
 */
#pragma once

#include "harness/engine/tape.h"

struct cache;

/* Returns a cache for b rows of at most `cap` positions.  It is allocated in
 * `a`, its slots in t->kept; both arenas must outlive the cache. */
struct cache *cache_new(struct arena *a, const struct tape *t, int b, int cap);
/* Returns the bytes of all slots.  If cache_select has allocated a second
 * buffer for a slot, this buffer is included. */
size_t cache_bytes(const struct cache *c);

/* Prepares for position `from`: grows the slots if needed, and makes slot 0 the
 * next slot.  Returns the number of keys. */
int cache_begin(struct cache *c, int from);

/* Keeps n <= b rows: copies the positions before `from` of row row[i] to row i.
 * If `same` is set, row[i] belongs to the same sentence as row i for every i,
 * so that slots computed once for a sentence need no copy. */
void cache_select(struct cache *c, const int *row, int n, int from, int same);

/* Writes y (b,n,d) to the positions `from` to from + n - 1 of the next slot.
 * Returns the slot, (b,keys,d). */
tensor *cache_extend(struct cache *c, const tensor *y, int from);

/* cache_kept and cache_keep store tensors that are computed once for a
 * sentence, such as the keys of cross-attention.  cache_kept returns the tensor
 * in the next slot.  If it returns NULL, the caller must compute the tensor and
 * pass it to cache_keep, which stores a copy and returns it. */
tensor *cache_kept(struct cache *c);
tensor *cache_keep(struct cache *c, const tensor *y);
