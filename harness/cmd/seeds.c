#include "harness/cmd/options.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"

#include <string.h>

static int read_one(long long *out, const char *text)
{
    if (*text == '-' || str_to_int(text, out) || *out > RNG_SEED_MAX)
        return err_set(ERR_USAGE, "'%s' is not a seed: expected 0 to %lld, "
                                  "as in 4,7 or 4..7, or a number of seeds",
                       text, (long long)RNG_SEED_MAX);
    return OK;
}

static int add_seeds(long long *seed, int *n, long long first, long long last)
{
    if (last < first)
        return err_set(ERR_USAGE, "%lld..%lld: the first seed is greater "
                                  "than the last", first, last);
    if (last - first >= SEEDS_MOST - *n)
        return err_set(ERR_USAGE, "at most %d seeds", SEEDS_MOST);
    for (long long k = first; k <= last; k++) {
        for (int i = 0; i < *n; i++)
            if (seed[i] == k)
                return err_set(ERR_USAGE, "seed %lld occurs twice", k);
        seed[(*n)++] = k;
    }
    return OK;
}

int seeds_read(long long **out, int *n, const char *text,
               struct arena *memory)
{
    long long *seed = *out = arena_take(memory, SEEDS_MOST * sizeof *seed);
    char *list = arena_text(memory, text), *item;
    int is_list = strpbrk(text, ",.") != NULL;

    *n = 0;
    while (is_list && (item = strsep(&list, ","))) {
        char *dots = strstr(item, "..");
        long long first, last;

        if (dots)
            *dots = 0;
        PASS(read_one(&first, item));
        last = first;
        if (dots)
            PASS(read_one(&last, dots + 2));
        PASS(add_seeds(seed, n, first, last));
    }
    if (is_list)
        return OK;
    long long many;
    PASS(read_one(&many, text));
    if (many < 1 || many > SEEDS_MOST)
        return err_set(ERR_USAGE, "expected 1 to %d seeds, or a list of them "
                       "as in 4,7 or 4..7", SEEDS_MOST);
    return add_seeds(seed, n, 1, many);
}
