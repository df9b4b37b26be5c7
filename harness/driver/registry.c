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
#define SCORER(name) extern const struct scorer scorer_##name;
#define VECTORS(name) extern const struct vectors vectors_##name;
#include "harness/metrics/list.h"
#define TABLE(name) extern const struct table table_##name;
#include "harness/report/list.h"
#undef TABLE
#define FIGURE(name) extern const struct figure figure_##name;
#include "plots/list.h"
#undef FIGURE

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
    NULL};

const struct scorer *const registry_scorers[] = {
#define SCORER(name) &scorer_##name,
#include "harness/metrics/list.h"
    NULL};

const struct vectors *const registry_vectors[] = {
#define VECTORS(name) &vectors_##name,
#include "harness/metrics/list.h"
    NULL};

const struct table *const registry_tables[] = {
#define TABLE(name) &table_##name,
#include "harness/report/list.h"
#undef TABLE
    NULL};

const struct figure *const registry_figures[] = {
#define FIGURE(name) &figure_##name,
#include "plots/list.h"
#undef FIGURE
    NULL};

#define COUNT(list) (sizeof(list) / sizeof *(list))

#define FIND(kind)                                                            \
    int registry_##kind(const struct kind **out, const char *name)            \
    {                                                                         \
        const char *names[COUNT(registry_##kind##s)] = {NULL};                \
                                                                              \
        for (int i = 0; registry_##kind##s[i]; i++)                           \
            names[i] = registry_##kind##s[i]->name;                           \
        int i = names_index(names, name);                                     \
        if (i < 0)                                                            \
            return names_unknown(#kind, name, names);                         \
        *out = registry_##kind##s[i];                                         \
        return OK;                                                            \
    }

FIND(variant)
FIND(task)
FIND(scorer)
FIND(table)
FIND(figure)

/* ---- mixtures ---- */

/* used[i]: the i-th variant of the list is a part. */
static int mix_add(char *used, int *n, const char *part, const char *text)
{
    const struct variant *v = NULL;
    int i = 0, rc = OK;

    if (!*part)
        return err_set(ERR_USAGE, "'%s' is not a variant: parts of a mixture "
                       "are joined by one '+', as in random+dense", text);
    TRY(registry_variant(&v, part));
    while (registry_variants[i] != v)
        i++;
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
    char copy[4 * MIX_NAME], used[COUNT(registry_variants)] = {0};
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
    for (int i = COUNT(registry_variants) - 2; i >= 0; i--) {
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
