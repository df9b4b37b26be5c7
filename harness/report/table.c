#include "harness/report/table.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/report/result_fields.h"
#include "harness/report/published_print.h"

#include <string.h>

const struct table_row table_rows_short[] = {
    {"vanilla", "Transformer", 0},
    {"random", "Random", 0},
    {"dense", "Dense", 0},
    {"dense+vanilla", "Dense + Vanilla", 0},
    {"random+vanilla", "Random + Vanilla", 0},
    {"fixed-random", "Fixed Random", 1},
    {"factorized-random", "Factorized Random", 1},
    {"factorized-dense", "Factorized Dense", 1},
    {"random+dense", "Random + Dense", 1},
    {"lightweight-conv", "Lightweight Convolution", 1},
    {"orthogonal", "Orthogonal", 1},
    {"uniform", "Uniform", 1},
    {0},
};

const struct table_stand_in table_released_forms[] = {
    {"dense", "dense-mtf"},
    {"dense+vanilla", "dense-mtf+vanilla"},
    {"factorized-random", "factorized-random-mtf"},
    {"lightweight-conv", "lightweight-conv-mtf"},
    {0},
};

const char table_note_pairs[] =
    "by themselves, these tasks do not show whether a variant can compare two "
    "texts. gen_eq and gen_recall of the science suite do, because their "
    "data-generating distribution is known (`synthbench verify science`; "
    "results/baselines/science/verify.txt)";

const char *table_column_says(const struct table_column *c)
{
    size_t word = strcspn(c->title, " ");
    int same = !strncmp(c->what, c->title, word) && c->what[word] == ' ';

    return same ? c->what + word + 1 : c->what;
}

static int sheet_of(struct sheet **out, const struct result_table *s, int more)
{
    OWNED(published_close) struct published *p = NULL;
    OWNED(sheet_close) struct sheet *to = sheet_new();

    PASS(published_open(&p));
    if (builds_differ(&s->builds))
        say("table %s: %s", s->table->name,
            builds_text(&s->builds, s->memory));
    if (more & TABLE_PAIRS) {
        PASS(pairs_fill(to, s));
        return MOVE_OUT(out, to);
    }
    layout_fill(to, s, more & TABLE_BRIEF);
    data_fill(to, s);
    if (more & TABLE_DETAIL)
        view_detail(to, s);
    if (!(more & TABLE_BRIEF))
        published_below(to, p, s->table->name);
    return MOVE_OUT(out, to);
}

int table_fill(struct sheet **out, const struct table *t,
               const struct report *r, const struct metric *const *metrics,
               int more)
{
    OWNED(result_close) struct result_table *s = NULL;

    *out = NULL;
    PASS(result_fill(&s, t, r, metrics));
    return sheet_of(out, s, more);
}

int table_again(struct sheet **out, const struct table *t, const char *path,
                int more)
{
    OWNED(result_close) struct result_table *s = NULL;

    *out = NULL;
    PASS(result_read(&s, path));
    if (t && strcmp(s->table->name, t->name))
        return err_set(ERR_USAGE, "%s: is table %s, not table %s", path,
                       s->table->name, t->name);
    return sheet_of(out, s, more);
}
