/* sweep: reads the cells of figures about experiments that vary a number, such
 * as N in rows named "random,N=64".  In these figures, the rows that differ
 * only in this number form a line. */
#pragma once

#include "harness/report/report.h"
#include "plots/chart.h"
#include "plots/figure.h"
#include "plots/select.h"

struct sweep_cell {
    int       line;   /* index in struct sweep             */
    long long number;
    const struct report_cell *cell;
    double    ce;     /* on the test set; sane             */
};

/* The finished cells of a task that are drawn, sorted by line, number and the
 * order of the experiment. */
struct sweep {
    const struct report *r;
    const char *task, *key;  /* key: ",N="                                */
    int         name;        /* length of the name of the number, "N"     */
    const char *const *line; /* the rows' names without the number, each once,
                                in the order of the experiment; ends with
                                NULL                                      */
    int         lines;
    int         n;
    struct sweep_cell *cell; /* [n]; then one whose line is -1            */
    enum select_lost  *lost; /* one for each cell of the report; for cells
                                without the key, SELECT_DRAWN             */
    double     *number;      /* [numbers], each number once, sorted       */
    int         numbers;
};

/* Reads the cells whose row has the key.  Returns FIGURE_NONE if there are
 * none.  The report owns the memory. */
int sweep_read(struct sweep *out, const struct report *r, const char *task,
               const char *key);

/* Returns the number of cells, from cell i on, with the line and the number of
 * cell i. */
int sweep_seeds(const struct sweep *s, int i);

/* A row of the data: a seed, or the mean over the seeds of a point (seed: "-").
 * Panel k shows y[k] against x or, if it has ticks, against the number. */
struct sweep_row {
    const char *line;
    long long   number;
    const char *seed;
    double      x, y[CHART_PANELS];
};

/* Sets the x and y of a cell in *out.  Returns FIGURE_NONE if the cell is not
 * drawn. */
typedef int sweep_values(struct sweep_row *out, const struct sweep *s,
                         const struct sweep_cell *c);

/* Writes the rows of all seeds and then, in a block for each line, their means.
 * Adds the lines to the chart and extends the limits of its panels.  The end of
 * a line is its last y[0]; a line without values has the end NAN and the text
 * "-". */
int sweep_lines(struct chart *c, struct picture *p, const struct sweep *s,
                const struct column *columns, sweep_values *values);
