/* The CPU kernels (engine/backend.h) compared with plain loops in double. */
#include "harness/base/clock.h"
#include "harness/engine/cpu/cpu.h"
#include "harness/engine/timed.h"
#include "tests/support/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>

static const struct rng_key key = {.seed = 5, .stream = RNG_TEST};

#ifndef REAL_DOUBLE

/* ---- e^x ---- */

static float from_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns the error of a, in units in the last place of the exact value b. */
static double ulps(float a, double b)
{
    int exponent;

    frexp(b, &exponent);
    return fabs((double)a - b) / ldexp(1, exponent - 24);
}

static void exponential(void **state)
{
    double worst = 0;
    const uint32_t step = 199;

    (void)state;
    for (uint32_t bits = 0; bits < 0x42b00000; bits += step) /* 0 .. 88 */
        for (int sign = 0; sign < 2; sign++) {
            float x = from_bits(bits | (uint32_t)sign << 31);

            if (x >= -87.3f)
                worst = fmax(worst, ulps(exp_of(x), exp((double)x)));
        }
    if (!(worst < 2))
        fail_msg("off by %g ulp", worst);
}

static void exponential_edges(void **state)
{
    (void)state;
    assert_true(exp_of(0) == 1);
    assert_true(exp_of(-INFINITY) == 0 && exp_of(-100) == 0);
    assert_true(exp_of(nextafterf(-87.3f, -100)) == 0);
    assert_true(exp_of(-87.3f) > 0);
    assert_true(exp_of(-1e30f) == 0 && exp_of(-FLT_MAX) == 0);
    assert_true(ulps(exp_of(88), exp(88)) < 2);
    assert_true(exp_of(89) == exp_of(88) &&
                exp_of(INFINITY) == exp_of(88));
    assert_true(isnan(exp_of(NAN)));
    for (float x = -90, last = 0; x < 88; x += 0.0003f) {
        float y = exp_of(x);

        if (y < last)
            fail_msg("falls from %g to %g at %g", (double)last, (double)y,
                     (double)x);
        last = y;
    }
}

static void bfloat16(void **state)
{
    static const struct { uint32_t in; uint16_t out; } each[] = {
        {0x3f800000, 0x3f80}, {0x3f807fff, 0x3f80},
        {0x3f808000, 0x3f80}, /* a tie: the lower one is even */
        {0x3f808001, 0x3f81},
        {0x3f818000, 0x3f82}, /* a tie: the upper one is even */
        {0xbf818000, 0xbf82}, {0x7f7fffff, 0x7f80}, {0x7f800000, 0x7f80},
        {0x7f800001, 0x7fc0}};

    (void)state;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        if (cpu_bf16(from_bits(each[i].in)) != each[i].out)
            fail_msg("%08x becomes %04x, not %04x", (unsigned)each[i].in,
                     (unsigned)cpu_bf16(from_bits(each[i].in)),
                     (unsigned)each[i].out);
}

#endif

/* ---- cross-entropy ---- */

enum { ROWS = 5, CLASSES = 37 };

/* Returns the loss of a row by the definition in ops.h, and stores its gradient
 * in d. */
static double one_loss(const real *x, int target, double e, double scale,
                       double *d, double *nll)
{
    double mass = 0, loss = 0;

    for (int j = 0; j < CLASSES; j++)
        mass += exp((double)x[j]);
    for (int j = 0; j < CLASSES; j++) {
        double q = j == target ? 1 - e : e / (CLASSES - 1);
        double p = exp((double)x[j]) / mass;

        loss -= q * log(p);
        d[j] = scale * (p - q);
    }
    *nll = -log(exp((double)x[target]) / mass);
    return scale * loss;
}

static void cross_entropy(void **state)
{
    static const double smoothing[] = {0, 0.1, 1};
    static const int target[ROWS] = {0, 36, 5, 5, 20};
    real x[ROWS * CLASSES], kept[ROWS * CLASSES];
    double d[ROWS * CLASSES], nll[ROWS], want[ROWS];
    unsigned char hit[ROWS];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct cross_entropy s = {ROWS, CLASSES, target, smoothing[i], 0.25};
        double sum = 0, got;

        leaf_fill(x, ROWS * CLASSES, 3, 1);
        /* the first maximum counts */
        x[2 * CLASSES + 5] = x[2 * CLASSES + 9] = 20;
        x[3 * CLASSES + 5] = x[3 * CLASSES + 1] = 20;
        memcpy(kept, x, sizeof x);
        for (int r = 0; r < ROWS; r++)
            sum += one_loss(x + r * CLASSES, target[r], smoothing[i], 0.25,
                            d + r * CLASSES, &want[r]);
        cpu_cross_entropy(&s, x, 0, nll, hit, &got);
        assert_true(fabs(got - sum) <= CLOSE * sum);
        assert_memory_equal(x, kept, sizeof x);
        cpu_cross_entropy(&s, x, 1, nll, hit, &got);
        assert_true(fabs(got - sum) <= CLOSE * sum);
        assert_near("gradient", x, d, ROWS * CLASSES, CLOSE);
        for (int r = 0; r < ROWS; r++)
            assert_true(fabs(nll[r] - want[r]) <= CLOSE * (1 + want[r]));
        assert_true(hit[2] && !hit[3]);
    }
}

static void cross_entropy_extremes(void **state)
{
    real x[] = {1e4f, -1e4f, 0, NAN, 0, 0}, sure[] = {1e4f, -1e4f, 0};
    double nll[2], loss;
    unsigned char hit[2];
    struct cross_entropy s = {1, 3, (int[]){1, 0}, 0, 1};

    (void)state;
    cpu_cross_entropy(&s, x, 1, nll, hit, &loss);
    assert_true(loss == 2e4 && !hit[0]);
    assert_true(x[0] == 1 && x[1] == -1 && x[2] == 0);
    s.target = (int[]){0};
    cpu_cross_entropy(&s, sure, 1, nll, hit, &loss);
    assert_true(loss == 0 && hit[0]);
    assert_true(sure[0] == 0 && sure[1] == 0 && sure[2] == 0);
    cpu_cross_entropy(&s, x + 3, 1, nll, hit, &loss);
    assert_true(isnan(loss));
}

/* ---- layer normalisation ---- */

static void norm(void **state)
{
    enum { D = 21 };
    real x[ROWS * D], y[ROWS * D], gain[D], bias[D], stat[2 * ROWS];
    double want[ROWS * D];

    (void)state;
    leaf_fill(x, ROWS * D, 4, 1);
    leaf_fill(gain, D, 1, 2);
    leaf_fill(bias, D, 1, 3);
    for (int i = 0; i < D; i++)
        x[i] = 7; /* no variance: the output is the bias */
    for (int r = 0; r < ROWS; r++) {
        double mean = 0, square = 0;

        for (int i = 0; i < D; i++)
            mean += (double)x[r * D + i] / D;
        for (int i = 0; i < D; i++)
            square += pow((double)x[r * D + i] - mean, 2) / D;
        for (int i = 0; i < D; i++)
            want[r * D + i] = ((double)x[r * D + i] - mean) /
                              sqrt(square + 1e-3) * (double)gain[i] +
                              (double)bias[i];
    }
    cpu_norm(ROWS, D, 1e-3, x, gain, bias, y, stat);
    assert_near("norm", y, want, ROWS * D, CLOSE);
}

/* ---- attention ---- */

/* attend_together is 2^15 / (N M) = 3: the first product of a head has three of
 * the four sentences, the second product the last one. */
enum { H = 3, B = 4, N = 72, M = 131, K = 2, D = H * K };

struct attention_test {
    struct attend a;
    real scores[H * B * N * M], v[B * M * D], gy[B * N * D];
    unsigned char kept[H * B * N * M];
    double p[N * M], y[B * N * D], gscores[H * B * N * M], gv[B * M * D];
};

static int sees(const struct attend *a, int b, int i, int j)
{
    return (!a->length || j < a->length[b]) && (!a->causal || j <= a->from + i);
}

/* Computes P of one head and sentence. */
static void plain_softmax(struct attention_test *x, const real *scores, int b)
{
    for (int i = 0; i < N; i++) {
        double mass = 0;

        for (int j = 0; j < M; j++)
            if (sees(&x->a, b, i, j))
                mass += exp((double)scores[i * M + j]);
        for (int j = 0; j < M; j++)
            x->p[i * M + j] = sees(&x->a, b, i, j)
                                  ? exp((double)scores[i * M + j]) / mass
                                  : 0;
    }
}

/* Computes value and gradients of one head and sentence from the formulas. */
static void plain_head(struct attention_test *x, int h, int b)
{
    int hb = h * B + b, of = x->a.shared ? h : hb;

    plain_softmax(x, x->scores + of * N * M, b);
    for (int i = 0; i < N; i++) {
        double gp[M], along = 0;

        for (int j = 0; j < M; j++) {
            double drop = !x->a.kept ? 1
                          : x->kept[hb * N * M + i * M + j]
                              ? 1 / (double)x->a.keep
                              : 0;
            double p = x->p[i * M + j];

            gp[j] = 0;
            for (int k = 0; k < K; k++) {
                int at_v = (b * M + j) * D + h * K + k;
                int at_y = (b * N + i) * D + h * K + k;

                x->y[at_y] += drop * p * (double)x->v[at_v];
                x->gv[at_v] += drop * p * (double)x->gy[at_y];
                gp[j] += drop * (double)x->gy[at_y] * (double)x->v[at_v];
            }
            along += gp[j] * p;
        }
        for (int j = 0; j < M; j++)
            x->gscores[of * N * M + i * M + j] += x->p[i * M + j] *
                                                  (gp[j] - along);
    }
}

static void one_attention(struct attention_test *x)
{
    size_t scores = (size_t)((x->a.shared ? H : H * B) * N * M);
    static real y[B * N * D], p[H * B * N * M], work[2 * B * N * M];
    static real gscores[H * B * N * M], gv[B * M * D];

    memset(gscores, 0, sizeof gscores);
    memset(gv, 0, sizeof gv);
    memset(x->y, 0, sizeof x->y);
    memset(x->gv, 0, sizeof x->gv);
    memset(x->gscores, 0, sizeof x->gscores);
    for (int h = 0; h < H; h++)
        for (int b = 0; b < B; b++)
            plain_head(x, h, b);
    assert_int_equal(attend_together(&x->a), 3);
    cpu_attend(&x->a, x->scores, x->v, work, p, y);
    assert_near("y", y, x->y, B * N * D, CLOSE);
    cpu_attend_back(&x->a, p, x->v, x->gy, work, gscores, gv);
    assert_near("gradient of v", gv, x->gv, B * M * D, CLOSE);
    assert_near("gradient of the scores", gscores, x->gscores, scores, CLOSE);
    cpu_attend_back(&x->a, p, x->v, x->gy, work, NULL, gv);
    cpu_attend_back(&x->a, p, x->v, x->gy, work, gscores, NULL);
    for (int i = 0; i < B * M * D; i++)
        x->gv[i] *= 2;
    for (size_t i = 0; i < scores; i++)
        x->gscores[i] *= 2;
    assert_near("v, added", gv, x->gv, B * M * D, CLOSE);
    assert_near("scores, added", gscores, x->gscores, scores, CLOSE);
}

static void attend(void **state)
{
    static const int length[B] = {3, 0, M, 1};
    static struct attention_test x;

    (void)state;
    leaf_fill(x.scores, H * B * N * M, 2, 1);
    leaf_fill(x.v, B * M * D, 1, 2);
    leaf_fill(x.gy, B * N * D, 1, 3);
    backend_cpu.drop_draw(1, H * B * N * M, key, 0, (real)0.7, x.kept);
    for (int i = 0; i < 24; i++) {
        x.a = (struct attend){.h = H, .b = B, .n = N, .m = M, .k = K,
                              .from = i / 8, .causal = i / 8 < 2,
                              .shared = i & 1, .keep = 1};
        if (i & 2)
            x.a.length = length;
        if (i & 4) {
            x.a.kept = x.kept;
            x.a.keep = (real)0.7;
        }
        one_attention(&x);
    }
}

/* ---- other kernels ---- */

static void mean_and_embed(void **state)
{
    static const int length[] = {0, 2}, id[] = {2, 0, 0, 1};
    real x[] = {1, 2, 3, 4, 5, 6, 7, 8}, y[4], e[8];
    real wave[] = {10, 20, 30, 40, 50, 60};

    (void)state;
    backend_cpu.mean(2, 2, 2, length, x, y);
    assert_reals("mean", y, (real[]){0, 0, 6, 7}, 4, 0);
    backend_cpu.embed(4, 2, 2, 1, id, x, wave, 2, e);
    assert_reals("embed", e, (real[]){40, 52, 52, 64, 32, 44, 56, 68}, 8, 0);
}

static void adam(void **state)
{
    real p[] = {1, 1, 1}, m[3] = {0}, v[3] = {0};
    const real g[] = {0, (real)0.5, (real)-2};
    double want[] = {1, 1, 1}, m1 = 0, v1 = 0;

    (void)state;
    for (int t = 1; t <= 5; t++) {
        struct adam s = {.b1 = 0.9, .b2 = 0.997, .eps = 1e-3, .lr = 0.1,
                         .correct1 = 1 - pow(0.9, t),
                         .correct2 = 1 - pow(0.997, t)};

        cpu_adam(3, &s, g, p, m, v);
        m1 = 0.9 * m1 + 0.1;         /* running means for a gradient of 1 */
        v1 = 0.997 * v1 + 0.003;
        for (int i = 0; i < 3; i++)
            want[i] -= 0.1 * (m1 * (double)g[i] / s.correct1) /
                       (sqrt(v1 * pow((double)g[i], 2) / s.correct2) + 1e-3);
    }
    assert_near("adam", p, want, 3, CLOSE);
}

enum { OUTER = 2, HIGH = 3, LONG = 4, ALL = OUTER * HIGH * LONG };

static double rms(const double *x)
{
    double sum = 0;

    for (int i = 0; i < ALL; i++)
        sum += x[i] * x[i] / ALL;
    return sqrt(sum);
}

/* Updates the second moments of a (2,3,4) tensor, as means of rows and
 * columns. */
static void second_moments(double v[ALL], double r[OUTER * HIGH],
                           double c[OUTER * LONG], const double *g2, double b)
{
    for (int i = 0; i < OUTER * HIGH; i++)
        r[i] *= b;
    for (int i = 0; i < OUTER * LONG; i++)
        c[i] *= b;
    for (int i = 0; i < ALL; i++) {
        r[i / LONG] += (1 - b) * g2[i] / LONG;
        c[i / (HIGH * LONG) * LONG + i % LONG] += (1 - b) * g2[i] / HIGH;
    }
    for (int i = 0; i < ALL; i++) {
        int o = i / (HIGH * LONG);
        double mean = (r[3 * o] + r[3 * o + 1] + r[3 * o + 2]) / HIGH;

        v[i] = r[i / LONG] / mean * c[o * LONG + i % LONG];
    }
}

/* Compares steps that clip (large updates), and one with p near 0, where eps2
 * determines the step. */
static void adafactor_case(int factored, double size)
{
    real p[ALL], state[ALL] = {0}, g[ALL];
    double want[ALL], u[ALL], v[ALL] = {0}, g2[ALL];
    double r[OUTER * HIGH] = {0}, c[OUTER * LONG] = {0};

    for (int i = 0; i < ALL; i++)
        want[i] = p[i] = (real)(size * (i % 5 - 2));
    for (int t = 1; t <= 4; t++) {
        double b = 1 - pow(t, -0.8);
        struct adafactor s = {
            .factored = factored, .outer = OUTER, .rows = HIGH, .cols = LONG,
            .step_outer = HIGH * LONG, .step_row = LONG, .step_col = 1,
            .decay = b, .eps1 = 1e-30, .eps2 = 1e-3, .clip = 1, .lr = 0.1};

        for (int i = 0; i < ALL; i++) {
            g[i] = (real)(((i * 7 + t * 5) % 11 - 5) * 0.1 * t * t);
            g2[i] = (double)g[i] * (double)g[i] + 1e-30;
            v[i] = b * v[i] + (1 - b) * g2[i];
        }
        if (factored)
            second_moments(v, r, c, g2, b);
        for (int i = 0; i < ALL; i++)
            u[i] = (double)g[i] / sqrt(v[i]);
        double step = 0.1 * fmax(rms(want), 1e-3) / fmax(1, rms(u));
        for (int i = 0; i < ALL; i++)
            want[i] -= step * u[i];
        cpu_adafactor(&s, g, p, state);
    }
    assert_near("adafactor", p, want, ALL, CLOSE);
}

static void adafactor(void **state)
{
    (void)state;
    for (int factored = 0; factored < 2; factored++) {
        adafactor_case(factored, 1);
        adafactor_case(factored, 1e-6);
    }
}

/* ---- profile ---- */

static void one_class(enum kernel_class c)
{
    double spent[KERNEL_CLASSES];

    timed_read(spent);
    for (int i = 0; i < KERNEL_CLASSES; i++)
        if ((spent[i] > 0) != (i == (int)c))
            fail_msg("a kernel of %s: %g s of %s", kernel_class_name[c],
                     spent[i], kernel_class_name[i]);
}

static void classes(void **state)
{
    const struct backend *be = timed_open(&backend_cpu);
    struct gemm product = {.m = 1, .n = 1, .k = 1, .lda = 1, .ldb = 1,
                           .ldc = 1};
    struct attend a = {.h = 1, .b = 1, .n = 1, .m = 1, .k = 1, .keep = 1};
    struct cross_entropy ce = {1, 1, (int[]){0}, 0, 1};
    struct adam adam_step = {.correct1 = 1, .correct2 = 1};
    struct adafactor factor = {.outer = 1, .rows = 1, .cols = 1, .clip = 1};
    real x[1] = {1}, y[1] = {1}, z[4] = {1, 1, 1, 1};
    double nll, loss;
    unsigned char hit;

    (void)state;
    be->gemm(&product, x, y, NULL, z);
    one_class(KERNEL_PRODUCTS);
    be->attend(&a, x, y, z, z + 2, z + 3);
    one_class(KERNEL_ATTENTION);
    be->attend_back(&a, x, y, y, z, z + 2, z + 3);
    one_class(KERNEL_ATTENTION);
    be->norm(1, 1, 1, x, y, NULL, z, z + 2);
    one_class(KERNEL_NORM);
    be->norm_back(1, 1, x, y, z + 2, y, z, z + 1, NULL);
    one_class(KERNEL_NORM);
    be->cross_entropy(&ce, x, 0, &nll, &hit, &loss);
    one_class(KERNEL_LOSS);
    be->adam(1, &adam_step, x, y, z, z + 1);
    one_class(KERNEL_OPTIMIZER);
    be->adafactor(&factor, x, y, z);
    one_class(KERNEL_OPTIMIZER);
    be->softmax(1, 1, x, y);
    one_class(KERNEL_CONVOLUTION);
    be->pair(1, 1, 1, 1, x, y, z);
    one_class(KERNEL_SCORES);
    be->embed(1, 1, 1, 0, (int[]){0}, x, NULL, 1, y);
    one_class(KERNEL_EMBEDDING);
    be->drop_draw(1, 1, (struct rng_key){0}, 0, 1, &hit);
    one_class(KERNEL_DROPOUT);
    be->axpy(1, 1, x, y);
    one_class(KERNEL_ELEMENTWISE);
}

static void all_kernels(void **state)
{
    const struct backend *be = timed_open(&backend_cpu);

    (void)state;
#define KERNEL(name, class, work, ...)                                        \
    if (be->name == backend_cpu.name)                                         \
        fail_msg("%s has no clock", #name);
#include "harness/engine/op_list.h"
}

/* The first product takes a millisecond, later ones take no time. */
static void slow_once(const struct gemm *s, const real *a, const real *b,
                      const real *bias, real *c)
{
    double end = clock_seconds() + 1e-3;

    (void)a, (void)b, (void)bias, (void)c;
    while (s->m && clock_seconds() < end)
        ;
}

static void times_add_up(void **state)
{
    struct backend slow = backend_cpu;
    double spent[KERNEL_CLASSES];

    (void)state;
    slow.gemm = slow_once;
    const struct backend *be = timed_open(&slow);
    be->gemm(&(struct gemm){.m = 1}, NULL, NULL, NULL, NULL);
    be->gemm(&(struct gemm){.m = 0}, NULL, NULL, NULL, NULL);
    timed_read(spent);
    assert_true(spent[KERNEL_PRODUCTS] >= 1e-3);
}

#if !defined REAL_DOUBLE && !defined __AVX512F__

/* The bits of a cell depend on the order of this sum, so the compiler must not
 * change it. */
static void one_by_one(void **state)
{
    enum { V = 1003 };
    struct cross_entropy s = {1, V, (int[]){7}, 0, 1};
    real x[V], top, mass = 0;
    unsigned char hit;
    double nll, sum;

    (void)state;
    leaf_fill(x, V, 11, 4);
    top = x[0];
    for (int j = 0; j < V; j++)
        top = x[j] > top ? x[j] : top;
    for (int j = 0; j < V; j++) {
        volatile real so_far = mass + exp_of(x[j] - top);

        mass = so_far;
    }
    double want = (double)top + log((double)mass) - (double)x[7];
    for (int gradient = 0; gradient < 2; gradient++) {
        cpu_cross_entropy(&s, x, gradient, &nll, &hit, &sum);
        assert_true(nll == want);
    }
}

#endif

int main(void)
{
    const struct CMUnitTest kernels[] = {
#ifndef REAL_DOUBLE
        {"e^x has an error of at most 2 ulp", exponential, NULL, NULL, NULL},
        {"e^x is monotone, 1 at 0, 0 far below, NaN at NaN",
         exponential_edges, NULL, NULL, NULL},
        {"rounding to bfloat16 is to the nearest value, ties to even", bfloat16,
         NULL, NULL, NULL},
#endif
        {"cross-entropy and its gradient are right; the first maximum counts",
         cross_entropy, NULL, NULL, NULL},
        {"cross-entropy of extreme logits is exact, of NaN it is NaN",
         cross_entropy_extremes, NULL, NULL, NULL},
#if !defined REAL_DOUBLE && !defined __AVX512F__
        {"the exponentials of a softmax are summed in order", one_by_one, NULL,
         NULL, NULL},
#endif
        {"layer normalisation equals its formula", norm, NULL, NULL, NULL},
        {"attention equals its formula, masked, shared and with dropout",
         attend, NULL, NULL, NULL},
        {"means obey lengths, and embeddings obey positions", mean_and_embed,
         NULL, NULL, NULL},
        {"a step of Adam equals its formula", adam, NULL, NULL, NULL},
        {"a step of Adafactor equals its formula, factored or not", adafactor,
         NULL, NULL, NULL},
        {"every kernel is timed", all_kernels, NULL, NULL, NULL},
        {"the time of a kernel counts for its class alone", classes, NULL, NULL,
         NULL},
        {"the times of the kernels of a class add up", times_add_up, NULL, NULL,
         NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("kernels", kernels, NULL, NULL);
}
