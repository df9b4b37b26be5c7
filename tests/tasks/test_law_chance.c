/* Data-generating distributions of the science suite whose answers are random,
 * and the bounds of their losses. */
#include "harness/base/err.h"
#include "harness/tasks/gen/gen.h"
#include "tests/support/laws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The entropy floor is the mean loss under the true distribution. */
static void floors(void **state)
{
    enum { N = 20000 };

    (void)state;
    for (int k = 0; k < LAWS; k++) {
        double sum = 0, squares = 0, tokens = 0;
        struct dataset d;

        if (!laws[k].chance)
            continue;
        laws_open(&d, &laws[k], N, 2000);
        for (int i = 0; i < N; i++) {
            const struct example *e = &d.split[SPLIT_TRAIN].row[i];
            double x = d.split[SPLIT_TRAIN].own_nll[i];

            sum += x;
            squares += x * x;
            tokens += e->target ? e->ntarget - e->prompt : 1;
        }
        double mean = sum / N, sd = sqrt(fmax(0, squares / N - mean * mean));
        double error = sd / sqrt(N) * N / tokens;
        /* the floor of gen_hmm is estimated from 2000 texts */
        int drawn = !strcmp(laws[k].task, "gen_hmm");
        if (fabs(sum / tokens - d.floor) > (drawn ? 12 : 4) * error + 1e-12)
            fail_msg("%s: %.5f, but the floor is %.5f", laws[k].task,
                     sum / tokens, d.floor);
        dataset_close(&d);
    }
}

/* A distribution, opened with some options, and its tables. */
struct opened { const struct law *law; void *self; struct dataset d; };

static void open_law(struct opened *x, const char *task, int length, int vocab)
{
    struct task_opts o = {.N = length, .length = length, .vocab = vocab};

    x->d = (struct dataset){.floor = NAN, .memory = arena_new()};
    x->law = laws_task(task)->law;
    x->self = arena_zero(x->d.memory, x->law->size + 1);
    x->law->begin(x->self, &x->d, &o);
}

/* The probabilities of all texts of n symbols sum to 1; the entropy of these
 * texts is the floor. */
static void enumerated(void **state)
{
    static const char *const language[] = {"gen_lag", "gen_bigram", "gen_hmm"};
    enum { N = 5, K = 5, TEXTS = 3125 };

    (void)state;
    for (int l = 0; l < 3; l++) {
        double sum = 0, entropy = 0;
        int x[N];
        struct example e = {.target = x, .ntarget = N};
        struct opened law;

        open_law(&law, language[l], N, ID_FIRST + K);
        for (int text = 0; text < TEXTS; text++) {
            for (int i = 0, rest = text; i < N; i++, rest /= K)
                x[i] = ID_FIRST + rest % K;
            double p = exp(-law.law->nll(law.self, &e));
            sum += p;
            entropy -= p > 0 ? p * log(p) / N : 0;
        }
        assert_true(fabs(sum - 1) < 1e-12);
        if (!isnan(law.d.floor))
            assert_true(fabs(entropy - law.d.floor) < 1e-12);
        arena_free(law.d.memory);
    }
}

/* The probability p(x) is the sum over every path of hidden states. */
static void paths(void **state)
{
    enum { N = 5, K = 6, PATHS = 1024 };
    double emit[GEN_STATES][K];
    struct opened law;

    (void)state;
    open_law(&law, "gen_hmm", N, ID_FIRST + K);
    for (int s = 0; s < GEN_STATES; s++)
        gen_emission(emit[s], K, s);
    for (int text = 0; text < 40; text++) {
        int x[N];
        struct example e = {.target = x, .ntarget = N};
        double sum = 0;

        for (int i = 0; i < N; i++)
            x[i] = ID_FIRST + (text * 7 + i * i * 3) % K;
        for (int path = 0; path < PATHS; path++) {
            double p = 1.0 / GEN_STATES;

            for (int i = 0, rest = path; i < N; i++, rest /= GEN_STATES) {
                int from = rest % GEN_STATES, to = rest / GEN_STATES;

                p *= emit[from][x[i] - ID_FIRST];
                if (i < N - 1)
                    p *= from == to % GEN_STATES ? gen_stay
                                                 : (1 - gen_stay) / 3;
            }
            sum += p;
        }
        assert_true(fabs(law.law->nll(law.self, &e) + log(sum)) < 1e-12);
    }
    arena_free(law.d.memory);
}

/* At the beginning and at the end of texts, pairs of neighbours have the
 * frequencies that the forward algorithm computes: chi-square with 63 degrees
 * of freedom. */
static void drawn(void **state)
{
    enum { N = 20000, K = 8 };
    const struct small *s = laws_find("gen_hmm");
    struct opened law;
    struct dataset d;

    (void)state;
    open_law(&law, s->task, s->length, s->vocab);
    laws_open(&d, s, N, 50);
    for (int at = 0; at < s->length; at += s->length - 2) {
        double chi = 0;
        int count[K][K] = {{0}};

        for (int i = 0; i < N; i++) {
            const int *x = d.split[SPLIT_TRAIN].row[i].target + at;

            count[x[0] - ID_FIRST][x[1] - ID_FIRST]++;
        }
        for (int i = 0; i < K * K; i++) {
            const int x[] = {ID_FIRST + i / K, ID_FIRST + i % K};
            struct example e = {.target = x, .ntarget = 2};
            double want = N * exp(-law.law->nll(law.self, &e));

            chi += pow(count[i / K][i % K] - want, 2) / want;
        }
        assert_true(chi < 63 + 4 * sqrt(2 * 63));
    }
    dataset_close(&d);
    arena_free(law.d.memory);
}

/* The loss of two symbols in a hole is normalized over all pairs that can be
 * there. */
static void holes(void **state)
{
    enum { N = 200, HOLES = 2 };
    const struct small *s = laws_find("gen_infill");
    struct gen_chain c;
    struct dataset d;

    (void)state;
    laws_open(&d, s, N, 50);
    gen_chain(&c, s->vocab - ID_FIRST - HOLES, d.memory);
    for (int i = 0; i < N; i++) {
        const struct example *e = &d.split[SPLIT_TRAIN].row[i];
        double nll = 0;
        int hole = 0;

        for (int j = 0; j < e->nsource; j++) {
            const int *in = e->target + 3 * hole;
            double all = 0, this = 0;

            if (hole == HOLES || e->source[j] != s->vocab - 1 - hole)
                continue;
            int left = e->source[j - 1] - ID_FIRST;
            int right = e->source[j + 1] - ID_FIRST;
            for (int b = 0; b < c.symbols; b++)
                for (int k = 0; k < c.symbols; k++) {
                    double p = gen_chance(&c, left, b) * gen_chance(&c, b, k) *
                               gen_chance(&c, k, right);

                    all += p;
                    this += b == in[1] - ID_FIRST && k == in[2] - ID_FIRST ? p
                                                                          : 0;
                }
            assert_int_equal(in[0], e->source[j]);
            nll -= log(this / all);
            hole++;
        }
        assert_int_equal(hole, HOLES);
        assert_int_equal(e->target[e->ntarget - 1], ID_EOS);
        assert_true(fabs(nll - d.split[SPLIT_TRAIN].own_nll[i]) < 1e-12);
    }
    dataset_close(&d);
}

/* If bags are shuffled, labels are independent of the majority class:
 * chi-square with 9 degrees of freedom. */
static void shuffled(void **state)
{
    enum { N = 8000, C = GEN_CLASSES };
    const struct small *s = laws_find("gen_shuffled");
    int both[C][C] = {{0}}, leads[C] = {0}, labels[C] = {0};
    struct dataset d;
    double chi = 0;

    (void)state;
    laws_open(&d, s, N, 50);
    for (int i = 0; i < N; i++) {
        const struct example *e = &d.split[SPLIT_TRAIN].row[i];
        int lead = gen_leader(e->source, e->nsource, C, GEN_MARGIN);

        assert_in_range(lead, 0, C - 1);
        both[lead][e->label]++;
        leads[lead]++;
        labels[e->label]++;
    }
    for (int i = 0; i < C * C; i++) {
        double want = (double)leads[i / C] * labels[i % C] / N;

        chi += pow(both[i / C][i % C] - want, 2) / want;
    }
    assert_true(chi < 9 + 4 * sqrt(18));
    dataset_close(&d);
}

/* ---- bounds of input-blind probes ---- */

static struct task_opts pointer(int n, int symbols)
{
    return (struct task_opts){.length = n + 2, .vocab = ID_FIRST + n + symbols};
}

/* Computes, over every text of n symbols, the accuracy E[max count] / n of
 * predicting the most frequent symbol, and the least loss of predicting with
 * the logits a * count, for the best a. */
static void pointer_by_hand(int n, int k, double *accuracy, double *loss)
{
    double texts = pow(k, n);

    *loss = INFINITY;
    for (double a = 0; a < 8; a += 0.001) {
        double sum = 0;

        *accuracy = 0;
        for (int text = 0; text < texts; text++) {
            double mass = 0, mean = 0;
            int count[8] = {0}, most = 0;

            for (int i = 0, rest = text; i < n; i++, rest /= k)
                count[rest % k]++;
            for (int c = 0; c < k; c++) {
                most = count[c] > most ? count[c] : most;
                mass += exp(a * count[c]);
                mean += a * count[c] * count[c] / n;
            }
            *accuracy += most / (double)n / texts;
            sum += (log(mass) - mean) / texts;
        }
        *loss = sum < *loss ? sum : *loss;
    }
}

static void bounds(void **state)
{
    static const struct { int n, symbols; double share; } known[] = {
        {8, 8, 0.325}, {16, 16, 0.193}, {16, 32, 0.149}, {32, 32, 0.110}};
    const struct law *law = laws_task("gen_pointer")->law;
    double accuracy, loss;

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct task_opts o = pointer(known[i].n, known[i].symbols);

        if (fabs(law->blind_accuracy(&o) - known[i].share) >= 1e-3)
            fail_msg("%d of %d: %.5f", known[i].n, known[i].symbols,
                     law->blind_accuracy(&o));
    }
    for (int k = 2; k <= 4; k++) {
        struct task_opts o = pointer(4, k);

        pointer_by_hand(4, k, &accuracy, &loss);
        assert_true(fabs(law->blind_accuracy(&o) - accuracy) < 1e-12);
        assert_true(fabs(law->blind(&o) - loss) < 1e-6);
    }
    struct task_opts o = {.length = 10};
    assert_true(laws_task("gen_recall")->law->blind(&o) == log(8));
    assert_true(laws_task("gen_recall_bi")->law->blind(&o) == log(9));
    assert_true(laws_task("gen_eq")->law->blind(&o) == log(2));
    assert_true(laws_task("gen_match")->law->blind(&o) == log(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the mean loss of the law itself is its floor", floors, NULL, NULL,
         NULL},
        {"the chances of all texts sum to 1, and their entropy is the floor",
         enumerated, NULL, NULL, NULL},
        {"the forward algorithm is the sum over all hidden paths", paths, NULL,
         NULL, NULL},
        {"texts of the hidden chain are as frequent as their probability",
         drawn, NULL, NULL, NULL},
        {"the loss of a hole is computed from all its possible contents", holes,
         NULL, NULL, NULL},
        {"shuffled labels are independent of their texts", shuffled, NULL, NULL,
         NULL},
        {"the bounds of blind probes equal those of enumeration", bounds, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
