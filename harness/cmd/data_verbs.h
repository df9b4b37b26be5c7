/* data_verbs: declares the subcommands of `synthbench data` for official data,
 * each defined in its file data_NAME.c, and their common functions. */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/command.h"
#include "harness/corpora/corpus.h"

extern const struct command data_show;  /* the rows of a split     */
extern const struct command data_check; /* completeness of files   */
extern const struct command data_where; /* files, and their origin */

/* Return the value of a key of `row`.  If the key is missing or has another
 * type, data_text returns NULL and data_integer returns 0. */
static inline const char *data_text(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static inline long long data_integer(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}
