/*
 * trace_mistake: finds the mistake of another program that explains why its
 * trace differs.  Step 1 is computed again with each mistake that public
 * implementations of these variants have made, and the mistake that reproduces
 * the loss of the trace is reported.
 */
#include "harness/verify/traces/trace.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of mistakes.  The kind that is being tried is in the static
 * variable `now`, so only one replay can run at a time. */
enum kind {
    RIGHT, SCALED, UNSCALED, SCALED_BY_WIDTH, TILED_ALIKE, /* scores  */
    NO_SOFTMAX, MASK_LATE, NO_MASK, PADDING, QUERIES,      /* weights */
    ONE_HEAD, ONE_LAYER, ONE_MATRIX, NO_BIAS               /* tensors */
};

static const struct { enum kind kind; const char *text; } mistakes[] = {
    {SCALED, "the scores are divided by the square root of a head's width"},
    {UNSCALED, "the scores are not divided by the square root of a head's "
     "width"},
    {SCALED_BY_WIDTH, "the scores are divided by the square root of d"},
    {TILED_ALIKE, "both factors are tiled alike: column j is A[j mod a] "
     "C[j mod c] in place of A[j mod a] C[j div a]"},
    {NO_SOFTMAX, "the softmax is left out: the scores themselves are the "
     "weights"},
    {MASK_LATE, "the causal mask is applied after the softmax, so the weights "
     "of a row do not sum to 1"},
    {NO_MASK, "the causal mask is missing"},
    {PADDING, "padding is attended to"},
    {QUERIES, "the softmax is taken over the queries, not over the keys"},
    {ONE_HEAD, "all heads of a layer share the matrix of head 0"},
    {ONE_LAYER, "all layers of a stack share the matrices of layer 0"},
    {ONE_MATRIX, "all layers and heads share one matrix, that of layer 0 and "
     "head 0"},
    {NO_BIAS, "the biases of the scores are missing"}};

enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static struct {
    const struct variant *truth;
    enum kind             kind;
    int                   N, d, k, a, c; /* a, c: sides of the factors */
} now;

/* ---- scores ---- */

static tensor *like(struct tape *t, const tensor *b, int columns)
{
    return tape_leaf(t, 4, (int[]){b->dim[0], b->dim[1], b->dim[2], columns});
}

/* Returns scores with the mistake TILED_ALIKE, whose columns are taken from all
 * N columns of the true scores. */
static tensor *tile(const void *self, struct tape *t, tensor *x,
                    const struct window *w)
{
    struct window whole = *w;

    whole.keys = now.N;
    tensor *all = now.truth->scores(self, t, x, &whole);
    tensor *b = like(t, all, w->keys);
    size_t rows = tensor_len(b) / (size_t)w->keys;

    for (size_t i = 0; i < rows; i++)
        for (int j = 0; j < w->keys; j++)
            b->x[i * (size_t)w->keys + (size_t)j] =
                all->x[i * (size_t)now.N +
                       (size_t)(j % now.a + now.a * (j % now.c))];
    return b;
}

static tensor *scores(const void *self, struct tape *t, tensor *x,
                      const struct window *w)
{
    if (now.kind == TILED_ALIKE)
        return tile(self, t, x, w);
    tensor *right = now.truth->scores(self, t, x, w);
    tensor *b = like(t, right, tensor_last(right));
    double by = now.kind == SCALED     ? 1 / sqrt(now.k)
                : now.kind == UNSCALED ? sqrt(now.k)
                                       : 1 / sqrt(now.d);

    for (size_t i = 0; i < tensor_len(b); i++)
        b->x[i] = (real)(right->x[i] * by);
    return b;
}

/* ---- weights ---- */

/* Returns true if row i may see key j before the softmax. */
static int is_seen(const struct window *w, int sentence, int i, int j)
{
    int inside = !w->length || j < w->length[sentence];
    int earlier = !w->causal || j <= i;

    return now.kind == PADDING                              ? earlier
           : now.kind == MASK_LATE || now.kind == NO_MASK ? inside
                                                            : inside && earlier;
}

/* Applies a softmax to n values of p: a row with stride 1, a column with stride
 * n. */
static void normalise(double *p, int n, int stride)
{
    double most = -INFINITY, sum = 0;

    for (int j = 0; j < n; j++)
        most = fmax(most, p[j * stride]);
    for (int j = 0; j < n && most > -INFINITY; j++)
        sum += p[j * stride] = exp(p[j * stride] - most);
    for (int j = 0; j < n; j++)
        p[j * stride] = sum > 0 ? p[j * stride] / sum : 0;
}

/* Computes p (n,n), the attention weights that one head's scores b (n,n) yield
 * with the mistake. */
static void weigh(double *p, const real *b, int n, const struct window *w,
                  int sentence)
{
    double none = now.kind == NO_SOFTMAX ? 0 : -INFINITY;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p[i * n + j] = is_seen(w, sentence, i, j) ? (double)b[i * n + j]
                                                      : none;
    for (int i = 0; i < n && now.kind != NO_SOFTMAX; i++)
        normalise(p + (now.kind == QUERIES ? i : i * n), n,
                  now.kind == QUERIES ? n : 1);
    for (int i = 0; i < n && now.kind == MASK_LATE; i++)
        for (int j = w->causal ? i + 1 : n; j < n; j++)
            p[i * n + j] = 0;
}

/* Computes Y = P V of one head and sentence; v and y are (n,width), with heads
 * side by side. */
static void mix_values(real *y, const real *v, const double *p, int n, int k,
                       int width)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < k; c++) {
            double sum = 0;

            for (int j = 0; j < n; j++)
                sum += p[i * n + j] * (double)v[j * width + c];
            y[i * width + c] = (real)sum;
        }
}

static tensor *output(const void *self, struct tape *t, tensor *x, tensor *v,
                      const struct window *w)
{
    tensor *b = now.truth->scores(self, t, x, w);
    tensor *y = tape_leaf(t, 3, v->dim);
    int n = v->dim[1], width = v->dim[2], heads = b->dim[0], k = width / heads;
    OWNED(free) double *p = calloc((size_t)(n * n), sizeof *p);

    for (int s = 0; s < v->dim[0]; s++)
        for (int h = 0; h < heads; h++) {
            int one = b->dim[1] == 1 ? 0 : s;
            size_t at = (size_t)(s * n * width + h * k);

            weigh(p, b->x + (size_t)(h * b->dim[1] + one) * (size_t)(n * n),
                  n, w, s);
            mix_values(y->x + at, v->x + at, p, n, k, width);
        }
    return y;
}

/* ---- tensors ---- */

static int is_matrix(const char *name)
{
    return strstr(name, ".self.") &&
           (str_ends(name, ".R") || str_ends(name, ".R1") ||
            str_ends(name, ".R2"));
}

static int is_bias(const char *name)
{
    return strstr(name, ".self.") &&
           (str_ends(name, ".b1") || str_ends(name, ".b2") ||
            str_ends(name, ".ba") || str_ends(name, ".bc"));
}

/* Returns the tensor of layer 0 that corresponds to the tensor `name` of any
 * layer of the stack, or NULL. */
static const struct trace_array *first_layer(const struct trace_file *f,
                                             const char *name)
{
    size_t stack = strcspn(name, "."), number;

    if (!name[stack])
        return NULL;
    number = strspn(name + stack + 1, "0123456789");
    return trace_file_find(f, "%.*s.0%s", (int)stack, name,
                           name + stack + 1 + number);
}

/* Sets a->x to changed values in new memory; the values of f stay unchanged. */
static void change(struct trace_array *a, const struct trace_file *f)
{
    size_t n = trace_array_len(a), each = a->nd ? n / (size_t)a->dim[0] : n;
    const struct trace_array *from = first_layer(f, a->name);
    float *x = arena_zero(f->memory, n * sizeof *x + 1);

    if (now.kind == ONE_HEAD || !from)
        from = a;
    if (now.kind != NO_BIAS)
        memcpy(x, from->x, n * sizeof *x);
    for (size_t i = each; i < n && now.kind != ONE_LAYER; i += each)
        memcpy(x + i, x, each * sizeof *x);
    a->x = x;
}

/* Returns a copy of the list of f's arrays in which the tensors that the
 * mistake concerns are changed; the caller frees the list. */
static struct trace_array *changed(const struct trace_file *f)
{
    struct trace_array *all = calloc((size_t)f->n + 1, sizeof *all);

    memcpy(all, f->array, (size_t)f->n * sizeof *all);
    for (int i = 0; i < f->n && now.kind >= ONE_HEAD; i++)
        if ((strncmp(all[i].name, "params/", 7) == 0 ||
             strncmp(all[i].name, "frozen/", 7) == 0) &&
            (now.kind == NO_BIAS ? is_bias : is_matrix)(all[i].name))
            change(&all[i], f);
    return all;
}

/* ---- replays ---- */

/* Returns the loss of step 1 with the mistake in one part of the mixture. */
static double replay(const struct trace_file *f, const struct config *c,
                     const struct mix *mix, int part)
{
    OWNED(trace_run_close) struct trace_run r = {.steps = 0};
    struct variant wrong = *mix->part[part];
    struct config one = *c;
    struct mix other = *mix;
    struct trace_file g = *f;
    OWNED(free) struct trace_array *array = changed(f);

    g.array = array;
    now.truth = mix->part[part];
    if (now.kind > RIGHT && now.kind < NO_SOFTMAX)
        wrong.scores = scores;
    else if (now.kind >= NO_SOFTMAX && now.kind < ONE_HEAD)
        wrong.output = output;
    other.part[part] = &wrong;
    one.steps = 1;
    trace_play(&r, &g, &one, &other);
    return r.loss[0];
}

/* Returns the last dimension of the tensor `name` of the variant in the first
 * layer that has it, or 0. */
static int side(const struct trace_file *f, const struct variant *v,
                const char *name)
{
    OWNED(free) char *end = str_format(".%s.%s", v->name, name);

    for (int i = 0; i < f->n; i++)
        if (!strncmp(f->array[i].name, "params/", 7) &&
            str_ends(f->array[i].name, end))
            return f->array[i].dim[f->array[i].nd - 1];
    return 0;
}

/* Returns true if part `part` of the mixture can have the mistake now.kind. */
static int is_possible(const struct trace_file *f, const struct mix *mix,
                       int part)
{
    const struct variant *v = mix->part[part];

    if (now.kind >= ONE_HEAD)
        return part == 0;
    if (!v->scores || variant_alone(v))
        return 0;
    if (now.kind == TILED_ALIKE) {
        now.a = side(f, v, "wa");
        now.c = side(f, v, "wc");
        return now.a && now.c;
    }
    return now.kind < NO_SOFTMAX || mix->n == 1;
}

static double distance(double x, double y)
{
    return fabs(x - y) / fmax(fabs(y), 1e-30);
}

static const double SAME = 3e-5; /* greatest relative difference of equal
                                    float32 losses */

static const char *nearest(const struct trace_file *f, const struct config *c,
                           const struct mix *mix, double loss, double right)
{
    const char *text = NULL;
    double best = SAME;

    for (int i = 0; i < MISTAKES; i++)
        for (int part = 0; part < mix->n; part++) {
            now.kind = mistakes[i].kind;
            if (!is_possible(f, mix, part))
                continue;
            double x = replay(f, c, mix, part), gap = distance(x, loss);

            if (gap < best && distance(x, right) > SAME) {
                best = gap;
                text = mistakes[i].text;
            }
        }
    return text;
}

/* ---- tensors that are not trained ---- */

static double norm_in(const struct trace_file *f, const struct param *p)
{
    const struct trace_array *a = trace_file_find(f, "grads/%s", p->name);
    const float *x = a->x;
    double sum = 0;

    for (size_t i = 0; i < trace_array_len(a); i++)
        sum += (double)x[i] * x[i];
    return sqrt(sum);
}

/* Returns the first learned tensor whose gradient is 0 only in the trace, or
 * NULL. */
static const struct param *untrained(const struct trace_file *f,
                                     const struct trace_run *r)
{
    for (int i = 0; i < r->trainer.params.n; i++) {
        const struct param *p = &r->trainer.params.list[i];

        if (p->kind == PARAM_LEARNED && !trace_silent(r, p) &&
            norm_in(f, p) == 0)
            return p;
    }
    return NULL;
}

const char *trace_mistake(struct arena *a, const struct trace_file *f,
                          const struct config *c, const struct mix *mix)
{
    double loss = *(double *)trace_file_find(f, "steps/1/loss")->x;
    OWNED(trace_run_close) struct trace_run r = {.steps = 0};
    struct config one = *c;

    now.N = c->model.N;
    now.d = c->model.d;
    now.k = config_head(&c->model);
    one.steps = 1;
    trace_play(&r, f, &one, mix);
    const struct param *p = untrained(f, &r);
    int same = distance(loss, r.loss[0]) <= SAME;
    const char *known = same ? NULL : nearest(f, c, mix, loss, r.loss[0]);
    if (known || !p)
        return known;
    if (same || !str_ends(p->name, ".R"))
        return arena_format(a, "%s is never trained: its gradient is 0; is it "
                            "registered as a parameter?", p->name);
    return arena_format(a, "%s is not used: scores that do not depend on it "
                        "are in its place, as if R were drawn again for every "
                        "batch element", p->name);
}
