/* A run whose cells the store's experiment lacks is refused, and the message
 * says what differs. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/plan/plan.h"
#include "harness/store/frozen.h"
#include "harness/train/train.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Opens a plan of one cell with these settings. */
static void open_plan(struct plan **out, const char *settings)
{
    OWNED(free) char *path = str_format("%s/x.yaml", scratch_folder);
    OWNED(free) char *text = str_format(
        "title: x\nvariants: [vanilla]\ntasks: [lm1b]\nscales: [smoke]\n"
        "seeds: [1]\nsettings: {%s}\n", settings);
    OWNED(free) char *store = str_format("%s/store", scratch_folder);

    assert_int_equal(file_mkdirs(store), OK);
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    if (plan_open(out, &(struct plan_of){.experiment = path, .store = store}))
        fail_msg("%s", err_last());
}

/* Writes a plan with the settings `stored` to the store; a plan with the
 * settings `mine` is refused with the message. */
static void refused(const char *stored, const char *mine, const char *says)
{
    OWNED(plan_close) struct plan *a = NULL, *b = NULL;

    open_plan(&a, stored);
    assert_int_equal(freeze_write(a, 1), OK);
    open_plan(&b, mine);
    assert_int_equal(freeze_check(b), ERR_USAGE);
    assert_int_equal(freeze_write(b, 0), ERR_USAGE);
    if (!strstr(err_last(), says))
        fail_msg("'%s' does not say '%s'", err_last(), says);
    assert_int_equal(freeze_check(a), OK); /* nothing was changed */
}

static void differences(void **state)
{
    (void)state;
    refused("steps: 100", "steps: 200",
            "vanilla/lm1b/smoke/1 (steps: 200, stored: 100)");
    refused("steps: 100, norm_eps: 0.001", "steps: 100",
            "(norm_eps: the default, stored: 0.001)");
    refused("steps: 100, d: 64, ff: 128, batch: 16",
            "steps: 200, d: 32, ff: 256, batch: 32", "; ...)");
    refused("steps: 100, d: 64, ff: 128", "steps: 200, d: 32, ff: 256",
            "stored: 128");
    assert_null(strstr(err_last(), "..."));
}

/* The store is of another version, which computed the same settings
 * differently. */
static void another_version(void **state)
{
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(frozen_close) struct frozen *f = NULL;

    (void)state;
    open_plan(&p, "steps: 100");
    assert_int_equal(freeze_write(p, 0), OK);
    assert_int_equal(frozen_read(&f, p->store), OK);
    struct frozen_cell *c = f->cell;
    c->numerics++;
    cell_id(c->id, c->config, c->recipe, c->numerics);
    assert_int_equal(frozen_write(f, p->store), OK);
    assert_int_equal(freeze_check(p), ERR_USAGE);
    assert_non_null(strstr(err_last(), "its settings are equal, but an "
                           "earlier version of synthbench"));
    assert_int_equal(freeze_write(p, 1), OK);
    assert_int_equal(freeze_check(p), OK);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"up to three settings that differ are named", differences,
         scratch_begin, scratch_end, NULL},
        {"a cell of another version differs", another_version,
         scratch_begin, scratch_end, NULL}};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
