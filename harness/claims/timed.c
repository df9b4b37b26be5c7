/*
 * timed: judges claims about steps per second (claims.h, kind `timed`).
 *
 * The times are those of one machine.  Ratios to the Transformer can be
 * compared with ratios on other hardware, but they depend on whether the
 * attention of the Transformer is fused.  The description of the measure says
 * whether it is.
 */
#include "harness/claims/judge.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/relation.h"

#include <math.h>
#include <string.h>

enum { ROWS = 64, VALUES = 16 };

static const char WRITER[] = "table 4 --columns speed --json";
/* The first row, to which the ratios of the others refer. */
static const char FIRST[] = "vanilla";

struct value { double ratio, low, high; };

struct row {
    const char   *variant;
    int           too_noisy, values;
    struct value *value; /* one for each measure */
};

struct measure { const char *name; };

static const struct column measure_columns[] = {
    {"name", NULL, COLUMN(struct measure, name)},
    {.type = COLUMN_END}};

static const struct column value_columns[] = {
    {"value", NULL, COLUMN(struct value, ratio)},
    {"low", NULL, COLUMN(struct value, low)},
    {"high", NULL, COLUMN(struct value, high)},
    {.type = COLUMN_END}};

static const struct column row_columns[] = {
    {"variant", NULL, COLUMN(struct row, variant)},
    {"too_noisy", NULL, COLUMN_AS(COLUMN_BOOL, struct row, too_noisy)},
    {"cells", NULL, COLUMN_ROWS(struct row, value, values, value_columns)},
    {.type = COLUMN_END}};

struct times {
    struct row *row;
    int         rows, ratio; /* ratio: index of the measure */
    const char *what; /* the description of the ratios */
};

/* Checks the number of values of a row, and that the ratio lies in its
 * interval. */
static void check_row(struct relation_reader *r, const struct row *row,
                      int measures, int ratio)
{
    if (row->values != measures) {
        relation_wrong(r, "rows", "one cell for each column");
        return;
    }
    const struct value *x = &row->value[ratio];
    if (x->low > x->ratio || x->ratio > x->high)
        relation_wrong(r, "rows", "a ratio in its interval");
}

/* Reads the file, which is not trusted; arena `a` owns what is read. */
static int read_times(struct times *out, const char *path, struct arena *a)
{
    struct relation_reader r = {.path = path, .writer = WRITER, .memory = a};
    OWNED(json_decref) json_t *root = NULL;
    int measures;

    PASS(relation_open(&root, &r));
    struct measure *m = relation_read_rows(&r, root, "columns", VALUES,
                                           &measures, measure_columns,
                                           sizeof *m, NULL);
    out->row = relation_read_rows(&r, root, "rows", ROWS, &out->rows,
                                  row_columns, sizeof *out->row, NULL);
    const char *machine = json_string_value(json_object_get(root, "machine"));
    const json_t *fused = json_object_get(root, "fused_attention");
    while (out->ratio < measures && strcmp(m[out->ratio].name, "speed_ratio"))
        out->ratio++;
    if (!r.rc && out->ratio == measures)
        relation_wrong(&r, "columns", "a column speed_ratio");
    for (int i = 0; !r.rc && i < out->rows; i++)
        check_row(&r, &out->row[i], measures, out->ratio);
    if (!r.rc && !machine)
        relation_wrong(&r, "machine", "a text");
    if (!r.rc && !json_is_boolean(fused))
        relation_wrong(&r, "fused_attention", "true or false");
    if (!r.rc && !(out->rows && !strcmp(out->row[0].variant, FIRST)))
        relation_wrong(&r, "rows", "vanilla in the first row");
    out->what = arena_format(a, "steps per second on %s, relative to %s, "
                             "attention %sfused", machine ? machine : "", FIRST,
                             json_is_true(fused) ? "" : "not ");
    relation_clean_text(&out->what, a);
    return r.rc;
}

static const struct row *find(const struct times *t, const char *variant)
{
    for (int i = 0; i < t->rows; i++)
        if (!strcmp(t->row[i].variant, variant))
            return &t->row[i];
    return NULL;
}

static void decide(struct claim_case *of, enum claim_verdict v, const char *why)
{
    of->verdict = v;
    of->why = why;
}

static void judge_case(struct claim_case *of, const struct times *t,
                       struct arena *a)
{
    const struct row *row = find(t, of->row);

    if (!row) {
        decide(of, CLAIM_NOT_HERE, arena_format(a, "the file of times has no "
                                                   "row %s", of->row));
        return;
    }
    const struct value *x = &row->value[t->ratio];
    if (row->too_noisy || !isfinite(x->ratio) || !isfinite(x->low) ||
        !isfinite(x->high)) {
        decide(of, CLAIM_UNDECIDED, "the times are too noisy");
        return;
    }
    of->measures = 1;
    of->measured[0] = (struct claim_measured){
        .measure = "ratio", .value = x->ratio, .error = NAN,
        .between = {x->low, x->high}, .what = t->what};
    enum claim_verdict v = expect_all(of, 0);
    decide(of, v, v == CLAIM_UNDECIDED
                      ? "a bound of the claim is inside the interval" : "");
}

int timed_judge(struct claims *c, const char *path)
{
    struct times times = {.rows = 0};

    if (path)
        PASS(read_times(&times, path, c->memory));
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->claim[i].cases; k++) {
            struct claim_case *of = &c->claim[i].of[k];

            if (!c->claim[i].wanted || c->claim[i].kind != CLAIM_TIMED)
                continue;
            of->command = arena_format(c->memory, "synthbench %s -o "
                                       "speed.json; synthbench claims --speed "
                                       "speed.json %s", WRITER,
                                       c->claim[i].id);
            if (path)
                judge_case(of, &times, c->memory);
            else
                decide(of, CLAIM_NOT_HERE, "no file of times was given");
        }
    return OK;
}
