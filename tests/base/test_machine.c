#include "harness/base/machine.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Control groups in a folder: /a has less memory than /a/b, /a/b has fewer
 * cores than /a, and a sibling of /a/b has fewer of both. */
static const struct { const char *path, *text; } groups[] = {
    {"g/a/cpu.max", "400000 100000\n"},
    {"g/a/memory.max", "1000000\n"},
    {"g/a/memory.current", "700000\n"},
    {"g/a/memory.stat", "anon 400000\ninactive_file 100000\n"
                        "active_file 50000\n"},
    {"g/a/b/cpu.max", "150000 100000\n"},
    {"g/a/b/memory.max", "max\n"},
    {"g/a/b/memory.current", "600000\n"},
    {"g/a/f/memory.max", "9000000\n"}, /* more than /a has left */
    {"g/a/f/memory.current", "1000000\n"},
    {"in_f", "0::/a/f\n"},
    {"g/c/cpu.max", "1000 100000\n"},
    {"g/c/memory.max", "10\n"},
    {"in_b", "4:memory:/elsewhere\n0::/a/b\n"},
    {"in_a", "0::/a\n"},
    {"at_root", "0::/\n"},
    /* /d has a larger share of its memory left than /d/e, and quotas that say
     * nothing */
    {"g/d/cpu.max", "150000\n"},
    {"g/d/memory.max", "1000000\n"},
    {"g/d/memory.current", "100000\n"},
    {"g/d/e/cpu.max", "150000 0\n"},
    {"g/d/e/memory.max", "5000000\n"},
    {"g/d/e/memory.current", "4500000\n"},
    {"g/d/e/memory.stat", "inactive_file\nactive_file few\nanon 9\n"},
    {"odd", "\n0\n0:\n0::\n0::relative\n1:name=systemd:/a\n2::/c\n0::/d/e\n"},
    {"g/cpu/z/cpu.cfs_quota_us", "100000\n"},
    {"without_period", "5:cpu:/z\n"},
    /* cgroup version 1 has one folder per controller; memory is unlimited in /x
     * and limited in / */
    {"g/cpu/x/y/cpu.cfs_quota_us", "-1\n"},
    {"g/cpu/x/y/cpu.cfs_period_us", "100000\n"},
    {"g/cpu/x/cpu.cfs_quota_us", "250000\n"},
    {"g/cpu/x/cpu.cfs_period_us", "100000\n"},
    {"g/memory/x/memory.limit_in_bytes", "9223372036854771712\n"},
    {"g/memory/x/memory.usage_in_bytes", "90000\n"},
    {"g/memory/memory.limit_in_bytes", "2000000\n"},
    {"g/memory/memory.usage_in_bytes", "500000\n"},
    {"g/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 30000\n"
                             "total_active_file 20000\n"},
    {"old", "5:cpuacct,cpu:/x/y\n4:memory:/x\n1:name=systemd:/a/b\n"},
    {"both", "5:cpuacct,cpu:/x/y\n4:memory:/x\n0::/a/b\n"}};

static int make_groups(void **state)
{
    char *root = scratch_make();

    *state = root;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        OWNED(free) char *path = str_format("%s/%s", root, groups[i].path);
        OWNED(free) char *folder = str_copy(path);

        *strrchr(folder, '/') = 0;
        assert_int_equal(file_mkdirs(folder), OK);
        assert_int_equal(file_write(path, groups[i].text,
                                    strlen(groups[i].text)), OK);
    }
    return 0;
}

static int remove_groups(void **state)
{
    scratch_remove(*state);
    return 0;
}

static struct machine_limits limits(void **state, const char *own)
{
    OWNED(free) char *all = str_format("%s/g", (char *)*state);
    OWNED(free) char *file = str_format("%s/%s", (char *)*state, own);

    return machine_limits(all, file);
}

static void least_of_all_above(void **state)
{
    struct machine_limits l = limits(state, "in_b");

    assert_true(l.cores == 1.5);
    assert_true(l.memory == 1e6);
    assert_true(l.used == 700000 - 150000); /* page cache does not count */
    l = limits(state, "in_f");
    assert_true(l.memory == 1e6);
    assert_true(l.used == 700000 - 150000);
    l = limits(state, "in_a");
    assert_true(l.cores == 4);
    assert_true(l.memory == 1e6);
}

static void version_1(void **state)
{
    struct machine_limits l = limits(state, "old");

    assert_true(l.cores == 2.5);
    assert_true(l.memory == 2e6);
    assert_true(l.used == 500000 - 50000);
    l = limits(state, "both");
    assert_true(l.cores == 1.5);
    assert_true(l.memory == 1e6);
}

static void lines_that_say_nothing(void **state)
{
    struct machine_limits l = limits(state, "odd");

    assert_true(isinf(l.cores));
    assert_true(l.memory == 5e6);
    assert_true(l.used == 4.5e6);
    l = limits(state, "without_period");
    assert_true(isinf(l.cores) && isinf(l.memory));
}

static void no_limits(void **state)
{
    static const char *const own[] = {"at_root", "none"};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct machine_limits l = limits(state, own[i]);

        assert_true(isinf(l.cores) && isinf(l.memory));
        assert_true(l.used == 0);
    }
}

static void this_machine(void **state)
{
    struct machine_memory m = machine_memory();

    (void)state;
    assert_true(m.total > 1e8); /* bytes, not kilobytes */
    assert_true(m.available > 0 && m.available <= m.total);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"a control group has no more than each of those above it",
         least_of_all_above, make_groups, remove_groups, NULL},
        {"control groups of version 1 count too, and beside version 2's",
         version_1, make_groups, remove_groups, NULL},
        {"lines of a control group that say nothing set no limit",
         lines_that_say_nothing, make_groups, remove_groups, NULL},
        {"without a control group there is no limit", no_limits, make_groups,
         remove_groups, NULL},
        {"this machine has memory", this_machine, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
