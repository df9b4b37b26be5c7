/* front: finds the Pareto front of points with a cost and a quality.  Points
 * of different sets are not compared; each set has its own front. */
#pragma once

/* +1 if a greater x (y) is better, -1 if a smaller one is. */
struct front { int better_x, better_y; };

/* Sets on[i] to 1 if no other point of the set of point i is as good in both
 * coordinates and better in one, or else to 0.  x, y, set, on: [n]. */
void front_find(const struct front *f, const double *x, const double *y,
                const int *set, int n, int *on);
