/* recipe_next: recipe_open of a program whose DATA_RECIPE_VERSION is another
 * one. */
#ifndef TESTS_RECIPE_NEXT_H
#define TESTS_RECIPE_NEXT_H

#include "harness/tasks/recipe.h"

int recipe_next_open(struct dataset *out, const struct task *t,
                     const struct task_opts *o);

#endif
