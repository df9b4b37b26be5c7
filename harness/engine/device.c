#include "harness/base/err.h"
#include "harness/engine/cuda/cuda.h"
#include "harness/engine/cuda/driver.h"

static const char *const names[] = {DEVICES(NAMES_WORD)};

int device_find(enum device d)
{
    struct cuda_driver unused;
    int rc = d != DEVICE_CPU ? cuda_driver_load(&unused) : OK;

    return rc < 0 ? err_wrap(rc, "device: %s", names[d]) : OK;
}

int backend_fuses(enum device d, enum precision p)
{
    return d == DEVICE_CUDA && p == PRECISION_BF16;
}

int backend_of(const struct backend **out, enum device d, enum precision p)
{
    int low = p == PRECISION_BF16;
    int rc = d != DEVICE_CPU ? cuda_open(NULL, NULL) : OK;

    if (d == DEVICE_CUDA)
        *out = low ? &backend_cuda_bf16 : &backend_cuda;
    else if (d == DEVICE_CUDA_UNFUSED)
        *out = low ? &backend_cuda_unfused : &backend_cuda;
    else
        *out = low ? &backend_bf16 : &backend_cpu;
    return rc < 0 ? err_wrap(rc, "device: %s", names[d]) : OK;
}
