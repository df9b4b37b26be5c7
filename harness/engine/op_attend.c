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
 */
#include "harness/base/err.h"
#include "harness/engine/ops.h"

struct kept { struct attend shape; real *p; };

static size_t work_bytes(const struct attend *a)
{
    return 2 * (size_t)attend_together(a) * (size_t)a->n * (size_t)a->m *
           sizeof(real);
}

/* Counts the operations of one product for each head and sentence: Y = P V, or
 * V' = P^T Y' if `ta` is set, or P' = Y' V^T if `tb` is set. */
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

tensor *ad_attend(struct tape *t, tensor *scores, tensor *v, struct keys keys)
{
    int h = scores->dim[0], n = scores->dim[2], m = scores->dim[3];
    int b = v->dim[0], d = v->dim[2], dim[] = {b, n, d};
    size_t all = (size_t)h * (size_t)b * (size_t)n * (size_t)m;

    REQUIRE(v->dim[1] == m && d % h == 0 &&
                (scores->dim[1] == b || scores->dim[1] == 1),
            "scores (%d,%d,%d,%d), v (%d,%d,%d)", h, scores->dim[1], n, m, b,
            v->dim[1], d);
    tensor *y = tape_node(t, 3, dim, attend_back, 2, (tensor *[]){scores, v});
    struct kept *k = arena_take(t->nodes, sizeof *k);
    unsigned char *kept = NULL;

    if (t->keep < 1) { /* drawn per head: independent of the shards */
        kept = arena_take(t->data, all);
        struct rng_key key = t->key;
        size_t rows = (size_t)n * (size_t)m;

        key.site++;
        t->key.site += (uint64_t)h;
        t->be->drop_draw(h, (size_t)b * rows, key, (uint64_t)t->row * rows,
                         t->keep, kept);
    }
    k->shape = (struct attend){.h = h, .b = b, .n = n, .m = m, .k = d / h,
                               .from = keys.from, .causal = keys.causal,
                               .linear = keys.linear,
                               .shared = scores->dim[1] == 1 && b > 1,
                               .length = keys.length, .keep = t->keep,
                               .kept = kept};
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
