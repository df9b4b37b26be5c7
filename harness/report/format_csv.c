/*
 * CSV (RFC 4180: CRLF, quotes doubled), tidy: one line a variant and column,
 * so that a data frame of it filters and pivots without reshaping.
 *
 *   table, scale, task, synthetic, variant, title, reference (1: no
 *   variant), metric, unit, better (1, -1, 0), value, low, high (95 %), n
 *   (seeds), status, rank, published, source, disputed, rank_published,
 *   signature, subset (1: not all of the official rows), data, best (1: the
 *   table marks it so), commit (of its cells), mixed_builds (1: the table's
 *   cells were built differently), worse_than_blind (seeds that are worse than
 *   what sees no input), asked (seeds of the experiment, n of them count)
 *
 * Empty: there is no such number.
 */
#include "harness/report/sheet.h"

#include <math.h>
#include <string.h>

static void text(const char *s, FILE *out)
{
    fputc(',', out);
    if (!s)
        return;
    if (!strpbrk(s, ",\"\r\n")) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void number(double x, FILE *out)
{
    fputc(',', out);
    if (isfinite(x))
        fprintf(out, "%.15g", x);
}

static void write_cell(const struct sheet *s, const struct sheet_row *row,
                       int column, FILE *out)
{
    const struct table_column *c = s->column[column];
    const struct sheet_cell *cell = &row->cell[column];
    const struct sheet_task *task = sheet_task_of(s, column);

    fputs(s->table->name, out);
    text(s->scale, out);
    text(task->task, out);
    number(task->synthetic, out);
    text(row->variant, out);
    text(row->title, out);
    number(row->reference, out);
    text(c->metric, out);
    text(c->unit, out);
    number(c->better, out);
    number(cell->value, out);
    number(cell->between.low, out);
    number(cell->between.high, out);
    number(cell->n, out);
    text(sheet_state(cell->state), out);
    number(cell->rank, out);
    number(cell->published, out);
    text(cell->source, out);
    number(cell->dispute != NULL, out);
    number(cell->rank_published, out);
    text(cell->signature, out);
    number(task->subset, out);
    text(task->source, out);
    number(cell->best, out);
    text(cell->commit, out);
    number(builds_differ(&s->builds), out);
    number(cell->worse_than_blind, out);
    number(cell->asked, out);
    fputs("\r\n", out);
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    fputs("table,scale,task,synthetic,variant,title,reference,metric,unit,"
          "better,value,low,high,n,status,rank,published,source,disputed,"
          "rank_published,signature,subset,data,best,commit,mixed_builds,"
          "worse_than_blind,asked\r\n", out);
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (!s->row[i].reference || s->row[i].cell[c].n)
                write_cell(s, &s->row[i], c, out);
}

const struct table_format format_csv = {"csv", "csv", write_sheet};
