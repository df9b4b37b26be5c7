/* Claims: arithmetic over published numbers, expectations, verdicts from cases,
 * and figures of their numbers. */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/claims/judge.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

/* ---- arithmetic ---- */

#define LINES                                                                 \
    "table\trow\tcolumn\tkey\tvalue\tsource\tconfidence\tnote\n"              \
    "T\tA\tX\ta/t/m\t27.67\tone\thigh\t\n"                                    \
    "T\tA\tX\ta/t/m\t27.66\ttwo\twrong\t\n"                                   \
    "T\tB\tX\tb/t/m\t27.27\tone\thigh\t\n"                                    \
    "T\tB\tP\tb/t/p\t67M\tone\thigh\t\n"                                      \
    "T\tC\tX\t\t2.5\tone\thigh\tno key\n"

static int compute(struct number *out, const char *text)
{
    char *folder = scratch_make();
    OWNED(free) char *path = str_format("%s/p.tsv", folder);
    OWNED(published_close) struct published *p = NULL;

    assert_int_equal(file_write(path, LINES, strlen(LINES)), OK);
    assert_int_equal(published_read(&p, path), OK);
    int rc = number_of(out, text, p);
    scratch_remove(folder);
    return rc;
}

static void computes(const char *text, double value, double low, double high)
{
    struct number x;

    if (compute(&x, text))
        fail_msg("%s: %s", text, err_last());
    if (fabs(x.value - value) > 1e-9 || fabs(x.between.low - low) > 1e-9 ||
        fabs(x.between.high - high) > 1e-9)
        fail_msg("%s: %.12g [%.12g, %.12g]", text, x.value, x.between.low,
                 x.between.high);
}

static void numbers_are_computed(void **state)
{
    (void)state;
    computes("1 + 2 * 3 - 8 / 4", 5, 5, 5);
    computes("(1 + 2) * -3", -9, -9, -9);
    computes("exp(0) - 1", 0, 0, 0);
    computes("[a/t/m]", 27.67, 27.665, 27.675);
    computes("[a/t/m] - [b/t/m]", 0.4, 0.39, 0.41);
    computes("-[b/t/m]", -27.27, -27.275, -27.265);
    computes("[a/t/m] / [b/t/m]", 27.67 / 27.27, 27.665 / 27.275,
             27.675 / 27.265);
    computes("exp([b/t/m] - [a/t/m])", exp(-0.4), exp(-0.41), exp(-0.39));
    computes("[b/t/p] / 1000000", 67, 66.5, 67.5);
}

static void a_source_or_a_place_names_a_number(void **state)
{
    (void)state;
    computes("[a/t/m @ two]", 27.66, 27.655, 27.665);
    computes("[T|C|X]", 2.5, 2.495, 2.505); /* the column has two decimals */
}

static void refuses(const char *text, const char *why)
{
    struct number x;

    assert_int_equal(compute(&x, text), ERR_USAGE);
    if (!strstr(err_last(), why))
        fail_msg("%s: '%s' does not say '%s'", text, err_last(), why);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    refuses("[a/t/n]", "no number 'a/t/n': did you mean 'a/t/m'?");
    refuses("[a/t/m @ three]", "no number 'a/t/m' of three");
    refuses("[a/t/m", "missing ] after [");
    refuses("(1 + 2", "missing ) after (");
    refuses("1 +", "expected a number");
    refuses("1 2", "expected an operator, column 3");
    refuses("1 / 0", "not a number");
    refuses("((((((((((((((((((((((((((((((((((1", "nested too deep");
    refuses("---------------------------------1", "nested too deep");
}

/* ---- expectations ---- */

/* Judges the expectation `expected` (a YAML scalar, or "low high") about the
 * measure "x", which is `value` with half-width `reach`. A second measure "y"
 * is 1 +- 0.1. */
static enum claim_verdict holds(double value, double reach,
                                const char *expected, int printed)
{
    struct arena *memory = arena_new();
    OWNED(free) char *low = str_copy(expected);
    char *high = strpbrk(expected, "<>") ? NULL : strchr(low, ' ');
    struct node of[2] = {{.text = low}, {.text = high ? high + 1 : NULL}};
    struct node n = {.key = "x", .text = expected};
    struct claim_case c = {
        .expects = 1, .measures = 2,
        .measured = {{"x", value, reach, {value - reach, value + reach}},
                     {"y", 1, 0.1, {0.9, 1.1}}}};

    if (high) {
        *high = 0;
        of[0].next = &of[1];
        n = (struct node){.kind = NODE_LIST, .key = "x", .child = of};
    }
    if (expect_read(&c.expect[0], &n, NAMES("x", "y"), memory))
        fail_msg("%s: %s", expected, err_last());
    enum claim_verdict v = expect_all(&c, printed);
    arena_free(memory);
    return v;
}

static void an_interval_inside_holds_and_one_outside_fails(void **state)
{
    (void)state;
    assert_int_equal(holds(1, 0.05, "0.9 1.1", 0), CLAIM_HOLDS);
    assert_int_equal(holds(1.2, 0.05, "0.9 1.1", 0), CLAIM_FAILS);
    assert_int_equal(holds(0.8, 0.05, "0.9 1.1", 0), CLAIM_FAILS);
    assert_int_equal(holds(1.1, 0.05, "0.9 1.1", 0), CLAIM_UNDECIDED);
    assert_int_equal(holds(0.9, 0.05, "0.9 1.1", 0), CLAIM_UNDECIDED);
    assert_int_equal(holds(1, 0.5, "0.9 1.1", 0), CLAIM_UNDECIDED);
    assert_int_equal(holds(1, 0, "1", 0), CLAIM_HOLDS);
    assert_int_equal(holds(1 + 1e-12, 0, "1", 0), CLAIM_HOLDS);
    assert_int_equal(holds(1.001, 0, "1", 0), CLAIM_FAILS);
}

static void comparisons_know_their_bound(void **state)
{
    (void)state;
    assert_int_equal(holds(2, 0, "> 2", 0), CLAIM_FAILS);
    assert_int_equal(holds(2, 0, ">= 2", 0), CLAIM_HOLDS);
    assert_int_equal(holds(2, 0, "< 2", 0), CLAIM_FAILS);
    assert_int_equal(holds(2, 0, "<= 2", 0), CLAIM_HOLDS);
    assert_int_equal(holds(2, 0.1, "> 1.9", 0), CLAIM_UNDECIDED);
    assert_int_equal(holds(2, 0.1, "> 1.8", 0), CLAIM_HOLDS);
    assert_int_equal(holds(2, 0.1, "< 1.8", 0), CLAIM_FAILS);
}

/* y is 1 +- 0.1. A difference of 0.3 exceeds both half-widths, 0.1 does not. */
static void a_measure_is_compared_with_another(void **state)
{
    (void)state;
    assert_int_equal(holds(1.3, 0.1, "> y", 0), CLAIM_HOLDS);
    assert_int_equal(holds(1.1, 0.1, "> y", 0), CLAIM_UNDECIDED);
    assert_int_equal(holds(1.3, 0.1, "< y", 0), CLAIM_FAILS);
}

static void printed_numbers_agree_where_roundings_meet(void **state)
{
    (void)state;
    assert_int_equal(holds(1.446, 0.03, "1.45 1.55", 1), CLAIM_HOLDS);
    assert_int_equal(holds(1.41, 0.03, "1.45 1.55", 1), CLAIM_FAILS);
    assert_int_equal(holds(0, 1, "> 1", 1), CLAIM_FAILS);
    assert_int_equal(holds(0, 1, "> 0", 1), CLAIM_UNDECIDED);
    assert_int_equal(holds(0.01, 1, "> 0", 1), CLAIM_UNDECIDED);
    assert_int_equal(holds(1.01, 1, "> 0", 1), CLAIM_HOLDS);
}

/* ---- claims ---- */

#define CLAIM(id, cases)                                                      \
    "  - {id: " id ", source: s, text: t, kind: published, cases: [" cases     \
    "]}\n"
#define ONE(when, value)                                                      \
    "{if: " when ", numbers: {x: \"" value "\"}, expect: {x: 1}}"
#define ARGS "args: {variant: orthogonal, d: 32, k: 8}"
#define PROJECTION(id)                                                        \
    "  - {id: " id ", source: s, text: t, kind: computed, check: projection,"  \
    " cases: [{" ARGS ", expect: {inner: [%.9f, 9]}}]}\n"

static struct claims *judged(const char *text)
{
    char *folder = scratch_make();
    OWNED(free) char *path = str_format("%s/c.yaml", folder);
    struct claims *c;

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    if (claims_read(&c, path) ||
        claims_judge(c, &(struct claims_by){.reports = 0}))
        fail_msg("%s", err_last());
    scratch_remove(folder);
    return c;
}

static const struct claim *named(const struct claims *c, const char *id)
{
    struct claim *one;

    assert_int_equal(claims_find(&one, c, id), OK);
    return one;
}

static void cases_make_a_verdict(void **state)
{
    OWNED(claims_close) struct claims *c = judged(
        "S:\n"
        CLAIM("all", ONE("p", "1") ", " ONE("q", "2 - 1"))
        CLAIM("none", ONE("p", "2") ", " ONE("q", "3"))
        CLAIM("some", ONE("p", "2") ", " ONE("q", "1") ", " ONE("r", "1"))
        "  - {id: never, source: s, text: t, kind: untestable, reason: r}\n"
        "  - {id: later, source: s, text: t, kind: trained, cases: [{better: "
        "random, than: vanilla, task: lm1b, metric: ce, experiment: quick}]}"
        "\n");

    (void)state;
    assert_int_equal(named(c, "all")->verdict, CLAIM_HOLDS);
    assert_int_equal(named(c, "none")->verdict, CLAIM_FAILS);
    assert_int_equal(named(c, "some")->verdict, CLAIM_ONLY_IF);
    assert_string_equal(named(c, "some")->when, "q; r");
    assert_int_equal(named(c, "never")->verdict, CLAIM_NOT_HERE);
    assert_int_equal(named(c, "later")->verdict, CLAIM_NOT_HERE);
    assert_string_equal(named(c, "later")->of[0].command,
                        "synthbench run experiments/quick.yaml");
    assert_int_equal(claims_count(c, CLAIM_NOT_HERE), 2);
}

/* The claim is that a bound holds; the bound is the mean itself. */
static void a_bound_within_the_error_is_undecided(void **state)
{
    OWNED(claims_close) struct claims *first = NULL, *second = NULL;
    OWNED(free) char *text = str_format("S:\n" PROJECTION("low"), 0.0);

    (void)state;
    first = judged(text);
    const struct claim_measured *m = expect_measured(first->claim[0].of,
                                                     "inner");
    assert_true(m->error > 0);
    assert_true(fabs(m->between.high - m->value - 1.96 * m->error) < 1e-12);
    assert_int_equal(first->claim[0].verdict, CLAIM_HOLDS);
    OWNED(free) char *again = str_format(
        "S:\n" PROJECTION("mean")
        "  - {id: mixed, source: s, text: t, kind: computed, check: projection,"
        " cases: [{if: a, " ARGS ", expect: {inner: [%.9f, 9]}},"
        " {if: b, " ARGS ", expect: {inner: [0, 9]}}]}\n",
        m->value, m->value);
    second = judged(again);
    assert_int_equal(named(second, "mean")->verdict, CLAIM_UNDECIDED);
    assert_int_equal(named(second, "mixed")->verdict, CLAIM_UNDECIDED);
    assert_string_equal(named(second, "mixed")->when, "b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_computed),
        cmocka_unit_test(a_source_or_a_place_names_a_number),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(an_interval_inside_holds_and_one_outside_fails),
        cmocka_unit_test(comparisons_know_their_bound),
        cmocka_unit_test(a_measure_is_compared_with_another),
        cmocka_unit_test(printed_numbers_agree_where_roundings_meet),
        cmocka_unit_test(cases_make_a_verdict),
        cmocka_unit_test(a_bound_within_the_error_is_undecided),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
