#include "harness/train/watch.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/train/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 16 }; /* sentences whose attention is measured */

static const char *const places[] = {"encoder", "decoder", "cross"};

/* Returns 0 if row i of sentence b is padding, else 1.  In cross-attention
 * a->length is the length of the keys, so all rows count as tokens. */
static int is_token(enum tape_place place, const struct attend *a, size_t b,
                    size_t i)
{
    return place == TAPE_CROSS || !a->length || i < (size_t)a->length[b];
}

/* ---- weights ---- */

static void see_row(struct watched *w, const real *p, int m)
{
    double entropy = 0;

    for (int j = 0; j < m; j++) {
        double x = (double)p[j];

        if (x <= 0)
            continue; /* masked, or rounded to 0 */
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
    int once = attend_once(a);
    size_t b = once ? 1 : (size_t)a->b, n = (size_t)a->n;

    sentence_weights(&w->sentence, place, layer, a, p);
    for (size_t i = 0; i < (size_t)a->h * b * n && layer < WATCH_LAYERS; i++)
        if (is_token(place, a, i / n % b, i % n))
            see_row(&w->place[place][layer], p + i * (size_t)a->m, a->m);
}

static void see_scores(void *arg, enum tape_place place, int layer,
                       const struct attend *a, const real *x)
{
    struct watch *w = arg;

    sentence_scores(&w->sentence, place, layer, a, x);
}

/* Runs the model on up to `rows` validation examples of median length.  Returns
 * the index of the first example. */
static int show(const struct trainer *t, const struct dataset *d, int rows)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct loss loss = {.scale = 1};
    struct batch b;

    int n = d->split[SPLIT_VALID].n, first = n > rows ? (n - rows) / 2 : 0;
    batch_eval(&b, d, SPLIT_VALID, first, rows, a);
    struct input in = batch_rows(&b, 0, b.b);
    tape_begin(t->tape[0], TAPE_EVAL, (struct rng_key){0}, 0, 0);
    model_loss(t->lane[0].model, t->tape[0], &in, &loss);
    return b.index[0];
}

void watch_run(struct watch *out, const struct trainer *t,
               const struct dataset *d)
{
    struct tape *tape = t->tape[0];

    memset(out, 0, sizeof *out);
    tape->watch = see;
    tape->logits = see_scores;
    tape->watch_arg = out;
    out->sentence.example = show(t, d, ROWS);
    tape->watch = tape->logits = NULL;
}

static int put_bins(struct cell_writer *w, const char *group)
{
    OWNED(free) char *path = str_format("%s/bin", group);
    double least[WATCH_BINS] = {0};

    for (int k = 1; k < WATCH_BINS; k++)
        least[k] = pow(10, (double)k * WATCH_DECADES / WATCH_BINS -
                           WATCH_DECADES);
    return cell_put_array(w, path, "1", least, WATCH_BINS);
}

static int put_watched(struct cell_writer *w, const char *group,
                       const struct watched *x)
{
    OWNED(free) char *path = str_format("%s/histogram", group);

    PASS(cell_put_ints(w, path, "count per quarter decade from 1e-6", x->bin,
                       WATCH_BINS));
    PASS(cell_put_real(w, group, "entropy_nats", x->entropy / (double)x->rows));
    return put_bins(w, group);
}

int watch_put(struct cell_writer *w, const char *when, const struct watch *x)
{
    for (int p = 0; p < 3; p++)
        for (int l = 0; l < WATCH_LAYERS && x->place[p][l].rows; l++) {
            OWNED(free) char *group = str_format("attention/%s/%s.%d", when,
                                                 places[p], l);

            PASS(put_watched(w, group, &x->place[p][l]));
        }
    return OK;
}

/* ---- logits ---- */

/* Returns 1 if row number `row` is selected.  A hash of the row number selects
 * about `some` of `rows` rows. */
static int picked(size_t row, size_t rows, size_t some)
{
    uint32_t hash = (uint32_t)row * UINT32_C(2654435761); /* Knuth 6.4 */

    return (uint64_t)hash * rows < (uint64_t)some << 32;
}

static void keep_row(struct kept *k, const real *x, int n)
{
    ARRAY_MORE(k->x, k->n, k->cap, (size_t)n);
    memcpy(k->x + k->n, x, (size_t)n * sizeof *x);
    k->n += (size_t)n;
}

/* If the scores are the same for all sentences, keeps them only once. */
void logits_keep(void *arg, enum tape_place place, int layer,
                 const struct attend *a, const real *x)
{
    struct logits *l = arg;
    size_t b = a->shared && !a->length ? 1 : (size_t)a->b, n = (size_t)a->n;
    size_t m = (size_t)a->m, rows = (size_t)a->h * b * n;

    for (size_t r = 0; r < rows && layer < WATCH_LAYERS; r++) {
        size_t i = r % n, of = r / n % b, h = r / n / b;
        const real *row = x + (a->shared ? h * n + i : r) * m;

        if (is_token(place, a, of, i) && picked(r, rows, WATCH_LOGITS / m + 1))
            keep_row(&l->place[place][layer], row,
                     attend_visible(a, (int)of, (int)i));
    }
}

void logits_read(struct logits *out, const struct trainer *t,
                 const struct dataset *d)
{
    struct tape *tape = t->tape[0];
    int rows = step_rows(t->c) / t->c->shards;

    memset(out, 0, sizeof *out);
    tape->logits = logits_keep;
    tape->watch_arg = out;
    show(t, d, rows > ROWS ? ROWS : rows > 0 ? rows : 1);
    tape->logits = NULL;
}

void logits_free(struct logits *l)
{
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < WATCH_LAYERS; i++)
            free(l->place[p][i].x);
}

int changes_due(uint64_t t, uint64_t steps)
{
    return !(t & (t - 1)) || t == steps;
}

static double change(const struct kept *from, const struct kept *to)
{
    double sum = 0;

    REQUIRE(from->n == to->n, "%zu logits, then %zu", from->n, to->n);
    for (size_t i = 0; i < to->n; i++) {
        double x = (double)to->x[i] - (double)from->x[i];

        sum += x * x;
    }
    return to->n ? sqrt(sum / (double)to->n) : 0;
}

void changes_add(struct logit_changes *m, uint64_t t,
                 const struct logits *before, const struct logits *after)
{
    REQUIRE(m->n < WATCH_CHANGES, "%d changes", WATCH_CHANGES);
    for (int p = 0; p < 3; p++)
        for (int l = 0; l < WATCH_LAYERS; l++) {
            const struct kept *to = &after->place[p][l];

            m->logits[p][l] = (int64_t)to->n;
            m->rms[p][l][m->n] = change(&before->place[p][l], to);
        }
    m->step[m->n++] = (int64_t)t;
}

int64_t changes_fault(const struct logit_changes *m, double *value)
{
    for (int64_t i = 0; i < m->n; i++)
        for (int p = 0; p < 3; p++)
            for (int l = 0; l < WATCH_LAYERS; l++) {
                *value = m->rms[p][l][i];
                if (!isfinite(*value))
                    return m->step[i];
            }
    return 0;
}

int changes_put(struct cell_writer *w, const struct logit_changes *m)
{
    for (int p = 0; p < 3; p++)
        for (int l = 0; l < WATCH_LAYERS && m->logits[p][l]; l++) {
            char step[64], rms[64];

            snprintf(step, sizeof step, "attention/moves/%s.%d/step",
                     places[p], l);
            snprintf(rms, sizeof rms, "attention/moves/%s.%d/rms", places[p],
                     l);
            PASS(cell_put_ints(w, step, "1", m->step, (size_t)m->n));
            PASS(cell_put_array(w, rms, "1", m->rms[p][l], (size_t)m->n));
        }
    return OK;
}
