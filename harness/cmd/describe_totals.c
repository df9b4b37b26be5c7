/* describe_totals: sums up the selected cells of a plan, all together and by
 * task. */
#include "harness/cmd/described.h"

#include "harness/base/cores.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/run/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- totals ---- */

static int is_alike(const struct cell *a, const struct cell *b)
{
    return a->task == b->task && !strcmp(a->config.scale, b->config.scale);
}

/* Writes the number of seeds of the rows, "4" or "1 to 4", to out and returns
 * it.  The seeds of a row are the selected cells with its task, name and scale.
 * of: a cell, for the rows of its task and scale; or NULL for all. */
static const char *seeds_text(char out[32], const struct plan *p,
                              const struct cell *of)
{
    OWNED(map_free) struct map *rows = map_of_copies();
    OWNED(free) int *seeds = calloc((size_t)p->n + 1, sizeof *seeds);
    int least = 0, most = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        OWNED(free) char *row = str_format("%s\t%s\t%s", c->row,
                                           c->config.task, c->config.scale);

        if (c->selected && (!of || is_alike(c, of)))
            seeds[map_number(rows, row, strlen(row))]++;
    }
    for (int i = 0; i < map_count(rows); i++) {
        least = !i || seeds[i] < least ? seeds[i] : least;
        most = seeds[i] > most ? seeds[i] : most;
    }
    if (least < most)
        snprintf(out, 32, "%d to %d", least, most);
    else
        snprintf(out, 32, "%d", most);
    return out;
}

/* Appends the work that remains and its time with as many cells at a time as
 * `run` trains without -j. */
static void put_remaining(struct text *line, const struct plan *p, int cells,
                          double flops, double seconds)
{
    struct cores granted;
    char time[32], count[32];

    cores_granted(&granted);
    int jobs = place_jobs(granted.n, p);
    jobs = jobs < cells ? jobs : cells;
    text_format(line, "; remaining: %s, about %s, ",
                grid_count(flops, "FLOP", count),
                str_duration(seconds / jobs, time));
    if (jobs > 1)
        text_format(line, "%d cells at a time", jobs);
    else
        text_put(line, "one cell at a time");
}

void described_total(struct sheet *s, const struct plan *p)
{
    static const enum cell_state order[CELL_STATES] = {
        CELL_DONE, CELL_RUNNING, CELL_FAILED, CELL_MISSING, CELL_REFUSED,
        CELL_BLOCKED};
    double flops = 0, seconds = 0;
    int n[CELL_STATES] = {0}, all = 0, trials = 0, queued = 0;
    int left = 0;
    OWNED(text_free) struct text line = {0};
    char count[32];

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        all += c->selected;
        trials += c->selected && plan_is_trial(c);
        queued += c->selected && c->queued.job;
        n[plan_state(c)] += c->selected;
        if (!c->selected || c->refused || c->damage || c->blocked ||
            c->status.state == CELL_DONE)
            continue;
        left++;
        seconds += c->seconds;
        flops += c->step.flops * c->config.steps;
    }
    text_format(&line, "%d cell%s", all, all == 1 ? "" : "s");
    if (trials)
        text_format(&line, ", %d of them trials", trials);
    text_put(&line, ":");
    for (int k = 0, any = 0; k < CELL_STATES; k++)
        if (n[order[k]])
            text_format(&line, "%s %d %s", any++ ? "," : "", n[order[k]],
                        cell_state_text[order[k]]);
    if (flops > 0)
        put_remaining(&line, p, left, flops, seconds);
    if (queued)
        text_format(&line, "; %d queued by Slurm", queued);
    seeds_text(count, p, NULL);
    if (all)
        text_format(&line, "; %s seed%s", count, strcmp(count, "1") ? "s" : "");
    sheet_put(s, PART_LINE, "%s", line.s);
    if (p->others)
        sheet_put(s, PART_LINE, "%d more finished cell%s in %s, not "
                                "listed here",
                                p->others, p->others == 1 ? "" : "s", p->store);
}

/* ---- one line per task ---- */

/* The cells of a task and a scale. */
struct task_line {
    const char *task, *scale, *seeds;
    int         cells, done;
    double      params, bytes, seconds, spent;
};

#define TASK_COLUMNS                                                          \
    {NULL, "task", COLUMN(struct task_line, task)},                           \
    {NULL, "scale", COLUMN(struct task_line, scale)},                         \
    {NULL, "seeds", COLUMN(struct task_line, seeds), .left = -1},             \
    {NULL, "cells", COLUMN(struct task_line, cells)},                         \
    {NULL, "done", COLUMN(struct task_line, done)}

static const struct column planned_columns[] = {
    TASK_COLUMNS,
    {NULL, "params", COLUMN(struct task_line, params), .unit = ""},
    {NULL, "memory", COLUMN(struct task_line, bytes), .unit = "B"},
    {NULL, "time", COLUMN(struct task_line, seconds), .unit = "s"},
    {.type = COLUMN_END}};

static const struct column spent_columns[] = {
    TASK_COLUMNS,
    {NULL, "spent", COLUMN(struct task_line, spent), .unit = "s"},
    {.type = COLUMN_END}};

/* Returns the line of the selected cells with the task and scale of `first`.
 * If `first` is not the first of these cells, returns a line without cells. */
static struct task_line task_line(const struct plan *p,
                                  const struct cell *first, struct arena *a)
{
    struct task_line l = {.task = first->config.task,
                          .scale = first->config.scale};
    char text[32];

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected || !is_alike(c, first))
            continue;
        if (c < first)
            return (struct task_line){.cells = 0};
        l.cells++;
        l.done += plan_state(c) == CELL_DONE;
        l.spent += c->status.seconds;
        if (!c->refused) {
            l.params = fmax(l.params, c->cost.params);
            l.bytes = fmax(l.bytes, c->cost.bytes);
            l.seconds += c->seconds;
        }
    }
    l.seeds = arena_text(a, seeds_text(text, p, first));
    return l;
}

/* Adds an item that names the rows of a task with the most seeds. */
static void put_seeds(struct sheet *s, const struct plan *p,
                      const struct task_line *l)
{
    OWNED(map_free) struct map *rows = map_new();
    OWNED(text_free) struct text names = {0};
    int *seeds = arena_zero(s->memory, (size_t)p->n * sizeof *seeds), most = 0;
    const char **row = arena_zero(s->memory, (size_t)p->n * sizeof *row);

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected || strcmp(c->config.task, l->task) ||
            strcmp(c->config.scale, l->scale))
            continue;
        int k = map_number(rows, c->row, strlen(c->row));
        row[k] = c->row;
        most = ++seeds[k] > most ? seeds[k] : most;
    }
    for (int k = 0; k < map_count(rows); k++)
        if (seeds[k] == most)
            text_format(&names, "%s%s", names.n ? ", " : "", row[k]);
    sheet_put(s, PART_ITEM, "%s: %d seeds for %s; fewer for the others",
              l->task, most, names.s);
}

void described_tasks(struct sheet *s, const struct plan *p, int planned)
{
    struct task_line *line = arena_take(s->memory,
                                        (size_t)p->n * sizeof *line);
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        if (p->cell[i].selected)
            line[n] = task_line(p, &p->cell[i], s->memory);
        n += p->cell[i].selected && line[n].cells;
    }
    sheet_grid_of(s, &(struct relation){
        NULL, planned ? planned_columns : spent_columns, line, sizeof *line,
        n});
    for (int i = 0; i < n; i++)
        if (strchr(line[i].seeds, ' '))
            put_seeds(s, p, &line[i]);
    sheet_put(s, PART_PARAGRAPH, planned
              ? "Parameters and memory are of the largest cell, times of one "
                "cell at a time. `--all` lists every cell."
              : "`--all` lists every cell and the builds that trained them.");
}
