/* A store of another numerics version: its cells can be looked at, and are
 * never taken for those of today's program. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/plan/plan.h"
#include "harness/store/cell.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"
#include "tests/support/made.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* A store whose one cell has these numerics. */
static char *store_of(int numerics, char id[CELL_ID])
{
    struct frozen_cell cell = made_frozen(made_cell(&(struct cell_labels){
        "vanilla", "agnews", "smoke", 1, 1}));
    struct frozen all = {.name = "x", .title = "x", .n = 1, .cell = &cell};
    char *folder = scratch_make();

    cell.numerics = numerics;
    cell_id(cell.id, cell.config, DATA_RECIPE_VERSION, numerics);
    strcpy(id, cell.id);
    assert_int_equal(frozen_write(&all, folder), OK);
    return folder;
}

static void alone(void **state)
{
    char id[CELL_ID], *folder = store_of(NUMERICS_VERSION - 1, id);
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(free) char *cell = str_format("%s#%s", folder, id);

    (void)state;
    assert_int_equal(plan_open(&p, &(struct plan_of){.store = folder}),
                     ERR_EMPTY);
    assert_non_null(strstr(err_last(), "cells (1) are older"));
    assert_non_null(strstr(err_last(), "--extend"));
    assert_int_equal(target_open(&p, cell, NULL), OK);
    assert_int_equal(p->n, 1);
    assert_true(p->cell[0].older);
    assert_true(p->cell[0].selected);
    scratch_remove(folder);
}

static void todays(void **state)
{
    char id[CELL_ID], *folder = store_of(NUMERICS_VERSION, id);
    OWNED(plan_close) struct plan *p = NULL;

    (void)state;
    assert_int_equal(plan_open(&p, &(struct plan_of){.store = folder}), OK);
    assert_int_equal(p->n, 1);
    assert_false(p->cell[0].older);
    assert_true(p->cell[0].selected);
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest older[] = {
        {"older cells alone are no experiment, yet one can be named", alone,
         NULL, NULL, NULL},
        {"today's cells are one", todays, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("older", older, NULL, NULL);
}
