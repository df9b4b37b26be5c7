#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/text.h"
#include "harness/report/result_fields.h"
#include "harness/store/guess.h"

#include <string.h>

/* ---- cells without a result ---- */

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

        if (result_find(s, c->task) && result_row_of(s, c->variant) &&
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

/* Returns the origin of a task's data, which is followed by the name of the
 * task unless the data are official.  It is shared by tasks whose sources
 * differ only after the first comma, as in "Debian bookworm package
 * descriptions, English-German".  Semicolons in a source become "and", because
 * semicolons separate origins. */
static const char *origin_of(const struct result_task *t, struct arena *a)
{
    static const char *const semicolon[][2] = {{"; ", " and "}, {NULL, NULL}};
    struct text source = {0};

    /* The generators of the science suite are the data of their tasks. */
    if (!strncmp(t->source, "generator: ", 11) && !strncmp(t->task, "gen_", 4))
        return "generator of";
    text_swap(&source, t->source, semicolon);
    const char *text = text_keep(&source, a);
    if (is_official(t))
        return text;
    if (t->synthetic)
        return arena_format(a, "SYNTHETIC (%s) in place of", text);
    const char *comma = strstr(text, ", ");
    return arena_format(a, "%.*s in place of", (int)(
        comma ? (size_t)(comma - text) : strlen(text)), text);
}

/* Returns the number of tasks after task i that have the same origin. */
static int later_with(const struct result_table *s, const char *const *origin,
                      int i)
{
    int n = 0;

    for (int k = i + 1; k < s->tasks; k++)
        n += origin[k] && !strcmp(origin[k], origin[i]);
    return n;
}

const char *origin_data(const struct result_table *s)
{
    struct arena *a = s->memory;
    const char **origin = arena_zero(a, ((size_t)s->tasks + 1) *
                                            sizeof *origin);
    struct text all = {0};

    text_put(&all, "");
    for (int i = 0; i < s->tasks; i++)
        if (s->task[i].source)
            origin[i] = origin_of(&s->task[i], a);
    for (int i = 0; i < s->tasks; i++) {
        const char *of = origin[i];

        if (!of)
            continue;
        text_format(&all, "%s%s", all.n ? "; " : "", of);
        if (is_official(&s->task[i]))
            continue;
        /* All tasks with this origin, which are then removed from the list. */
        text_format(&all, " %s", s->task[i].paper);
        for (int k = i + 1; k < s->tasks; k++)
            if (origin[k] && !strcmp(origin[k], of)) {
                text_format(&all, "%s%s", later_with(s, origin, k) ? ", "
                                                                   : " and ",
                            s->task[k].paper);
                origin[k] = NULL;
            }
    }
    return text_keep(&all, a);
}
