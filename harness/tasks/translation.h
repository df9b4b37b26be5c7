/*
 * translation: sentence pairs of package descriptions for the tasks of
 * translation.  Splits by source package: 5 % validation, 5 % test.  Templates
 * ("This package contains the documentation for ...") cross packages, so a
 * validation or test pair whose English side occurred before, in training above
 * all, is left out.
 */
#ifndef TASKS_TRANSLATION_H
#define TASKS_TRANSLATION_H

#include "harness/tasks/recipe.h"

/* The source is English, the target is the foreign text. */
void translation_pairs(struct items out[SPLITS], const struct texts *t);

#endif
