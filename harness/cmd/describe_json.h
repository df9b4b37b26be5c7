/* describe_json: what describe.h says of a plan, as JSON. */
#pragma once

#include "harness/base/json.h"
#include "harness/cmd/describe.h"

struct published;
struct results;

/* published: NULL, no cell is of the full scale. */
json_t *describe_cell(const struct plan *p, enum detail d,
                      const struct published *published, const struct cell *c,
                      const struct results *r);

/* Tasks that are run and not compared, and guesses, of the selection. */
json_t *describe_uncompared(const struct plan *p);
json_t *describe_contrasts(const struct plan *p);
json_t *describe_guessed(const struct plan *p);
