/* optim: Adam over the flat array of what is learned, and the schedules. */
#ifndef NN_OPTIM_H
#define NN_OPTIM_H

#include "harness/nn/params.h"

struct schedule { /* learning rate at steps t = 1, 2, ... */
    const char *name;
    double (*rate)(double t, int d, double scale, double warmup);
};

extern const struct schedule *const schedules[]; /* ends with NULL */
const struct schedule *schedule_find(const char *name); /* or NULL */

struct optim {
    struct params *ps;
    real          *m, *v;       /* (ps->learned), zero at the start */
    double         b1, b2, eps;
};

void optim_open(struct optim *o, struct params *ps, double b1, double b2,
                double eps);
/* One step t = 1, 2, ... with gradient g, on values [first, first + n). */
void optim_step(struct optim *o, const real *g, uint64_t t, double rate,
                size_t first, size_t n);

#endif
