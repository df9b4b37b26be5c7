/*
 * The backend that computes nothing (backend.h).  Its kernels ignore their
 * parameters, so -Wunused-parameter is disabled in this file.
 */
#include "harness/engine/backend.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

static void thread_begin(void) {}

/* Returns an arbitrary address: no buffer is ever read or written. */
static void *take_block(size_t bytes, size_t block)
{
    static _Alignas(64) char nothing[64];

    return nothing;
}

static void give(void *p, size_t bytes) {}

static const struct arena_memory nowhere = {take_block, give};

static void copy(void *to, const void *from, size_t n) {}
static void zero(void *p, size_t n) {}

static void lower(size_t n, const real *x, uint16_t *low) {}

static void get(void *host, const void *buffer, size_t n)
{
    memset(host, 0, n);
}

#define KERNEL(name, class, work, ...) \
    static void name(ROW_PARAMETERS(__VA_ARGS__)) {}
#include "harness/engine/op_list.h"

#define NOTHING                                                               \
    .name = "dry", .dry = 1, .thread_begin = thread_begin,                    \
    .adam_values = 1 << 14,                                                   \
    .memory = &nowhere,                                                       \
    .put = copy, .get = get, .copy = copy, .zero = zero

const struct backend backend_dry = {
    NOTHING,
#define KERNEL(name, class, work, ...) .name = name,
#include "harness/engine/op_list.h"
};

const struct backend backend_dry_bf16 = {
    NOTHING, .lower = lower,
#define KERNEL(name, class, work, ...) .name = name,
#include "harness/engine/op_list.h"
};
