/* sentence: draws heat maps of each variant's attention on one sentence, after
 * training. */
#include "plots/figure.h"
#include "plots/heat.h"

static const struct heat heat = {
    .name = "sentence",
    .title = "Attention of one sentence after training",
    .note = "the weights of each row sum to 1",
    .end = "end",
    .rows = "rows",
    .keys = "keys",
};

static int render(const struct report *r, const struct output *to)
{
    return heat_render(&heat, r, to);
}

const struct figure figure_sentence = {
    .name = "sentence",
    .title = "Heat maps of one sentence's attention, by variant and head",
    .render = render,
};
