#include "harness/train/train.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/nn/checkpoint.h"
#include "harness/train/run.h"
#include "harness/train/weights.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t run_stride(const struct run *r)
{
    return (r->c.steps + CURVE - 1) / CURVE;
}

/* ---- progress: in units of one example through the model forward ---- */

enum { BACKWARD = 3, DECODE = 8 }; /* a step, a decoded example: how many */

static double work_train(const struct run *r, double steps)
{
    return BACKWARD * steps * r->c.batch;
}

static double work_all(const struct run *r)
{
    double test = r->data.split[SPLIT_TEST].n;

    return work_train(r, r->c.steps) +
           (double)r->c.evals * r->data.split[SPLIT_VALID].n + test +
           (r->data.kind == TASK_TRANSDUCE ? DECODE * test : 0);
}

static void tell(const struct run *r, const char *phase, long done, long of,
                 double loss, double work)
{
    struct progress p = {phase, done, of, loss, work / work_all(r)};

    r->env->tell(r->env->arg, &p);
}

/* ---- checkpoints ---- */

enum { BLOCKS_OF_RUN = 4 };

static void blocks(struct run *r, struct block b[BLOCKS_OF_RUN])
{
    struct trainer *t = &r->trainer;
    size_t bytes = t->params.learned * sizeof(real);

    b[0] = (struct block){t->params.flat, bytes};
    b[1] = (struct block){t->optim.state,
                          t->optim.values * sizeof *t->optim.state};
    b[2] = (struct block){r->history, sizeof *r->history};
    b[3] = (struct block){r->first, sizeof *r->first};
}

static void base_name(const struct run *r, char base[PATH_MAX])
{
    snprintf(base, PATH_MAX, "%s/%s", r->env->folder, r->env->id);
}

/* Whose state it is: this cell's, on these data. */
enum { OWNER = 48 };
static const char *owner(const struct run *r, char out[OWNER])
{
    snprintf(out, OWNER, "%.16s on %.24s", r->env->id, r->data.digest);
    return out;
}

static int save(struct run *r, uint64_t step)
{
    struct block b[BLOCKS_OF_RUN];
    char base[PATH_MAX], id[OWNER];

    blocks(r, b);
    base_name(r, base);
    return checkpoint_save(base, owner(r, id), step, b, BLOCKS_OF_RUN);
}

static uint64_t load(struct run *r)
{
    struct block b[BLOCKS_OF_RUN];
    char base[PATH_MAX], id[OWNER];
    uint64_t step;

    blocks(r, b);
    base_name(r, base);
    checkpoint_load(base, owner(r, id), &step, b, BLOCKS_OF_RUN);
    return step;
}

/* ---- the loop ---- */

static int validate(struct run *r, uint64_t steps)
{
    struct history *h = r->history;
    struct arena *a = arena_new();
    double began = clock_seconds();
    struct scores s;
    int rc;

    TRY(evaluate(&s, &r->trainer, &r->data, SPLIT_VALID, a, NULL));
    h->at[h->evals] = (int64_t)steps;
    h->ce[h->evals++] = scores_cross_entropy(&s);
    h->eval_seconds += clock_seconds() - began;
out:
    arena_free(a);
    return rc;
}

/* Is the validation set due after this many steps?  `evals` times a run,
 * evenly, the last time at the end. */
static int due(const struct run *r, uint64_t steps)
{
    uint64_t all = (uint64_t)r->c.steps, n = (uint64_t)r->c.evals;

    return steps * n / all != (steps - 1) * n / all;
}

static int one_step(struct run *r, uint64_t step, struct arena *a, double *loss)
{
    struct history *h = r->history;
    double began = clock_seconds();
    int64_t stride = run_stride(r);
    struct batch b;

    arena_reset(a);
    batch_train(&b, &r->data, r->c.seed, r->c.batch, step, a);
    *loss = trainer_step(&r->trainer, &b, step);
    h->seconds += clock_seconds() - began;
    h->tokens += b.targets;
    if (!isfinite(*loss))
        return err_set(ERR_DIVERGED, "diverged: the loss of step %llu is "
                       "%s; lower schedule.scale or raise schedule.warmup",
                       (unsigned long long)step + 1,
                       isnan(*loss) ? "not a number" : "infinite");
    if ((int64_t)step / stride < CURVE)
        h->loss[(int64_t)step / stride] += *loss / (double)stride;
    return OK;
}

static int train(struct run *r)
{
    struct arena *a = arena_new();
    double saved = clock_seconds(), told = 0, loss = NAN;
    uint64_t step = load(r), steps = (uint64_t)r->c.steps;
    int rc = OK;

    if (step == 0 && r->env->from)
        TRY(weights_read(&r->trainer.params, &r->data, r->env->from));
    if (step == 0)
        watch_run(r->first, &r->trainer, &r->data);
    for (; step < steps; step++) {
        double now = clock_seconds();
        int stop = *r->env->stop;

        if (stop || now - saved > r->c.checkpoint_seconds) {
            TRY(save(r, step));
            saved = now;
        }
        if (stop) {
            rc = err_set(ERR_STOPPED, "stopped after step %llu of %llu",
                         (unsigned long long)step, (unsigned long long)steps);
            goto out;
        }
        TRY(one_step(r, step, a, &loss));
        if (now - told > 0.5) {
            tell(r, "train", (long)step + 1, r->c.steps, loss,
                 work_train(r, (double)step + 1) +
                     (double)r->history->evals * r->data.split[SPLIT_VALID].n);
            told = now;
        }
        if (due(r, step + 1))
            TRY(validate(r, step + 1));
    }
    TRY(save(r, steps)); /* a kill while testing costs no training */
out:
    arena_free(a);
    return rc;
}

static void told_decoding(void *arg, long done)
{
    struct run *r = arg;
    long n = r->data.split[SPLIT_TEST].n;

    tell(r, "decode", done, n, NAN, work_all(r) - DECODE * (double)(n - done));
}

static int test(struct run *r)
{
    double began = clock_seconds();
    int rc;

    tell(r, "test", 0, r->data.split[SPLIT_TEST].n, NAN,
         work_train(r, r->c.steps));
    TRY(evaluate(&r->test, &r->trainer, &r->data, SPLIT_TEST, r->memory,
                 r->env->stop));
    if (r->data.kind == TASK_TRANSDUCE)
        TRY(evaluate_decode(&r->test, &r->trainer, &r->data, SPLIT_TEST,
                            r->memory, r->env->stop, told_decoding, r));
    watch_run(r->last, &r->trainer, &r->data);
    r->history->eval_seconds += clock_seconds() - began;
out:
    return rc;
}

struct task_opts train_data(const struct config *c, const char *cache,
                            const char *files)
{
    return (struct task_opts){.official = !strcmp(c->scale, "full"),
                              .synthetic = c->synthetic, .N = c->model.N,
                              .length = c->length, .vocab = c->vocab,
                              .train = c->train, .valid = c->valid,
                              .test = c->test, .cache = cache,
                              .files = files};
}

static int open_data(struct run *r)
{
    struct config *c = &r->c;
    struct task_opts o = train_data(c, r->env->cache, r->env->files);
    int rc = task_open(&r->data, r->task, &o);

    if (rc < 0)
        return rc;
    for (int s = 0; s < SPLITS; s++)
        if (r->data.split[s].n < (s == SPLIT_TRAIN ? c->batch : 1))
            return err_set(ERR_DATA, "%s: %d %s examples of length %d are too "
                           "few for batch %d", r->task->name,
                           r->data.split[s].n, split_name[s], c->length,
                           c->batch);
    r->data.start = c->start;
    c->model.vocab = r->data.vocab;
    c->model.classes = r->data.classes;
    return OK;
}

static int keep_weights(struct run *r)
{
    char *path = weights_path(r->env->store, r->env->id);
    int rc = weights_write(&r->trainer.params, &r->data, path, r->env->id,
                           r->env->config);

    free(path);
    return rc;
}

int train_cell(const struct config *c, const struct mix *mix,
               const struct task *task, const struct train_env *env)
{
    struct run r = {.c = *c, .mix = mix, .task = task, .env = env,
                    .memory = arena_new()};
    int rc, opened = 0;

    r.history = arena_zero(r.memory, sizeof *r.history);
    r.first = arena_zero(r.memory, sizeof *r.first);
    r.last = arena_zero(r.memory, sizeof *r.last);
    REQUIRE(c->evals <= EVALS, "%d evaluations of %d", c->evals, EVALS);
    TRY(open_data(&r));
    tell(&r, "data", 0, 1, NAN, 0);
    TRY(file_mkdirs(env->folder));
    trainer_open(&r.trainer, &r.c, mix, NULL);
    opened = 1;
    TRY(train(&r));
    TRY(test(&r));
    if (task->pretrains)
        TRY(keep_weights(&r));
    TRY(record_write(&r));
out:
    if (opened)
        trainer_close(&r.trainer);
    dataset_close(&r.data);
    arena_free(r.memory);
    return rc;
}
