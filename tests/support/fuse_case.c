#include "tests/support/fuse_case.h"

#include <math.h>
#include <stdlib.h>

static const int lengths[] = {35, 0, 17};

#define ALL (FUSE_DOT | FUSE_DENSE | FUSE_BIAS | FUSE_TABLE | FUSE_OWN)

const struct fuse_case fuse_case[] = {
    {"dot products", FUSE_DOT, 2, 2, 40, 50, 20, 16, 0, 0, 0, 0},
    {"dot products, lengths, dropout", FUSE_DOT, 2, 3, 19, 40, 8, 5, 0, 0, 1,
     1},
    {"dot products, causal, dropout", FUSE_DOT, 1, 2, 37, 48, 4, 4, 11, 1, 0,
     1},
    {"dot products of 128", FUSE_DOT, 1, 1, 20, 17, 128, 128, 0, 0, 0, 0},
    {"a table", FUSE_TABLE, 2, 3, 21, 33, 6, 0, 0, 0, 0, 0},
    {"a table, causal, lengths, dropout", FUSE_TABLE, 2, 3, 36, 36, 6, 0, 0, 1,
     1, 1},
    {"tables of their own", FUSE_OWN, 2, 2, 18, 35, 6, 0, 0, 0, 1, 0},
    {"dense", FUSE_DENSE | FUSE_BIAS, 2, 18, 9, 20, 6, 7, 0, 0, 0, 0},
    {"dense, lengths, dropout", FUSE_DENSE | FUSE_BIAS, 2, 3, 34, 36, 16, 20,
     0, 0, 1, 1},
    {"dense, one matrix", FUSE_DENSE | FUSE_ONE, 3, 3, 20, 36, 6, 7, 0, 1, 0,
     0},
    {"mixture of all", ALL | FUSE_WEIGHTS, 2, 3, 20, 40, 9, 10, 3, 1, 1, 1},
    {"heads of their own", ALL | FUSE_HEADS, 3, 2, 20, 20, 5, 6, 0, 0, 0, 1},
};
const struct fuse_case fuse_exact = {
    "equal weights", FUSE_DOT | FUSE_EQUAL, 2, 2, 20, 32, 18, 5, 0, 0, 0, 0};
const int fuse_cases = sizeof fuse_case / sizeof *fuse_case;

/* ---- the parts ---- */

static int heads_of(const struct fuse_case *c)
{
    return c->parts & FUSE_HEADS ? c->h - 1 : c->h;
}

enum { MORE = 3 /* columns of dense matrices beyond m */ };

/* The arrays x and y of a part, in order: their numbers of values, and where
 * they are. */
struct sizes { size_t x, y; };

static struct sizes sizes_of(const struct fuse_case *c, unsigned part)
{
    size_t h = (size_t)heads_of(c), b = (size_t)c->b, n = (size_t)c->n;
    size_t m = (size_t)c->m, k = (size_t)c->width, wide = m + MORE;

    if (part == FUSE_DOT)
        return (struct sizes){b * n * h * k, b * m * h * k};
    if (part == FUSE_DENSE)
        return (struct sizes){h * b * n * k,
                              (c->parts & FUSE_ONE ? 1 : h) * k * wide};
    if (part == FUSE_BIAS)
        return (struct sizes){h * wide, 0};
    return (struct sizes){h * n * m * (part == FUSE_OWN ? b : 1), 0};
}

static struct score_part part_of(const struct fuse_case *c, unsigned part)
{
    int h = heads_of(c);
    size_t b = (size_t)c->b, n = (size_t)c->n, m = (size_t)c->m;
    size_t k = (size_t)c->width, d = (size_t)h * k, wide = m + MORE;
    struct score_part p = {.h = h, .weight = -1,
                           .scale = (real)(1 / sqrt(c->width))};

    if (part == FUSE_DOT) {
        p.width = c->width;
        p.at_x = (struct lattice){k, n * d, d, 1};
        p.at_y = (struct lattice){k, m * d, d, 1};
    } else if (part == FUSE_DENSE) {
        p.width = c->width;
        p.at_x = (struct lattice){b * n * k, n * k, k, 1};
        p.at_y = (struct lattice){c->parts & FUSE_ONE ? 0 : k * wide, 0, 1,
                                  wide};
    } else if (part == FUSE_BIAS) {
        p.at_x = (struct lattice){wide, 0, 0, 1};
    } else if (part == FUSE_OWN) {
        p.at_x = (struct lattice){b * n * m, n * m, m, 1};
    } else {
        p.at_x = (struct lattice){n * m, 0, m, 1};
    }
    return p;
}

/* Calls f for each part of c. */
#define EACH_PART(c, part)                                                    \
    for (unsigned part = 1; part <= FUSE_OWN; part *= 2)                      \
        if ((c)->parts & part && part != FUSE_ONE)

static size_t parts_values(const struct fuse_case *c)
{
    size_t all = 0;

    EACH_PART(c, part)
        all += sizes_of(c, part).x + sizes_of(c, part).y;
    return all;
}

static size_t rows_values(const struct fuse_case *c, int rows)
{
    return (size_t)(c->b * rows * c->h * c->k);
}

size_t fuse_inputs(const struct fuse_case *c)
{
    return parts_values(c) + rows_values(c, c->m) + rows_values(c, c->n);
}

enum { WEIGHTS = 4 };

size_t fuse_outputs(const struct fuse_case *c)
{
    return fuse_inputs(c) + (size_t)(2 * c->h * c->b * c->n) + WEIGHTS;
}

/* ---- the call ---- */

/* Adds all parts to f; their values are in x and their gradients in g. */
static void add_parts(struct fused *f, const struct fuse_case *c,
                      const real *x, real *g)
{
    EACH_PART(c, part) {
        struct sizes size = sizes_of(c, part);
        struct score_part p = part_of(c, part);

        if (c->parts & FUSE_EQUAL)
            p.scale = 0;
        p.first = c->parts & FUSE_HEADS ? f->parts % 2 : 0;
        p.weight = c->parts & FUSE_WEIGHTS ? f->parts % WEIGHTS : -1;
        p.x = x;
        p.gx = g;
        p.y = size.y ? x + size.x : NULL;
        p.gy = size.y ? g + size.x : NULL;
        x += size.x + size.y;
        g += size.x + size.y;
        f->part[f->parts++] = p;
    }
}

/* Copies doubles of a buffer to reals of another. */
static void narrow(const struct backend *be, size_t n, const double *from,
                   real *to)
{
    double wide[WEIGHTS];
    real x[WEIGHTS];

    backend_get(be, wide, from, n * sizeof *wide);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)wide[i];
    be->put(to, x, n * sizeof *x);
}

void fuse_run(const struct backend *be, real *const x[], const void *arg)
{
    static const double share[WEIGHTS] = {0.5, 0.25, 0.75, -0.5};
    const struct fuse_case *c = arg;
    struct arena *a = arena_of(be->memory);
    real *v = x[0] + parts_values(c), *gy = v + rows_values(c, c->m);
    real *gv = x[1] + parts_values(c), *y = gv + rows_values(c, c->m);
    real *stat = y + rows_values(c, c->n), *gw = stat + 2 * c->h * c->b * c->n;
    double *w = arena_take(a, sizeof share), *to = arena_take(a, sizeof share);
    struct fused f = {
        .a = {.h = c->h, .b = c->b, .n = c->n, .m = c->m, .k = c->k,
              .from = c->from, .causal = c->causal,
              .length = c->lengths ? lengths : NULL,
              .keep = (real)(c->drops ? 0.75 : 1)},
        .key = {.seed = 5, .stream = RNG_TEST, .site = 3},
        .counter = 3 * (uint64_t)(c->n * c->m), .w = w, .gw = to};

    be->put(w, share, sizeof share);
    be->put(to, share, sizeof share);
    if (!(c->parts & FUSE_WEIGHTS))
        f.w = f.gw = NULL;
    add_parts(&f, c, x[0], x[1]);
    be->fuse(&f, v, stat, y);
    be->fuse_back(&f, v, stat, y, gy, gv);
    narrow(be, WEIGHTS, to, gw);
    arena_free(a);
}
