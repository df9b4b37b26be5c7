/* uninformative: decides whether a column of a table is uninformative: no
 * variant's interval is better than the best model-free baseline.  rank_rules
 * calls it, because such a column is not ranked. */
#include "harness/report/result_table.h"

#include "harness/report/evidence.h"

#include <math.h>
#include <string.h>

static int answers_blindly(const struct result_row *row)
{
    for (const struct evidence_reference *f = evidence_references; f->name; f++)
        if (!strcmp(f->name, row->variant))
            return !f->bound;
    return row->reference;
}

int uninformative_row(const struct result_table *s, int column)
{
    int better = s->column[column]->better, best = -1;

    for (int i = 0; i < s->rows; i++) {
        double x = s->row[i].cell[column].value;

        if (s->row[i].reference && answers_blindly(&s->row[i]) && isfinite(x) &&
            (best < 0 || better * (x - s->row[best].cell[column].value) > 0))
            best = i;
    }
    return best;
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
    int best = uninformative_row(s, column), variants = 0, told = 0;

    for (int i = 0; best >= 0 && i < s->rows; i++) {
        const struct result_cell *c = &s->row[i].cell[column];

        if (s->row[i].reference || !isfinite(c->value) ||
            result_external(&s->row[i]))
            continue;
        variants++;
        told |= beats(c, s->column[column]->better,
                      s->row[best].cell[column].value);
    }
    return variants > 0 && !told;
}
