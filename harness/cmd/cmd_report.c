/* report: writes a store as web pages that open from files (harness/site). */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/claims/claims.h"
#include "harness/cmd/table1.h"
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
    struct arguments store; /* one or two */
    const char      *output;
    int              plain, unclaimed, findings;
};

static const struct opt options[] = {
    {"--store", 0, "DIR", opt_texts, OPT_AT(store),
     .doc = "Results folder; a second one is compared with the first"},
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

enum { SIDES = DIFFERENCE_SIDES };

/* Everything that the command opens, for one store or two. */
struct sides {
    struct report     *report[SIDES];
    struct claims     *claims; /* NULL: not requested */
    struct difference *by;
    struct site       *site;
};

static void close_sides(struct sides *s)
{
    site_close(s->site);
    claims_close(s->claims);
    difference_close(s->by);
    for (int i = 0; i < SIDES; i++)
        report_close(s->report[i]);
}
OWNER_OF_VALUE(close_sides, struct sides)

static int open_claims(struct sides *s, int stores)
{
    const struct report *const report[] = {s->report[0], s->report[1]};

    PASS(claims_read(&s->claims, NULL));
    return claims_judge(s->claims, &(struct claims_by){.report = report,
                                                       .reports = stores});
}

static int open_sides(struct sides *s, const struct given *g)
{
    OWNED(site_close) struct site *a = NULL;
    OWNED(site_close) struct site *b = NULL;

    if (!g->unclaimed)
        PASS(open_claims(s, g->store.n));
    PASS(open_site(&a, g, s->report[0], g->store.n == 1 ? s->claims : NULL));
    if (g->store.n == 1)
        return MOVE_OUT(&s->site, a);
    PASS(difference_open(&s->by, s->report[0], s->report[1], task_metrics,
                         metric_all));
    PASS(open_site(&b, g, s->report[1], NULL));
    s->site = site_of_both(a, b, s->by, s->claims);
    a = b = NULL;
    return OK;
}

/* Prints "quick: 66 of 66 cells are done" and a sentence for each task. */
static int tell_findings(struct site *s)
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
    OWNED(close_sides) struct sides s = {0};
    OWNED(site_folder_close) struct site_folder f = {0};
    int damage = 0; /* exit code */

    (void)args;
    if (!g->store.n || g->store.n > SIDES)
        return err_set(ERR_USAGE, "report: specify one store, or two to "
                                  "compare, with --store DIR");
    if (g->findings && g->store.n > 1)
        return err_set(ERR_USAGE, "report: --findings requires a single "
                                  "store");
    if (!g->output)
        return err_set(ERR_USAGE, "report: specify a folder with -o DIR");
    for (int i = 0; i < g->store.n; i++) {
        PASS(report_open(&s.report[i], g->store.of[i]));
        int rc = report_damage(s.report[i]);
        damage = rc ? rc : damage;
    }
    PASS(site_folder_open(&f, g->output));
    PASS(open_sides(&s, g));
    s.site->folder = f.beside;
    PASS(site_write(s.site));
    PASS(site_folder_done(&f, s.site->file, s.site->files));
    if (g->findings)
        PASS(tell_findings(s.site));
    put_harmless("%s/index.html\n", f.place);
    return damage;
}

const struct command command_report = {
    .name = "report",
    .summary = "Write a store as web pages that need no network",
    .args = "",
    .doc = "Writes DIR/index.html with the findings, and one page per "
           "table, task, variant, figure, claim and cell. A second --store "
           "is shown beside the first, with what is better or worse in it. "
           "DIR must be new, empty, or a report, which is replaced.",
    COMMAND_RUNS(run_report, 0, 0)};
