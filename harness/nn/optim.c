#include "harness/nn/optim.h"

#include "harness/base/err.h"

#include <math.h>
#include <string.h>

static double noam(double t, int d, double scale, double warmup)
{
    return scale / sqrt(d) * fmin(1 / sqrt(t), t * pow(warmup, -1.5));
}

static double rsqrt(double t, int d, double scale, double warmup)
{
    (void)d;
    return scale / sqrt(fmax(t, warmup));
}

static double constant(double t, int d, double scale, double warmup)
{
    (void)t, (void)d, (void)warmup;
    return scale;
}

const struct schedule *const schedules[] = {
    &(const struct schedule){"noam", noam}, /* Vaswani et al. 2017, 5.3 */
    &(const struct schedule){"rsqrt", rsqrt},
    &(const struct schedule){"constant", constant},
    NULL,
};

const struct schedule *schedule_find(const char *name)
{
    for (int i = 0; schedules[i]; i++)
        if (!strcmp(schedules[i]->name, name))
            return schedules[i];
    return NULL;
}

void optim_open(struct optim *o, struct params *ps, double b1, double b2,
                double eps)
{
    size_t bytes = ps->learned * sizeof(real);

    *o = (struct optim){ps, arena_take(ps->memory, bytes),
                        arena_take(ps->memory, bytes), b1, b2, eps};
    ps->be->zero(o->m, bytes);
    ps->be->zero(o->v, bytes);
}

void optim_step(struct optim *o, const real *g, uint64_t t, double rate,
                size_t first, size_t n)
{
    struct adam s = {o->b1, o->b2, o->eps, rate, 1 - pow(o->b1, (double)t),
                     1 - pow(o->b2, (double)t)};

    REQUIRE(first + n <= o->ps->learned, "%zu + %zu of %zu", first, n,
            o->ps->learned);
    o->ps->be->adam(n, &s, g + first, o->ps->flat + first, o->m + first,
                    o->v + first);
}
