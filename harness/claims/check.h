/*
 * check: what a claim of kind `computed` is held against.  A plug-in: one file,
 * check_NAME.c, which ends in `const struct check check_NAME`, one row in
 * claims/list.h.  It measures, and knows no claim: experiments/claims.yaml says
 * what the measures of which arguments have to be.
 *
 *     static int run(const struct check_args *a, struct check_out *o)
 *     {
 *         check_say(o, "ratio", mean, error);
 *         return OK;
 *     }
 *
 *     const struct check check_projection = {
 *         "projection", "Inner products under a projection", parameter,
 *         measure, run};
 *
 * The same arguments give the same bits: what is drawn comes from rng.h, with
 * seeds of the check's own.  All that claims.yaml asks for takes about 20 s.
 */
#pragma once

#include <stddef.h>

struct check_parameter {  /* a list ends with {0}                         */
    const char *name;
    double      standard; /* where it is not given; NAN: it is a word, and
                             then none                                    */
    const char *help;
};

struct check_measure { const char *name, *what; }; /* likewise */

struct check_args;
struct check_out;

struct check {
    const char                   *name, *what;
    const struct check_parameter *parameter;
    const struct check_measure   *measure;

    /* Says every measure once.  ERR_USAGE: arguments that cannot be. */
    int (*run)(const struct check_args *a, struct check_out *o);
};

/* The number that is given, or the standard. */
double check_arg(const struct check_args *a, const char *name);

/* The word that is given, or NULL. */
const char *check_word(const struct check_args *a, const char *name);

/* error: the standard error of value; 0: it is exact. */
void check_say(struct check_out *o, const char *measure, double value,
               double error);

/* All of list.h, in its order; ends with NULL. */
extern const struct check *const check_all[];

/* ERR_USAGE with the nearest name. */
int check_find(const struct check **out, const char *name);

/* ---- who runs one ---- */

enum { CHECK_MEASURES = 16, CHECK_ARGS = 16 };

struct check_args {
    const struct check *of;
    int                 n;
    struct check_given { const char *name, *text; } given[CHECK_ARGS];
};

/* One more.  ERR_USAGE: no such parameter, no number, given twice, too many. */
int check_give(struct check_args *a, const char *name, const char *text);

struct check_said { const char *measure; double value, error; };

struct check_out {
    const struct check *of;
    int                 n;
    struct check_said   said[CHECK_MEASURES];
};

int check_run(struct check_out *out, const struct check_args *a);
