/* drawn: figures of a store in which no two numbers are the same (distinct.h),
 * of a classifier's task, whose quality is accuracy, and a generated one's. */
#pragma once

#include "plots/figure.h"
#include "tests/support/distinct.h"

extern const char *const drawn_tasks[]; /* end with NULL */
extern char             *drawn_folder;  /* the store     */

/* For cmocka: draws the figures, which end with NULL; drawn_end removes it. */
int drawn_begin(const struct figure *const *figure);
int drawn_end(void **state);

/* FOLDER/FIGURE_TASK.SUFFIX; the caller frees. */
void drawn_contents(char **out, const char *figure, const char *task,
                    const char *suffix);
