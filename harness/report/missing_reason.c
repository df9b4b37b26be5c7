/* missing_reason: explains why a cell of a table has no number.  Printed tables
 * show a mark (reason_mark), which a note below the table explains
 * (reason_put); JSON and CSV contain a text (reason_text). */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/print/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the first seed of a table cell whose state is `state`, or NULL. */
static const struct result_failure *failure_of(const struct result_table *s,
                                               const struct result_row *row,
                                               int column,
                                               enum cell_state state)
{
    for (int i = 0; i < s->failures; i++) {
        const struct result_failure *f = &s->failure[i];

        if (f->state == state && !strcmp(f->variant, row->variant) &&
            !strcmp(f->task, s->column[column]->task))
            return f;
    }
    return NULL;
}

/* Returns the reason why a table cell has no result: "failed: diverged: loss is
 * not a number at step 17 (seed 1)". */
static const char *told(const struct result_table *s,
                        const struct result_row *row, int column)
{
    enum cell_state state = row->cell[column].state;
    const struct result_failure *f = failure_of(s, row, column, state);

    if (!f)
        return cell_state_text[state];
    return arena_format(s->memory, "%s: %s%s%s (seed %lld)",
                        cell_state_text[state], f->class,
                        *f->class ? ": " : "", f->message, f->seed);
}

const char *reason_text(const struct result_table *s,
                        const struct result_row *row, int column)
{
    const struct result_cell *x = &row->cell[column];

    if (!isnan(x->value))
        return NULL;
    if (row->reference)
        return "the row has no such number";
    switch (x->state) {
    case CELL_DONE: return "trained, but not measured or too noisy";
    case CELL_RUNNING: return "being trained";
    case CELL_MISSING: break;
    default: return told(s, row, column);
    }
    if (!x->asked)
        return "not selected by this experiment";
    return arena_format(s->memory, "not trained yet: 0 of %d", x->asked);
}

/* ---- marks in printed tables ---- */

enum mark { MARK_NONE, MARK_MISSING, MARK_NO_NUMBER, MARK_WORD, MARKS };

static enum mark mark_of(const struct result_row *row, int column)
{
    const struct result_cell *x = &row->cell[column];

    if (row->reference || (x->state == CELL_MISSING && !x->asked))
        return MARK_NONE;
    return x->state == CELL_MISSING ? MARK_MISSING
           : x->state == CELL_DONE  ? MARK_NO_NUMBER
                                    : MARK_WORD;
}

const char *reason_mark(const struct result_table *s,
                        const struct result_row *row, int column)
{
    const struct result_cell *x = &row->cell[column];

    switch (mark_of(row, column)) {
    case MARK_NONE: return "-";
    case MARK_MISSING: return arena_format(s->memory, "0/%d", x->asked);
    case MARK_NO_NUMBER: return "n/a";
    default: return cell_state_text[x->state];
    }
}

static void look(const struct result_table *s, int mark[MARKS],
                 int word[CELL_STATES])
{
    for (int i = 0; i < s->rows; i++)
        for (int c = 0; c < s->columns; c++)
            if (isnan(s->row[i].cell[c].value)) {
                enum mark m = mark_of(&s->row[i], c);

                mark[m] += !s->row[i].reference;
                word[s->row[i].cell[c].state] += m == MARK_WORD;
            }
}

void reason_put(struct sheet *to, const struct result_table *s)
{
    static const char *const why[CELL_STATES] = {
        [CELL_MISSING] = "", [CELL_DONE] = "",
        [CELL_RUNNING] = "being trained",
        [CELL_FAILED] = "training ended without a result; the reason is below",
        [CELL_REFUSED] = "no such model exists; the reason is below",
        [CELL_BLOCKED] = "what it needs is not available; the reason is below"};
    int mark[MARKS] = {0}, word[CELL_STATES] = {0};

    look(s, mark, word);
    if (mark[MARK_NONE])
        sheet_put(to, PART_ITEM, "-: the experiment does not include this "
                  "cell, or the row has no such number");
    if (mark[MARK_MISSING])
        sheet_put(to, PART_ITEM, "0/m: none of its m seeds is trained yet");
    if (mark[MARK_NO_NUMBER])
        sheet_put(to, PART_ITEM, "n/a: trained, but not measured or too noisy");
    for (int i = 0; i < CELL_STATES; i++)
        if (word[i])
            sheet_put(to, PART_ITEM, "%s: %s", cell_state_text[i], why[i]);
}
