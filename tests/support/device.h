/*
 * device: a simulated GPU for tests, called through the driver's table of calls
 * (harness/engine/cuda/driver.h). Launches and copies are queued, and run in
 * order when the stream is synchronised. A kernel has the arguments that it was
 * launched with, but memory to which they point is read when it runs. At any
 * other time the host cannot access the GPU's memory. Memory is filled with NaN
 * when it is allocated; its addresses are never reused.
 *
 * Environment variables: DEVICE_BYTES limits the memory; DEVICE_LOST is the
 * number of the synchronisation that fails; DEVICE_MAJOR (default: 8) is the
 * compute capability.
 */
#pragma once

#include "harness/base/err.h"
#include "harness/engine/cuda/cuda.h"
#include "harness/engine/cuda/driver.h"
#include "harness/engine/cuda/lt.h"

extern const struct cuda_driver device_driver;

/* The driver's calls, as functions with the driver's names. The Makefile builds
 * a libcuda.so.1 from them, so that the program itself can use this GPU. */
#define CUDA_CALL(name, parameters) int name parameters;
CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL

/* A cuBLASLt in plain loops. device_lt_asked returns how many products it has
 * computed, and sets *without to the number of shapes without an algorithm. */
extern const struct lt device_lt;
size_t device_lt_asked(size_t *without);

/* Calls `run` at the next synchronisation, with a copy of the `bytes` bytes at
 * `with`. */
void device_later(void (*run)(const void *with), const void *with,
                  size_t bytes);

/* Makes the GPU's memory accessible to the queued function that calls this,
 * until that function returns. */
void device_unlock(void);

/* Opens the simulated GPU for this process. `products` is device_lt, or NULL
 * for a GPU without cuBLASLt. */
static inline void open_test_device(const struct lt *products)
{
    REQUIRE(cuda_open(&device_driver, products) == OK, "%s", err_last());
}

/* Returns the number of launches since the last call. */
size_t device_launches(void);
