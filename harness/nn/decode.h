/* decode: from encoder output to text, one position at a time, keys and values
 * of earlier positions cached. */
#ifndef NN_DECODE_H
#define NN_DECODE_H

#include "harness/nn/transformer.h"

/* The most probable id at each position (the first of equals), until eos or
 * limit[i] ids.  start: the id before the first.  out (b,cap), cap the largest
 * limit, at most N; count[i] ids are written to row i, eos included.  Memory
 * of the cache comes from arena a. */
void decode_greedy(const struct model *m, struct tape *t, struct arena *a,
                   const int *source, const int *length, int b, int n,
                   const int *limit, int cap, int start, int eos, int *out,
                   int *count);

#endif
