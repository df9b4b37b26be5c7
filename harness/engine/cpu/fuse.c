/*
 * Fused attention (engine/form.h) in plain loops, row by row, with sums in
 * double.  No backend of the CPU fuses attention; tests compare the GPU's
 * kernels with these.
 */
#include "harness/engine/cpu/cpu.h"

#include <stdlib.h>

/* Row i of the scores of head h and sentence s, whose first `end` keys are
 * visible.  The arrays have m values: p holds the scores and later the weights,
 * g the gradient of the weights and later of the scores, and kept[j] is 1 if
 * dropout keeps weight j. */
struct row {
    size_t h, s, i;
    int    end;
    double *p, *g;
    unsigned char *kept;
};

static struct row row_new(const struct fused *f)
{
    size_t m = (size_t)f->a.m;
    struct row r = {.p = malloc(2 * m * sizeof *r.p), .kept = malloc(m)};

    r.g = r.p + m;
    return r;
}

static void row_free(struct row *r)
{
    free(r->p);
    free(r->kept);
}

static size_t at(const struct lattice *l, size_t h, size_t s, size_t row,
                 size_t col)
{
    return h * l->head + s * l->sentence + row * l->row + col * l->col;
}

/* Returns the head of part p that is head h of the scores, or -1 if the part
 * does not cover it. */
static int head_of(const struct score_part *p, size_t h)
{
    int own = (int)h - p->first;

    return own >= 0 && own < p->h ? own : -1;
}

static double weight_of(const struct fused *f, const struct score_part *p)
{
    return p->weight < 0 ? 1 : f->w[p->weight];
}

/* Returns value j of row r of part p, without the part's weight. */
static double part_at(const struct score_part *p, const struct row *r, size_t j)
{
    size_t h = (size_t)head_of(p, r->h);
    double sum = 0;

    if (!p->width)
        return (double)p->x[at(&p->at_x, h, r->s, r->i, j)];
    for (size_t c = 0; c < (size_t)p->width; c++)
        sum += (double)p->x[at(&p->at_x, h, r->s, r->i, c)] *
               (double)p->y[at(&p->at_y, h, r->s, j, c)];
    return sum * (double)p->scale;
}

static void draw(const struct fused *f, struct row *r)
{
    size_t n = (size_t)f->a.n, m = (size_t)f->a.m;
    struct rng_key key = f->key;

    key.site += r->h;
    if (f->a.keep < 1)
        cpu_drop_draw(1, m, key, f->counter + (r->s * n + r->i) * m, f->a.keep,
                      r->kept);
    else
        memset(r->kept, 1, m);
}

/* Sets *r to row i of head h and sentence s, with its scores in p and its
 * dropout mask in `kept`. */
static void begin(const struct fused *f, struct row *r, size_t h, size_t s,
                  size_t i)
{
    r->h = h;
    r->s = s;
    r->i = i;
    r->end = attend_visible(&f->a, (int)s, (int)i);
    draw(f, r);
    for (size_t j = 0; j < (size_t)r->end; j++) {
        r->p[j] = 0;
        for (int k = 0; k < f->parts; k++)
            if (head_of(&f->part[k], h) >= 0)
                r->p[j] += weight_of(f, &f->part[k]) *
                           part_at(&f->part[k], r, j);
    }
}

static size_t stat_at(const struct fused *f, const struct row *r)
{
    return 2 * ((r->h * (size_t)f->a.b + r->s) * (size_t)f->a.n + r->i);
}

/* Returns the offset of value c of row i of an array (b,rows,h k). */
static size_t value_at(const struct fused *f, const struct row *r, int rows,
                       size_t i, size_t c)
{
    return ((r->s * (size_t)rows + i) * (size_t)f->a.h + r->h) *
               (size_t)f->a.k + c;
}

static void softmax(const struct fused *f, struct row *r, real *stat)
{
    double top = -1e30, sum = 0;

    for (int j = 0; j < r->end; j++)
        top = fmax(top, r->p[j]);
    for (int j = 0; j < r->end; j++)
        sum += r->p[j] = exp(r->p[j] - top);
    for (int j = 0; j < r->end; j++)
        r->p[j] /= sum;
    stat[stat_at(f, r)] = (real)top;
    stat[stat_at(f, r) + 1] = (real)(sum > 0 ? 1 / sum : 0);
}

void cpu_fuse(const struct fused *f, const real *v, real *stat, real *y)
{
    size_t n = (size_t)f->a.n, rows = (size_t)f->a.h * (size_t)f->a.b * n;
    struct row r = row_new(f);

    for (size_t x = 0; x < rows; x++) {
        begin(f, &r, x / n / (size_t)f->a.b, x / n % (size_t)f->a.b, x % n);
        softmax(f, &r, stat);
        for (size_t c = 0; c < (size_t)f->a.k; c++) {
            double sum = 0;

            for (size_t j = 0; j < (size_t)r.end; j++)
                if (r.kept[j])
                    sum += r.p[j] / (double)f->a.keep *
                           (double)v[value_at(f, &r, f->a.m, j, c)];
            y[value_at(f, &r, f->a.n, r.i, c)] = (real)sum;
        }
    }
    row_free(&r);
}

/* Replaces the scores in p by the weights, stores the gradient of the scores in
 * g, and adds the gradient of V to gv. */
static void row_back(const struct fused *f, struct row *r, const real *v,
                     const real *stat, const real *gy, real *gv)
{
    const real *of = stat + stat_at(f, r);
    double mean = 0;

    for (size_t j = 0; j < (size_t)r->end; j++) {
        double keep = r->kept[j] ? 1 / (double)f->a.keep : 0;

        r->p[j] = exp(r->p[j] - (double)of[0]) * (double)of[1];
        r->g[j] = 0;
        for (size_t c = 0; c < (size_t)f->a.k; c++) {
            size_t to = value_at(f, r, f->a.m, j, c);
            double g = (double)gy[value_at(f, r, f->a.n, r->i, c)] * keep;

            r->g[j] += g * (double)v[to];
            if (gv)
                gv[to] += (real)(r->p[j] * g);
        }
        mean += r->p[j] * r->g[j];
    }
    for (int j = 0; j < r->end; j++)
        r->g[j] = r->p[j] * (r->g[j] - mean);
}

/* Adds the gradient g of value j to the gradients of part p; g includes the
 * part's weight. */
static void part_back(const struct score_part *p, const struct row *r, size_t j,
                      double g)
{
    size_t h = (size_t)head_of(p, r->h);

    if (!p->width && p->gx)
        p->gx[at(&p->at_x, h, r->s, r->i, j)] += (real)g;
    for (size_t c = 0; c < (size_t)p->width; c++) {
        size_t x = at(&p->at_x, h, r->s, r->i, c);
        size_t y = at(&p->at_y, h, r->s, j, c);

        if (p->gx)
            p->gx[x] += (real)(g * (double)p->scale * (double)p->y[y]);
        if (p->gy)
            p->gy[y] += (real)(g * (double)p->scale * (double)p->x[x]);
    }
}

static void parts_back(const struct fused *f, const struct row *r)
{
    for (int k = 0; k < f->parts; k++) {
        const struct score_part *p = &f->part[k];
        double w = weight_of(f, p);

        if (head_of(p, r->h) < 0)
            continue;
        for (size_t j = 0; j < (size_t)r->end; j++) {
            if (f->gw && p->weight >= 0)
                f->gw[p->weight] += r->g[j] * part_at(p, r, j);
            part_back(p, r, j, w * r->g[j]);
        }
    }
}

void cpu_fuse_back(const struct fused *f, const real *v, const real *stat,
                   const real *y, const real *gy, real *gv)
{
    size_t n = (size_t)f->a.n, rows = (size_t)f->a.h * (size_t)f->a.b * n;
    struct row r = row_new(f);

    (void)y;
    for (int k = 0; k < f->parts; k++)
        if (f->gw && f->part[k].weight >= 0)
            f->gw[f->part[k].weight] = 0;
    for (size_t x = 0; x < rows; x++) {
        begin(f, &r, x / n / (size_t)f->a.b, x / n % (size_t)f->a.b, x % n);
        row_back(f, &r, v, stat, gy, gv);
        parts_back(f, &r);
    }
    row_free(&r);
}
