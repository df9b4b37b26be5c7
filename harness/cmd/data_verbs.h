/* data_verbs: what `synthbench data` does with official files. */
#ifndef CMD_DATA_VERBS_H
#define CMD_DATA_VERBS_H

#include "harness/base/json.h"
#include "harness/cmd/command.h"
#include "harness/corpora/corpus.h"

int data_show(const struct options *o);  /* the rows of a split         */
int data_check(const struct options *o); /* files against what they hold */
int data_where(const struct options *o); /* which files, and from where */

json_t *data_json(const struct field *row);
json_t *data_skipped_json(const struct skipped *k);

#endif
