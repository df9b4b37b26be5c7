/* options: reads the command line of a verb with argp, as the verb's rows say
 * (command.h). */
#pragma once

#include "harness/cmd/command.h"

#include <argp.h>

struct parsed {
    void            *given; /* the verb's struct */
    struct arguments args;  /* what is no option */
};

/* argv[0] is "synthbench VERB".  ERR_USAGE: there is no such option, whole
 * names count.  Another wrong one ends the program with exit code 2 and a hint;
 * --help and --usage end it with 0.  All of it is in `memory`. */
int options_read(struct parsed *out, const struct command *c, int argc,
                 char **argv, struct arena *memory);

/* What --help tells, on stdout; name: "synthbench VERB". */
void options_help(const struct command *c, const char *name);

/* Every row of a verb, groups opened; returns how many. */
enum { OPTIONS_MOST = 64 };

struct opt_row {
    const struct opt *opt;
    size_t            at;  /* in the verb's struct                  */
    char             *doc; /* what --help tells, with the default   */
};

int options_rows(struct opt_row row[OPTIONS_MOST], const struct command *c,
                 struct arena *memory);

/* Long options have their whole names alone: getopt takes --seed for --seeds,
 * and what was meant for one verb means another thing to the next.  ERR_USAGE
 * with the nearest name: an argument before "--" is a long option that is
 * neither among `known` (it ends with a name of NULL) nor --help, --usage or
 * --version.  argv[0] is not looked at. */
int exact_options(const struct argp_option *known, int argc, char **argv);

/*
 * "3": seeds 1, 2, 3.  "4,7": those two.  "4..7": 4, 5, 6, 7; lists and ranges
 * mix.  *out: *n of them in this order, each once, 0 to 2^32 - 1; it lives in
 * `memory`.  ERR_USAGE says what is wrong with the text.
 */
enum { SEEDS_MOST = 10000 };
int seeds_read(long long **out, int *n, const char *text, struct arena *memory);
