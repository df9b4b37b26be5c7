#include "harness/report/result_table.h"

#include "harness/print/sheet.h"

#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/stats/bootstrap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the notes below the table, which explain columns, marks and rows ---- */

/* Explains each column title once if it means the same in all its tasks, else
 * each meaning with its task. */
static void put_columns(const struct result_table *s, struct sheet *to)
{
    for (int c = 0; c < s->columns; c++) {
        const struct table_column *column = s->column[c];
        const char *says = table_column_says(column);
        int before = 0, meanings = 1;

        for (int i = s->columns - 1; i >= 0; i--) {
            if (strcmp(s->column[i]->title, column->title))
                continue;
            if (strcmp(table_column_says(s->column[i]), says))
                meanings++;
            else
                before = i;
        }
        if (before < c)
            continue;
        sheet_put(to, PART_ITEM, "%s%s%s: %s%s%s%s", column->title,
                  meanings > 1 ? " of " : "",
                  meanings > 1 ? result_task_of(s, c)->title : "", says,
                  strcmp(column->unit, "1") ? ", " : "",
                  strcmp(column->unit, "1") ? column->unit : "",
                  column->better > 0   ? "; higher is better"
                  : column->better < 0 ? "; lower is better"
                                       : "");
    }
}

static void put_sources(const struct result_table *s, struct sheet *to)
{
    const char *text = view_sources(s);

    if (*text)
        sheet_put(to, PART_ITEM, "paper: the published value; src: its source, "
                  "%s; ! sources conflict (experiments/published.tsv has all "
                  "values)", text);
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            const struct result_cell *cell = &s->row[i].cell[c];

            if (cell->dispute && s->column[c]->better)
                sheet_put(to, PART_ITEM, "! %s, %s %s: %.2f shown; %s",
                          s->row[i].title, result_task_of(s, c)->label,
                          s->column[c]->title, cell->published, cell->dispute);
        }
}

/* Descriptions of references as cells store them, each with a clearer text that
 * is printed instead. */
static const char *const references[][2] = {
    {"ignores the input: the most frequent label of the test set",
     "ignores the input: the most frequent label of the test set or, for GLUE "
     "and SuperGLUE, of each subtask's training examples"},
    {"the most frequent target in training; of scores their mean",
     "always answers the most frequent target of the training examples, or the "
     "mean if targets are scores"},
    {"naive Bayes over the words of the second of two texts (the hypothesis, "
     "the question, the answer); elsewhere as majority",
     "naive Bayes over the words of the second text (the hypothesis, the "
     "question or the answer); with a single text, the same answer as the "
     "majority class"},
    {"naive Bayes over the share of the shorter text's words that the other "
     "one has, in tenths; elsewhere as majority",
     "naive Bayes on one feature: which share of the shorter text's words also "
     "occurs in the other text, rounded to tenths; with a single text, the "
     "same answer as the majority class"}};

static const char *reference_says(const char *what)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strcmp(what, references[i][0]))
            return references[i][1];
    return what;
}

static void put_references(const struct result_table *s, struct sheet *to)
{
    for (int i = 0; i < s->rows; i++)
        if (s->row[i].reference && *s->row[i].what)
            sheet_put(to, PART_ITEM, "%s: %s", s->row[i].title,
                      reference_says(s->row[i].what));
}

static void put_stars(const struct result_table *s, struct sheet *to)
{
    char few[64] = "";

    if (!result_count(s, -1, result_starred))
        return;
    if (s->needed)
        snprintf(few, sizeof few, "; some tests need %d seeds to reach "
                 "significance", s->needed);
    sheet_put(to, PART_BEST, "the best value of the column and all values not "
              "significantly different from the best (95 %% confidence for the "
              "column as a whole); comparisons are paired over common "
              "seeds%s%s", result_count(s, -1, result_crossed)
                  ? " and, for metrics computed per example, over test examples"
                  : "", few);
}

static int lost_seeds(const struct result_table *s, int row, int column)
{
    const struct result_cell *c = &s->row[row].cell[column];

    return s->column[column]->better && !isnan(c->value) && c->n < c->asked;
}

/* Returns the cell of a row and task with the most seeds that are worse than
 * the input-blind baseline, or NULL if no seed is worse. */
static const struct result_cell *most_blind(const struct result_table *s,
                                            const struct result_row *row,
                                            const struct result_task *task)
{
    const struct result_cell *most = NULL;

    for (int c = 0; c < s->columns; c++) {
        const struct result_cell *x = &row->cell[c];

        if (result_task_of(s, c) == task &&
            x->worse_than_blind > (most ? most->worse_than_blind : 0))
            most = x;
    }
    return most;
}

/* Adds an item for each task with the variants that are worse than the
 * input-blind baseline and the number of seeds for which they are worse. */
static void put_blind(const struct result_table *s, struct sheet *to)
{
    for (int t = 0; t < s->tasks; t++) {
        OWNED(text_free) struct text names = {0};

        for (int i = 0; i < s->rows; i++) {
            const struct result_cell *x =
                most_blind(s, &s->row[i], &s->task[t]);

            if (!x)
                continue;
            text_format(&names, "%s%s", names.n ? ", " : "", s->row[i].title);
            if (x->worse_than_blind < x->n)
                text_format(&names, " (%d of %d seeds)", x->worse_than_blind,
                            x->n);
            else if (x->n < 2 && s->seeds > 1)
                text_put(&names, " (with one seed)");
        }
        if (names.n)
            sheet_put(to, PART_ITEM, "%s: worse than the input-blind "
                      "baseline%s: %s", s->task[t].label,
                      s->seeds > 1 ? "" : " for this seed", names.s);
    }
}

/* Adds an item for each row that is shown with the published numbers of another
 * variant.  A tuned row with the numbers of its own variant is omitted, because
 * its title says that it is tuned. */
static void put_stand_ins(const struct result_table *s, struct sheet *to)
{
    if (s->synthetic == s->tasks) /* the table shows no published numbers */
        return;
    for (int i = 0; i < s->rows; i++) {
        const struct result_row *row = &s->row[i];
        size_t n = strcspn(row->variant, ",");

        if (row->published && (strlen(row->published) != n ||
                               strncmp(row->published, row->variant, n)))
            sheet_put(to, PART_ITEM, "%s: our variant is %.*s; the published "
                      "values are for %s", row->title, (int)n, row->variant,
                      row->published);
    }
}

static void put_notes(const struct result_table *s, struct sheet *to)
{
    put_columns(s, to);
    put_stars(s, to);
    if (result_count(s, -1, lost_seeds))
        sheet_put(to, PART_ITEM, "(n/m) before a number: n of its m seeds "
                  "count; the others failed or are not finished");
    reason_put(to, s);
    put_blind(s, to);
    put_stand_ins(s, to);
    withheld_put(to, s);
    put_sources(s, to);
    put_references(s, to);
    if (s->table->note)
        sheet_put(to, PART_ITEM, "%s", s->table->note);
}

/* ---- the sections ---- */

static int is_published(const struct result_table *s, int row, int column)
{
    return !isnan(s->row[row].cell[column].published);
}

static int is_tuned(const struct result_table *s, int row, int column)
{
    (void)column;
    return str_ends(s->row[row].variant, ",tuned");
}

static void put_head(const struct result_table *s, struct sheet *to)
{
    const char *data = origin_data(s);

    sheet_put(to, PART_TITLE, "Table %s%s. %s%s%s", s->table->name,
              s->synthetic ? " (SYNTHETIC DATA)" : "", s->table->title,
              *data ? ". Data: " : "", data);
    if (s->synthetic)
        sheet_put(to, PART_WARNING, "SYNTHETIC DATA: the examples of the tasks "
                  "marked SYNTHETIC were made by a generator. Their numbers "
                  "say nothing about real text or about the paper's numbers, "
                  "which are not shown next to them (`synthbench table "
                  "--published` prints them).");
    OWNED(free) char *others =
        str_format(" The store has %d more finished cell%s, which "
                   "are not part of the experiment.", s->others, s->others == 1
                   ? "" : "s");
    sheet_put(to, PART_PARAGRAPH, "%s. Experiment %s, scale %s: %d of %d cells "
              "are finished%s; %s%d seed%s.%s%s", s->table->cite, s->experiment,
              s->scale, s->done, s->cells,
              result_count(s, -1, is_tuned) ? " (trials not counted)" : "",
              s->seeds > 1 ? "means over up to " : "", s->seeds,
              s->seeds == 1 ? "" : "s",
              s->others ? others : "",
              result_count(s, -1, is_published)
                  ? " Published values (column paper) were measured at full "
                    "scale."
                  : "");
}

static void put_intervals(const struct result_table *s, struct sheet *to)
{
    if (!result_count(s, -1, view_interval))
        return;
    sheet_put(to, PART_HEADING, "95 %% confidence intervals");
    view_intervals(to, s);
    sheet_put(to, PART_PARAGRAPH, "One seed: percentile bootstrap over the "
              "test examples (%d resamples), which covers the variation over "
              "test sets, not over seeds. Several seeds: Student's t with "
              "seeds and test examples as samples. Metrics not computed per "
              "example: Student's t over the seeds or, with %d seeds or "
              "more, BCa bootstrap. A value without an interval (-) does not "
              "vary, or has no values per example.", BOOTSTRAP_RESAMPLES,
              BOOTSTRAP_LEAST);
}

/* Returns a correlation as text: "+0.81 [+0.30, +0.96], p 0.014". */
static const char *order_text(const struct result_table *s,
                              const struct rank_correlation *o)
{
    const char *r = arena_format(s->memory, "%+.2f", o->r);
    char p[24];

    if (!isnan(o->between.low))
        r = arena_format(s->memory, "%s [%+.2f, %+.2f]", r, o->between.low,
                         o->between.high);
    return arena_format(s->memory, "%s, p %s", r, verdict_p(o->p, p));
}

static void put_correlation(const struct result_correlation *c,
                            const struct result_table *s, struct sheet *to)
{
    if (isnan(c->rho.r))
        sheet_put(to, PART_ITEM, "%s, %s: not computed (%d variant%s with both "
                  "values)", c->task->label, c->column->title, c->n,
                  c->n == 1 ? "" : "s");
    else
        sheet_put(to, PART_ITEM, "%s, %s: %s; %s over %d variants",
                  c->task->label, c->column->title, order_text(s, &c->rho),
                  order_text(s, &c->tau), c->n);
}

static void put_correlations(const struct result_table *s, struct sheet *to)
{
    if (!s->correlations)
        return;
    sheet_put(to, PART_HEADING, "Rank correlation with the paper (Spearman's "
              "rho, Kendall's tau)");
    for (int i = 0; i < s->correlations; i++)
        put_correlation(&s->correlation[i], s, to);
    sheet_put(to, PART_PARAGRAPH, "p: two-sided permutation p-value, the share "
              "of all orders of the variants that correlate with the paper's "
              "order at least as strongly as ours (approximate for more than "
              "%d variants). Brackets: 95 %% confidence intervals by Fisher's "
              "z, with the variants as a sample; not defined at -1 and +1.",
              RANK_EXACT);
}

static void put_data(const struct result_table *s, struct sheet *to)
{
    sheet_put(to, PART_HEADING, "Data");
    for (int i = 0; i < s->tasks; i++)
        if (s->task[i].source)
            sheet_put(to, PART_ITEM, "%s: %s; %d test examples",
                      s->task[i].label, s->task[i].source,
                      s->task[i].examples);
}

static void put_guesses(const struct result_table *s, struct sheet *to)
{
    if (*s->guessed)
        sheet_put(to, PART_HEADING, "Assumptions (not stated in any source)");
    for (const char **guess = s->guessed; *guess; guess++)
        sheet_put(to, PART_ITEM, "%s", *guess);
}

static void put_builds(const struct result_table *s, struct sheet *to)
{
    const char *builds = builds_text(&s->builds, s->memory);

    sheet_put(to, PART_HEADING, "Builds");
    sheet_put(to, PART_ITEM, "%s",
              builds ? builds : "The commits of the cells were not recorded");
}

static void put_pairs(const struct result_table *s, struct sheet *to)
{
    if (s->pairs)
        sheet_put(to, PART_HEADING, "Paired comparisons (simultaneous 95 %% "
                  "confidence)");
    if (s->pairs && !s->judged)
        sheet_put(to, PART_PARAGRAPH, "The experiment names no contrasts, so "
                  "this table's own pairs are compared; `synthbench compare` "
                  "tests any other pair.");
    for (int i = 0; i < s->pairs; i++)
        sheet_put(to, PART_ITEM, "%s", pair_text(s, &s->pair[i]));
}

static void put_cells(const struct result_table *s, struct sheet *to,
                        enum cell_state state, const char *heading)
{
    int found = 0;

    for (int i = 0; i < s->failures; i++) {
        const struct result_failure *c = &s->failure[i];

        if (c->state != state)
            continue;
        if (!found++)
            sheet_put(to, PART_HEADING, "%s", heading);
        sheet_put(to, PART_ITEM, "%s on %s, seed %lld: %s%s%s", c->variant,
                  c->task, c->seed, c->class, *c->class ? ": " : "",
                  c->message);
    }
}

/* Adds the settings that trials chose, once for each row and task. */
static void put_choices(const struct result_table *s, struct sheet *to)
{
    int found = 0;

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++) {
            const char *chosen = s->row[i].cell[c].chosen;
            const struct result_task *task = result_task_of(s, c);

            if (!chosen || (c > 0 && result_task_of(s, c - 1) == task))
                continue;
            if (!found++)
                sheet_put(to, PART_HEADING, "Settings chosen by trials (lowest "
                          "final validation cross-entropy)");
            sheet_put(to, PART_ITEM, "%s on %s: %s", s->row[i].title,
                      task->label, chosen);
        }
}

/* Returns 1 if the signature of the cell's metric has the unclear word "eos:".
 * It is explained instead of replaced, because hashes of metric signatures are
 * in published signatures. */
static int has_eos(const struct result_table *s, int row, int column)
{
    const char *how = s->row[row].cell[column].how;

    return how && strstr(how, "eos:");
}

static void put_metrics(const struct result_table *s, struct sheet *to)
{
    sheet_put(to, PART_HEADING, "How metrics are computed");
    for (int c = 0; c < s->columns; c++)
        for (int i = 0; i < s->rows; i++)
            if (s->row[i].cell[c].how) {
                sheet_put(to, PART_ITEM, "%s, %s: %s",
                          result_task_of(s, c)->label, s->column[c]->title,
                          s->row[i].cell[c].how);
                break;
            }
    if (result_count(s, -1, has_eos))
        sheet_put(to, PART_ITEM, "eos: the end-of-sentence mark. counted: as a "
                  "token; one a sentence: as one word per sentence");
}

static void put_signatures(const struct result_table *s, struct sheet *to)
{
    sheet_put(to, PART_HEADING, "Signatures (synthbench verify signature "
              "checks them against a store)");
    for (int i = 0; i < s->rows; i++)
        if (strncmp(s->row[i].signature, "none: ", 6)) /* report/signature.c */
            sheet_put(to, PART_CODE, "%s: %s", s->row[i].title,
                      s->row[i].signature);
}

/* Adds the command that trains the cells of a row again. */
static void put_command(const struct result_table *s, struct sheet *to)
{
    OWNED(free) char *from = text_quoted(s->own    ? s->own
                                         : s->file ? s->file
                                                   : s->experiment);

    sheet_put(to, PART_HEADING, "Command that trains a row");
    if (s->own)
        sheet_put(to, PART_CODE, "synthbench run --store %s -E FILTER", from);
    else
        sheet_put(to, PART_CODE, "synthbench run %s --scale %s%s -E FILTER",
                  from, s->scale, s->synthetic ? " --synthetic" : "");
    sheet_put(to, PART_ITEM, "FILTER: 'variant==V && KEY==VALUE' for a row "
              "with v:V,KEY=VALUE in its signature; `--seeds` selects seeds%s",
              s->own ? ". The command trains the cells that the store lacks, "
                       "whose settings only the store has (experiment.json)"
                     : "");
}

void layout_fill(struct sheet *to, const struct result_table *s, int brief)
{
    put_head(s, to);
    view_values(to, s);
    put_notes(s, to);
    if (!brief) {
        put_data(s, to);
        put_guesses(s, to);
        put_builds(s, to);
        put_intervals(s, to);
        put_correlations(s, to);
    }
    put_pairs(s, to);
    if (!brief)
        put_choices(s, to);
    put_cells(s, to, CELL_FAILED, "Failed cells");
    put_cells(s, to, CELL_REFUSED, "Refused cells");
    put_cells(s, to, CELL_BLOCKED, "Blocked cells");
    if (brief) {
        sheet_put(to, PART_GAP, "%s", "");
        sheet_put(to, PART_PARAGRAPH, "`--all` adds the sources of the data, "
                  "the builds, confidence intervals, how metrics are computed, "
                  "signatures and the command that trains a row.");
        return;
    }
    put_metrics(s, to);
    put_signatures(s, to);
    put_command(s, to);
}
