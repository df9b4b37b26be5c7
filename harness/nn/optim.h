/*
 * optim: how gradients move what is learned, and the schedules of the rate.
 *
 * A step falls into units that do not know each other (pieces of the flat
 * array, or whole tensors), so threads may share them out and no bit changes.
 *
 * score_rate g: what scores are computed from (param.score) moves at g times
 * the rate of all else, so that forms can be compared at steps of a like size
 * of their scores.  It is a rate, not a form R = g R' with R' learned, R/g at
 * first: Adam's step lr m / sqrt(v) is the same for g times the gradient, so
 * that R moves by g lr, which is score_rate g but for eps; Adafactor's is a
 * share of rms(R') = rms(R) / g, so that R moves as if there were no g; and a
 * product Q K^T would have to share it out.  A rate is the same under both
 * and for every form, and weights, starts and gradients stay their formulas'.
 * The parts of a mixture may have rates of their own (part_rate).
 */
#pragma once

#include "harness/nn/params.h"

/* What a rate follows from, beside the step. */
struct course { int d, steps; double scale, warmup; };

struct schedule { /* learning rate at steps t = 1, 2, ... */
    const char *name;
    double (*rate)(double t, const struct course *c);
};

/*
 * rsqrt       scale / sqrt(max(t, w)): T5's pre-training (Raffel et al. 2020,
 *             3.1.2)
 * rsqrt-decay the same times min(1, 10 (T + 1 - t) / T): what Mesh TensorFlow
 *             calls learning_rate_schedule_noam (transformer/utils.py); its
 *             last tenth is linear
 *
 * With w the warmup and T the steps of a run, those that decay are
 *
 *     linear     scale min(t / w, left),    left = (T + 1 - t) / (T + 1 - w)
 *     cosine     scale min(t / w, (1 - cos(pi left)) / 2), left 1 where t < w
 *     trapezoid  scale min(t / w, 1, 5 (T + 1 - t) / T)
 *
 * So the rate is 0 at t = T + 1, the first step that is not taken, and above 0
 * at the last one.  They need w <= T.  The trapezoid's last fifth is the linear
 * cooldown of Haegele et al. 2024 (arXiv 2405.18392); the warmup-stable-decay
 * of Hu et al. 2024 (arXiv 2404.06395) takes a tenth, of far longer runs.
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
const struct schedule *schedule_find(const char *name); /* or NULL */

#define OPTIMIZERS(X) X(OPTIM_ADAM, "adam") X(OPTIM_ADAFACTOR, "adafactor")
enum optimizer { OPTIMIZERS(NAMES_VALUE) };

enum { PART_RATES = 4 }; /* at least MIX_PARTS (attention.h) */

struct optim_rule {
    enum optimizer kind;
    double b1, b2, eps;              /* Adam                              */
    double decay, eps1, eps2, clip;  /* Adafactor: 1 - t^-decay, ...      */
    int    factor_min;               /* both largest axes: factored       */
    double score_rate;               /* of param.score; see above         */
    struct part_rate {
        const char *part;            /* variant's name; NULL: unused      */
        double rate;                 /* in place of score_rate            */
    } part_rate[PART_RATES];
};

/* Returns the factor of the learning rate for this parameter: the rate of its
 * part ("PART" in its path ".PART."), else score_rate, or 1 if no scores are
 * computed from it. */
double optim_rate(const struct optim_rule *r, const struct param *p);

struct optim_unit {
    size_t at, n;            /* of the flat array                         */
    size_t state;            /* where its state starts                    */
    double rate;             /* relative to the step's: optim_rate        */
    struct adafactor shape;  /* OPTIM_ADAFACTOR                           */
};

struct optim {
    struct params    *ps;
    struct optim_rule rule;
    real             *state; /* (values), zero at the start               */
    size_t            values;
    int               units;
    struct optim_unit *unit;
};

/* Memory from ps. */
void optim_open(struct optim *o, struct params *ps,
                const struct optim_rule *rule);
/* Numbers of state that a model's learned parameters need. */
size_t optim_values(const struct params *ps, const struct optim_rule *rule);

/* Of units [first, last), what of the state is theirs; how many pieces. */
enum { OPTIM_PIECES = 2 };
struct optim_piece { size_t at, n; };
int optim_pieces(const struct optim *o, int first, int last,
                 struct optim_piece out[OPTIM_PIECES]);

/* Step t = 1, 2, ... of one unit, with gradient g (all of it, flat). */
void optim_step(struct optim *o, int unit, const real *g, uint64_t t,
                double rate);
