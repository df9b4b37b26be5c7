#include "harness/engine/cpu/cpu.h"


#include <omp.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Makes this thread flush denormals, which would slow Adam down threefold, and
 * makes products use one thread, because a step already runs its shards in
 * parallel threads (train/train.h). */
static void thread_begin(void)
{
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ, DAZ */
#endif
    omp_set_num_threads(1);
}

static void copy(void *d, const void *s, size_t n) { memcpy(d, s, n); }
static void zero(void *p, size_t n) { memset(p, 0, n); }

#define BUFFERS \
    .thread_begin = thread_begin, \
    .adam_values = 1 << 14, \
    .memory = &arena_host, \
    .put = copy, \
    .copy = copy, \
    .zero = zero

#define KERNEL(name, class, work, ...) .name = cpu_##name,

const struct backend backend_cpu = {
    .name = "cpu",
    BUFFERS,
#include "harness/engine/op_list.h"
};

#define KERNEL(name, class, work, ...) .name = cpu_##name,
#define cpu_gemm cpu_gemm_bf16 /* backend_bf16 differs in this kernel only */

const struct backend backend_bf16 = {
    .name = "cpu, bfloat16 products",
    BUFFERS,
    .lower = cpu_lower,
#include "harness/engine/op_list.h"
};
