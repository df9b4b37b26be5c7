/* Saves the state of an unfinished cell in checkpoints and loads it, for
 * train.c. */
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/nn/checkpoint.h"
#include "harness/train/provenance.h"
#include "harness/train/run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 5, OWNER = 64 };

/* A checkpoint, ready to be written or read. */
struct state {
    struct arena *memory;
    char          base[PATH_MAX], id[OWNER];
    struct block  block[BLOCKS];
    struct checkpoint_of of; /* identifies the cell, its data, its start and
                                this program */
};

static struct block block_of(struct state *s, const struct trainer *t,
                             const real *x, size_t n)
{
    return (struct block){(void *)backend_read(t->be, x, n, s->memory),
                          n * sizeof *x};
}

/* Writes the digest of what the cell's id does not cover: the pretrained
 * weights with which training starts, and the values chosen by the cell's
 * trials.  Both may have changed since the checkpoint was written. */
static void start_of(const struct run *r, char hex[HASH_HEX])
{
    const char *chosen = r->env->choice ? r->env->choice->chosen : "";
    struct sha256_ctx *sha = hash_new();

    hash_add(sha, r->start_sha256, strlen(r->start_sha256) + 1);
    hash_add(sha, chosen, strlen(chosen));
    hash_end(sha, hex);
}

static void state_open(struct state *s, struct run *r)
{
    struct trainer *t = &r->trainer;

    s->memory = arena_new();
    s->block[0] = block_of(s, t, t->params.flat, t->params.learned);
    s->block[1] = block_of(s, t, t->optim.state, t->optim.values);
    s->block[2] = (struct block){r->history, sizeof *r->history};
    s->block[3] = (struct block){r->first, sizeof *r->first};
    s->block[4] = (struct block){r->changes, sizeof *r->changes};
    snprintf(s->base, PATH_MAX, "%s/%s", r->env->folder, r->env->id);
    char began[HASH_HEX];
    start_of(r, began);
    snprintf(s->id, sizeof s->id, "%.16s on %.24s from %.12s", r->env->id,
             r->data.digest, began);
    if (!*r->build)
        provenance_build(r->build);
    s->of = (struct checkpoint_of){s->id, r->build};
}

/* ---- ranks ---- */

/* Returns OK if `hex` is the same on all ranks.  Otherwise returns `code` with
 * a message that names the first rank whose `hex` differs. */
static int same(const struct run *r, const char *hex, int code,
                const char *what)
{
    struct ranks *all = r->env->ranks;
    int n = ranks_n(all);
    OWNED(free) char *of = calloc((size_t)n, HASH_HEX);

    snprintf(of + ranks_me(all) * HASH_HEX, HASH_HEX, "%s", hex);
    ranks_gather(all, of, HASH_HEX);
    for (int i = 1; i < n; i++)
        if (strcmp(of, of + i * HASH_HEX))
            return err_set(code, "rank %d has %s %.16s, rank 0 has %.16s", i,
                           what, of + i * HASH_HEX, of);
    return OK;
}

int run_same_data(const struct run *r)
{
    return same(r, r->data.digest, ERR_DATA, "data of this task with digest");
}

/* Returns OK if all ranks resume from the same step, else ERR_STORE. */
static int same_step(const struct run *r, uint64_t step)
{
    char text[HASH_HEX];

    snprintf(text, sizeof text, "%llu", (unsigned long long)step);
    return same(r, text, ERR_STORE, "a checkpoint of step");
}

int run_save(struct run *r, uint64_t step)
{
    struct state s;

    trainer_gather(&r->trainer);
    if (ranks_me(r->env->ranks) > 0) {
        r->saved = (long)step; /* rank 0 writes it */
        return OK;
    }
    PASS(run_may_commit(r)); /* fails if another runner owns the files */
    phases_count(&r->history->phases);
    state_open(&s, r);
    int rc = checkpoint_save(s.base, s.of, step, s.block, BLOCKS);
    arena_free(s.memory);
    trainer_thin(&r->trainer);
    if (rc == OK)
        r->saved = (long)step;
    return rc;
}

/* Copies block `b`, which was read from a checkpoint, to `x`, which may be in
 * the memory of a GPU.  Does nothing if the block was read directly into
 * `x`. */
static void put_back(const struct trainer *t, real *x, const struct block *b)
{
    if (b->data != x)
        t->be->put(x, b->data, b->bytes);
}

int run_load(struct run *r, uint64_t *step)
{
    struct trainer *t = &r->trainer;
    struct history *h = r->history;
    struct phases own = h->phases; /* of this process */
    struct state s;

    h->phases = (struct phases){0};
    state_open(&s, r);
    if (checkpoint_load(s.base, s.of, step, s.block, BLOCKS)) {
        struct progress p = {.phase = "data", .of = 1, .loss = NAN,
                             .remark = err_last()};

        r->env->tell(r->env->arg, &p);
    }
    phases_add(&own, &h->phases);
    h->phases = own;
    put_back(t, t->params.flat, &s.block[0]);
    put_back(t, t->optim.state, &s.block[1]);
    trainer_thin(t);
    arena_free(s.memory);
    if (*step > (uint64_t)r->c.steps || h->evals < 0 || h->evals > EVALS ||
        h->tokens < 0 || r->changes->n < 0 || r->changes->n > WATCH_CHANGES)
        return err_set(ERR_STORE, "%s: its checkpoint has impossible values; "
                       "remove %s.*.ckpt", r->env->id, s.base);
    r->saved = (long)*step;
    return same_step(r, *step);
}

int run_may_commit(const struct run *r)
{
    return r->env->may_commit ? r->env->may_commit(r->env->arg) : OK;
}

void run_look(struct run *r)
{
    double now = clock_seconds();

    if (r->looked > 0)
        r->gap = fmax(r->gap, now - r->looked);
    r->looked = now;
}
