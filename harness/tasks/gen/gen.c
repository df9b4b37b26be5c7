#include "harness/tasks/gen/gen.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"

#include <math.h>

enum {
    SEED = GEN_SEED,
    LENGTH_MIN = 4,
    SITE_CHAIN = 16,
    SITE_POSITIONS = 32
};

const int gen_examples[SPLITS] = {8192, 512, 512};
const double gen_weight[GEN_PERMS] = {0.60, 0.25, 0.10, 0.05};

void gen_positions(int *pi, int n)
{
    rng_shuffle((struct rng_key){SEED, RNG_DATA, 0, SITE_POSITIONS}, n, pi);
}

void gen_chain(struct gen_chain *c, int symbols, struct arena *a)
{
    c->symbols = symbols;
    for (int k = 0; k < GEN_PERMS; k++) {
        struct rng_key key = {SEED, RNG_DATA, (uint32_t)k, SITE_CHAIN};
        int *next = arena_take(a, (size_t)symbols * sizeof *next);

        rng_shuffle(key, symbols, next);
        c->next[k] = next;
    }
}

int gen_step(const struct gen_chain *c, int from, double u)
{
    int k = 0;

    while (k < GEN_PERMS - 1 && u >= gen_weight[k])
        u -= gen_weight[k++];
    return c->next[k][from];
}

/* If several permutations map i to j, their weights add up. */
double gen_chance(const struct gen_chain *c, int i, int j)
{
    double p = 0;

    for (int l = 0; l < GEN_PERMS; l++)
        if (c->next[l][i] == j)
            p += gen_weight[l];
    return p;
}

double gen_entropy(const struct gen_chain *c)
{
    double h = 0;

    for (int i = 0; i < c->symbols; i++)
        for (int k = 0; k < GEN_PERMS; k++)
            h -= gen_weight[k] * log(gen_chance(c, i, c->next[k][i]));
    return h / c->symbols;
}

int gen_leader(const int *ids, int n, int classes, int margin)
{
    int count[GEN_CLASSES] = {0}, first = 0, second = 0;

    for (int t = 0; t < n; t++)
        count[(ids[t] - ID_FIRST) % classes]++;
    for (int c = 1; c < classes; c++)
        first = count[c] > count[first] ? c : first;
    for (int c = 0; c < classes; c++)
        if (c != first && count[c] > second)
            second = count[c];
    return count[first] - second >= margin ? first : -1;
}

enum split gen_split(uint64_t hash)
{
    uint64_t part = hash % 8;

    return part == 0 ? SPLIT_VALID : part == 1 ? SPLIT_TEST : SPLIT_TRAIN;
}

int gen_check(const struct task_opts *o)
{
    if (o->length < LENGTH_MIN || o->length > o->N)
        return err_set(ERR_USAGE, "length %d is not in %d .. N (%d)", o->length,
                       LENGTH_MIN, o->N);
    if (o->vocab < GEN_VOCAB)
        return err_set(ERR_USAGE, "vocab %d is less than %d", o->vocab,
                       GEN_VOCAB);
    return OK;
}
