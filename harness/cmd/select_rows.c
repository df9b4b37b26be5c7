#include "harness/cmd/select_rows.h"

#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/plan/plan.h"

int select_rows(struct report *r, const char *filter)
{
    OWNED(plan_close) struct plan *p = NULL;
    OWNED(map_free) struct map *selected = map_new();
    int n = 0;

    PASS(plan_open(&p, &(struct plan_of){.store = r->store, .filter = filter}));
    for (int k = 0; k < p->n; k++)
        if (p->cell[k].selected)
            map_add(selected, p->cell[k].id, k);
    for (int i = 0; i < r->n; i++)
        if (map_get(selected, r->cell[i].id, -1) >= 0)
            r->cell[n++] = r->cell[i];
    r->n = n;
    return OK;
}
