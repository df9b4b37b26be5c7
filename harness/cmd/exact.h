/* exact: long options by their whole names alone.  getopt takes --seed for
 * --seeds, and what was meant for one verb means another thing to the next. */
#ifndef CMD_EXACT_H
#define CMD_EXACT_H

#include <argp.h>

/* ERR_USAGE with the nearest name: an argument before "--" is a long option
 * that is neither among `known` (it ends with a name of NULL) nor --help,
 * --usage or --version.  argv[0] is not looked at. */
int exact_options(const struct argp_option *known, int argc, char **argv);

#endif
