/*
 * driver: access to the GPU through NVIDIA's driver only.  The program opens
 * libcuda.so.1 at run time, so it also runs on machines without a driver.
 * Tests fill the same table of calls with a simulated device
 * (tests/support/device.h).  The kernels are PTX (kernels.ptx), which the
 * driver compiles for the card.
 *
 * A process uses one card, the first that CUDA_VISIBLE_DEVICES allows, and one
 * stream: launches and copies run in the order of the calls.  Only one thread
 * may use the card.
 */
#pragma once

#include <stddef.h>

/* Names and parameters are those of the driver's header cuda.h, with void * for
 * handles and for addresses on the card.  A call returns 0 on success. */
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

/* Opens libcuda.so.1 and fills *d with its functions.  Returns OK, or ERR_USAGE
 * if the library or one of the functions is missing. */
int cuda_driver_load(struct cuda_driver *d);

/* Opens the first card and its memory, and loads the kernels; later calls in
 * the same process do nothing.  If d is NULL, uses the installed driver, and
 * cuBLASLt if that is installed.  Otherwise uses d and `products` (lt.h); if
 * `products` is NULL, this program's kernels compute products.  If the process
 * forks, cuda_open must be called after the fork.  Returns OK; or ERR_USAGE,
 * with a message that says what is missing, if there is no driver or no card,
 * or if the card is too old for the kernels. */
struct lt;
int cuda_open(const struct cuda_driver *d, const struct lt *products);

/* The card that cuda_open found. */
struct cuda_card {
    char   name[128];
    int    major, minor;  /* compute capability                    */
    int    processors;    /* streaming multiprocessors             */
    int    driver;        /* latest CUDA of the driver: 13000 is 13.0 */
    size_t bytes;         /* size of the card's memory             */
};
const struct cuda_card *cuda_card(void);

/* Returns the maximum, since the process began, of the bytes of the card's
 * memory that it used at the same time. */
double cuda_peak(void);

/* Returns the name of what computes the matrix products: "own kernels", or the
 * library with its version, such as "cuBLASLt 13.0.2". */
const char *cuda_products(void);

/* The PTX of all kernels, terminated by a 0 byte. */
extern const char cuda_ptx[];
