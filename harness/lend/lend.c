/* Writes the folder of a lent cell. */
#include "harness/lend/lend.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/train/step.h"
#include "harness/train/weights.h"
#include "harness/verify/traces/trace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* STEPS is the number of steps of the trace, ROWS the number of rows per step,
 * FILES the number of HDF5 files in the folder. */
enum { STEPS = 3, ROWS = 4, FILES = 4 };

struct lending {
    const struct cell  *cell;
    struct contract     contract;
    struct config       config; /* of the cell, on the CPU, with the sizes of
                                   the data */
    struct config       traced; /* of the trace */
    struct mix          mix;
    struct dataset      data;
    struct trace_file   file[FILES];
    char               *text;   /* of config.json */
};

enum { START, STEPS_OF, TRACE, DATA };
static const char *const file_name[FILES] = {"start.h5", "steps.h5",
                                             "trace.h5", "data.h5"};

static void lending_close(struct lending *l)
{
    for (int i = 0; i < FILES; i++)
        trace_file_close(&l->file[i]);
    dataset_close(&l->data);
    arena_free(l->contract.memory);
    free(l->text);
}
OWNER_OF_VALUE(lending_close, struct lending)

/* ---- cells that can be lent ---- */

static int check_cell(const struct cell *c)
{
    const char *why =
        c->refused              ? c->refused
        : c->config.model.probe ? "it is a probe, which traces do not support"
        : plan_is_external(c)   ? "another program trained it; lend the "
                                  "engine's cell"
        : plan_is_trial(c) || strcmp(c->config.tuned, "none")
            ? "trials choose its settings; lend a cell with fixed settings"
        : c->status.state != CELL_DONE && plan_starts(c) && c->blocked
            ? c->blocked
            : NULL;

    return why ? err_set(ERR_USAGE, "%s/%s/%llu cannot be lent: %s", c->row,
                         c->config.task, (unsigned long long)c->config.seed,
                         why)
               : OK;
}

/* Sets *out and *mix to the configuration of the trace: STEPS steps of the
 * cell's model with a constant learning rate. */
static int trace_config(struct config *out, struct mix *mix,
                        const struct config *c, const struct mix *of)
{
    struct config t = *c;

    t.model.dropout = 0;
    t.precision = PRECISION_FP32;
    t.device = DEVICE_CPU;
    t.batch_by = BATCH_EXAMPLES;
    t.batch = t.shards = ROWS;
    strcpy(t.schedule, "constant");
    t.lr_scale = 0.01; /* keeps updates well above rounding */
    t.warmup = 1;
    OWNED(free) char *text = trace_json(&t, of);
    return trace_json_read(out, mix, text, STEPS);
}

/* ---- data.h5 and steps.h5 ---- */

static const struct trace_about about[] = {
    {"params/*", "learned tensor at the start", "1", "as in the model"},
    {"frozen/*", "frozen tensor", "1", "as in the model"},
    {"*/source", "token ids of all sources", "1", "id"},
    {"*/target", "token ids of all targets", "1", "id"},
    {"*_first", "where each row begins in the ids; one more than rows", "1",
     "boundary"},
    {"*/label", "label of each row", "1", "row"},
    {"*/prompt", "number of ids at the start of the row's target that are "
     "given and do not count in the loss", "1", "row"},
    {"rows", "rows of the training set, step by step", "1", "row"},
    {"first", "where each step begins in rows; one more than steps", "1",
     "boundary"},
    {"lr", "learning rate of each step", "1", "step"},
    {.pattern = NULL}};

static int check_count(long n, const char *what)
{
    return n < INT_MAX ? OK : err_set(ERR_USAGE, "%ld %s: a lent file holds at "
                                      "most %d", n, what, INT_MAX - 1);
}

static int *ints(struct trace_file *f, const char *split, const char *name,
                 long n)
{
    return trace_file_add(f, TRACE_INT, 1, (int[]){(int)n}, "%s%s%s", split,
                          *split ? "/" : "", name);
}

/* Adds the ids of all sources, or of all targets if `target` is 1, concatenated
 * over the rows of a split. */
static int put_side(struct trace_file *f, const struct examples *e,
                    const char *split, int target)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const char *side = target ? "target" : "source";
    int *first = ints(f, split, target ? "target_first" : "source_first",
                      e->n + 1L);
    long n = 0;

    for (int i = 0; i < e->n; i++) {
        const struct example r = examples_row(e, i, NULL);

        PASS(check_count(n += target ? r.ntarget : r.nsource, "ids"));
        first[i + 1] = (int)n;
    }
    int *id = ints(f, split, side, n);
    for (int i = 0; i < e->n; i++, arena_reset(a)) {
        const struct example r = examples_row(e, i, a);

        memcpy(id + first[i], target ? r.target : r.source,
               (size_t)(first[i + 1] - first[i]) * sizeof *id);
    }
    return OK;
}

static void put_numbers(struct trace_file *f, const struct dataset *d,
                        const struct examples *e, const char *split)
{
    int labels = d->kind == TASK_CLASSIFY;
    int *number = ints(f, split, labels ? "label" : "prompt", e->n);

    for (int i = 0; i < e->n; i++) {
        const struct example r = examples_row(e, i, NULL);

        number[i] = labels ? r.label : r.prompt;
    }
}

/* Fills data.h5 with the training and validation sets.  The test set is not
 * lent. */
static int fill_data(struct trace_file *f, const struct dataset *d)
{
    for (int s = SPLIT_TRAIN; s <= SPLIT_VALID; s++) {
        const struct examples *e = &d->split[s];

        if (d->kind != TASK_LANGUAGE)
            PASS(put_side(f, e, split_name[s], 0));
        if (d->kind != TASK_CLASSIFY)
            PASS(put_side(f, e, split_name[s], 1));
        put_numbers(f, d, e, split_name[s]);
    }
    return OK;
}

static int fill_steps(struct trace_file *f, const struct lending *l,
                      const struct trainer *t)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const struct config *c = &l->config;
    struct batching by = step_batching(c);
    double *lr = trace_file_add(f, TRACE_DOUBLE, 1, &c->steps, "lr");
    int *first = ints(f, "", "first", c->steps + 1L);
    long n = 0;

    for (int s = 0; s < c->steps; s++, arena_reset(a)) {
        struct batch b;

        batch_step(&b, &l->data, &by, c->seed, (uint64_t)s, a);
        PASS(check_count(n += b.b, "rows of all steps"));
        first[s + 1] = (int)n;
        lr[s] = trainer_rate(t, (uint64_t)s);
    }
    int *row = ints(f, "", "rows", n);
    for (int s = 0; s < c->steps; s++, arena_reset(a)) {
        struct batch b;

        batch_step(&b, &l->data, &by, c->seed, (uint64_t)s, a);
        memcpy(row + first[s], b.index, (size_t)b.b * sizeof *row);
    }
    return OK;
}

/* ---- start.h5 and config.json ---- */

static void fill_start(struct trace_file *f, const struct trainer *t)
{
    for (int i = 0; i < t->params.n; i++) {
        const struct param *p = &t->params.list[i];

        weights_put(f, p->kind == PARAM_LEARNED ? "params" : "frozen", p,
                    p->value->x);
    }
}

/* Returns an object with the tensors whose learning rate is not that of the
 * step (`lr` in steps.h5); the values are the factors. */
static json_t *rates_of(const struct config *c, const struct params *ps)
{
    json_t *all = json_object();

    for (int i = 0; i < ps->n; i++) {
        double rate = optim_rate(&c->optimizer, &ps->list[i]);

        if (rate != 1)
            json_object_set_new(all, ps->list[i].name, json_real(rate));
    }
    return all;
}

/* Returns the text of config.json: all keys of the configuration, including
 * defaults and values that the variant and the data determine. */
static char *config_text(const struct lending *l, const struct params *ps)
{
    struct config c = l->config;

    c.model = l->traced.model;
    c.model.dropout = l->config.model.dropout;
    OWNED(free) char *text = settings_all(&c, 1);
    OWNED(json_decref) json_t *all = json_loads(text, 0, NULL);
    json_t *parts = json_array();

    for (int i = 0; i < l->mix.n; i++)
        json_array_append_new(parts, json_string(l->mix.part[i]->name));
    json_object_set_new(all, "parts", parts);
    json_object_set_new(all, "rates", rates_of(&c, ps));
    json_object_set_new(all, "family",
                        json_string(trace_families[c.model.family]));
    json_object_set_new(all, "classes", json_integer(c.model.classes));
    json_object_set_new(all, "start_id", json_integer(l->data.start));
    json_object_set_new(all, "curve_stride",
                        json_integer(train_stride(c.steps)));
    return json_dumps(all, JSON_SORT_KEYS | JSON_INDENT(1) |
                               JSON_REAL_PRECISION(17));
}

static int start_from(struct lending *l, struct trainer *t, const char *store)
{
    const struct config *c = &l->cell->config;
    const struct weights_of parent = {store, c->pretrained, c->variant};
    char hex[HASH_HEX] = "";

    if (strcmp(c->pretrained, "none")) {
        PASS(weights_digest(hex, &parent));
        PASS(weights_read(&t->params, &l->data, &parent));
    }
    l->contract.start_sha256 = arena_text(l->contract.memory, hex);
    return OK;
}

/* ---- the folder ---- */

static int open_data(struct lending *l, const struct lend_data *at)
{
    struct config *c = &l->config;
    struct task_opts o = train_data(c, at->cache, at->files);

    PASS(task_open(&l->data, l->cell->task, &o));
    l->data.start = c->start;
    c->model.vocab = c->vocab = l->data.vocab;
    c->model.classes = l->data.classes;
    l->contract.data_digest = l->data.digest;
    return OK;
}

static int fill(struct lending *l, const char *store)
{
    static const char *const groups[] = {"params", "frozen", NULL};
    struct trainer t = {.c = NULL};
    OWNED(free) char *config = NULL;
    int rc;

    for (int i = 0; i < FILES; i++) {
        trace_file_open(&l->file[i]);
        l->file[i].about = about;
        l->file[i].packed = i == STEPS_OF || i == DATA;
        l->file[i].config = l->file[i].state =
            arena_text(l->file[i].memory, "{}");
    }
    l->file[START].groups = groups;
    GOTO_IF_ERR(trainer_open(&t, &l->config, &l->cell->mix, NULL));
    GOTO_IF_ERR(start_from(l, &t, store));
    fill_start(&l->file[START], &t);
    GOTO_IF_ERR(fill_steps(&l->file[STEPS_OF], l, &t));
    l->text = config_text(l, &t.params);
    GOTO_IF_ERR(trace_make(&l->file[TRACE], &l->traced, &l->mix));
    config = trace_json(&l->traced, &l->mix);
    l->file[TRACE].config = arena_text(l->file[TRACE].memory, config);
out:
    trainer_close(&t);
    return rc;
}

static char *data_text(const struct lending *l, struct arena *a)
{
    return arena_format(a, "{\"data_digest\": \"%s\"}", l->data.digest);
}

/* If `ids` is NULL, fills data.h5; otherwise, checks that the file `ids` holds
 * the same data and makes the contract refer to this file. */
static int fill_ids(struct lending *l, const char *ids)
{
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    struct trace_file *own = &l->file[DATA];
    OWNED(free) char *path = ids ? realpath(ids, NULL) : NULL;

    own->config = data_text(l, own->memory);
    if (!ids) {
        l->contract.ids = "data.h5";
        return fill_data(own, &l->data);
    }
    PASS(trace_file_read(&f, ids, 0));
    if (strcmp(f.config, own->config))
        return err_set(ERR_USAGE, "--ids %s: holds other data than those of "
                       "this cell", ids);
    l->contract.ids = arena_text(l->contract.memory, path);
    return OK;
}

static int is_referred(const struct lending *l)
{
    return *l->contract.ids == '/';
}

static double bytes_of(const struct trace_file *f)
{
    double n = 0;

    for (int i = 0; i < f->n; i++)
        n += (double)trace_array_len(&f->array[i]) *
             (f->array[i].type == TRACE_DOUBLE ? 8 : 4);
    return n;
}

/* Prints the sizes of the files, before any of them is written. */
static void say_sizes(const struct lending *l)
{
    double all = 0;

    for (int i = 0; i < FILES; i++) {
        double mb = bytes_of(&l->file[i]) / 1e6;

        if (i == DATA && is_referred(l))
            continue;
        say("%s/%s: %.3g MB before compression", l->contract.folder,
            file_name[i], mb);
        all += mb;
    }
    say("%s: %.3g MB", l->contract.folder, all);
}

static int write_all(struct lending *l)
{
    OWNED(free) char *config = str_format("%s/config.json",
                                          l->contract.folder);

    PASS(file_mkdirs(l->contract.folder));
    for (int i = 0; i < FILES - is_referred(l); i++) {
        OWNED(free) char *path = str_format("%s/%s", l->contract.folder,
                                            file_name[i]);

        PASS(trace_file_write(&l->file[i], path, 0));
    }
    PASS(file_output(config, l->text, strlen(l->text)));
    return contract_write(l->cell, &l->contract);
}

int lend_cell(const struct plan *p, const struct cell *c, const char *folder,
              const char *ids, const struct lend_data *at)
{
    OWNED(lending_close) struct lending l = {
        .cell = c, .config = c->config, .contract = {.memory = arena_new()}};
    OWNED(free) char *contract = str_format("%s/contract.json", folder);

    PASS(check_cell(c));
    if (file_exists(contract))
        return err_set(ERR_USAGE, "%s exists: a cell was lent there; choose "
                       "another folder", contract);
    l.contract.folder = folder;
    l.config.device = DEVICE_CPU;
    l.config.precision = PRECISION_FP32;
    PASS(open_data(&l, at));
    PASS(trace_config(&l.traced, &l.mix, &l.config, &c->mix));
    PASS(fill(&l, p->store));
    PASS(fill_ids(&l, ids));
    say_sizes(&l);
    return write_all(&l);
}
