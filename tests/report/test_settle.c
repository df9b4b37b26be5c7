/* Numbers and texts of a table are first converted to a form that every format
 * can represent. */
#include "harness/base/arena.h"
#include "harness/report/result_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double third = 1.0 / 3; /* needs 16 digits */
static const char raw[] = "a\nb\x7f" "c\xff.";
static const char clean[] = "a b c\xef\xbf\xbd.";

/* ---- a table with this value in every place ---- */

static struct result_cell cells[2];
static struct result_row rows[2];
static struct result_task tasks[2];
static struct result_correlation correlations[2];
static struct result_pair pairs[2];
static struct result_failure failures[2];
static struct build builds[2];
static const char *guesses[3];

static struct result_table made(double x, const char *text)
{
    for (int i = 0; i < 2; i++) {
        cells[i] = (struct result_cell){
            .value = x, .between = {x, x}, .over = OVER_SEEDS, .published = x,
            .rank = x, .rank_published = x, .source = text, .dispute = text,
            .how = text, .signature = text, .commit = text};
        rows[i] = (struct result_row){.variant = text, .title = text,
                                      .what = text, .signature = text,
                                      .reference = 1, .columns = 1,
                                      .cell = &cells[i]};
        tasks[i] = (struct result_task){.source = text, .label = text};
        correlations[i] = (struct result_correlation){
            .rho = {x, x, {x, x}}, .tau = {x, x, {x, x}}};
        pairs[i] = (struct result_pair){
            .a = text, .b = text, .difference = x,
            .verdict = {.p = x, .between = {x, x}}};
        failures[i] = (struct result_failure){.variant = text, .task = text,
                                             .message = text};
        builds[i] = (struct build){.commit = text};
        guesses[i] = text;
        for (int k = 0; k < BUILD_FACTS; k++)
            builds[i].fact[k] = text;
    }
    return (struct result_table){
        .memory = arena_new(), .experiment = text, .scale = text, .tasks = 2,
        .rows = 2, .columns = 1, .correlations = 2, .pairs = 2, .task = tasks,
        .row = rows, .correlation = correlations, .pair = pairs,
        .failures = 2, .failure = failures, .builds = {2, builds},
        .guessed = guesses};
}

/* ---- the resulting values ---- */

static void number(const char *what, double got, double want)
{
    if (isnan(want) ? !isnan(got) : got != want)
        fail_msg("%s: %.17g, not %.17g", what, got, want);
}

static void order(const char *what, const struct rank_correlation *got,
                  double want)
{
    number(what, got->r, want);
    number("its p", got->p, want);
    number("its low", got->between.low, want);
    number("its high", got->between.high, want);
}

static void numbers_are(double x)
{
    for (int i = 0; i < 2; i++) {
        number("value", cells[i].value, x);
        number("low", cells[i].between.low, x);
        number("high", cells[i].between.high, x);
        assert_int_equal(cells[i].over, isnan(x) ? OVER_NOTHING : OVER_SEEDS);
        number("published", cells[i].published, x);
        number("rank", cells[i].rank, x);
        number("published rank", cells[i].rank_published, x);
        order("rho", &correlations[i].rho, x);
        order("tau", &correlations[i].tau, x);
        number("difference", pairs[i].difference, x);
        number("p", pairs[i].verdict.p, x);
        number("low of a pair", pairs[i].verdict.between.low, x);
        number("high of a pair", pairs[i].verdict.between.high, x);
    }
}

static void texts_are(const struct result_table *s, const char *want)
{
    assert_string_equal(s->experiment, want);
    assert_string_equal(s->scale, want);
    for (int i = 0; i < 2; i++) {
        const char *const all[] = {
            cells[i].source, cells[i].dispute, cells[i].how,
            cells[i].signature, cells[i].commit, rows[i].variant,
            rows[i].title, rows[i].what, rows[i].signature,
            tasks[i].source, tasks[i].label, pairs[i].a, pairs[i].b,
            failures[i].variant, failures[i].task, failures[i].message,
            builds[i].commit, guesses[i]};

        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            assert_string_equal(all[k], want);
        for (int k = 0; k < BUILD_FACTS; k++)
            assert_string_equal(builds[i].fact[k], want);
    }
}

static void settled(double x, double want)
{
    struct result_table s = made(x, raw);

    data_clean(&s);
    numbers_are(want);
    texts_are(&s, clean);
    data_clean(&s); /* cleaning is idempotent */
    numbers_are(want);
    texts_are(&s, clean);
    arena_free(s.memory);
}

static void everywhere(void **state)
{
    char digits[32];

    (void)state;
    snprintf(digits, sizeof digits, "%.15g", third);
    assert_true(strtod(digits, NULL) != third);
    settled(third, strtod(digits, NULL));
    settled(-2.5, -2.5);
    settled(INFINITY, NAN);
    settled(NAN, NAN);
}

/* Tests the first and last characters of each range of characters that tables
 * do not contain, and their neighbours. */
static void controls(void **state)
{
    static const char *const pair[][2] = {
        {"\x01|\x1f|", " | |"}, {" |~|", " |~|"}, {"\x7f|", " |"},
        {"\xc2\x80|\xc2\x9f|\xc2\xa0|", " | |\xc2\xa0|"},
        {"\xe2\x80\xa7|\xe2\x80\xa8|\xe2\x80\xa9|\xe2\x80\xaa|",
         "\xe2\x80\xa7| | |\xe2\x80\xaa|"},
        {"\xc3\xa9", "\xc3\xa9"}, {"", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct result_table s = made(0, pair[i][0]);

        data_clean(&s);
        texts_are(&s, pair[i][1]);
        arena_free(s.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every number has fifteen digits, every text one line of UTF-8",
         everywhere, NULL, NULL, NULL},
        {"control characters turn into blanks, and no others", controls, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
