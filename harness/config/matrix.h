/* matrix: an experiment's values multiplied out to configurations. */
#ifndef CONFIG_MATRIX_H
#define CONFIG_MATRIX_H

#include "harness/config/experiment.h"

enum { MATRIX_MAX = 100000 };

struct choice {         /* what the command line changes                  */
    const char *scale;  /* in place of the file's; NULL: the file's       */
    int         seeds;  /* so many in place of the file's; 0: those       */
    const long long *seed; /* which; NULL: 1 .. seeds                     */
    int         synthetic;
    struct assigns set; /* -S, after all that the file says               */
};

/* The configuration of every cell, checked; order: scale, task, variant,
 * seed, each as the file lists them.  Caller frees *out.  ERR_USAGE. */
int matrix_cells(const struct experiment *e, const struct choice *o,
                 struct config **out, int *n);

#endif
