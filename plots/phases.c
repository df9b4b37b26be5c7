/*
 * phases: draws the processor time of cells by phase.  There is one picture for
 * each task, with a bar for each variant (mean over its cells), and one picture
 * of all tasks, with a bar for each task (sum over its cells).  A bar includes
 * all of a cell's time.  The time of training is divided in proportion to the
 * times of the steps that were profiled per kernel.
 *
 *   phases_TASK.tsv: variant, cells, and processor seconds of each part
 *   phases_matrix.tsv: the same by task
 */
#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "plots/labels.h"
#include "plots/picture.h"
#include "plots/select.h"

#include <math.h>

enum { PARTS = 13, SOURCES = 3 };

/* The parts of a bar, from the bottom up.  `of` lists the attributes whose sum
 * is the part: attributes of timing/kernel_seconds if `kernel` is 1 (parts of
 * training), or else of timing/cpu_seconds. */
static const struct part {
    const char *column, *entry;
    int         kernel;
    const char *of[SOURCES];
} parts[PARTS] = {
    {"start", "startup, data", 0, {"start", "data"}},
    {"products", "training: products", 1, {"products"}},
    {"attention", "training: attention", 1, {"attention"}},
    {"scores", "training: scores, convolutions", 1, {"scores", "convolution"}},
    {"norm", "training: norms", 1, {"norm"}},
    {"loss", "training: loss", 1, {"loss"}},
    {"elementwise", "training: embedding, elementwise", 1,
     {"embedding", "dropout", "elementwise"}},
    {"optimizer", "training: optimiser", 1, {"optimizer"}},
    {"other", "training: other", 1, {"other"}},
    {"valid", "validation", 0, {"valid"}},
    {"test", "testing", 0, {"test"}},
    {"decode", "decoding", 0, {"decode"}},
    {"write", "metrics, writing", 0, {"score", "write"}},
};
static const int REST = 8; /* "other": all of training, if not profiled */

struct bar { const char *name; int cells; double part[PARTS]; };

static int read_part(double *out, struct cell_reader *cell,
                     const struct part *p)
{
    const char *group = p->kernel ? "timing/kernel_seconds"
                                  : "timing/cpu_seconds";

    *out = 0;
    for (int i = 0; i < SOURCES && p->of[i]; i++) {
        double x = 0;

        PASS(cell_maybe(cell_get_real(cell, group, p->of[i], &x)));
        *out += fmax(x, 0);
    }
    return OK;
}

/* Reads the parts of a cell.  Returns ERR_EMPTY if the cell does not have its
 * processor time by phase. */
static int read_cell(double part[PARTS], const struct report *r, const char *id)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    double train, clocked = 0;

    PASS(report_read(&cell, r, id));
    PASS(cell_get_real(cell, "timing/cpu_seconds", "train", &train));
    for (int i = 0; i < PARTS; i++) {
        PASS(read_part(&part[i], cell, &parts[i]));
        clocked += parts[i].kernel ? part[i] : 0;
    }
    for (int i = 0; i < PARTS; i++)
        if (parts[i].kernel)
            part[i] = clocked > 0 ? part[i] / clocked * train
                      : i == REST ? train : 0;
    return OK;
}

/* Adds up the variant's cells of the task.  *silent counts the cells without
 * times by phase. */
static int add_cells(struct bar *b, const struct report *r, const char *task,
                     const char *variant, int *silent)
{
    for (int i = 0; i < r->n; i++) {
        const struct report_cell *c = &r->cell[i];
        double part[PARTS];

        if (c->state != CELL_DONE || !select_is(c, task, variant))
            continue;
        int rc = read_cell(part, r, c->id);
        *silent += rc == ERR_EMPTY;
        PASS(cell_maybe(rc));
        for (int k = 0; rc == OK && k < PARTS; k++)
            b->part[k] += part[k];
        b->cells += rc == OK;
    }
    return OK;
}

static void put_bar(FILE *out, const struct bar *b, double share)
{
    picture_put_text(out, "", b->name);
    fprintf(out, "\t%d", b->cells);
    for (int i = 0; i < PARTS; i++)
        picture_put_number(out, "\t", b->part[i] * share);
    fputc('\n', out);
}

static int draw_phases(const struct bar *bar, int n, int mean,
                       const struct output *to, const char *of,
                       const char *title, const char *silent)
{
    OWNED(picture_abandon) struct picture p = {0};
    OWNED(free) char *name = str_format("phases_%s", of);
    double longest = 0; /* pixels */

    PASS(picture_begin(&p, to, name));
    fputs(mean ? "variant\tcells" : "task\tcells", p.data);
    for (int i = 0; i < PARTS; i++)
        fprintf(p.data, "\t%s", parts[i].column);
    fputc('\n', p.data);
    for (int i = 0; i < n; i++)
        if (bar[i].cells) {
            put_bar(p.data, &bar[i], mean ? 1.0 / bar[i].cells : 1);
            longest = fmax(longest, label_width(bar[i].name));
        }
    picture_number(&p, "longest", longest);
    picture_text(&p, "title", "%s", title);
    picture_text(&p, "axis", "%s", mean ? "processor seconds per cell"
                                        : "processor seconds of all cells");
    picture_text(&p, "note", "%s", silent);
    picture_number(&p, "parts", PARTS);
    for (int i = 0; i < PARTS; i++) {
        picture_text_i(&p, "entry", i + 1, "%s", parts[i].entry);
    }
    return picture_end(&p, "phases");
}

/* Draws the picture of a task and sets *sum to the sum over its cells. */
static int task_picture(struct bar *sum, const struct report *r,
                        const char *task, const struct output *to, int *silent)
{
    const char *const *variant = select_variants(r);
    int n = 0, own = 0;

    while (variant[n])
        n++;
    struct bar *bar = arena_zero(r->memory, (size_t)n * sizeof *bar);
    *sum = (struct bar){.name = task};
    for (int v = 0; v < n; v++) {
        bar[v].name = variant[v];
        PASS(add_cells(&bar[v], r, task, variant[v], &own));
        sum->cells += bar[v].cells;
        for (int k = 0; k < PARTS; k++)
            sum->part[k] += bar[v].part[k];
    }
    *silent += own;
    return sum->cells ? draw_phases(bar, n, 1, to, task,
                                    select_title(r, "Processor time by phase",
                                                 task),
                                    select_silent(r, own))
                      : OK;
}

static int draw(const struct figure *f, const struct report *r,
                const char *of, const struct output *to)
{
    const char *const *task = select_tasks(r);
    int n = 0, silent = 0, cells = 0, synthetic = 0;

    (void)f;
    (void)of;
    while (task[n])
        n++;
    struct bar *sum = arena_zero(r->memory, (size_t)n * sizeof *sum);
    for (int t = 0; t < n; t++) {
        PASS(task_picture(&sum[t], r, task[t], to, &silent));
        cells += sum[t].cells;
    }
    if (!cells)
        return FIGURE_NONE;
    for (int i = 0; i < r->n; i++)
        synthetic |= r->cell[i].synthetic;
    return draw_phases(sum, n, 0, to, "matrix",
                       arena_format(r->memory,
                                    "Processor time by phase%s: %d cells",
                                    synthetic ? " (SYNTHETIC DATA)" : "",
                                    cells),
                       select_silent(r, silent));
}

const struct figure figure_phases = {
    .name = "phases",
    .title = "Processor time of a cell by phase, and of training by kernel",
    .none = "no cell has its processor time by phase",
    .draw = draw,
    .together = 1,
};
