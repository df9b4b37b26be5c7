#include "harness/nn/decode.h"

#include "harness/base/err.h"
#include "harness/nn/cache.h"

#include <string.h>

static const struct rng_key no_key;

/* The tape forgets the encoder's output at each position: keep a copy. */
static tensor *encode(const struct model *m, struct tape *t, struct arena *a,
                      const int *source, const int *length, int b, int n)
{
    tape_begin(t, TAPE_EVAL, no_key, 0, 0);
    tensor *x = model_encode(m, t, source, length, b, n);
    tensor *kept = arena_zero(a, sizeof *kept);
    size_t bytes = tensor_len(x) * sizeof(real);

    *kept = (tensor){.nd = 3, .dim = {b, n, x->dim[2]}};
    kept->x = arena_take(a, bytes);
    t->be->put(kept->x, x->x, bytes);
    return kept;
}

static int most_probable(const real *x, int n)
{
    int best = 0;

    for (int i = 1; i < n; i++)
        best = x[i] > x[best] ? i : best;
    return best;
}

void decode_greedy(const struct model *m, struct tape *t, struct arena *a,
                   const int *source, const int *length, int b, int n,
                   const int *limit, int cap, int start, int eos, int *out,
                   int *count)
{
    tensor *memory = encode(m, t, a, source, length, b, n);
    struct cache *cache = cache_new(a, t->be, b, cap);
    int *last = arena_take(a, (size_t)b * sizeof *last), open = b;

    REQUIRE(cap <= model_config(m)->N, "%d positions of %d", cap,
            model_config(m)->N);
    memset(count, 0, (size_t)b * sizeof *count);
    for (int i = 0; i < b; i++)
        last[i] = start;
    for (int at = 0; at < cap && open; at++) {
        struct window w = {.from = at, .keys = cap, .causal = 1,
                           .cache = cache};

        tape_begin(t, TAPE_EVAL, no_key, 0, 0);
        cache_begin(cache);
        tensor *logits = model_logits(m, t, model_decode(m, t, last, b, 1, &w,
                                                         memory, length));
        int v = tensor_last(logits);
        open = 0;
        for (int i = 0; i < b; i++) {
            int *row = out + (size_t)i * (size_t)cap;

            last[i] = most_probable(logits->x + (size_t)i * (size_t)v, v);
            if (count[i] == at && at < limit[i] &&
                (at == 0 || row[at - 1] != eos))
                row[count[i]++] = last[i];
            open += count[i] == at + 1 && at + 1 < limit[i] && last[i] != eos;
        }
    }
}
