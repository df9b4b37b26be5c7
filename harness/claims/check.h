/*
 * check: computes the measures by which claims of kind `computed` (claims.h)
 * are judged.  read.c calls check_find, then check_give for each argument;
 * judge.c calls check_run.  A check is a plug-in: `const struct check
 * check_NAME` in a file check_*.c, and a row in claims/list.h.  A check only
 * measures; experiments/claims.yaml states the arguments of the check and the
 * values that its measures must have.
 *
 *     static int run(const struct check_values *v, struct check_out *o)
 *     {
 *         check_say(o, "ratio", mean, error);
 *         return OK;
 *     }
 *
 *     const struct check check_projection = {
 *         "projection", "Inner products under a projection",
 *         "variant d=128 k=32", run,
 *         {{"ratio", "<xW,yW> / <x,y>"}}};
 *
 * With the same arguments, a check returns bit-identical measures: its random
 * values come from rng.h, with fixed seeds.  All checks that claims.yaml
 * requires take about 20 s in total.
 */
#pragma once

#include <stddef.h>

enum { CHECK_MEASURES = 16, CHECK_ARGS = 16 };

/* The values of all arguments that a check can have; the keys in check.c state
 * their types and ranges.  The values of arguments that the check does not have
 * are 0. */
struct check_values {
    const char *variant;  /* a variant or a mixture                       */
    const char *variants; /* several, separated by blanks                 */
    const char *against;  /* the variant that is the denominator of ratios */
    const char *property; /* an exact property that `verify variants` tests */
    const char *matrix;   /* the name of a parameter: q, k, R, w1, ...    */
    const char *settings; /* of the model: "d=512 N=256"                  */
    int         model;    /* index in the models of check_cost.c          */
    int         method;   /* enum linalg_method of orthonormal columns    */
    int         start;    /* enum r_init of R                             */
    int         way;      /* enum way of check_pairing.c                  */
    int         d, heads, k, N, rank; /* sizes of the layer; if k is 0, it is
                                         d / heads; the check `pairing` has N
                                         columns of scores                */
    int         n;        /* tokens of a sentence, or rows                */
    int         slots;    /* p of linformer                               */
    int         a, c;     /* columns of two factors                       */
    double      scale;    /* standard deviation of tokens, or of R        */
};

struct check_out;

struct check {
    const char *name, *what;
    /* The names of the arguments, separated by blanks.  NAME=TEXT has a default
     * value; an argument without one must be given. */
    const char *arguments;

    /* Reports each measure once, by calling check_say.  Returns ERR_USAGE if
     * the arguments are invalid. */
    int (*run)(const struct check_values *v, struct check_out *o);
    struct check_measure { const char *name, *what; }
        measure[CHECK_MEASURES + 1]; /* ends with {0} */
};

/* Reports a measure.  `error` is the standard error of `value`, or 0 if `value`
 * is exact. */
void check_say(struct check_out *o, const char *measure, double value,
               double error);

/* Reports the mean of n independent values and its standard error. */
void check_mean(struct check_out *o, const char *measure, const double *x,
                int n);

/* Returns ERR_USAGE unless the argument `name`, whose value is `x`, is from
 * `low` to `high`; for ranges that depend on other arguments. */
int check_range(const char *name, int x, int low, int high);

/* All checks of list.h, in its order; ends with NULL. */
extern const struct check *const check_all[];

/* Finds a check by its name.  If no check has the name, returns ERR_USAGE and
 * the message suggests the nearest name. */
int check_find(const struct check **out, const char *name);

/* ---- running a check ---- */

struct check_args {
    const struct check *of;
    int                 n;
    struct check_given { const char *name, *text; } given[CHECK_ARGS];
};

/* Appends an argument to *a.  Returns ERR_USAGE if the check has no argument
 * `name`, if `text` is not a value of it, or if the argument appears twice. */
int check_give(struct check_args *a, const char *name, const char *text);

struct check_result { const char *measure, *what; double value, error; };

struct check_out {
    const struct check *of;
    int                 n;
    struct check_result result[CHECK_MEASURES];
};

/* Runs the check a->of and sets *out to its measures. */
int check_run(struct check_out *out, const struct check_args *a);
