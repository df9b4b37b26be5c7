/* front: Pareto's, of points with a cost and a quality, a front for each set
 * of points that can be held against each other. */
#pragma once

/* Which is better of x and y: +1 the greater, -1 the less.  on[i]: 1 where no
 * other point of its set is as good in both and better in one. */
struct front { int better_x, better_y; };

void front_find(const struct front *f, const double *x, const double *y,
                const int *set, int n, int *on);
