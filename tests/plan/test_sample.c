/* The sample of cells that `verify exact` trains again. */
#include "harness/base/err.h"
#include "harness/plan/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static struct plan *smoke(void)
{
    struct plan_of of = {.experiment = "smoke", .store = "/nonexistent"};
    struct plan *p;

    assert_int_equal(plan_open(&p, &of), OK);
    return p;
}

/* Returns the number of tasks or variants that two selected cells share. */
static int shared(const struct plan *p)
{
    int n = 0;

    for (const struct cell *c = p->cell; c < p->cell + p->n; c++)
        for (const struct cell *d = p->cell; c->selected && d < c; d++)
            n += d->selected &&
                 (c->task == d->task ||
                  !strcmp(c->config.variant, d->config.variant));
    return n;
}

static void spread(void **state)
{
    struct plan *p = smoke(), *again = smoke();

    (void)state;
    assert_int_equal(sample_select(p, 5, 0), 5);
    assert_int_equal(sample_select(again, 5, 0), 5);
    assert_int_equal(shared(p), 0);
    for (int i = 0; i < p->n; i++)
        assert_int_equal(p->cell[i].selected, again->cell[i].selected);
    plan_close(p);
    plan_close(again);
}

static void limits(void **state)
{
    struct plan *p = smoke();

    (void)state;
    for (int i = 3; i < p->n; i++)
        p->cell[i].selected = 0;
    p->cell[2].refused = "impossible";
    p->cell[0].status.state = CELL_DONE;
    p->cell[1].status.state = CELL_DONE;
    p->cell[1].damage = "damaged";
    assert_int_equal(sample_select(p, -1, 0), 2);
    p->cell[1].selected = p->cell[2].selected = 1;
    assert_int_equal(sample_select(p, 7, 1), 1);
    assert_true(p->cell[0].selected);
    p->cell[0].status.state = CELL_MISSING;
    assert_int_equal(sample_select(p, 7, 1), 0);
    plan_close(p);
}

static void parents(void **state)
{
    struct plan *p = smoke();

    (void)state;
    for (int i = 1; i < p->n; i++)
        p->cell[i].selected = 0;
    p->cell[0].parent = &p->cell[1];
    assert_int_equal(sample_select(p, 1, 0), 2);
    assert_true(p->cell[1].selected);
    plan_close(p);
}

int main(void)
{
    static const struct CMUnitTest t[] = {
        {"a sample repeats no task and no variant while there are others, and "
         "is the same in every call", spread, NULL, NULL, NULL},
        {"a sample has no impossible cell and, on request, finished ones only",
         limits, NULL, NULL, NULL},
        {"a sample includes the cells whose weights it starts from", parents,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(t, NULL, NULL);
}
