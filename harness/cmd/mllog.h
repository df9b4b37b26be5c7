/*
 * mllog: writes a finished cell as a training log of MLPerf
 * (mlcommons/logging), one line per event: ":::MLLOG " and a JSON object of
 * namespace, time_ms, event_type, key, value and metadata.  cmd_export.c calls
 * it.
 *
 * The keys are, in this order:
 *
 *     submission_benchmark "TASK/ROW/SCALE", seed, global_batch_size (metadata:
 *     unit, "examples" or "tokens"), opt_name, train_samples, eval_samples;
 *     run_start; eval_accuracy at each validation (metadata: step_num, metric
 *     "ce", nats per token, lower is better); each metric of the test set, by
 *     its own name; run_stop
 *
 * A cell stores when it ended and how long training and evaluation took, but
 * not the time of each validation.  These times are estimated in proportion to
 * the training steps, and their metadata has "time_estimated": true.
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"

/* Appends the lines of a cell to the sheet.  Returns ERR_STORE if the cell
 * lacks a required value. */
int mllog_put(struct sheet *s, const struct report_cell *c,
              struct cell_reader *r);
