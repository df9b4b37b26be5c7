#include "tests/support/recipe_next.h"

#define task_version(t, o) 1000
#define recipe_open recipe_next_open
#define recipe_prepared recipe_next_prepared
#define recipe_counts recipe_next_counts
#include "harness/tasks/recipe.c"
