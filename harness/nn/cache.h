/*
 * cache: keys and values of the positions already decoded.
 *
 * Whoever decodes makes one for a batch; while position `from` is computed,
 * every layer asks for its slots in the same order (window_extend), so a slot
 * needs no name.  A slot is (b,keys,d), zero beyond what has been written;
 * keys doubles as the positions come, so that little is attended to that does
 * not exist, by products of few shapes.
 */
#pragma once

#include "harness/engine/tape.h"

struct cache;

/* For b rows of at most cap positions.  Memory from arena a and, of its slots,
 * from what t keeps: both must outlive the cache. */
struct cache *cache_new(struct arena *a, const struct tape *t, int b, int cap);
size_t cache_bytes(const struct cache *c); /* of its slots */

/* Before position `from`: from slot 0 again.  Returns keys. */
int cache_begin(struct cache *c, int from);

/* Row i becomes what row row[i] was, for n <= b rows, the positions before
 * `from` of it; what is computed once is left where `same` says that row[i]
 * belongs to the same sentence as i. */
void cache_select(struct cache *c, const int *row, int n, int from, int same);

/* Writes y (b,n,d) at positions from ..; returns the slot, (b,keys,d). */
tensor *cache_extend(struct cache *c, const tensor *y, int from);

/* For what is computed once: the tensor kept in the next slot, or NULL, and
 * then cache_keep must follow with it. */
tensor *cache_kept(struct cache *c);
tensor *cache_keep(struct cache *c, const tensor *y);
