/*
 * running: English text without end, for language models.  Source packages in
 * random order, of each the sentences of its long descriptions in their order,
 * every sentence once.  Splits by source package: 5 % validation, 5 % test; a
 * sentence of an earlier split (training first) does not come again.
 */
#ifndef TASKS_RUNNING_H
#define TASKS_RUNNING_H

#include "harness/tasks/recipe.h"

/* One item a sentence, in `target`. */
void running_text(struct items out[SPLITS], const struct texts *t);

#endif
