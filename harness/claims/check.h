/*
 * check: computes the measures by which claims of kind `computed` (claims.h)
 * are judged.  read.c calls check_find, then check_give for each argument;
 * judge.c calls check_run.  A check is a plug-in: a file check_NAME.c that
 * defines `const struct check check_NAME`, and a row in claims/list.h.  A check
 * only measures; experiments/claims.yaml states the arguments of the check and
 * the values that its measures must have.
 *
 *     static int run_NAME(const struct check_args *a, struct check_out *o)
 *     {
 *         check_say(o, "ratio", mean, error);
 *         return OK;
 *     }
 *
 *     const struct check check_projection = {
 *         "projection", "Inner products under a projection", parameter,
 *         measure, run_NAME};
 *
 * With the same arguments, a check returns bit-identical measures: its random
 * values come from rng.h, with fixed seeds.  All checks that claims.yaml
 * requires take about 20 s in total.
 */
#pragma once

#include <stddef.h>

struct check_parameter {  /* a list ends with {0}                         */
    const char *name;
    double      standard; /* default of a number; NAN: the argument is a
                             word and has no default                      */
    const char *help;
};

struct check_measure { const char *name, *what; }; /* a list ends with {0} */

struct check_args;
struct check_out;

struct check {
    const char                   *name, *what;
    const struct check_parameter *parameter;
    const struct check_measure   *measure;

    /* Reports each measure once, by calling check_say.  Returns ERR_USAGE if
     * the arguments are invalid. */
    int (*run)(const struct check_args *a, struct check_out *o);
};

/* Returns the number given for the parameter `name`, or the default of the
 * parameter. */
double check_arg(const struct check_args *a, const char *name);

/* Returns the word given for the parameter `name`, or NULL if none was
 * given. */
const char *check_word(const struct check_args *a, const char *name);

/* Reports a measure.  `error` is the standard error of `value`, or 0 if `value`
 * is exact. */
void check_say(struct check_out *o, const char *measure, double value,
               double error);

/* All checks of list.h, in its order; ends with NULL. */
extern const struct check *const check_all[];

/* Finds a check by its name.  If no check has the name, returns ERR_USAGE and
 * the message suggests the nearest name. */
int check_find(const struct check **out, const char *name);

/* ---- running a check ---- */

enum { CHECK_MEASURES = 16, CHECK_ARGS = 16 };

struct check_args {
    const struct check *of;
    int                 n;
    struct check_given { const char *name, *text; } given[CHECK_ARGS];
};

/* Appends an argument to *a.  Returns ERR_USAGE if the check has no parameter
 * `name`, if `text` is not a number where the parameter requires one, if the
 * argument appears twice, or if there are too many arguments. */
int check_give(struct check_args *a, const char *name, const char *text);

struct check_said { const char *measure; double value, error; };

struct check_out {
    const struct check *of;
    int                 n;
    struct check_said   said[CHECK_MEASURES];
};

/* Runs the check a->of and sets *out to its measures. */
int check_run(struct check_out *out, const struct check_args *a);
