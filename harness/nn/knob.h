/*
 * knob: a setting that only some variants have.  A variant declares its knobs
 * in its own file and reads them with knob_value(c, &knobs[0]):
 *
 *     static const struct key knobs[] = {
 *         {.name = "temperature", .type = &key_real, .initial = "1",
 *          .low = 0.01, .high = 100, .help = "divides the scores"},
 *         {.name = NULL}};
 *
 * `list keys`, experiment files, -S and traces then support the knob, and cell
 * ids depend on it if it is not at its default.  With KNOB(field) the value is
 * stored in a field of model_config, which other files can read; otherwise the
 * value is stored in model_config.own.
 */
#pragma once

#include "harness/nn/model_config.h"

#include <stddef.h>

#define KNOB(field)                                                           \
    .offset = offsetof(struct model_config, field),                           \
    .size = sizeof(((struct model_config *)0)->field)

/* knob_set sets a knob to the value that `text` contains.  Returns ERR_USAGE if
 * the type of the key rejects the text, or if more than KNOBS knobs without a
 * field would be set.  knob_json returns the value as JSON, which the caller
 * frees. */
int   knob_set(const struct key *k, struct model_config *c, const char *text);
char *knob_json(const struct key *k, const struct model_config *c);

/* Returns the value of a knob without a field.  Its type is int, real, bool or
 * enum (the index of the choice). */
double knob_value(const struct model_config *c, const struct key *k);
