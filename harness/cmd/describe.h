/*
 * describe: the selected cells of a plan, for people and as JSON:
 *
 *     {"schema_version": 1, "cells": [{"id", "variant", "task", "scale",
 *      "seed", "params", "flops_per_step", "bytes", "seconds", "status",
 *      "reason", "saved": step or null, ...}], "others": finished cells
 *      besides, "uncompared": [tasks that the experiment runs and does not
 *      compare], "contrasts": [store/contrast.h], "guessed": [texts,
 *      store/guess.h]}
 *
 * DESCRIBE_PLAN adds {"placement": {"cores", "processors", "granted_by" (null:
 * nobody granted less), "affinity", "cells_at_a_time", "machine": {"sockets",
 * "nodes", "cores", "processors"}, "bound": [{"node", "processors", "cells"}],
 * "unbound_because" (null: what fits is bound)}}.
 * DESCRIBE_RESULTS adds {"metrics": {NAME: number or null}, "seconds_spent",
 * "message", "queued": {"job": "12_3", "state", "reason"} of Slurm or null,
 * "worse_than_blind": true, false or null (report/blind_baseline.h)},
 * DESCRIBE_ALL also {"config": {...}, "weights_sha256",
 * "provenance": {...}, "timing": {...}, "file"}.
 */
#pragma once

#include "harness/plan/plan.h"

enum detail { DESCRIBE_PLAN, DESCRIBE_RESULTS, DESCRIBE_ALL };

/* Prints the cells; `format`: text or json.  The plan has been looked at.  Text
 * has the sums first; if there are more cells than fit a screen and `all` is 0,
 * it has a line for each task and for each cell that failed, runs or is
 * damaged; of a single cell (DESCRIBE_ALL), it has the main facts.  Returns an
 * exit code: 5 if a cell file is damaged; that was said on stderr, and all the
 * others are described. */
int describe(const struct plan *p, enum detail d, const char *format, int all);

/* Says on stderr which of the selected cells, that were not done when the plan
 * was looked at and are now, do worse than what sees no input. */
void describe_blind(const struct plan *p);
