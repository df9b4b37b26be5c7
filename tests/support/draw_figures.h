/* draw_figures: draws figures from the store of distinct.h, in which all
 * numbers differ, for a classification task (whose quality is accuracy) and a
 * generation task. */
#pragma once

#include "plots/figure.h"
#include "tests/support/distinct.h"

extern const char *const drawn_tasks[]; /* ends with NULL */
extern char             *drawn_folder;  /* the store     */

/* drawn_begin is a set-up for cmocka that draws the figures of a list, which
 * ends with NULL. drawn_end removes the figures. */
int drawn_begin(const struct figure *const *figure);
int drawn_end(void **state);

/* Reads FOLDER/FIGURE_TASK.SUFFIX into *out. The caller frees it. */
void drawn_contents(char **out, const char *figure, const char *task,
                    const char *suffix);
