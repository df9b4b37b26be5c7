/* Messages about unknown names suggest the nearest known ones. */
#include "harness/base/err.h"
#include "harness/base/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void refused(const char *word, const char *const names[],
                    const char *lists, const char *message)
{
    assert_int_equal(names_listed("fruit", word, names, lists), ERR_USAGE);
    assert_string_equal(err_last(), message);
}

static void near_name(void **state)
{
    (void)state;
    refused("aple", NAMES("pear", "apple", "plum"), NULL,
            "unknown fruit 'aple': did you mean 'apple'?");
    refused("pea", NAMES("apple", "pear"), "list fruits",
            "unknown fruit 'pea': did you mean 'pear'?");
}

static void few_are_all_told(void **state)
{
    (void)state;
    refused("x1y2z3", NAMES("pear", "apple", "plum"), NULL,
            "unknown fruit 'x1y2z3': expected one of pear, apple, plum");
    refused("x1y2z3", NAMES("a", "b", "c", "d", "e", "f", "g", "h"),
            "list fruits",
            "unknown fruit 'x1y2z3': expected one of a, b, c, d, e, f, g, h");
}

/* The edit distances of the names are 6, 5, 4, 6, 6, 3, 6, 3, 6. The nearest
 * names come first; names with equal distance keep their order. */
static void of_many_the_nearest(void **state)
{
    static const char *const names[] = {
        "a", "x", "xxyy12", "b", "c", "x1y456", "d", "x1.2..", "e",
        NULL};

    (void)state;
    refused("x1y2z3", names, "list fruits",
            "unknown fruit 'x1y2z3': expected one of x1y456, x1.2.., xxyy12, "
            "x, a, b and 3 more (`list fruits` lists them)");
}

static void of_very_many_also_without_a_list(void **state)
{
    static const char *const names[] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n",
        "o", "p", "q", NULL};

    (void)state;
    refused("x1y2z3", names, NULL,
            "unknown fruit 'x1y2z3': expected one of a, b, c, d, e, f and 11 "
            "more");
    refused("x1y2z3", names + 1, NULL,
            "unknown fruit 'x1y2z3': expected one of b, c, d, e, f, g, h, i, "
            "j, k, l, m, n, o, p, q");
    assert_int_equal(names_find("fruit", "q", names), 16);
}

/* No name begins with an empty word, and none is near it. */
static void empty_word(void **state)
{
    static const char *const few[] = {"layers", "heads", NULL};

    (void)state;
    assert_int_equal(names_find("key", "", few), ERR_USAGE);
    assert_null(strstr(err_last(), "did you mean"));
    assert_non_null(strstr(err_last(), "layers, heads"));
}

#define TEST(f, name) {name, f, NULL, NULL, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(near_name, "the name that is near is told"),
        TEST(empty_word, "to an empty word, none is near"),
        TEST(few_are_all_told, "where none is, all of a few are"),
        TEST(of_many_the_nearest, "of many the six nearest, how many more "
             "there are, and what lists them"),
        TEST(of_very_many_also_without_a_list, "of very many also where no "
             "command lists them"),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
