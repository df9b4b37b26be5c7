/* Lent folders, and what another program could write into them.  The engine
 * trains a cell on C4 and the program lends it; each test changes a copy. */
#include "harness/lend/lend_private.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/train/weights.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 5, TRAIN = 23, VALID = 9, BATCH = 4 };

static char *folder; /* has x.yaml, the store s and the lent folders */

static char *in_folder(const char *name)
{
    return str_format("%s/%s", folder, name);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(file_output(path, text, strlen(text)), OK);
}

/* ---- the lent cells ---- */

static const char experiment[] =
    "title: Lent\n"
    "variants: [random, uniform, vanilla, linformer, fixed-random]\n"
    "tasks: [c4, superglue, lm1b, agnews, gen_copy]\n"
    "scales: [smoke]\n"
    "seeds: [3]\n"
    "settings: {layers: 1, d: 12, heads: 3, ff: 20, N: 8, vocab: 32,\n"
    "           batch: 6, steps: 5, evals: 1, train: 23, valid: 9,\n"
    "           test: 120}\n"
    "tune:\n"
    "  - match: {variant: vanilla, task: lm1b}\n"
    "    grid: {schedule.scale: [0.01, 0.02]}\n"
    "    share: 1\n"
    "    seed: 4\n"
    "override:\n"
    "  - {match: {task: superglue}, set: {pretrained: c4, vocab: 32}}\n"
    "  - {match: {variant: random}, set: {score_rate: 0.25}}\n"
    "  - {match: {variant: fixed-random}, set: {score_rate: 0.5}}\n"
    "  - {match: {variant: vanilla, task: agnews}, set: {probe: true}}\n";

/* Runs the program; its exit code must be `code`.  If `says` is not NULL, its
 * stderr must contain this text. */
static void program(int code, const char *says, const char *const *arg)
{
    OWNED(free) char *out = NULL, *err = NULL;
    int got = program_run(&out, &err, arg);

    if (got != code || (says && !strstr(err, says)))
        fail_msg("%s: exit code %d, not %d, or not '%s': %s", arg[0], got,
                 code, says ? says : "", err);
}
#define PROGRAM(code, says, ...) \
    program(code, says, (const char *const[]){__VA_ARGS__, NULL})

static void lend(const char *cell, const char *to, int code, const char *says)
{
    OWNED(free) char *target = str_format("%s/s#%s", folder, cell);
    OWNED(free) char *output = in_folder(to);

    PROGRAM(code, says, "lend", target, "-o", output);
}

/* ---- what is lent ---- */

static void read_file(struct trace_file *f, const char *name)
{
    OWNED(free) char *path = in_folder(name);

    assert_int_equal(trace_file_read(f, path, 0), OK);
}

/* Checks that the ids of one side of a split are the rows of the data set, one
 * after the other. */
static void same_side(const struct trace_file *f, const struct examples *e,
                      const char *split, const char *side)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const struct trace_array *id = trace_file_find(f, "%s/%s", split, side);
    const struct trace_array *first = trace_file_find(f, "%s/%s_first", split,
                                                      side);
    int target = !strcmp(side, "target"), n = 0;

    assert_true(id && first && first->dim[0] == e->n + 1);
    for (int i = 0; i < e->n; i++) {
        struct example r = examples_row(e, i, a);
        int most = target ? r.ntarget : r.nsource;

        assert_int_equal(((const int *)first->x)[i], n);
        assert_memory_equal((const int *)id->x + n,
                            target ? r.target : r.source,
                            (size_t)most * sizeof(int));
        n += most;
    }
    assert_int_equal(((const int *)first->x)[e->n], n);
    assert_int_equal(id->dim[0], n);
}

/* Checks the numbers `name` of a split, which are labels or lengths of
 * prompts. */
static void same_numbers(const struct trace_file *f, const struct examples *e,
                         const char *split, const char *name)
{
    const struct trace_array *x = trace_file_find(f, "%s/%s", split, name);

    assert_true(x && x->dim[0] == e->n);
    for (int i = 0; i < e->n; i++) {
        struct example r = examples_row(e, i, NULL);

        assert_int_equal(((const int *)x->x)[i],
                         *name == 'l' ? r.label : r.prompt);
    }
}

static void lends_its_data(const char *name, const char *sides, int n)
{
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    OWNED(contract_close) struct contract k = {.memory = NULL};
    OWNED(dataset_close) struct dataset d = {.memory = NULL};
    OWNED(free) char *path = in_folder(name);
    OWNED(free) char *data = str_format("%s/data.h5", name);

    assert_int_equal(contract_read(&k, path), OK);
    struct task_opts o = train_data(&k.config, NULL, NULL);
    assert_int_equal(task_open(&d, k.task, &o), OK);
    assert_int_equal(d.split[SPLIT_TRAIN].n, TRAIN);
    assert_int_equal(d.split[SPLIT_VALID].n, VALID);
    read_file(&f, data);
    assert_int_equal(f.n, 2 * n);
    for (int s = SPLIT_TRAIN; s <= SPLIT_VALID; s++) {
        if (strchr(sides, 's'))
            same_side(&f, &d.split[s], split_name[s], "source");
        if (strchr(sides, 't'))
            same_side(&f, &d.split[s], split_name[s], "target");
        same_numbers(&f, &d.split[s], split_name[s],
                     strchr(sides, 't') ? "prompt" : "label");
    }
}

static void families(void **state)
{
    (void)state;
    lend("uniform/gen_copy/3", "gen_copy", 0, NULL);
    lend("uniform/agnews/3", "agnews", 0, "lent uniform/agnews/3");
    lends_its_data("c4", "st", 5);
    lends_its_data("gen_copy", "t", 3);
    lends_its_data("agnews", "s", 3);
}

/* Checks that `rates` of config.json has n tensors, all with this rate. */
static void rates_are(const json_t *config, size_t n, double rate)
{
    json_t *rates = json_object_get(config, "rates"), *x;
    const char *name;

    assert_int_equal(json_object_size(rates), n);
    json_object_foreach (rates, name, x) {
        assert_non_null(strstr(name, ".0.self.random.R"));
        assert_float_equal(json_number_value(x), rate, 0);
    }
}

/* The cell on SuperGLUE starts from the weights of the trained one.  The scores
 * of `random` have a learning rate of their own; those of `fixed-random` are
 * frozen. */
static void weights_to_start_from(void **state)
{
    OWNED(trace_file_close) struct trace_file start = {.memory = NULL};
    OWNED(trace_file_close) struct trace_file parent = {.memory = NULL};
    OWNED(contract_close) struct contract k = {.memory = NULL}, c4 = k;
    OWNED(json_decref) json_t *config = NULL, *state_of = NULL;
    OWNED(free) char *child = in_folder("superglue"), *store = in_folder("s");
    OWNED(free) char *first = in_folder("c4");
    OWNED(free) char *settings = in_folder("superglue/config.json");
    OWNED(free) char *frozen = in_folder("fixed/config.json");

    (void)state;
    lend("random/superglue/3", "superglue", 0, NULL);
    assert_int_equal(contract_read(&k, child), OK);
    assert_int_equal(contract_read(&c4, first), OK);
    OWNED(free) char *weights = weights_path(store, k.config.pretrained);
    assert_int_equal(trace_file_read(&parent, weights, 1), OK);
    read_file(&start, "superglue/start.h5");
    assert_int_equal(start.n, parent.n);
    for (int i = 0; i < parent.n; i++) {
        const struct trace_array *a = &parent.array[i];
        const struct trace_array *b = trace_file_find(&start, "%s", a->name);

        assert_non_null(b);
        assert_memory_equal(a->x, b->x, trace_array_len(a) * sizeof(float));
    }
    state_of = json_loads(parent.state, 0, NULL);
    assert_string_equal(k.start_sha256, json_string_value(
        json_object_get(state_of, "sha256")));
    assert_string_equal(c4.start_sha256, "");
    assert_int_equal(json_read(&config, settings), OK);
    rates_are(config, 2, 0.25);
    lend("fixed-random/lm1b/3", "fixed", 0, NULL);
    json_decref(config);
    assert_int_equal(json_read(&config, frozen), OK);
    rates_are(config, 0, 0.5);
}

static void cells_that_are_not_lent(void **state)
{
    OWNED(free) char *output = in_folder("x");

    (void)state;
    lend("uniform/superglue/3", "x", 2, "cannot be lent: it starts from the "
         "weights of uniform/c4/3");
    lend("vanilla,tuned/lm1b/3", "x", 2, "trials choose its settings");
    lend("vanilla,trial,schedule.scale=0.02/lm1b/4", "x", 2, "trials choose");
    lend("vanilla/agnews/3", "x", 2, "it is a probe");
    lend("linformer/lm1b/3", "x", 2, "cannot be used in a decoder");
    assert_false(file_exists(output));
}

/* ---- contract.json ---- */

static json_t *lent_contract(void)
{
    OWNED(free) char *path = in_folder("c4/contract.json");
    json_t *all = NULL;

    assert_int_equal(json_read(&all, path), OK);
    return all;
}

/* Gives a contract the seal of its contents. */
static void seal(json_t *all)
{
    char hex[HASH_HEX];

    json_object_del(all, "seal");
    OWNED(free) char *text = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT |
                                        JSON_REAL_PRECISION(17));
    hash_sha256(text, strlen(text), hex);
    json_object_set_new(all, "seal", json_string(hex));
}

/* Reads the lent folder with another text of contract.json; the message must
 * contain `says`. */
static void text_says(const char *text, const char *says)
{
    OWNED(contract_close) struct contract k = {.memory = NULL};
    OWNED(free) char *path = in_folder("c4/contract.json");
    OWNED(free) char *lent = in_folder("c4");
    OWNED(free) char *before = NULL;

    assert_int_equal(file_read(&before, NULL, path), OK);
    write_text(path, text);
    int rc = contract_read(&k, lent);
    write_text(path, before);
    if (rc != ERR_DATA || !strstr(err_last(), says))
        fail_msg("%d, not '%s': %s", rc, says, err_last());
}

static void contract_says(const json_t *all, const char *says)
{
    OWNED(free) char *text = json_dumps(all, JSON_REAL_PRECISION(17));

    text_says(text, says);
}

/* Sets the member `name` of `within` (NULL: of the contract) to `value`, JSON;
 * NULL removes it. */
static const struct { const char *within, *name, *value, *says; } forged[] = {
    {NULL, "format", "2", "has another format"},
    {NULL, "format", NULL, "has another format"},
    {NULL, "id", NULL, "lacks a field"},
    {NULL, "id", "7", "lacks a field"},
    {NULL, "row", NULL, "lacks a field"},
    {NULL, "data_digest", NULL, "lacks a field"},
    {NULL, "start_sha256", NULL, "lacks a field"},
    {NULL, "ids", NULL, "lacks a field"},
    {NULL, "id", "\"0123456789abcdef\"", "another version of synthbench"},
    {NULL, "config", NULL, "lacks a field"},
    {NULL, "config", "[3]", "lacks a field"},
    {NULL, "runtime", NULL, "lacks a field"},
    {NULL, "runtime", "3", "lacks a field"},
    {"config", "d", "24", "its id is not that of its configuration"},
    {"config", "nosuch", "1", "c4/contract.json: written by another version"},
    {"config", "task", "\"nosuch\"", "nosuch"},
    {"config", "variant", "\"nosuch\"", "nosuch"},
    {NULL, "files", NULL, "a digest is missing"},
    {"files", "steps.h5", NULL, "a digest is missing"},
    {"files", "data.h5", "1", "a digest is missing"},
    {"files", "trace.h5", "\"00\"", "trace.h5: was changed after it was lent"},
    {NULL, "ids", "\"/nowhere/data.h5\"", "/nowhere/data.h5: is missing"}};

static void contracts_of_other_versions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        OWNED(json_decref) json_t *all = lent_contract();
        json_t *to = forged[i].within ? json_object_get(all, forged[i].within)
                                      : all;

        if (forged[i].value)
            json_object_set_new(to, forged[i].name, json_loads(
                forged[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(to, forged[i].name);
        seal(all);
        contract_says(all, forged[i].says);
    }
    OWNED(json_decref) json_t *all = lent_contract();
    text_says("[7]", "is not a contract");
    text_says("{\"format\": 1", "contract.json:1: ");
    json_object_del(all, "seal");
    contract_says(all, "is not a contract");
}

/* ---- the trained folder ---- */

#define R "decoder.0.self.random.R"
#define TRACE "trained/trace.h5"
#define WEIGHTS "trained/weights.h5"

static struct trace_array *array_of(struct trace_file *f, const char *name)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->array[i].name, name))
            return &f->array[i];
    fail_msg("%s is missing", name);
    return NULL;
}

static void drop(struct trace_file *f, const char *name)
{
    *array_of(f, name) = f->array[f->n - 1];
    f->n--;
}

/* Gives an array another first dimension, `rows`, before its own. */
static void add_dimension(struct trace_file *f, const char *name, int rows)
{
    struct trace_array old = *array_of(f, name);
    int dim[TRACE_DIMS] = {rows};

    memcpy(dim + 1, old.dim, (size_t)old.nd * sizeof *dim);
    drop(f, name);
    trace_file_add(f, old.type, old.nd + 1, dim, "%s", name);
}

static void poke(struct trace_file *f, const char *name, double by)
{
    struct trace_array *a = array_of(f, name);

    if (a->type == TRACE_DOUBLE)
        *(double *)a->x += by;
    else
        *(float *)a->x += (float)by;
}

static void drawn_for_each_row(struct trace_file *f)
{
    add_dimension(f, "params/" R, BATCH);
}
static void gradient_of_each_row(struct trace_file *f)
{
    add_dimension(f, "grads/" R, BATCH);
}
static void other_rows(struct trace_file *f)
{
    add_dimension(f, "params/" R, BATCH + 1);
}
static void other_columns(struct trace_file *f)
{
    const struct trace_array *a = array_of(f, "params/" R);
    int dim[TRACE_DIMS] = {BATCH, a->dim[0] + 1, a->dim[1] + 1};

    drop(f, "params/" R);
    trace_file_add(f, TRACE_FLOAT, 3, dim, "params/" R);
}
static void no_input(struct trace_file *f) { drop(f, "params/" R); }
static void no_batch(struct trace_file *f)
{
    drop(f, "steps/2/batch/target_in");
}
static void no_end(struct trace_file *f) { drop(f, "end/" R); }
static void no_loss(struct trace_file *f) { drop(f, "steps/2/loss"); }

static void other_type(struct trace_file *f)
{
    array_of(f, "steps/2/batch/source")->type = TRACE_FLOAT;
}
static void transposed(struct trace_file *f)
{
    struct trace_array *a = array_of(f, "params/decoder.0.ffn.w1");
    int rows = a->dim[0];

    assert_int_not_equal(rows, a->dim[1]);
    a->dim[0] = a->dim[1];
    a->dim[1] = rows;
}
static void three_kinds(struct trace_file *f)
{
    poke(f, "steps/1/loss", 0.5);
    poke(f, "steps/3/loss", 0.5);
    poke(f, "steps/2/lr", 1);
    poke(f, "grads/" R, 1000);
}
static void state_of_none(struct trace_file *f)
{
    f->state = arena_text(f->memory, "[]");
}

/* R is not registered as a parameter, so it has neither gradient nor update. */
static void untrained(struct trace_file *f)
{
    const struct trace_array *a = array_of(f, "params/" R);
    OWNED(json_decref) json_t *names = json_loads(f->state, 0, NULL);

    memcpy(array_of(f, "end/" R)->x, a->x, trace_array_len(a) * sizeof(float));
    memset(array_of(f, "grads/" R)->x, 0, trace_array_len(a) * sizeof(float));
    for (size_t i = json_array_size(names); i-- > 0;)
        if (!strcmp(json_string_value(json_array_get(names, i)), R))
            json_array_remove(names, i);
    OWNED(free) char *text = json_dumps(names, 0);
    f->state = arena_text(f->memory, text);
}
static void other_config(struct trace_file *f)
{
    f->config = arena_text(f->memory, "{\"nosuch\": 1}");
}
static void nothing(struct trace_file *f) { (void)f; }
static void no_weight(struct trace_file *f) { drop(f, "params/" R); }
static void strange_weight(struct trace_file *f)
{
    trace_file_add(f, TRACE_FLOAT, 1, (int[]){7}, "params/strange");
}
static void ints_of_weights(struct trace_file *f)
{
    array_of(f, "params/" R)->type = TRACE_INT;
}
static void infinite(struct trace_file *f) { poke(f, "params/" R, INFINITY); }

/* Files of the folder.  A lent one is that of another version if its contract
 * is, too. */
static const struct wrong_arrays {
    const char *file;
    void      (*change)(struct trace_file *f);
    const char *says, *lacks;
} wrong_arrays[] = {
    {TRACE, drawn_for_each_row, "params/" R " has a dimension for the "
     "rows", NULL},
    {TRACE, gradient_of_each_row, "grads/" R " has a dimension for the "
     "rows", NULL},
    {TRACE, other_rows, "params/" R " is not that of the lent", NULL},
    {TRACE, other_columns, "params/" R " is not that of the lent", NULL},
    {TRACE, no_input, "params/" R " is not that of the lent", NULL},
    {TRACE, no_batch, "batch/target_in is not that of the lent", NULL},
    {TRACE, no_loss, "steps/2/loss", "the lent"},
    {TRACE, other_type, "batch/source is not that of the lent", NULL},
    {TRACE, transposed, "ffn.w1 is not that of the lent", NULL},
    {TRACE, three_kinds, "agree with the engine: lr: steps/2/lr has an "
     "error of ", "gradient"},
    {TRACE, three_kinds, " (limit 1e-06); loss: steps/1/loss has an "
     "error of ", NULL},
    {TRACE, three_kinds, " (limit 1e-05); 1 more differ; no known "
     "mistake ", "random.R"},
    {TRACE, untrained, "mistake: " R " is never trained", NULL},
    {TRACE, state_of_none, "optimizer state: ", "(limit"},
    {WEIGHTS, no_weight, "weights.h5: params/" R " is missing", NULL},
    {WEIGHTS, strange_weight, "strange is no tensor of this", NULL},
    {WEIGHTS, ints_of_weights, R " has another shape or type", NULL},
    {WEIGHTS, transposed, "ffn.w1 has another shape or type", NULL},
    {"trace.h5", other_config, "c4/trace.h5: ", NULL},
    {"trace.h5", no_end, "c4/trace.h5: ", "trained"},
    {"start.h5", no_weight, "start.h5: params/" R " is missing", NULL},
    {WEIGHTS, infinite, R " has a value that is infinite", NULL}};

/* Reads the trained folder; if `says` is NULL, it must be right, otherwise the
 * message must contain `says` and not `lacks`. */
static void trained_says(const struct contract *k, const char *says,
                         const char *lacks)
{
    OWNED(returned_close) struct returned t = {.path = NULL};
    int rc = returned_read(&t, k);

    if (rc != (says ? ERR_DATA : OK))
        fail_msg("%d, not '%s': %s", rc, says ? says : "", err_last());
    if (says && !strstr(err_last(), says))
        fail_msg("not '%s': %s", says, err_last());
    if (lacks && strstr(err_last(), lacks))
        fail_msg("'%s': %s", lacks, err_last());
}

static struct contract lent;

/* Writes the file `to` as `from` with the change. */
static void change_file(const char *to, const char *from,
                        void (*change)(struct trace_file *f))
{
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    OWNED(free) char *path = in_folder(to);
    int sealed = strstr(from, "/weights/") != NULL;

    assert_int_equal(trace_file_read(&f, from, sealed), OK);
    change(&f);
    assert_int_equal(trace_file_write(&f, path, 0), OK);
}

/* Writes a file of the lent folder as it should be, but with the change. */
static void put(const char *file, void (*change)(struct trace_file *f))
{
    int weights = strstr(file, "weights") != NULL;
    OWNED(free) char *store = in_folder("s"), *to = str_format("c4/%s", file);
    OWNED(free) char *saved = str_format("%s/saved/%s", folder, str_base(file));
    char id[SETTINGS_ID];

    settings_id(&lent.config, id);
    OWNED(free) char *stored = weights_path(store, id);
    change_file(to, weights ? stored : saved, change);
}

static void write_trained(const char *name, const char *text)
{
    OWNED(free) char *path = str_format("%s/c4/trained/%s", folder, name);

    write_text(path, text);
}

static const char curve[] = "step\ttrain\tvalid\n1\t4.5\t\n2\t4.25\t3.5\n"
                            "3\t4\t\n4\t3\t\n5\t2.5\t3.25\n";
static const char trainer[] =
    "{\"framework\": \"hand\", \"machine\": \"here\"}";

/* Writes what a trainer that makes no mistake would write. */
static void write_all_trained(void)
{
    OWNED(free) char *from = in_folder("c4"), *to = in_folder("c4/trained");
    OWNED(free) char *trace = in_folder("c4/trace.h5");
    OWNED(free) char *start = in_folder("c4/start.h5");
    OWNED(free) char *saved = in_folder("saved");

    assert_int_equal(contract_read(&lent, from), OK);
    assert_int_equal(lent.config.steps, STEPS);
    assert_int_equal(file_mkdirs(to), OK);
    assert_int_equal(file_mkdirs(saved), OK);
    change_file("saved/trace.h5", trace, nothing);
    change_file("saved/start.h5", start, nothing);
    put(TRACE, nothing);
    put(WEIGHTS, nothing);
    write_trained("curve.tsv", curve);
    write_trained("trainer.json", trainer);
}

static void wrong_tensors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_arrays / sizeof *wrong_arrays; i++) {
        const struct wrong_arrays *w = &wrong_arrays[i];

        put(w->file, w->change);
        trained_says(&lent, w->says, w->lacks);
        put(w->file, nothing);
    }
    trained_says(&lent, NULL, NULL);
}

/* R keeps its bits in the weights that the trainer returns.  This is no mistake
 * if the engine does not change it, either. */
static void weights_of_start(struct trace_file *f)
{
    OWNED(trace_file_close) struct trace_file start = {.memory = NULL};

    read_file(&start, "saved/start.h5");
    const struct trace_array *a = array_of(&start, "params/" R);
    memcpy(array_of(f, "params/" R)->x, a->x,
           trace_array_len(a) * sizeof(float));
}

static void never_trained(void **state)
{
    (void)state;
    put(WEIGHTS, weights_of_start);
    trained_says(&lent, "params/" R " was never trained", NULL);
    put("trace.h5", untrained);
    trained_says(&lent, NULL, NULL);
    put("trace.h5", nothing);
    put(WEIGHTS, nothing);
}

/* ---- the data of this machine ---- */

static void other_data(void **state)
{
    const struct lend_data at = {NULL, NULL};
    struct contract k = lent;
    OWNED(free) char *store = in_folder("other");
    char id[SETTINGS_ID];

    (void)state;
    k.data_digest = "00";
    assert_int_equal(adopt_cell(&k, store, &at, id), ERR_DATA);
    assert_non_null(strstr(err_last(), "was lent with other data of c4"));
    assert_false(file_exists(store));
}

/* ---- curve.tsv and trainer.json ---- */

#define HEAD "step\ttrain\tvalid\n"
static const struct { const char *text, *says; } curves[] = {
    {"", "curve.tsv:1: expected the header"},
    {"step train valid\n", "curve.tsv:1: expected the header"},
    {HEAD, "ends at step 0, but the cell has 5"},
    {HEAD "1\n", "curve.tsv:2: expected STEP, TRAIN and VALID"},
    {HEAD "1\t4.5\n", "curve.tsv:2: expected STEP, TRAIN and VALID"},
    {HEAD "one\t4.5\t\n", "curve.tsv:2: expected STEP, TRAIN and VALID"},
    {HEAD "2\t4.5\t\n", "curve.tsv:2: step 2, expected step 1 (one line "
     "every 1 steps"},
    {HEAD "1\t4.5\t\n\n", "curve.tsv:3: expected STEP, TRAIN and VALID"},
    {HEAD "1\tinf\t\n", "curve.tsv:2: TRAIN is not a finite number"},
    {HEAD "1\t\t\n", "curve.tsv:2: TRAIN is not a finite number"},
    {HEAD "1\t4.5\t\n2\t4.5\tnan\n", "curve.tsv:3: VALID is not a finite"},
    {HEAD "1\t4.5\t3.5\t9\n", "curve.tsv:2: VALID is not a finite number"},
    {HEAD "1\t5\t\n2\t5\t\n3\t5\t\n4\t5\t\n5\tx\t3\n",
     "curve.tsv:6: TRAIN is not a finite number"},
    {HEAD "1\t5\t\n2\t5\t\n3\t5\t\n4\t5\t\n5\t5\t\n",
     "curve.tsv:6: VALID is not a finite number"},
    {HEAD "1\t5\t\n2\t5\t\n3\t5\t\n4\t5\t\n5\t5\t3\n6\t5\t3\n",
     "curve.tsv:7: is behind the last step"},
    {HEAD "1\t5\t\n2\t5\t\n3\t5\t\n4\t5\t\n5\t5\t3\n\n",
     "curve.tsv:7: is behind the last step"},
    {HEAD "1\t5\t\n2\t5\t\n3\t5\t\n4\t5\t\n5\t5\t3", NULL}};

static void wrong_curves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        write_trained("curve.tsv", curves[i].text);
        trained_says(&lent, curves[i].says, NULL);
    }
    OWNED(free) char *path = in_folder("c4/trained/curve.tsv");
    remove(path);
    trained_says(&lent, "curve.tsv: is missing", NULL);
    write_trained("curve.tsv", curve);
}

/* A curve has at most 1000 points: with 2002 steps, one for every three steps
 * and the last one, whose loss has no place in the cell's curve. */
static void long_curve(void **state)
{
    OWNED(returned_close) struct returned t = {.path = NULL};
    struct contract k = lent;
    FILE *f;

    (void)state;
    k.config.steps = 2002;
    OWNED(free) char *path = in_folder("c4/trained/curve.tsv");
    assert_non_null(f = fopen(path, "w"));
    fputs(HEAD, f);
    for (int i = 3; i < 2002; i += 3)
        fprintf(f, "%d\t%d.5\t\n", i, i);
    fputs("2002\t7\t6.5\n", f);
    fclose(f);
    assert_int_equal(returned_read(&t, &k), OK);
    for (int i = 0; i < 667; i++)
        assert_float_equal(t.loss[i], 3 * i + 3.5, 0);
    assert_float_equal(t.loss[667], 0, 0);
    assert_float_equal(t.valid, 6.5, 0);
    write_trained("curve.tsv", curve);
}

static void wrong_trainers(void **state)
{
    static const char *const framework[] = {
        "7", "null", "\"\"", "\"two\\nlines\"", "\"\\u001b[31mred\""};
    OWNED(free) char *path = in_folder("c4/trained/trainer.json");

    (void)state;
    for (size_t i = 0; i < sizeof framework / sizeof *framework; i++) {
        OWNED(free) char *text = str_format(
            "{\"framework\": %s, \"machine\": \"here\"}", framework[i]);

        write_trained("trainer.json", text);
        trained_says(&lent, "'framework' must be text of 1 to 255", NULL);
    }
    for (int n = 255; n <= 256; n++) {
        OWNED(free) char *text = str_format(
            "{\"framework\": \"x\", \"machine\": \"%0*d\"}", n, 1);

        write_trained("trainer.json", text);
        trained_says(&lent, n > 255 ? "'machine' must be" : NULL, NULL);
    }
    write_trained("trainer.json", "[\"framework\"]");
    trained_says(&lent, "'framework' must be text", NULL);
    remove(path);
    trained_says(&lent, "trainer.json: is missing", NULL);
    write_trained("trainer.json", trainer);
}

static int setup(void **state)
{
    (void)state;
    folder = scratch_make();
    OWNED(free) char *yaml = in_folder("x.yaml");
    OWNED(free) char *store = in_folder("s");
    write_text(yaml, experiment);
    PROGRAM(0, "trained 1 cell", "run", yaml, "--store", store, "-j", "1",
            "-E", "task==c4 && variant==random");
    lend("random/c4/3", "c4", 0, "lent random/c4/3");
    write_all_trained();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    contract_close(&lent);
    scratch_remove(folder);
    return 0;
}

#define TEST(f, name) {name, f, NULL, NULL, NULL}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(families, "every id, label and prompt of a data set is lent"),
        TEST(weights_to_start_from, "a cell that starts from weights is lent "
             "with them, and with the rates of its tensors"),
        TEST(cells_that_are_not_lent, "a cell that no trainer can train is "
             "not lent, and the message says why"),
        TEST(contracts_of_other_versions, "a contract of another version is "
             "refused with the reason"),
        TEST(wrong_tensors, "a wrong tensor is named, with what is wrong"),
        TEST(never_trained, "a tensor that was not trained is named, unless "
             "the engine does not train it either"),
        TEST(other_data, "a cell of other data is not adopted"),
        TEST(wrong_curves, "a wrong line of a curve is named"),
        TEST(long_curve, "a curve of many steps has a line for several"),
        TEST(wrong_trainers, "a trainer is named by two harmless texts")};

    return cmocka_run_group_tests_name("lend", tests, setup, teardown);
}
