/* What is particular to one variant or the other. */
#include "harness/nn/optim.h"
#include "tests/gradcheck.h"
#include "tests/layer.h"
#include "tests/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { SCORES = LAYER_HEADS * LAYER_ROWS * LAYER_ROWS };

/* ---- what scores depend on ---- */

static void nothing_of_x(void **state)
{
    static const char *const name[] = {"random", "fixed-random", "uniform",
                                       "factorized-random"};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct layer l;
        real before[SCORES];

        layer_open(&l, name[i]);
        tensor *b = layer_scores(layer_run(&l, TAPE_EVAL, l.x, 0, NULL));
        assert_int_equal(b->dim[1], 1); /* one for every sentence */
        memcpy(before, b->x, sizeof before);
        leaf_fill(l.x->x, LAYER_X, 9, 3);
        b = layer_scores(layer_run(&l, TAPE_EVAL, l.x, 1, NULL));
        assert_bits(name[i], b->x, before, SCORES);
        layer_close(&l);
    }
}

static void pick_back(struct tape *t, tensor *y)
{
    (void)t;
    y->in[0]->g[*(const size_t *)y->aux] += y->g[0];
}

/* Element i of x as a scalar of the graph. */
static tensor *pick(struct tape *t, tensor *x, size_t *i)
{
    tensor *y = tape_node(t, 0, NULL, pick_back, 1, &x);

    y->x[0] = x->x[*i];
    y->aux = i;
    return y;
}

/* dB_ij / dX_m = 0 for m != i, and not at m = i. */
static void own_token(void **state)
{
    static const char *const name[] = {"dense", "factorized-dense"};

    (void)state;
    for (int v = 0; v < 2; v++) {
        struct layer l;
        int own = 0;

        layer_open(&l, name[v]);
        for (size_t at = 0; at < SCORES * LAYER_B; at++) {
            size_t row = at / LAYER_ROWS % (LAYER_B * LAYER_ROWS);

            memset(l.x->g, 0, LAYER_X * sizeof(real));
            tensor *y = layer_run(&l, TAPE_TRAIN, l.x, 0, NULL);
            tape_backward(l.tape, pick(l.tape, layer_scores(y), &at));
            for (size_t i = 0; i < LAYER_X; i++) {
                assert_true(l.x->g[i] == 0 || i / LAYER_D == row);
                own += l.x->g[i] != 0;
            }
        }
        assert_true(own > SCORES * LAYER_B); /* a relu may silence some */
        layer_close(&l);
    }
}

/* ---- shapes of the score matrix ---- */

/* Rank of a (n,n) by elimination with full pivoting; a is used up. */
static int rank_of(double *a, int n)
{
    double first = 0;

    for (int r = 0; r < n; r++) {
        int at = r * n + r;

        for (int i = r; i < n; i++)
            for (int j = r; j < n; j++)
                at = fabs(a[i * n + j]) > fabs(a[at]) ? i * n + j : at;
        double pivot = a[at];
        first = r ? first : fabs(pivot);
        if (fabs(pivot) <= 10 * CLOSE * first)
            return r;
        for (int j = 0; j < n; j++) { /* its row comes to row r */
            double swap = a[r * n + j];

            a[r * n + j] = a[at / n * n + j];
            a[at / n * n + j] = swap;
        }
        for (int i = 0; i < n; i++) { /* its column to column r */
            double swap = a[i * n + r];

            a[i * n + r] = a[i * n + at % n];
            a[i * n + at % n] = swap;
        }
        for (int i = r + 1; i < n; i++)
            for (int j = n - 1; j >= r; j--)
                a[i * n + j] -= a[i * n + r] / pivot * a[r * n + j];
    }
    return n;
}

static int rank_of_scores(const char *name)
{
    double b[LAYER_ROWS * LAYER_ROWS];
    struct layer l;

    layer_open(&l, name);
    const real *x = layer_scores(layer_run(&l, TAPE_EVAL, l.x, 0, NULL))->x;
    for (int i = 0; i < LAYER_ROWS * LAYER_ROWS; i++)
        b[i] = (double)x[i];
    layer_close(&l);
    return rank_of(b, LAYER_ROWS);
}

static void rank(void **state)
{
    (void)state;
    assert_int_equal(rank_of_scores("factorized-random"), LAYER_RANK);
    assert_int_equal(rank_of_scores("random"), LAYER_ROWS);
}

static int distinct_columns(const real *b, int rows, int n)
{
    int distinct = 0;

    for (int j = 0; j < n; j++) {
        int fresh = 1;

        for (int e = 0; e < j && fresh; e++) {
            int same = 1;

            for (int i = 0; i < rows; i++)
                same = same && b[i * n + j] == b[i * n + e];
            fresh = !same;
        }
        distinct += fresh;
    }
    return distinct;
}

/* N = 16 = 4 x 4: tiling both sides would leave 4 columns. */
static void columns(void **state)
{
    struct model_config c = layer_config;
    struct layer l;
    tensor *x;

    (void)state;
    c.N = 16;
    layer_open_as(&l, "factorized-dense", &c);
    x = leaf_new(l.memory, 5, 3, (int[]){1, 16, LAYER_D});
    assert_int_equal(params_find(&l.params,
                                 "self.factorized-dense.wa")->value->dim[2],
                     4);
    const tensor *b = layer_scores(layer_run(&l, TAPE_EVAL, x, 0, NULL));
    assert_int_equal(distinct_columns(b->x, 16, 16), 16);
    layer_close(&l);
}

static int factor(int N, int a, int c)
{
    struct model_config config = layer_config;
    struct layer l;

    config.N = N;
    config.a = a;
    config.c = c;
    layer_open_as(&l, "factorized-dense", &config);
    int found = params_find(&l.params,
                            "self.factorized-dense.wa")->value->dim[2];
    int other = params_find(&l.params,
                            "self.factorized-dense.wc")->value->dim[2];
    assert_int_equal(found * other, N);
    layer_close(&l);
    return found;
}

static void factor_sizes(void **state)
{
    (void)state;
    assert_int_equal(factor(512, 0, 0), 16);
    assert_int_equal(factor(60, 0, 0), 6);
    assert_int_equal(factor(49, 0, 0), 7);
    assert_int_equal(factor(13, 0, 0), 1);
    assert_int_equal(factor(48, 4, 0), 4);
    assert_int_equal(factor(48, 0, 24), 2);
    assert_int_equal(factor(48, 16, 3), 16);
}

/* ---- symmetry ---- */

/* The largest |f(P x) - P f(x)|. */
static double asymmetry(const char *name)
{
    static const int at[LAYER_ROWS] = {2, 0, 3, 1};
    struct layer l;
    real before[LAYER_X], x[LAYER_X];
    double worst = 0;

    layer_open(&l, name);
    memcpy(before, layer_run(&l, TAPE_EVAL, l.x, 0, NULL)->x, sizeof before);
    memcpy(x, l.x->x, sizeof x);
    for (int i = 0; i < LAYER_X; i++) {
        int row = i / LAYER_D % LAYER_ROWS, to = i + (at[row] - row) * LAYER_D;

        l.x->x[to] = x[i];
    }
    const real *y = layer_run(&l, TAPE_EVAL, l.x, 0, NULL)->x;
    for (int i = 0; i < LAYER_X; i++) {
        int row = i / LAYER_D % LAYER_ROWS, to = i + (at[row] - row) * LAYER_D;

        worst = fmax(worst, fabs((double)y[to] - (double)before[i]));
    }
    layer_close(&l);
    return worst;
}

static void permutation(void **state)
{
    (void)state;
    assert_true(asymmetry("vanilla") < CLOSE);
    assert_true(asymmetry("orthogonal") < CLOSE);
    assert_true(asymmetry("uniform") < CLOSE);
    assert_true(asymmetry("random") > 0.1);
    assert_true(asymmetry("dense") > 0.1);
    assert_true(asymmetry("factorized-dense") > 0.1);
}

/* In a decoder a score that nobody sees teaches nothing: R above its diagonal,
 * and beyond the sentence. */
static void triangle(void **state)
{
    struct layer l;

    (void)state;
    layer_open(&l, "random");
    tensor *y = layer_run(&l, TAPE_TRAIN, l.x, 1, NULL);
    tape_backward(l.tape, weighted_sum(l.tape, y));
    const real *g = params_find(&l.view, "self.random.R")->value->g;
    for (int i = 0; i < LAYER_HEADS * LAYER_N * LAYER_N; i++) {
        int row = i / LAYER_N % LAYER_N, column = i % LAYER_N;
        int seen = row < LAYER_ROWS && column <= row && row > 0;

        assert_true(seen == (g[i] != 0));
    }
    layer_close(&l);
}

/* ---- frozen ---- */

/* The largest element of |Q_h^T Q_h - I|. */
static double skew(const tensor *q)
{
    double worst = 0;

    for (int a = 0; a < LAYER_D; a++)
        for (int b = a / LAYER_K * LAYER_K; b <= a; b++) {
            double sum = a == b ? -1 : 0;

            for (int i = 0; i < LAYER_D; i++)
                sum += (double)q->x[i * LAYER_D + a] *
                       (double)q->x[i * LAYER_D + b];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static void orthogonal(void **state)
{
    struct layer l;
    struct optim o;

    (void)state;
    layer_open(&l, "orthogonal");
    const tensor *q = params_find(&l.params, "self.orthogonal.q")->value;
    const tensor *k = params_find(&l.params, "self.orthogonal.k")->value;
    optim_open(&o, &l.params, &layer_adam);
    for (uint64_t t = 0; t < 4; t++) {
        assert_true(skew(q) < 1e-6 && skew(k) < 1e-6);
        assert_memory_not_equal(q->x, k->x, sizeof(real) * LAYER_D);
        assert_memory_not_equal(q->x, q->x + LAYER_K, sizeof(real) * LAYER_K);
        tensor *y = layer_run(&l, TAPE_TRAIN, l.x, 0, NULL);
        tape_backward(l.tape, weighted_sum(l.tape, y));
        for (int i = 0; i < o.units; i++)
            optim_step(&o, i, l.view.grad, t + 1, 0.1);
    }
    layer_close(&l);
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        {"random scores are the same for every sentence and any X",
         nothing_of_x, NULL, NULL, NULL},
        {"a row of dense scores depends on its own token alone", own_token,
         NULL, NULL, NULL},
        {"factorized-random has rank r", rank, NULL, NULL, NULL},
        {"factorized-dense has N distinct columns", columns, NULL, NULL, NULL},
        {"factorized-dense takes a and c as they are set, else the nearest",
         factor_sizes, NULL, NULL, NULL},
        {"vanilla, orthogonal and uniform do not know order; others do",
         permutation, NULL, NULL, NULL},
        {"what no row sees of R has no gradient", triangle, NULL, NULL, NULL},
        {"orthogonal heads differ and stay orthogonal", orthogonal, NULL,
         NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("variant facts", facts, NULL, NULL);
}
