/* options: reads the command line of a verb, as the verb's rows say
 * (command.h), and tells them. */
#pragma once

#include "harness/cmd/command.h"

struct parsed {
    void            *given; /* the verb's struct */
    struct arguments args;  /* what is no option */
    int              told;  /* an enum word_kind (argv.h): --help, --usage or
                               --version was asked for, the rest is not read */
};

/* argv[0] is not looked at.  ERR_USAGE says which word is wrong, and of a name
 * the nearest.  All of it is in `memory`. */
int options_read(struct parsed *out, const struct command *c, int argc,
                 char **argv, struct arena *memory);

/* What --help tells, on stdout, or --usage; name: "synthbench VERB". */
void options_help(const struct command *c, const char *name);
void options_usage(const struct command *c, const char *name);

/* Every row of a verb, groups opened; returns how many. */
enum { OPTIONS_MOST = 64 };

struct opt_row {
    const struct opt *opt;
    size_t            at;  /* in the verb's struct                  */
    char             *doc; /* what --help tells, with the default   */
};

int options_rows(struct opt_row row[OPTIONS_MOST], const struct command *c,
                 struct arena *memory);

/*
 * "3": seeds 1, 2, 3.  "4,7": those two.  "4..7": 4, 5, 6, 7; lists and ranges
 * mix.  *out: *n of them in this order, each once, 0 to 2^32 - 1; it lives in
 * `memory`.  ERR_USAGE says what is wrong with the text.
 */
enum { SEEDS_MOST = 10000 };
int seeds_read(long long **out, int *n, const char *text, struct arena *memory);
