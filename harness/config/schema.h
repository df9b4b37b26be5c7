/*
 * schema: generates the JSON Schema (draft 2020-12) of experiment files, for
 * editors that complete and check YAML.  Settings, variants and tasks come from
 * the tables of the program.  The schema cannot express rules between settings,
 * or which rows a contrast (store/contrast.h) can name; matrix_cells checks
 * these.
 */
#pragma once

#include "harness/base/json.h"

/* Returns the schema; the caller frees it with json_decref. */
json_t *schema_experiment(void);
