/*
 * optim: the optimizers and the schedules of the learning rate.
 * train/trainer.c calls optim_open once and optim_step for each unit in each
 * step.
 *
 * The parameters are divided into units (pieces of the flat array, or whole
 * tensors), each of which is updated independently of the others.  Threads can
 * divide the units among themselves; the result stays bit-identical.
 *
 * With score_rate g, the parameters from which scores are computed
 * (param.score) have g times the learning rate of all others.  With a suitable
 * g, variants can be compared at a similar change of their scores per step.
 * Each part of a mixture can have its own g (part_rate).
 *
 * g multiplies the learning rate.  The alternative, to learn R' = R / g and to
 * compute scores from R = g R', would depend on the optimizer.  Under Adam, the
 * step lr m / sqrt(v) of R' does not depend on the scale of the gradient, so R
 * would change by g lr, as with score_rate g except for eps.  Under Adafactor,
 * the step of R' is proportional to rms(R') = rms(R) / g, so R would change as
 * if there were no g.  In addition, a product Q K^T would have to divide g
 * between its factors.  With score_rate, a learning rate means the same under
 * both optimizers and for every variant, and weights, initial values and
 * gradients are those of the formulas.
 */
#pragma once

#include "harness/nn/params.h"

/* What the learning rate depends on, in addition to the step: the width d of
 * the model, the number of steps of the run, the factor `scale`, and `warmup`
 * in steps. */
struct course { int d, steps; double scale, warmup; };

struct schedule { /* learning rate at steps t = 1, 2, ... */
    const char *name;
    double (*rate)(double t, const struct course *c);
};

/*
 * The schedules, for a run of T steps with a warmup of w steps:
 *
 * rsqrt       scale / sqrt(max(t, w)): T5's pre-training (Raffel et al. 2020,
 *             3.1.2)
 * rsqrt-decay rsqrt times min(1, 10 (T + 1 - t) / T), so that the last tenth is
 *             linear: learning_rate_schedule_noam of Mesh TensorFlow
 *             (transformer/utils.py)
 *
 * The schedules in DECAYS are:
 *
 *     linear     scale min(t / w, left),    left = (T + 1 - t) / (T + 1 - w)
 *     cosine     scale min(t / w, (1 - cos(pi left)) / 2), left = 1 if t < w
 *     trapezoid  scale min(t / w, 1, 5 (T + 1 - t) / T)
 *
 * Their rate is above 0 at the last step T and would be 0 at step T + 1.  They
 * require w <= T.  The last fifth of the trapezoid is the linear cooldown of
 * Haegele et al. 2024 (arXiv 2405.18392).  The warmup-stable-decay schedule of
 * Hu et al. 2024 (arXiv 2404.06395) decays over the last tenth, but of far
 * longer runs.
 */
#define DECAYS(X)                                                             \
    X(linear, "linear")                                                       \
    X(cosine, "cosine") /* Loshchilov and Hutter 2017, one period */          \
    X(trapezoid, "trapezoid")
#define SCHEDULES(X)                                                          \
    X(noam, "noam") /* Vaswani et al. 2017, section 5.3 */                    \
    X(rsqrt, "rsqrt")                                                         \
    X(rsqrt_decay, "rsqrt-decay")                                             \
    X(constant, "constant")                                                   \
    DECAYS(X)
/* Returns the schedule called `name`, or NULL if there is none. */
const struct schedule *schedule_find(const char *name);

#define OPTIMIZERS(X) X(OPTIM_ADAM, "adam") X(OPTIM_ADAFACTOR, "adafactor")
enum optimizer { OPTIMIZERS(NAMES_VALUE) };

enum { PART_RATES = 4 }; /* at least MIX_PARTS (attention.h) */

struct optim_rule {
    enum optimizer kind;
    double b1, b2, eps;              /* Adam                         */
    double decay, eps1, eps2, clip;  /* Adafactor; the decay of step t is 1 -
                                        t^-decay */
    int    factor_min;               /* minimum size of both axes of a
                                        factored matrix              */
    double score_rate;               /* for param.score; see above   */
    struct part_rate {
        const char *part;            /* variant's name; NULL: unused */
        double rate;                 /* replaces score_rate          */
    } part_rate[PART_RATES];
};

/* Returns the factor of the learning rate for parameter p: 1 if no scores are
 * computed from p; else the part_rate of the part whose name is in the path of
 * p (".PART."), or score_rate if this part has no part_rate. */
double optim_rate(const struct optim_rule *r, const struct param *p);

struct optim_unit {
    size_t at, n;            /* first value and length in the flat array */
    size_t state;            /* offset in optim.state                  */
    double rate;             /* factor of the step's rate (optim_rate) */
    struct adafactor shape;  /* for OPTIM_ADAFACTOR                    */
};

struct optim {
    struct params    *ps;
    struct optim_rule rule;
    real             *state; /* (values), zero at the start */
    size_t            values;
    int               units;
    struct optim_unit *unit;
};

/* Initializes o for the parameters ps, with memory from ps. */
void optim_open(struct optim *o, struct params *ps,
                const struct optim_rule *rule);
/* Returns the number of state values (optim.values) that the learned parameters
 * need. */
size_t optim_values(const struct params *ps, const struct optim_rule *rule);

/* Writes the ranges of the state that belong to the units `first` to `last` - 1
 * to `out`.  Returns the number of ranges, which is 0 if first == last. */
enum { OPTIM_PIECES = 2 };
struct optim_piece { size_t at, n; };
int optim_pieces(const struct optim *o, int first, int last,
                 struct optim_piece out[OPTIM_PIECES]);

/* Performs step t = 1, 2, ... of one unit.  g is the flat gradient of all
 * units, `rate` the learning rate of the step (without the unit's factor). */
void optim_step(struct optim *o, int unit, const real *g, uint64_t t,
                double rate);
