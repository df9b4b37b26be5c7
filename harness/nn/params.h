/*
 * params: the named arrays that a model learns or holds frozen.
 *
 * A model's constructor (model_new, attention_new) declares the parameters with
 * params_push, params_add and params_pop.  The function that opened the struct
 * params determines what a declaration does:
 *   params_count   records names and shapes; no weight is allocated
 *   params_open    draws the values from (seed, name); a run opens one
 *   params_view    shares the values of another struct params and has its own
 *                  gradients; a training step has one view for each lane
 *                  (gradient buffer, train/train.h)
 *
 * Names are paths ("encoder.0.self.random.R").  Checkpoints, counts, traces and
 * tests read the same list, in order of declaration.  All learned values lie
 * in one flat array, and so do their gradients; frozen values lie in another.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/base/rng.h"
#include "harness/engine/backend.h"
#include "harness/stats/linalg.h"

enum param_kind { PARAM_LEARNED, PARAM_FROZEN };
enum { PARAM_NAME = 96 };

/* How a parameter is initialized: `fill` writes the dim[0] x ... initial values
 * to x, in float64. */
struct init {
    void (*fill)(const struct init *self, double *x, int nd, const int dim[],
                 struct rng_key key);
    double scale;
    int    blocks;    /* init_orthogonal: blocks along the width; else 0 */
    enum linalg_method method; /* init_orthogonal: how blocks are drawn */
    const char *twin; /* if not NULL, the name of a variant: draw the values
                         that its parameter of the same name would have  */
};

struct init init_constant(double value);
struct init init_normal(double sd);
/* Draws uniformly from [-a, a], a = sqrt(6 / (fan in + fan out)); the fans are
 * the last two dimensions (Glorot and Bengio 2010). */
struct init init_glorot(void);
/* init_matrix returns init_glorot() for INIT_GLOROT, and a normal distribution
 * N(0, scale^2 / fan in) for INIT_FAN_IN, where fan in is the second to last
 * dimension. */
#define INIT_RULES(X) X(INIT_GLOROT, "glorot") X(INIT_FAN_IN, "fan_in")
enum init_rule { INIT_RULES(NAMES_VALUE) };
struct init init_matrix(enum init_rule rule, double scale);
/* Draws R (h,N,N) as the released code of the paper does: init_glorot with the
 * fans of shape (N, h, N). */
struct init init_glorot_r(void);
/* Draws R1 and R2 (r,h,N) as the released code does: init_glorot with the fans
 * r h and r N. */
struct init init_glorot_factors(void);
/* Draws a matrix (d,h k), where h is `heads`, such that the columns of each
 * head's block (d,k) are orthonormal. */
struct init init_orthogonal(enum linalg_method method, int heads);

struct param {
    char            name[PARAM_NAME];
    enum param_kind kind;
    /* value->x is NULL under params_count; value->g is NULL under params_count
     * and params_open, and if the parameter is frozen. */
    tensor         *value;
    size_t          at;    /* offset in the flat array of its kind */
    int             blocks; /* blocks of columns that are orthonormal at the
                               start; 0: none                              */
    int             score;  /* 1: learned, and scores are computed from it */
};

struct params {
    const struct backend *be;
    uint64_t      seed;
    const struct params *of;    /* of a view: the params that own the values;
                                   of params_dry: `plan`; else NULL         */
    int           counting;     /* 1: opened by params_count                */
    struct arena *memory;       /* of the tensors in list, and of the model */
    struct arena *data;         /* of the arrays below, on the backend      */
    real         *flat, *grad;  /* learned values, and their gradients      */
    real         *still;        /* frozen values                            */
    /* Lengths of the flat arrays, with padding. */
    size_t        learned, frozen;
    char          path[PARAM_NAME];
    int           scores;       /* set by params_scores                     */
    int           n;
    size_t        cap;
    struct param *list;
};

/* In params_open and params_dry, `plan` is a struct params that params_count
 * opened and for which the same parameters were declared.  params_dry is
 * params_open without memory for values.  A view or dry struct needs `of` or
 * `plan` as long as parameters are declared; the values of a view belong to
 * `of`. */
void params_count(struct params *ps);
void params_open(struct params *ps, const struct params *plan,
                 const struct backend *be, uint64_t seed);
void params_view(struct params *ps, const struct params *of);
void params_dry(struct params *ps, const struct params *plan);
/* params_blank marks the gradients of a view as blank.  Blank gradients count
 * as 0, and the first addition to a gradient overwrites it (tensor.h).
 * params_settle sets the gradients that are still blank to zero, from address
 * `from` on or, if `from` is NULL, all of them. */
void params_blank(const struct params *ps);
void params_settle(const struct params *ps, const real *from);
void params_close(struct params *ps);
OWNER_OF_VALUE(params_close, struct params)

/* params_push appends a name and a dot to the path with which the names of
 * parameters begin; params_pop removes the last name and its dot. */
void params_push(struct params *ps, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void params_pop(struct params *ps);
/* Sets whether the scores of a variant (or its taps, or its weights without a
 * softmax) are computed from the parameters declared from here on.  The initial
 * setting is 0. */
void params_scores(struct params *ps, int yes);
/* Declares the parameter called PATH.NAME, with the shape dim[0] x ... x
 * dim[nd - 1], and returns its tensor, which belongs to ps.  Only params_open
 * uses `init` to draw values. */
tensor *params_add(struct params *ps, const char *name, enum param_kind kind,
                   struct init init, int nd, const int dim[]);

/* Returns the number of values, without padding. */
size_t params_total(const struct params *ps, enum param_kind kind);
/* Returns the parameter whose full name is `name`, or NULL. */
const struct param *params_find(const struct params *ps, const char *name);
/* Returns a parameter that has been declared in the current path or above it,
 * or NULL.  In path "a.b." it tries "a.b.NAME", "a.NAME" and "NAME", in this
 * order. */
tensor *params_near(const struct params *ps, const char *name);
