/* Seeds that decide nothing: cells of other seeds with the same weights. */
#include "harness/base/err.h"
#include "harness/gate/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 3, VALUES = 3 };

struct side {
    struct baseline       baseline;
    struct baseline_cell  cell[CELLS];
    struct baseline_value value[CELLS][VALUES];
};

static struct baseline_value text_value(const char *what, const char *text)
{
    return (struct baseline_value){.what = what, .text = text, .value = NAN,
                                   .between = {NAN, NAN}, .units = "",
                                   .signature = ""};
}

/* Seeds 1 and 2 of one variant, and 1 of another, with these weights. */
static void make(struct side *s, const char *const weights[CELLS])
{
    static const char *const name[] = {"a/t/smoke/1", "a/t/smoke/2",
                                       "b/t/smoke/1"};
    static const char *const id[] = {"01", "02", "03"};

    for (int i = 0; i < CELLS; i++) {
        s->value[i][0] = text_value("id", id[i]);
        s->value[i][1] = text_value("results", weights[i]);
        s->value[i][2] = text_value("weights", weights[i]);
        s->cell[i] = (struct baseline_cell){name[i], VALUES, s->value[i]};
    }
    s->baseline = (struct baseline){.name = "x", .cells = CELLS,
                                    .cell = s->cell};
}

/* The cells that are said to be changed, "a/t/smoke/2;". */
static void expect(const char *const old[CELLS], const char *const new[CELLS],
                   const char *want)
{
    static const struct metric *const none[] = {NULL};
    struct side a, b;
    OWNED(judge_close) struct judgement *j = NULL;
    char got[256] = "";

    make(&a, old);
    make(&b, new);
    assert_int_equal(judge(&j, &(struct judge_of){
        .old = &a.baseline, .new = &b.baseline, .new_store = "none",
        .margin = NAN, .metrics = none}), OK);
    for (int i = 0; i < j->n; i++)
        if (j->row[i].verdict == JUDGE_CHANGED) {
            strcat(strcat(got, j->row[i].cell), ";");
            assert_non_null(strstr(j->row[i].why, "the same weights as "
                                                  "a/t/smoke/1"));
        }
    assert_string_equal(got, want);
}

static void a_seed_that_decides_nothing_is_told(void **state)
{
    static const char *const apart[] = {"1", "2", "3"}, *const other[] = {
        "4", "5", "6"}, *const one[] = {"4", "4", "4"};

    (void)state;
    expect(apart, other, "");
    expect(apart, one, "a/t/smoke/2;");
    expect(one, one, "");
    expect(one, apart, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_that_decides_nothing_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
