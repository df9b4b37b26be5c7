#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/report/result_fields.h"
#include "harness/store/cell.h"

#include <stdlib.h>
#include <string.h>

/* ---- cells and builds ---- */

static int has_row(const struct result_table *s, const char *variant)
{
    int i = 0;

    while (i < s->rows && strcmp(s->row[i].variant, variant))
        i++;
    return i < s->rows;
}

/* Returns the message of a failed cell without the class at its start, such as
 * "diverged: ", because the class is printed separately. */
static const char *beyond_class(const struct report_cell *c)
{
    size_t n = strlen(c->class);

    return n && !strncmp(c->message, c->class, n) &&
                   !strncmp(c->message + n, ": ", 2)
               ? c->message + n + 2
               : c->message;
}

static void fill_failures(struct result_table *s)
{
    const struct report *r = s->report;

    s->failure = arena_zero(s->memory, ((size_t)r->n + 1) * sizeof *s->failure);
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];

        if (result_find(s, c->task) && has_row(s, c->variant) &&
            (c->state == CELL_FAILED || c->state == CELL_REFUSED ||
             c->state == CELL_BLOCKED))
            s->failure[s->failures++] = (struct result_failure){
                c->variant, c->task, c->seed, c->state, beyond_class(c),
                c->class};
    }
}

/* Sets of[i] to the build of cell i of the report, or to -1 if the cell is not
 * finished or its task is not in the table. */
static int read_builds(struct result_table *s, int *of)
{
    const struct report *r = s->report;

    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;
        struct build one;

        of[i] = -1;
        if (r->cell[i].state != CELL_DONE || !result_find(s, r->cell[i].task))
            continue;
        PASS(report_read(&cell, r, r->cell[i].id));
        PASS(build_read(&one, cell, s->memory));
        of[i] = builds_add(&s->builds, &one, s->memory);
    }
    return OK;
}

/* Returns the commits that trained the cells of a variant and task, each once,
 * joined by ", ", or NULL if there are none.  of: from read_builds. */
static const char *commits(struct result_table *s, const char *variant,
                           const char *task, const int *of)
{
    const struct report *r = s->report;
    OWNED(free) const char **all = calloc((size_t)r->n + 1, sizeof *all);
    char name[32];
    int n = 0;

    for (int i = 0; i < r->n; i++) {
        if (of[i] < 0 || strcmp(r->cell[i].variant, variant) ||
            strcmp(r->cell[i].task, task))
            continue;
        build_name(&s->builds.build[of[i]], name);
        if (names_index(all, name) < 0)
            all[n++] = arena_text(s->memory, name);
    }
    OWNED(free) char *list = n ? names_list(all) : NULL;
    return list ? arena_text(s->memory, list) : NULL;
}

int origin_fill(struct result_table *s)
{
    size_t n = (size_t)s->report->n + 1;
    int *of = arena_take(s->memory, n * sizeof *of);

    PASS(read_builds(s, of));
    s->experiment = s->report->name;
    s->others = s->report->others;
    fill_failures(s);
    guesses_fill(s);
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; !s->row[i].reference && c < s->columns; c++)
            s->row[i].cell[c].commit =
                commits(s, s->row[i].variant, s->column[c]->task, of);
    data_clean(s);
    return OK;
}

/* ---- origin of the data ---- */

static int is_official(const struct result_task *t)
{
    return strstr(t->source, ", official files") != NULL;
}

/* Returns 1 if the generator is the task's data, not a replacement.  The names
 * of such tasks, the science suite, start with gen_. */
static int is_generated(const struct result_task *t)
{
    return !strncmp(t->source, "generator: ", 11) &&
           !strncmp(t->task, "gen_", 4);
}

/* Returns the length of the part of the source that several tasks share: the
 * text before the first comma, as in "Debian bookworm package descriptions,
 * English-German", or before the colon of "generator: ...". */
static size_t common(const struct result_task *t)
{
    const char *comma = strstr(t->source, ", ");

    if (is_generated(t))
        return strcspn(t->source, ":");
    return comma && !t->synthetic ? (size_t)(comma - t->source)
                                  : strlen(t->source);
}

static int together(const struct result_task *a,
                    const struct result_task *b)
{
    size_t n = common(a);

    return a == b || (!is_official(a) && !is_official(b) &&
                      a->synthetic == b->synthetic && n == common(b) &&
                      !memcmp(a->source, b->source, n));
}

/* Adds the origin of a task's data.  Semicolons in the origin become "and",
 * because semicolons separate origins. */
static void put_origin(struct text *out, const struct result_task *t)
{
    size_t n = is_official(t) ? strlen(t->source) : common(t);

    int replaced = t->synthetic && !is_generated(t);

    text_put(out, replaced ? "SYNTHETIC (" : "");
    for (size_t i = 0; i < n; i++)
        if (!strncmp(t->source + i, "; ", 2))
            text_put(out, " and");
        else
            text_add(out, t->source + i, 1);
    text_put(out, replaced ? ")" : "");
}

/* Adds the names of all tasks that have the same origin as `t`: " in place of
 * LM1B, C4 and AG News". */
static void put_places(struct text *out, const struct result_table *s,
                       const struct result_task *t)
{
    const struct result_task *last = NULL;

    for (int i = 0; i < s->tasks; i++)
        if (s->task[i].source && together(t, &s->task[i]))
            last = &s->task[i];
    for (const struct result_task *u = t; u <= last; u++) {
        if (!u->source || !together(t, u))
            continue;
        text_put(out, u != t ? u == last ? " and " : ", "
                      : is_generated(t) ? " of " : " in place of ");
        text_put(out, u->paper);
    }
}

const char *origin_data(const struct result_table *s)
{
    OWNED(text_free) struct text all = {NULL, 0, 0};

    text_put(&all, "");
    for (int i = 0; i < s->tasks; i++) {
        const struct result_task *t = &s->task[i];
        int said = !t->source;

        for (int k = 0; k < i && !said; k++)
            said = s->task[k].source && together(&s->task[k], t);
        if (said)
            continue;
        text_put(&all, all.n ? "; " : "");
        put_origin(&all, t);
        if (!is_official(t))
            put_places(&all, s, t);
    }
    return arena_text(s->memory, all.s);
}
