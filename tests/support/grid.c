#undef _FORTIFY_SOURCE /* longjmp to another stack is what fibers do */
#include "tests/support/grid.h"

#include "harness/base/err.h"
#include "harness/engine/cuda/grid.h"

#include <setjmp.h>
#include <stdlib.h>
#include <ucontext.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/* The stacks differ in where they begin within a page: at the same offset they
 * would compete for the same lines of the cache. */
enum { STACK = (32 << 10) + 192 };

enum state { READY, AT_EXCHANGE, AT_SYNC, DONE };

struct fiber {
    jmp_buf    at;
    ucontext_t start;
    int        begun, line; /* of the SYNC at which it waits */
    enum state state;
    double     slot[2];     /* what it passes to its warp, by turns */
    int        turn;
};

struct grid grid;
enum grid_order grid_order;

static struct {
    struct fiber fiber[BLOCK_THREADS];
    jmp_buf      scheduler;
    char        *stack;
    void       (*body)(void *);
    void        *arg;
    unsigned     seed;
} all;

/* AddressSanitizer must know which stack is in use. */
#ifdef __SANITIZE_ADDRESS__
static struct { const void *at; size_t size; void *fake; } host;
static void *fake[BLOCK_THREADS];

static void leave_host(int t)
{
    __sanitizer_start_switch_fiber(&host.fake, all.stack + (size_t)t * STACK,
                                   STACK);
}

static void enter_host(void)
{
    __sanitizer_finish_switch_fiber(host.fake, NULL, NULL);
}

static void leave_fiber(int t)
{
    __sanitizer_start_switch_fiber(&fake[t], host.at, host.size);
}

static void enter_fiber(int t, int first)
{
    __sanitizer_finish_switch_fiber(first ? NULL : fake[t], &host.at,
                                    &host.size);
}
#else
static void leave_host(int t) { (void)t; }
static void enter_host(void) {}
static void leave_fiber(int t) { (void)t; }
static void enter_fiber(int t, int first) { (void)t, (void)first; }
#endif

/* Back to the scheduler, until it resumes this thread. */
static void wait_as(enum state s)
{
    int t = grid.thread;

    all.fiber[t].state = s;
    leave_fiber(t);
    if (!_setjmp(all.fiber[t].at))
        _longjmp(all.scheduler, 1);
    enter_fiber(grid.thread, 0);
}

void grid_sync(int line)
{
    all.fiber[grid.thread].line = line;
    wait_as(AT_SYNC);
}

double grid_exchange(double v, int x)
{
    struct fiber *f = &all.fiber[grid.thread];
    int turn = f->turn ^= 1;

    f->slot[turn] = v;
    wait_as(AT_EXCHANGE);
    return all.fiber[grid.thread ^ x].slot[turn];
}

/* A fiber serves one thread of block after block. */
static void serve(void)
{
    enter_fiber(grid.thread, 1);
    for (;;) {
        all.body(all.arg);
        wait_as(DONE);
    }
}

static void begin(int t)
{
    struct fiber *f = &all.fiber[t];

    f->begun = 1;
    getcontext(&f->start);
    f->start.uc_stack.ss_sp = all.stack + (size_t)t * STACK;
    f->start.uc_stack.ss_size = STACK;
    f->start.uc_link = NULL;
    makecontext(&f->start, serve, 0);
    setcontext(&f->start);
}

static void resume(int t)
{
    grid.thread = t;
    leave_host(t);
    if (!_setjmp(all.scheduler)) {
        if (all.fiber[t].begun)
            _longjmp(all.fiber[t].at, 1);
        begin(t);
    }
    enter_host();
}

static unsigned draw(unsigned n)
{
    all.seed = all.seed * 1664525u + 1013904223u;
    return (all.seed >> 8) % n;
}

/* The i-th of n to take its turn: shuffled, every step of a size that has no
 * common divisor with n, from a place that is drawn. */
struct turns { size_t n, from, step; };

static struct turns turns_of(size_t n)
{
    static const size_t prime[] = {1, 7, 11, 13, 17, 19, 23, 29};
    struct turns t = {n, 0, 1};

    if (grid_order == GRID_BACKWARD)
        t = (struct turns){n, n - 1, n - 1};
    if (grid_order == GRID_SHUFFLED) {
        t.from = draw((unsigned)n);
        t.step = prime[draw(sizeof prime / sizeof *prime)];
        t.step = n % t.step ? t.step : 1;
    }
    return t;
}

static size_t turn(const struct turns *t, size_t i)
{
    return (t->from + i * t->step) % t->n;
}

/* How many of the threads from `first` on are in a state. */
static int count(int first, int n, enum state s)
{
    int found = 0;

    for (int t = first; t < first + n; t++)
        found += all.fiber[t].state == s;
    return found;
}

static int release(int first, int n, enum state s)
{
    if (count(first, n, s) < n)
        return 0;
    for (int t = first; t < first + n; t++) {
        REQUIRE(s != AT_SYNC ||
                    all.fiber[t].line == all.fiber[first].line,
                "threads of a block wait at the SYNCs of lines %d and %d",
                all.fiber[t].line, all.fiber[first].line);
        all.fiber[t].state = READY;
    }
    return 1;
}

static void run_block(void)
{
    int moved = 1;

    for (int t = 0; t < BLOCK_THREADS; t++)
        all.fiber[t].state = READY;
    while (count(0, BLOCK_THREADS, DONE) < BLOCK_THREADS) {
        struct turns order = turns_of(BLOCK_THREADS);

        REQUIRE(moved, "a barrier was not reached by all: %d threads at a "
                "SYNC, %d at an exchange, %d ended",
                count(0, BLOCK_THREADS, AT_SYNC),
                count(0, BLOCK_THREADS, AT_EXCHANGE),
                count(0, BLOCK_THREADS, DONE));
        for (size_t i = 0; i < BLOCK_THREADS; i++) {
            int t = (int)turn(&order, i);

            if (all.fiber[t].state == READY)
                resume(t);
        }
        moved = release(0, BLOCK_THREADS, AT_SYNC);
        for (int w = 0; w < WARPS; w++)
            moved |= release(w * WARP, WARP, AT_EXCHANGE);
    }
}

/* Shared memory of all kernels: the linker names the ends of its section. */
extern char __start_grid_shared[], __stop_grid_shared[];

__attribute__((no_sanitize("address"))) static void poison(void)
{
    for (volatile char *p = __start_grid_shared; p < __stop_grid_shared; p++)
        *p = -1;
}

void grid_run(size_t blocks, void (*body)(void *arg), void *arg)
{
    struct turns order = turns_of(blocks);

    if (!all.stack)
        all.stack = malloc((size_t)BLOCK_THREADS * STACK);
    all.body = body;
    all.arg = arg;
    grid.blocks = blocks;
#ifdef __SSE2__
    unsigned before = _mm_getcsr();
    _mm_setcsr(before & ~0x8040u); /* neither FTZ nor DAZ */
#endif
    for (size_t i = 0; i < blocks; i++) {
        grid.block = turn(&order, i);
        poison();
        run_block();
    }
#ifdef __SSE2__
    _mm_setcsr(before);
#endif
}
