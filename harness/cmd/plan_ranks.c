#include "harness/cmd/plan_ranks.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ENOUGH 0.8 /* efficiency below which ranks are wasted */

struct telling {
    const struct ranks_asked *asked;
    struct sheet *sheet;
    struct grid  *grid;
    json_t       *rows, *limits;
};

static void close_telling(struct telling *t)
{
    json_decref(t->rows);
    json_decref(t->limits);
    sheet_close(t->sheet);
}
OWNER_OF_VALUE(close_telling, struct telling)

/* Writes a time to `out`, as "1.2 ms" or "3.4 s". */
static const char *duration(double seconds, char out[32])
{
    if (seconds < 1)
        snprintf(out, 32, "%.3g ms", 1e3 * seconds);
    else
        snprintf(out, 32, "%.4g s", seconds);
    return out;
}

/* Returns the number of examples in a step.  If batches count tokens, this is
 * the expected number. */
static int rows_of(const struct cell *c) { return (int)round(c->step.rows); }

/* Returns the FLOP/s that `plan` assumes for one rank: a guess, or the speed of
 * finished cells. */
static double speed_of(const struct cell *c)
{
    return c->step.flops * c->config.steps / c->seconds;
}

static void row(struct telling *t, const struct cell *c, int ranks, int first)
{
    struct projection x = project(c, &t->asked->net, ranks);
    struct grid *g = t->grid;
    char params[32], step[32], all[32];

    grid_add(g, "%s", first ? c->config.task : "");
    grid_add(g, "%s", first ? c->row : "");
    grid_add(g, "%s", first ? grid_count(c->cost.params, NULL, params) : "");
    grid_add(g, "%d\t%s", ranks, duration(x.step, step));
    grid_add(g, "%.0f %%\t%.0f %%\t%s", 100 * (x.exchange - x.beside) / x.step,
             100 * x.efficiency, str_duration(x.step * c->config.steps, all));
    json_array_append_new(t->rows, json_pack(
        "{s:s, s:s, s:s, s:f, s:i, s:f, s:i, s:f, s:f, s:f, s:f, s:f}", "task",
        c->config.task, "variant", c->row, "id", c->id, "params",
        c->cost.params, "batch", rows_of(c), "flops_per_second", speed_of(c),
        "ranks", ranks, "step_seconds", x.step, "exchange_seconds", x.exchange,
        "beside_seconds", x.beside, "efficiency", x.efficiency, "seconds",
        x.step * c->config.steps));
}

static void limit(struct telling *t, const struct cell *c)
{
    int at = project_limit(c, &t->asked->net, ENOUGH, PLAN_RANKS_MOST);

    sheet_put(t->sheet, PART_ITEM, "%s, batches of %d: efficiency %s %.0f %% "
              "%s %d ranks", c->config.task, rows_of(c),
              at ? "falls below" : "stays above", 100 * ENOUGH,
              at ? "at" : "up to", at ? at : PLAN_RANKS_MOST);
    json_array_append_new(t->limits,
                          json_pack("{s:s, s:f, s:o}", "task", c->config.task,
                                    "efficiency", ENOUGH, "ranks",
                                    at ? json_integer(at) : json_null()));
}

/* Returns 1 if the cell represents its task: it is the first of the cells with
 * the most parameters. */
static int stands_for_task(const struct plan *p, const struct cell *c)
{
    if (!c->selected || c->refused)
        return 0;
    for (int i = 0; i < p->n; i++) {
        const struct cell *d = &p->cell[i];

        if (d->selected && !d->refused && d->task == c->task &&
            (d->cost.params > c->cost.params ||
             (d->cost.params == c->cost.params && d < c)))
            return 0;
    }
    return 1;
}

/* Returns the range of speeds assumed for a rank: "80 GFLOP/s", or "75 to 120
 * GFLOP/s" if the tasks differ. */
static const char *speeds(const struct plan *p, struct arena *a)
{
    double least = INFINITY, most = 0;

    for (int i = 0; i < p->n; i++)
        if (stands_for_task(p, &p->cell[i])) {
            least = fmin(least, speed_of(&p->cell[i]));
            most = fmax(most, speed_of(&p->cell[i]));
        }
    return most > 1.01 * least
               ? arena_format(a, "%.3g to %.3g GFLOP/s", least / 1e9,
                              most / 1e9)
               : arena_format(a, "%.3g GFLOP/s", most / 1e9);
}

static const char *assumed(const struct plan *p, const struct network *net,
                           struct arena *a)
{
    return arena_format(a, "assumptions: a rank computes %s, sends and "
                           "receives %g GB/s (--bandwidth), a message takes "
                           "%g us (--latency); an example is not split "
                           "between ranks;",
                        speeds(p, a), net->bandwidth / 1e9, net->latency * 1e6);
}

static const char also_assumed[] =
    "gradients are sent during the backward pass (two thirds of a step), "
    "weights are not; lanes and shards equal the ranks, which changes the "
    "cell ids.";

int plan_ranks_print(const struct plan *p, const struct ranks_asked *asked,
                     const char *format)
{
    static const char *const head[] = {"task", "variant", "params", "ranks",
                                       "per step", "exchange", "efficiency",
                                       "all steps", NULL};
    OWNED(close_telling) struct telling t = {
        .asked = asked, .sheet = sheet_new(), .rows = json_array(),
        .limits = json_array()};

    sheet_put(t.sheet, PART_PARAGRAPH, "Projected time of a step, from "
              "`plan`'s estimate for one rank; %s %s",
              assumed(p, &asked->net, t.sheet->memory), also_assumed);
    t.grid = sheet_listing(t.sheet, "<<>>>>>>", head);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < asked->n && stands_for_task(p, &p->cell[i]); k++)
            row(&t, &p->cell[i], asked->of[k], k == 0);
    for (int i = 0; i < p->n; i++)
        if (stands_for_task(p, &p->cell[i]))
            limit(&t, &p->cell[i]);
    if (!json_array_size(t.rows))
        return err_set(ERR_EMPTY, "no cell is selected");
    t.sheet->object = json_pack("{s:f, s:f, s:O, s:O}", "bandwidth",
                                asked->net.bandwidth, "latency",
                                asked->net.latency, "rows", t.rows, "limits",
                                t.limits);
    return sheet_print(t.sheet, format, NULL);
}
