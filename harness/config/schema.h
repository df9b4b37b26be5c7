/*
 * schema: JSON Schema (draft 2020-12) of experiment files, for editors that
 * complete and check YAML.  Settings, variants, tasks and scales come from the
 * program's own tables; what the schema cannot say (rules between settings,
 * rows of contrasts) experiment_read checks.
 */
#pragma once

#include "harness/base/json.h"

/* The schema; the caller frees it with json_decref. */
json_t *schema_experiment(void);
