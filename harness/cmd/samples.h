/*
 * samples: test examples of a finished cell, source, reference and output.
 * As JSON:
 *
 *     {"schema_version": 1, "id", "samples": [{"example", "source",
 *      "reference", "output", "nll"}]}
 *
 * What a task does not have is null; a label is a number.
 */
#ifndef CMD_SAMPLES_H
#define CMD_SAMPLES_H

#include "harness/plan/plan.h"

/* n examples of the selected cell, evenly spread over its test set; all of
 * them if there are fewer.  ERR_EMPTY: it is not done; ERR_STORE. */
int samples_show(const struct plan *p, int n, const char *format);

#endif
