/* options: reads the command line of a command according to its rows
 * (command.h), and prints them as help.  main.c calls it. */
#pragma once

#include "harness/cmd/command.h"

struct parsed {
    void            *given; /* the command's struct */
    struct arguments args;  /* words that are not options */
    /* enum word_kind (argv.h): if --help, --usage or --version was given, the
     * rest is not read */
    int              told;
};

/* Reads argv[1] and later words.  Returns ERR_USAGE with the invalid word, and
 * the nearest name if a name is unknown.  All results live in `memory`. */
int options_read(struct parsed *out, const struct command *c, int argc,
                 char **argv, struct arena *memory);

/* Print the text of --help or --usage to stdout; name is "synthbench
 * COMMAND". */
void options_help(const struct command *c, const char *name);
void options_usage(const struct command *c, const char *name);

/* options_rows lists every row of a command, including those of groups, and
 * returns their number. */
enum { OPTIONS_MOST = 64 };

struct opt_row {
    const struct opt *opt;
    size_t            at;  /* offset in the command's struct    */
    char             *doc; /* text for --help, with the default */
};

int options_rows(struct opt_row row[OPTIONS_MOST], const struct command *c,
                 struct arena *memory);

/*
 * Reads seeds: "3" is seeds 1, 2, 3; "4,7" those two; "4..7" is 4, 5, 6, 7;
 * lists and ranges can be combined.  *out lists the *n seeds in this order,
 * each once, 0 to 2^32 - 1; it lives in `memory`.  Returns ERR_USAGE if the
 * text is invalid.
 */
enum { SEEDS_MOST = 10000 };
int seeds_read(long long **out, int *n, const char *text, struct arena *memory);
