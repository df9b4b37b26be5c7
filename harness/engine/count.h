/*
 * count: counts the calls of a step, its traffic and its operations, by kernel.
 * The counting backend computes nothing and touches no data.  It works in the
 * large blocks of a device (BACKEND_DEVICE), where each call is one launch or a
 * few.
 */
#pragma once

#include "harness/engine/backend.h"

/* One row for each kernel of op_list.h, in that order, then for the data
 * transfers of backend.h: put, get, copy, zero, lower. */
enum {
#define KERNEL(name, class, work, ...) COUNT_##name,
#include "harness/engine/op_list.h"
    COUNT_put, COUNT_get, COUNT_copy, COUNT_zero, COUNT_lower, COUNTED
};

struct counted {
    const char *name;
    double calls;
    double bytes; /* if each operand and result is moved once */
    double flops; /* in products and convolutions: two per multiply-add */
};

/* Returns a backend that counts from 0, in one thread.  Only one can be open at
 * a time.  p is the precision of the products; bf16 has `lower`. */
const struct backend *count_open(enum precision p);

/* Writes what was counted since count_open or the last call. */
void count_read(struct counted out[COUNTED]);
