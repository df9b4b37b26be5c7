/* missing_reason: explains why a cell of a table has no number.  Printed tables
 * show a mark (reason_mark), which a note below the table explains
 * (reason_put); JSON and CSV contain a text (reason_text). */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <string.h>

/* The kinds of cells without a number are their states, and NOT_SELECTED. */
enum { NOT_SELECTED = CELL_STATES, KINDS };

static const char *const note[KINDS] = {
    [CELL_MISSING] = "0/m: none of its m seeds is trained yet",
    [CELL_RUNNING] = "running: being trained",
    [CELL_DONE] = "n/a: trained, but not measured or too noisy",
    [CELL_FAILED] = "failed: training ended without a result; the reason is "
                    "below",
    [CELL_REFUSED] = "refused: no such model exists; the reason is below",
    [CELL_BLOCKED] = "blocked: what it needs is not available; the reason is "
                     "below",
    [NOT_SELECTED] = "-: the experiment does not include this cell, or the row "
                     "has no such number"};

static int kind_of(const struct result_row *row, int column)
{
    const struct result_cell *x = &row->cell[column];

    return row->reference || (x->state == CELL_MISSING && !x->asked)
               ? NOT_SELECTED : (int)x->state;
}

/* Returns the reason of the first seed that has the state of the table cell:
 * "failed: diverged: loss is not a number at step 17 (seed 1)". */
static const char *failure_text(const struct result_table *s,
                                const struct result_row *row, int column)
{
    enum cell_state state = row->cell[column].state;

    for (int i = 0; i < s->failures; i++) {
        const struct result_failure *f = &s->failure[i];

        if (f->state == state && !strcmp(f->variant, row->variant) &&
            !strcmp(f->task, s->column[column]->task))
            return arena_format(s->memory, "%s: %s%s%s (seed %lld)",
                                cell_state_text[state], f->class,
                                *f->class ? ": " : "", f->message, f->seed);
    }
    return cell_state_text[state];
}

const char *reason_text(const struct result_table *s,
                        const struct result_row *row, int column)
{
    const struct result_cell *x = &row->cell[column];

    if (!isnan(x->value))
        return NULL;
    switch (kind_of(row, column)) {
    case NOT_SELECTED:
        return row->reference ? "the row has no such number"
                              : "not selected by this experiment";
    case CELL_MISSING:
        return arena_format(s->memory, "not trained yet: 0 of %d", x->asked);
    case CELL_RUNNING: return "being trained";
    case CELL_DONE: return "trained, but not measured or too noisy";
    default: return failure_text(s, row, column);
    }
}

const char *reason_mark(const struct result_table *s,
                        const struct result_row *row, int column)
{
    const struct result_cell *x = &row->cell[column];

    switch (kind_of(row, column)) {
    case NOT_SELECTED: return "-";
    case CELL_MISSING: return arena_format(s->memory, "0/%d", x->asked);
    case CELL_DONE: return "n/a";
    default: return cell_state_text[x->state];
    }
}

void reason_put(struct sheet *to, const struct result_table *s)
{
    int found[KINDS] = {0};

    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (!s->row[i].reference && isnan(s->row[i].cell[c].value))
                found[kind_of(&s->row[i], c)] = 1;
    if (found[NOT_SELECTED])
        sheet_put(to, PART_ITEM, "%s", note[NOT_SELECTED]);
    for (int k = 0; k < NOT_SELECTED; k++)
        if (found[k])
            sheet_put(to, PART_ITEM, "%s", note[k]);
}
