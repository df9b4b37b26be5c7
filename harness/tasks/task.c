#include "harness/tasks/task.h"

#include "harness/base/err.h"

#include <math.h>

int task_open(struct dataset *out, const struct task *t,
              const struct task_opts *o)
{
    *out = (struct dataset){.floor = NAN};
    if (o->official && !o->synthetic)
        return err_set(ERR_DATA, "%s: the full scale reads the official files, "
                       "which are missing and which this version cannot load: "
                       "%s; take --scale quick", t->name, t->official);
    return t->open(out, o);
}
