/* Tests cpu_gemm against the contract of struct gemm in engine/backend.h. */
#include "harness/engine/cpu/cpu.h"
#include "tests/support/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <stdlib.h>

#ifndef REAL_DOUBLE /* in double precision, cpu_gemm is the plain loops */

static uint64_t draws;

static int below(int n)
{
    struct rng_key key = {.seed = 5, .stream = RNG_TEST};

    return (int)rng_below(key, draws++, (uint32_t)n);
}

/* Lays out an operand with `rows` stored rows and chooses its steps in the
 * batch: outer batches lie one after another or, as heads do, side by side in
 * each row. Returns the number of values that the operand spans. */
static size_t lay_out(struct gemm *s, int rows, int cols, int *ld,
                      size_t step[2], int broadcast)
{
    size_t outer = (size_t)(s->outer ? s->outer : 1);
    size_t inner = (size_t)(s->inner ? s->inner : 1);
    int side_by_side = below(2);

    *ld = cols * (side_by_side ? (int)outer : 1) + below(3);
    size_t one = (size_t)rows * (size_t)*ld;
    step[1] = one;
    step[0] = side_by_side ? (size_t)cols : one * inner;
    if (broadcast)
        step[below(2)] = 0;
    return one * inner * outer;
}

/* Returns a product with random properties; B has at least `least` rows and
 * columns. */
static struct gemm any_product(size_t size[3], int *bias, int least)
{
    static const real alphas[] = {0, 1, (real)0.5, -2};
    struct gemm s = {.m = 1 + below(40), .n = least + below(40),
                     .k = least + below(40), .ta = below(2), .tb = below(2),
                     .add = below(2), .relu = below(2),
                     .alpha = alphas[below(4)]};

    if (below(2)) {
        s.outer = below(4);
        s.inner = below(4);
    }
    int again = below(6); /* broadcast A if 0, B if 1 */
    size[0] = lay_out(&s, s.ta ? s.k : s.m, s.ta ? s.m : s.k, &s.lda, s.step_a,
                      again == 0);
    size[1] = lay_out(&s, s.tb ? s.n : s.k, s.tb ? s.k : s.n, &s.ldb, s.step_b,
                      again == 1);
    size[2] = lay_out(&s, s.m, s.n, &s.ldc, s.step_c, 0);
    *bias = s.outer < 2 && s.inner < 2 && (s.alpha == 0 || s.alpha == 1) &&
            below(2);
    return s;
}

static real *values(size_t n)
{
    real *x = malloc(n * sizeof *x);

    leaf_fill(x, n, 1, draws++);
    return x;
}

/* Computes the scale of rounding errors of each element: the same product of
 * absolute values. */
static void sizes(struct gemm s, const real *const x[3], const size_t n[3],
                  real *out)
{
    real *abs_of[3];

    for (int i = 0; i < 3; i++) {
        abs_of[i] = malloc(n[i] * sizeof(real));
        for (size_t j = 0; j < n[i]; j++)
            abs_of[i][j] = (real)fabs((double)x[i][j]);
    }
    s.alpha = (real)fabs((double)s.alpha);
    cpu_gemm_plain(&s, abs_of[0], abs_of[1], abs_of[2], out);
    for (int i = 0; i < 3; i++)
        free(abs_of[i]);
}

/* SINGLE: cpu_gemm. LOW: cpu_gemm_bf16, which rounds a and b itself. AT_HAND:
 * cpu_gemm_bf16 with a and b already rounded. After LOW and AT_HAND, a and b
 * are left rounded, for the comparison. */
enum kind { SINGLE, LOW, AT_HAND };

static void multiply(enum kind kind, struct gemm s, size_t n[2], real *a,
                     real *b, const real *bias, real *c)
{
    uint16_t *low_a = malloc(n[0] * sizeof *low_a);
    uint16_t *low_b = malloc(n[1] * sizeof *low_b);

    cpu_lower(n[0], a, low_a);
    cpu_lower(n[1], b, low_b);
    if (kind == AT_HAND) {
        s.low_a = low_a;
        s.low_b = low_b;
    }
    if (kind == SINGLE)
        cpu_gemm(&s, a, b, bias, c);
    else
        cpu_gemm_bf16(&s, a, b, bias, c);
    for (size_t i = 0; kind != SINGLE && i < n[0]; i++)
        a[i] = cpu_widened(cpu_bf16(a[i]));
    for (size_t i = 0; kind != SINGLE && i < n[1]; i++)
        b[i] = cpu_widened(cpu_bf16(b[i]));
    free(low_a);
    free(low_b);
}

/* Computes a product with cpu_gemm and with plain loops, on operands with
 * n[0..2] values, and compares all of C. */
static void compare_as(enum kind kind, struct gemm s, const size_t n[3],
                       int with_bias)
{
    real *a = values(n[0]), *b = values(n[1]), *bias = values((size_t)s.n);
    real *got = values(n[2]), *want = malloc(n[2] * sizeof *want);
    real *size = malloc(n[2] * sizeof *size);

    for (size_t i = 0; i < n[2]; i++) {
        want[i] = got[i];
        size[i] = (real)fabs((double)got[i]);
    }
    multiply(kind, s, (size_t[]){n[0], n[1]}, a, b, with_bias ? bias : NULL,
             got);
    sizes(s, (const real *const[]){a, b, bias},
          (size_t[]){n[0], n[1], (size_t)s.n}, size);
    cpu_gemm_plain(&s, a, b, with_bias ? bias : NULL, want);
    for (size_t i = 0; i < n[2]; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <=
              (s.k + 4) * FLT_EPSILON * (double)size[i]))
            fail_msg("kind %d m %d n %d k %d ta %d tb %d ld %d %d %d outer %d"
                     " inner %d add %d relu %d alpha %g bias %d: value %zu is"
                     " %g, not %g", (int)kind, s.m, s.n, s.k, s.ta, s.tb,
                     s.lda, s.ldb, s.ldc, s.outer, s.inner, s.add, s.relu,
                     (double)s.alpha, with_bias, i, (double)got[i],
                     (double)want[i]);
    free(a);
    free(b);
    free(bias);
    free(got);
    free(want);
    free(size);
}

static void compare(struct gemm s, const size_t n[3], int with_bias)
{
    compare_as(SINGLE, s, n, with_bias);
}

static void products(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        size_t n[3];
        int with_bias;
        struct gemm s = any_product(n, &with_bias, 1);

        compare(s, n, with_bias);
    }
}

static void low_products(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        size_t n[3];
        int with_bias;
        struct gemm s = any_product(n, &with_bias, 1);

        compare_as(i % 2 ? LOW : AT_HAND, s, n, with_bias);
    }
}

static void large_products(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        size_t n[3];
        int with_bias;
        struct gemm s = any_product(n, &with_bias, 512);

        compare(s, n, with_bias);
    }
}

/* Returns one element of C: the sum in order of k with fused multiply-adds,
 * times alpha, plus the old C. */
static real in_order(const struct gemm *s, const real *a, const real *b,
                     real old)
{
    size_t down = s->ta ? (size_t)s->lda : 1;
    size_t right = s->tb ? 1 : (size_t)s->ldb;
    real sum = 0;

    for (int k = 0; k < s->k; k++)
        sum = fmaf(a[(size_t)k * down], b[(size_t)k * right], sum);
    volatile real y = s->alpha == 0 ? sum : s->alpha * sum; /* rounded here */
    return s->add ? old + y : y;
}

/* Computes C (m,ldc) for one matrix of the batch. */
static void fill_in_order(const struct gemm *s, const real *a, const real *b,
                          real *c)
{
    size_t down = s->ta ? 1 : (size_t)s->lda;
    size_t right = s->tb ? (size_t)s->ldb : 1;

    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->n; j++) {
            real *to = &c[(size_t)i * (size_t)s->ldc + (size_t)j];

            *to = in_order(s, a + (size_t)i * down, b + (size_t)j * right, *to);
        }
}

static void fill_all_in_order(const struct gemm *s, const real *a,
                              const real *b, real *c)
{
    for (size_t o = 0; o < (size_t)(s->outer ? s->outer : 1); o++)
        for (size_t i = 0; i < (size_t)(s->inner ? s->inner : 1); i++)
            fill_in_order(s, a + o * s->step_a[0] + i * s->step_a[1],
                          b + o * s->step_b[0] + i * s->step_b[1],
                          c + o * s->step_c[0] + i * s->step_c[1]);
}

static struct gemm small_product(size_t size[3])
{
    static const real alphas[] = {0, 1, (real)0.25, (real)0.17677669};
    struct gemm s = {.m = 8 + below(89), .n = 8 + below(89),
                     .k = 8 + below(89), .ta = below(2), .tb = below(2),
                     .add = below(2), .alpha = alphas[below(4)],
                     .outer = below(3), .inner = below(4)};
    int again = below(6); /* broadcast A if 0, B if 1 */

    size[0] = lay_out(&s, s.ta ? s.k : s.m, s.ta ? s.m : s.k, &s.lda, s.step_a,
                      again == 0);
    size[1] = lay_out(&s, s.tb ? s.n : s.k, s.tb ? s.k : s.n, &s.ldb, s.step_b,
                      again == 1);
    size[2] = lay_out(&s, s.m, s.n, &s.ldc, s.step_c, 0);
    return s;
}

/* Small products are bit-identical to a plain loop, and nothing outside C
 * changes. Without AVX-512 no product counts as small, and oneDNN adds in
 * another order. */
static void small_products(void **state)
{
    int taken = 0;

    (void)state;
    for (int i = 0; i < 500; i++) {
        size_t n[3];
        struct gemm s = small_product(n);
        real *a = values(n[0]), *b = values(n[1]), *got = values(n[2]);
        real *want = malloc(n[2] * sizeof *want);
        real *library = malloc(n[2] * sizeof *library);

        memcpy(want, got, n[2] * sizeof *want);
        memcpy(library, got, n[2] * sizeof *library);
        fill_all_in_order(&s, a, b, want);
        cpu_gemm_small(&s, a, b, got);
        assert_bits("a small product", got, want, n[2]);
        if (cpu_gemm_is_small(&s, 0)) {
            taken++;
            cpu_gemm_library(&s, a, b, NULL, library);
            assert_bits("the library's", library, want, n[2]);
        }
        free(a);
        free(b);
        free(got);
        free(want);
        free(library);
    }
#ifdef __AVX512F__
    if (backend_multiplies(PRECISION_BF16))
        assert_in_range(taken, 333, 500);
#else
    assert_int_equal(taken, 0);
#endif
}

/* Primitives are cached by shape. The cache distinguishes shapes that differ in
 * one property. */
static void neighbours(void **state)
{
    static const size_t room[3] = {2000, 2000, 2000};
    const struct gemm base = {.m = 5, .n = 6, .k = 7, .lda = 9, .ldb = 9,
                              .ldc = 9, .outer = 2, .inner = 2,
                              .step_a = {400, 100}, .step_b = {400, 100},
                              .step_c = {400, 100}, .alpha = 1};

    (void)state;
    for (int i = 0; i < 21; i++) {
        struct gemm s = base;
        int *const number[] = {&s.m, &s.n, &s.k, &s.lda, &s.ldb, &s.ldc,
                               &s.outer, &s.inner, &s.ta, &s.tb, &s.add,
                               &s.relu};
        size_t *const step[] = {&s.step_a[0], &s.step_a[1], &s.step_b[0],
                                &s.step_b[1], &s.step_c[0], &s.step_c[1]};

        if (i < 12)
            ++*number[i];
        else if (i < 18)
            *step[i - 12] += 80;
        else
            s.alpha = (real)(0.5 * (i - 17));
        compare(base, room, 0);
        compare(s, room, 0);
    }
}

/* With more shapes than the cache holds, the first shape is set up again and
 * has the same result. */
static void many_shapes(void **state)
{
    enum { SIDE = 50, ONES = 3 * SIDE };
    real a[ONES * ONES], b[ONES * ONES], c[ONES * ONES];

    (void)state;
    for (int i = 0; i < ONES * ONES; i++)
        a[i] = b[i] = 1;
    for (int k = 1; k <= 2; k++)
        for (int m = 1; m <= SIDE; m++)
            for (int n = 1; n <= SIDE; n++) {
                struct gemm s = {.m = m, .n = n, .k = k, .lda = k, .ldb = n,
                                 .ldc = n, .alpha = 1};

                cpu_gemm(&s, a, b, NULL, c);
                for (int i = 0; i < m * n; i++)
                    if (c[i] != (real)k)
                        fail_msg("%d by %d by %d: %g", m, n, k, (double)c[i]);
            }
}

#endif

static void alone(void **state)
{
    enum { MR = 9, NR = 33, KR = 17 };
    real a[MR * KR], b[KR * NR], c[MR * NR], again[MR * NR];
    struct gemm s = {.m = MR, .n = NR, .k = KR, .lda = KR, .ldb = NR,
                     .ldc = NR};

    (void)state;
    leaf_fill(a, MR * KR, 1, 1);
    leaf_fill(b, KR * NR, 1, 2);
    cpu_gemm(&s, a, b, NULL, c);
    for (int keep = 0; keep < MR; keep++) {
        for (int i = 0; i < MR * KR; i++)
            a[i] = i / KR == keep ? a[i] : -3 * a[i];
        a[(keep + 1) % MR * KR] = (real)1e30;
        cpu_gemm(&s, a, b, NULL, again);
        assert_bits("a row", again + keep * NR, c + keep * NR, NR);
        leaf_fill(a, MR * KR, 1, 1);
    }
}

static void shapes_that_differ(void **state)
{
#define AT(member) offsetof(struct gemm, member)
    static const size_t ints[] = {
        AT(m), AT(n), AT(k), AT(ta), AT(tb), AT(lda), AT(ldb), AT(ldc),
        AT(outer), AT(inner), AT(add), AT(relu), AT(each)};
    static const size_t sizes[] = {AT(step_a[0]), AT(step_a[1]),
                                   AT(step_b[0]), AT(step_b[1]),
                                   AT(step_c[0]), AT(step_c[1])};
#undef AT
    const struct gemm s = {.m = 3, .n = 4, .k = 5, .lda = 6, .ldb = 7,
                           .ldc = 8, .alpha = 2};
    struct gemm other = s;

    (void)state;
    assert_true(gemm_same(&s, &other));
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++, other = s) {
        ++*(int *)((char *)&other + ints[i]);
        assert_false(gemm_same(&s, &other));
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, other = s) {
        ++*(size_t *)((char *)&other + sizes[i]);
        assert_false(gemm_same(&s, &other));
    }
    other.alpha = 3;
    assert_false(gemm_same(&s, &other));
}

/* test_gemm [PATTERN]: only the tests whose names match the pattern. */
int main(int argc, char **argv)
{
    const struct CMUnitTest gemm[] = {
#ifndef REAL_DOUBLE
        {"products equal those of plain loops", products, NULL, NULL, NULL},
        {"bfloat16 products equal plain loops over rounded operands",
         low_products, NULL, NULL, NULL},
        {"products by a matrix larger than the cache equal plain loops",
         large_products, NULL, NULL, NULL},
        {"a small product sums in order, bit for bit, as the library does",
         small_products, NULL, NULL, NULL},
        {"products that differ in a single parameter are not confused",
         neighbours, NULL, NULL, NULL},
        {"shapes that differ in a single member are not the same",
         shapes_that_differ, NULL, NULL, NULL},
        {"products of 5,000 different shapes are right", many_shapes, NULL,
         NULL, NULL},
#endif
        {"a row of a product does not depend on the others", alone, NULL,
         NULL, NULL},
    };

    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("gemm", gemm, NULL, NULL);
}
