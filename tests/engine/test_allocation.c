/*
 * After two warm-up steps, a training step allocates no memory. The linker
 * (Makefile: --wrap) redirects this program's own allocation calls to the
 * counters below; calls inside oneDNN and other libraries are not counted.
 */
#include "harness/data/batch.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_aligned_alloc(size_t to, size_t n);
void *__real_mmap(void *at, size_t n, int prot, int flags, int file, off_t o);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_aligned_alloc(size_t to, size_t n);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int file, off_t o);

static int calls; /* number of allocation calls, by all threads */

static void count(void) { __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED); }

void *__wrap_malloc(size_t n)
{
    count();
    return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    count();
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    count();
    return __real_realloc(p, n);
}

void *__wrap_aligned_alloc(size_t to, size_t n)
{
    count();
    return __real_aligned_alloc(to, n);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int file, off_t o)
{
    count();
    return __real_mmap(at, n, prot, flags, file, o);
}

enum { WARM = 2, STEPS = 4 };

/* Returns the number of allocation calls in STEPS steps on a batch, after WARM
 * uncounted steps. */
static int steady(const struct config *c, const char *name)
{
    struct arena *a = arena_new();
    struct mix mix = named_mix(name);
    struct trainer t;
    struct batch b;

    trainer_open(&t, c, &mix, NULL);
    for (uint64_t s = 0; s < WARM; s++) {
        arena_reset(a);
        batch_train(&b, &toy, 1, c->batch, 0, a);
        trainer_step(&t, &b, s);
    }
    int before = calls;
    for (uint64_t s = WARM; s < WARM + STEPS; s++) {
        arena_reset(a);
        batch_train(&b, &toy, 1, c->batch, 0, a);
        trainer_step(&t, &b, s);
    }
    int n = calls - before;
    trainer_close(&t);
    arena_free(a);
    return n;
}

static const char *const several[] = {
    "vanilla", "random", "dense", "factorized-dense", "random+vanilla",
    "factorized-random", "dynamic-conv", "linformer"};

enum { SEVERAL = sizeof several / sizeof *several };

static void steps(void **state)
{
    enum task_kind kind = *(const enum task_kind *)*state;
    static const struct optim_rule adafactor = {
        .kind = OPTIM_ADAFACTOR, .decay = 0.8, .eps1 = 1e-30, .eps2 = 1e-3,
        .clip = 1, .factor_min = 8, .score_rate = 1};
    struct config c = toy_config(kind);

    toy_open(kind);
    for (int i = 0; i < 2 * SEVERAL; i++) {
        struct mix mix = named_mix(several[i / 2]);

        c.precision = i % 2 ? PRECISION_BF16 : PRECISION_FP32;
        c.optimizer = i % 4 > 1 ? adafactor : toy_config(kind).optimizer;
        if (mix_fault(&mix, &c.model))
            continue;
        int n = steady(&c, several[i / 2]);
        if (n)
            fail_msg("%s, %s: %d allocations in %d steps", several[i / 2],
                     i % 2 ? "bf16" : "fp32", n, STEPS);
    }
    dataset_close(&toy);
}

/* The counters work and also count calls of the arena. */
static void counters(void **state)
{
    int before = calls;

    (void)state;
    struct arena *a = arena_new();
    arena_take(a, 8 << 20);
    arena_free(a);
    assert_true(calls >= before + 3);
}

/* With ARENA_DEBUG every block is a malloc of its own, so only the counters can
 * be tested. */
#ifdef ARENA_DEBUG
enum { TESTS = 1 };
#else
enum { TESTS = 4 };
#endif

int main(void)
{
    static const enum task_kind kind[] = {TASK_TRANSDUCE, TASK_LANGUAGE,
                                          TASK_CLASSIFY};
    const struct CMUnitTest all[] = {
        {"allocations of the program are counted", counters, NULL, NULL, NULL},
        {"seq2seq: a steady step allocates nothing",
         steps, NULL, NULL, (void *)&kind[0]},
        {"lm: a steady step allocates nothing", steps,
         NULL, NULL, (void *)&kind[1]},
        {"encoder: a steady step allocates nothing",
         steps, NULL, NULL, (void *)&kind[2]},
    };
    struct CMUnitTest tests[TESTS];

    memcpy(tests, all, sizeof tests);
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
