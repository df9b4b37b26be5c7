/* Which cell another one starts from, and what is said if there is none. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/plan/plan.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Opens the plan of an experiment with these tasks and these settings of
 * agnews. Returns the error, or OK. */
static int opened(struct plan **out, const char *tasks, const char *set)
{
    char *folder = scratch_make();
    OWNED(free) char *path = str_format("%s/x.yaml", folder);
    OWNED(free) char *text = str_format(
        "title: x\nvariants: [random, vanilla]\ntasks: [%s]\nscales: [smoke]\n"
        "seeds: [1, 2]\nsettings: {preset: t5, layers: 2, d: 16, ff: 16, "
        "heads: 2, N: 16, vocab: 40}\noverride:\n%s\n", tasks, set);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    int rc = plan_open(out, &(struct plan_of){.experiment = path});
    scratch_remove(folder);
    return rc;
}

#define START "  - {match: {task: wmt14_ende}, set: {pretrained: c4}}\n"

static void starts(void **state)
{
    OWNED(plan_close) struct plan *p = NULL;
    int found = 0;

    (void)state;
    if (opened(&p, "wmt14_ende, c4", START))
        fail_msg("%s", err_last());
    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i], *from = c->parent;

        if (!from)
            continue;
        found++;
        assert_string_equal(c->config.task, "wmt14_ende");
        assert_string_equal(from->config.task, "c4");
        assert_string_equal(from->row, c->row);
        assert_int_equal(from->config.seed, c->config.seed);
        assert_string_equal(c->config.pretrained, from->id);
    }
    assert_int_equal(found, 4);
}

static void refused(void **state)
{
    static const struct { const char *tasks, *set, *says; } row[] = {
        {"wmt14_ende, lm1b", START,
         "random/wmt14_ende/1 starts from c4, but the experiment has no such "
         "cell"},
        {"c4", "  - {match: {task: c4}, set: {pretrained: c4}}",
         "random/c4/1 starts from c4, which starts from this cell"},
        {"wmt14_ende, c4",
         START "  - {match: {task: c4}, set: {vocab: 48}}",
         "random/wmt14_ende cannot start from c4: "},
        {"wmt14_ende, c4",
         START "  - {match: {task: c4}, set: {vocab: 48}}",
         " has another shape there"},
        {"wmt14_ende, c4", START "  - {match: {task: c4}, set: {layers: 1}}",
         " is not there"},
        {"wmt14_ende, c4",
         START "  - {match: {task: c4, variant: random}, set: {N: 12}}",
         ".R has another shape there"}};
    struct plan *p;

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int rc = opened(&p, row[i].tasks, row[i].set);

        if (rc != ERR_USAGE || !strstr(err_last(), row[i].says))
            fail_msg("%zu: %d, '%s' does not say '%s'", i, rc,
                     rc ? err_last() : "", row[i].says);
        assert_null(p);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"a cell starts from the one of its row and seed", starts, NULL, NULL,
         NULL},
        {"a cell without a start is refused", refused, NULL, NULL, NULL}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
