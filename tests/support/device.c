#include "tests/support/device.h"

#include "harness/base/err.h"
#include "harness/engine/cuda/grid.h"
#include "tests/support/grid.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static const size_t PAGE = 4096;

struct block { char *at; size_t bytes; int open; };

/* The address space for all allocations. An inaccessible page follows each
 * block. */
static struct {
    char         *at;
    size_t        space, used;
    struct block *block;
    int           blocks;
} memory;

/* Returns how many bytes of addresses to reserve: a quarter of the address
 * space that the process may use, or 1 TiB if there is no limit. */
static size_t space(void)
{
    struct rlimit most;

    getrlimit(RLIMIT_AS, &most);
    return most.rlim_cur == RLIM_INFINITY ? (size_t)1 << 40
                                          : (size_t)most.rlim_cur / 4;
}

/* Returns the value of an environment variable that injects a fault, or 0 if
 * the variable is not set. */
static size_t fault(const char *name)
{
    const char *value = getenv(name);

    return value ? (size_t)strtoul(value, NULL, 10) : 0;
}

static size_t pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

static void set_open(struct block *b, int open)
{
    int how = open ? PROT_READ | PROT_WRITE : PROT_NONE;

    REQUIRE(b->open == open || !mprotect(b->at, pages(b->bytes), how),
            "a block of %zu bytes", b->bytes);
    b->open = open;
}

static int holds(const struct block *b, const void *p)
{
    return (const char *)p >= b->at &&
           (const char *)p < b->at + pages(b->bytes);
}

/* Makes all blocks accessible or inaccessible. If p is not NULL, changes only
 * the block that contains p. */
static void set_all(int open, const void *p)
{
    for (int i = 0; i < memory.blocks; i++)
        if (!p || holds(&memory.block[i], p))
            set_open(&memory.block[i], open);
}

/* A block ends at the end of its last page, so an access one value beyond it
 * faults. */
int cuMemAlloc_v2(void **p, size_t bytes)
{
    size_t whole = pages(bytes), most = fault("DEVICE_BYTES");

    if (most && memory.used + whole > most)
        return 2; /* CUDA_ERROR_OUT_OF_MEMORY */
    if (!memory.at) {
        memory.space = space();
        memory.at = mmap(NULL, memory.space, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    REQUIRE(memory.at != MAP_FAILED && whole < memory.space - memory.used,
            "%zu bytes", bytes);
    memory.block = realloc(memory.block, (size_t)(memory.blocks + 1) *
                                             sizeof *memory.block);
    struct block *b = &memory.block[memory.blocks++];
    *b = (struct block){memory.at + memory.used, bytes, 0};
    memory.used += whole + PAGE;
    set_open(b, 1);
    memset(b->at, 0xff, whole);
    set_open(b, 0);
    *p = b->at + (whole - bytes) / 64 * 64;
    return 0;
}

int cuMemFree_v2(void *p)
{
    for (int i = 0; i < memory.blocks; i++) {
        struct block *b = &memory.block[i];

        if (!holds(b, p))
            continue;
        madvise(b->at, pages(b->bytes), MADV_DONTNEED);
        *b = memory.block[--memory.blocks];
        return 0;
    }
    REQUIRE(0, "%p is not of the card", p);
    return 1;
}

void device_unlock(void) { set_all(1, NULL); }

/* ---- queue ---- */

struct job { void (*run)(const void *with); void *with; };

static struct { struct job *job; size_t n, room, launches; } queue;

void device_later(void (*run)(const void *with), const void *with,
                  size_t bytes)
{
    if (queue.n == queue.room) {
        queue.room = 2 * queue.room + 64;
        queue.job = realloc(queue.job, queue.room * sizeof *queue.job);
    }
    struct job *j = &queue.job[queue.n++];
    *j = (struct job){run, malloc(bytes)};
    memcpy(j->with, with, bytes);
}

int cuStreamSynchronize(void *stream)
{
    static size_t calls;

    (void)stream;
    if (++calls == fault("DEVICE_LOST"))
        return 719; /* CUDA_ERROR_LAUNCH_FAILED */
    for (size_t i = 0; i < queue.n; i++) {
        queue.job[i].run(queue.job[i].with);
        free(queue.job[i].with);
    }
    queue.n = 0;
    set_all(0, NULL);
    return 0;
}

struct move { void *to; const void *from; int value; size_t bytes; };

static void run_copy(const void *with)
{
    const struct move *m = with;

    set_all(1, m->to);
    set_all(1, m->from);
    memcpy(m->to, m->from, m->bytes);
}

static void run_fill(const void *with)
{
    const struct move *m = with;

    set_all(1, m->to);
    memset(m->to, m->value, m->bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    struct move m = {to, from, 0, bytes};

    device_later(run_copy, &m, sizeof m);
    return 0;
}

int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    return copy(to, from, bytes);
}

int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    return copy(to, from, bytes);
}

int cuMemcpyDtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    return copy(to, from, bytes);
}

int cuMemsetD8Async(void *p, unsigned char value, size_t bytes, void *stream)
{
    struct move m = {p, NULL, value, bytes};

    (void)stream;
    device_later(run_fill, &m, sizeof m);
    return 0;
}

/* ---- kernels ---- */

enum { ARGUMENTS = 10, ARGUMENT_BYTES = 4096 /* as on a GPU */ };

struct kernel {
    const char *name;
    void      (*body)(void *arguments); /* runs one thread                */
    size_t      size[ARGUMENTS];        /* of each argument, ends with 0  */
};

#define INDEX(type, name) at_##name
#define SIZE(type, name)  sizeof(type)
#define ARGUMENT(type, name) *(type *)argument[at_##name]
#define CUDA(name, ...)                                                       \
    static void body_##name(void *arguments)                                  \
    {                                                                         \
        enum { ROW_EACH(INDEX, __VA_ARGS__) };                                \
        void **argument = arguments;                                          \
                                                                              \
        cuda_##name(ROW_EACH(ARGUMENT, __VA_ARGS__));                         \
    }
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA

static const struct kernel kernels[] = {
#define CUDA(name, ...)                                                       \
    {"cuda_" #name, body_##name, {ROW_EACH(SIZE, __VA_ARGS__)}},
#include "harness/engine/cuda/kernel_list.h"
#undef CUDA
};

struct start {
    const struct kernel *kernel;
    size_t               blocks;
    _Alignas(16) char    bytes[ARGUMENT_BYTES];
};

static void run_kernel(const void *with)
{
    struct start s = *(const struct start *)with;
    void *argument[ARGUMENTS];

    device_unlock();
    for (size_t i = 0, at = 0; i < ARGUMENTS && s.kernel->size[i]; i++) {
        argument[i] = s.bytes + at;
        at += (s.kernel->size[i] + 15) / 16 * 16;
    }
    grid_run(s.blocks, s.kernel->body, argument);
}

int cuLaunchKernel(void *f, unsigned x, unsigned y, unsigned z, unsigned tx,
                   unsigned ty, unsigned tz, unsigned shared, void *stream,
                   void **arguments, void **extra)
{
    struct start s = {.kernel = f, .blocks = x};

    (void)stream;
    REQUIRE(y == 1 && z == 1 && tx == BLOCK_THREADS && ty == 1 && tz == 1 &&
                !shared && !extra, "%s: a grid of another form",
            s.kernel->name);
    for (size_t i = 0, at = 0; i < ARGUMENTS && s.kernel->size[i]; i++) {
        memcpy(s.bytes + at, arguments[i], s.kernel->size[i]);
        at += (s.kernel->size[i] + 15) / 16 * 16;
        REQUIRE(at <= sizeof s.bytes, "%s: %zu bytes", s.kernel->name, at);
    }
    device_later(run_kernel, &s, sizeof s);
    queue.launches++;
    return 0;
}

size_t device_launches(void)
{
    size_t n = queue.launches;

    queue.launches = 0;
    return n;
}

/* ---- other calls of the driver ---- */

int cuInit(unsigned flags) { return (int)(flags & 0); }

int cuDriverGetVersion(int *v)
{
    *v = 13000;
    return 0;
}

int cuGetErrorName(int rc, const char **name)
{
    *name = rc == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_LAUNCH_FAILED";
    return 0;
}

int cuDeviceGetCount(int *n)
{
    *n = 1;
    return 0;
}

int cuDeviceGet(int *device, int i)
{
    *device = i;
    return 0;
}

int cuDeviceGetName(char *to, int room, int device)
{
    (void)device;
    strncpy(to, "test device", (size_t)room);
    return 0;
}

int cuDeviceGetAttribute(int *value, int what, int device)
{
    int old = (int)fault("DEVICE_MAJOR");

    (void)device;
    *value = what == 75 ? (old ? old : 8) : what == 76 ? 0 : 1;
    return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = space();
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = &memory;
    return 0;
}

int cuCtxSetCurrent(void *context)
{
    REQUIRE(context == &memory, "another context");
    return 0;
}

int cuModuleLoadData(void **module, const void *image)
{
    REQUIRE(strstr(image, ".target"), "the image is no PTX");
    *module = (void *)kernels;
    return 0;
}

int cuModuleGetFunction(void **f, void *module, const char *wanted)
{
    (void)module;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, wanted)) {
            *f = (void *)&kernels[i];
            return 0;
        }
    return 500;
}

int cuStreamCreate(void **stream, unsigned flags)
{
    (void)flags;
    *stream = &queue;
    return 0;
}

int cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
    (void)flags;
    *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return 0;
}

const struct cuda_driver device_driver = {
#define CUDA_CALL(name, parameters) .name = name,
    CUDA_CALLS(CUDA_CALL)
#undef CUDA_CALL
};

