#include "plots/figure.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "plots/select.h"

#include <stddef.h>

#define FIGURE(name) extern const struct figure figure_##name;
#include "plots/list.h"
#undef FIGURE

const struct figure *const figure_all[] = {
#define FIGURE(name) &figure_##name,
#include "plots/list.h"
#undef FIGURE
    NULL};

NAMES_FIND(figure, "synthbench list figures")

int figure_render(const struct figure *f, const struct report *r,
                  const struct output *to)
{
    const char *const *task = select_tasks(r);
    int drawn = 0;

    for (int i = 0; task[i]; i++) {
        if (!select_first(r, task[i], NULL))
            continue;
        int rc = f->draw(f, r, task[i], to);
        PASS(rc);
        drawn += rc == OK;
    }
    return drawn ? OK : err_set(ERR_EMPTY, "%s: %s", r->store, f->none);
}
