/* check_formula: the properties `output` and `gradient`, which verify.c runs.
 * They compare a layer with the formula (formula.h) for sentences of unequal
 * lengths, fewer rows than N, several heads, and weights without special
 * values. */
#include "harness/verify/attention/leaf.h"
#include "harness/verify/attention/verify.h"

#include <math.h>

static const char *mask_text(const struct mask *m)
{
    return m->causal ? m->length ? "causal, lengths" : "causal"
                     : m->length ? "lengths" : "no mask";
}

/* Returns x in double. */
static double *widen(struct layer *l, const tensor *x)
{
    size_t n = tensor_len(x);
    double *y = arena_take(l->memory, n * sizeof *y);

    for (size_t i = 0; i < n; i++)
        y[i] = (double)x->x[i];
    return y;
}

/* ---- output ---- */

static void output(struct layer *l, const struct mask *mask, struct gauge *m)
{
    const double *x = widen(l, l->x);
    const real *got = layer_run(l, TAPE_EVAL, l->x, mask)->x;
    enum { EACH = LAYER_ROWS * LAYER_D };

    for (int b = 0; b < LAYER_B; b++) {
        const double *want = layer_formula(l, x, b, mask);

        for (int i = 0; i < EACH; i++)
            measure_worst(m, measure_off((double)got[b * EACH + i], want[i]),
                          "setting %d, %s, sentence %d, row %d: %.6g, not "
                          "%.6g", l->setting, mask_text(mask), b, i / LAYER_D,
                          (double)got[b * EACH + i], want[i]);
    }
    formula_forget(&l->formula);
}

const struct property property_output = {
    .name = "output",
    .title = "equals the formula in plain loops",
    .excuse = property_needs_formula,
    .bound = 3 * ROUNDING,
    .settings = SETTINGS,
    .masks = MASK_ALL,
    .run = output};

/* ---- gradient ---- */

/* Returns leaf_sum of the output y of the formula: sum_i w_i y_i. */
static double objective(struct layer *l, const double *x, const struct mask *m)
{
    enum { EACH = LAYER_ROWS * LAYER_D };
    double sum = 0;
    real w[LAYER_X];

    leaf_weight(w, LAYER_X);
    for (int b = 0; b < LAYER_B; b++) {
        const double *y = layer_formula(l, x, b, m);

        for (int i = 0; i < EACH; i++)
            sum += (double)w[b * EACH + i] * y[i];
    }
    formula_forget(&l->formula);
    return sum;
}

/* Returns the derivative of the objective f with respect to *at: (8 D(e) -
 * D(2e)) / (12 e) with D(s) = f(*at + s) - f(*at - s).  The step e is so small
 * that no relu of the formula has its kink within 2 e. */
static double slope(struct layer *l, const double *x, const struct mask *m,
                    double *at)
{
    const double e = 1e-5, keep = *at, step[] = {e, -e, 2 * e, -2 * e};
    double f[4];

    for (int i = 0; i < 4; i++) {
        *at = keep + step[i];
        f[i] = objective(l, x, m);
    }
    *at = keep;
    return (8 * (f[0] - f[1]) - (f[2] - f[3])) / (12 * e);
}

/* Compares the gradient g of a tensor with the slopes with respect to its n
 * values at[i]. */
static void one_tensor(struct layer *l, const char *name, const double *x,
                       const struct mask *mask, size_t n, const real *g,
                       double *at, struct gauge *m)
{
    double top = 1e-3;

    for (size_t i = 0; i < n; i++)
        top = fmax(top, fabs((double)g[i]));
    for (size_t i = 0; i < n; i++) {
        double want = slope(l, x, mask, &at[i]);

        measure_worst(m, fabs((double)g[i] - want) / top,
                      "%s[%zu], %s: %.6g, not %.6g", name, i, mask_text(mask),
                      (double)g[i], want);
    }
}

static void tensors(struct layer *l, const struct mask *mask,
                    struct gauge *m)
{
    double *x = widen(l, l->x);

    layer_backward(l, mask);
    one_tensor(l, "x", x, mask, LAYER_X, l->x->g, x, m);
    for (int i = 0; i < l->view.n; i++)
        if (l->view.list[i].kind == PARAM_LEARNED)
            one_tensor(l, l->view.list[i].name, x, mask,
                       tensor_len(l->view.list[i].value),
                       l->view.list[i].value->g, l->formula.weight[i], m);
}

static void gradient(const struct subject *s, const struct backend *be,
                     struct gauge *m)
{
    static const struct { int setting, mask; } at[] = {{0, 2}, {2, 3}};
    struct layer l;

    for (int i = 0; i < 2; i++) {
        const struct mask *mask = &layer_mask[at[i].mask];

        layer_open(&l, s, &layer_config[at[i].setting], be);
        tensors(&l, layer_may(s, mask) ? mask : &layer_mask[0], m);
        layer_close(&l);
    }
}

const struct property property_gradient = {
    .name = "grad",
    .title = "gradients equal the numerical derivatives of the formula",
    .excuse = property_needs_formula,
    .bound = sizeof(real) == sizeof(double) ? 1e-7 : 3 * ROUNDING,
    .whole = gradient};
