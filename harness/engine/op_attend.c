/*
 * attend    P = softmax(B + mask),  Y_h = (kept P / keep) V_h
 *           linear: P = mask B
 *
 * where kept is the dropout mask, keep the fraction of weights that it keeps,
 * mask is 1 where a key is visible, and X' is d loss / d X.
 *
 *     V'  += (kept P / keep)^T Y'
 *     P'   = kept / keep * (Y' V^T)
 *     B'  += P (P' - sum_j P'_j P_j)       exactly 0 if only one key is visible
 *            linear: B' += mask P'
 *
 * If the tape fuses attention (tape_defers), P is not stored, and B only if it
 * is a table: the parts of deferred scores (form.h) are summed while attention
 * runs.  Attention without a softmax, of one row (as in decoding), or with
 * values wider than FUSED_WIDTH, is not fused.
 */
#include "harness/base/err.h"
#include "harness/engine/form.h"
#include "harness/engine/ops.h"

struct kept { struct attend shape; real *p; };

/* What fused attention keeps for the backward pass.  `at` describes the
 * attention without the parts of its scores, which `form` has. */
struct fused_kept { struct fused at; struct form form; real *stat; };

static size_t work_bytes(const struct attend *a)
{
    return 2 * (size_t)attend_together(a) * (size_t)a->n * (size_t)a->m *
           sizeof(real);
}

/* Counts the operations of Y = P V for all heads and sentences or, if `ta` is
 * set, of V' = P^T Y' or, if `tb` is set, of P' = Y' V^T. */
static void count(struct tape *t, const struct attend *a, int ta, int tb)
{
    struct gemm s = {.m = ta ? a->m : a->n, .n = tb ? a->m : a->k,
                     .k = ta ? a->n : tb ? a->k : a->m, .ta = ta, .tb = tb,
                     .outer = a->h, .inner = a->b};

    tape_count(t, &s);
}

static void attend_back(struct tape *t, tensor *y)
{
    tensor *b = y->in[0], *v = y->in[1];
    const struct kept *k = y->aux;
    size_t bytes = work_bytes(&k->shape);
    real *work = arena_again(t->data, bytes);

    if (v->g)
        count(t, &k->shape, 1, 0);
    if (b->g)
        count(t, &k->shape, 0, 1);
    t->be->attend_back(&k->shape, k->p, v->x, y->g, work, b->g, v->g);
    arena_give(t->data, work, bytes);
}

static struct attend shape_of(const struct tape *t, const tensor *scores,
                              const tensor *v, struct keys keys)
{
    int h = scores->dim[0], b = v->dim[0];

    return (struct attend){
        .h = h, .b = b, .n = scores->dim[2], .m = scores->dim[3],
        .k = v->dim[2] / h, .from = keys.from, .causal = keys.causal,
        .linear = keys.linear, .shared = scores->dim[1] == 1 && b > 1,
        .length = keys.length, .keep = t->keep};
}

/* Returns the key of the first head's site of dropout.  Each head has a site of
 * its own, so that dropout does not depend on the shards. */
static struct rng_key next_sites(struct tape *t, int h)
{
    struct rng_key key = t->key;

    key.site++;
    if (t->keep < 1)
        t->key.site += (uint64_t)h;
    return key;
}

/* ---- fused ---- */

static int can_fuse(const struct tape *t, const struct attend *a)
{
    return tape_defers(t) && !a->linear && a->n > 1 && a->k <= FUSED_WIDTH;
}

/* Returns k->at with the parts of k->form, which point to the values of their
 * tensors.  The result has the low_v of v. */
static struct fused with_values(const struct fused_kept *k, const tensor *v)
{
    struct fused f = k->at;

    for (int i = 0; i < f.parts; i++) {
        const struct formed *p = &k->form.part[i];

        f.part[i] = p->as;
        f.part[i].x = p->x->x;
        f.part[i].low_x = p->x->low;
        f.part[i].y = p->y ? p->y->x : NULL;
        f.part[i].low_y = p->y ? p->y->low : NULL;
    }
    f.low_v = v->low;
    return f;
}

/* Rounds V and the factors of products to bfloat16, as the kernels do, so that
 * their values can be released.  If a backend that does not fuse runs fused
 * attention, as tests do, its kernels read the values. */
static void round_factors(struct tape *t, const struct form *f, tensor *v)
{
    if (!t->be->fuses && !t->be->dry)
        return;
    tape_low(t, v);
    for (int i = 0; i < f->parts; i++)
        if (f->part[i].as.width) {
            tape_low(t, f->part[i].x);
            tape_low(t, f->part[i].y);
        }
}

/* Records that `back` of `scores` will not run if they are deferred, nor `back`
 * of the deferred tensors from which they are computed. */
static void never_back(tensor *scores)
{
    if (scores->x)
        return;
    scores->reals = 0;
    for (int i = 0; i < TENSOR_INPUTS; i++)
        if (scores->in[i])
            never_back(scores->in[i]);
}

/* Counts the operations of the products of all parts or, if `back` is set, of
 * the products that compute their gradients. */
static void count_parts(struct tape *t, const struct fused *f, int back)
{
    for (int i = 0; i < f->parts; i++) {
        const struct score_part *p = &f->part[i];
        struct gemm s = {.m = f->a.n, .n = f->a.m, .k = p->width, .tb = 1,
                         .outer = p->h, .inner = f->a.b};
        int times = back ? (p->gx != NULL) + (p->gy != NULL) : 1;

        for (int k = 0; p->width && k < times; k++)
            tape_count(t, &s);
    }
}

static void fused_back(struct tape *t, tensor *y)
{
    const struct fused_kept *k = y->aux;
    tensor *v = y->in[1], *a = k->form.a;
    struct fused f = with_values(k, v);

    for (int i = 0; i < f.parts; i++) {
        tensor *x = k->form.part[i].x, *key = k->form.part[i].y;

        f.part[i].gx = tape_gradient(t, x);
        f.part[i].gy = key ? tape_gradient(t, key) : NULL;
    }
    f.gw = a && tape_gradient(t, a) ? k->form.gw : NULL;
    real *gv = tape_gradient(t, v);
    if (gv)
        count(t, &f.a, 1, 0);
    if (y->in[0]->wants)
        count(t, &f.a, 0, 1);
    count_parts(t, &f, 1);
    t->be->fuse_back(&f, v->x, k->stat, y->x, y->g, gv);
    if (f.gw)
        t->be->mix_weights_back(k->form.weights, k->form.sigmoid, f.w, f.gw,
                                a->g);
}

/* Returns what the backward pass of the attention `shape` needs. */
static struct fused_kept keep_fused(struct tape *t, const tensor *scores,
                                    struct attend shape)
{
    struct fused_kept k = {.form = form_of(scores)};
    size_t rows = (size_t)shape.h * (size_t)shape.b * (size_t)shape.n;
    size_t one = (size_t)shape.n * (size_t)shape.m;

    k.at = (struct fused){.a = shape, .key = next_sites(t, shape.h),
                          .parts = k.form.parts, .w = k.form.w,
                          .counter = (uint64_t)t->row * one};
    k.stat = arena_take(t->data, 2 * rows * sizeof *k.stat);
    return k;
}

static tensor *fuse(struct tape *t, tensor *scores, tensor *v,
                    struct attend shape)
{
    int dim[] = {shape.b, shape.n, tensor_last(v)};
    tensor *y = tape_deferred(t, 3, dim, fused_back, 2,
                              (tensor *[]){scores, v});
    struct fused_kept k = keep_fused(t, scores, shape);

    round_factors(t, &k.form, v);
    struct fused f = with_values(&k, v);
    never_back(scores);
    y->reals = !v->low;
    y->own = OWN_VALUES;
    y->writes = 1;
    tape_keep(t, y, &k, sizeof k);
    y->x = arena_again(t->data, tensor_len(y) * sizeof(real));
    count_parts(t, &f, 0);
    count(t, &shape, 0, 0);
    t->be->fuse(&f, v->x, k.stat, y->x);
    return y;
}

/* ---- in memory ---- */

/* Returns the dropout mask (h,b,n,m) of the weights, or NULL if nothing is
 * dropped. */
static unsigned char *draw(struct tape *t, const struct attend *a)
{
    size_t rows = (size_t)a->n * (size_t)a->m;
    unsigned char *kept;

    if (t->keep >= 1)
        return NULL;
    kept = arena_take(t->data, (size_t)a->h * (size_t)a->b * rows);
    t->be->drop_draw(a->h, (size_t)a->b * rows, next_sites(t, a->h),
                     (uint64_t)t->row * rows, t->keep, kept);
    return kept;
}

tensor *ad_attend(struct tape *t, tensor *scores, tensor *v, struct keys keys)
{
    int h = scores->dim[0], n = scores->dim[2], m = scores->dim[3];
    int b = v->dim[0], d = v->dim[2], dim[] = {b, n, d};
    size_t all = (size_t)h * (size_t)b * (size_t)n * (size_t)m;
    struct attend shape = shape_of(t, scores, v, keys);

    REQUIRE(v->dim[1] == m && d % h == 0 &&
                (scores->dim[1] == b || scores->dim[1] == 1),
            "scores (%d,%d,%d,%d), v (%d,%d,%d)", h, scores->dim[1], n, m, b,
            v->dim[1], d);
    if (can_fuse(t, &shape))
        return fuse(t, scores, v, shape);
    tensor *y = tape_node(t, 3, dim, attend_back, 2, (tensor *[]){scores, v});
    struct kept *k = arena_take(t->nodes, sizeof *k);

    k->shape = shape;
    k->shape.kept = draw(t, &shape);
    if (attend_once(&k->shape))
        all /= (size_t)b;
    k->p = arena_take(t->data, all * sizeof *k->p);
    size_t bytes = work_bytes(&k->shape);
    real *work = arena_again(t->data, bytes);
    y->aux = k;
    count(t, &k->shape, 0, 0);
    t->be->attend(&k->shape, scores->x, v->x, work, k->p, y->x);
    arena_give(t->data, work, bytes);
    if (t->logits)
        t->logits(t->watch_arg, t->place, t->layer, &k->shape,
                  tensor_read(t->be, scores, t->nodes));
    tape_give_up(t, scores);
    if (t->watch)
        t->watch(t->watch_arg, t->place, t->layer, &k->shape,
                 backend_read(t->be, k->p, all, t->nodes));
    return y;
}
