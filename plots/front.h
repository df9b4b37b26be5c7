/* front: finds the Pareto front of points with a cost x and a quality y.  The
 * points are divided into sets; points of different sets are not compared, and
 * each set has its own front.  Figures call front_find. */
#pragma once

/* better_x is +1 if greater x are better, or -1 if smaller x are; better_y
 * likewise for y. */
struct front { int better_x, better_y; };

/* Sets on[i] to 1 if point i is on the front of its set, else to 0.  A point is
 * on the front if no other point of the set is at least as good in both
 * coordinates and better in one.  The arrays `x`, `y`, `set` and `on` have
 * length n. */
void front_find(const struct front *f, const double *x, const double *y,
                const int *set, int n, int *on);
