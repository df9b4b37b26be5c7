#include "harness/cmd/described.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/plan_lengths.h"
#include "harness/run/worker.h"
#include "harness/store/cell.h"
#include "harness/store/guess.h"

#include <math.h>
#include <string.h>

/* ---- the columns ---- */

#define CELL          COLUMN_VIA(struct shown, cell)
#define CHARS(member) CELL, COLUMN_AS(COLUMN_CHARS, struct cell, member)
#define PLANNED(unit_text) .unit = unit_text, .none = "-"

const struct column described_planned[] = {
    {"id", "id", CHARS(id)},
    {"task", "task", CHARS(config.task)},
    {"row", NULL, CELL, COLUMN(struct cell, row)},
    {NULL, "variant", COLUMN(struct shown, name)},
    {"variant", NULL, CHARS(config.variant)},
    {"scale", "scale", CHARS(config.scale)},
    {"seed", "seed", COLUMN(struct shown, seed)},
    {"params", "params", COLUMN_AS(COLUMN_WHOLE, struct shown, cost.params),
     PLANNED("")},
    {NULL, "per step", COLUMN(struct shown, flops), PLANNED("FLOP")},
    {"flops_per_step", NULL, COLUMN(struct shown, cost.flops_per_step)},
    {NULL, "weights", COLUMN(struct shown, cost.part.weights), PLANNED("B")},
    {NULL, "optimizer", COLUMN(struct shown, cost.part.optimizer),
     PLANNED("B")},
    {NULL, "activations", COLUMN(struct shown, cost.part.activations),
     PLANNED("B")},
    {"bytes", "memory", COLUMN(struct shown, cost.bytes), PLANNED("B")},
    {"seconds", "time", COLUMN(struct shown, seconds), PLANNED("s")},
    {"status", "status", COLUMN(struct shown, status)},
    {"reason", NULL, COLUMN_AS(COLUMN_WORD, struct shown, reason)},
    {NULL, "", COLUMN(struct shown, note)},
    {"saved", NULL, COLUMN_AS(COLUMN_COUNT, struct shown, saved)},
    {"gpu_bytes", NULL, COLUMN(struct shown, gpu_bytes),
     .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static const struct column part_columns[] = {
    {"parameters", NULL, COLUMN(struct memory, weights)},
    {"gradients", NULL, COLUMN(struct memory, gradients)},
    {"optimizer_state", NULL, COLUMN(struct memory, optimizer)},
    {"activations", NULL, COLUMN(struct memory, activations)},
    {"data", NULL, COLUMN(struct memory, data)},
    {"products", NULL, COLUMN(struct memory, products)},
    {"program", NULL, COLUMN(struct memory, program)},
    {.type = COLUMN_END}};

const struct column described_results[] = {
    {NULL, "id", CHARS(id)},
    {NULL, "task", CHARS(config.task)},
    {NULL, "variant", COLUMN(struct shown, name)},
    {NULL, "scale", CHARS(config.scale)},
    {NULL, "seed", COLUMN(struct shown, seed)},
    {NULL, "status", COLUMN(struct shown, status)},
    {"seconds_spent", NULL, CELL, COLUMN(struct cell, status.seconds)},
    {NULL, "spent", COLUMN(struct shown, spent), .left = -1},
    {"message", NULL, COLUMN_AS(COLUMN_WORD, struct shown, reason)},
    {"commit", NULL, COLUMN(struct shown, found.build.commit),
     .flags = COLUMN_SPARSE},
    {"worse_than_blind", NULL, COLUMN_AS(COLUMN_BOOL, struct shown, worse),
     .flags = COLUMN_NULLABLE},
    {NULL, "result", COLUMN(struct shown, result)},
    {.type = COLUMN_END}};

static const struct column queued_columns[] = {
    {"job", NULL, COLUMN(struct cell_queued, job)},
    {"state", NULL, COLUMN(struct cell_queued, state)},
    {"reason", NULL, COLUMN(struct cell_queued, reason)},
    {.type = COLUMN_END}};

/* ---- the cells ---- */

/* Reads the results of a finished cell.  If the file is damaged, reports it,
 * sets d->worst, and leaves the results empty. */
static void read_results(struct results *out, struct description *d,
                         const struct cell *c)
{
    struct arena *a = d->plan->memory;
    int rc = OK;

    *out = (struct results){0};
    if (c->damage) {
        say("%s", c->damage);
        d->worst = err_exit_code(ERR_STORE);
    } else if (d->detail != DESCRIBE_PLAN && c->status.state == CELL_DONE) {
        rc = results_read(out, d->plan->store, c->id, c->task->metrics,
                          d->detail == DESCRIBE_ALL, a);
    }
    if (rc < 0) {
        say("%s", err_last());
        *out = (struct results){0};
        d->worst = err_exit_code(rc);
    }
    if (out->build.cells)
        builds_add(&d->builds, &out->build, a);
}

const char *described_remark(const struct blind_baseline *b, struct arena *a)
{
    return b->name && b->worse
               ? arena_format(a, "worse than %s: %s %.4g against %.4g",
                              b->name, b->metric, b->own, b->value)
               : "";
}

/* Returns the metrics of a cell or, if it has a job or a note, these instead,
 * followed by the remark. */
static const char *result_of(const struct shown *x, struct arena *a)
{
    const struct cell *c = x->cell;
    const struct results *r = &x->found;
    OWNED(text_free) struct text all = {0};
    const char *note = plan_note(c);

    text_clear(&all);
    if (c->queued.job)
        text_format(&all, "job %s: %s%s%s%s%s", c->queued.job, c->queued.state,
                    *c->queued.reason ? ", " : "", c->queued.reason,
                    *note ? "; " : "", note);
    else if (*note)
        text_put(&all, note);
    else
        for (int i = 0; i < r->metrics; i++)
            text_format(&all, "%s%s %.4g", i ? ", " : "", r->metric[i],
                        r->value[i]);
    if (*x->remark)
        text_format(&all, "; %s", x->remark);
    return text_keep(&all, a);
}

void described_read(struct shown *x, struct description *d,
                    const struct cell *c)
{
    static const struct cost unknown = {
        NAN, NAN, NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    struct arena *a = d->sheet->memory;
    char time[32];

    *x = (struct shown){
        .cell = c, .cost = c->refused ? unknown : c->cost,
        .flops = c->refused ? NAN : c->step.flops,
        .seconds = c->refused ? NAN : c->seconds,
        .gpu_bytes = c->cost.gpu_bytes > 0 ? c->cost.gpu_bytes : NAN,
        .seed = (long long)c->config.seed, .saved = (size_t)c->saved,
        .name = c->config.synthetic && !d->synthetic
                    ? arena_format(a, "%s (synthetic)", c->row) : c->row,
        .status = plan_status(c), .reason = plan_reason(c),
        .note = plan_note(c),
        .spent = c->status.seconds > 0
                     ? arena_text(a, str_duration(c->status.seconds, time))
                     : "-"};
    read_results(&x->found, d, c);
    x->worse = x->found.blind.name ? x->found.blind.worse : -1;
    x->remark = described_remark(&x->found.blind, a);
    x->result = result_of(x, a);
}

/* ---- JSON ---- */

json_t *described_json(const struct description *d, const struct shown *x)
{
    const struct cell *c = x->cell;
    struct arena *a = d->sheet->memory;
    json_t *j = relation_object(described_planned, x, a);

    json_object_set_new(j, "bytes_parts",
                        c->refused ? json_null()
                                   : relation_object(part_columns,
                                                     &c->cost.part, a));
    json_object_set_new(j, "expected",
                        c->refused ? json_null()
                                   : relation_object(plan_lengths_columns, c,
                                                     a));
    if (d->detail != DESCRIBE_PLAN) {
        json_t *metrics = json_object();

        relation_put(j, described_results, x, a);
        json_object_set_new(j, "metrics", metrics);
        for (int i = 0; i < x->found.metrics; i++)
            json_object_set_new(metrics, x->found.metric[i],
                                json_real(x->found.value[i]));
        json_object_set_new(j, "queued",
                            c->queued.job ? relation_object(queued_columns,
                                                            &c->queued, a)
                                          : json_null());
    }
    return j;
}

/* ---- lists ---- */

static int about_task(const char *task, const struct cell *c)
{
    return !strcmp(c->config.task, task);
}

static int about_guess(const char *guess, const struct cell *c)
{
    return guess_about(guess, c->config.task, c->row);
}

/* Returns those texts of the list that are about a selected cell. */
static const char **texts_about(const struct plan *p, const char **text,
                                int (*about)(const char *, const struct cell *))
{
    int n = 0;

    while (text[n])
        n++;
    const char **out = arena_zero(p->memory, ((size_t)n + 1) * sizeof *out);
    for (n = 0; *text; text++)
        for (int i = 0; i < p->n; i++)
            if (p->cell[i].selected && about(*text, &p->cell[i])) {
                out[n++] = *text;
                break;
            }
    return out;
}

void described_lists(struct description *d)
{
    struct sheet *s = d->sheet;
    const struct plan *p = d->plan;

    d->uncompared = texts_about(p, p->uncompared, about_task);
    d->guessed = texts_about(p, p->guessed, about_guess);
    sheet_fact(s, "others", json_integer(p->others));
    sheet_texts(s, "uncompared", d->uncompared);
    sheet_texts(s, "contrasts", p->contrasts);
    sheet_texts(s, "guessed", d->guessed);
}
