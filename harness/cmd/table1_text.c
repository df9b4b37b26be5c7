/* Table 1 for people: text and Markdown. */
#include "harness/cmd/table1.h"

#include "harness/base/str.h"
#include "harness/report/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A grid that is filled cell by cell. */
struct filling { struct grid g; struct arena *a; int n; };

static struct filling filling(struct arena *a, const struct grid_column *head,
                              int columns, int rows)
{
    size_t cells = (size_t)columns * (size_t)rows + 1;
    struct filling f = {.a = a};

    f.g = (struct grid){.rows = rows, .columns = columns};
    f.g.column = arena_take(a, (size_t)columns * sizeof *head);
    memcpy(f.g.column, head, (size_t)columns * sizeof *head);
    f.g.cell = arena_zero(a, cells * sizeof *f.g.cell);
    return f;
}

static void put(struct filling *f, const char *text)
{
    f->g.cell[f->n++].text = arena_text(f->a, text);
}

static void put_digits(struct filling *f, double x)
{
    char text[32];

    put(f, count_digits(x, text));
}

static const char *when(struct break_even b, char out[32])
{
    static const char *const fmt[] = {"never", "always", "N < %d", "N >= %d"};

    switch (b.when) {
    case CHEAPER_BELOW:
    case CHEAPER_FROM: snprintf(out, 32, fmt[b.when], b.n); return out;
    default: return fmt[b.when];
    }
}

static void layers(const struct table1 *t, const struct layout *l,
                   struct arena *a, FILE *out)
{
    static const struct grid_column head[] = {
        {"", "Variant", "", 1}, {"a layer", "parameters", "", 1},
        {"a layer", "counted", "", 0}, {"a sentence, FLOP", "scores", "", 0},
        {"a sentence, FLOP", "mixing", "", 0}, {"", "depends on", "", 1},
        {"cheaper than dot product", "parameters", "", 1},
        {"cheaper than dot product", "FLOP", "", 1}};
    struct filling f = filling(a, head, 8, t->rows);
    const struct model_config *c = &t->config.model;
    char text[32];

    for (int i = 0; i < t->rows; i++) {
        const struct table1_row *r = &t->row[i];

        put(&f, r->variant->title);
        put(&f, r->variant->learns);
        put_digits(&f, r->cost.params);
        put_digits(&f, r->cost.scores);
        put_digits(&f, r->cost.mixing);
        put(&f, depends_text[r->variant->depends]);
        put(&f, when(r->params, text));
        put(&f, when(r->flops, text));
    }
    l->grid(&f.g, out);
    layout_say(l->paragraph, out, "d %d, h %d heads of k = %d, N %d, rank %d. "
               "Parameters are all heads' and learned, beside W_v and W_o. "
               "Operations are those of the matrix products of one sentence of "
               "N tokens, forward, a multiply-add is 2; - : no scores, all of "
               "it is mixing. The last columns say for which N there are fewer "
               "than dot product has; of a factorized dense layer, whose a c = "
               "N, up to the first N, a prime, for which there are not.",
               c->d, c->heads, config_head(c), c->N, c->rank);
}

/* "44,313 to 44,318", "49,412" */
static const char *range(struct pieces p, char out[80])
{
    char low[32], high[32];

    count_digits(p.low, low);
    count_digits(p.high, high);
    snprintf(out, 80, "%s%s%s", low, p.low < p.high ? " to " : "",
             p.low < p.high ? high : "");
    return out;
}

static void assumption(const struct table1_column *c, const struct layout *l,
                       FILE *out)
{
    const struct model_config *m = &c->row[0].cell->config.model;
    double block = c->fit.low * c->row[0].a_piece;
    char text[80];

    if (!c->free)
        layout_say(l->paragraph, out, "Assumed: %d layers, d %d, N %d, the "
                   "known vocabulary of %s, synthesizers with 8 heads of 128.",
                   m->layers, m->d, m->N,
                   count_digits(c->row[0].cell->config.vocab, text));
    else if (!c->matches)
        layout_say(l->paragraph, out, "No vocabulary gives the baseline.");
    else
        layout_say(l->paragraph, out, "Assumed: %d layers, d %d, N %d and a "
                   "vocabulary of %s pieces, %.2fM parameters: it matches %d "
                   "of %d rows, no other matches more. The vocabulary is "
                   "nowhere stated.", m->layers, m->d, m->N,
                   range(c->fit, text), block / 1e6, c->matches, c->n);
}

static void unmatched(const struct table1_column *c, const struct layout *l,
                      FILE *out)
{
    char *all = str_copy("");

    for (int i = 0; i < c->n; i++) {
        if (!c->cannot[i])
            continue;
        char *more = str_format("%s%s%s", all, *all ? ", " : "",
                                c->row[i].cell->config.variant);

        free(all);
        all = more;
    }
    if (*all)
        layout_say(l->paragraph, out, "No assumption matches %s. %s", all,
                   c->why ? c->why : "");
    free(all);
}

static void column(const struct table1_column *c, const struct layout *l,
                   struct arena *a, FILE *out)
{
    static const struct grid_column head[] = {
        {"", "Variant", "", 1}, {"", "published", "", 0},
        {"heads: equal", "parameters", "", 0},
        {"heads: equal", "residual", "", 0},
        {"heads: code", "parameters", "", 0},
        {"heads: code", "residual", "", 0}, {"", "verdict", "", 1}};
    struct filling f = filling(a, head, 7, c->n);
    char text[32];

    l->heading(c->title, out);
    for (int i = 0; i < c->n; i++) {
        const struct count *k = &c->row[i];

        put(&f, k->cell->config.variant);
        put(&f, count_printed(&k->claim, text));
        put_digits(&f, k->equal);
        put(&f, count_signed(count_residual(k->equal, &k->claim), &k->claim,
                             text));
        put_digits(&f, k->code);
        put(&f, count_signed(count_residual(k->code, &k->claim), &k->claim,
                             text));
        put(&f, c->verdict[i]);
    }
    l->grid(&f.g, out);
    assumption(c, l, out);
    unmatched(c, l, out);
}

void table1_text(const struct table1 *t, const char *format, FILE *out)
{
    const struct layout *l = strcmp(format, "md") ? &text_layout
                                                  : &markdown_layout;
    struct arena *a = arena_new();

    l->title("Table 1. What a layer of each variant costs", out);
    layers(t, l, a, out);
    l->heading("Published parameter counts against ours", out);
    l->paragraph("heads: equal gives every variant the baseline's heads, "
                 "heads: code gives synthesizers the released code's 8 of 128. "
                 "Residual: ours, rounded as the figure is printed, less the "
                 "figure.", out);
    for (int i = 0; i < TABLE1_COLUMNS; i++)
        column(&t->column[i], l, a, out);
    arena_free(a);
}
