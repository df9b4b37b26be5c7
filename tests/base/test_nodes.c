/* NUMA nodes to which cells are bound, on simulated machines. */
#include "harness/base/nodes.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define SOCKETS "pack:2 [numa] core:4 pu:2" /* processors 0-7 and 8-15 */
#define PLAIN "pack:2 [numa] core:4 pu:1"   /* 0-3 and 4-7 */

/* Returns the nodes of the cells in order, for example "0 1 -1". The test frees
 * it. */
static char *assigned(const char *machine, const char *granted, int cells,
                      int threads, int from)
{
    OWNED(nodes_close) struct nodes *n = nodes_open(machine, granted);
    struct text t = {0};
    int on[64];

    assert_non_null(n);
    nodes_assign(on, n, cells, threads, from);
    for (int i = 0; i < cells; i++)
        text_format(&t, "%s%d", i ? " " : "", on[i]);
    return t.s;
}

#define SAME(call, want)                                                      \
    do {                                                                      \
        OWNED(free) char *is = call;                                          \
        assert_string_equal(is, want);                                        \
    } while (0)

static void counts(void **state)
{
    OWNED(nodes_close) struct nodes *n = nodes_open(SOCKETS, "0-15");
    char text[NODES_TEXT];

    (void)state;
    assert_int_equal(n->of.sockets, 2);
    assert_int_equal(n->of.nodes, 2);
    assert_int_equal(n->of.cores, 8);
    assert_int_equal(n->of.processors, 16);
    assert_int_equal(n->granted, 16);
    assert_string_equal(n->node[1].list, "8-15");
    assert_int_equal(n->node[1].cores, 4);
    nodes_text(text, &n->of);
    assert_string_equal(text,
                        "2 sockets, 2 NUMA nodes, 8 cores, 16 processors");
    nodes_text(text, &(struct machine){1, 1, 1, 1});
    assert_string_equal(text, "1 socket, 1 NUMA node, 1 core, 1 processor");
}

static void grants(void **state)
{
    OWNED(nodes_close) struct nodes *n = nodes_open(SOCKETS, "3-6,12");
    OWNED(nodes_close) struct nodes *one = nodes_open(SOCKETS, "8,10-13");

    (void)state;
    assert_int_equal(n->n, 2);
    assert_int_equal(n->granted, 5);
    assert_string_equal(n->node[0].list, "3-6");
    /* the cores of processors 2-3 (only 3 is granted), 4-5 and 6-7 (only 6) */
    assert_int_equal(n->node[0].cores, 3);
    assert_string_equal(n->node[1].list, "12");
    assert_int_equal(one->n, 1);
    assert_int_equal(one->node[0].id, 1);
    assert_int_equal(one->of.processors, 16);
}

static void spread(void **state)
{
    (void)state;
    SAME(assigned(PLAIN, "0-7", 2, 1, 0), "0 1");
    SAME(assigned(PLAIN, "0-7", 8, 1, 0), "0 1 0 1 0 1 0 1");
    SAME(assigned(PLAIN, "0-7", 4, 2, 0), "0 1 0 1");
    SAME(assigned(PLAIN, "0-7", 2, 4, 0), "0 1");
    SAME(assigned("pack:4 [numa] core:2 pu:1", "0-7", 4, 2, 0), "0 1 2 3");
}

static void first(void **state)
{
    (void)state;
    SAME(assigned(PLAIN, "0-7", 1, 2, 1), "1");
    SAME(assigned(PLAIN, "0-7", 3, 1, 1), "1 0 1");
}

static void whole(void **state)
{
    (void)state;
    /* node 0 has one core with two processors, node 1 three whole cores */
    SAME(assigned(SOCKETS, "0-1,8-13", 5, 1, 0), "1 1 0 1 0");
    /* node 0 has two cores with two processors each, node 1 has four cores
     * with one granted processor each */
    SAME(assigned(SOCKETS, "0-3,8,10,12,14", 6, 1, 0), "1 1 0 1 0 1");
}

static void room(void **state)
{
    (void)state;
    SAME(assigned(PLAIN, "0-7", 1, 5, 0), "-1");
    SAME(assigned(PLAIN, "0-7", 3, 3, 0), "0 1 -1");
    SAME(assigned(PLAIN, "0-2,4", 2, 2, 0), "0 -1");
    SAME(assigned(SOCKETS, "0-15", 2, 8, 0), "0 1");
}

static void two_kinds(void **state)
{
    OWNED(nodes_close) struct nodes *n =
        nodes_open("[numa] pack:2 [numa] core:2 pu:1", "0-3");

    (void)state;
    assert_non_null(n);
    assert_int_equal(n->of.processors, 4);
    assert_int_equal(n->granted, 4);
}

/* A virtual machine that reports processors alone. */
static void processors_alone(void **state)
{
    OWNED(nodes_close) struct nodes *n = nodes_open("pu:6", "0-4");

    (void)state;
    assert_non_null(n);
    assert_int_equal(n->of.sockets, 1);
    assert_int_equal(n->of.nodes, 1);
    assert_int_equal(n->of.cores, 6);
    assert_int_equal(n->of.processors, 6);
    assert_int_equal(n->node[0].cores, 5);
}

/* Every other processor of 300: their list is longer than its room. */
static void a_long_list(void **state)
{
    struct text all = {0};

    (void)state;
    for (int i = 0; i < 300; i += 2)
        text_format(&all, "%s%d", i ? "," : "", i);
    OWNED(nodes_close) struct nodes *n = nodes_open("core:300 pu:1", all.s);
    assert_non_null(n);
    assert_int_equal(n->node[0].processors, 150);
    const char *list = n->node[0].list, *end = strrchr(list, ',') + 1;
    assert_string_equal(end, "...");
    assert_memory_equal(list, all.s, (size_t)(end - list));
    assert_true(strlen(list) > CORES_LIST - 8);
    text_free(&all);
}

static void nonsense(void **state)
{
    (void)state;
    assert_null(nodes_open("pack:two", "0"));
}

static void here(void **state)
{
    OWNED(nodes_close) struct nodes *n = nodes_open(NULL, NULL);
    struct cores c;
    char now[CORES_LIST];

    (void)state;
    if (!n) {
        print_message("# skipped: this machine reports no NUMA nodes\n");
        return;
    }
    cores_granted(&c);
    assert_int_equal(n->of.processors, c.online);
    assert_true(n->here >= 0 && n->here < n->n);
    assert_int_equal(nodes_bind(n, n->here), OK);
    cores_granted(&c);
    assert_string_equal(c.list, n->node[n->here].list);
    nodes_now(now, n);
    assert_int_equal(atoi(now), n->node[n->here].id);
    assert_null(strchr(now, ','));
}

#define TEST(f, name) {name, f, NULL, NULL, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(counts, "sockets, nodes, cores and processors are counted"),
        TEST(grants, "of a node the granted processors count, and their cores"),
        TEST(spread, "cells go to all nodes in turn"),
        TEST(first, "the first of equals is the node that is asked for"),
        TEST(whole, "siblings of a core come when all cores are taken"),
        TEST(room, "a cell has room on one node for all its threads, or none"),
        TEST(two_kinds, "processors that two nodes have count once"),
        TEST(processors_alone, "without sockets and cores, processors count"),
        TEST(a_long_list, "a list that is too long ends behind a number"),
        TEST(nonsense, "what hwloc cannot read is no machine"),
        TEST(here, "a bound thread may run on its node and no other"),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
