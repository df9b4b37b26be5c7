/*
 * attention: draws histograms of the attention weights before and after
 * training, a figure of the paper.  There is one picture for each task, with a
 * row for each variant and a column for each self-attention.  A panel shows the
 * shares of the visible weights by size, in bins of a quarter of a decade
 * (train/watch.h), over all seeds.
 *
 *   attention_TASK.tsv: variant, place, seeds, lower end of the bin, shares at
 *   the start and at the end of training.  Each panel is a block; its last line
 *   has the upper end of the last bin
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/style.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 24, A_DECADE = 4 };             /* as in train/watch.h      */
enum { HEAD = 92, ROW = 56, FOOT = 66 };      /* pixels                    */
enum { START, END, TIMES };

static const char *const times[TIMES] = {"start", "end"};

/* Sums over the seeds of a variant at one place. */
struct panel {
    int    seeds;
    double count[TIMES][BINS], entropy[TIMES];
};

/* ---- layers ---- */

static const char *const stacks[] = {"encoder", "decoder", NULL};

/* Returns the layer of a place ("encoder.0") in the stack ("encoder"), or -1 if
 * the place is in another stack. */
static int layer_of(const char *place, const char *stack)
{
    size_t n = strlen(stack);

    return strncmp(place, stack, n) || place[n] != '.' ? -1
                                                       : atoi(place + n + 1);
}

static int add_layers(int layers[], struct cell_reader *cell)
{
    const char **place;
    size_t n;

    PASS(cell_get_names(cell, "attention/end", &place, &n));
    for (size_t i = 0; i < n; i++)
        for (int s = 0; stacks[s]; s++)
            if (layer_of(place[i], stacks[s]) >= layers[s])
                layers[s] = layer_of(place[i], stacks[s]) + 1;
    return OK;
}

/* Lists the self-attention layers ("encoder.0", "decoder.1") that at least one
 * finished cell of the task has; the list ends with NULL.  Cross-attention is
 * left out, because it is the same in all variants.  If a stack has more than
 * three layers, only its first, middle and last layers are listed. */
static int sites_of(const char ***out, const struct report *r, const char *task)
{
    enum { STACKS = 2, SHOWN = 3 };
    int layers[STACKS] = {0}, n = 0;

    *out = arena_zero(r->memory, (STACKS * SHOWN + 1) * sizeof **out);
    for (int i = 0; i < r->n; i++) {
        OWNED(cell_close) struct cell_reader *cell = NULL;

        if (!select_finished(&r->cell[i], task, NULL))
            continue;
        PASS(report_read(&cell, r, r->cell[i].id));
        PASS(cell_maybe(add_layers(layers, cell)));
    }
    for (int s = 0; s < STACKS; s++) {
        int shown = layers[s] < SHOWN ? layers[s] : SHOWN;

        for (int i = 0; i < shown; i++)
            (*out)[n++] = arena_format(
                r->memory, "%s.%d", stacks[s],
                shown < 2 ? 0 : i * (layers[s] - 1) / (shown - 1));
    }
    return OK;
}

/* Returns "encoder, layer 1" for "encoder.0"; the report owns the text. */
static const char *sites_title(const struct report *r, const char *place)
{
    return arena_format(r->memory, "%.*s, layer %d", (int)strcspn(place, "."),
                        place, atoi(place + strcspn(place, ".") + 1) + 1);
}

/* ---- reading ---- */

static int read_time(double count[BINS], double *entropy,
                     struct cell_reader *cell, const char *when,
                     const char *place)
{
    OWNED(free) char *group = str_format("attention/%s/%s", when, place);
    OWNED(free) char *path = str_format("%s/histogram", group);
    OWNED(free) double *bin = NULL;
    size_t n;

    PASS(cell_get_array(cell, path, &bin, &n));
    PASS(cell_get_real(cell, group, "entropy_nats", entropy));
    if (n != BINS)
        return err_set(ERR_STORE, "%s has %zu bins, not %d", path, n, BINS);
    memcpy(count, bin, BINS * sizeof *bin);
    return OK;
}

/* Adds the histograms of a cell at `place`.  Returns ERR_EMPTY if the cell has
 * no attention there or stores no histograms. */
static int add_cell(struct panel *p, const struct report *r, const char *id,
                    const char *place)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double count[TIMES][BINS], entropy[TIMES];

    PASS(report_read(&cell, r, id));
    for (int t = 0; t < TIMES; t++)
        PASS(read_time(count[t], &entropy[t], cell, times[t], place));
    for (int t = 0; t < TIMES; t++) {
        for (int b = 0; b < BINS; b++)
            p->count[t][b] += count[t][b];
        p->entropy[t] += entropy[t];
    }
    p->seeds++;
    return OK;
}

static int read_panel(struct panel *p, const struct report *r, const char *task,
                      const char *variant, const char *place)
{
    *p = (struct panel){.seeds = 0};
    for (int i = 0; i < r->n; i++)
        if (select_finished(&r->cell[i], task, variant))
            PASS(cell_maybe(add_cell(p, r, r->cell[i].id, place)));
    return OK;
}

/* ---- the picture ---- */

static double total(const struct panel *p, int time)
{
    double sum = 0;

    for (int b = 0; b < BINS; b++)
        sum += p->count[time][b];
    return sum;
}

static void put_panel(struct picture *pic, const struct panel *p, int panel,
                      const char *variant, const char *place)
{
    for (int b = 0; b <= BINS; b++) {
        int last = b == BINS; /* the last line repeats bin BINS - 1 */

        picture_put_text(pic->data, "", variant);
        picture_put_text(pic->data, "\t", place);
        fprintf(pic->data, "\t%d", p->seeds);
        picture_put_number(pic->data, "\t",
                           pow(10, (double)(b - BINS) / A_DECADE));
        for (int t = 0; t < TIMES; t++)
            picture_put_number(pic->data, "\t", p->count[t][b - last] /
                                          total(p, t));
        fputc('\n', pic->data);
    }
    fputs("\n\n", pic->data);
    picture_text_i(pic, "entropy", panel, "%.2f -> %.2f",
                   p->entropy[START] / p->seeds,
                 p->entropy[END] / p->seeds);
}

/* Writes one row of the picture.  Adds the row, if it has data, to the number
 * of rows *row, and its panels that have data to the number of panels *panel.
 * Returns 1 if the row has data. */
static int put_row(struct picture *pic, const struct report *r,
                   const char *task, const char *variant,
                   const char **places, int *row, int *panel)
{
    struct panel p;
    int any = 0;

    for (int c = 0; places[c]; c++) {
        PASS(read_panel(&p, r, task, variant, places[c]));
        if (!p.seeds || !(total(&p, START) > 0) || !(total(&p, END) > 0))
            continue;
        *row += !any++;
        picture_number_i(pic, "row", ++*panel, *row);
        picture_number_i(pic, "column", *panel, c + 1);
        put_panel(pic, &p, *panel, variant, places[c]);
    }
    return any;
}

static int put_rows(struct picture *pic, const struct report *r,
                    const char *task, const char **places, int *rows,
                    int *panels)
{
    const char *const *variant = select_variants(r);
    const struct style *look = looks_of(variant, r->memory);

    for (int v = 0; variant[v]; v++) {
        int rc = put_row(pic, r, task, variant[v], places, rows, panels);

        PASS(rc);
        if (!rc)
            continue;
        picture_text_i(pic, "variant", *rows, "%s", variant[v]);
        style_put(pic, *rows, &look[v]);
    }
    return OK;
}

static void put_words(struct picture *pic, const struct report *r,
                      const char *task, const char **places, int rows)
{
    int columns = 0;

    for (; places[columns]; columns++)
        picture_text_i(pic, "place", columns + 1, "%s",
                       sites_title(r, places[columns]));
    picture_number(pic, "columns", columns);
    picture_number(pic, "rows", rows);
    picture_number(pic, "head", HEAD);
    picture_number(pic, "row", ROW);
    picture_number(pic, "foot", FOOT);
    picture_number(pic, "height", HEAD + ROW * rows + FOOT);
    picture_text(pic, "title", "%s",
                 select_title(r, "Attention weights before and after training",
                              task));
    picture_text(pic, "note", "%s", "histograms of the weights, each panel "
                 "scaled to its maximum; first bin: 1e-6 or less; numbers: "
                 "mean entropy of a row, nats; convolutions have no weights");
}

static int draw(const struct figure *f, const struct report *r,
                const char *task, const struct output *to)
{
    OWNED(picture_abandon) struct picture pic = {0};
    OWNED(free) char *name = str_format("%s_%s", f->name, task);
    const char **places;
    int rows = 0, panels = 0;

    PASS(sites_of(&places, r, task));
    PASS(picture_begin(&pic, to, name));
    fputs("variant\tplace\tseeds\tfrom\tstart\tend\n\n\n", pic.data);
    PASS(put_rows(&pic, r, task, places, &rows, &panels));
    if (!panels)
        return FIGURE_NONE;
    picture_number(&pic, "panels", panels);
    put_words(&pic, r, task, places, rows);
    return picture_end(&pic, "attention");
}

const struct figure figure_attention = {
    .name = "attention",
    .title = "Attention weights before and after training, by variant and "
             "layer",
    .none = "no cell has histograms of its attention weights",
    .draw = draw,
};
