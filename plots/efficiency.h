/* efficiency: draws the parallel efficiency against the number of ranks, with
 * one line for each task, and marks the efficiency that is sufficient.
 * `synthbench plan` calls efficiency_plot with estimated values. */
#pragma once

enum { EFFICIENCY_POINTS = 40 };

struct efficiency_line {
    const char *name;             /* "lm1b: 55.6M, batches of 512"         */
    int         below;            /* smallest number of ranks whose efficiency
                                     is below `enough`; 0: none            */
    double      y[EFFICIENCY_POINTS]; /* efficiency, 1: ideal              */
};

struct efficiency {
    const char *title;
    const char *caption[2];       /* the assumptions, in two lines         */
    double      enough;           /* sufficient efficiency: 0.8            */
    int         points, n;
    int         ranks[EFFICIENCY_POINTS]; /* increasing                    */
    struct efficiency_line *line; /* [n]                                   */
};

/* Writes FOLDER/efficiency.tsv, .txt, .gp, .png, .svg and .pdf.  Returns
 * ERR_IO or ERR_SPACE if they cannot be written. */
int efficiency_plot(const struct efficiency *e, const char *folder);
