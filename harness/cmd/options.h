/* options: reads the command line of a command according to the command's rows
 * of options (command.h), and prints these rows as help.  main.c calls it. */
#pragma once

#include "harness/cmd/command.h"

struct parsed {
    void            *given; /* the command's struct */
    struct arguments args;  /* words that are not options */
    /* WORD_END, or WORD_HELP, WORD_USAGE or WORD_VERSION (argv.h) if an option
     * requests this; the words after that option were then not read. */
    int              request;
};

/* Reads the words from argv[1] on.  If a word is invalid, returns ERR_USAGE
 * with the word in the message and, if it is an unknown name, with the nearest
 * name.  `memory` owns all results. */
int options_read(struct parsed *out, const struct command *c, int argc,
                 char **argv, struct arena *memory);

/* Print the text of --help or --usage to stdout.  `name` is "synthbench
 * COMMAND". */
void options_help(const struct command *c, const char *name);
void options_usage(const struct command *c, const char *name);

/* options_rows sets row[] to all rows of options of a command, including those
 * of groups, and returns their number. */
enum { OPTIONS_MOST = 64 };

struct opt_row {
    const struct opt *opt;
    size_t            at;  /* offset in the command's struct    */
    char             *doc; /* text for --help, with the default */
};

int options_rows(struct opt_row row[OPTIONS_MOST], const struct command *c,
                 struct arena *memory);

/*
 * Reads seeds: "3" is seeds 1, 2 and 3; "4,7" is seeds 4 and 7; "4..7" is seeds
 * 4, 5, 6 and 7; lists and ranges can be combined.  Sets *out to the seeds (0
 * to 2^32 - 1) in the order of the text, each once, and *n to their number.
 * `memory` owns the list.  Returns ERR_USAGE if the text is invalid.
 */
enum { SEEDS_MOST = 10000 };
int seeds_read(long long **out, int *n, const char *text, struct arena *memory);
