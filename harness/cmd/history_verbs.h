/* history_verbs: declares the subcommands of `synthbench history`, each defined
 * in its file history_NAME.c, and their common functions. */
#pragma once

#include "harness/cmd/command.h"
#include "harness/history/history.h"

extern const struct command history_show, history_plot;

/* The options that select a history and the series in it. */
struct history_which { const char *file, *repository, *machine; };

extern const struct opt opts_history[]; /* --history, --repository */
extern const struct opt opts_machine[]; /* these and --machine     */

/* Reads the history and detects the changes in the series (history.h) of the
 * machine, the cell and the metric (NULL: any machine, cell or metric).
 * Empties all other series.  Returns ERR_EMPTY if the machine has no values, or
 * ERR_USAGE if there is no such cell or metric. */
int history_select(struct history **out, const struct history_which *of,
                   const char *cell, const char *metric);

/* Returns `what` without "metrics/" at its start: "ce" for "metrics/ce". */
const char *history_metric(const char *what);
enum { HISTORY_SHORT = 9 }; /* displayed digits of a commit */

/* Returns the text of a change: "3.1 -> 3.4 nats/token, 9.7 % worse". */
const char *history_text(struct arena *a, const struct history_series *s,
                         const struct history_change *c);

/* history_relative returns the relative change, or NAN for texts and changes
 * from 0.  history_better returns 1 if the change makes the value better, -1 if
 * it makes it worse, or 0 if neither direction is better.  For times and
 * memory, less is better. */
double history_relative(const struct history_change *c);
int    history_better(const struct history_series *s,
                      const struct history_change *c);
