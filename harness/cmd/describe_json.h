/* describe_json: makes the JSON objects that describe.h defines, for describe()
 * to print. */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/describe.h"

struct published;
struct results;

/* Returns the object of a cell.  `published` is NULL if no cell has the full
 * scale. */
json_t *describe_cell(const struct plan *p, enum detail d,
                      const struct published *published, const struct cell *c,
                      const struct results *r);

/* For the selected cells, describe_uncompared returns the tasks that are
 * reported but not compared, describe_contrasts the contrasts of the
 * experiment, and describe_guessed the assumptions about the cells. */
json_t *describe_uncompared(const struct plan *p);
json_t *describe_contrasts(const struct plan *p);
json_t *describe_guessed(const struct plan *p);
