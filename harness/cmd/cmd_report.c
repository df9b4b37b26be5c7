/* report: a store as pages that open from a file (harness/site). */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/table1.h"
#include "harness/cmd/table_own.h"
#include "harness/metrics/metric.h"
#include "harness/report/table.h"
#include "harness/site/folder.h"
#include "harness/site/site.h"

#include <stdio.h>
#include <string.h>

struct given {
    const char *store, *output;
    int         plain;
};

static const struct opt options[] = {
    {.group = opts_store, .at = OPT_AT(store)},
    {"--output", 'o', "DIR", opt_text, OPT_AT(output),
     .doc = "The folder that is made; a report that stands there is replaced"},
    {"--no-figures", 0, NULL, opt_flag, OPT_AT(plain),
     .doc = "Without pictures, which take longest"},
    {.name = NULL}};

/* The paper's, and the experiment's own where it is none of them. */
static int take_tables(const struct table ***out, const struct report *r)
{
    struct table *own = arena_zero(r->memory, sizeof *own);
    int n = 0;

    while (table_all[n])
        n++;
    *out = arena_zero(r->memory, ((size_t)n + 2) * sizeof **out);
    memcpy(*out, table_all, (size_t)n * sizeof **out);
    PASS(table_own(own, r));
    for (int i = 0; i < n; i++)
        if (!strcmp(table_all[i]->name, own->name))
            return OK;
    (*out)[n] = own;
    return OK;
}

/* One for each task that has a cell. */
static int take_tasks(const struct table ***out, const struct report *r)
{
    int n = 0;

    *out = arena_zero(r->memory, ((size_t)r->n + 1) * sizeof **out);
    for (int i = 0; i < r->n; i++) {
        int before = 0;

        while (strcmp(r->cell[before].task, r->cell[i].task))
            before++;
        if (before < i)
            continue;
        struct table *t = arena_zero(r->memory, sizeof *t);
        PASS(table_of_task(t, r, r->cell[i].task));
        (*out)[n++] = t;
    }
    return OK;
}

static int write_site(struct site_folder *f, const struct given *g,
                      struct report *r)
{
    struct site_source from = {.report = r, .metrics = metric_all,
                               .plain = g->plain};
    OWNED(table1_close) struct table1 *counted = NULL;
    OWNED(site_close) struct site *s = NULL;
    const struct table **table, **task;

    PASS(take_tables(&table, r));
    PASS(take_tasks(&task, r));
    PASS(table1_fill(&counted, &(struct assigns){0}));
    from.table = table;
    from.task = task;
    from.counted = table1_sheet(counted);
    PASS(site_open(&s, &from));
    s->folder = f->beside;
    PASS(site_write(s));
    return site_folder_done(f, s->file, s->files);
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(report_close) struct report *r = NULL;
    OWNED(site_folder_close) struct site_folder f = {0};

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "report which results? name them with "
                       "--store DIR");
    if (!g->output)
        return err_set(ERR_USAGE, "report: into which folder? name it with "
                       "-o DIR");
    PASS(report_open(&r, g->store));
    PASS(site_folder_open(&f, g->output));
    PASS(write_site(&f, g, r));
    printf("%s/index.html\n", f.place);
    return report_damage(r);
}

const struct command command_report = {
    .name = "report",
    .summary = "A store as pages that open in a browser, without network",
    .args = "",
    .doc = "Writes DIR/index.html: what came out, in sentences, and a page for "
           "each table, task, variant, figure and cell. DIR is new, empty, or "
           "a report that is replaced.",
    COMMAND_RUNS(0, 0)};
