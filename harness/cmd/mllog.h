/*
 * mllog: a finished cell as MLPerf's training log (mlcommons/logging): a line
 * an event, ":::MLLOG " and a JSON object of namespace, time_ms, event_type,
 * key, value and metadata.
 *
 *     submission_benchmark "TASK/ROW/SCALE", seed, global_batch_size (metadata:
 *     unit, "examples" or "tokens"), opt_name, train_samples, eval_samples;
 *     run_start; eval_accuracy at each validation (metadata: step_num, metric
 *     "ce", nats a token, lower is better); a metric of the test set each, by
 *     its own name; run_stop
 *
 * A cell stores when it ended and how long training and evaluation took, not
 * when each validation was: times between are by the share of steps, and their
 * metadata says "time_estimated": true.
 */
#pragma once

#include "harness/print/sheet.h"
#include "harness/report/report.h"
#include "harness/store/cell.h"

/* Appends its lines.  ERR_STORE: the cell lacks what every cell has. */
int mllog_put(struct sheet *s, const struct report_cell *c,
              struct cell_reader *r);
