/* report: writes a store as web pages that open from files (harness/site). */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/claims/claims.h"
#include "harness/cmd/table1_sheet.h"
#include "harness/cmd/table_own.h"
#include "harness/metrics/metric.h"
#include "harness/report/table.h"
#include "harness/print/sheet.h"
#include "harness/site/folder.h"
#include "harness/site/page.h"
#include "harness/tasks/task.h"

#include <stdio.h>
#include <string.h>

struct given {
    const char *store, *output;
    int         plain, unclaimed, findings;
};

static const struct opt options[] = {
    {"--store", 0, "DIR", opt_text, OPT_AT(store),
     .doc = "Results folder"},
    {"--output", 'o', "DIR", opt_text, OPT_AT(output),
     .doc = "Folder to write; an existing report is replaced"},
    {"--no-figures", 0, NULL, opt_flag, OPT_AT(plain),
     .doc = "Without pictures"},
    {"--findings", 0, NULL, opt_flag, OPT_AT(findings),
     .doc = "First print the findings to stdout"},
    {"--no-claims", 0, NULL, opt_flag, OPT_AT(unclaimed),
     .doc = "Leave out the claims, which take several seconds to check"},
    {.name = NULL}};

/* Sets *out to the paper's tables, and the experiment's own table if the paper
 * does not have it. */
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

/* Sets *out to a table for each task that has a cell. */
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

static int open_site(struct site **out, const struct given *g,
                     struct report *r, const struct claims *claims)
{
    struct site_source from = {.report = r, .metrics = metric_all,
                               .plain = g->plain, .claims = claims};
    OWNED(table1_close) struct table1 *counted = NULL;
    const struct table **table, **task;

    PASS(take_tables(&table, r));
    PASS(take_tasks(&task, r));
    PASS(table1_fill(&counted, &(struct assigns){0}));
    from.table = table;
    from.task = task;
    from.counted = table1_sheet(counted);
    return site_open(out, &from);
}

/* Prints "quick: 66 of 66 cells are done" and a sentence for each task. */
static int print_findings(struct site *s)
{
    OWNED(sheet_close) struct sheet *out = sheet_new();
    const struct report *r = s->report;
    int done = 0, synthetic = 0;
    char trials[REPORT_TRIALS];

    for (int i = 0; i < r->n; i++) {
        done += r->cell[i].state == CELL_DONE;
        synthetic += r->cell[i].state == CELL_DONE && r->cell[i].synthetic;
    }
    sheet_put(out, PART_PARAGRAPH, "%s: %d of %d cells are done%s%s", r->name,
              done, r->n, report_trials(r, trials), synthetic
                  ? ", on synthetic data, which says nothing about real "
                    "text" : "");
    findings_brief(out, s);
    return sheet_print(out, "text", NULL);
}

static int run_report(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(report_close) struct report *r = NULL;
    OWNED(claims_close) struct claims *claims = NULL;
    OWNED(site_close) struct site *s = NULL;
    OWNED(site_folder_close) struct site_folder f = {0};

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "report: specify a store with --store DIR");
    if (!g->output)
        return err_set(ERR_USAGE, "report: specify a folder with -o DIR");
    PASS(report_open(&r, g->store));
    int damage = report_damage(r); /* exit code */
    PASS(site_folder_open(&f, g->output));
    if (!g->unclaimed) {
        const struct report *const report[] = {r};

        PASS(claims_read(&claims, NULL));
        PASS(claims_judge(claims, &(struct claims_by){.report = report,
                                                      .reports = 1}));
    }
    PASS(open_site(&s, g, r, claims));
    s->folder = f.temporary;
    PASS(site_write(s));
    PASS(site_folder_done(&f, s->file, s->files));
    if (g->findings)
        PASS(print_findings(s));
    put_harmless("%s/index.html\n", f.place);
    return damage;
}

const struct command command_report = {
    .name = "report",
    .summary = "Write a store as web pages that need no network",
    .args = "",
    .doc = "Writes DIR/index.html with the findings, and one page per "
           "table, task, variant, figure, claim and cell. DIR must be new, "
           "empty, or a report, which is replaced.",
    COMMAND_RUNS(run_report, 0, 0)};
