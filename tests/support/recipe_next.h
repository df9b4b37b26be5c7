/* recipe_next: recipe_open as in a program whose task_version differs. */
#pragma once

#include "harness/tasks/recipe.h"

int recipe_next_open(struct dataset *out, const struct task *t,
                     const struct task_opts *o);
int recipe_next_prepared(struct dataset *out, const struct task *t,
                         const struct task_opts *o);
int recipe_next_counts(int n[SPLITS], const struct task *t,
                       const struct task_opts *o);
