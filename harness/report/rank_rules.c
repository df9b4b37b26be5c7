/* rank_rules: decides which columns of a table are not ranked, or only in part,
 * and prints the reasons below the table (see result_table.h). */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/text.h"
#include "harness/print/sheet.h"
#include "harness/report/evidence.h"

#include <math.h>
#include <string.h>

const char *const withheld_text[] = {
    "", "not compared", "different data", "uninformative",
    "outside the contrasts", "one seed", "not converged", NULL};

static int is_single(const struct result_table *s, int row, int column)
{
    const struct result_row *r = &s->row[row];

    return !r->reference && isfinite(r->cell[column].value) &&
           r->cell[column].n < 2 && !result_external(r);
}

/* Returns 1 if a column has too few seeds to be ranked. */
static int has_one_seed(const struct result_table *s, int column)
{
    return result_count(s, column, is_single) > 0 &&
           result_count(s, column, result_compared) < 2;
}

/* ---- uninformative columns ---- */

/* Returns 1 if the row is a model-free baseline that has a number. */
static int is_blind(const struct result_table *s, int row, int column)
{
    const struct result_row *r = &s->row[row];
    int bound = 0;

    for (const struct evidence_reference *f = evidence_references; f->name; f++)
        bound |= f->bound && !strcmp(f->name, r->variant);
    return r->reference && !bound && isfinite(r->cell[column].value);
}

/* Returns 1 if the whole interval of a cell, or its value if it has no
 * interval, is better than x. */
static int beats(const struct result_cell *c, int better, double x)
{
    double worst = isnan(c->between.low) ? c->value
                   : better > 0          ? c->between.low
                                         : c->between.high;

    return better * (worst - x) > 0;
}

int uninformative(const struct result_table *s, int column)
{
    int best = result_best(s, column, is_blind), variants = 0, beaten = 0;

    for (int i = 0; best >= 0 && i < s->rows; i++) {
        const struct result_cell *c = &s->row[i].cell[column];

        if (s->row[i].reference || !isfinite(c->value) ||
            result_external(&s->row[i]))
            continue;
        variants++;
        beaten |= beats(c, s->column[column]->better,
                      s->row[best].cell[column].value);
    }
    return variants > 0 && !beaten;
}

/* ---- marking ---- */

/* Marks the cells of a column that have not converged relative to their
 * difference from another cell.  Returns 1 if there are such cells. */
static int mark_unsettled(struct result_table *s, int column,
                          const struct learning *learning)
{
    int any = 0;

    for (int i = 0; i < s->rows; i++)
        for (int k = 0; k < s->rows; k++)
            if (k != i && result_compared(s, i, column) &&
                result_compared(s, k, column) &&
                learning_unsettled(&learning[i], &learning[k]))
                any = s->row[i].cell[column].unsettled = 1;
    return any;
}

void withheld_mark(struct result_table *s, int column,
                   const struct learning *learning)
{
    enum withheld *why = &s->withheld[column];

    if (result_task_of(s, column)->uncompared)
        *why = WITHHELD_UNCOMPARED;
    else if (result_task_of(s, column)->apart)
        *why = WITHHELD_DATA;
    else if (uninformative(s, column))
        *why = WITHHELD_UNINFORMATIVE;
    else if (s->judged)
        *why = WITHHELD_CONTRASTS;
    else if (has_one_seed(s, column))
        *why = WITHHELD_ONE_SEED;
    else if (mark_unsettled(s, column, learning))
        *why = WITHHELD_LEARNING;
}

int withheld_whole(const struct result_table *s, int column)
{
    return s->withheld[column] && s->withheld[column] != WITHHELD_LEARNING;
}

/* ---- printing ---- */

static void put_uncompared(const struct result_table *s, struct sheet *to)
{
    for (int i = 0; i < s->tasks; i++)
        if (s->task[i].uncompared)
            sheet_put(to, PART_ITEM, "%s: reported without rank, star, "
                      "correlation or verdict, as the experiment specifies",
                      s->task[i].label);
}

static void put_external(const struct result_table *s, struct sheet *to)
{
    OWNED(text_free) struct text names = {0};

    for (int i = 0; i < s->rows; i++)
        if (result_external(&s->row[i]))
            text_format(&names, "%s%s", names.n ? "; " : "", s->row[i].title);
    if (names.n)
        sheet_put(to, PART_ITEM, "%s: trained by another program and evaluated "
                  "here; reported without rank, star, correlation or verdict "
                  "(`synthbench compare` compares such rows if you name them)",
                  names.s);
}

/* Adds one item for each task whose columns are not ranked because the data
 * differ. */
static void put_apart(const struct result_table *s, struct sheet *to)
{
    for (int i = 0; i < s->tasks; i++)
        for (int c = 0; c < s->columns; c++)
            if (s->withheld[c] == WITHHELD_DATA &&
                result_task_of(s, c) == &s->task[i]) {
                sheet_put(to, PART_ITEM, "%s: different data: rows have "
                          "different training, validation or test data, so no "
                          "column has a rank, star or correlation; "
                          "`synthbench compare` compares rows with equal "
                          "data", s->task[i].label);
                break;
            }
}

static void put_uninformative(const struct result_table *s, struct sheet *to,
                              int c)
{
    const struct table_column *column = s->column[c];
    int best = result_best(s, c, is_blind);

    if (best >= 0)
        sheet_put(to, PART_ITEM, "%s, %s: uninformative: no variant's interval "
                  "is %s the model-free baseline %s (%.*f); no rank, star or "
                  "correlation", result_task_of(s, c)->label,
                  column->title, column->better > 0 ? "above" : "below",
                  s->row[best].title, column->decimals,
                  s->row[best].cell[c].value);
}

static int is_ranked(const struct result_table *s, int column)
{
    return s->column[column]->better && !withheld_whole(s, column) &&
           result_count(s, column, result_compared) > 0;
}

static int has_value(const struct result_table *s, int row, int column)
{
    return !s->row[row].reference && isfinite(s->row[row].cell[column].value) &&
           !result_external(&s->row[row]);
}

/* Adds one item for all columns that are not ranked because of single seeds,
 * with the best value of each. */
static void put_one_seed(const struct result_table *s, struct sheet *to)
{
    OWNED(text_free) struct text names = {0};

    for (int c = 0; c < s->columns; c++) {
        int best = result_best(s, c, has_value);

        if (s->withheld[c] == WITHHELD_ONE_SEED && best >= 0)
            text_format(&names, "%s%s %s %.*f (%s)", names.n ? ", " : "",
                        result_task_of(s, c)->label, s->column[c]->title,
                        s->column[c]->decimals, s->row[best].cell[c].value,
                        s->row[best].title);
    }
    if (names.n)
        sheet_put(to, PART_ITEM, "one seed: no rank, star or correlation in "
                  "these columns, because another seed can change the order. "
                  "Best values with this seed: %s", names.s);
}

/* Adds an item that lists the rows of column `c` that have one seed.  The other
 * rows of this column are ranked. */
static void put_singles(const struct result_table *s, struct sheet *to, int c)
{
    OWNED(text_free) struct text names = {0};

    for (int i = 0; i < s->rows; i++)
        if (is_single(s, i, c))
            text_format(&names, "%s%s", names.n ? ", " : "", s->row[i].title);
    if (names.n)
        sheet_put(to, PART_ITEM, "%s, %s: not ranked (one seed): %s",
                  result_task_of(s, c)->label, s->column[c]->title, names.s);
}

static int is_unsettled(const struct result_table *s, int row, int column)
{
    return s->row[row].cell[column].unsettled;
}

/* Returns the row with the largest gain among those that have not converged. */
static int most_gained(const struct result_table *s, int c)
{
    double most = 0;
    int row = 0;

    for (int i = 0; i < s->rows; i++)
        if (is_unsettled(s, i, c) && s->row[i].cell[c].settled > most) {
            most = s->row[i].cell[c].settled;
            row = i;
        }
    return row;
}

static const char *learning_text(const struct result_table *s, int c)
{
    int starred = result_count(s, c, result_starred);
    int most = most_gained(s, c);

    return arena_format(
        s->memory, "not converged: %d of the %d compared variants are not "
        "ranked, because differences between them changed in the last tenth "
        "of training by more than their size at the end. The column has no "
        "correlation%s. Their loss still fell by up to %.4f nats (%s)",
        result_count(s, c, is_unsettled), result_count(s, c, result_compared),
        starred ? "" : " and no star",
        s->row[most].cell[c].settled, s->row[most].title);
}

/* Adds one item for all columns of a task that have the same learning_text as
 * column `c`, unless an earlier column has added this item. */
static void put_learning(const struct result_table *s, struct sheet *to, int c)
{
    const struct result_task *task = result_task_of(s, c);
    const char *text = learning_text(s, c);
    OWNED(text_free) struct text names = {0};

    for (int i = 0; i < s->columns; i++) {
        if (s->withheld[i] != WITHHELD_LEARNING ||
            result_task_of(s, i) != task || strcmp(learning_text(s, i), text))
            continue;
        if (i < c)
            return;
        text_format(&names, ", %s", s->column[i]->title);
    }
    sheet_put(to, PART_ITEM, "%s%s: %s", task->label, names.s, text);
}

static void put_contrasts(const struct result_table *s, struct sheet *to)
{
    if (s->judged)
        sheet_put(to, PART_ITEM, "the experiment tests only %d difference%s, "
                  "corrected together as one family; this table lists %s of "
                  "them below. Nothing else has a rank, star, correlation or "
                  "verdict", s->judged, s->judged == 1 ? "" : "s",
                  !s->pairs               ? "none"
                  : s->pairs == s->judged ? "all"
                                          : arena_format(s->memory, "%d",
                                                         s->pairs));
}

void withheld_put(struct sheet *to, const struct result_table *s)
{
    put_uncompared(s, to);
    put_external(s, to);
    put_contrasts(s, to);
    put_apart(s, to);
    put_one_seed(s, to);
    for (int c = 0; c < s->columns; c++) {
        enum withheld why = s->withheld[c];

        if (why == WITHHELD_UNINFORMATIVE)
            put_uninformative(s, to, c);
        else if (why == WITHHELD_LEARNING)
            put_learning(s, to, c);
        if (is_ranked(s, c))
            put_singles(s, to, c);
    }
}
