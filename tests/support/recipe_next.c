#include "tests/support/recipe_next.h"

#define task_version(t, o) 1000
#define recipe_open recipe_next_open
#include "harness/tasks/recipe.c"
