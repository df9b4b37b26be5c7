/* The kernels ignore most of their parameters, so -Wunused-parameter is
 * disabled here. */
#include "harness/engine/count.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* The number of reals that a call reads and writes, and of its floating-point
 * operations. */
struct work { double values, flops; };

#define VALUES(n) ((struct work){.values = (n)})

static struct {
    struct backend outer;
    struct counted of[COUNTED];
} all;

static void count(int kernel, struct work w)
{
    struct counted *c = &all.of[kernel];

    c->calls++;
    c->bytes += w.values * sizeof(real);
    c->flops += w.flops;
}

/* ---- the work of kernels whose shape is a struct ---- */

static double batches(const struct gemm *s, const size_t step[2])
{
    double outer = step[0] ? s->outer : 1;

    return outer * (step[1] ? s->inner : 1);
}

/* Returns the size, in reals, of an operand of n values, which is read as
 * bfloat16 if `low` is not NULL. */
static double operand(double n, const uint16_t *low)
{
    return low ? n * sizeof *low / sizeof(real) : n;
}

static struct work gemm_work(const struct gemm *s)
{
    double a = operand(batches(s, s->step_a) * s->m * s->k, s->low_a);
    double b = operand(batches(s, s->step_b) * s->k * s->n, s->low_b);
    double c = batches(s, s->step_c) * s->m * s->n;

    return (struct work){a + b + (s->add ? 2 : 1) * c, gemm_flops(s)};
}

static double part_values(const struct mix_sum *s, int p)
{
    return (double)s->of[p].h * s->of[p].b * (double)s->len;
}

static struct work mix_work(const struct mix_sum *s)
{
    double values = (double)s->h * s->b * (double)s->len;

    for (int p = 0; p <= s->parts; p++)
        values += part_values(s, p);
    return VALUES(values);
}

static struct work mix_back_work(const struct mix_sum *s, int p, int gx, int gw)
{
    double gy = (double)s->of[p].h * s->b * (double)s->len;

    return VALUES(gy + (2 * gx + gw) * part_values(s, p));
}

/* Sizes of the arrays of an attention call, in reals.  Scores and weights have
 * fewer than `all` = h b n m values if sentences share them.  `queries` is the
 * size of the output Y, `keys` that of V, and `kept` that of the dropout
 * mask. */
struct size { double scores, weights, all, queries, keys, kept; };

static struct size size_of(const struct attend *a)
{
    double one = (double)a->h * a->n * a->m, width = (double)a->h * a->k;
    double every = one * a->b;

    return (struct size){a->shared ? one : every, attend_once(a) ? one : every,
                         every, width * a->n * a->b, width * a->m * a->b,
                         a->kept ? every / sizeof(real) : 0};
}

static struct work attend_work(const struct attend *a)
{
    struct size s = size_of(a);

    return (struct work){s.scores + s.weights + s.kept + s.queries + s.keys,
                         2 * s.all * a->k};
}

static struct work attend_back_work(const struct attend *a, int gscores, int gv)
{
    struct size s = size_of(a);

    return (struct work){s.weights + s.kept + s.queries +
                             gscores * (2 * s.scores + s.keys) +
                             gv * 2 * s.keys,
                         2 * (gscores + gv) * s.all * a->k};
}

/* Returns the number of values that are read to compute the scores from their
 * parts.  If `back` is set, adds the values of the parts' gradients, each read
 * and written once.  Sets *wide to the sum of heads times width over all
 * products or, if `back` is set, over all gradients of their factors. */
static double parts_work(const struct fused *s, int back, double *wide)
{
    double b = s->a.b, n = s->a.n, m = s->a.m, values = 0;

    *wide = 0;
    for (int i = 0; i < s->parts; i++) {
        const struct score_part *p = &s->part[i];
        double h = p->h, gx = back && p->gx, gy = back && p->gy;
        double x = h * (p->at_x.sentence ? b : 1) *
                   (p->width ? n * p->width : p->at_x.row ? n * m : m);
        double y = (p->at_y.head ? h : 1) * (p->at_y.sentence ? b : 1) * m *
                   p->width;

        values += operand(x, p->low_x) + 2 * gx * x + operand(y, p->low_y) +
                  2 * gy * y;
        *wide += h * p->width * (back ? gx + gy : 1);
    }
    return values;
}

static struct work fuse_work(const struct fused *s)
{
    struct size z = size_of(&s->a);
    double wide, values = parts_work(s, 0, &wide);
    double rows = (double)s->a.h * s->a.b * s->a.n;

    return (struct work){values + z.queries + operand(z.keys, s->low_v) +
                             2 * rows,
                         2 * (z.all * s->a.k + rows / s->a.h * s->a.m * wide)};
}

static struct work fuse_back_work(const struct fused *s, int gv)
{
    struct size z = size_of(&s->a);
    double wide, values = parts_work(s, 1, &wide);
    double rows = (double)s->a.h * s->a.b * s->a.n;

    return (struct work){values + 2 * z.queries + operand(z.keys, s->low_v) +
                             2 * gv * z.keys + 2 * rows,
                         2 * ((1 + gv) * z.all * s->a.k +
                              rows / s->a.h * s->a.m * wide)};
}

static double taps(const struct conv *s)
{
    return (s->shared ? 1.0 : (double)s->b * s->n) * s->heads * s->k;
}

static double conv_flops(const struct conv *s)
{
    return 2.0 * s->b * s->n * s->d * s->k;
}

static struct work conv_work(const struct conv *s)
{
    return (struct work){(double)s->b * (s->m + s->n) * s->d + taps(s),
                         conv_flops(s)};
}

static struct work conv_back_work(const struct conv *s)
{
    return (struct work){(double)s->b * (3.0 * s->m + s->n) * s->d +
                             3 * taps(s),
                         2 * conv_flops(s)};
}

static struct work adafactor_work(const struct adafactor *s)
{
    double n = (double)(s->outer * s->rows * s->cols);

    return VALUES(3 * n + 2 * (s->factored ? (double)(s->outer *
                                                      (s->rows + s->cols))
                                           : n));
}

/* ---- the backend ---- */

#define KERNEL(name, class, work, ...) \
    static void name(ROW_PARAMETERS(__VA_ARGS__)) { count(COUNT_##name, work); }
#include "harness/engine/op_list.h"

static void put(void *buffer, const void *host, size_t bytes)
{
    count(COUNT_put, VALUES((double)bytes / sizeof(real)));
}

static void get(void *host, const void *buffer, size_t bytes)
{
    count(COUNT_get, VALUES((double)bytes / sizeof(real)));
    memset(host, 0, bytes);
}

static void copy(void *to, const void *from, size_t bytes)
{
    count(COUNT_copy, VALUES(2.0 * (double)bytes / sizeof(real)));
}

static void zero(void *buffer, size_t bytes)
{
    count(COUNT_zero, VALUES((double)bytes / sizeof(real)));
}

static void lower(size_t n, const real *x, uint16_t *low)
{
    count(COUNT_lower, VALUES((double)n * (1 + 2.0 / sizeof(real))));
}

const struct backend *count_open(enum precision p, int fuses)
{
    static const char *const name[] = {
#define KERNEL(name, class, work, ...) #name,
#include "harness/engine/op_list.h"
        "put", "get", "copy", "zero", "lower"};

    all.outer = (struct backend){
        .name = "count", .dry = 1, .fuses = fuses,
        .thread_begin = backend_dry.thread_begin, BACKEND_DEVICE,
        .memory = backend_dry.memory, .put = put, .get = get, .copy = copy,
        .zero = zero,
        .lower = p == PRECISION_BF16 ? lower : NULL,
#define KERNEL(name, class, work, ...) .name = name,
#include "harness/engine/op_list.h"
    };
    for (int i = 0; i < COUNTED; i++)
        all.of[i] = (struct counted){.name = name[i]};
    return &all.outer;
}

void count_read(struct counted out[COUNTED])
{
    for (int i = 0; i < COUNTED; i++) {
        out[i] = all.of[i];
        all.of[i] = (struct counted){.name = out[i].name};
    }
}
