#include "harness/driver/registry.h"

#include "harness/base/err.h"
#include "harness/driver/names.h"

#include <stdio.h>
#include <string.h>

#define VARIANT(name) extern const struct variant variant_##name;
#include "variants/list.h"
#undef VARIANT
#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK
#define METRIC(name) extern const struct metric metric_##name;
#include "harness/metrics/list.h"
#undef METRIC

const struct variant *const registry_variants[] = {
#define VARIANT(name) &variant_##name,
#include "variants/list.h"
#undef VARIANT
    NULL};

const struct task *const registry_tasks[] = {
#define TASK(name) &task_##name,
#include "harness/tasks/list.h"
#undef TASK
    NULL};

const struct metric *const registry_metrics[] = {
#define METRIC(name) &metric_##name,
#include "harness/metrics/list.h"
#undef METRIC
    NULL};

enum {
    VARIANTS = sizeof registry_variants / sizeof *registry_variants,
    TASKS = sizeof registry_tasks / sizeof *registry_tasks
};

/* Where the variant stands in the list. */
static int variant_index(int *out, const char *name)
{
    const char *names[VARIANTS] = {NULL};

    for (int i = 0; registry_variants[i]; i++)
        names[i] = registry_variants[i]->name;
    *out = names_index(names, name);
    return *out < 0 ? names_unknown("variant", name, names) : OK;
}

int registry_variant(const struct variant **out, const char *name)
{
    int i, rc = variant_index(&i, name);

    if (rc == OK)
        *out = registry_variants[i];
    return rc;
}

int registry_task(const struct task **out, const char *name)
{
    const char *names[TASKS] = {NULL};

    for (int i = 0; registry_tasks[i]; i++)
        names[i] = registry_tasks[i]->name;
    int i = names_index(names, name);
    if (i < 0)
        return names_unknown("task", name, names);
    *out = registry_tasks[i];
    return OK;
}

const struct metric *registry_metric(const char *name)
{
    for (int i = 0; registry_metrics[i]; i++)
        if (!strcmp(registry_metrics[i]->name, name))
            return registry_metrics[i];
    return NULL;
}

static int mix_add(char used[VARIANTS], int *n, const char *part,
                   const char *text)
{
    int i, rc = OK;

    if (!*part)
        return err_set(ERR_USAGE, "'%s' is not a variant: parts of a mixture "
                       "are joined by one '+', as in random+dense", text);
    TRY(variant_index(&i, part));
    if (used[i])
        return err_set(ERR_USAGE, "mixture '%s' has %s twice; each part may "
                       "stand once", text, part);
    used[i] = 1;
    if (++*n > MIX_PARTS)
        return err_set(ERR_USAGE, "mixture '%s' has more than %d parts", text,
                       MIX_PARTS);
out:
    return rc;
}

int mix_parse(struct mix *out, char name[MIX_NAME], const char *text)
{
    char copy[4 * MIX_NAME], used[VARIANTS] = {0};
    int n = 0, at = 0, rc = OK;

    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return err_set(ERR_USAGE, "variant '%.20s...': the name is too long",
                       text);
    for (char *part = copy, *plus; part; part = plus) {
        plus = strchr(part, '+');
        if (plus)
            *plus++ = 0;
        TRY(mix_add(used, &n, part, text));
    }
    out->n = 0;
    for (int i = VARIANTS - 2; i >= 0; i--) {
        if (!used[i])
            continue;
        out->part[out->n++] = registry_variants[i];
        at += snprintf(name + at, (size_t)(MIX_NAME - at), "%s%s",
                       at ? "+" : "", registry_variants[i]->name);
        if (at >= MIX_NAME)
            return err_set(ERR_USAGE, "mixture '%s': the name is too long",
                           text);
    }
out:
    return rc;
}
