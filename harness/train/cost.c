/*
 * Estimates the cost of a cell by running one step, one evaluation and the
 * decoding of a position on a backend that computes nothing.  Operations and
 * bytes come from the same calls that training makes, so the estimate and
 * training cannot diverge.  The values that no call reports were measured:
 * PROGRAM, RECORD, and the bytes of a product kernel.
 */
#include "harness/engine/cuda/cuda.h"
#include "harness/nn/cache.h"
#include "harness/train/evaluate.h"
#include "harness/train/step.h"
#include "harness/train/train.h"

#include <limits.h>
#include <math.h>
#include <string.h>

double train_speed(enum device d, enum precision p)
{
    if (d != DEVICE_CPU)
        return p == PRECISION_BF16 ? 140e12 : 25e12;
    return p == PRECISION_BF16 && backend_multiplies(p) ? 160e9 : 80e9;
}

/* Bytes that every worker touches: code and data of the program and of its
 * libraries, and what HDF5 needs to write the cell (Debian 12, x86-64). */
#define PROGRAM 23e6
#define RECORD 6.0e6

/* This share is added to the sum of everything else.  It covers the gaps that
 * allocators leave between blocks.  It is large enough that the estimate
 * exceeds every measurement. */
#define SLACK 0.12

/* Bytes of a training example in the lists of buckets (data/bucketed.c). */
enum { LISTS = 3 * sizeof(int) };

struct dry {
    const struct config *c;
    struct params        ps;
    struct model        *model;
    struct tape         *tape;
    struct arena        *memory;
    struct input         in;
    int                  longest; /* longest source */
};

static void dry_begin(struct dry *d, const struct config *c,
                      const struct mix *mix, const struct params *plan,
                      struct tape *t)
{
    d->c = c;
    d->tape = t;
    d->memory = arena_new();
    params_dry(&d->ps, plan);
    d->model = model_new(&c->model, mix, &d->ps);
}

static void dry_open(struct dry *d, const struct config *c,
                     const struct mix *mix, const struct params *plan,
                     int rows, double source, double target, struct tape *t)
{
    dry_begin(d, c, mix, plan, t);
    struct batch b = batch_alike(c, (int)ceil(source), (int)ceil(target), rows,
                                 d->memory);
    d->in = batch_rows(&b, 0, rows);
    d->longest = (int)source;
}

static void dry_close(struct dry *d)
{
    params_close(&d->ps);
    arena_free(d->memory);
}

static void begin(struct dry *d, enum tape_mode mode)
{
    tape_begin(d->tape, mode, (struct rng_key){0}, 0, d->c->model.dropout);
}

/* Runs the forward pass of one shard and, in training, the backward pass.
 * Returns the number of operations. */
static double run_loss(struct dry *d, enum tape_mode mode)
{
    struct loss loss = {.scale = 1};
    double before = d->tape->flops;

    begin(d, mode);
    tensor *root = model_loss(d->model, d->tape, &d->in, &loss);
    if (mode == TAPE_TRAIN)
        tape_backward(d->tape, root);
    return d->tape->flops - before;
}

/* Returns the operations of a shard.  If a lane has several shards, runs two,
 * because they need different products: the first shard of a lane writes the
 * gradients of the weights, and later shards add to them. */
static double run_shard(struct dry *d)
{
    params_blank(&d->ps);
    double flops = run_loss(d, TAPE_TRAIN);

    if (d->c->shards > d->c->lanes)
        run_loss(d, TAPE_TRAIN);
    return flops;
}

/* Returns the operations of a step with batches of kind `k`, as the sum over
 * its shards.  Shards with the same number of rows cost the same. */
static double run_step(const struct config *c, const struct mix *mix,
                       const struct params *plan, struct tape *t,
                       const struct step_kind *k)
{
    double all = 0, shard = 0;

    for (int s = 0, of = 0; s < c->shards; s++) {
        int rows = k->rows * (s + 1) / c->shards - k->rows * s / c->shards;

        if (rows && rows != of) {
            struct dry d;

            dry_open(&d, c, mix, plan, of = rows, k->source, k->target, t);
            shard = run_shard(&d);
            dry_close(&d);
        }
        all += rows ? shard : 0;
    }
    return all;
}

/* Runs a shard of each kind of batch with shorter examples, so that the tape
 * records the memory that the shard takes.  Skips a kind unless it has more
 * tokens per shard than all kinds with longer examples, because a token of a
 * longer example takes more memory. */
static void run_shorter(const struct config *c, const struct mix *mix,
                        const struct params *plan, struct tape *t,
                        const struct step_kinds *kinds)
{
    double most = 0;

    for (int i = kinds->n; i-- > 0;) {
        const struct step_kind *k = &kinds->of[i];
        int rows = (k->rows + c->shards - 1) / c->shards;
        double tokens = rows * k->source;
        struct dry d;

        if (tokens <= most)
            continue;
        most = tokens;
        if (i == kinds->n - 1)
            continue;
        dry_open(&d, c, mix, plan, rows, k->source, k->target, t);
        run_shard(&d);
        dry_close(&d);
    }
}

/* Decodes one position of `rows` rows for each number of keys that the cache
 * can have.  Returns the bytes of the cache.  With a beam, they include the
 * second buffer, into which cache_select copies rows. */
static double run_positions(struct dry *d, const tensor *encoded, int rows)
{
    const struct input *in = &d->in;
    int N = d->c->model.N, most = decode_limit(d->longest, N);
    struct cache *cache = cache_new(d->memory, d->tape, rows, most);
    tensor memory = *encoded;

    memory.dim[0] = rows;
    for (int from = 0, keys; from < most; from = keys) {
        keys = cache_begin(cache, from);
        struct window w = {.from = from, .keys = keys, .causal = 1,
                           .cache = cache};
        begin(d, TAPE_EVAL);
        tensor *y = model_decode(d->model, d->tape, in->source, rows, 1, &w,
                                 &memory, in->source_length);
        model_logits(d->model, d->tape, y);
    }
    return (double)cache_bytes(cache) * (d->c->beam > 1 ? 2 : 1);
}

static double product_bytes(struct dry *d)
{
    struct product_bytes p = tape_product_bytes(d->tape);

    return p.batched + p.single;
}

/* Returns the bytes that decoding needs in addition to the tape: for each row
 * of a beam, a copy of the encoder's output and a cache.  Adds the bytes of
 * product kernels to *products.  Real sentences end one by one, so the products
 * of a position occur for every number of rows. */
static double run_decode(struct dry *d, double *products)
{
    const struct input *in = &d->in;

    begin(d, TAPE_EVAL);
    tensor memory = *model_encode(d->model, d->tape, in->source,
                                  in->source_length, in->b / d->c->beam, in->n);
    double bytes = (double)tensor_len(&memory) * d->c->beam * sizeof(real);
    *products += product_bytes(d);
    bytes += run_positions(d, &memory, in->b);
    double one = product_bytes(d), other = 0;
    if (in->b > 1) {
        run_positions(d, &memory, in->b);
        run_positions(d, &memory, in->b - 1);
        other = product_bytes(d) - one;
    }
    *products += one + (d->c->synthetic ? 0 : other * (in->b - 1.0));
    return bytes;
}

/* A trial is not tested, and its weights are not stored. */
static int is_trial(const struct config *c) { return strcmp(c->trial, "none"); }

static int transduces(const struct task *t)
{
    return t && t->kind == TASK_TRANSDUCE;
}

/* Returns the bytes of product kernels in steps and evaluation.  Real sentences
 * lead to many shapes: in attention, many pairs of lengths; in all other
 * products, many numbers of tokens, both in training and in evaluation. */
static double all_products(const struct config *c, const struct task *task,
                           int source, struct tape *t)
{
    struct product_bytes p = tape_product_bytes(t);
    double n = batch_padded(source, c->model.N), sides = n / 8;
    double tokens = (double)step_rows(c) / c->shards * n / PACKED_ROWS;
    double seen = c->steps / 2.0;

    if (c->synthetic || !transduces(task))
        return p.batched + p.single;
    return fmin(sides * sides / 2, seen) * p.batched +
           fmin(2 * tokens, seen) * p.single;
}

/* Returns the bytes for storing the weights: a copy, the file's image, and the
 * image as it is written. */
static double weights_file(const struct config *c, const struct task *task,
                           const struct params *plan)
{
    if (!task || !task->pretrains || is_trial(c))
        return 0;
    return 3.0 * sizeof(real) * (double)(params_total(plan, PARAM_LEARNED) +
                                         params_total(plan, PARAM_FROZEN));
}

/* Returns the rows of a batch: `most`, or all examples if there are fewer. */
static int rows_of(const struct longest *l, int most)
{
    return l->n < most ? l->n : most;
}

static int longest_source(const struct lengths *l)
{
    int most = 1;

    for (int s = 0; s < SPLITS; s++)
        most = l->longest[s].source > most ? l->longest[s].source : most;
    return most;
}

/* Returns a tape that computes nothing.  It fuses attention if the device of c
 * does, so that it counts the memory that training uses. */
static struct tape *dry_tape(const struct config *c)
{
    struct tape *t = tape_dry(c->precision);

    t->fuses = backend_fuses(c->device, c->precision);
    return t;
}

/* Runs a step, an evaluation and decoding, for examples as long as in `l`, and
 * sets the parts of *out that they determine. */
static void run_all(struct cost *out, const struct config *c,
                    const struct mix *mix, const struct task *task,
                    const struct params *plan, const struct lengths *l)
{
    struct tape *t = dry_tape(c);
    const struct longest *x = l->longest, *decoded = &x[SPLIT_TEST];
    double decoding = 0, products;
    struct step_kinds kinds;
    struct dry d;

    step_longest(&kinds, c, x->source, x->target);
    run_step(c, mix, plan, t, &kinds.of[kinds.n - 1]);
    run_shorter(c, mix, plan, t, &kinds);
    for (int s = SPLIT_VALID; s < SPLITS; s++) {
        if (!x[s].n || (s == SPLIT_TEST && is_trial(c)))
            continue;
        dry_open(&d, c, mix, plan, rows_of(&x[s], EVAL_ROWS), x[s].source,
                 x[s].target, t);
        run_loss(&d, TAPE_EVAL);
        dry_close(&d);
    }
    products = all_products(c, task, longest_source(l), t);
    if (transduces(task) && !is_trial(c) && decoded->n) {
        dry_open(&d, c, mix, plan, rows_of(decoded, DECODE_ROWS) * c->beam,
                 decoded->source, decoded->target, t);
        decoding = run_decode(&d, &products);
        dry_close(&d);
    }
    int threads = c->threads < c->lanes ? c->threads : c->lanes;
    out->part.activations =
        threads * ((double)arena_peak(t->data) + tape_scratch_bytes(t));
    out->part.products = products > 0 ? backend_library_bytes() + products : 0;
    out->part.program = PROGRAM + fmax(threads * decoding, RECORD) +
                        weights_file(c, task, plan);
    tape_free(t);
}

/* Returns the operations of a step with the longest examples in `l`. */
static double longest_flops(const struct config *c, const struct mix *mix,
                            const struct params *plan, const struct lengths *l)
{
    struct tape *t = tape_dry(c->precision);
    struct step_kinds kinds;

    step_longest(&kinds, c, l->longest->source, l->longest->target);
    double flops = run_step(c, mix, plan, t, &kinds.of[kinds.n - 1]);
    tape_free(t);
    return flops;
}

/* Bytes of host memory that the driver keeps in a process that has opened a
 * GPU. */
#define DRIVER 400e6

/* Returns the bytes that the kernels of one attention layer use in addition to
 * tensors, for `rows` sentences of `side` tokens.  Unless attention is fused,
 * these are the attention weights.  If it is fused, these are up to four copies
 * of the operands of each part of the mixture, four copies of the values, and
 * partial sums over 16 slices of the sentences. */
static double card_attention(const struct config *c, const struct mix *mix,
                             double rows, double side)
{
    const struct model_config m = model_resolve(&c->model, mix);
    double k = 16 * ceil(config_head(&m) / 16.0), heads = m.heads;
    double one = heads * 16 * ceil(side / 16) * k;

    if (!backend_fuses(c->device, c->precision) ||
        config_head(&m) > FUSED_WIDTH || variant_alone(mix->part[0]))
        return sizeof(real) * rows * heads * side * side;
    return sizeof(uint16_t) * (4 * mix->n + 4) * rows * one +
           sizeof(real) * mix->n * (16 * one + heads * side * (side + 1));
}

/* Returns the memory of the GPU that kernels use in addition to tensors: that
 * of one attention layer, a block of logits, and CUDA_ROOMS for transfers and
 * the workspace of cuBLASLt. */
static double card_rooms(const struct config *c, const struct mix *mix,
                         const struct lengths *l)
{
    const struct model_config *m = &c->model;
    struct step_kinds kinds;

    step_longest(&kinds, c, l->longest->source, l->longest->target);
    const struct step_kind *k = &kinds.of[kinds.n - 1];
    double rows = ceil((double)k->rows / c->shards);
    double side = batch_padded((int)ceil(fmax(k->source, k->target)), m->N);
    double logits = m->family == FAMILY_ENCODER
                        ? 0 : fmin(rows * k->target, CUDA_LOSS_ROWS) * m->vocab;

    return card_attention(c, mix, rows, side) + sizeof(real) * logits +
           CUDA_ROOMS;
}

/* Moves the memory of the tensors from the estimate for the host to that for
 * the GPU.  The host keeps the examples, and copies of the weights and of the
 * optimizer's state, which checkpoints need. */
static void move_to_card(struct cost *out, const struct config *c,
                         const struct mix *mix, const struct lengths *l)
{
    struct memory *part = &out->part;

    out->gpu_bytes = (1 + SLACK) * (part->weights + part->gradients +
                                    part->optimizer + part->activations) +
                     card_rooms(c, mix, l);
    part->gradients = part->activations = part->products = 0;
    part->program += DRIVER;
}

void train_cost(const struct config *c, const struct mix *mix,
                const struct task *task, const struct lengths *l,
                struct cost *out)
{
    struct task_opts o = train_data(c, NULL, NULL);
    int target = task ? task_target(task, &o) : c->length;
    struct lengths most = {.source = 0};
    struct memory *part = &out->part;
    OWNED(params_close) struct params plan;

    *out = (struct cost){0};
    for (int s = 0; s < SPLITS; s++)
        most.longest[s] = (struct longest){INT_MAX, c->length, target};
    params_count(&plan);
    model_new(&c->model, mix, &plan);
    out->params = (double)params_total(&plan, PARAM_LEARNED);
    out->flops_per_step = longest_flops(c, mix, &plan, &most);
    run_all(out, c, mix, task, &plan, l ? l : &most);
    size_t low = c->precision == PRECISION_BF16 ? sizeof(uint16_t) : 0;
    part->weights = (double)(sizeof(real) + low) * (double)plan.learned +
                    sizeof(real) * (double)plan.frozen;
    part->gradients = c->lanes * sizeof(real) * (double)plan.learned;
    part->optimizer =
        sizeof(real) * (double)optim_values(&plan, &c->optimizer);
    if (l && l->longest[SPLIT_TRAIN].n < INT_MAX)
        o.train = l->longest[SPLIT_TRAIN].n;
    part->data = task ? task_bytes(task, &o) : 0;
    if (task && c->batch_by == BATCH_TOKENS)
        part->data += LISTS * task_rows(task, &o);
    if (c->device != DEVICE_CPU)
        move_to_card(out, c, mix, l ? l : &most);
    double rest = part->weights + part->gradients + part->optimizer +
                  part->activations + part->data + part->products;
    part->program += SLACK * rest;
    out->bytes = rest + part->program;
}

void train_expect(struct expected *out, const struct config *c,
                  const struct mix *mix, const struct lengths *l)
{
    OWNED(params_close) struct params plan;
    struct tape *t = tape_dry(c->precision);
    struct step_kinds kinds;

    params_count(&plan);
    model_new(&c->model, mix, &plan);
    step_expected(&kinds, c, l);
    *out = (struct expected){0};
    for (int i = 0; i < kinds.n; i++) {
        const struct step_kind *k = &kinds.of[i];

        out->flops += k->share * run_step(c, mix, &plan, t, k);
        out->rows += k->share * k->rows;
        out->ids += k->share * k->rows * (k->source + k->target);
    }
    tape_free(t);
}

double train_params(const struct config *c, const struct mix *mix)
{
    OWNED(params_close) struct params plan;

    params_count(&plan);
    model_new(&c->model, mix, &plan);
    return (double)params_total(&plan, PARAM_LEARNED);
}
