/* efficiency: of how many ranks how much is left of one's work, a line a task,
 * and where that is enough. */
#pragma once

enum { EFFICIENCY_POINTS = 40 };

struct efficiency_line {
    const char *name;             /* "lm1b: 55.6M, batches of 512"         */
    int         below;            /* ranks where it is not enough; 0: none */
    double      y[EFFICIENCY_POINTS];
};

struct efficiency {
    const char *title;
    const char *caption[2];       /* what is assumed, a line each          */
    double      enough;           /* 0.8                                   */
    int         points, n;
    int         ranks[EFFICIENCY_POINTS]; /* growing                       */
    struct efficiency_line *line; /* (n)                                   */
};

/* FOLDER/efficiency.tsv, .gp, .png, .svg, .pdf.  ERR_IO, ERR_SPACE. */
int efficiency_plot(const struct efficiency *e, const char *folder);
