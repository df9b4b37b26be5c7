#include "harness/train/watch.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 16 }; /* sentences: enough to see, cheap to do */

static void see_row(struct watched *w, const real *p, int m)
{
    double entropy = 0;

    for (int j = 0; j < m; j++) {
        double x = (double)p[j];

        if (x <= 0)
            continue; /* masked, or less than a float can hold */
        int bin = (int)floor((log10(x) + WATCH_DECADES) * WATCH_BINS /
                             WATCH_DECADES);
        w->bin[bin < 0 ? 0 : bin < WATCH_BINS ? bin : WATCH_BINS - 1]++;
        entropy -= x * log(x);
    }
    w->entropy += entropy;
    w->rows++;
}

static void see(void *arg, enum tape_place place, int layer,
                const struct attend *a, const real *p)
{
    struct watch *w = arg;
    int once = a->shared && !a->length && !a->kept;
    size_t b = once ? 1 : (size_t)a->b, n = (size_t)a->n;

    for (size_t i = 0; i < (size_t)a->h * b * n && layer < WATCH_LAYERS; i++) {
        size_t query = i % n; /* of padding: left out, where it is known */

        if (place == TAPE_CROSS || !a->length ||
            query < (size_t)a->length[i / n % b])
            see_row(&w->place[place][layer], p + i * (size_t)a->m, a->m);
    }
}

void watch_run(struct watch *out, const struct trainer *t,
               const struct dataset *d)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct tape *tape = t->tape[0];
    struct loss loss = {.scale = 1};
    struct batch b;

    memset(out, 0, sizeof *out);
    int n = d->split[SPLIT_VALID].n, first = n > ROWS ? (n - ROWS) / 2 : 0;
    batch_eval(&b, d, SPLIT_VALID, first, ROWS, a);
    struct input in = batch_rows(&b, 0, b.b);
    tape_begin(tape, TAPE_EVAL, (struct rng_key){0}, 0, 0);
    tape->watch = see;
    tape->watch_arg = out;
    model_loss(t->lane[0].model, tape, &in, &loss);
    tape->watch = NULL;
}

int watch_put(struct cell_writer *w, const char *when, const struct watch *x)
{
    static const char *const place[] = {"encoder", "decoder", "cross"};

    for (int p = 0; p < 3; p++)
        for (int l = 0; l < WATCH_LAYERS && x->place[p][l].rows; l++) {
            const struct watched *one = &x->place[p][l];
            char group[64], path[96];

            snprintf(group, sizeof group, "attention/%s/%s.%d", when, place[p],
                     l);
            snprintf(path, sizeof path, "%s/histogram", group);
            PASS(cell_put_ints(w, path, "count per quarter decade from 1e-6",
                               one->bin, WATCH_BINS));
            PASS(cell_put_real(w, group, "entropy_nats", one->entropy /
                               (double)one->rows));
        }
    return OK;
}
