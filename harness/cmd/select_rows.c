#include "harness/cmd/select_rows.h"

#include "harness/base/err.h"
#include "harness/plan/plan.h"

#include <string.h>

int select_rows(struct report *r, const char *filter)
{
    OWNED(plan_close) struct plan *p = NULL;
    int n = 0;

    PASS(plan_open(&p, &(struct plan_of){.store = r->store, .filter = filter}));
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < p->n; k++)
            if (p->cell[k].selected && !strcmp(p->cell[k].id, r->cell[i].id)) {
                r->cell[n++] = r->cell[i];
                break;
            }
    r->n = n;
    return OK;
}
