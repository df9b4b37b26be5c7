/* The number of granted cores: the smallest number that any source states. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "harness/base/cores.h"
#include "harness/base/owned.h"
#include "harness/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static int setup(void **state)
{
    (void)state;
    unsetenv("SLURM_CPUS_PER_TASK");
    unsetenv("SLURM_CPUS_ON_NODE");
    return 0;
}

static void slurm(void **state)
{
    struct cores c;

    (void)state;
    cores_granted(&c);
    int alone = c.n;
    setenv("SLURM_CPUS_ON_NODE", "1", 1);
    cores_granted(&c);
    assert_int_equal(c.n, 1);
    if (alone > 1)
        assert_string_equal(c.by, "SLURM_CPUS_ON_NODE");
    setenv("SLURM_CPUS_PER_TASK", "100000", 1); /* overrides _ON_NODE */
    cores_granted(&c);
    assert_int_equal(c.n, alone);
    static const char *const wrong[] = {"many", "0", "-3", "", "1.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("SLURM_CPUS_PER_TASK", wrong[i], 1);
        cores_granted(&c);
        assert_int_equal(c.n, 1); /* of the node */
    }
}

static void affinity(void **state)
{
    cpu_set_t before, one;
    struct cores c;
    int first = 0;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    cores_granted(&c);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    char *list = str_format("%d", first), *text = cores_text(&c);
    assert_int_equal(c.n, 1);
    assert_string_equal(c.list, list);
    if (c.online > 1) {
        assert_string_equal(c.by, "affinity");
        assert_non_null(strstr(text, ", granted by affinity"));
    }
    free(list);
    free(text);
}

static void words(void **state)
{
    OWNED(free) char *one = cores_text(&(struct cores){1, 1, NULL, "0"});
    OWNED(free) char *some = cores_text(&(struct cores){3, 8, "cgroup",
                                                        "0-7"});

    (void)state;
    assert_string_equal(one, "1 of 1 processor (0)");
    assert_string_equal(some, "3 of 8 processors (0-7), granted by cgroup");
}

#define TEST(f, name) {name, f, setup, NULL, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(slurm, "Slurm's grant is a limit, of a task before of a node"),
        TEST(words, "the processors are told, and who granted them"),
        TEST(affinity, "so is the affinity, and it is told"),
    };

    return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
