/*
 * device: a GPU for tests, behind the driver's table of calls
 * (harness/engine/cuda/driver.h).  Launches and copies queue up and happen when
 * the stream is synchronised, in the order of the calls, with the kernels'
 * arguments as they were at the launch but what pointers lead to as it is then.
 * Its memory cannot be touched by the host at any other time, is filled with
 * NaN when it is allocated, and is never given out again once it was freed.
 *
 * DEVICE_BYTES in the environment limits its memory; DEVICE_LOST is the number
 * of the synchronisation that fails; DEVICE_MAJOR its compute capability, 8 if
 * it is not given.
 */
#pragma once

#include "harness/base/err.h"
#include "harness/engine/cuda/cuda.h"
#include "harness/engine/cuda/driver.h"
#include "harness/engine/cuda/lt.h"

extern const struct cuda_driver device_driver;

/* The calls under their own names: the Makefile makes a libcuda.so.1 of them,
 * with which the program itself runs on this GPU. */
#define CUDA_CALL(name, parameters) int name parameters;
CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL

/* Its library of products, in plain loops; and how many it has made, and for
 * how many shapes it had no algorithm. */
extern const struct lt device_lt;
size_t device_lt_asked(size_t *without);

/* Runs at the next synchronisation, with a copy of `bytes` from `with`. */
void device_later(void (*run)(const void *with), const void *with,
                  size_t bytes);

/* For what runs then: makes the card's memory accessible until it is done. */
void device_unlock(void);

/* Opens it as the card of this process; products: device_lt, or NULL. */
static inline void open_test_device(const struct lt *products)
{
    REQUIRE(cuda_open(&device_driver, products) == OK, "%s", err_last());
}

/* Launches since the last call of it. */
size_t device_launches(void);
