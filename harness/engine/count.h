/*
 * count: the calls of a step, its traffic and its operations, by kernel.  A
 * backend that computes nothing and touches no data counts the calls that are
 * made of it.  It works in the large pieces of a device (BACKEND_DEVICE), where
 * each call is a launch or a few.
 */
#pragma once

#include "harness/engine/backend.h"

/* One row for each kernel of op_list.h in its order, then for the moves of
 * backend.h: put, get, copy, zero, lower. */
enum {
#define KERNEL(name, class, work, ...) COUNT_##name,
#include "harness/engine/op_list.h"
    COUNT_put, COUNT_get, COUNT_copy, COUNT_zero, COUNT_lower, COUNTED
};

struct counted {
    const char *name;
    double calls;
    double bytes; /* moved, if each operand and result is moved once */
    double flops; /* in products and convolutions: two per multiply-add */
};

/* A backend that counts from 0, in one thread.  Only one at a time.  p: of the
 * products; bf16 has `lower`. */
const struct backend *count_open(enum precision p);

/* What was counted since count_open or the last call. */
void count_read(struct counted out[COUNTED]);
