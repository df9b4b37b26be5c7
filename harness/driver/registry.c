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
#define CORPUS(name) extern const struct corpus corpus_##name;
#include "harness/corpora/list.h"
#undef CORPUS
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

const struct corpus *const registry_corpora[] = {
#define CORPUS(name) &corpus_##name,
#include "harness/corpora/list.h"
#undef CORPUS
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

#define FIND(kind, all)                                                       \
    int registry_##kind(const struct kind **out, const char *name)            \
    {                                                                         \
        const char *names[COUNT(registry_##all)] = {NULL};                    \
                                                                              \
        for (int i = 0; registry_##all[i]; i++)                               \
            names[i] = registry_##all[i]->name;                               \
        int i = names_index(names, name);                                     \
        if (i < 0)                                                            \
            return names_unknown(#kind, name, names);                         \
        *out = registry_##all[i];                                             \
        return OK;                                                            \
    }

FIND(variant, variants)
FIND(task, tasks)
FIND(corpus, corpora)
FIND(scorer, scorers)
FIND(table, tables)
FIND(figure, figures)

/* ---- mixtures ---- */

static int rank_of(const struct variant *v)
{
    int i = 0;

    while (registry_variants[i] != v)
        i++;
    return i;
}

static int mix_add(struct mix *m, const char *part, const char *text)
{
    const struct variant *v = NULL;
    int rc = OK;

    if (!*part)
        return err_set(ERR_USAGE, "'%s' is not a variant: parts of a mixture "
                       "are joined by one '+', as in random+dense", text);
    TRY(registry_variant(&v, part));
    for (int i = 0; i < m->n; i++)
        if (m->part[i] == v)
            return err_set(ERR_USAGE, "mixture '%s' has %s twice; each part "
                           "may stand once", text, part);
    if (m->n == MIX_PARTS)
        return err_set(ERR_USAGE, "mixture '%s' has more than %d parts", text,
                       MIX_PARTS);
    m->part[m->n++] = v;
out:
    return rc;
}

int mix_read(struct mix *out, const char *text)
{
    char copy[4 * MIX_NAME];
    int rc = OK;

    out->n = 0;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return err_set(ERR_USAGE, "variant '%.20s...': the name is too long",
                       text);
    for (char *part = copy, *plus; part; part = plus) {
        plus = strchr(part, '+');
        if (plus)
            *plus++ = 0;
        TRY(mix_add(out, part, text));
    }
out:
    return rc;
}

int mix_name(char name[MIX_NAME], const struct mix *m)
{
    int at = 0;

    for (int i = 0; i < m->n; i++) {
        at += snprintf(name + at, (size_t)(MIX_NAME - at), "%s%s",
                       i ? "+" : "", m->part[i]->name);
        if (at >= MIX_NAME)
            return err_set(ERR_USAGE, "mixture '%s...': the name is too long",
                           name);
    }
    return OK;
}

int mix_parse(struct mix *out, char name[MIX_NAME], const char *text)
{
    int rc = mix_read(out, text);

    for (int i = 1; rc == OK && i < out->n; i++) /* the later row first */
        for (int j = i; j > 0 && rank_of(out->part[j]) >
                                     rank_of(out->part[j - 1]); j--) {
            const struct variant *v = out->part[j];

            out->part[j] = out->part[j - 1];
            out->part[j - 1] = v;
        }
    return rc < 0 ? rc : mix_name(name, out);
}
