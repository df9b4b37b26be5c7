/* Reads and checks the files that the other program, the trainer, has written.
 * The trace is checked first, because its errors explain those of the other
 * files. */
#include "harness/lend/lend_private.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/train/weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void returned_close(struct returned *t)
{
    trace_file_close(&t->lent);
    trace_file_close(&t->start);
    trace_file_close(&t->end);
    free(t->path);
    free(t->loss);
    arena_free(t->memory);
}

static int read_arrays(struct trace_file *f, const struct contract *k,
                       const char *name)
{
    OWNED(free) char *path = str_format("%s/%s", k->folder, name);
    OWNED(fclose) FILE *file = NULL;

    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing; the trainer writes it", path);
    if (file_open(&file, NULL, path, 0) < 0) /* rejects pipes */
        return err_set(ERR_DATA, "%s", err_last());
    return trace_file_read(f, path, 0);
}

/* ---- the trace ---- */

/* Returns the size of an input or a weight: its values are float32 or int32. */
static size_t bytes_of(const struct trace_array *a)
{
    return trace_array_len(a) * 4;
}

static int same_shape(const struct trace_array *a, const struct trace_array *b)
{
    return a->type == b->type && a->nd == b->nd &&
           !memcmp(a->dim, b->dim, (size_t)a->nd * sizeof *a->dim);
}

/* Returns 1 if `b` has one more dimension, for the rows of a batch, before the
 * dimensions of `a`. */
static int is_for_each_row(const struct trace_array *a,
                           const struct trace_array *b, int rows)
{
    return b->nd == a->nd + 1 && b->dim[0] == rows &&
           !memcmp(a->dim, b->dim + 1, (size_t)a->nd * sizeof *a->dim);
}

static int is_input(const char *name)
{
    return !strncmp(name, "params/", 7) || !strncmp(name, "frozen/", 7) ||
           strstr(name, "/batch/") != NULL;
}

/* Checks that the trainer's trace `f` has the same inputs as the lent trace:
 * tensors and batches. */
static int check_inputs(const struct returned *t, const struct trace_file *f,
                        const char *path)
{
    for (int i = 0; i < t->lent.n; i++) {
        const struct trace_array *a = &t->lent.array[i];
        const struct trace_array *b = trace_file_find(f, "%s", a->name);

        if (b && is_for_each_row(a, b, t->traced.batch))
            return err_set(ERR_DATA, "%s: %s has a dimension for the rows of a "
                           "batch: it is drawn for every batch element, but it "
                           "is one tensor for all", path, a->name);
        if (is_input(a->name) && (!b || !same_shape(a, b) ||
                                  memcmp(a->x, b->x, bytes_of(a))))
            return err_set(ERR_DATA, "%s: %s is not that of the lent trace.h5",
                           path, a->name);
    }
    return OK;
}

/* Returns a text such as
 * "loss: steps/1/loss has an error of 1.2e-02 (limit 1e-05); 2 more differ". */
static const char *finding(const struct trace_finding *g, struct arena *a)
{
    const char *by = g->bound > 0
                         ? arena_format(a, "has an error of %.1e (limit %.0e)",
                                        g->error, g->bound)
                         : "is wrong";

    return arena_format(a, "%s: %s %s%s", g->group, g->first, by,
                        g->failed > 1 ? arena_format(a, "; %d more differ",
                                                     g->failed - 1) : "");
}

/* A message names at most FINDINGS findings; the others are mostly consequences
 * of the first ones. */
enum { FINDINGS = 2 };

static int differs(const struct returned *t, const struct trace_file *f,
                   const struct trace_report *r, const char *path)
{
    const char *mistake = trace_mistake(t->memory, f, &t->traced, &t->mix);
    const char *all = NULL;
    int named = 0;

    for (int i = 0; i < r->n && named < FINDINGS; i++)
        if (r->finding[i].failed) {
            const char *one = finding(&r->finding[i], t->memory);

            all = named++ ? arena_format(t->memory, "%s; %s", all, one) : one;
        }
    return err_set(ERR_DATA, "%s: does not agree with the engine: %s; %s%s",
                   path, all, mistake ? "mistake: " : "no known mistake of "
                   "public implementations does that", mistake ? mistake : "");
}

static int check_trace(struct returned *t, const struct contract *k)
{
    OWNED(free) char *lent = str_format("%s/trace.h5", k->folder);
    OWNED(free) char *path = str_format("%s/trained/trace.h5", k->folder);
    OWNED(trace_file_close) struct trace_file f = {.memory = NULL};
    struct trace_report r;

    PASS(read_arrays(&t->lent, k, "trace.h5"));
    if (trace_json_read(&t->traced, &t->mix, t->lent.config,
                        trace_steps(&t->lent)) < 0)
        return err_wrap(ERR_DATA, "%s", lent);
    PASS(trace_layout(&t->lent, lent, &t->traced, &t->mix));
    PASS(read_arrays(&f, k, "trained/trace.h5"));
    PASS(check_inputs(t, &f, path));
    PASS(trace_check(&r, &f, path, &t->traced, &t->mix));
    return r.failed ? differs(t, &f, &r, path) : OK;
}

/* ---- the weights ---- */

static int check_finite(const struct returned *t, const struct trace_array *a)
{
    const float *x = a->x;

    for (size_t i = 0; i < trace_array_len(a); i++)
        if (!isfinite(x[i]))
            return err_set(ERR_DATA, "%s: %s has a value that is %s", t->path,
                           a->name, isnan(x[i]) ? "not a number" : "infinite");
    return OK;
}

/* Returns 1 if the parameter changed in the lent trace, which the engine
 * computed. */
static int is_trained(const struct returned *t, const struct param *p)
{
    const struct trace_array *a = trace_file_find(&t->lent, "params/%s",
                                                  p->name);
    const struct trace_array *b = trace_file_find(&t->lent, "end/%s", p->name);

    return memcmp(a->x, b->x, bytes_of(a)) != 0;
}

static int check_tensor(const struct returned *t, const struct param *p)
{
    int frozen = p->kind == PARAM_FROZEN;
    const char *group = frozen ? "frozen" : "params";
    const struct trace_array *a = trace_file_find(&t->start, "%s/%s", group,
                                                  p->name);
    const struct trace_array *b = trace_file_find(&t->end, "%s/%s", group,
                                                  p->name);

    if (!a || !b)
        return err_set(ERR_DATA, "%s: %s/%s is missing",
                       a ? t->path : "start.h5", group, p->name);
    if (!same_shape(a, b))
        return err_set(ERR_DATA, "%s: %s has another shape or type than in "
                       "start.h5", t->path, b->name);
    PASS(check_finite(t, b));
    int same = !memcmp(a->x, b->x, bytes_of(a));
    if (frozen && !same)
        return err_set(ERR_DATA, "%s: %s is frozen, but it was changed",
                       t->path, b->name);
    if (!frozen && same && is_trained(t, p))
        return err_set(ERR_DATA, "%s: %s was never trained: it has the bits "
                       "of start.h5; is it registered as a parameter?",
                       t->path, b->name);
    return OK;
}

static int check_weights(struct returned *t, const struct contract *k)
{
    OWNED(params_close) struct params plan = {.be = NULL};

    t->path = str_format("%s/trained/weights.h5", k->folder);
    PASS(read_arrays(&t->start, k, "start.h5"));
    PASS(read_arrays(&t->end, k, "trained/weights.h5"));
    params_count(&plan);
    model_new(&t->traced.model, &t->mix, &plan);
    for (int i = 0; i < plan.n; i++)
        PASS(check_tensor(t, &plan.list[i]));
    for (int i = 0; i < t->end.n; i++)
        if (!trace_file_find(&t->start, "%s", t->end.array[i].name))
            return err_set(ERR_DATA, "%s: %s is no tensor of this model",
                           t->path, t->end.array[i].name);
    return OK;
}

/* ---- the curve ---- */

static int curve_wrong(const char *path, long line, const char *why)
{
    return err_set(ERR_DATA, "%s:%ld: %s", path, line, why);
}

/* Reads a line STEP <tab> TRAIN <tab> VALID, and sets *step to STEP.  VALID may
 * be empty except in the last line. */
static int read_point(struct returned *t, char *line, const struct contract *k,
                      long *step, const char *path, long number)
{
    char *valid = line;
    const char *number_of_step = strsep(&valid, "\t");
    const char *train = strsep(&valid, "\t");
    int steps = k->config.steps, stride = train_stride(steps);
    long long at = 0;
    double loss = 0;

    if (!valid || str_to_int(number_of_step, &at))
        return curve_wrong(path, number, "expected STEP, TRAIN and VALID, "
                                         "separated by tabs");
    long next = *step + stride < steps ? *step + stride : steps;
    if (at != next)
        return err_set(ERR_DATA, "%s:%ld: step %lld, expected step %ld (one "
                       "line every %d steps, and the last step)", path, number,
                       at, next, stride);
    if (str_to_real(train, &loss))
        return curve_wrong(path, number, "TRAIN is not a finite number");
    if ((at == steps || *valid) && str_to_real(valid, &t->valid))
        return curve_wrong(path, number, "VALID is not a finite number; it may "
                                         "be empty before the last line only");
    if (at % stride == 0)
        t->loss[at / stride - 1] = loss;
    *step = at;
    return OK;
}

static int read_curve(struct returned *t, const struct contract *k)
{
    OWNED(free) char *path = str_format("%s/trained/curve.tsv", k->folder);
    OWNED(free) char *text = NULL;
    int steps = k->config.steps;
    long step = 0, number = 1;
    size_t n;

    t->loss = calloc((size_t)(steps / train_stride(steps)) + 1,
                     sizeof *t->loss);
    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing; the trainer writes it", path);
    PASS(file_read(&text, &n, path));
    char *rest = text, *line = strsep(&rest, "\n");
    if (strcmp(line, "step\ttrain\tvalid"))
        return curve_wrong(path, 1, "expected the header step, train, valid, "
                                    "separated by tabs");
    while ((line = strsep(&rest, "\n")) && (*line || rest)) {
        number++;
        if (step == steps)
            return curve_wrong(path, number, "is behind the last step");
        PASS(read_point(t, line, k, &step, path, number));
    }
    return step == steps
               ? OK
               : err_set(ERR_DATA, "%s: ends at step %ld, but the cell has %d "
                         "steps", path, step, steps);
}

/* ---- trainer.json ---- */

enum { WORDS = 256 };

static int read_text(const char **out, const json_t *all, const char *name,
                     const char *path, struct arena *a)
{
    const char *s = json_string_value(json_object_get(all, name));

    if (!s || !*s || strlen(s) >= WORDS || !str_is_harmless(s))
        return err_set(ERR_DATA, "%s: '%s' must be text of 1 to %d bytes "
                       "without control characters", path, name, WORDS - 1);
    *out = arena_text(a, s);
    return OK;
}

static int read_texts(struct returned *t, const struct contract *k)
{
    OWNED(free) char *path = str_format("%s/trained/trainer.json", k->folder);
    OWNED(json_decref) json_t *all = NULL;

    if (!file_exists(path))
        return err_set(ERR_DATA, "%s: is missing; the trainer writes it", path);
    if (json_read(&all, path) < 0)
        return err_set(ERR_DATA, "%s", err_last());
    PASS(read_text(&t->framework, all, "framework", path, t->memory));
    return read_text(&t->machine, all, "machine", path, t->memory);
}

int returned_read(struct returned *out, const struct contract *k)
{
    out->memory = arena_new();
    PASS(check_trace(out, k));
    PASS(check_weights(out, k));
    PASS(read_curve(out, k));
    return read_texts(out, k);
}
