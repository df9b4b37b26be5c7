#include "harness/train/evaluate.h"

#include "harness/base/err.h"
#include "harness/nn/decode.h"
#include "harness/train/scores.h"

#include <math.h>
#include <omp.h>

static const struct rng_key no_key;

static void *zeros(struct arena *a, int n, size_t size)
{
    return arena_zero(a, (size_t)n * size);
}

/* Runs one batch through the model and sums losses and correct tokens for each
 * example. */
static void score_tokens(struct scores *out, const struct model *m,
                         struct tape *t, const struct batch *b, struct arena *a)
{
    struct input in = batch_rows(b, 0, b->b);
    size_t cells = (size_t)b->b * (size_t)b->m;
    struct loss loss = {.scale = 1,
                        .nll = arena_take(a, cells * sizeof(double)),
                        .hit = arena_take(a, cells)};

    model_loss(m, t, &in, &loss);
    for (int i = 0; i < b->b; i++) {
        int e = b->index[i];

        out->tokens[e] = b->target_length[i] - b->prompt[i];
        for (int j = b->prompt[i]; j < b->target_length[i]; j++) {
            out->nll[e] += loss.nll[i * b->m + j];
            out->hits[e] += loss.hit[i * b->m + j];
        }
    }
}

static void score_labels(struct scores *out, const struct model *m,
                         struct tape *t, const struct batch *b)
{
    tensor *y = model_classify(m, t, b->source, b->source_length, b->b, b->n);
    const real *x = tensor_read(t->be, y, t->nodes);
    int classes = tensor_last(y);

    for (int i = 0; i < b->b; i++) {
        const real *row = x + i * classes;
        int e = b->index[i], best = 0;
        double sum = 0;

        for (int c = 1; c < classes; c++)
            best = row[c] > row[best] ? c : best;
        for (int c = 0; c < classes; c++)
            sum += exp((double)row[c] - (double)row[best]);
        out->nll[e] = log(sum) + (double)row[best] - (double)row[b->label[i]];
        out->hits[e] = best == b->label[i];
        out->guess[e] = best;
        out->tokens[e] = 1;
    }
}

/* ---- batches and threads ---- */

/* State that the threads of an evaluation share. */
struct sharing {
    struct scores        *out;
    const struct trainer *t;
    const struct dataset *d;
    enum split            split;
    struct arena         *keep;
    struct follower       f;
    long                  done; /* examples                 */
    char                 *mine; /* (n) 1: done by this rank */
};

static int stopped(const struct sharing *s) { return s->f.stop && *s->f.stop; }

/* Records a finished batch.  Called by one thread at a time.  The reported
 * progress assumes that all ranks have finished about the same share. */
static void advance(struct sharing *s, const struct batch *b)
{
    for (int i = 0; i < b->b; i++)
        s->mine[b->index[i]] = 1;
    s->done += (long)b->b * s->t->share.n;
    s->done = s->done < s->out->n ? s->done : s->out->n;
    if (s->f.tell)
        s->f.tell(s->f.arg, s->done);
}

/* Evaluates the batches of thread `mine`.  Batch i belongs to rank i mod n, and
 * the threads of a rank take its batches in turn. */
static void some_batches(struct sharing *s, int mine)
{
    const struct trainer *t = s->t;
    int ranks = t->share.n, first = t->share.me + mine * ranks;
    OWNED(arena_free) struct arena *a = arena_new();
    struct tape *tape = t->tape[mine];
    const struct model *m = t->lane[mine].model;

    t->be->thread_begin();
    for (int at = first * EVAL_ROWS; at < s->out->n && !stopped(s);
         at += t->threads * ranks * EVAL_ROWS) {
        struct batch b;

        arena_reset(a);
        batch_eval(&b, s->d, s->split, at, EVAL_ROWS, a);
        tape_begin(tape, TAPE_EVAL, no_key, 0, 0);
        if (s->d->kind == TASK_CLASSIFY)
            score_labels(s->out, m, tape, &b);
        else
            score_tokens(s->out, m, tape, &b, a);
        #pragma omp critical(evaluated)
        advance(s, &b);
    }
}

int evaluate(struct scores *out, const struct trainer *t,
             const struct dataset *d, enum split split, struct arena *a,
             const struct follower *f)
{
    int n = d->split[split].n;
    OWNED(free) char *mine = calloc((size_t)n + 1, 1);
    struct sharing s = {.out = out, .t = t, .d = d, .split = split,
                        .mine = mine};

    if (f)
        s.f = *f;
    *out = (struct scores){.n = n,
                           .nll = zeros(a, n, sizeof *out->nll),
                           .hits = zeros(a, n, sizeof *out->hits),
                           .tokens = zeros(a, n, sizeof *out->tokens)};
    if (d->kind == TASK_CLASSIFY)
        out->guess = zeros(a, n, sizeof *out->guess);
    trainer_ready(t);
    #pragma omp parallel for num_threads(t->threads) schedule(static, 1)
    for (int i = 0; i < t->threads; i++)
        some_batches(&s, i);
    trainer_rest(t);
    return scores_share(out, &t->share, mine, stopped(&s))
               ? err_set(ERR_STOPPED, "stopped while evaluating") : OK;
}

double scores_cross_entropy(const struct scores *s)
{
    double nll = 0;
    long tokens = 0;

    for (int i = 0; i < s->n; i++) {
        nll += s->nll[i];
        tokens += s->tokens[i];
    }
    return nll / (double)tokens;
}

static void keep_best(struct scores *out, const struct dataset *d, int e,
                      const struct hypothesis *h, struct arena *keep)
{
    for (int i = 0; i < out->nbest; i++) {
        int at = e * out->nbest + i;

        out->best[at] = dataset_text(d, h[i].id, h[i].n, keep);
        out->score[at] = h[i].n ? h[i].score : NAN;
    }
    out->text[e] = out->best[e * out->nbest];
}

static void keep_batch(struct sharing *r, const struct batch *b,
                       const struct hypothesis *h)
{
    #pragma omp critical(decoded)
    {
        for (int i = 0; i < b->b; i++)
            keep_best(r->out, r->d, b->index[i], h + i * r->t->c->beam,
                      r->keep);
        advance(r, b);
    }
}

int decode_limit(int source, int N)
{
    return source + 50 < N ? source + 50 : N;
}

static void decode_batch(struct sharing *r, int mine,
                         const struct batch *b, struct arena *scratch)
{
    const struct config *c = r->t->c;
    int *limit = arena_take(scratch, (size_t)b->b * sizeof *limit);
    struct decoding s = {.source = b->source, .length = b->source_length,
                         .b = b->b, .n = b->n, .limit = limit,
                         .start = r->d->start, .eos = ID_EOS, .beam = c->beam,
                         .alpha = c->alpha};
    struct hypothesis *h = zeros(scratch, b->b * c->beam, sizeof *h);

    for (int i = 0; i < b->b; i++)
        limit[i] = decode_limit(b->source_length[i], c->model.N);
    decode(r->t->lane[mine].model, r->t->tape[mine], &s, scratch, scratch, h);
    keep_batch(r, b, h);
}

/* Decodes batches in one thread.  Each time, takes the next batch that no
 * thread of this rank has begun. */
static void decode_some(struct sharing *r, int mine)
{
    OWNED(arena_free) struct arena *scratch = arena_new();

    r->t->be->thread_begin();
    #pragma omp for schedule(dynamic, 1)
    for (int at = r->t->share.me * DECODE_ROWS; at < r->out->n;
         at += r->t->share.n * DECODE_ROWS) {
        struct batch b;

        if (stopped(r))
            continue;
        arena_reset(scratch);
        batch_eval(&b, r->d, r->split, at, DECODE_ROWS, scratch);
        decode_batch(r, mine, &b, scratch);
    }
}

int evaluate_decode(struct scores *out, const struct trainer *t,
                    const struct dataset *d, enum split split,
                    struct arena *a, const struct follower *f)
{
    OWNED(free) char *mine = calloc((size_t)out->n + 1, 1);
    struct sharing s = {.out = out, .t = t, .d = d, .split = split, .keep = a,
                        .mine = mine};

    if (f)
        s.f = *f;
    out->nbest = t->c->nbest;
    out->text = zeros(a, out->n, sizeof *out->text);
    out->best = zeros(a, out->n * out->nbest, sizeof *out->best);
    out->score = zeros(a, out->n * out->nbest, sizeof *out->score);
    trainer_ready(t);
    #pragma omp parallel num_threads(t->threads)
    decode_some(&s, omp_get_thread_num());
    trainer_rest(t);
    return scores_share_texts(out, &t->share, mine, stopped(&s), a)
               ? err_set(ERR_STOPPED, "stopped while decoding") : OK;
}
