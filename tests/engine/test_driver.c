/* A GPU whose driver or cuBLASLt fails in one call.  Each attempt is made by a
 * child process, because a process opens the GPU once. */
#include "harness/base/owned.h"
#include "tests/support/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* An error that the driver names, and one that it does not. */
enum { LAUNCH_FAILED = 719, STRANGE = 9999 };
static int failing; /* one of them */

/* The attempt of a child, and what it leaves on stderr. */
static struct { struct cuda_driver driver; struct lt lt; int has_lt; } with;

enum { OPENED = 0, REFUSED = 1, WRONG = 2 };

static int open_it(void)
{
    int rc = cuda_open(&with.driver, with.has_lt ? &with.lt : NULL);

    if (rc < 0)
        fprintf(stderr, "%s\n", err_last());
    return rc == OK ? OPENED : rc == ERR_USAGE ? REFUSED : WRONG;
}

/* Returns the exit code of `attempt`, and sets *said to its stderr. */
static int try(int (*attempt)(void), char said[4096])
{
    int end[2], status;

    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    if (!child) {
        dup2(end[1], 2);
        _exit(attempt());
    }
    close(end[1]);
    ssize_t n = read(end[0], said, 4095);
    said[n > 0 ? n : 0] = 0;
    close(end[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void begin(void)
{
    with.driver = device_driver;
    with.lt = device_lt;
    with.has_lt = 0;
    failing = LAUNCH_FAILED;
}

/* ---- the driver ---- */

#define CUDA_CALL(name, parameters)                                           \
    static int fail_##name parameters { return failing; }                     \
    static void break_##name(void) { with.driver.name = fail_##name; }
CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL

static const struct { const char *name; void (*fails)(void); } calls[] = {
#define CUDA_CALL(name, parameters) {#name, break_##name},
    CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL
};

/* The calls that open a GPU, in order; the others follow later. */
static const char opens[] =
    "cuInit cuDeviceGetCount cuDriverGetVersion cuDeviceGet cuDeviceGetName "
    "cuDeviceGetAttribute cuDeviceTotalMem_v2 cuDevicePrimaryCtxRetain "
    "cuCtxSetCurrent cuModuleLoadData cuModuleGetFunction cuStreamCreate ";

static void calls_that_fail(void **state)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char said[4096], call[64];

        begin();
        calls[i].fails();
        int rc = try(open_it, said);
        snprintf(call, sizeof call, "%s ", calls[i].name);
        assert_int_equal(rc, strstr(opens, call) ? REFUSED : OPENED);
        snprintf(call, sizeof call, "used: %s: CUDA_ERROR_LAUNCH_FAILED; check "
                 "`nvidia-smi`", calls[i].name);
        assert_int_equal(strstr(said, call) != NULL, rc == REFUSED);
    }
}

static void strange_errors(void **state)
{
    char said[4096];

    begin();
    failing = STRANGE;
    with.driver.cuInit = fail_cuInit;
    with.driver.cuGetErrorName = fail_cuGetErrorName;
    assert_int_equal(try(open_it, said), REFUSED);
    assert_non_null(strstr(said, "cuInit: an unknown error; check"));
}

static int count_none(int *n)
{
    *n = 0;
    return 0;
}

static void no_card(void **state)
{
    char said[4096];

    begin();
    with.driver.cuDeviceGetCount = count_none;
    assert_int_equal(try(open_it, said), REFUSED);
    assert_non_null(strstr(said, "sees no GPU; check"));
}

static int attributes; /* that the driver still tells */

static int some_attributes(int *value, int what, int device)
{
    return attributes-- > 0
               ? device_driver.cuDeviceGetAttribute(value, what, device)
               : failing;
}

static void attributes_that_fail(void **state)
{
    char said[4096];

    begin();
    with.driver.cuDeviceGetAttribute = some_attributes;
    for (int i = 0; i <= 3; i++) {
        attributes = i;
        assert_int_equal(try(open_it, said), i < 3 ? REFUSED : OPENED);
    }
}

static void calls_that_fail_later(void **state)
{
    char said[4096];

    begin();
    with.has_lt = 1; /* whose workspace is allocated */
    with.driver.cuMemAlloc_v2 = fail_cuMemAlloc_v2;
    assert_int_equal(try(open_it, said), -ERR_DEVICE);
    assert_non_null(strstr(said, "cuMemAlloc_v2: CUDA_ERROR_LAUNCH_FAILED"));
}

static int choose_backends(void)
{
    static const struct backend *const of[][2] = {
        [DEVICE_CPU] = {&backend_cpu, &backend_bf16},
        [DEVICE_CUDA] = {&backend_cuda, &backend_cuda_bf16},
        [DEVICE_CUDA_UNFUSED] = {&backend_cuda, &backend_cuda_unfused}};
    int bad = open_it();

    for (int d = DEVICE_CPU; d <= DEVICE_CUDA_UNFUSED; d++)
        for (int p = PRECISION_FP32; p <= PRECISION_BF16; p++) {
            const struct backend *be;
            int rc = backend_of(&be, (enum device)d, (enum precision)p);

            bad |= rc != OK || be != of[d][p] ||
                   be->fuses != backend_fuses((enum device)d,
                                              (enum precision)p);
        }
    return bad ? WRONG : 0;
}

static void backends_of_devices(void **state)
{
    char said[4096];

    begin();
    assert_int_equal(try(choose_backends, said), 0);
}

/* ---- cuBLASLt ---- */

#define LT_CALL(name, parameters)                                             \
    static int fail_##name parameters { return 7; }                           \
    static void break_##name(void) { with.lt.name = fail_##name; }
LT_CALLS(LT_CALL)
#undef LT_CALL

static const struct { const char *name; void (*fails)(void); } lt_calls[] = {
#define LT_CALL(name, parameters) {#name, break_##name},
    LT_CALLS(LT_CALL)
#undef LT_CALL
};

/* Computes (2,3) times (3,2) with a bias and without; returns 0 if the products
 * are right. */
static int multiply(void)
{
    static const real a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 0, 1, 1, 1};
    static const real bias[] = {10, 20}, want[] = {14, 25, 20, 31};
    static const real bare[] = {4, 5, 10, 11};
    const struct gemm s = {.m = 2, .n = 2, .k = 3, .lda = 3, .ldb = 2,
                           .ldc = 2};
    const struct backend *be = &backend_cuda;
    struct arena *memory = arena_of(be->memory);
    int rc = open_it();

    if (rc)
        return rc;
    real *x[] = {arena_take(memory, sizeof a), arena_take(memory, sizeof b),
                 arena_take(memory, sizeof bias),
                 arena_take(memory, sizeof want)}, got[4];
    be->put(x[0], a, sizeof a);
    be->put(x[1], b, sizeof b);
    be->put(x[2], bias, sizeof bias);
    for (int twice = 0; twice < 2; twice++)
        be->gemm(&s, x[0], x[1], x[2], x[3]);
    be->get(got, x[3], sizeof got);
    if (memcmp(got, want, sizeof got))
        return WRONG;
    be->gemm(&s, x[0], x[1], NULL, x[3]);
    be->get(got, x[3], sizeof got);
    return memcmp(got, bare, sizeof got) ? WRONG : 0;
}

static void library_calls_that_fail(void **state)
{
    for (size_t i = 0; i < sizeof lt_calls / sizeof *lt_calls; i++) {
        const char *name = lt_calls[i].name;
        int creates = !strcmp(name, "cublasLtCreate");
        int asks = !strcmp(name, "cublasLtMatmulAlgoGetHeuristic");
        char said[4096], call[64];

        begin();
        with.has_lt = 1;
        lt_calls[i].fails();
        assert_int_equal(try(multiply, said), creates ? REFUSED
                                              : asks  ? 0 : -ERR_DEVICE);
        snprintf(call, sizeof call, "%s: status 7", name);
        assert_int_equal(strstr(said, call) != NULL, !asks);
    }
}

/* What the library proposes: the number of algorithms, and a state. */
static struct { int n, state; } proposal;

static int propose(void *handle, void *product, void *a, void *b, void *c,
                   void *d, void *preference, int most, struct lt_found *found,
                   int *n)
{
    *n = proposal.n;
    found->state = proposal.state;
    return 0;
}

/* This program's kernels compute what the library cannot. */
static void no_algorithm(void **state)
{
    char said[4096];

    begin();
    with.has_lt = 1;
    assert_int_equal(try(multiply, said), 0);
    with.lt.cublasLtMatmulAlgoGetHeuristic = propose;
    proposal.n = 1;
    proposal.state = 15;
    assert_int_equal(try(multiply, said), 0);
    proposal.n = proposal.state = 0;
    assert_int_equal(try(multiply, said), 0);
    begin();
    assert_int_equal(try(multiply, said), 0);
}

#define TEST(f, name) {name, f, NULL, NULL, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_that_fail, "a call that fails while the GPU is opened is "
             "named, with the error"),
        TEST(strange_errors, "an error without a name is called unknown"),
        TEST(no_card, "a driver without a GPU is told"),
        TEST(attributes_that_fail, "each attribute of a GPU is needed"),
        TEST(calls_that_fail_later, "a later call ends the process"),
        TEST(backends_of_devices, "a device and a precision have one backend"),
        TEST(library_calls_that_fail, "a call of cuBLASLt that fails is named"),
        TEST(no_algorithm, "without an algorithm the kernels multiply")};

    return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
