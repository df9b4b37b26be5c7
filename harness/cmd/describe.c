#include "harness/cmd/describe.h"

#include "harness/base/err.h"
#include "harness/base/machine.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/described.h"
#include "harness/cmd/plan_lengths.h"
#include "harness/cmd/plan_numa.h"
#include "harness/run/worker.h"
#include "harness/store/cell.h"

#include <math.h>
#include <string.h>

enum { SCREEN = 25 }; /* maximum number of cells listed one by one */

static void put_items(struct sheet *s, const char *head,
                      const char *const *text)
{
    if (*text)
        sheet_put(s, PART_LINE, "%s", head);
    for (; *text; text++)
        sheet_put(s, PART_ITEM, "%s", *text);
}

/* Adds the tasks whose data are missing; if `brief` is 0, with what each
 * lacks. */
static void put_lacking(struct sheet *s, const struct plan *p, int brief)
{
    const char **all = arena_zero(s->memory, ((size_t)p->n + 1) * sizeof *all);
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const char *why = plan_lacks(p, &p->cell[i]);
        const char *task = p->cell[i].config.task;

        if (why)
            all[n++] = brief ? task : arena_format(s->memory, "%s: %s", task,
                                                   why);
    }
    if (!brief || !n) {
        put_items(s, "`run` leaves out these tasks, because their data are "
                     "missing:", all);
        return;
    }
    OWNED(free) char *names = names_list(all);
    sheet_put(s, PART_PARAGRAPH, "`run` leaves out %d task%s, because their "
              "data are missing: %s. `synthbench data where TASK` lists "
              "official files, `synthbench data fetch` gets all other text.",
              n, n == 1 ? "" : "s", names);
}

/* Adds a line if cells that remain to be trained need more memory than this
 * machine has. */
static void put_memory(struct sheet *s, const struct plan *p)
{
    double have = machine_memory().total, most = 0;
    char need[32], has[32];
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (c->selected && !c->refused && c->status.state != CELL_DONE &&
            have > 0 && c->cost.bytes > have) {
            most = fmax(most, c->cost.bytes);
            n++;
        }
    }
    if (n)
        sheet_put(s, PART_PARAGRAPH, "%d cell%s need%s more memory than this "
                  "machine has: up to %s, of %s", n, n == 1 ? "" : "s",
                  n == 1 ? "s" : "", grid_count(most, "B", need),
                  grid_count(have, "B", has));
}

static int has_task(const void *plan, const struct task *t)
{
    const struct plan *p = plan;

    for (int i = 0; i < p->n; i++)
        if (p->cell[i].selected && p->cell[i].task == t)
            return 1;
    return 0;
}

/* Adds lines about the tasks: which are synthetic, which are not compared, and
 * which pairs are tested. */
static void put_tested(const struct description *d)
{
    struct sheet *s = d->sheet;
    OWNED(free) char *tasks = names_list(d->uncompared);

    if (d->synthetic) {
        sheet_put(s, PART_LINE, "all on synthetic data");
        for (int i = 0; task_all[i]; i++) {
            const char *twins = task_twins(s->memory, task_all[i], has_task,
                                           d->plan);

            if (twins)
                sheet_put(s, PART_PARAGRAPH, "%s", twins);
        }
    }
    if (*d->uncompared)
        sheet_put(s, PART_LINE, "reported, not compared: %s", tasks);
    put_items(s, "tested, as one family (all else is reported without a "
                 "verdict):", d->plan->contrasts);
}

/* Adds the text that follows the cells, and the lists of the JSON object.  If
 * the cells that were read come from different builds, warns on stderr that
 * they may not be comparable. */
static void put_end(struct description *d, int brief)
{
    struct sheet *s = d->sheet;
    const struct plan *p = d->plan;
    const char *builds = builds_text(&d->builds, s->memory);
    struct relation all = builds_relation(&d->builds);
    int planned = d->detail == DESCRIBE_PLAN;

    described_lists(d);
    put_tested(d);
    if (planned) {
        put_lacking(s, p, brief);
        put_memory(s, p);
    }
    if (planned && !brief) {
        plan_lengths_put(s, p);
        put_items(s, "settings that no source states, with the assumption "
                     "where there is one:", d->guessed);
    }
    if (!planned && builds)
        sheet_put(s, PART_PARAGRAPH, "%s", builds);
    if (builds_differ(&d->builds))
        say("%s", builds);
    if (planned)
        plan_numa_put(s, p);
    else
        sheet_fact(s, all.name, relation_json(&all, s->memory));
}

/* Returns 1 if the lines of tasks say enough about the cell. */
static int is_ordinary(const struct cell *c)
{
    enum cell_state state = plan_state(c);

    return !c->damage && (state == CELL_DONE || state == CELL_MISSING);
}

/* Adds the cells to the JSON of the sheet and to the text.  If `brief` is 1,
 * the text has only those that are not ordinary, and at most SCREEN of them. */
static void put_cells(struct description *d, int brief, int text)
{
    const struct plan *p = d->plan;
    struct sheet *s = d->sheet;
    struct shown *row = arena_take(s->memory, (size_t)p->n * sizeof *row);
    json_t *cells = json_array();
    int n = 0, hidden = 0;

    sheet_fact(s, "cells", cells);
    for (int i = 0; i < p->n; i++) {
        int ordinary = is_ordinary(&p->cell[i]);
        int shown = !brief || (!ordinary && n < SCREEN);

        if (!p->cell[i].selected || (brief && text && ordinary))
            continue;
        described_read(&row[n], d, &p->cell[i]);
        json_array_append_new(cells, described_json(d, &row[n]));
        n += shown;
        hidden += !shown && !ordinary;
    }
    sheet_grid_of(s, &(struct relation){
        NULL, d->detail == DESCRIBE_PLAN ? described_planned
                                         : described_results, row,
        sizeof *row, n});
    if (hidden)
        sheet_put(s, PART_LINE, "%d more cell%s like these", hidden,
                  hidden == 1 ? "" : "s");
}

int describe(const struct plan *p, enum detail detail, const char *format,
             int all)
{
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct description d = {.plan = p, .detail = detail, .synthetic = 1,
                            .sheet = s};
    int selected = 0;

    for (int i = 0; i < p->n; i++) {
        selected += p->cell[i].selected;
        d.synthetic &= !p->cell[i].selected || p->cell[i].config.synthetic;
    }
    int brief = !all && selected > SCREEN;
    described_total(s, p);
    if (brief)
        described_tasks(s, p, detail == DESCRIBE_PLAN);
    put_cells(&d, brief, strcmp(format, "json") != 0);
    put_end(&d, brief);
    PASS(sheet_print(s, format, NULL));
    return d.worst;
}

void describe_blind(const struct plan *p)
{
    enum { NAMED = 10 };
    OWNED(free) char *store = text_quoted(p->store);
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        OWNED(cell_close) struct cell_reader *r = NULL;
        struct blind_baseline b;

        if (!c->selected || c->refused || c->status.state == CELL_DONE ||
            plan_uncompared(p, c->config.task) ||
            cell_open(&r, p->store, c->id) < 0)
            continue;
        if (blind_read(&b, r) == OK && b.worse && n++ < NAMED)
            say(CELL_NAME " is %s", CELL_NAMED(c),
                described_remark(&b, p->memory));
    }
    if (n > NAMED)
        say("... and %d more are worse than the input-blind baseline; "
            "`synthbench status --store %s` lists them", n - NAMED, store);
}
