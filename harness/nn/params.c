#include "harness/nn/params.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/hash.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 16 }; /* values; each parameter starts on a cache line */

static size_t padded(size_t n) { return (n + PAD - 1) / PAD * PAD; }

static size_t length(int nd, const int dim[])
{
    size_t n = 1;

    for (int i = 0; i < nd; i++)
        n *= (size_t)dim[i];
    return n;
}

/* ---- initial values ---- */

static void fill_constant(const struct init *self, double *x, int nd,
                          const int dim[], struct rng_key key)
{
    (void)key;
    for (size_t i = 0; i < length(nd, dim); i++)
        x[i] = self->scale;
}

static void fill_normal(const struct init *self, double *x, int nd,
                        const int dim[], struct rng_key key)
{
    for (size_t i = 0; i < length(nd, dim); i++)
        x[i] = self->scale * rng_normal(key, i);
}

static void fill_uniform(double *x, size_t n, double limit, struct rng_key key)
{
    for (size_t i = 0; i < n; i++)
        x[i] = limit * (2 * rng_uniform(key, i) - 1);
}

static void fill_glorot(const struct init *self, double *x, int nd,
                        const int dim[], struct rng_key key)
{
    (void)self;
    fill_uniform(x, length(nd, dim), sqrt(6.0 / (dim[nd - 2] + dim[nd - 1])),
                 key);
}

static void fill_fan_in(const struct init *self, double *x, int nd,
                        const int dim[], struct rng_key key)
{
    struct init normal = {.scale = self->scale / sqrt(dim[nd - 2])};

    fill_normal(&normal, x, nd, dim, key);
}

static void fill_glorot_r(const struct init *self, double *x, int nd,
                          const int dim[], struct rng_key key)
{
    double h = dim[0], n = dim[1];

    (void)self;
    fill_uniform(x, length(nd, dim), sqrt(6.0 / (n * h + n * n)), key);
}

static void fill_glorot_factors(const struct init *self, double *x, int nd,
                                const int dim[], struct rng_key key)
{
    double fans = dim[0] * ((double)dim[1] + dim[2]);

    (void)self;
    fill_uniform(x, length(nd, dim), sqrt(6.0 / fans), key);
}

static void fill_orthogonal(const struct init *self, double *x, int nd,
                            const int dim[], struct rng_key key)
{
    int d = dim[0], k = dim[1] / self->blocks;
    int n = linalg_gauss(self->method, d, k);
    OWNED(free) double *gauss = malloc(((size_t)n + (size_t)d * (size_t)k) *
                                       sizeof *gauss);

    REQUIRE(nd == 2, "nd %d", nd);
    double *q = gauss + n;
    for (int h = 0; h < self->blocks; h++) {
        for (int i = 0; i < n; i++)
            gauss[i] = rng_normal(key, (uint64_t)h * (uint64_t)n +
                                           (uint64_t)i);
        linalg_orthonormal(self->method, q, d, k, gauss);
        for (int i = 0; i < d; i++)
            memcpy(x + (size_t)i * (size_t)dim[1] + (size_t)(h * k),
                   q + (size_t)i * (size_t)k, (size_t)k * sizeof *x);
    }
}

struct init init_constant(double value)
{
    return (struct init){.fill = fill_constant, .scale = value};
}

struct init init_normal(double sd)
{
    return (struct init){.fill = fill_normal, .scale = sd};
}

struct init init_glorot(void) { return (struct init){.fill = fill_glorot}; }

struct init init_matrix(enum init_rule rule, double scale)
{
    return rule == INIT_GLOROT
               ? init_glorot()
               : (struct init){.fill = fill_fan_in, .scale = scale};
}

struct init init_glorot_r(void) { return (struct init){.fill = fill_glorot_r}; }

struct init init_glorot_factors(void)
{
    return (struct init){.fill = fill_glorot_factors};
}

struct init init_orthogonal(enum linalg_method method, int heads)
{
    return (struct init){.fill = fill_orthogonal, .blocks = heads,
                         .method = method};
}

/* ---- the list ---- */

void params_count(struct params *ps)
{
    *ps = (struct params){.memory = arena_new(), .counting = 1};
}

static void start(struct params *ps, const struct backend *be)
{
    *ps = (struct params){.be = be, .memory = arena_new(),
                          .data = arena_of(be->memory)};
}

static real *zeros(const struct params *ps, size_t n)
{
    real *x = arena_take(ps->data, n * sizeof *x);

    ps->be->zero(x, n * sizeof *x);
    return x;
}

void params_open(struct params *ps, const struct params *plan,
                 const struct backend *be, uint64_t seed)
{
    start(ps, be);
    ps->seed = seed;
    ps->flat = zeros(ps, plan->learned);
    ps->still = zeros(ps, plan->frozen);
}

void params_view(struct params *ps, const struct params *of)
{
    start(ps, of->be);
    ps->of = of;
    ps->flat = of->flat;
    ps->still = of->still;
    ps->grad = arena_take(ps->data, of->learned * sizeof *ps->grad);
    backend_clear(ps->be, ps->grad, of->learned * sizeof *ps->grad);
}

void params_dry(struct params *ps, const struct params *plan)
{
    start(ps, &backend_dry);
    ps->of = plan;
    ps->flat = zeros(ps, plan->learned);
    ps->still = zeros(ps, plan->frozen);
    ps->grad = zeros(ps, plan->learned);
}

void params_blank(const struct params *ps)
{
    for (int i = 0; i < ps->n; i++)
        ps->list[i].value->blank = ps->list[i].kind == PARAM_LEARNED;
}

void params_settle(const struct params *ps, const real *from)
{
    for (int i = 0; i < ps->n; i++) {
        tensor *x = ps->list[i].value;

        if (x->blank && (!from || x->g >= from)) {
            ps->be->zero(x->g, tensor_len(x) * sizeof *x->g);
            x->blank = 0;
        }
    }
}

void params_close(struct params *ps)
{
    arena_free(ps->memory);
    arena_free(ps->data);
    free(ps->list);
}

void params_push(struct params *ps, const char *fmt, ...)
{
    size_t n = strlen(ps->path);
    va_list ap;

    va_start(ap, fmt);
    int more = vsnprintf(ps->path + n, sizeof ps->path - n, fmt, ap);
    va_end(ap);
    REQUIRE(n + (size_t)more + 2 < sizeof ps->path, "path too long: %s",
            ps->path);
    strcat(ps->path, ".");
}

void params_pop(struct params *ps)
{
    char *dot = strrchr(ps->path, '.');

    REQUIRE(dot, "pop of an empty path");
    *dot = 0;
    dot = strrchr(ps->path, '.');
    if (dot)
        dot[1] = 0;
    else
        ps->path[0] = 0;
}

void params_scores(struct params *ps, int yes) { ps->scores = yes; }

/* Returns the site of p in struct rng_key: a hash of the name of p, so that
 * tensors of the same name start with the same values in every variant.  If
 * `twin` is "random", the hash for "self.fixed-random.R" is the hash of
 * "self.random.R". */
static uint64_t site(const struct param *p, const char *twin)
{
    const char *leaf = strrchr(p->name, '.'), *own = leaf;
    char name[PARAM_NAME];

    if (!twin)
        return hash_name(p->name);
    REQUIRE(leaf, "%s has no variant in its name", p->name);
    while (own > p->name && own[-1] != '.')
        own--;
    snprintf(name, sizeof name, "%.*s%s%s", (int)(own - p->name), p->name,
             twin, leaf);
    return hash_name(name);
}

static void draw_weights(const struct params *ps, const struct param *p,
                         struct init init, int nd, const int dim[])
{
    struct rng_key key = {ps->seed, RNG_INIT, 0, site(p, init.twin)};
    size_t n = length(nd, dim);
    /* An arena returns large blocks to the system; malloc would keep them. */
    OWNED(arena_free) struct arena *a = arena_new();
    double *wide = arena_take(a, n * sizeof *wide);
    real *narrow = arena_take(a, n * sizeof *narrow);

    init.fill(&init, wide, nd, dim, key);
    for (size_t i = 0; i < n; i++)
        narrow[i] = (real)wide[i];
    ps->be->put(p->value->x, narrow, n * sizeof *narrow);
}

static struct param *append(struct params *ps)
{
    ARRAY_ROOM(ps->list, ps->n, ps->cap);
    memset(&ps->list[ps->n], 0, sizeof *ps->list);
    return &ps->list[ps->n++];
}

tensor *params_add(struct params *ps, const char *name, enum param_kind kind,
                   struct init init, int nd, const int dim[])
{
    struct param *p = append(ps);
    size_t n = length(nd, dim);
    size_t *end = kind == PARAM_LEARNED ? &ps->learned : &ps->frozen;
    tensor *v = arena_zero(ps->memory, sizeof *v);

    REQUIRE(strlen(ps->path) + strlen(name) < sizeof p->name, "%s%s",
            ps->path, name);
    strcpy(p->name, ps->path);
    strcat(p->name, name);
    v->nd = nd;
    memcpy(v->dim, dim, (size_t)nd * sizeof *dim);
    p->kind = kind;
    p->value = v;
    p->at = *end;
    p->blocks = init.blocks;
    p->score = ps->scores && kind == PARAM_LEARNED;
    *end += padded(n);
    if (ps->counting)
        return v;
    v->x = (kind == PARAM_LEARNED ? ps->flat : ps->still) + p->at;
    if (!ps->of) {
        if (!ps->be->dry)
            draw_weights(ps, p, init, nd, dim);
        return v;
    }
    REQUIRE(!strcmp(ps->of->list[ps->n - 1].name, p->name), "%s, not %s",
            p->name, ps->of->list[ps->n - 1].name);
    v->g = kind == PARAM_LEARNED ? ps->grad + p->at : NULL;
    return v;
}

size_t params_total(const struct params *ps, enum param_kind kind)
{
    size_t n = 0;

    for (int i = 0; i < ps->n; i++)
        if (ps->list[i].kind == kind)
            n += tensor_len(ps->list[i].value);
    return n;
}

const struct param *params_find(const struct params *ps, const char *name)
{
    for (int i = 0; i < ps->n; i++)
        if (!strcmp(ps->list[i].name, name))
            return &ps->list[i];
    return NULL;
}

tensor *params_near(const struct params *ps, const char *name)
{
    char full[2 * PARAM_NAME];
    size_t n = strlen(ps->path);

    for (;;) {
        snprintf(full, sizeof full, "%.*s%s", (int)n, ps->path, name);
        const struct param *p = params_find(ps, full);

        if (p || n == 0)
            return p ? p->value : NULL;
        for (n--; n > 0 && ps->path[n - 1] != '.'; n--)
            ;
    }
}
