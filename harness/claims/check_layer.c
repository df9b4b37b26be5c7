#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "variants/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int check_layer_int(int *out, const struct check_args *a, const char *name,
                    int low, int high)
{
    double x = check_arg(a, name);

    if (!(x >= low && x <= high && x == floor(x)))
        return err_set(ERR_USAGE, "%s: %g: expected a whole number from %d "
                       "to %d",
                       name, x, low, high);
    *out = (int)x;
    return OK;
}

int check_layer_word(const char **out, const struct check_args *a,
                     const char *name)
{
    *out = check_word(a, name);
    return *out ? OK
                : err_set(ERR_USAGE, "the check needs an argument %s", name);
}

int check_layer_subject(struct subject *s, const char *name, enum mix_rule rule)
{
    struct mix mix;

    PASS(mix_read(&mix, name));
    REQUIRE(subject_make(s, variant_all, name, rule), "no %s", name);
    return OK;
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

void check_layer_close(struct check_layer *l)
{
    if (l->layer.tape)
        layer_close(&l->layer);
    l->layer.tape = NULL;
}

static int has(const struct check *of, const char *name)
{
    const struct check_parameter *p = of->parameter;

    for (; p->name; p++)
        if (!strcmp(p->name, name))
            return 1;
    return 0;
}

int check_layer_sizes(struct model_config *c, const struct check_args *a)
{
    *c = layer_config[0];
    struct { const char *name; int *at, low, high; } size[] = {
        {"d", &c->d, 1, 4096}, {"heads", &c->heads, 1, 4096},
        {"k", &c->head_width, 0, 4096}, {"N", &c->N, 1, 4096},
        {"rank", &c->rank, 1, 4096}};

    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (has(a->of, size[i].name))
            PASS(check_layer_int(size[i].at, a, size[i].name, size[i].low,
                                 size[i].high));
    return OK;
}

double *check_layer_wide(struct check_layer *l, const tensor *x)
{
    size_t n = tensor_len(x);
    double *y = arena_take(l->layer.memory, n * sizeof *y);

    for (size_t i = 0; i < n; i++)
        y[i] = (double)x->x[i];
    return y;
}

double *check_layer_scores(struct check_layer *l, tensor *x, int head,
                           int sentence)
{
    static const struct mask none = {0, NULL};
    const tensor *b = layer_scores(&l->layer, TAPE_EVAL, x, &none);
    size_t n = (size_t)x->dim[1], shared = b->dim[1] == 1;
    size_t at = (size_t)head * (size_t)b->dim[1] +
                (shared ? 0 : (size_t)sentence);
    double *y = arena_take(l->layer.memory, n * n * sizeof *y);

    for (size_t i = 0; i < n * n; i++)
        y[i] = (double)b->x[at * n * n + i];
    return y;
}

static tensor *named(const struct check_layer *l, const struct params *ps,
                     const char *name)
{
    char path[PARAM_NAME];

    snprintf(path, sizeof path, "self.%.40s.%.40s", l->subject.variant, name);
    const struct param *p = params_find(ps, path);
    snprintf(path, sizeof path, "self.%.80s", name);
    p = p ? p : params_find(ps, path);
    return p ? p->value : NULL;
}

tensor *check_layer_weight(struct check_layer *l, const char *name)
{
    return named(l, &l->layer.params, name);
}

tensor *check_layer_slopes(struct check_layer *l, const char *name)
{
    return named(l, &l->layer.view, name);
}

int check_layer_scored(struct check_layer *l, int *n,
                       const struct check_args *a)
{
    struct model_config c;
    const char *variant;

    PASS(check_layer_word(&variant, a, "variant"));
    PASS(check_layer_sizes(&c, a));
    PASS(check_layer_int(n, a, "n", 2, c.N));
    PASS(check_layer_open(l, variant, MIX_LOGITS, &c));
    if (l->subject.mix.n > 1 || !l->subject.mix.part[0]->scores)
        return err_set(ERR_USAGE, "%s has no scores of its own", variant);
    return OK;
}
