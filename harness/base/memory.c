/*
 * memory: replaces malloc and its relatives, so that no allocation of this
 * process returns NULL.
 *
 * A program that misses one check for NULL may drop a key, a row or a cell and
 * still exit with code 0.  Therefore callers need no checks: the linker finds
 * the functions of this file before those of the C library.  So they serve the
 * calls of our code, of every library in the process (HDF5, jansson, libyaml,
 * GSL, oneDNN), of operator new, and of strdup, fopen and open_memstream in the
 * C library.  If memory cannot be allocated, err_no_memory ends the process
 * with exit code 9; other cells are not affected, because each has a process of
 * its own.  free remains the C library's.
 *
 * Anonymous mmap and pthread_create are replaced for the same reason: oneDNN's
 * kernels are in mapped memory, and OpenMP ends a process with code 1 if it
 * cannot create a thread.
 *
 * With sanitizers, their runtime provides these functions; it also ends the
 * process (allocator_may_return_null=0 is the default).
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RUNTIME_OWNS_MALLOC
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RUNTIME_OWNS_MALLOC
#endif
#endif

#ifndef RUNTIME_OWNS_MALLOC

#define _GNU_SOURCE /* RTLD_NEXT */
#include "harness/base/err.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc exports these for replacements of its malloc. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t to, size_t n);

static void *sure(void *p, size_t bytes)
{
    if (!p)
        err_no_memory(bytes);
    return p;
}

static size_t product(size_t n, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

void *malloc(size_t n) { return sure(__libc_malloc(n), n); }

void *calloc(size_t n, size_t size)
{
    return sure(__libc_calloc(n, size), product(n, size));
}

/* realloc(p, 0) frees p and returns NULL. */
void *realloc(void *p, size_t n)
{
    void *q = __libc_realloc(p, n);

    return p && !n ? q : sure(q, n);
}

void *reallocarray(void *p, size_t n, size_t size)
{
    return realloc(p, product(n, size));
}

void *memalign(size_t to, size_t n) { return sure(__libc_memalign(to, n), n); }

void *aligned_alloc(size_t to, size_t n) { return memalign(to, n); }

/* Returns EINVAL if `to` is not a valid alignment, which is a bug of the
 * caller. */
int posix_memalign(void **out, size_t to, size_t n)
{
    if (to < sizeof(void *) || to & (to - 1))
        return EINVAL;
    *out = memalign(to, n);
    return 0;
}

void *valloc(size_t n) { return memalign((size_t)sysconf(_SC_PAGESIZE), n); }

void *pvalloc(size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return memalign(page, n > SIZE_MAX - page ? n : (n + page - 1) & -page);
}

/* Mapping files or huge pages may fail; the caller handles it. */
void *mmap(void *at, size_t n, int prot, int flags, int file, off_t from)
{
    long p = syscall(SYS_mmap, at, n, prot, flags, file, from);

    if (p == -1 && errno == ENOMEM && flags & MAP_ANONYMOUS &&
        !(flags & MAP_HUGETLB))
        err_no_memory(n);
    return (void *)p;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *arg)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    int bad = next(thread, attributes, run, arg);
    if (bad == EAGAIN || bad == ENOMEM)
        err_no_thread();
    return bad;
}

#else
typedef int nothing; /* ISO C forbids an empty file */
#endif
