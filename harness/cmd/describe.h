/*
 * describe: prints the selected cells of a plan, as text or JSON, for the
 * commands `plan`, `status`, `show` and `run`.
 *
 *     {"schema_version": 1, "cells": [{"id", "variant", "task", "scale",
 *      "seed", "params", "flops_per_step", "bytes", "seconds", "status",
 *      "reason", "saved": step or null, ...}], "others": number of
 *      finished cells of the store that are not selected, "uncompared": [tasks
 *      that the experiment trains without comparing], "contrasts":
 *      [store/contrast.h], "guessed": [texts, store/guess.h]}
 *
 * DESCRIBE_PLAN adds {"placement": {"cores", "processors", "granted_by" (null:
 * not restricted), "affinity", "cells_at_a_time", "machine": {"sockets",
 * "nodes", "cores", "processors"}, "bound": [{"node", "processors", "cells"}],
 * "unbound_because" (null: all cells that fit are bound)}}.  DESCRIBE_RESULTS
 * adds {"metrics": {NAME: number or null}, "seconds_spent", "message",
 * "queued": {"job": "12_3", "state", "reason"} of Slurm or null,
 * "worse_than_blind": true, false or null (report/references.h)}, describe_cell
 * (DESCRIBE_ALL) also adds {"config": {...}, "weights_sha256", "provenance":
 * {...}, "timing": {...}, "file"}.
 */
#pragma once

#include "harness/plan/plan.h"

enum detail { DESCRIBE_PLAN, DESCRIBE_RESULTS, DESCRIBE_ALL };

/* Prints the selected cells of a plan, which plan_look has examined: with
 * DESCRIBE_PLAN their estimates, with DESCRIBE_RESULTS their results.  `format`
 * is text or json.  The text begins with totals.  If the cells do not fit on a
 * screen and `all` is 0, the text has one line per task, and one line for each
 * cell that failed, is running or is damaged.  Returns an exit code, which is 5
 * if the file of a cell is damaged; the damage is reported on stderr, and the
 * other cells are printed. */
int describe(const struct plan *p, enum detail d, const char *format, int all);

/* Prints one cell.  If `all` is 0, the text has only the main facts.  Returns
 * an exit code as describe does. */
int describe_cell(const struct plan *p, const struct cell *c,
                  const char *format, int all);

/* Reports on stderr the selected cells that have finished since plan_look and
 * are worse than the input-blind baseline (report/references.h). */
void describe_blind(const struct plan *p);
