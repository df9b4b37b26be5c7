#include "harness/report/layout.h"

#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/report/origin.h"
#include "harness/report/view.h"
#include "harness/stats/bootstrap.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *layout_short(double x, char out[16])
{
    static const char suffix[] = "\0KMBT";
    int k = 0;

    while (x >= 999.5 && k < 4) {
        x /= 1000;
        k++;
    }
    int decimals = k == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
    snprintf(out, 16, "%.*f%.1s", decimals, x, suffix + k);
    return out;
}

void layout_say(void (*part)(const char *text, FILE *out), FILE *out,
                const char *fmt, ...)
{
    char *text = NULL;
    size_t bytes;
    FILE *whole = open_memstream(&text, &bytes);
    va_list ap;

    va_start(ap, fmt);
    vfprintf(whole, fmt, ap);
    va_end(ap);
    fclose(whole);
    part(text, out);
    free(text);
}

static const char *row_title(const struct sheet *s, const char *variant)
{
    for (int i = 0; i < s->rows; i++)
        if (!strcmp(s->row[i].variant, variant))
            return s->row[i].title;
    return variant;
}

static void write_head(const struct sheet *s, const struct layout *l, FILE *out)
{
    const char *data = origin_data(s);

    layout_say(l->title, out, "Table %s%s. %s%s%s", s->table->name,
               s->synthetic ? " (SYNTHETIC DATA)" : "", s->table->title,
               *data ? ". Data: " : "", data);
    if (s->synthetic)
        layout_say(l->warning, out, "SYNTHETIC DATA: the examples of the tasks "
                   "marked SYNTHETIC were made by a generator. Their numbers "
                   "say nothing about real text or about the paper's "
                   "numbers.");
    char *others = str_format(" The store has %d finished cell%s more, which "
                              "the experiment does not select.", s->others,
                              s->others == 1 ? "" : "s");
    layout_say(l->paragraph, out, "%s. Experiment %s, scale %s: %d of %d cells "
               "are done, %s%d seed%s.%s The paper's numbers stand beside "
               "ours; they were measured at full scale.", s->table->cite,
               s->experiment, s->scale, s->done, s->cells,
               s->seeds > 1 ? "means over at most " : "", s->seeds,
               s->seeds > 1 ? "s" : "", s->others ? others : "");
    free(others);
}

/* Each column once, though several tasks may have it. */
static void write_columns(const struct sheet *s, const struct layout *l,
                          FILE *out)
{
    for (int c = 0; c < s->columns; c++) {
        const struct table_column *column = s->column[c];
        int before = 0;

        while (strcmp(s->column[before]->title, column->title))
            before++;
        if (before < c)
            continue;
        layout_say(l->item, out, "%s: %s%s%s%s", column->title, column->what,
                   strcmp(column->unit, "1") ? ", " : "",
                   strcmp(column->unit, "1") ? column->unit : "",
                   column->better > 0   ? "; higher is better"
                   : column->better < 0 ? "; lower is better"
                                        : "");
    }
}

static void write_sources(const struct sheet *s, const struct layout *l,
                          FILE *out)
{
    char text[1024] = "";
    const char *name;

    for (int i = 0, at = 0;
         at < (int)sizeof text && (name = view_source(s, i)); i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%c = %s",
                       i ? ", " : "", 'a' + i, name);
    if (*text)
        layout_say(l->item, out, "paper: the published value; src: where it "
                   "was read, %s; ! sources conflict "
                   "(experiments/published.tsv has them all)", text);
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            const struct sheet_cell *cell = &s->row[i].cell[c];

            if (cell->dispute && s->column[c]->better)
                layout_say(l->item, out, "! %s, %s %s: %.2f here; %s",
                           s->row[i].title, sheet_task_of(s, c)->label,
                           s->column[c]->title, cell->published, cell->dispute);
        }
}

static void write_references(const struct sheet *s, const struct layout *l,
                             FILE *out)
{
    for (int i = 0; i < s->rows; i++)
        if (s->row[i].reference && *s->row[i].what)
            layout_say(l->item, out, "%s: %s", s->row[i].title, s->row[i].what);
}

static int has_star(const struct sheet *s)
{
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (s->row[i].cell[c].best)
                return 1;
    return 0;
}

static void write_stars(const struct sheet *s, const struct layout *l,
                        FILE *out)
{
    char few[64] = "";

    if (!has_star(s))
        return;
    if (s->needed)
        snprintf(few, sizeof few, "; some need %d seeds to be told at all",
                 s->needed);
    layout_say(l->item, out, "%s: the best variant of the column, and those "
               "that are not told from it (95 %% for the column as a whole): "
               "paired over the %s%s", l->best,
               s->seeds < 2 ? "test examples" : "seeds that both have, or, of "
               "one seed each, over the test examples", few);
}

static int lost_seeds(const struct sheet_cell *c)
{
    return !isnan(c->value) && c->n < c->asked;
}

/* What (2/3) before a number means. */
static void write_lost(const struct sheet *s, const struct layout *l, FILE *out)
{
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (s->column[c]->better && lost_seeds(&s->row[i].cell[c])) {
                layout_say(l->item, out, "(n/m) before a number: it is of n of "
                           "the m seeds; the others failed or are not done");
                return;
            }
}

/* The number of a row that has most seeds worse than what sees no input; NULL:
 * none has any. */
static const struct sheet_cell *most_blind(const struct sheet *s,
                                           const struct sheet_row *row,
                                           const struct sheet_task *task)
{
    const struct sheet_cell *most = NULL;

    for (int c = 0; c < s->columns; c++) {
        const struct sheet_cell *x = &row->cell[c];

        if (sheet_task_of(s, c) == task &&
            x->worse_than_blind > (most ? most->worse_than_blind : 0))
            most = x;
    }
    return most;
}

/* Variants that a model without any input beats; where not all their seeds
 * are, how many. */
static void write_blind(const struct sheet *s, const struct layout *l,
                        FILE *out)
{
    for (int t = 0; t < s->tasks; t++) {
        struct text names = {0};

        for (int i = 0; i < s->rows; i++) {
            const struct sheet_cell *x = most_blind(s, &s->row[i], &s->task[t]);
            char some[48] = "";

            if (!x)
                continue;
            text_put(&names, names.n ? ", " : "");
            text_put(&names, s->row[i].title);
            if (x->worse_than_blind < x->n)
                snprintf(some, sizeof some, " (%d of %d seeds)",
                         x->worse_than_blind, x->n);
            text_put(&names, some);
        }
        if (names.n)
            layout_say(l->item, out, "%s: worse than what sees no input: %s",
                       s->task[t].label, names.s);
        text_free(&names);
    }
}

static void write_legend(const struct sheet *s, const struct layout *l,
                         FILE *out)
{
    write_columns(s, l, out);
    write_stars(s, l, out);
    write_lost(s, l, out);
    write_blind(s, l, out);
    write_sources(s, l, out);
    write_references(s, l, out);
}

static int has_metric(const struct sheet *s, const char *metric)
{
    for (int c = 0; c < s->columns; c++)
        if (!strcmp(s->column[c]->metric, metric))
            return 1;
    return 0;
}

static void write_intervals(const struct sheet *s, const struct layout *l,
                            FILE *out)
{
    struct grid g = view_intervals(s);

    if (g.columns == 1)
        return;
    l->heading("95 % intervals", out);
    l->grid(&g, out);
    const char *several = s->seeds < 2 ? "" :
        s->seeds < BOOTSTRAP_LEAST ? " Several seeds: Student's t over the "
                                     "seeds."
                                   : " Several seeds: Student's t over the "
                                     "seeds; from 8 on, the BCa bootstrap.";
    layout_say(l->paragraph, out, "One seed: bootstrap over the test examples, "
               "%d resamples, percentiles; it says how far another test set, "
               "not another seed, would move the number.%s%s",
               BOOTSTRAP_RESAMPLES, several, has_metric(s, "nlg_cider")
                   ? " CIDEr keeps the document frequencies of the whole set."
                   : "");
}

static void write_correlations(const struct sheet *s, const struct layout *l,
                               FILE *out)
{
    if (s->correlations)
        l->heading("Our order against the paper's (Spearman's rho, Kendall's "
                   "tau)", out);
    for (int i = 0; i < s->correlations; i++) {
        const struct sheet_correlation *c = &s->correlation[i];

        if (isnan(c->rho))
            layout_say(l->item, out, "%s, %s: not computed (%d variant%s with "
                       "both numbers)", c->task->label, c->column->title, c->n,
                       c->n == 1 ? "" : "s");
        else
            layout_say(l->item, out, "%s, %s: %+.2f, %+.2f over %d variants",
                       c->task->label, c->column->title, c->rho, c->tau, c->n);
    }
}

static void write_data(const struct sheet *s, const struct layout *l, FILE *out)
{
    l->heading("Data", out);
    for (int i = 0; i < s->tasks; i++)
        if (s->task[i].source)
            layout_say(l->item, out, "%s: %s; %d test examples",
                       s->task[i].label, s->task[i].source,
                       s->task[i].examples);
}

static void write_builds(const struct sheet *s, const struct layout *l,
                         FILE *out)
{
    const char *builds = origin_builds(s);

    l->heading("Builds", out);
    l->item(builds ? builds : "The commits of the cells were not recorded",
            out);
}

static void write_pairs(const struct sheet *s, const struct layout *l,
                        FILE *out)
{
    if (s->pairs)
        l->heading("Paired comparisons of token cross-entropy (95 % for all "
                   "of them together)", out);
    for (int i = 0; i < s->pairs; i++) {
        const struct sheet_pair *p = &s->pair[i];
        const char *a = row_title(s, p->a), *b = row_title(s, p->b);
        double low = p->verdict.between.low, high = p->verdict.between.high;
        int first = p->verdict.sign < 0; /* less is better */
        char over[48];

        if (p->seeds)
            snprintf(over, sizeof over, "%zu seeds", p->seeds);
        else
            snprintf(over, sizeof over, "%d examples", p->task->examples);
        if (p->more)
            layout_say(l->item, out, "%s: %s and %s: %+.4f nats/token, "
                       "undecided with %s, needs %zu more", p->task->label, a,
                       b, p->difference, over, p->more);
        else if (p->verdict.sign == 0)
            layout_say(l->item, out, "%s: %s and %s are not told apart: %+.4f "
                       "nats/token [%+.4f, %+.4f], %s", p->task->label, a, b,
                       p->difference, low, high, over);
        else
            layout_say(l->item, out, "%s: %s beats %s by %.4f nats/token "
                       "[%.4f, %.4f], %s", p->task->label, first ? a : b,
                       first ? b : a, fabs(p->difference),
                       first ? -high : low, first ? -low : high, over);
    }
}

static void write_cells(const struct sheet *s, const struct layout *l,
                        enum cell_state state, const char *heading, FILE *out)
{
    int found = 0;

    for (int i = 0; i < s->failures; i++) {
        const struct sheet_failure *c = &s->failure[i];

        if (c->state != state)
            continue;
        if (!found++)
            l->heading(heading, out);
        layout_say(l->item, out, "%s on %s, seed %lld: %s", c->variant, c->task,
                   c->seed, c->message);
    }
}

static void write_signatures(const struct sheet *s, const struct layout *l,
                             FILE *out)
{
    l->heading("Signatures", out);
    for (int c = 0; c < s->columns; c++)
        for (int i = 0; i < s->rows; i++)
            if (s->row[i].cell[c].signature) {
                layout_say(l->item, out, "%s, %s: %s",
                           sheet_task_of(s, c)->label, s->column[c]->title,
                           s->row[i].cell[c].signature);
                break;
            }
}

void layout_write(const struct sheet *s, const struct layout *l, FILE *out)
{
    struct grid values = view_values(s);

    write_head(s, l, out);
    l->grid(&values, out);
    write_legend(s, l, out);
    write_data(s, l, out);
    write_builds(s, l, out);
    write_intervals(s, l, out);
    write_correlations(s, l, out);
    write_pairs(s, l, out);
    write_cells(s, l, CELL_FAILED, "Cells that failed", out);
    write_cells(s, l, CELL_REFUSED, "Cells that are refused", out);
    write_signatures(s, l, out);
}
