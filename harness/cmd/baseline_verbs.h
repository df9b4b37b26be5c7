/* baseline_verbs: declares the subcommands of `synthbench baseline`, each
 * defined in its file baseline_NAME.c, and their common functions.  A baseline
 * is a file of accepted results (gate/baseline.h). */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/command.h"
#include "harness/gate/baseline.h"

extern const struct command baseline_save, baseline_list, baseline_show,
    baseline_diff;

/* baseline_path sets *out to FOLDER/NAME.tsv, and returns ERR_USAGE if NAME is
 * not a valid name.  baseline_named also reads that file.  The caller frees the
 * path. */
int baseline_path(char **out, const char *folder, const char *name);
int baseline_named(struct baseline **out, char **path, const char *folder,
                   const char *name);

/* Returns the size in bytes of the file NAME.examples.h5 next to the baseline
 * at `path`, which has its results per test example, or NAN if there is
 * none. */
double baseline_bytes(const char *path);

/* baseline_value_text returns a value as text, or "-" if `v` is NULL;
 * baseline_value_json returns it as JSON, or null. */
const char *baseline_value_text(struct arena *a,
                                const struct baseline_value *v);
json_t     *baseline_value_json(const struct baseline_value *v);
