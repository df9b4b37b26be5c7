/* data_verbs: declares the subcommands of `synthbench data` for official data,
 * each defined in its file data_NAME.c. */
#pragma once

#include "harness/cmd/command.h"
#include "harness/corpora/corpus.h"

extern const struct command data_show;  /* the rows of a split     */
extern const struct command data_check; /* completeness of files   */
extern const struct command data_where; /* files, and their origin */
