#include "harness/engine/cuda/driver.h"

#include "harness/base/err.h"
#include "harness/engine/cuda/card.h"
#include "harness/engine/cuda/products.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

/* Constants of the driver's header cuda.h. */
enum { PROCESSORS = 16, MAJOR = 75, MINOR = 76, OUT_OF_MEMORY = 2 };

enum { OLDEST = 8 }; /* major compute capability for kernels.ptx */

#define LIBRARY "libcuda.so.1"

struct card card;

__asm__(".section .rodata\n"
        ".global cuda_ptx\n"
        "cuda_ptx:\n"
        ".incbin \"harness/engine/cuda/kernels.ptx\"\n"
        ".byte 0\n"
        ".previous\n");

int cuda_driver_load(struct cuda_driver *d)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    const char *missing = NULL;

    if (!library)
        return err_set(ERR_USAGE, "no GPU driver (" LIBRARY "); install "
                       "NVIDIA's driver, or use `-S device=cpu`");
#define CUDA_CALL(name, parameters)                                           \
    *(void **)&d->name = dlsym(library, #name);                               \
    if (!d->name)                                                             \
        missing = #name;
    CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL
    if (missing)
        return err_set(ERR_USAGE, "the GPU driver (" LIBRARY ") has no %s; "
                       "install a newer one", missing);
    return OK;
}

static const char *error_name(int rc)
{
    const char *name = NULL;

    card.driver->cuGetErrorName(rc, &name);
    return name ? name : "an unknown error";
}

void card_fail(const char *call, const char *error, int full)
{
    fprintf(stderr, "synthbench: %s: %s: %s%s\n", card.facts.name, call, error,
            full ? "; reduce batch or N, or raise shards" : "");
    _exit(-ERR_DEVICE);
}

void card_must(int rc, const char *call)
{
    if (rc)
        card_fail(call, error_name(rc), rc == OUT_OF_MEMORY);
}

/* Returns OK, or ERR_USAGE with a message if rc, which `call` returned in
 * cuda_open, is an error. */
static int fault(int rc, const char *call)
{
    return rc ? err_set(ERR_USAGE, "the GPU cannot be used: %s: %s; check "
                        "`nvidia-smi`", call, error_name(rc))
              : OK;
}
#define CALL(call, ...) PASS(fault(card.driver->call(__VA_ARGS__), #call))

static int find_card(int *device)
{
    struct cuda_card *f = &card.facts;
    int n = 0;

    CALL(cuInit, 0);
    CALL(cuDeviceGetCount, &n);
    if (n == 0)
        return err_set(ERR_USAGE, "the GPU driver sees no GPU; check "
                       "`nvidia-smi` and CUDA_VISIBLE_DEVICES");
    CALL(cuDriverGetVersion, &f->driver);
    CALL(cuDeviceGet, device, 0);
    CALL(cuDeviceGetName, f->name, (int)sizeof f->name, *device);
    CALL(cuDeviceGetAttribute, &f->processors, PROCESSORS, *device);
    CALL(cuDeviceGetAttribute, &f->major, MAJOR, *device);
    CALL(cuDeviceGetAttribute, &f->minor, MINOR, *device);
    CALL(cuDeviceTotalMem_v2, &f->bytes, *device);
    if (f->major < OLDEST)
        return err_set(ERR_USAGE, "%s has compute capability %d.%d; %d.0 or "
                       "more is required", f->name, f->major, f->minor,
                       OLDEST);
    return OK;
}

static int load_kernels(void)
{
    static const char *const name[] = {
#define CUDA(name, ...) "cuda_" #name,
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA
    };
    void *module;

    CALL(cuModuleLoadData, &module, cuda_ptx);
    for (int i = 0; i < CUDA_KERNELS; i++)
        CALL(cuModuleGetFunction, &card.kernel[i], module, name[i]);
    return OK;
}

int cuda_open(const struct cuda_driver *d, const struct lt *products)
{
    static struct cuda_driver machine;
    int device, own = d != NULL;

    if (card.stream)
        return OK;
    if (!d) {
        PASS(cuda_driver_load(&machine));
        d = &machine;
    }
    card.driver = d;
    PASS(find_card(&device));
    CALL(cuDevicePrimaryCtxRetain, &card.context, device);
    CALL(cuCtxSetCurrent, card.context);
    PASS(load_kernels());
    CALL(cuStreamCreate, &card.stream, 0);
    return !own || products ? products_open(products) : OK;
}

const struct cuda_card *cuda_card(void) { return &card.facts; }
