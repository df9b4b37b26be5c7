/* Balanced pairs of texts, with expected results by hand: which pairs are
 * combined, and with which wording. */
#include "harness/tasks/glue/deal.h"

#include "harness/base/arena.h"
#include "harness/base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct part part = {.name = "toy", .most = {8, 8, 8}};
static struct mixture m;

static int setup(void **state)
{
    (void)state;
    m = (struct mixture){.part = &part, .memory = arena_new(),
                         .seen = map_new(), .words = map_of_copies()};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int s = 0; s < SPLITS; s++)
        for (int c = 0; c < MIXTURE_CLASSES; c++)
            free(m.of[s][c].item);
    map_free(m.seen);
    map_free(m.words);
    arena_free(m.memory);
    return 0;
}

static int tenth(const char *a, const char *b)
{
    return overlap_tenth(deal_wording(&m, a).words, deal_wording(&m, b).words);
}

static void overlaps(void **state)
{
    (void)state;
    assert_int_equal(tenth("a b c d", "a x y z"), 2);
    assert_int_equal(tenth("a b c", "A, b! d e f g h"), 6);
    assert_int_equal(tenth("a a a b", "b b"), 9);
    assert_int_equal(tenth("a b", "c"), 0);
    assert_int_equal(tenth("z y x", "x y z w"), 9);
    assert_int_equal(tenth("a", " - "), -1);
    assert_int_equal(tenth("", "a"), -1);
}

static void wordings(void **state)
{
    const struct passage p = {.split = SPLIT_TEST};
    struct pair x = deal_pair(&m, &p, "it is one in red", "none");
    struct pair y = deal_pair(&m, &p, "this is the blue one", "none");
    const struct pair *const of[2] = {&y, &y};
    const struct wording all[3] = {deal_wording(&m, "it is red"),
                                   deal_wording(&m, "this is red"),
                                   deal_wording(&m, "red was the one")};

    (void)state;
    x.hypothesis = all;
    x.wordings = 3;
    assert_ptr_equal(deal_worded(&x, of, 1), &all[1]);
    x.first = 2;
    assert_ptr_equal(deal_worded(&x, of, 2), &all[2]);
    x.first = 0;
    x.wordings = 1;
    assert_null(deal_worded(&x, of, 1));
}

/* ---- combined pairs ---- */

static void add_one(struct mixture *to, const struct pair *premise,
                    const char *hypothesis, int holds)
{
    mixture_add(to, premise->split, holds, 0,
                mixture_text(to, "toy", "p", premise->premise.text, "h",
                             hypothesis, NULL), holds ? "yes" : "no");
}

static void add_pairs(struct mixture *to, const struct pair *const two[2],
                      const char *const h[2])
{
    deal_four(to, two, h, add_one);
}

static int crosses(const struct pair *a, const struct pair *b)
{
    return *a->premise.text != *b->premise.text;
}

static const struct dealing how = {crosses, add_pairs};

static struct pair pair_of(enum split split, int key, const char *premise,
                           const char *hypothesis)
{
    const struct passage p = {.split = split};
    struct pair x = deal_pair(&m, &p, premise, hypothesis);

    x.key = key;
    return x;
}

static int examples(enum split s, int class) { return m.of[s][class].n; }

static void four(void **state)
{
    static const char *const want[2][2] = {
        {"toy p: b one h: a", "toy p: a one h: b"},
        {"toy p: a one h: a", "toy p: b one h: b"}};
    struct pair two[2] = {pair_of(SPLIT_TEST, 0, "a one", "a"),
                          pair_of(SPLIT_TEST, 0, "b one", "b")};

    (void)state;
    /* both premises lack the words, so the overlap is balanced */
    for (int i = 0; i < 2; i++)
        two[i].premise = (struct wording){two[i].premise.text, {0, NULL}};
    deal_pairs(&m, &how, two, 2);
    for (int holds = 0; holds < 2; holds++) {
        assert_int_equal(examples(SPLIT_TEST, holds), 2);
        for (int i = 0; i < 2; i++)
            assert_string_equal(m.of[SPLIT_TEST][holds].item[i].source,
                                want[holds][i]);
    }
    assert_true(two[0].dealt && two[1].dealt);
    deal_pairs(&m, &how, two, 2);
    assert_int_equal(examples(SPLIT_TEST, 0), 2);
}

static void apart(void **state)
{
    struct pair of[] = {pair_of(SPLIT_TEST, 0, "a u", "x y"),
                        pair_of(SPLIT_TRAIN, 0, "b u", "x z"),
                        pair_of(SPLIT_TEST, 1, "c u", "x v"),
                        /* does not cross the first pair (crosses()) */
                        pair_of(SPLIT_TEST, 0, "a w", "x t"),
                        pair_of(SPLIT_TEST, 0, "d y", "w s"), /* shares y with
                                                                 of[0], w with
                                                                 of[3] */
                        pair_of(SPLIT_TEST, 0, "e u", "x r")};

    (void)state;
    of[5].class = 1;
    deal_pairs(&m, &how, of, 6);
    for (int i = 0; i < 6; i++)
        assert_false(of[i].dealt);
    of[5].class = 0;
    deal_pairs(&m, &how, of, 6);
    assert_true(of[0].dealt && of[5].dealt && !of[4].dealt && !of[1].dealt);
    assert_int_equal(examples(SPLIT_TEST, 1), 2);
    assert_int_equal(examples(SPLIT_TRAIN, 1), 0);
}

static void enough(void **state)
{
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                       "i", "j", "k", "l"};
    struct pair of[12];

    (void)state;
    for (int i = 0; i < 12; i++)
        of[i] = pair_of(SPLIT_VALID, 0, name[i], name[11 - i]);
    for (int i = 0; i < 12; i++)
        of[i].premise.words.n = 0;
    deal_pairs(&m, &how, of, 12);
    assert_int_equal(examples(SPLIT_VALID, 0), 8);
    assert_int_equal(examples(SPLIT_VALID, 1), 8);
    assert_false(of[8].dealt || of[11].dealt);
}

int main(void)
{
#define TEST(name, fn) {name, fn, setup, teardown, NULL}
    const struct CMUnitTest tests[] = {
        TEST("overlap is of the shorter text's words, each once, in tenths",
             overlaps),
        TEST("that wording is taken in which all overlap alike", wordings),
        TEST("of two pairs each text stands once in either class", four),
        TEST("splits, keys, classes and unlike overlaps stay apart", apart),
        TEST("as many are dealt as are wanted", enough),
    };

    return cmocka_run_group_tests_name("deal", tests, NULL, NULL);
}
