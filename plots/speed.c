/* speed: draws quality against the training steps per second on this
 * machine. */
#include "plots/figure.h"
#include "plots/scatter.h"

static const struct scatter scatter = {
    .name = "speed",
    .cost = "steps_per_s",
    .axis = "training steps per second",
    .title = "Quality against speed",
    .better = 1,
};

static int render(const struct report *r, const struct output *to)
{
    return scatter_render(&scatter, r, to);
}

const struct figure figure_speed = {
    .name = "speed",
    .title = "Test quality against training steps per second",
    .render = render,
};
