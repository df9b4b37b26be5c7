/*
 * schema: JSON Schema (draft 2020-12) of experiment files, for editors that
 * complete and check YAML.  Settings, variants and tasks come from the tables
 * of the program.  Rules between settings and the rows of contrasts cannot be
 * expressed in the schema; matrix_cells checks them.
 */
#pragma once

#include "harness/base/json.h"

/* Returns the schema; the caller frees it with json_decref. */
json_t *schema_experiment(void);
