/*
 * linear     y = act(x W + c)
 *
 *     x' += y' W^T,   W' += x^T y',   c' += sum of the rows of y'
 *
 * where a' is d loss / d a, and y' is set to 0 where relu returned 0.  The
 * first op that contributes to a gradient writes it instead of adding to it, so
 * x' and W' need not be cleared.  head_linear is the same with a W for each
 * head.  It can be deferred (form.h): a dense synthesizer's scores are dot
 * products of x and of the columns of W, which all sentences share.
 */
#include "harness/base/err.h"
#include "harness/engine/form.h"
#include "harness/engine/ops.h"

/* Describes y = x W + c with `rows` rows, d inputs and e outputs; if h is not
 * 0, for each of h heads.  ldx, ldw and ldy are the leading dimensions of x, W
 * and y; step_* are the distances between the x, W, c and y of consecutive
 * heads, or 0 if all heads share one.  add_x and add_w: backward adds to x' and
 * W'; otherwise it writes them. */
struct product {
    size_t rows;
    int    d, e, ldx, ldw, ldy;
    int    add_x, add_w;
    int    h;
    size_t step_x, step_w, step_c, step_y;
};

static void forward(struct tape *t, struct product p, tensor *x,
                    const real *w, const real *c, int relu, real *y)
{
    struct gemm s = {.m = (int)p.rows, .n = p.e, .k = p.d, .lda = p.ldx,
                     .ldb = p.ldw, .ldc = p.ldy, .relu = relu,
                     .outer = p.h, .each = p.h > 0, .step_a = {p.step_x},
                     .step_b = {p.step_w}, .step_bias = p.step_c,
                     .step_c = {p.step_y}, .low_a = tape_low(t, x)};

    tape_gemm(t, &s, x->x, w, c, y);
}

static void backward(struct tape *t, struct product p, const tensor *x,
                     const real *w, const real *gy, real *gx, real *gw)
{
    struct gemm by_x = {.m = (int)p.rows, .n = p.d, .k = p.e, .lda = p.ldy,
                        .tb = 1, .ldb = p.ldw, .ldc = p.ldx, .add = p.add_x,
                        .outer = p.h, .each = p.h > 0, .step_a = {p.step_y},
                        .step_b = {p.step_w}, .step_c = {p.step_x}};
    struct gemm by_w = {.m = p.d, .n = p.e, .k = (int)p.rows, .ta = 1,
                        .lda = p.ldx, .ldb = p.ldy, .ldc = p.ldw,
                        .add = p.add_w, .outer = p.h, .each = p.h > 0,
                        .step_a = {p.step_x}, .step_b = {p.step_y},
                        .step_c = {p.step_w}, .low_a = x->low};

    if (gx && gw)
        tape_lower(t, gemm_spans(&by_w).b, gy);
    if (gx)
        tape_gemm(t, &by_x, gy, w, NULL, gx);
    if (gw)
        tape_gemm(t, &by_w, x->x, gy, NULL, gw);
    tape_raise(t);
}

/* Sets the gradient of y to 0 where relu returned 0. */
static void relu_back(struct tape *t, const tensor *y)
{
    if (y->x)
        t->be->relu_back(tensor_len(y), y->x, y->g);
    else
        t->be->relu_back_low(tensor_len(y), y->low, y->g);
}

static void linear_back(struct tape *t, tensor *y)
{
    tensor *x = y->in[0], *w = y->in[1], *c = y->in[2];
    int d = w->dim[0], e = w->dim[1];
    struct product p = {.rows = tensor_rows(y), .d = d, .e = e, .ldx = d,
                        .ldw = e, .ldy = e, .add_x = tape_adds(t, x),
                        .add_w = tape_adds(t, w)};

    if (y->own)
        relu_back(t, y);
    backward(t, p, x, w->x, y->g, x->g, w->g);
    if (c && tape_gradient(t, c))
        t->be->column_sums(1, p.rows, e, 0, y->g, c->g);
}

tensor *ad_linear(struct tape *t, tensor *x, tensor *w, tensor *c,
                  enum act act)
{
    int d = w->dim[0], e = w->dim[1], dim[TENSOR_DIMS];

    REQUIRE(w->nd == 2 && tensor_last(x) == d, "x ends in %d, W is %d x %d",
            tensor_last(x), d, e);
    REQUIRE(!c || tensor_len(c) == (size_t)e, "bias has %zu elements",
            tensor_len(c));
    for (int i = 0; i < x->nd; i++)
        dim[i] = x->dim[i];
    dim[x->nd - 1] = e;
    tensor *y = tape_node(t, x->nd, dim, linear_back, 3,
                          (tensor *[]){x, w, c});
    struct product p = {.rows = tensor_rows(y), .d = d, .e = e, .ldx = d,
                        .ldw = e, .ldy = e};

    y->own = act == ACT_RELU ? OWN_SIGNS : OWN_NOTHING;
    y->writes = 1;
    forward(t, p, x, w->x, c ? c->x : NULL, act == ACT_RELU, y->x);
    y->reals = !x->low;
    return y;
}

/* Returns the product of head_linear.  x (b,n,h k) has its heads side by side,
 * x (h,b,n,k) one after another, and x (b,n,k) is read by every head. */
static struct product heads_of(const tensor *x, const tensor *w,
                               const tensor *c, int cols)
{
    int k = w->dim[w->nd - 2], o = tensor_last(w), wide = tensor_last(x);
    int h = w->nd == 3 ? w->dim[0] : x->nd == 4 ? x->dim[0] : wide / k;
    size_t rows = x->nd == 3 ? tensor_rows(x) : tensor_rows(x) / (size_t)h;

    return (struct product){
        .rows = rows, .d = k, .e = cols, .ldx = wide, .ldw = o, .ldy = cols,
        .add_x = 1, .add_w = 1, .h = h,
        .step_x = x->nd == 4 ? rows * (size_t)k : wide == k ? 0 : (size_t)k,
        .step_w = w->nd == 3 ? (size_t)k * (size_t)o : 0,
        .step_c = c ? (size_t)tensor_last(c) : 0,
        .step_y = rows * (size_t)cols};
}

static void head_linear_back(struct tape *t, tensor *y)
{
    tensor *x = y->in[0], *w = y->in[1], *c = y->in[2];
    struct product p = heads_of(x, w, c, tensor_last(y));

    if (y->own)
        relu_back(t, y);
    backward(t, p, x, w->x, y->g, x->g, w->g);
    if (c && c->g)
        t->be->column_sums(p.h, p.rows, p.e, p.step_c, y->g, c->g);
}

static void head_linear_make(struct tape *t, tensor *y)
{
    tensor *x = y->in[0];
    const tensor *w = y->in[1], *c = y->in[2];

    forward(t, heads_of(x, w, c, tensor_last(y)), x, w->x, c ? c->x : NULL,
            y->own == OWN_SIGNS, y->x);
    y->reals = !x->low;
}

static tensor *head_linear_with(struct tape *t, const tensor *y, tensor *x)
{
    return ad_head_linear(t, x, y->in[1], y->in[2], ACT_NONE, tensor_last(y));
}

/* Returns the form of y: the product, and the bias c, if any, as a table whose
 * rows are equal. */
static struct form head_linear_form(const tensor *y, struct product p)
{
    tensor *x = y->in[0], *w = y->in[1], *c = y->in[2];

    return (struct form){
        .make = head_linear_make, .with = head_linear_with,
        .parts = c ? 2 : 1,
        .part = {{.x = x, .y = w,
                  .as = {.h = p.h, .width = p.d, .weight = -1, .scale = 1,
                         .at_x = form_lattice(x, p.d),
                         .at_y = {p.step_w, 0, 1, (size_t)p.ldw}}},
                 {.x = c, .as = {.h = p.h, .weight = -1,
                                 .at_x = {p.step_c, 0, 0, 1}}}}};
}

/* Returns 1 if scores of head_linear can be deferred.  If all heads read the
 * same x, the scores cannot be deferred, because the heads would have to share
 * the gradient of x. */
static int can_defer(const struct tape *t, struct product p, enum act act)
{
    return tape_defers(t) && act == ACT_NONE && p.step_x > 0 &&
           p.d <= FUSED_WIDTH;
}

tensor *ad_head_linear(struct tape *t, tensor *x, tensor *w, tensor *c,
                       enum act act, int cols)
{
    struct product p = heads_of(x, w, c, cols);
    int k = p.d, b = x->dim[x->nd - 3], n = x->dim[x->nd - 2];
    int dim[] = {p.h, b, n, cols};

    REQUIRE(cols <= tensor_last(w), "%d columns of %d", cols, tensor_last(w));
    REQUIRE(x->nd == 3 ? p.step_x == 0 || x->dim[2] == p.h * k
                       : x->dim[0] == p.h && x->dim[3] == k,
            "x ends in %d, %d heads, W is .. %d x %d", tensor_last(x), p.h, k,
            tensor_last(w));
    int defers = can_defer(t, p, act);
    tensor *y = (defers ? tape_deferred : tape_node)(
        t, 4, dim, head_linear_back, 3, (tensor *[]){x, w, c});

    y->own = act == ACT_RELU ? OWN_SIGNS : OWN_NOTHING;
    if (defers) {
        struct form f = head_linear_form(y, p);

        form_set(t, y, &f);
    } else {
        head_linear_make(t, y);
    }
    return y;
}
