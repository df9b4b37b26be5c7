/* table_footnotes: writes the notes below a table.  The notes explain its
 * columns, marks and rows. layout_fill calls notes_put. */
#include "harness/report/result_table.h"

#include "harness/base/text.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Explains each column title once, even if several tasks have it. */
static void put_columns(const struct result_table *s, struct sheet *to)
{
    for (int c = 0; c < s->columns; c++) {
        const struct table_column *column = s->column[c];
        int before = 0;

        while (strcmp(s->column[before]->title, column->title))
            before++;
        if (before < c)
            continue;
        sheet_put(to, PART_ITEM, "%s: %s%s%s%s", column->title,
                  table_column_says(column),
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

    if (!result_any(s, -1, result_starred))
        return;
    if (s->needed)
        snprintf(few, sizeof few, "; some tests need %d seeds to reach "
                 "significance", s->needed);
    sheet_put(to, PART_BEST, "the best value of the column and all values not "
              "significantly different from the best (95 %% confidence for the "
              "column as a whole); comparisons are paired over common "
              "seeds%s%s", result_any(s, -1, result_crossed)
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
 * input-blind baseline and the number of seeds for which they are. */
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

void notes_put(struct sheet *to, const struct result_table *s)
{
    put_columns(s, to);
    put_stars(s, to);
    if (result_any(s, -1, lost_seeds))
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
