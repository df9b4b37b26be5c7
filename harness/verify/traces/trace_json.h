/*
 * trace_json: the settings of a trace as the JSON text that its file carries:
 * one object; the keys of optimizer and schedule stand in objects of that name.
 */
#ifndef VERIFY_TRACE_JSON_H
#define VERIFY_TRACE_JSON_H

#include "harness/verify/traces/trace_config.h"

/* Caller frees. */
char *trace_json(const struct config *c, const struct mix *mix);

/* Back from a text, whoever wrote it: all required keys, none unknown.
 * `steps` is how many the file holds.  ERR_USAGE. */
int trace_json_read(struct config *c, struct mix *mix, const char *text,
                    int steps);

#endif
