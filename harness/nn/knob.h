/*
 * knob: a setting of some variants alone, declared in the file of one of them:
 *
 *     static const struct key knobs[] = {
 *         {.name = "temperature", .type = &key_real, .initial = "1",
 *          .low = 0.01, .high = 100, .help = "divides the scores"},
 *         {.name = NULL}};
 *
 * beside the formula that reads knob_value(c, &knobs[0]).  It is then in `list
 * keys`, in experiment files, in -S, in traces and, where it is not at its
 * default, in ids.  With KNOB(field) it fills a field of model_config, and
 * others may read that; without, it is kept in model_config.own.
 */
#pragma once

#include "harness/nn/model_config.h"

#include <stddef.h>

#define KNOB(field)                                                           \
    .offset = offsetof(struct model_config, field),                           \
    .size = sizeof(((struct model_config *)0)->field)

/* ERR_USAGE, as the key's type; the value as JSON, which the caller frees. */
int   knob_set(const struct key *k, struct model_config *c, const char *text);
char *knob_json(const struct key *k, const struct model_config *c);

/* Of a knob without a field (int, real, bool, enum: its index). */
double knob_value(const struct model_config *c, const struct key *k);
