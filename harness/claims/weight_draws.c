#include "harness/claims/weight_draws.h"

#include "harness/base/err.h"
#include "harness/stats/stats.h"

#include <math.h>
#include <string.h>

static const char *const methods[] = {LINALG_METHODS(NAMES_WORD)};
enum { METHODS = sizeof methods / sizeof *methods };

static int read_method(enum linalg_method *out, const struct check_args *a)
{
    const char *word = check_word(a, "method");

    *out = LINALG_QR;
    for (int i = 0; word && i < METHODS; i++)
        if (!strcmp(word, methods[i])) {
            *out = (enum linalg_method)i;
            return OK;
        }
    return word ? err_set(ERR_USAGE, "method: %s: unknown construction (see "
                          "`synthbench list keys orthogonal.method`)",
                          word)
                : OK;
}

/* Copies the k columns of head `h` from `all` (d, heads * k) to `out` (d,k). */
static void cut(const struct draws *w, const double *all, int h, double *out)
{
    for (int i = 0; i < w->d; i++)
        memcpy(out + i * w->k, all + (i * w->heads + h) * w->k,
               (size_t)w->k * sizeof *out);
}

int draws_open(struct draws *w, struct check_layer *l,
               const struct check_args *a)
{
    struct model_config c;
    const char *variant;

    PASS(check_layer_word(&variant, a, "variant"));
    PASS(check_layer_sizes(&c, a));
    PASS(read_method(&c.orthogonal, a));
    PASS(check_layer_open(l, variant, MIX_LOGITS, &c));
    tensor *qk[] = {check_layer_weight(l, "q"), check_layer_weight(l, "k")};
    if (!qk[0] || !qk[1])
        return err_set(ERR_USAGE, "%s has no W_Q and W_K", variant);
    *w = (struct draws){.d = c.d, .k = config_head(&c), .heads = c.heads};
    size_t each = (size_t)w->d * (size_t)w->k;
    w->w = arena_take(l->layer.memory,
                      2 * (size_t)w->heads * each * sizeof *w->w);
    for (int i = 0; i < 2; i++) {
        const double *all = check_layer_wide(l, qk[i]);

        for (int h = 0; h < w->heads; h++)
            cut(w, all, h, w->w + (size_t)(i * w->heads + h) * each);
    }
    return OK;
}

void draws_times(int n, int m, int e, const double *x, const double *w,
                 double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < e; j++) {
            double sum = 0;

            for (int s = 0; s < m; s++)
                sum += x[i * m + s] * w[s * e + j];
            y[i * e + j] = sum;
        }
}

void draws_turned(int n, int m, int e, const double *x, const double *w,
                  double *y)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < e; j++) {
            double sum = 0;

            for (int s = 0; s < n; s++)
                sum += x[s * m + i] * w[s * e + j];
            y[i * e + j] = sum;
        }
}

double draws_norm2(size_t n, const double *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

double *draws_room(struct check_layer *l, int n, int m)
{
    return arena_take(l->layer.memory, (size_t)n * (size_t)m * sizeof(double));
}

double *draws_outer(struct check_layer *l, int d, int k, const double *v,
                    const double *w)
{
    double *turned = draws_room(l, k, d), *y = draws_room(l, d, d);

    for (int i = 0; i < d * k; i++)
        turned[i % k * d + i / k] = w[i];
    draws_times(d, k, d, v, turned, y);
    return y;
}

void draws_say(struct check_out *o, const char *measure, const double *x,
               int n)
{
    check_say(o, measure, stats_mean(x, (size_t)n),
              n > 1 ? stats_sd(x, (size_t)n) / sqrt(n) : 0);
}
