#include "harness/data/buckets.h"

#include "harness/base/err.h"

#include <stdlib.h>

enum { SHORTEST = 8, TIMES = 3 };
#define STEP 1.1

/* Returns the greatest highly composite number up to `most`. */
static int composite(int most)
{
    OWNED(free) int *divisors = calloc((size_t)most + 1, sizeof *divisors);
    int best = 1;

    for (int d = 1; d <= most; d++)
        for (int x = d; x <= most; x += d)
            divisors[x]++;
    for (int x = 2; x <= most; x++)
        best = divisors[x] > divisors[best] ? x : best;
    return best;
}

static int divisor(int of, int most)
{
    while (of % most)
        most--;
    return most;
}

void buckets_make(struct buckets *b, int tokens, int devices, int longest)
{
    int own = tokens / devices;

    REQUIRE(own >= 1 && longest >= 1, "%d tokens for %d devices, length %d",
            tokens, devices, longest);
    *b = (struct buckets){.longest = longest};
    for (int x = SHORTEST, next; x < longest; x = next) {
        REQUIRE(b->n < BUCKETS - 1, "more than %d buckets", BUCKETS);
        next = (int)(STEP * x) > x ? (int)(STEP * x) : x + 1;
        b->rows[b->n] = own / x;
        b->most[b->n++] = x - 1;
    }
    b->rows[b->n] = own / longest;
    b->most[b->n++] = longest;
    int window = composite(TIMES * (b->rows[0] ? b->rows[0] : 1));
    for (int k = 0; k < b->n; k++) {
        int rows = b->rows[k] ? b->rows[k] : 1;

        b->rows[k] = divisor(window, rows) * devices;
    }
}

int buckets_of(const struct buckets *b, int length)
{
    int k = 0;

    while (k < b->n && length > b->most[k])
        k++;
    return k < b->n ? k : -1;
}
