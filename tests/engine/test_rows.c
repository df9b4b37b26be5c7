/* Kernels of the CPU that replace loops on the host: moving rows and blocks,
 * batches with lengths, mixtures, the maximum of a row, a squared error. */
#include "harness/engine/cpu/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

static const struct backend *const be = &backend_cpu;

static void are(const char *what, const real *got, size_t n, const real *want)
{
    for (size_t i = 0; i < n; i++)
        if (!(got[i] == want[i]))
            fail_msg("%s: value %zu is %g, not %g", what, i, (double)got[i],
                     (double)want[i]);
}

#define ARE(what, got, ...)                                                   \
    are(what, got, sizeof(real[]){__VA_ARGS__} / sizeof(real),                \
        (const real[]){__VA_ARGS__})

static void blocks(void **state)
{
    const real x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct blocks s = {2, 2, 1, {4, 2}, {1, 3}};
    struct blocks same = {2, 3, 2, {2, 0}, {6, 2}};
    real y[7] = {9, 9, 9, 9, 9, 9, 9}, z[12];

    (void)state;
    be->copy_blocks(&s, x, y);
    ARE("copied", y, 1, 5, 9, 3, 7, 9, 9);
    be->add_blocks(&s, x, y);
    ARE("added", y, 2, 10, 9, 6, 14, 9, 9);
    be->copy_blocks(&same, x, z);
    ARE("repeated", z, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4);
}

static void rows(void **state)
{
    real x[] = {1, 2, 3, 4, 5, 6, 7, 8}, y[6] = {0};
    real s[] = {1, 2, 3, 4, 5, 5, 5};

    (void)state;
    be->gather(3, 1, 2, (int[]){3, 0, 3}, x, y);
    ARE("gathered", y, 7, 0, 1, 0, 7, 0);
    be->gather(3, 2, 2, (int[]){0, 2, 3}, x, x);
    ARE("in place", x, 1, 2, 5, 6, 7, 8, 7, 8);
    be->scatter_add(2, 2, (int[]){0, 3}, y, x);
    ARE("scattered", x, 8, 2, 5, 6, 7, 8, 8, 8);
    be->spread(2, 2, 3, s);
    ARE("spread", s, 1, 2, 0, 3, 4, 0, 5);
}

/* Packs two heads of sentences with 1, 0 and 2 tokens, in 2 columns and 4
 * rows. */
static void packs(void **state)
{
    static const int length[] = {1, 0, 2};
    const struct packing p = {3, 2, 4, length};
    const real wide[] = {1, 9, 9, 9, 3, 4, 5, 9, 9, 9, 7, 8};
    real packed[8] = {6, 6, 6, 6, 6, 6, 6, 6}, back[12] = {6, 6, 6};

    (void)state;
    be->pack(&p, 2, 1, 0, wide, packed);
    ARE("packed", packed, 1, 3, 4, 0, 5, 7, 8, 0);
    be->unpack(&p, 2, 1, 0, packed, back);
    ARE("unpacked", back, 1, 0, 0, 0, 3, 4, 5, 0, 0, 0, 7, 8);
    packed[3] = 2;
    be->pack(&p, 2, 1, 1, wide, packed);
    ARE("added to packed", packed, 2, 6, 8, 2, 10, 14, 16, 0);
    back[1] = 3;
    be->unpack(&p, 2, 1, 1, packed, back);
    ARE("added to wide", back, 3, 3, 0, 0, 9, 12, 15, 0, 0, 0, 21, 24);
}

static void sums(void **state)
{
    const real x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    real sum[] = {1, 0, 0, 1, 0};

    (void)state;
    be->column_sums(2, 2, 2, 3, x, sum);
    ARE("sums", sum, 5, 6, 0, 13, 14);
}

/* Computes C_b = A B_b over the first `length` of two values; values beyond are
 * NaN. */
static void lengths(void **state)
{
    static const int length[] = {1, 0, 2};
    const real a[] = {1, 10}, b[] = {2, NAN, NAN, NAN, 3, 4};
    struct gemm s = {.m = 1, .n = 1, .k = 2, .lda = 2, .ldb = 1, .ldc = 1,
                     .inner = 3, .step_b = {0, 2}, .step_c = {0, 1},
                     .each = 1, .length = length, .limits = 'k'};
    real c[] = {7, 7, 7, 7, 7, 7};

    (void)state;
    be->gemm(&s, a, b, NULL, c);
    ARE("k", c, 2, 0, 43, 7, 7, 7);
    s.add = 1;
    be->gemm(&s, a, b, NULL, c);
    ARE("k, added", c, 4, 0, 86, 7, 7, 7);

    /* C_b += A^T b_b; rows beyond the length are unchanged */
    s = (struct gemm){.m = 2, .n = 1, .k = 1, .ta = 1, .lda = 2, .ldb = 1,
                      .ldc = 1, .inner = 3, .step_b = {0, 2},
                      .step_c = {0, 2}, .add = 1, .each = 1, .length = length,
                      .limits = 'm'};
    for (int i = 0; i < 6; i++)
        c[i] = 7;
    be->gemm(&s, a, b, NULL, c);
    ARE("m", c, 9, 7, 7, 7, 10, 37);

    /* one C for the whole batch: C += b_b a */
    s = (struct gemm){.m = 1, .n = 2, .k = 1, .tb = 1, .lda = 1, .ldb = 1,
                      .ldc = 2, .inner = 3, .step_a = {0, 2}, .add = 1,
                      .each = 1, .length = length, .limits = 'n'};
    be->gemm(&s, b, a, NULL, c);
    ARE("n, one C", c, 9 + 2 + 3, 7 + 30, 7, 7, 10, 37);
    assert_true(gemm_flops(&s) == 2 * (1 + 0 + 2));
}

static void biases(void **state)
{
    const real a[] = {1, 2}, b[] = {3, 4, 5, 6}, bias[] = {1, 1, 9, -30, 1};
    struct gemm s = {.m = 1, .n = 2, .k = 1, .lda = 1, .ldb = 2, .ldc = 2,
                     .outer = 2, .step_a = {1}, .step_b = {2}, .step_c = {2},
                     .each = 1, .step_bias = 3, .relu = 1};
    real c[4];

    (void)state;
    be->gemm(&s, a, b, bias, c);
    ARE("biases", c, 4, 5, 0, 13);
}

/* X is (1,2,2); if both sentences share it, (1,1,2). */
static void mixtures(void **state)
{
    const double w[] = {0.25, 0.75};
    const real x[] = {4, 8, 12, 16}, r[] = {4, 0}, plus[] = {100, 200};
    const real gy[] = {1, 2, 3, 4};
    struct mix_sum s = {2, 1, 2, 2, {{1, 2, 0}, {1, 1, 0}, {1, 1, 0}}};
    struct mix_sum heads = {2, 2, 1, 2, {{1, 1, 0}, {1, 1, 1}}};
    real y[4], gx[4] = {1, 1, 1, 1};
    double gw[2];

    (void)state;
    be->mix(&s, w, x, r, NULL, NULL, plus, y);
    ARE("mixed", y, 104, 202, 106, 204);
    be->mix(&heads, NULL, x, r, NULL, NULL, NULL, y);
    ARE("heads", y, 4, 8, 4, 0);
    be->mix_back(&s, 0, w, gy, x, gx, gw);
    ARE("a part's gradient", gx, 1.25, 1.5, 1.75, 2);
    be->mix_back(&s, 1, w, gy, r, gx, gw);
    ARE("of one that repeats", gx, 4.25, 6, 1.75, 2);
    assert_true(gw[0] == 4 + 16 + 36 + 64 && gw[1] == 4 * (1 + 3));
    be->mix_back(&s, 2, NULL, gy, NULL, gx, NULL);
    ARE("of P", gx, 8.25, 12, 1.75, 2);
    be->mix_back(&heads, 1, NULL, gy, NULL, gx, NULL);
    ARE("of the second head", gx, 11.25, 16, 1.75, 2);
}

static void best(void **state)
{
    enum { ROWS = 2, V = 5, K = 3 };
    const real x[ROWS * V] = {1, 3, 2, 3, -1, 0, 0, 0, 0, 0};
    static const int id[ROWS][K] = {{1, 3, 2}, {0, 1, 2}};
    struct best out[ROWS * K], one[ROWS];
    real work[V];

    (void)state;
    be->best(ROWS, V, K, x, work, out);
    be->best(ROWS, V, 1, x, work, one);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;

        for (int j = 0; j < V; j++)
            sum += exp((double)x[r * V + j]);
        for (int i = 0; i < K; i++) {
            const struct best *b = &out[r * K + i];

            assert_int_equal(b->id, id[r][i]);
            assert_true(b->x == x[r * V + b->id]);
            assert_true(fabs(b->mass - log(sum)) < 1e-6);
        }
        assert_int_equal(one[r].id, id[r][0]);
        assert_true(one[r].x == out[r * K].x && one[r].mass == out[r * K].mass);
    }
}

static void square(void **state)
{
    const real want[] = {1, 4}, y[] = {3, 5};
    real error[2], gy[] = {1, 1};
    double nll[2], loss;

    (void)state;
    be->square_error(2, 0.5, want, y, error, NULL, nll, &loss);
    assert_true(nll[0] == 4 && nll[1] == 1 && loss == 2.5);
    be->square_error(2, 0.5, want, y, error, gy, nll, &loss);
    ARE("gradient", gy, 3, 2);
}

/* Each site draws with its own key. A packed token has the same draws as in the
 * unpacked array (b,n,d). */
static void draws(void **state)
{
    enum { N = 5, D = 3, B = 3 };
    static const int length[B] = {2, 0, 5};
    const struct packing p = {B, N, 8, length};
    struct rng_key key = {7, RNG_DROPOUT, 3, 11}, after = key;
    unsigned char two[2 * 40], one[40], packed[8 * D], all[B * N * D];
    const unsigned char *next = packed;

    (void)state;
    after.site++;
    be->drop_draw(2, 40, key, 6, (real)0.5, two);
    be->drop_draw(1, 40, key, 6, (real)0.5, one);
    assert_memory_equal(two, one, 40);
    be->drop_draw(1, 40, after, 6, (real)0.5, one);
    assert_memory_equal(two + 40, one, 40);
    be->drop_draw(1, B * N * D, key, 4 * N * D, (real)0.5, all);
    be->drop_draw_packed(&p, D, key, 4, (real)0.5, packed);
    for (int s = 0; s < B; s++, next += length[s - 1] * D)
        assert_memory_equal(next, all + s * N * D, (size_t)(length[s] * D));
    for (; next < packed + sizeof packed; next++)
        assert_int_equal(*next, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"blocks are copied and added with their strides", blocks, NULL, NULL,
         NULL},
        {"rows are gathered, scattered and spread", rows, NULL, NULL, NULL},
        {"tokens are packed and unpacked, head by head", packs, NULL, NULL,
         NULL},
        {"columns are summed, each array into its own sum", sums, NULL, NULL,
         NULL},
        {"a batch ends at its length, in m, n or k", lengths, NULL, NULL, NULL},
        {"each batch of a product has its own bias", biases, NULL, NULL, NULL},
        {"mixed parts get their shares of the gradient", mixtures, NULL, NULL,
         NULL},
        {"of equal values the first is ranked better", best, NULL, NULL, NULL},
        {"a squared error has the right sum and gradient", square, NULL, NULL,
         NULL},
        {"each site draws its own masks, and packed tokens keep theirs", draws,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
