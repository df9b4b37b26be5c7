/*
 * params: the named arrays a model learns, or holds frozen.
 *
 * Names are paths ("encoder.0.self.random.R"): checkpoint, counts, traces and
 * tests read the same list, in order of declaration.  All learned values lie
 * in one flat array, so do their gradients; frozen ones in another.
 *
 * The same declarations (a model's constructor) run in three ways:
 *   params_count   names and shapes only: no weight is made
 *   params_open    values drawn from (seed, name); a run owns one of these
 *   params_view    the values of another params, with gradients of its own:
 *                  one for each lane of a training step
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/owned.h"
#include "harness/base/rng.h"
#include "harness/engine/backend.h"
#include "harness/stats/linalg.h"

enum param_kind { PARAM_LEARNED, PARAM_FROZEN };
enum { PARAM_NAME = 96 };

/* How a parameter starts: writes dim[0] x ... values, in float64. */
struct init {
    void (*fill)(const struct init *self, double *x, int nd, const int dim[],
                 struct rng_key key);
    double scale;
    int    blocks;    /* init_orthogonal: of the width; else 0         */
    enum linalg_method method; /* and how they are made                */
    const char *twin; /* draw what this variant's parameter of the same
                         name draws; NULL: one's own                   */
};

struct init init_constant(double value);
struct init init_normal(double sd);
/* Uniform on +-sqrt(6 / (fan in + fan out)), of the last two dimensions
 * (Glorot and Bengio 2010). */
struct init init_glorot(void);
/* Glorot, or N(0, scale^2 / fan in), fan in the last dimension but one. */
#define INIT_RULES(X) X(INIT_GLOROT, "glorot") X(INIT_FAN_IN, "fan_in")
enum init_rule { INIT_RULES(NAMES_VALUE) };
struct init init_matrix(enum init_rule rule, double scale);
/* The released code's R: Glorot with the fans of (N, h, N). */
struct init init_glorot_r(void);
/* Its R1 and R2, (r,h,N): Glorot with the fans r h and r N. */
struct init init_glorot_factors(void);
/* (d, h k): each head's (d,k) block has orthonormal columns. */
struct init init_orthogonal(enum linalg_method method, int heads);

struct param {
    char            name[PARAM_NAME];
    enum param_kind kind;
    tensor         *value; /* g is NULL where frozen; x too when counting */
    size_t          at;    /* offset in the flat array of its kind        */
    int             blocks; /* of its width, each of orthonormal columns from
                               the start; 0: none                         */
    int             score;  /* learned, and of a form's scores            */
};

struct params {
    const struct backend *be;
    uint64_t      seed;
    const struct params *of;    /* a view: whose values                 */
    int           counting;
    struct arena *memory;       /* of the list's tensors, of the model  */
    struct arena *data;         /* buffers: the arrays below            */
    real         *flat, *grad;  /* learned values, and their gradients  */
    real         *still;        /* frozen values                        */
    size_t        learned, frozen; /* lengths of the flat arrays (padded) */
    char          path[PARAM_NAME];
    int           scores;       /* params_scores */
    int           n;
    size_t        cap;
    struct param *list;
};

void params_count(struct params *ps);
/* `plan`: the same declarations, counted. */
void params_open(struct params *ps, const struct params *plan,
                 const struct backend *be, uint64_t seed);
void params_view(struct params *ps, const struct params *of);
void params_dry(struct params *ps, const struct params *plan); /* no values */
/* The gradients of a view count as 0 (tensor.h): whoever adds to one writes it.
 * And those from `from` on (NULL: all) that nobody has given a value are made
 * zeros. */
void params_blank(const struct params *ps);
void params_settle(const struct params *ps, const real *from);
void params_close(struct params *ps);
OWNER_OF_VALUE(params_close, struct params)

void params_push(struct params *ps, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void params_pop(struct params *ps);
/* Are a form's scores (or taps, or weights without a softmax) computed from
 * what is declared from here on?  At first not. */
void params_scores(struct params *ps, int yes);
tensor *params_add(struct params *ps, const char *name, enum param_kind kind,
                   struct init init, int nd, const int dim[]);

/* How many numbers, padding left out. */
size_t params_total(const struct params *ps, enum param_kind kind);
const struct param *params_find(const struct params *ps, const char *name);
/* A parameter already declared in the open path, or beside it: of "a.b." the
 * names "a.b.NAME", "a.NAME", "NAME", the first that exists; or NULL. */
tensor *params_near(const struct params *ps, const char *name);
