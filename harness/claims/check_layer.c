#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "variants/variants.h"

#include <stdio.h>
#include <string.h>

int check_layer_subject(struct subject *s, const char *name, enum mix_rule rule)
{
    struct mix mix;

    PASS(mix_read(&mix, name));
    REQUIRE(subject_make(s, variant_all, name, rule), "no %s", name);
    return OK;
}

struct model_config check_layer_config(const struct check_values *v)
{
    struct model_config c = layer_config[0];

    c.d = v->d ? v->d : c.d;
    c.heads = v->heads ? v->heads : c.heads;
    c.N = v->N ? v->N : c.N;
    c.rank = v->rank ? v->rank : c.rank;
    c.head_width = v->k;
    c.orthogonal = (enum linalg_method)v->method;
    return c;
}

int check_layer_open(struct check_layer *l, const char *variant,
                     enum mix_rule rule, const struct model_config *c)
{
    struct model_config own = *c;

    memset(l, 0, sizeof *l);
    own.family = FAMILY_ENCODER;
    own.mix = rule;
    if (own.d % own.heads)
        return err_set(ERR_USAGE, "d: %d is not a multiple of heads: %d", own.d,
                       own.heads);
    PASS(check_layer_subject(&l->subject, variant, rule));
    const char *fault = mix_fault(&l->subject.mix, &own);
    if (fault)
        return err_set(ERR_USAGE, "%s: %s", variant, fault);
    l->c = own;
    backend_cpu.thread_begin();
    layer_open(&l->layer, &l->subject, &l->c, &backend_cpu);
    return OK;
}

int check_layer_scored(struct check_layer *l, const char *variant,
                       const struct model_config *c)
{
    PASS(check_layer_open(l, variant, MIX_LOGITS, c));
    return l->subject.mix.n == 1 && l->subject.mix.part[0]->scores
               ? OK : err_set(ERR_USAGE, "%s has no scores of its own",
                              variant);
}

void check_layer_close(struct check_layer *l)
{
    if (l->layer.tape)
        layer_close(&l->layer);
    l->layer.tape = NULL;
}

/* ---- matrices ---- */

double *check_layer_wide(struct check_layer *l, const tensor *x)
{
    size_t n = tensor_len(x);
    double *y = arena_take(l->layer.memory, n * sizeof *y);

    for (size_t i = 0; i < n; i++)
        y[i] = (double)x->x[i];
    return y;
}

double *check_room(struct check_layer *l, int n, int m)
{
    return arena_take(l->layer.memory, (size_t)n * (size_t)m * sizeof(double));
}

double *check_layer_scores(struct check_layer *l, tensor *x, int head,
                           int sentence)
{
    const tensor *b = layer_scores(&l->layer, TAPE_EVAL, x, &layer_mask[0]);
    size_t n = (size_t)x->dim[1], shared = b->dim[1] == 1;
    size_t at = (size_t)head * (size_t)b->dim[1] +
                (shared ? 0 : (size_t)sentence);
    double *y = arena_take(l->layer.memory, n * n * sizeof *y);

    for (size_t i = 0; i < n * n; i++)
        y[i] = (double)b->x[at * n * n + i];
    return y;
}

tensor *check_layer_weight(struct check_layer *l, const char *name)
{
    const struct params *ps = &l->layer.params;
    char path[PARAM_NAME];

    snprintf(path, sizeof path, "self.%.40s.%.40s", l->subject.variant, name);
    const struct param *p = params_find(ps, path);
    snprintf(path, sizeof path, "self.%.80s", name);
    p = p ? p : params_find(ps, path);
    return p ? p->value : NULL;
}

void check_times(int n, int m, int e, const double *x, const double *w,
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

void check_turned(int n, int m, int e, const double *x, const double *w,
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

double check_norm2(int n, const double *x)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}
