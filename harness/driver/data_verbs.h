/* data_verbs: what `synthbench data` does with official files. */
#ifndef DRIVER_DATA_VERBS_H
#define DRIVER_DATA_VERBS_H

#include "harness/base/json.h"
#include "harness/corpora/corpus.h"
#include "harness/driver/command.h"

int data_show(const struct options *o);  /* the rows of a split         */
int data_check(const struct options *o); /* files against what they hold */
int data_where(const struct options *o); /* which files, and from where */

const char *data_folder(const struct options *o); /* --data-dir, the cache */

json_t *data_json(const struct field *row);
json_t *data_skipped_json(const struct skipped *k);

#endif
