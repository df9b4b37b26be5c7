#include "plots/front.h"

/* Returns 1 if point j is at least as good as point i in both coordinates and
 * better in one. */
static int beats(const struct front *f, const double *x, const double *y, int j,
                 int i)
{
    double in_x = f->better_x * (x[j] - x[i]);
    double in_y = f->better_y * (y[j] - y[i]);

    return in_x >= 0 && in_y >= 0 && (in_x > 0 || in_y > 0);
}

void front_find(const struct front *f, const double *x, const double *y,
                const int *set, int n, int *on)
{
    for (int i = 0; i < n; i++) {
        on[i] = 1;
        for (int j = 0; j < n; j++)
            on[i] &= set[j] != set[i] || !beats(f, x, y, j, i);
    }
}
