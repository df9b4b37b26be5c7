#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/text.h"
#include "harness/report/result_fields.h"
#include "harness/store/guess.h"

#include <string.h>

/* ---- cells without a result ---- */

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

static int has_number_of(const struct result_table *s, const char *guess)
{
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (s->row[i].cell[c].n && !s->row[i].reference &&
                guess_about(guess, s->column[c]->task, s->row[i].variant))
                return 1;
    return 0;
}

/* Selects those assumptions of the experiment that are about any number of the
 * table. */
static void fill_guesses(struct result_table *s)
{
    const char **guess = s->report->guessed;
    size_t n = 0;

    while (guess[n])
        n++;
    s->guessed = arena_zero(s->memory, (n + 1) * sizeof *s->guessed);
    for (n = 0; *guess; guess++)
        if (has_number_of(s, *guess))
            s->guessed[n++] = *guess;
}

void origin_fill(struct result_table *s)
{
    const struct report *r = s->report;

    s->experiment = r->name;
    s->file = r->file;
    s->own = r->own ? arena_text(s->memory, r->store) : NULL;
    s->others = r->others;
    fill_failures(s);
    fill_guesses(s);
    data_clean(s);
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
