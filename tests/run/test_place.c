/* The NUMA nodes to which the cells of a run are bound, and the reasons if they
 * are not bound. */
#include "harness/run/place.h"
#include "harness/run/team.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TWO "pack:2 [numa] core:4 pu:1" /* processors 0-3 and 4-7 */

static const char *const variables[] = {"OMP_PLACES", "OMP_PROC_BIND",
                                        "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static int setup(void **state)
{
    *state = arena_new();
    for (int i = 0; i < VARIABLES; i++)
        unsetenv(variables[i]);
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

/* Checks the text about this number of concurrent cells on `machine`, of which
 * the processors `granted`, or `cores` cores, may be used. */
static void shows(struct arena *a, const char *machine, const char *granted,
                  int cells, int threads, int cores, const char *want)
{
    OWNED(place_close) struct place p = {
        .granted = {.n = cores, .by = "cgroup"}, .cells = cells,
        .threads = threads};

    place_fill(&p, machine ? nodes_open(machine, granted) : NULL, 0);
    assert_string_equal(place_text(&p, a), want);
    for (int i = 0; i < cells; i++)
        assert_true(!*p.loose || p.on[i] == -1);
}

static void bound(void **state)
{
    shows(*state, TWO, "0-7", 8, 1, 8,
          "4 cells on node 0 (0-3), 4 cells on node 1 (4-7)");
    shows(*state, TWO, "2-7", 2, 2, 6,
          "1 cell on node 0 (2-3), 1 cell on node 1 (4-7)");
    shows(*state, TWO, "0-7", 1, 4, 8, "1 cell on node 0 (0-3)");
    shows(*state, TWO, "0-7", 3, 3, 8,
          "cells are not bound to a node (more threads than processors)");
}

static void loose(void **state)
{
#define NONE(why) "cells are not bound to a node (" why ")"
    shows(*state, TWO, "0-3", 2, 1, 4, NONE("only one NUMA node is granted"));
    shows(*state, "pack:1 core:2 pu:1", "0-1", 2, 1, 2, NONE("one NUMA node"));
    shows(*state, TWO, "0-7", 2, 1, 7,
          NONE("cgroup sets how many processors, not which"));
    shows(*state, TWO, "0-7", 1, 5, 8, NONE("no node has room for 5 threads"));
    shows(*state, NULL, NULL, 2, 1, 8, NONE("the NUMA nodes are unknown"));
}

static void by_user(void **state)
{
    static const char *const says[] = {
        NONE("OMP_PLACES is set"), NONE("OMP_PROC_BIND is set"),
        NONE("GOMP_CPU_AFFINITY is set"), NONE("KMP_AFFINITY is set")};

    for (int i = 0; i < VARIABLES; i++) {
        setenv(variables[i], "cores", 1);
        shows(*state, TWO, "0-7", 2, 1, 8, says[i]);
        unsetenv(variables[i]);
    }
}

/* As many cells as fit are bound to nodes; the others run on any core. */
static void some(void **state)
{
    OWNED(place_close) struct place p = {
        .granted = {.n = 6}, .cells = 3, .threads = 2};
    struct placement s;

    place_fill(&p, nodes_open("pack:2 [numa] core:3 pu:1", "0-5"), 0);
    assert_int_equal(p.on[2], -1);
    place_take(&s, &p, 2);
    assert_string_equal(s.bound, "no: no node has room for it");
    place_take(&s, &p, 1); /* hwloc does not bind on a simulated machine */
    assert_string_equal(s.bound, "to node 1");
    assert_string_equal(place_text(&p, *state),
                        "1 cell on node 0 (0-2), 1 cell on node 1 (3-5), 1 "
                        "not bound");
}

static void hosts(void **state)
{
    struct seat seat[] = {{"a", "0-7"}, {"b", "0-7"}, {"a", "0-7"},
                          {"a", "0-3"}, {"a", "0-7"}};
    struct team t = {.launch = {.n = 5}, .seat = seat};
    static const int want[][2] = {{0, 3}, {0, 1}, {1, 3}, {0, 1}, {2, 3}};

    (void)state;
    for (int i = 0; i < 5; i++) {
        int share, shares;

        team_divide(&t, i, &share, &shares);
        assert_int_equal(share, want[i][0]);
        assert_int_equal(shares, want[i][1]);
    }
}

static void ranks(void **state)
{
    struct team t = {.launch = {.n = 3, .me = 2}, .share = 1, .shares = 2};
    struct pool_options o = {.team = &t};
    OWNED(place_close) struct place p = {.cells = 0};
    struct plan plan = {.n = 0};

    (void)state;
    place_open(&p, &o, &plan);
    assert_int_equal(p.cells, 2);
    assert_int_equal(o.slot, 1);
    assert_int_equal(o.jobs, 1);
    assert_ptr_equal(o.place, &p);
    assert_int_equal(p.cores.n, p.granted.n < 2 ? 1 : p.granted.n / 2);
    assert_int_equal(o.threads, p.cores.n);
    assert_string_equal(p.cores.by, "a share among ranks");
}

#define TEST(f, name) {name, f, setup, teardown, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bound, "each cell is bound to a node with room for its threads"),
        TEST(loose, "if no cell is bound, the reason is given"),
        TEST(by_user, "if the user binds threads, the program does not"),
        TEST(hosts, "ranks of other hosts or processors share no cores"),
        TEST(ranks, "ranks of one host divide its cores and its nodes"),
        TEST(some, "a cell for which no node has room left runs anywhere"),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
