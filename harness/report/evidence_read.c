#include "harness/report/evidence_private.h"

#include "harness/base/err.h"
#include "harness/store/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIGRAM, MAJORITY, FLOOR, REFERENCES };

const struct evidence_reference evidence_references[] = {
    [UNIGRAM] = {"unigram", "Unigram model",
                 "ignores the input: token frequencies of the training targets",
                 0},
    [MAJORITY] = {"majority", "Majority class",
                  "ignores the input: the most frequent label of the test set",
                  0},
    [FLOOR] = {"floor", "Entropy floor",
               "the lowest loss that a model can expect, known for synthetic "
               "examples", 1},
    [REFERENCES] = {0},
};

struct system *evidence_system(const struct evidence *e, const char *name)
{
    for (int i = 0; i < e->systems; i++)
        if (!strcmp(e->system[i].name, name))
            return &e->system[i];
    return NULL;
}

static struct system *add_system(struct evidence *e, const char *name)
{
    struct system *s = &e->system[e->systems++];

    *s = (struct system){.name = name};
    s->seed = arena_zero(e->memory, ((size_t)e->report->n + 1) *
                                        sizeof *s->seed);
    return s;
}

/* ---- data ---- */

static int read_set(int *set, struct evidence *e, struct cell_reader *cell,
                    const struct report_cell *c, size_t n)
{
    OWNED(free) char *digest = NULL;

    PASS(cell_get_text(cell, "provenance", "data_digest", &digest));
    if (n == 0)
        return err_set(ERR_STORE, "cell %s has no test examples", c->id);
    PASS(dataset_match_add(set, &e->match,
                           &(struct dataset_cell){c->id, c->variant, digest, n},
                           "table"));
    e->examples[*set] = n;
    return OK;
}

static int read_source(struct evidence *e, struct cell_reader *cell)
{
    OWNED(free) char *source = NULL;
    long long subset = 0; /* earlier versions had no subsets */

    PASS(cell_get_text(cell, "provenance", "data_source", &source));
    e->data.source = arena_text(e->memory, source);
    PASS(cell_maybe(cell_get_int(cell, "provenance", "subset", &subset)));
    e->data.subset = subset != 0;
    return OK;
}

/* ---- references: they are equal in all cells of a data set, so they are read
 * from the first cell only.  They share some arrays with the examples of this
 * cell; their other arrays are in e->memory.  If there are several data sets,
 * drop_references removes the references ---- */

static void add_reference(struct evidence *e, int which, struct tested examples)
{
    struct system *s = add_system(e, evidence_references[which].name);

    s->reference = s->seeds = 1;
    s->seed->examples = examples;
}

static double *array(struct evidence *e)
{
    return arena_take(e->memory, (e->data.examples + 1) * sizeof(double));
}

static int add_unigram(struct evidence *e, struct cell_reader *cell,
                       const struct tested *x)
{
    OWNED(free) double *nll = NULL;
    double *own = array(e);
    size_t n;

    PASS(cell_maybe(cell_get_array(cell, "examples/test/unigram_nll", &nll,
                                   &n)));
    if (!nll)
        return OK;
    memcpy(own, nll, n * sizeof *own);
    add_reference(e, UNIGRAM, (struct tested){
        .n = n, .block = x->block,
        .sum = {[MEASURE_NLL] = own,
                [MEASURE_TOKENS] = x->sum[MEASURE_TOKENS],
                [MEASURE_WORDS] = x->sum[MEASURE_WORDS]}});
    return OK;
}

static double most_frequent(const double *label, size_t n)
{
    double best = 0;
    size_t most = 0;

    for (size_t i = 0; i < n; i++) {
        size_t same = 0;

        for (size_t j = 0; j < n; j++)
            same += label[j] == label[i];
        if (same > most) {
            most = same;
            best = label[i];
        }
    }
    return best;
}

static int add_majority(struct evidence *e, struct cell_reader *cell)
{
    OWNED(free) double *label = NULL;
    double *hits = array(e), *ones = array(e);
    size_t n;

    PASS(cell_maybe(cell_get_array(cell, "examples/test/label", &label, &n)));
    if (!label)
        return OK;
    double best = most_frequent(label, n);
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        hits[i] = label[i] == best;
    }
    add_reference(e, MAJORITY, (struct tested){
        .n = n, .sum = {[MEASURE_HITS] = hits, [MEASURE_TOKENS] = ones}});
    return OK;
}

static int add_floor(struct evidence *e, struct cell_reader *cell,
                     const struct tested *x)
{
    double *tokens = x->sum[MEASURE_TOKENS], *nll = array(e), least = NAN;
    size_t n = e->data.examples;

    PASS(cell_maybe(cell_get_real(cell, "provenance", "entropy_floor_nats",
                                  &least))); /* nats per token */
    if (isnan(least) || !tokens)
        return OK;
    for (size_t i = 0; i < n; i++)
        nll[i] = tokens[i] * least;
    add_reference(e, FLOOR, (struct tested){
        .n = n, .block = x->block,
        .sum = {[MEASURE_NLL] = nll, [MEASURE_TOKENS] = tokens,
                [MEASURE_WORDS] = x->sum[MEASURE_WORDS]}});
    return OK;
}

static int read_references(struct evidence *e, struct cell_reader *cell,
                           const struct tested *x)
{
    PASS(add_unigram(e, cell, x));
    PASS(add_majority(e, cell));
    return add_floor(e, cell, x);
}

static void drop_references(struct evidence *e)
{
    int n = 0;

    while (n < e->systems && e->system[n].reference)
        n++;
    e->systems -= n;
    memmove(e->system, e->system + n, (size_t)e->systems * sizeof *e->system);
}

/* ---- cells ---- */

static int read_metrics(struct evidence *e, struct seed *s,
                        struct cell_reader *cell)
{
    const char **name;

    PASS(cell_maybe(cell_get_names(cell, "metrics", &name, &s->n)));
    s->metric = arena_zero(e->memory, (s->n + 1) * sizeof *s->metric);
    for (size_t i = 0; i < s->n; i++) {
        s->metric[i].metric = arena_text(e->memory, name[i]);
        PASS(cell_get_metric(cell, name[i], &s->metric[i].value));
    }
    return OK;
}

static int read_cell(struct evidence *e, const struct report_cell *c)
{
    OWNED(cell_close) struct cell_reader *cell = NULL;
    OWNED(examples_close) struct tested x = {.n = 0};
    int set = 0;

    PASS(report_read(&cell, e->report, c->id));
    PASS(examples_read(&x, cell, c->id));
    PASS(examples_block(&x, cell));
    if (e->systems == 0) {
        e->data.examples = x.n;
        PASS(read_source(e, cell));
        PASS(read_references(e, cell, &x));
    }
    PASS(read_set(&set, e, cell, c, x.n));
    struct system *s = evidence_system(e, c->variant);
    if (!s)
        s = add_system(e, c->variant);
    s->set = set;
    struct seed *seed = &s->seed[s->seeds++];
    *seed = (struct seed){.id = c->id, .seed = c->seed, .examples = x};
    x = (struct tested){.n = 0};
    e->several |= s->seeds > 1;
    PASS(learning_read(&seed->settled, &seed->error, cell));
    return read_metrics(e, seed, cell);
}

static int read_task(struct evidence **out, const struct report *r,
                     const char *task, const struct metric *const *metrics)
{
    struct arena *memory = arena_new();
    OWNED(evidence_close) struct evidence *e = arena_zero(memory, sizeof *e);

    *out = NULL;
    *e = (struct evidence){.memory = memory, .report = r, .metrics = metrics,
                           .task = arena_text(memory, task)};
    e->system = arena_zero(memory, ((size_t)r->n + REFERENCES) *
                                       sizeof *e->system);
    e->examples = arena_zero(memory, ((size_t)r->n + 1) * sizeof *e->examples);
    e->match.memory = memory;
    for (int i = 0; i < r->n; i++) {
        if (strcmp(r->cell[i].task, task) || r->cell[i].state != CELL_DONE)
            continue;
        int rc = read_cell(e, &r->cell[i]);
        PASS(rc == ERR_EMPTY ? err_wrap(ERR_STORE, "finished cell") : rc);
    }
    if (e->systems == 0)
        return err_set(ERR_EMPTY, "%s: no cell of task %s is finished",
                       r->store, task);
    e->data.sets = e->match.sets;
    if (e->data.sets > 1)
        drop_references(e);
    return MOVE_OUT(out, e);
}

/* Returns the evidence that the report has already stored for this task and
 * these metrics, or NULL. */
static struct evidence *kept(const struct report *r, const char *task,
                             const struct metric *const *metrics)
{
    struct evidence *e = r->evidence ? *r->evidence : NULL;

    while (e && (strcmp(e->task, task) || e->metrics != metrics))
        e = e->next;
    return e;
}

int evidence_open(struct evidence **out, const struct report *r,
                  const char *task, const struct metric *const *metrics)
{
    *out = kept(r, task, metrics);
    if (!*out) {
        PASS(read_task(out, r, task, metrics));
        if (!r->evidence)
            return OK;
        (*out)->next = *r->evidence;
        *r->evidence = *out;
    }
    (*out)->shared++;
    return OK;
}

void evidence_forget(struct evidence *kept)
{
    while (kept) {
        struct evidence *next = kept->next;

        evidence_close(kept);
        kept = next;
    }
}

void evidence_close(struct evidence *e)
{
    if (!e || e->shared-- > 0)
        return;
    for (int i = 0; i < e->systems; i++)
        for (int k = 0; !e->system[i].reference && k < e->system[i].seeds; k++)
            examples_close(&e->system[i].seed[k].examples);
    free(e->scores);
    arena_free(e->memory);
}

const struct evidence_data *evidence_data(const struct evidence *e)
{
    return &e->data;
}
