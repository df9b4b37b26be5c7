/*
 * count: a backend that counts the calls, the memory traffic and the operations
 * of a step, separately for each kernel.  train/bench.c uses it for `synthbench
 * bench`.  The backend computes nothing and touches no data.  It uses the block
 * sizes of a GPU (BACKEND_DEVICE); there, each call is one kernel launch or a
 * few.
 */
#pragma once

#include "harness/engine/backend.h"

/* The indices of the counts: one per kernel of op_list.h, in the order of that
 * list, then one per data transfer of backend.h (put, get, copy, zero,
 * lower). */
enum {
#define KERNEL(name, class, work, ...) COUNT_##name,
#include "harness/engine/op_list.h"
    COUNT_put, COUNT_get, COUNT_copy, COUNT_zero, COUNT_lower, COUNTED
};

struct counted {
    const char *name;
    double calls;
    double bytes; /* read and written, if each operand is read once and each
                     result written once */
    double flops; /* in products and convolutions: two per multiply-add */
};

/* Returns a counting backend, with all counts 0, for use by one thread.  It is
 * valid until the next call of this function.  p is the precision of the
 * products; with bf16 the backend also counts `lower`.  If `fuses` is set,
 * attention is fused. */
const struct backend *count_open(enum precision p, int fuses);

/* Writes the counts since count_open or, if this function was called in
 * between, since its previous call. */
void count_read(struct counted out[COUNTED]);
