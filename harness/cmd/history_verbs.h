/* history_verbs: what the subcommands of `synthbench history` share.
 * cmd_history.c defines it, with the subcommands `add` and `show`. */
#pragma once

#include "harness/cmd/command.h"
#include "harness/history/history.h"

extern const struct command history_plot;

enum { HISTORY_SHORT = 9 }; /* displayed digits of a commit */

/* The options of all subcommands; each subcommand uses some of them.  OPT_AT
 * refers to this struct. */
struct given {
    const char *file, *repository, *machine, *store, *commit, *format, *output;
};

extern const struct opt history_machine_options[]; /* select the series */

/* Reads the history and selects the series (history.h) of the machines with
 * g->machine in their names (NULL: all), of the cell args->of[0] and of its
 * metric args->of[1] (absent: all cells; all metrics).  Detects the changes in
 * the selected series and empties all others.  Sets h->machine.  Returns
 * ERR_EMPTY if no series is from such a machine, or ERR_USAGE if these machines
 * lack the cell or the metric. */
int history_select(struct history **out, const struct given *g,
                   const struct arguments *args);

/* Returns `what` without "metrics/" at its start: "ce" for "metrics/ce". */
const char *history_metric(const char *what);

/* Returns the text `before`, such as " ", followed by the units of the series,
 * or "" if it has none. */
const char *history_units(const struct history_series *s, const char *before,
                          struct arena *a);
