/* A store of another numerics version: its cells can be shown, but never count
 * as finished cells of the current version. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/plan/plan.h"
#include "harness/store/cell.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* Makes a store with one cell of this numerics version. */
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

/* The data recipes of glue and superglue have been revised twice, for the text
 * of the scale reduced only: not for synthetic examples, and not for the scale
 * full. */
static void revised(void **state)
{
    static const struct { const char *task, *scale; int synthetic, recipe; }
    of[] = {{"glue", "reduced", 0, 2}, {"superglue", "reduced", 0, 2},
            {"glue", "smoke", 1, 0}, {"glue", "full", 0, 0},
            {"glue", "reduced", 1, 0}, {"agnews", "reduced", 0, 0},
            {"gen_copy", "smoke", 1, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct assign a[] = {
            {"variant", "vanilla", NULL}, {"task", of[i].task, NULL},
            {"scale", of[i].scale, NULL},
            {"synthetic", of[i].synthetic ? "true" : "false", NULL}};
        struct config c;

        if (settings_resolve(&c, a, 4) < 0)
            fail_msg("%s", err_last());
        assert_int_equal(settings_recipe(&c),
                         DATA_RECIPE_VERSION + of[i].recipe);
    }
}

/* Returns whether a cell of glue on real text with this data recipe counts as
 * older. */
static int is_older(int recipe)
{
    struct frozen_cell cell = made_frozen(made_cell(&(struct cell_labels){
        "vanilla", "glue", "reduced", 1, 0}));
    struct frozen all = {.name = "x", .title = "x", .n = 1, .cell = &cell};
    OWNED(plan_close) struct plan *p = NULL;
    char *folder = scratch_make();

    cell.config = "{\"scale\":\"reduced\",\"seed\":1,\"task\":\"glue\","
                  "\"variant\":\"vanilla\"}";
    cell.recipe = recipe;
    cell.numerics = NUMERICS_VERSION;
    cell_id(cell.id, cell.config, recipe, NUMERICS_VERSION);
    assert_int_equal(frozen_write(&all, folder), OK);
    OWNED(free) char *name = str_format("%s#%s", folder, cell.id);
    assert_int_equal(target_open(&p, name, NULL), OK);
    int older = p->cell[0].older;
    scratch_remove(folder);
    return older;
}

static void of_another_revision(void **state)
{
    (void)state;
    assert_true(is_older(DATA_RECIPE_VERSION + 1));
    assert_false(is_older(DATA_RECIPE_VERSION + 2));
    assert_true(is_older(DATA_RECIPE_VERSION + 3));
}

int main(void)
{
    const struct CMUnitTest older[] = {
        {"older cells alone are no experiment, yet one can be named", alone,
         NULL, NULL, NULL},
        {"today's cells are one", todays, NULL, NULL, NULL},
        {"a recipe's revision is of its task on text alone", revised, NULL,
         NULL, NULL},
        {"a cell of another revision of its recipe is older",
         of_another_revision, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("older", older, NULL, NULL);
}
