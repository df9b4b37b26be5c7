/*
 * The backend that computes nothing (backend.h).  Its kernels ignore what they
 * are given, so that -Wunused-parameter has nothing to say about them here.
 */
#include "harness/engine/backend.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static void copy(void *d, const void *s, size_t n) {}
static void zero(void *p, size_t n) {}
static void thread_begin(void) {}

#define KERNEL(name, class, ...) \
    static void name(ROW_PARAMETERS(__VA_ARGS__)) {}
#include "harness/engine/op_list.h"

const struct backend backend_dry = {
    .name = "dry",
    .put = copy,
    .get = copy,
    .zero = zero,
    .thread_begin = thread_begin,
#define KERNEL(name, class, ...) .name = name,
#include "harness/engine/op_list.h"
};
