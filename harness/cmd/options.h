/* options: reads the command line of a verb with argp, as the verb's rows say
 * (command.h). */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "harness/cmd/command.h"

struct parsed {
    void         *given; /* the verb's struct      */
    struct arguments  args;  /* what is no option      */
    struct arena *memory; /* of both               */
};

/* argv[0] is "synthbench VERB".  ERR_USAGE: there is no such option, whole
 * names count.  Another wrong one ends the program with exit code 2 and a hint;
 * --help and --usage end it with 0. */
int  options_read(struct parsed *out, const struct command *c, int argc,
                  char **argv);
void options_close(struct parsed *p);
OWNER_OF_VALUE(options_close, struct parsed)

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

#endif
