/* legend: the lines of a picture in an order, told beside it. */
#pragma once

#include "plots/picture.h"

struct legend_line {
    int         number;   /* of the variant, from 1; keeps its colour in every
                             picture                                         */
    const char *variant;
    const char *told;     /* behind its name                                 */
    double      at;       /* its place: the least first, equals as they come */
};

/* Sorts them, and sets for gnuplot: n; of each, from 1 on, seriesI (number),
 * variantI and entryI. */
void legend_put(struct picture *p, struct legend_line *line, int n);

/* Sets `order`, above the legend: "lowest first on this seed, still learning".
 * seeds: behind each line, at most; unsettled: report/learning.h. */
void legend_say(struct picture *p, const char *order, int seeds, int unsettled);
