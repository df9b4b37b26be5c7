/*
 * A failed allocation ends the process with code 9 and a message, in this
 * project's code, the C library and other libraries. Here memory is really
 * exhausted (RLIMIT_AS); tests/cli/faults.t makes single calls fail.
 */
#include "harness/base/arena.h"
#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t room = (size_t)64 << 20;
static volatile size_t much = (size_t)1 << 30;
static char *long_text; /* 48 MiB */
static void *volatile kept;

static void by_malloc(void) { kept = malloc(much); }
static void by_calloc(void) { kept = calloc(much, 1); }
static void by_overflow(void) { kept = calloc(much << 31, much); }
static void by_realloc(void) { kept = realloc(malloc(1), much); }
static void by_reallocarray(void) { kept = reallocarray(NULL, much, 2); }

static void by_array_overflow(void)
{
    kept = reallocarray(NULL, much << 31, much);
}

static void by_aligned_alloc(void) { kept = aligned_alloc(64, much); }
static void by_memalign(void) { kept = memalign(64, much); }
static void by_valloc(void) { kept = valloc(much); }

static void by_posix_memalign(void)
{
    void *p;

    if (!posix_memalign(&p, 64, much))
        kept = p;
}

static void by_pvalloc(void) { kept = pvalloc(much); }
static void by_endless_pvalloc(void) { kept = pvalloc(0 - much / much); }

static void by_mmap(void)
{
    kept = mmap(NULL, much, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* by_list requests more elements than SIZE_MAX bytes hold, and by_long_list
 * requests more than an int can count. */
static void by_list(void)
{
    size_t cap = 0, n = 0;
    double *list = NULL;

    ARRAY_MORE(list, n, cap, SIZE_MAX / 4);
    kept = list;
}

static void by_wrapping_list(void)
{
    size_t cap = 5;

    kept = array_grow(NULL, 5, &cap, 0 - much / much - 3, 1, SIZE_MAX);
}

static void by_long_list(void)
{
    size_t cap = INT_MAX;
    int n = INT_MAX;
    char *list = NULL;

    ARRAY_ROOM(list, n, cap);
    kept = list;
}

static void by_arena(void) { kept = arena_take(arena_new(), much); }

static void by_strdup(void)
{
    kept = strdup(long_text);
    kept = strdup(long_text);
}

static void by_stdio(void)
{
    char *s;
    size_t n;
    FILE *f = open_memstream(&s, &n);

    fputs(long_text, f);
    fputs(long_text, f);
    fclose(f);
}

static void by_jansson(void)
{
    kept = json_string(long_text);
    kept = json_string(long_text);
}

static void *nothing(void *unused) { return unused; }

static void by_thread(void)
{
    pthread_attr_t large;
    pthread_t thread;

    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, much);
    pthread_create(&thread, &large, nothing, NULL);
}

/* Runs `act` in a child with little memory. Returns how it ended, and its
 * message. */
static int ends(void (*act)(void), char *words, size_t bytes)
{
    struct rlimit limit;
    int status, end[2];
    unsigned long pages;
    FILE *f = fopen("/proc/self/statm", "r");

    assert_int_equal(fscanf(f, "%lu", &pages), 1);
    fclose(f);
    limit.rlim_cur = limit.rlim_max = pages * (size_t)sysconf(_SC_PAGESIZE) +
                                      room;
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(end[1], STDERR_FILENO);
        setrlimit(RLIMIT_AS, &limit);
        act();
        _exit(0);
    }
    close(end[1]);
    ssize_t n = read(end[0], words, bytes - 1);
    words[n > 0 ? n : 0] = 0;
    close(end[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_process_ends(void **state)
{
    static const struct { const char *name; void (*act)(void); } way[] = {
        {"malloc", by_malloc}, {"calloc", by_calloc},
        {"calloc of more than there is", by_overflow}, {"realloc", by_realloc},
        {"reallocarray", by_reallocarray},
        {"reallocarray of more than there is", by_array_overflow},
        {"aligned_alloc", by_aligned_alloc}, {"memalign", by_memalign},
        {"valloc", by_valloc}, {"posix_memalign", by_posix_memalign},
        {"pvalloc", by_pvalloc}, {"pvalloc of all there can be",
        by_endless_pvalloc}, {"mmap", by_mmap},
        {"a list", by_list}, {"a list that wraps around", by_wrapping_list},
        {"a list of more than is counted", by_long_list},
        {"an arena", by_arena}, {"strdup", by_strdup},
        {"open_memstream", by_stdio}, {"jansson", by_jansson},
        {"pthread_create", by_thread}};
    char words[512];

    (void)state;
    long_text = malloc(48 << 20);
    memset(long_text, 'a', 48 << 20);
    long_text[(48 << 20) - 1] = 0;
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        int code = ends(way[i].act, words, sizeof words);

        if (code != -ERR_SPACE || strncmp(words, "synthbench: ", 12))
            fail_msg("%s: code %d, '%s'", way[i].name, code, words);
    }
    free(long_text);
}

static void wrong_alignments(void **state)
{
    void *p = state;

    assert_int_equal(posix_memalign(&p, 4, 10), EINVAL);
    assert_int_equal(posix_memalign(&p, 24, 10), EINVAL);
    assert_ptr_equal(p, state);
}

static void what_is_there_is_given(void **state)
{
    char *p = malloc(0), *q = realloc(NULL, 3);
    void *aligned;

    (void)state;
    assert_non_null(p);
    assert_non_null(q);
    q = realloc(q, 100000);
    memset(q, 1, 100000);
    assert_int_equal(posix_memalign(&aligned, 4096, 10), 0);
    assert_int_equal((uintptr_t)aligned % 4096, 0);
    free(aligned);
    assert_null(realloc(p, 0));
    assert_non_null(p = realloc(NULL, 0));
    aligned = aligned_alloc(64, 640);
    assert_int_equal((uintptr_t)aligned % 64, 0);
    free(aligned);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    memset(aligned = pvalloc(page + 1), 1, 2 * page); /* whole pages */
    assert_int_equal((uintptr_t)aligned % page, 0);
    assert_true(malloc_usable_size(aligned) >= 2 * page);
    free(aligned);
    free(q);
    free(p);
}

/* The sanitizers' runtimes replace malloc and refuse wrong alignments, and
 * their address space has no limit. */
#if defined(__SANITIZE_ADDRESS__)
enum { FIRST = 2 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { FIRST = 2 };
#else
enum { FIRST = 0 };
#endif
#else
enum { FIRST = 0 };
#endif

int main(void)
{
    static const struct CMUnitTest all[] = {
        {"who asks for memory that is not there ends with code 9",
         the_process_ends, NULL, NULL, NULL},
        {"a wrong alignment is refused", wrong_alignments, NULL, NULL, NULL},
        {"what is there is given", what_is_there_is_given, NULL, NULL, NULL}};
    struct CMUnitTest tests[3 - FIRST];

    memcpy(tests, all + FIRST, sizeof tests);
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
