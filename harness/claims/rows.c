#include "harness/claims/rows.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/experiment.h"
#include "harness/metrics/metric.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Checks the part of a row name that lists settings which an experiment varies,
 * such as ",tuned" or ",steps=700". */
static int check_varied(char *rest)
{
    struct config scratch = {.seed = 0};
    char *part;

    while ((part = strsep(&rest, ","))) {
        char *value = strchr(part, '=');

        if (!value && strcmp(part, "tuned"))
            return err_set(ERR_USAGE, "'%s': expected 'tuned', or KEY=VALUE "
                           "that an experiment varies", part);
        if (!value)
            continue;
        *value++ = 0;
        PASS(settings_set(&scratch, part, value));
    }
    return OK;
}

int rows_name(const char **out, const char *text, struct arena *a)
{
    struct config scratch = {.seed = 0};
    OWNED(free) char *variant = str_copy(text), *normal = NULL;
    const char *rest = strchr(text, ',');

    variant[strcspn(variant, ",")] = 0;
    PASS(settings_set(&scratch, "variant", variant));
    PASS(settings_get(&scratch, "variant", &normal));
    *out = arena_format(a, "%s%s", normal, rest ? rest : "");
    OWNED(free) char *varied = str_copy(rest ? rest + 1 : "");
    return rest ? check_varied(varied) : OK;
}

static bool trains(const struct experiment *e, const char *row)
{
    OWNED(free) char *variant = str_copy(row);

    variant[strcspn(variant, ",")] = 0;
    return names_index(e->axis[AXIS_VARIANT].value, variant) >= 0;
}

/* Sets *trained if the experiment trains both rows on the task. */
static int check_experiment(bool *trained, const struct claim_rows *r,
                            const char *name)
{
    OWNED(experiment_close) struct experiment *e = NULL;

    PASS(experiment_read(&e, name));
    *trained |= names_index(e->axis[AXIS_TASK].value, r->task) >= 0 &&
                trains(e, r->a) && trains(e, r->b);
    return OK;
}

int rows_check(struct claim_rows *r)
{
    const struct task *task;
    bool trained = false;

    PASS(task_find(&task, r->task));
    PASS(names_find("metric", r->metric, task->metrics));
    for (const struct metric *const *m = metric_all; *m; m++)
        if (!strcmp((*m)->name, r->metric))
            r->better = (*m)->better;
    if (!r->better)
        return err_set(ERR_USAGE, "metric %s: neither higher nor lower values "
                       "are better", r->metric);
    for (const char *const *name = r->experiment; *name; name++)
        PASS(check_experiment(&trained, r, *name));
    return trained ? OK
                   : err_set(ERR_USAGE, "no experiment of the list trains both "
                             "%s and %s on task %s", r->a, r->b, r->task);
}

void rows_expect(struct claim_expect *out, const struct claim_rows *r,
                 struct arena *a)
{
    double least = r->as_good ? -r->margin : r->margin;

    *out = (struct claim_expect){.compares = 1, .low = -INFINITY,
                                 .high = INFINITY};
    out->measure = arena_format(a, "difference in %s", r->metric);
    *(r->better > 0 ? &out->low : &out->high) = r->better * least;
    out->text = arena_format(a, "%s %g", r->better > 0 ? ">" : "<",
                             r->better * least + 0.0);
}
