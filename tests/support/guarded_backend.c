#include "tests/support/guarded_backend.h"

#include "harness/engine/cpu/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>

static const size_t ALL = (size_t)1 << 30, PAGE = 4096;

static struct { char *at; size_t used, blocks; } wall;

static void *take_block(size_t bytes, size_t block)
{
    (void)block;
    if (!wall.at)
        wall.at = mmap(NULL, ALL, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(wall.at != MAP_FAILED && bytes < ALL - wall.used);
    char *p = wall.at + wall.used;
    wall.used += (bytes + PAGE - 1) / PAGE * PAGE;
    wall.blocks++;
    return p;
}

static void give(void *p, size_t bytes)
{
    (void)p, (void)bytes;
    if (--wall.blocks == 0)
        wall.used = 0;
}

static const struct arena_memory memory = {take_block, give};

static void open_wall(void)
{
    assert_false(mprotect(wall.at, wall.used, PROT_READ | PROT_WRITE));
}

static void close_wall(void)
{
    assert_false(mprotect(wall.at, wall.used, PROT_NONE));
}

static int is_inside(const void *p)
{
    return (const char *)p >= wall.at && (const char *)p < wall.at + wall.used;
}

static void inside(const void *p) { assert_true(!p || is_inside(p)); }

static void put(void *buffer, const void *host, size_t bytes)
{
    inside(buffer);
    assert_false(is_inside(host));
    open_wall();
    memcpy(buffer, host, bytes);
    close_wall();
}

static void get(void *host, const void *buffer, size_t bytes)
{
    inside(buffer);
    assert_false(is_inside(host));
    open_wall();
    memcpy(host, buffer, bytes);
    close_wall();
}

static void copy(void *to, const void *from, size_t bytes)
{
    inside(to);
    inside(from);
    open_wall();
    memcpy(to, from, bytes);
    close_wall();
}

static void zero(void *buffer, size_t bytes)
{
    inside(buffer);
    open_wall();
    memset(buffer, 0, bytes);
    close_wall();
}

static void thread_begin(void) { backend_cpu.thread_begin(); }

/* Arguments of type real * or double *, and some others, must be buffers. */
#ifdef REAL_DOUBLE
#define DOUBLES(name)
#else
#define DOUBLES(name) double *: name, const double *: name,
#endif
#define CHECK(type, name)                                                     \
    inside(_Generic((name), real *: name, const real *: name, DOUBLES(name)   \
                    unsigned char *: name, const unsigned char *: name,       \
                    struct best *: name, default: NULL))

#define KERNEL(name, class, work, ...)                                        \
    static void name(ROW_PARAMETERS(__VA_ARGS__))                             \
    {                                                                         \
        ROW_EACH(CHECK, __VA_ARGS__);                                         \
        open_wall();                                                          \
        cpu_##name(ROW_ARGUMENTS(__VA_ARGS__));                               \
        close_wall();                                                         \
    }
#include "harness/engine/op_list.h"

const struct backend backend_walled = {
    .name = "walled",
    .thread_begin = thread_begin,
    .adam_values = 1 << 20, /* different from that of backend_cpu */
    .memory = &memory,
    .put = put,
    .get = get,
    .copy = copy,
    .zero = zero,
#define KERNEL(name, class, work, ...) .name = name,
#include "harness/engine/op_list.h"
};
