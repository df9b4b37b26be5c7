/*
 * Launches the kernels of attend.cu.  Operands of the products are first copied
 * to work memory in the order in which the matrix instructions read them, some
 * also transposed.  The gradient of keys that all sentences share (those of
 * dense synthesizers) is added up in slices of sentences, then over the slices;
 * the gradient of a bias is the column sums of the gradient of the scores.
 */
#include "harness/engine/cuda/fuse.h"

#include "harness/base/err.h"
#include "harness/engine/cuda/launches.h"

#include <string.h>

_Static_assert((int)FUSED_MOST == (int)SCORE_PARTS &&
                   (int)FUSED_WEIGHTS == (int)MIX_PARTS_MOST &&
                   (int)FUSED_WIDEST == (int)FUSED_WIDTH,
               "struct cuda_fuse holds the parts of struct fused");

/* The maximum number of slices into which sentences that share keys are
 * divided. */
enum { SLICES = 16 };

/* Work memory, from which blocks are taken in order. */
struct room { char *at; size_t used, bytes; };

static void *take(struct room *r, size_t bytes)
{
    size_t from = r->used;

    r->used += (bytes + 63) / 64 * 64;
    REQUIRE(!r->at || r->used <= r->bytes, "%zu bytes of %zu", r->used,
            r->bytes);
    return r->at ? r->at + from : NULL;
}

static size_t squares(int n) { return parts((size_t)n, SQUARE); }

/* Returns an operand of the (rows,cols) matrices of x, or of `low` if it is not
 * NULL, that l describes: one for each of h heads and b sentences, or one for
 * all if l repeats them.  If r has no memory yet, only counts the bytes. */
static struct cuda_operand operand(struct room *r, const struct lattice *l,
                                   int h, int b, int rows, int cols,
                                   const real *x, const uint16_t *low)
{
    size_t down = squares(rows), across = squares(cols);
    struct cuda_layout s = {l->head ? (size_t)h : 1,
                            l->sentence ? (size_t)b : 1, rows, cols,
                            l->head, l->sentence, l->row, l->col};
    size_t one = down * across * WARP, n = s.heads * s.sentences * one;
    struct quad *to = take(r, n * sizeof *to);

    if (to)
        launch_operand(values(n), s, x, low, to);
    return (struct cuda_operand){to, l->head ? s.sentences * one : 0,
                                 l->sentence ? one : 0, (int)down,
                                 (int)across};
}

static struct lattice turned(const struct lattice *l)
{
    return (struct lattice){l->head, l->sentence, l->col, l->row};
}

static struct cuda_operand turned_operand(struct room *r,
                                          const struct lattice *l, int h,
                                          int b, int rows, int cols,
                                          const real *x, const uint16_t *low)
{
    struct lattice t = turned(l);

    return operand(r, &t, h, b, cols, rows, x, low);
}

/* Returns the lattice of an array (b,rows,h k). */
static struct lattice side_by_side(const struct attend *a, int rows)
{
    size_t k = (size_t)a->k, d = (size_t)a->h * k;

    return (struct lattice){k, (size_t)rows * d, d, 1};
}

static struct cuda_part part_of(struct room *r, const struct score_part *p,
                                const struct attend *a)
{
    const struct lattice *l = &p->at_x;
    struct cuda_part c = {.first = p->first, .h = p->h, .weight = p->weight,
                          .scale = p->scale, .x = p->x,
                          .step = {l->head, l->sentence, l->row, l->col}};

    if (p->width) {
        c.q = operand(r, l, p->h, a->b, a->n, p->width, p->x, p->low_x);
        c.k = operand(r, &p->at_y, p->h, a->b, a->m, p->width, p->y,
                      p->low_y);
    }
    return c;
}

/* Returns s as arguments of the kernels, with the operands of its scores. */
static struct cuda_fuse fuse_of(struct room *r, const struct fused *s)
{
    const struct attend *a = &s->a;
    struct cuda_fuse f = {
        .h = a->h, .b = a->b, .n = a->n, .m = a->m, .k = a->k,
        .from = a->from, .causal = a->causal, .parts = s->parts,
        .limit = a->keep < 1 ? limit_of(a->keep) : 0, .keep = a->keep,
        .key = key_of(s->key),
        .counter = (size_t)s->counter, .w = s->w};

    for (int p = 0; p < s->parts; p++)
        f.part[p] = part_of(r, &s->part[p], a);
    if (r->at)
        f.length = card_ints(a->length ? (size_t)a->b : 0, a->length);
    return f;
}

static size_t warps_of(const struct cuda_fuse *f)
{
    return (size_t)f->h * (size_t)f->b * squares(f->n);
}

static struct cuda_fuse forward(struct room *r, const struct fused *s,
                                const real *v)
{
    struct lattice l = side_by_side(&s->a, s->a.m);
    struct cuda_fuse f = fuse_of(r, s);

    f.turned_v = turned_operand(r, &l, s->a.h, s->a.b, s->a.m, s->a.k, v,
                                s->low_v);
    return f;
}

/* Allocates the bytes that r counted. */
static void open_room(struct room *r)
{
    r->bytes = r->used;
    r->at = card_room(ROOM_LEFT, r->used);
    r->used = 0;
}

void card_fuse(const struct fused *s, const real *v, real *stat, real *y)
{
    struct room r = {NULL, 0, 0};

    forward(&r, s, v);
    open_room(&r);
    struct cuda_fuse f = forward(&r, s, v);
    launch_fuse(warps(warps_of(&f)), f, stat, y);
}

/* ---- backward ---- */

/* The arguments `f` of the kernels, and the work memory of the backward pass.
 * turned_gy is the gradient of Y, transposed; kernel_list.h describes `along`;
 * `sums` is the work memory of fuse_weights.  Part i of the scores has
 *
 *     turned_q[i], turned_k[i]    a product: its factors, transposed
 *     slices[i]    a product whose keys sentences share: the gradient of the
 *                  keys, by slices of sentences
 *     bias[i]      a bias: the gradient of the scores
 */
struct backward {
    struct cuda_fuse    f;
    struct cuda_operand turned_gy;
    struct cuda_operand turned_q[SCORE_PARTS], turned_k[SCORE_PARTS];
    real               *along, *slices[SCORE_PARTS], *bias[SCORE_PARTS];
    double             *sums;
};

static int shares_keys(const struct score_part *p)
{
    return p->width && !p->at_y.sentence;
}

static int is_bias(const struct score_part *p)
{
    return !p->width && !p->at_x.row;
}

/* Returns the number of sentences in a slice of those that share keys. */
static int slice_of(int b) { return (b + SLICES - 1) / SLICES; }

static int slices_of(int b)
{
    return (int)parts((size_t)b, (size_t)slice_of(b));
}

/* Returns the bytes of the slices (slice,h,width,m) of the gradient of part p's
 * keys. */
static size_t slice_bytes(const struct score_part *p, const struct attend *a)
{
    return (size_t)slices_of(a->b) * (size_t)p->h * (size_t)a->m *
           (size_t)p->width * sizeof(real);
}

static void part_back(struct backward *x, struct room *r, int i,
                      const struct score_part *p, const struct attend *a)
{
    struct cuda_part *c = &x->f.part[i];
    size_t n = (size_t)a->n, m = (size_t)a->m;

    if (p->gx && p->width)
        x->turned_k[i] = turned_operand(r, &p->at_y, p->h, a->b, a->m,
                                        p->width, p->y, p->low_y);
    if (p->gy)
        x->turned_q[i] = turned_operand(r, &p->at_x, p->h, a->b, a->n,
                                        p->width, p->x, p->low_x);
    if (p->gy && shares_keys(p))
        x->slices[i] = take(r, slice_bytes(p, a));
    if (p->width || !p->gx)
        return;
    c->gx = p->gx;
    memcpy(c->to, c->step, sizeof c->to);
    if (is_bias(p)) {
        size_t to[] = {n * m, 0, m, 1};

        c->gx = x->bias[i] = take(r, (size_t)p->h * (n + 1) * m * sizeof(real));
        memcpy(c->to, to, sizeof to);
    }
}

static struct backward backward(struct room *r, const struct fused *s,
                                const real *v, const real *gy)
{
    const struct attend *a = &s->a;
    struct lattice rows = side_by_side(a, a->n), keys = side_by_side(a, a->m);
    size_t all = (size_t)a->h * (size_t)a->b * (size_t)a->n;
    struct backward x = {.f = fuse_of(r, s)};

    x.f.v = operand(r, &keys, a->h, a->b, a->m, a->k, v, s->low_v);
    x.f.gy = operand(r, &rows, a->h, a->b, a->n, a->k, gy, NULL);
    x.turned_gy = turned_operand(r, &rows, a->h, a->b, a->n, a->k, gy, NULL);
    x.f.along = x.along = take(r, all * sizeof *x.along);
    x.sums = take(r, FUSED_WEIGHTS * warps_of(&x.f) * sizeof *x.sums);
    for (int i = 0; i < s->parts; i++)
        part_back(&x, r, i, &s->part[i], a);
    return x;
}

/* Adds to the gradient of the rows (q) of product i. */
static void rows_back(const struct backward *x, int i,
                      const struct score_part *p, const real *stat)
{
    const struct lattice *l = &p->at_x;
    struct cuda_gather g = {i, p->first, p->h, p->width, x->f.b, 1, 1,
                            x->turned_k[i],
                            {l->head, l->sentence, l->row, l->col}};
    size_t w = (size_t)p->h * (size_t)x->f.b * squares(x->f.n);

    launch_fuse_rows(warps(w), x->f, g, stat, p->gx);
}

/* Adds to the gradient of the keys of product i.  If all sentences share them,
 * slices (slice,h,width,m) are summed first. */
static void keys_back(const struct backward *x, int i,
                      const struct score_part *p, const real *stat)
{
    const struct lattice *l = &p->at_y;
    int shared = shares_keys(p), b = x->f.b;
    int slices = shared ? slices_of(b) : b, each = shared ? slice_of(b) : 1;
    size_t m = (size_t)x->f.m, one = (size_t)p->width * m;
    struct cuda_gather g = {i, p->first, p->h, p->width, slices, each, !shared,
                            x->turned_q[i],
                            {l->head, l->sentence, l->row, l->col}};
    struct cuda_fold fold = {slices * (l->head ? 1 : p->h),
                             l->head ? p->h : 1, x->f.m, p->width, p->weight,
                             p->scale, {l->head, l->row, l->col}};
    size_t own[] = {one, (size_t)p->h * one, 1, m};
    size_t n = (size_t)fold.outer * one;

    REQUIRE(shared || l->head, "part %d: heads share keys of a sentence", i);
    if (shared) {
        memcpy(g.to, own, sizeof own);
        card_zero(x->slices[i], (size_t)slices * own[1] * sizeof(real));
    }
    launch_fuse_keys(warps((size_t)p->h * (size_t)slices * squares(x->f.m)),
                     x->f, g, stat, shared ? x->slices[i] : p->gy);
    if (shared)
        launch_fold(values(n), fold, x->f.w, x->slices[i], p->gy);
}

static void values_back(const struct backward *x, const struct attend *a,
                        const real *stat, real *gv)
{
    struct lattice l = side_by_side(a, a->m);
    struct cuda_gather g = {-1, 0, a->h, a->k, a->b, 1, 0, x->turned_gy,
                            {l.head, l.sentence, l.row, l.col}};

    launch_fuse_keys(warps((size_t)a->h * (size_t)a->b * squares(a->m)), x->f,
                     g, stat, gv);
}

/* Adds to the gradients of the tables, if there are any. */
static void tables_back(const struct backward *x, const struct fused *s,
                        const real *stat)
{
    size_t w = (size_t)x->f.h * squares(x->f.n) *
               parts(squares(x->f.m), FUSED_STEP);
    int some[2] = {0, 0};

    for (int i = 0; i < s->parts; i++)
        if (x->f.part[i].gx)
            some[x->f.part[i].step[1] > 0] = 1;
    if (some[0])
        launch_fuse_tables(warps(w), x->f, 0, stat);
    if (some[1])
        launch_fuse_tables(warps(w * (size_t)x->f.b), x->f, 1, stat);
}

/* Adds the column sums (h,m) of the gradient of the scores (h,n,m) to the
 * gradient of a bias (h,.).  The buffer for the sums lies directly after the
 * gradient of the scores. */
static void bias_back(const struct backward *x, int i,
                      const struct score_part *p)
{
    size_t m = (size_t)x->f.m, h = (size_t)p->h, n = (size_t)x->f.n;
    real *sum = x->bias[i] + h * n * m;
    struct cuda_blocks b = {h, 1, m, {m, m}, {p->at_x.head, m}};

    launch_column_sums(h * parts(m, WARP), n, x->f.m, n, m, 0, x->bias[i],
                       sum);
    launch_move_blocks(values(h * m), b, 1, sum, p->gx);
}

static void weights_back(const struct backward *x, const real *stat,
                         double *gw)
{
    size_t n = warps_of(&x->f);

    launch_fuse_weights(warps(n), x->f, stat, x->sums);
    for (size_t i = 0; i < FUSED_WEIGHTS; i++)
        launch_total(1, n, 1, x->sums + i * n, gw + i);
}

/* Sets the gradient of the scores of part i to 0 if the part is a bias, because
 * kernels add to it. */
static void clear_bias(const struct backward *x, int i,
                       const struct score_part *p)
{
    size_t n = (size_t)p->h * (size_t)x->f.n * (size_t)x->f.m;

    if (x->bias[i])
        card_zero(x->bias[i], n * sizeof(real));
}

void card_fuse_back(const struct fused *s, const real *v, const real *stat,
                    const real *y, const real *gy, real *gv)
{
    const struct attend *a = &s->a;
    struct room r = {NULL, 0, 0};

    backward(&r, s, v, gy);
    open_room(&r);
    struct backward x = backward(&r, s, v, gy);
    launch_fuse_along(warps((size_t)a->h * (size_t)a->b * (size_t)a->n), x.f,
                      y, gy, x.along);
    for (int i = 0; i < s->parts; i++)
        clear_bias(&x, i, &s->part[i]);
    if (gv)
        values_back(&x, a, stat, gv);
    tables_back(&x, s, stat);
    for (int i = 0; i < s->parts; i++) {
        const struct score_part *p = &s->part[i];

        if (p->width && p->gx)
            rows_back(&x, i, p, stat);
        if (p->gy)
            keys_back(&x, i, p, stat);
        if (x.bias[i])
            bias_back(&x, i, p);
    }
    if (s->gw)
        weights_back(&x, stat, s->gw);
}
