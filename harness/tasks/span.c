#include "harness/tasks/span.h"

#include "harness/base/owned.h"
#include "harness/base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DENSITY = 0.15, MEAN = 3;
enum { SEED = 20210718, SITE_NOISE = 0, SITE_KEPT = 1 };

/* Returns the shape of a text of `text` ids.  Halves are rounded to even, as in
 * T5. */
static struct span_shape shape_of(int text)
{
    struct span_shape s = {.text = text};

    s.noise = (int)nearbyint(text * DENSITY);
    s.noise = s.noise < 1 ? 1 : s.noise;
    s.spans = (int)nearbyint(s.noise / MEAN);
    s.spans = s.spans < 1 ? 1 : s.spans;
    s.source = text - s.noise + s.spans + 1;
    s.target = s.noise + s.spans + 1;
    return s;
}

struct span_shape span_shape(int length)
{
    struct span_shape s = shape_of(2);

    for (;;) {
        struct span_shape longer = shape_of(s.text + 1);

        if (longer.source > length)
            return s;
        s = longer;
    }
}

static int ascending(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Divides n items into `parts` non-empty parts and sets cut[i] to the end of
 * part i.  Every division has equal probability. */
static void segments(int *cut, int n, int parts, struct rng_key key,
                     struct arena *a)
{
    int *order = arena_take(a, (size_t)n * sizeof *order);

    rng_shuffle(key, n - 1, order);
    qsort(order, (size_t)parts - 1, sizeof *order, ascending);
    for (int i = 0; i < parts - 1; i++)
        cut[i] = order[i] + 1;
    cut[parts - 1] = n;
}

void span_corrupt(int *source, int *target, const int *ids,
                  const struct span_shape *shape, int vocab)
{
    OWNED(arena_free) struct arena *scratch = arena_new();
    size_t bytes = (size_t)shape->spans * sizeof(int);
    int *noise = arena_take(scratch, bytes), *kept = arena_take(scratch, bytes);
    struct rng_key key = {SEED, RNG_DATA, SITE_NOISE,
                          hash_fnv1a(ids, (size_t)shape->text * sizeof *ids)};

    segments(noise, shape->noise, shape->spans, key, scratch);
    key.step = SITE_KEPT;
    segments(kept, shape->text - shape->noise, shape->spans, key, scratch);
    for (int i = 0; i < shape->spans; i++) {
        int stay = kept[i] - (i ? kept[i - 1] : 0);
        int hide = noise[i] - (i ? noise[i - 1] : 0);

        memcpy(source, ids, (size_t)stay * sizeof *ids);
        source += stay;
        *source++ = *target++ = vocab - 1 - i;
        memcpy(target, ids + stay, (size_t)hide * sizeof *ids);
        target += hide;
        ids += stay + hide;
    }
    *source = *target = ID_EOS;
}
