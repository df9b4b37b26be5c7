/* check_scores: the properties `free`, `local`, `rank`, `rows` and `columns`,
 * which verify.c runs.  They concern the scores B of a single variant.
 * Mixtures have the scores of their parts. */
#include "harness/stats/linalg.h"
#include "harness/verify/attention/leaf.h"
#include "harness/verify/attention/verify.h"

#include <math.h>
#include <string.h>

static const char *no_scores(const struct subject *s)
{
    if (s->mix.n > 1)
        return "a mixture";
    return s->mix.part[0]->scores ? NULL : "no scores";
}

/* Returns element (i,j) of B for head h and `sentence`; dim[1] is 1 if all
 * sentences share B. */
static double at(const tensor *b, int h, int sentence, int i, int j)
{
    int shared = b->dim[1] == 1;
    size_t row = (size_t)((h * b->dim[1] + (shared ? 0 : sentence)) *
                              b->dim[2] + i);

    return (double)b->x[row * (size_t)b->dim[3] + (size_t)j];
}

/* ---- free ---- */

static const char *depends_on_x(const struct subject *s)
{
    const char *why = no_scores(s);

    return why ? why
               : s->mix.part[0]->depends == DEPENDS_NOTHING
                     ? NULL : "its scores depend on X";
}

static void free_of_x(struct layer *l, const struct mask *mask,
                      struct gauge *m)
{
    enum { ALL = LAYER_HEADS * LAYER_ROWS * LAYER_ROWS };
    double first[ALL];

    for (int run = 0; run < 2; run++) {
        const tensor *b = layer_scores(l, TAPE_EVAL, l->x, mask);

        for (int e = 0; e < LAYER_B * ALL; e++) {
            int sentence = e / ALL, h = e / (LAYER_ROWS * LAYER_ROWS) %
                                        LAYER_HEADS;
            int i = e / LAYER_ROWS % LAYER_ROWS, j = e % LAYER_ROWS;
            double got = at(b, h, sentence, i, j);

            if (run == 0 && sentence == 0)
                first[e] = got;
            measure_worst(m, fabs(got - first[e % ALL]),
                          "sentence %d%s: B(%d,%d) is %g, was %g", sentence,
                          run ? ", other tokens" : "", i, j, got,
                          first[e % ALL]);
        }
        leaf_fill(l->x->x, LAYER_X, 9, 3);
    }
}

const struct property property_free = {
    .name = "free",
    .title = "B is the same for every sentence and any X",
    .excuse = depends_on_x,
    .masks = MASK_NONE,
    .run = free_of_x};

/* ---- local ---- */

enum { LONG = 20 }; /* more than two windows of nine taps */

static const char *not_local(const struct subject *s)
{
    if (s->mix.n > 1)
        return "a mixture";
    switch (s->mix.part[0]->depends) {
    case DEPENDS_TOKEN: return no_scores(s);
    case DEPENDS_NEIGHBOURS:
        return formula_reach(s->variant, &layer_config[0], 0) < 0
                   ? property_no_formula : NULL;
    default: return "not local";
    }
}

/* Returns rows of B, or of the output if there are no scores. */
static const tensor *rows_of(struct layer *l, tensor *x, const struct mask *m)
{
    return l->subject->mix.part[0]->scores ? layer_scores(l, TAPE_EVAL, x, m)
                                           : layer_run(l, TAPE_EVAL, x, m);
}

/* Changes token `token` and measures the change of rows that must be
 * bit-identical: those outside `token` - `after` to `token` + `before`. */
static void change(struct layer *l, int token, const struct mask *mask,
                   int after, int before, struct gauge *m)
{
    tensor *x = layer_tokens(l, LONG, 99);
    const tensor *y = rows_of(l, x, mask);
    size_t n = tensor_len(y), width = (size_t)tensor_last(y);
    real *was = arena_take(l->memory, n * sizeof *was);

    memcpy(was, y->x, n * sizeof *was);
    for (int b = 0; b < LAYER_B; b++)
        leaf_fill(x->x + (b * LONG + token) * LAYER_D, LAYER_D, 30, 4);
    y = rows_of(l, x, mask);
    for (size_t e = 0; e < n; e++) {
        int row = (int)(e / width % LONG);

        if (row < token - after || row > token + before)
            measure_worst(m, fabs((double)y->x[e] - (double)was[e]),
                          "token %d changes row %d", token, row);
    }
}

static void local(struct layer *l, const struct mask *mask, struct gauge *m)
{
    const struct subject *s = l->subject;
    int token = s->mix.part[0]->depends == DEPENDS_TOKEN;
    int reach = token ? 0 : formula_reach(s->variant, &l->c, mask->causal);

    for (int i = 0; i < LONG; i += 3)
        change(l, i, mask, mask->causal ? 0 : reach, reach, m);
}

const struct property property_local = {
    .name = "local",
    .title = "row i depends only on its own token, or on its window",
    .excuse = not_local,
    .N = LONG,
    .masks = MASK_NONE | MASK_CAUSAL,
    .run = local};

/* ---- rank, rows, columns ---- */

static void rank(struct layer *l, const struct mask *mask, struct gauge *m)
{
    double b[LAYER_ROWS * LAYER_ROWS];
    const tensor *scores = layer_scores(l, TAPE_EVAL, l->x, mask);

    for (int h = 0; h < LAYER_HEADS; h++) {
        for (int e = 0; e < LAYER_ROWS * LAYER_ROWS; e++)
            b[e] = at(scores, h, 0, e / LAYER_ROWS, e % LAYER_ROWS);
        measure_worst(m, linalg_rank(LAYER_ROWS, LAYER_ROWS, b,
                                     10 * ROUNDING), "head %d", h);
    }
}

const struct property property_rank = {
    .name = "rank",
    .title = "the rank of B is at most r",
    .own = "not claimed for this variant",
    .bound = LAYER_RANK,
    .masks = MASK_NONE,
    .run = rank};

static void rows(struct layer *l, const struct mask *mask, struct gauge *m)
{
    const tensor *b = layer_scores(l, TAPE_EVAL, l->x, mask);

    for (int e = 0; e < LAYER_HEADS * LAYER_ROWS * LAYER_ROWS; e++) {
        int h = e / (LAYER_ROWS * LAYER_ROWS), i = e / LAYER_ROWS % LAYER_ROWS;
        int j = e % LAYER_ROWS;

        measure_worst(m, fabs(at(b, h, 0, i, j) - at(b, h, 0, 0, j)),
                      "row %d of head %d differs from row 0", i, h);
    }
}

const struct property property_rows = {
    .name = "rows",
    .title = "all rows of B are equal",
    .own = "not claimed for this variant",
    .masks = MASK_NONE,
    .run = rows};

enum { COLUMNS = 16 }; /* 4 x 4; if both factors are tiled alike, only 4 columns
                          are distinct */

/* Returns 1 if column j of head h equals an earlier column in all rows. */
static int repeats(const tensor *b, int h, int j)
{
    for (int e = 0; e < j; e++) {
        int same = 1;

        for (int r = 0; r < LAYER_B * COLUMNS && same; r++)
            same = at(b, h, r / COLUMNS, r % COLUMNS, j) ==
                   at(b, h, r / COLUMNS, r % COLUMNS, e);
        if (same)
            return 1;
    }
    return 0;
}

static void columns(struct layer *l, const struct mask *mask, struct gauge *m)
{
    const tensor *b = layer_scores(l, TAPE_EVAL, layer_tokens(l, COLUMNS, 5),
                                   mask);

    m->value = COLUMNS;
    for (int h = 0; h < LAYER_HEADS; h++) {
        int distinct = 0;

        for (int j = 0; j < COLUMNS; j++)
            distinct += !repeats(b, h, j);
        m->value = fmin(m->value, distinct);
    }
}

const struct property property_columns = {
    .name = "column",
    .title = "all 16 columns of B at N = 16 are distinct",
    .own = "not claimed for this variant",
    .bound = COLUMNS,
    .at_least = 1,
    .N = COLUMNS,
    .masks = MASK_NONE,
    .run = columns};
