/* baseline_verbs: what `synthbench baseline` does, a subject each:
 * baseline_NAME.c. */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/command.h"
#include "harness/gate/baseline.h"

extern const struct command baseline_save, baseline_list, baseline_show,
    baseline_diff;

/* FOLDER/NAME.tsv.  ERR_USAGE: it is no name of a baseline. */
int baseline_path(char **out, const char *folder, const char *name);
int baseline_named(struct baseline **out, char **path, const char *folder,
                   const char *name);

/* Of the test examples beside the baseline at `path`; NAN: there are none. */
double baseline_bytes(const char *path);

/* As people and programs read a value; NULL: "-", null. */
const char *baseline_value_text(struct arena *a,
                                const struct baseline_value *v);
json_t     *baseline_value_json(const struct baseline_value *v);
