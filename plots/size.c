/* size: draws quality against the number of learned parameters. */
#include "plots/figure.h"
#include "plots/scatter.h"

static const struct scatter scatter = {
    .name = "size",
    .cost = "params",
    .axis = "learned parameters",
    .title = "Quality against size",
    .better = -1,
};

static int render(const struct report *r, const struct output *to)
{
    return scatter_render(&scatter, r, to);
}

const struct figure figure_size = {
    .name = "size",
    .title = "Test quality against learned parameters",
    .render = render,
};
