/* data_verbs: what `synthbench data` does with official files, a subject each:
 * data_NAME.c; and rows as JSON. */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/command.h"
#include "harness/corpora/corpus.h"

extern const struct command data_show;  /* the rows of a split          */
extern const struct command data_check; /* files against what they hold */
extern const struct command data_where; /* which files, and from where  */

json_t *data_json(const struct field *row);
json_t *data_skipped_json(const struct skipped *k);

/* ... and what stands under a key; NULL and 0: nothing of the kind. */
const char *data_text(const json_t *row, const char *key);
long long   data_integer(const json_t *row, const char *key);
