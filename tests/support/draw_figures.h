/* draw_figures: draws figures of the store of distinct.h, in which all numbers
 * differ, for a classification task (quality: accuracy) and a generation task.
 * */
#pragma once

#include "plots/figure.h"
#include "tests/support/distinct.h"

extern const char *const drawn_tasks[]; /* ends with NULL */
extern char             *drawn_folder;  /* the store     */

/* Set-up for cmocka: draws the figures, a list that ends with NULL. drawn_end
 * removes them. */
int drawn_begin(const struct figure *const *figure);
int drawn_end(void **state);

/* Reads FOLDER/FIGURE_TASK.SUFFIX into *out. The caller frees it. */
void drawn_contents(char **out, const char *figure, const char *task,
                    const char *suffix);
