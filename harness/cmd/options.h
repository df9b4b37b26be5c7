/* options: every option of every verb, in one table, read by argp. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "harness/cmd/command.h"

/* argv[0] is "synthbench VERB".  ERR_USAGE: there is no such option, whole
 * names count.  Another wrong one ends the program with exit code 2 and a hint;
 * --help and --usage end it with 0. */
int  options_read(struct options *out, const struct command *c, int argc,
                  char **argv);
void options_close(struct options *o);

#endif
