#include "harness/metrics/lcs.h"

#include "harness/base/arena.h"

enum step { TAKE, SHORTEN_A, SHORTEN_B };

/* Returns t[m][n] of lcs.h.  `row` (n) is zero at the start and holds
 * t[i][1..n] after step i.  Unless `steps` (m,n) is NULL, sets it to the choice
 * made for each t[i][j]. */
static size_t fill(unsigned char *steps, const int *a, size_t m, const int *b,
                   size_t n, size_t *row)
{
    for (size_t i = 0; i < m; i++) {
        size_t corner = 0, left = 0; /* t[i-1][j-1], t[i][j-1] */

        for (size_t j = 0; j < n; j++) {
            size_t above = row[j];
            enum step s = a[i] == b[j]   ? TAKE
                          : left > above ? SHORTEN_B
                                         : SHORTEN_A;

            left = s == TAKE ? corner + 1 : s == SHORTEN_B ? left : above;
            row[j] = left;
            corner = above;
            if (steps)
                steps[i * n + j] = (unsigned char)s;
        }
    }
    return n ? row[n - 1] : 0;
}

size_t lcs_length(const int *a, size_t m, const int *b, size_t n,
                  struct arena *scratch)
{
    size_t *row = arena_zero(scratch, (n + 1) * sizeof *row);

    return fill(NULL, a, m, b, n, row);
}

void lcs_mark(char *member, const int *a, size_t m, const int *b, size_t n,
              struct arena *scratch)
{
    unsigned char *steps = arena_take(scratch, m * n + 1);
    size_t *row = arena_zero(scratch, (n + 1) * sizeof *row);

    fill(steps, a, m, b, n, row);
    for (size_t i = m, j = n; i && j;) {
        enum step s = steps[(i - 1) * n + j - 1];

        if (s == TAKE)
            member[i - 1] = 1;
        i -= s != SHORTEN_B;
        j -= s != SHORTEN_A;
    }
}
