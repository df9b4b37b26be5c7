/* data_verbs: what `synthbench data` does with official files, a subject each:
 * data_NAME.c. */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/command.h"
#include "harness/corpora/corpus.h"

extern const struct command data_show;  /* the rows of a split          */
extern const struct command data_check; /* files against what they hold */
extern const struct command data_where; /* which files, and from where  */

/* What stands under a key; NULL and 0: nothing of the kind. */
static inline const char *data_text(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static inline long long data_integer(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}
