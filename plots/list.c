#include "plots/figure.h"

#include "harness/base/names.h"

#include <stddef.h>

#define FIGURE(name) extern const struct figure figure_##name;
#include "plots/list.h"
#undef FIGURE

const struct figure *const figure_all[] = {
#define FIGURE(name) &figure_##name,
#include "plots/list.h"
#undef FIGURE
    NULL};

NAMES_FIND(figure, "synthbench list figures")
