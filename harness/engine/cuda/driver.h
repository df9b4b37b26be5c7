/*
 * driver: the GPU that computes, through NVIDIA's driver alone.  libcuda.so.1
 * is opened at run time, so the program runs without it; tests fill the same
 * table of calls with a device of their own (tests/support/device.h).  The
 * kernels are PTX (kernels.ptx), which the driver translates for the card.
 *
 * A process uses one card, the first that CUDA_VISIBLE_DEVICES leaves, and one
 * stream: launches and copies happen in the order of the calls.  Only one
 * thread may use it.
 */
#pragma once

#include <stddef.h>

/* Names and parameters are the driver's (cuda.h), with void * for handles and
 * for addresses of the card.  A call returns 0 if it succeeds. */
#define CUDA_CALLS(CALL)                                                      \
    CALL(cuInit, (unsigned flags))                                            \
    CALL(cuDriverGetVersion, (int *version))                                  \
    CALL(cuGetErrorName, (int rc, const char **name))                         \
    CALL(cuDeviceGetCount, (int *n))                                          \
    CALL(cuDeviceGet, (int *device, int i))                                   \
    CALL(cuDeviceGetName, (char *name, int room, int device))                 \
    CALL(cuDeviceGetAttribute, (int *value, int what, int device))            \
    CALL(cuDeviceTotalMem_v2, (size_t *bytes, int device))                    \
    CALL(cuDevicePrimaryCtxRetain, (void **context, int device))              \
    CALL(cuCtxSetCurrent, (void *context))                                    \
    CALL(cuModuleLoadData, (void **module, const void *image))                \
    CALL(cuModuleGetFunction, (void **f, void *module, const char *name))     \
    CALL(cuStreamCreate, (void **stream, unsigned flags))                     \
    CALL(cuStreamSynchronize, (void *stream))                                 \
    CALL(cuMemAlloc_v2, (void **p, size_t bytes))                             \
    CALL(cuMemFree_v2, (void *p))                                             \
    CALL(cuMemHostAlloc, (void **p, size_t bytes, unsigned flags))            \
    CALL(cuMemcpyHtoDAsync_v2, (void *to, const void *from, size_t bytes,     \
                                void *stream))                                \
    CALL(cuMemcpyDtoHAsync_v2, (void *to, const void *from, size_t bytes,     \
                                void *stream))                                \
    CALL(cuMemcpyDtoDAsync_v2, (void *to, const void *from, size_t bytes,     \
                                void *stream))                                \
    CALL(cuMemsetD8Async, (void *p, unsigned char value, size_t bytes,        \
                           void *stream))                                     \
    CALL(cuLaunchKernel, (void *f, unsigned x, unsigned y, unsigned z,        \
                          unsigned threads_x, unsigned threads_y,             \
                          unsigned threads_z, unsigned shared, void *stream,  \
                          void **arguments, void **extra))

struct cuda_driver {
#define CUDA_CALL(name, parameters) int (*name) parameters;
    CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL
};

/* Opens libcuda.so.1 and fills *d.  Returns ERR_USAGE if there is none, or if
 * it lacks a call. */
int cuda_driver_load(struct cuda_driver *d);

/* Opens the first card, once in a process: its memory, and the kernels for it.
 * d NULL: the machine's driver, and its cuBLASLt if there is one; else
 * products (lt.h), or NULL.  Must be called after fork.  Returns ERR_USAGE,
 * with a message that says what is missing, if there is no driver, no card, or
 * one that is older than the kernels. */
struct lt;
int cuda_open(const struct cuda_driver *d, const struct lt *products);

/* What cuda_open found. */
struct cuda_card {
    char   name[128];
    int    major, minor;  /* compute capability                    */
    int    processors;    /* streaming multiprocessors             */
    int    driver;        /* newest CUDA it supports: 13000 is 13.0 */
    size_t bytes;         /* of memory                             */
};
const struct cuda_card *cuda_card(void);

/* Bytes of the card's memory that this process took at most. */
double cuda_peak(void);

/* What makes the products of matrices: "own kernels", or "cuBLASLt 13.0.2". */
const char *cuda_products(void);

/* The PTX of all kernels, ended by a 0 byte. */
extern const char cuda_ptx[];
