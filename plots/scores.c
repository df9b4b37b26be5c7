/* scores: draws heat maps of R, the attention scores that do not depend on the
 * input, before and after training. */
#include "plots/figure.h"
#include "plots/heat.h"

static const struct heat heat = {
    .name = "scores",
    .title = "R before and after training",
    .note = "blue: positive; orange: negative; after +-: the variant's "
            "largest absolute value, drawn darkest",
    .start = "scores_start",
    .end = "scores_end",
    .rows = "scores_rows",
    .keys = "scores_keys",
    .scores = 1,
};

static int render(const struct report *r, const struct output *to)
{
    return heat_render(&heat, r, to);
}

const struct figure figure_scores = {
    .name = "scores",
    .title = "Heat maps of R, the scores of random variants, before and after "
             "training",
    .render = render,
};
