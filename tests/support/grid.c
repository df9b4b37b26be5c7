#include "tests/support/grid.h"

#include "harness/base/err.h"
#include "harness/engine/cuda/grid.h"

#include <stdlib.h>
#include <ucontext.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/* The stacks of fibers start at different offsets within a page; with equal
 * offsets they would compete for the same cache lines. */
enum { STACK = (32 << 10) + 192 };

/* With noipa, callers cannot assume that the function preserves some
 * register. */
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

enum state { READY, AT_EXCHANGE, AT_SYNC, DONE, STATES };

/* The place where a fiber or the scheduler resumes. The compiler's own setjmp
 * saves no signal mask and takes only a few instructions. */
typedef void *place[5];

struct fiber {
    place  at;
    double slot[2]; /* values passed to the warp, in turn */
    int    turn;
    int    line;    /* of the SYNC at which it waits */
};

/* The order in which n items take turns. With GRID_SHUFFLED, it starts at a
 * random item and proceeds in steps of a prime that does not divide n. */
struct turns { size_t n, from, step; };

struct grid grid;
enum grid_order grid_order;

static struct {
    struct fiber fiber[BLOCK_THREADS];
    char         state[BLOCK_THREADS], begun[BLOCK_THREADS];
    place        scheduler;
    int          count[WARPS][STATES]; /* threads of a warp in each state */
    char        *stack;
    void       (*body)(void *);
    void        *arg;
    unsigned     seed;
    struct turns round; /* the order of the lanes of `warp` */
    int          warp;
    size_t       lane;  /* the next one in this order */
} all;

/* AddressSanitizer must be informed when the stack changes; to keep this
 * simple, all changes are between the scheduler's stack and another one. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
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
enum { SANITIZED = 0 };
static void leave_host(int t) { (void)t; }
static void enter_host(void) {}
static void leave_fiber(int t) { (void)t; }
static void enter_fiber(int t, int first) { (void)t, (void)first; }
#endif

static void become(int t, enum state s)
{
    all.count[t / WARP][(int)all.state[t]]--;
    all.count[t / WARP][s]++;
    all.state[t] = (char)s;
}

static unsigned draw_below(unsigned n)
{
    all.seed = all.seed * 1664525u + 1013904223u;
    return (all.seed >> 8) % n;
}

static struct turns turns_of(size_t n)
{
    static const size_t prime[] = {1, 7, 11, 13, 17, 19, 23, 29};
    struct turns t = {n, 0, 1};

    if (grid_order == GRID_BACKWARD)
        t = (struct turns){n, n - 1, n - 1};
    if (grid_order == GRID_SHUFFLED) {
        t.from = draw_below((unsigned)n);
        t.step = prime[draw_below(sizeof prime / sizeof *prime)];
        t.step = n % t.step ? t.step : 1;
    }
    return t;
}

static size_t turn(const struct turns *t, size_t i)
{
    return (t->from + i * t->step) % t->n;
}

/* Moves to the next thread of the warp's round that is ready. Returns 0 if
 * there is none. */
static int next_lane(void)
{
    while (all.lane < WARP) {
        int t = all.warp * WARP + (int)turn(&all.round, all.lane++);

        if (all.state[t] == READY) {
            grid.thread = t;
            return 1;
        }
    }
    return 0;
}

static _Noreturn APART void go(place to)
{
    __builtin_longjmp(to, 1);
}

static double wait_as(enum state s, double v, int x);

/* Runs one thread of the first block, then of each following block. */
static void serve(void)
{
    enter_fiber(grid.thread, 1);
    for (;;) {
        all.body(all.arg);
        wait_as(DONE, 0, 0);
    }
}

/* Starts or resumes the current thread. Must not return, because it is left by
 * a jump: there is no frame to return to. */
static _Noreturn APART void enter(void)
{
    static ucontext_t start;
    int t = grid.thread;

    if (all.begun[t])
        go(all.fiber[t].at);
    all.begun[t] = 1;
    getcontext(&start);
    start.uc_stack.ss_sp = all.stack + (size_t)t * STACK;
    start.uc_stack.ss_size = STACK;
    start.uc_link = NULL;
    makecontext(&start, serve, 0);
    setcontext(&start);
    abort();
}

/* Passes v to the warp and switches to the next thread of the round, or else to
 * the scheduler, until one of them resumes this thread. Returns the value that
 * lane LANE ^ x has passed. */
static APART double wait_as(enum state s, double v, int x)
{
    struct fiber *f = &all.fiber[grid.thread];
    int turn = f->turn ^= 1;

    f->slot[turn] = v;
    become(grid.thread, s);
    leave_fiber(grid.thread);
    if (!__builtin_setjmp(f->at)) {
        if (!SANITIZED && next_lane())
            enter();
        go(all.scheduler);
    }
    enter_fiber(grid.thread, 0);
    return all.fiber[grid.thread ^ x].slot[turn];
}

void grid_sync(int line)
{
    all.fiber[grid.thread].line = line;
    wait_as(AT_SYNC, 0, 0);
}

double grid_exchange(double v, int x) { return wait_as(AT_EXCHANGE, v, x); }

/* Switches to the current thread, until the scheduler is resumed. */
static APART void resume(void)
{
    leave_host(grid.thread);
    if (!__builtin_setjmp(all.scheduler))
        enter();
    enter_host();
}

static int count(enum state s)
{
    int n = 0;

    for (int w = 0; w < WARPS; w++)
        n += all.count[w][s];
    return n;
}

/* Runs a warp until its lanes wait for other warps or have ended. */
static void run_warp(int w)
{
    while (all.count[w][READY] || all.count[w][AT_EXCHANGE] == WARP) {
        int go_on = all.count[w][AT_EXCHANGE] == WARP;

        for (int l = 0; l < WARP && go_on; l++)
            become(w * WARP + l, READY);
        all.round = turns_of(WARP);
        all.warp = w;
        all.lane = 0;
        while (next_lane())
            resume();
    }
}

/* Releases all threads; each waits at the same SYNC. */
static void release(void)
{
    int line = all.fiber[0].line;

    REQUIRE(count(AT_SYNC) == BLOCK_THREADS, "a barrier was not reached by "
            "all: %d threads at a SYNC, %d at an exchange, %d ended",
            count(AT_SYNC), count(AT_EXCHANGE), count(DONE));
    for (int t = 0; t < BLOCK_THREADS; t++) {
        REQUIRE(all.fiber[t].line == line, "threads of a block wait at the "
                "SYNCs of lines %d and %d", all.fiber[t].line, line);
        become(t, READY);
    }
}

static void run_block(void)
{
    for (int t = 0; t < BLOCK_THREADS; t++)
        become(t, READY);
    for (;;) {
        struct turns order = turns_of(WARPS);

        for (size_t i = 0; i < WARPS; i++)
            run_warp((int)turn(&order, i));
        if (count(DONE) == BLOCK_THREADS)
            return;
        release();
    }
}

/* Fills the shared memory of all kernels with NaN. The linker defines symbols
 * for both ends of its section. */
extern char __start_grid_shared[], __stop_grid_shared[];

__attribute__((no_sanitize("address"))) static void poison(void)
{
    volatile long *p = (volatile long *)(void *)__start_grid_shared;

    for (; (char *)(p + 1) <= __stop_grid_shared; p++)
        *p = -1;
    for (volatile char *rest = (volatile char *)p; rest < __stop_grid_shared;
         rest++)
        *rest = -1;
}

void grid_run(size_t blocks, void (*body)(void *arg), void *arg)
{
    struct turns order = turns_of(blocks);

    if (!all.stack) {
        all.stack = malloc((size_t)BLOCK_THREADS * STACK);
        for (int w = 0; w < WARPS; w++)
            all.count[w][READY] = WARP;
    }
    all.body = body;
    all.arg = arg;
    grid.blocks = blocks;
#ifdef __SSE2__
    unsigned before = _mm_getcsr();
    _mm_setcsr(before & ~0x8040u); /* neither FTZ nor DAZ: keep denormals */
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
