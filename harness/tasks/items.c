#include "harness/tasks/items.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/rng.h"
#include "harness/corpora/corpus.h"

enum { SEED = 20210718 };

int items_each(const struct items *s, items_taker *take, void *to)
{
    int rc = OK;

    for (int i = 0; i < s->n && rc == OK; i++)
        rc = take(to, &s->item[i]);
    return rc == CORPUS_ENOUGH ? OK : rc;
}

void items_add(struct items *s, struct item item)
{
    ARRAY_ROOM(s->item, s->n, s->cap);
    s->item[s->n++] = item;
}

void items_shuffle(struct items *s, const char *name)
{
    struct rng_key key = {SEED, RNG_DATA, 0, hash_name(name)};

    rng_shuffle_rows(key, s->n, s->item, sizeof *s->item);
}
