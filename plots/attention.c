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
#include "plots/attention_sites.h"
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
        if (r->cell[i].state == CELL_DONE &&
            select_is(&r->cell[i], task, variant))
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
    char variable[32];

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
    snprintf(variable, sizeof variable, "entropy%d", panel);
    picture_text(pic, variable, "%.2f -> %.2f", p->entropy[START] / p->seeds,
                 p->entropy[END] / p->seeds);
}

/* Writes one row of the picture.  Adds the row, if it has data, to the number
 * of rows *row, and its panels that have data to the number of panels *panel.
 * Returns 1 if the row has data. */
static int put_row(struct picture *pic, const struct report *r,
                   const char *task, const char *variant,
                   const struct sites *places, int *row, int *panel)
{
    struct panel p;
    char variable[32];
    int any = 0;

    for (int c = 0; c < places->n; c++) {
        PASS(read_panel(&p, r, task, variant, places->name[c]));
        if (!p.seeds || !(total(&p, START) > 0) || !(total(&p, END) > 0))
            continue;
        *row += !any++;
        snprintf(variable, sizeof variable, "row%d", ++*panel);
        picture_number(pic, variable, *row);
        snprintf(variable, sizeof variable, "column%d", *panel);
        picture_number(pic, variable, c + 1);
        put_panel(pic, &p, *panel, variant, places->name[c]);
    }
    return any;
}

static int put_rows(struct picture *pic, const struct report *r,
                    const char *task, const struct sites *places, int *rows,
                    int *panels)
{
    const char *const *variant = select_variants(r);
    const struct style *look = looks_of(variant, r->memory);
    char variable[32];

    for (int v = 0; variant[v]; v++) {
        int rc = put_row(pic, r, task, variant[v], places, rows, panels);

        PASS(rc);
        if (!rc)
            continue;
        snprintf(variable, sizeof variable, "variant%d", *rows);
        picture_text(pic, variable, "%s", variant[v]);
        style_put(pic, *rows, &look[v]);
    }
    return OK;
}

static void put_words(struct picture *pic, const struct report *r,
                      const char *task, const struct sites *places, int rows)
{
    char variable[32];

    for (int c = 0; c < places->n; c++) {
        snprintf(variable, sizeof variable, "place%d", c + 1);
        picture_text(pic, variable, "%s", sites_title(r, places->name[c]));
    }
    picture_number(pic, "columns", places->n);
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

static int draw_attention(const struct report *r, const char *task,
                          const struct output *to, int *drawn)
{
    OWNED(picture_abandon) struct picture pic = {0};
    OWNED(free) char *name = str_format("attention_%s", task);
    struct sites places;
    int rows = 0, panels = 0;

    PASS(sites_of(&places, r, task, "attention/end"));
    PASS(picture_begin(&pic, to, name));
    fputs("variant\tplace\tseeds\tfrom\tstart\tend\n\n\n", pic.data);
    PASS(put_rows(&pic, r, task, &places, &rows, &panels));
    if (!panels)
        return OK;
    picture_number(&pic, "panels", panels);
    put_words(&pic, r, task, &places, rows);
    PASS(picture_end(&pic, "attention"));
    (*drawn)++;
    return OK;
}

static int render(const struct report *r, const struct output *to)
{
    int drawn = 0;

    for (const char *const *task = select_tasks(r); *task; task++)
        PASS(draw_attention(r, *task, to, &drawn));
    return drawn ? OK : err_set(ERR_EMPTY, "%s: no cell has histograms of its "
                                "attention weights", r->store);
}

const struct figure figure_attention = {
    .name = "attention",
    .title = "Attention weights before and after training, by variant and "
             "layer",
    .render = render,
};
