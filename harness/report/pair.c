/* pair: writes the comparisons of two rows of a table as sentences, and as
 * grid and records for `table --pairs`. */
#include "harness/report/result_table.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/report/result_fields.h"

#include <math.h>
#include <string.h>

static const char *row_title(const struct result_table *s, const char *variant)
{
    const struct result_row *row = result_row_of(s, variant);

    return row ? row->title : variant;
}

const char *pair_verdict(const struct result_pair *p)
{
    int better = p->verdict.sign * p->better;

    if (!better)
        return "undecided";
    if (p->unsettled)
        return withheld_text[WITHHELD_LEARNING];
    return better > 0 ? "a" : "b";
}

static const char *samples(const struct result_pair *p, struct arena *a)
{
    return !p->seeds     ? arena_format(a, "%zu examples", p->examples)
           : p->examples ? arena_format(a, "%zu seeds x %zu examples", p->seeds,
                                        p->examples)
                         : arena_format(a, "%zu seeds", p->seeds);
}

/* Returns "A beats B by 0.1 nats/token [0.0, 0.2]". */
static const char *text_of_better(const struct result_table *s,
                                  const struct result_pair *p,
                                  const char *unit)
{
    struct interval i = p->verdict.between;
    int first = p->verdict.sign * p->better > 0, below = p->verdict.sign < 0;
    char bound[32]; /* printed without its sign */

    return arena_format(
        s->memory, "%s beats %s%s by %.4f%s [%s, %.4f]",
        row_title(s, first ? p->a : p->b), row_title(s, first ? p->b : p->a),
        p->seeds ? "" : " for this seed", fabs(p->difference), unit,
        verdict_bound(below ? -i.high : i.low, 4, bound) + 1,
        below ? -i.low : i.high);
}

/* Returns the text of a pair without a verdict. */
static const char *text_of_undecided(const struct result_table *s,
                                     const struct result_pair *p,
                                     const char *unit)
{
    const char *a = row_title(s, p->a), *b = row_title(s, p->b);
    struct interval i = p->verdict.between;
    const char *both = arena_format(s->memory, "%s and %s", a, b);
    const char *by = arena_format(s->memory, "%+.4f%s", p->difference, unit);

    if (isnan(i.low))
        return arena_format(s->memory, "%s: %s, undecided", both, by);
    by = arena_format(s->memory, "%s [%+.4f, %+.4f]", by, i.low, i.high);
    return arena_format(s->memory, p->verdict.sign
                                       ? "%s: %s"
                                       : "%s do not differ significantly: %s",
                        both, by);
}

const char *pair_text(const struct result_table *s, const struct result_pair *p)
{
    struct arena *a = s->memory;
    const char *unit = !strcmp(p->unit, "1")   ? ""
                       : !strcmp(p->unit, "%") ? " points"
                                               : arena_format(a, " %s",
                                                              p->unit);
    int decided = p->verdict.sign && !p->unsettled;
    const char *text = decided ? text_of_better(s, p, unit)
                            : text_of_undecided(s, p, unit);
    const char *why = "";

    if (p->more)
        why = arena_format(a, ", needs %zu more", p->more);
    else if (isnan(p->verdict.between.low))
        why = ": too few seeds for an interval";
    else if (p->verdict.sign && p->unsettled)
        why = ": no verdict, not converged relative to this difference";
    return arena_format(a, isnan(p->verdict.between.low)
                               ? "%s, %s: %s with %s%s"
                               : "%s, %s: %s, %s%s",
                        p->task->label, p->metric, text, samples(p, a), why);
}

/* ---- all pairs ---- */

/* Sets out[0] and out[1] to the values of rows a and b in the order of the
 * seeds, "2.44 2.51 -", where "-" is a missing value, and out[2] to the
 * seeds. */
static void list_seeds(const char *out[3], const struct result_pair *p,
                       struct arena *a)
{
    out[0] = out[1] = out[2] = "";
    for (int k = 0; k < p->by_seeds; k++) {
        double x[] = {p->by_seed[k].a, p->by_seed[k].b};
        const char *gap = k ? " " : "";

        for (int i = 0; i < 2; i++)
            out[i] = isnan(x[i])
                         ? arena_format(a, "%s%s-", out[i], gap)
                         : arena_format(a, "%s%s%.6g", out[i], gap, x[i]);
        out[2] = arena_format(a, "%s%s%lld", out[2], gap, p->by_seed[k].seed);
    }
}

int pairs_fill(struct sheet *to, const struct result_table *s)
{
    static const char *const head[] = {"task", "metric", "A", "B", "A by seed",
                                       "B by seed", NULL};
    struct grid *g = sheet_listing(to, "<<<<<<", head);

    if (!s->pairs)
        return err_set(ERR_EMPTY, "table %s compares no pair of rows: the "
                       "experiment names no contrasts; `synthbench compare "
                       "--store DIR VARIANT/TASK VARIANT/TASK` compares two "
                       "rows, and 'contrasts:' in an experiment names pairs "
                       "for its tables", s->table->name);
    to->records = json_array();
    for (int i = 0; i < s->pairs; i++) {
        const struct result_pair *p = &s->pair[i];
        json_t *j = relation_object(data_pair, p, s->memory);
        const char *list[3];

        list_seeds(list, p, s->memory);
        grid_add(g, "%s\t%s\t%s\t%s\t%s\t%s", p->task->task, p->metric, p->a,
                 p->b, list[0], list[1]);
        sheet_put(to, PART_ITEM, "%s", pair_text(s, p));
        json_object_del(j, "by_seed"); /* lists are texts in CSV */
        json_object_set_new(j, "seed", json_string(list[2]));
        json_object_set_new(j, "values_a", json_string(list[0]));
        json_object_set_new(j, "values_b", json_string(list[1]));
        json_array_append_new(to->records, j);
    }
    sheet_fact(to, "table", json_string(s->table->name));
    sheet_fact(to, "experiment", json_string(s->experiment));
    sheet_fact(to, "contrasts", json_integer(s->judged));
    sheet_fact(to, "rows", json_incref(to->records));
    return OK;
}
