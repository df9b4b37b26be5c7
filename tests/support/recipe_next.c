#include "tests/support/recipe_next.h"

#undef DATA_RECIPE_VERSION
#define DATA_RECIPE_VERSION 1000
#define recipe_open recipe_next_open
#include "harness/tasks/recipe.c"
