/* flops: draws quality against the floating-point operations of a training
 * step, forward and backward, as the program counts them (train/cost.c). */
#include "plots/figure.h"
#include "plots/scatter.h"

static const struct scatter scatter = {
    .name = "flops",
    .cost = "flops_per_step",
    .axis = "floating-point operations per training step",
    .title = "Quality against operations",
    .better = -1,
};

static int render(const struct report *r, const struct output *to)
{
    return scatter_render(&scatter, r, to);
}

const struct figure figure_flops = {
    .name = "flops",
    .title = "Test quality against floating-point operations of training",
    .render = render,
};
