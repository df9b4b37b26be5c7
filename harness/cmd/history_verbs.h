/* history_verbs: what `synthbench history` does, a subject each:
 * history_NAME.c. */
#pragma once

#include "harness/cmd/command.h"
#include "harness/history/history.h"

extern const struct command history_show, history_plot;

/* Which history, and which of its series. */
struct history_which { const char *file, *repository, *machine; };

extern const struct opt opts_history[]; /* --history, --repository */
extern const struct opt opts_machine[]; /* the same and --machine  */

/* With the changes of those series that are of the machine, and of the cell
 * and the metric (NULL: any); others have no points.  ERR_EMPTY: none is of the
 * machine; ERR_USAGE: it has no such cell or metric. */
int history_select(struct history **out, const struct history_which *of,
                   const char *cell, const char *metric);

/* Returns "ce" of "metrics/ce". */
const char *history_metric(const char *what);
enum { HISTORY_SHORT = 9 }; /* digits of a commit that people see */

/* "3.1 -> 3.4 nats/token, 9.7 % worse" */
const char *history_text(struct arena *a, const struct history_series *s,
                         const struct history_change *c);

/* The relative change; NAN: of texts, or from 0.  1: better, -1: worse, 0:
 * nobody says.  Of times and memory, less is better. */
double history_relative(const struct history_change *c);
int    history_better(const struct history_series *s,
                      const struct history_change *c);
