#include "tests/support/dataset_rows.h"

void list_rows(struct dataset *d)
{
    for (int s = 0; s < SPLITS; s++) {
        struct examples *e = &d->split[s];

        if (e->row)
            continue;
        struct example *row = arena_take(d->memory,
                                         (size_t)e->n * sizeof *row);
        for (int i = 0; i < e->n; i++)
            row[i] = examples_row(e, i, d->memory);
        e->row = row;
    }
}

int open_listed(struct dataset *d, const struct task *t,
                const struct task_opts *o)
{
    int rc = task_open(d, t, o);

    if (rc >= 0)
        list_rows(d);
    return rc;
}
