/* Decoding of a Markov chain: the next id depends only on the last one, with
 * logits that the test defines. So the test can produce every tie, limit and
 * stopping condition, and can compute every list of hypotheses without the
 * model. */
#include "harness/nn/decode.h"
#include "tests/support/leaf.h"
#include "tests/support/tiny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { V = 7, D = 16, MOST = 8, START = 0, EOS = 1, WIDEST = 3 };

/* logit[i][j] is the logit of id j after id i. */
typedef double chain[V][V];

static real *weights(struct tiny *t, const char *name)
{
    return params_find(&t->params, name)->value->x;
}

/* Opens a model of the chain. Embeddings are unit vectors, which all sub-layers
 * pass through. The last norm scales them to length sqrt(D), by which the
 * logits are divided. */
static void chain_open(struct tiny *t, chain logit)
{
    struct model_config c = tiny_t5(FAMILY_SEQ2SEQ);

    c.layers = 1;
    c.d = D;
    c.N = MOST;
    c.vocab = V;
    c.tied = c.relative_bias = 0;
    c.norm_eps = 0;
    tiny_open(t, &c, "vanilla");
    memset(t->params.flat, 0, t->params.learned * sizeof *t->params.flat);
    for (int i = 0; i < D; i++)
        weights(t, "encoder.norm.gain")[i] =
            weights(t, "decoder.norm.gain")[i] = 1;
    for (int i = 0; i < V; i++) {
        weights(t, "embed.table")[i * D + i] = 1;
        for (int j = 0; j < V; j++)
            weights(t, "softmax.table")[j * D + i] = (real)logit[i][j];
    }
}

static void ask(struct hypothesis *out, struct tiny *t, int beam, double alpha,
                const int limit[3])
{
    static const int source[] = {2, 3, 1, 4, 5, 1, 6, 2, 1};
    static const int length[] = {3, 3, 3};
    struct decoding s = {.source = source, .length = length, .b = 3, .n = 3,
                         .limit = limit, .start = START, .eos = EOS,
                         .beam = beam, .alpha = alpha};

    decode(t->model, t->tape, &s, t->memory, t->memory, out);
}

/* ---- definition of the search ---- */

struct list { int n; struct path { int id[MOST], len; double logp, score; }
              path[WIDEST * V]; };

static double penalised(double logp, int len, double alpha)
{
    return logp / pow((5.0 + len) / 6, alpha);
}

static int by_logp(const void *a, const void *b)
{
    const struct path *x = a, *y = b;

    return (y->logp > x->logp) - (y->logp < x->logp);
}

static int by_score(const void *a, const void *b)
{
    const struct path *x = a, *y = b;

    return (y->score > x->score) - (y->score < x->score);
}

static void put(struct list *l, const struct path *p, int id, double logp,
                double alpha)
{
    struct path *q = &l->path[l->n++];

    *q = *p;
    q->id[q->len++] = id;
    q->logp = p->logp + logp;
    q->score = penalised(q->logp, q->len, alpha);
}

/* Keeps the best k entries of the list. Returns the smallest difference between
 * neighbours. */
static double cut(struct list *l, int k, int score)
{
    double least = INFINITY;

    qsort(l->path, (size_t)l->n, sizeof *l->path, score ? by_score : by_logp);
    for (int i = 0; i + 1 < l->n && i < k; i++) {
        const struct path *p = &l->path[i];

        least = fmin(least, score ? p[0].score - p[1].score
                                  : p[0].logp - p[1].logp);
    }
    l->n = l->n < k ? l->n : k;
    return least;
}

static void log_of(double p[V][V], chain logit)
{
    for (int i = 0; i < V; i++) {
        double mass = 0;

        for (int j = 0; j < V; j++)
            mass += exp(logit[i][j]);
        for (int j = 0; j < V; j++)
            p[i][j] = logit[i][j] - log(mass);
    }
}

/* Finds the k best finished hypotheses by searching to the limit without early
 * stopping. At each step, takes the 2k best continuations: those that end with
 * eos are finished; the first k of the others continue. Returns how close to a
 * tie the closest choice was. */
static double defined(struct list *done, chain logit, int k, double alpha,
                      int limit)
{
    struct list open = {1, {{.len = 0}}}, next;
    double p[V][V], least = INFINITY;

    log_of(p, logit);
    done->n = 0;
    for (int at = 0; at < limit; at++) {
        next.n = 0;
        for (int i = 0; i < open.n; i++) {
            const struct path *o = &open.path[i];
            int last = at ? o->id[at - 1] : START;

            for (int j = 0; j < V; j++)
                put(&next, o, j, p[last][j], alpha);
        }
        least = fmin(least, cut(&next, 2 * k, 0));
        open.n = 0;
        for (int i = 0; i < next.n && open.n < k; i++) {
            struct path *o = &next.path[i];

            if (o->id[at] == EOS || at + 1 == limit)
                done->path[done->n++] = *o;
            if (o->id[at] != EOS)
                open.path[open.n++] = *o;
        }
        least = fmin(least, cut(done, k, 1));
    }
    return least;
}

static void same(const struct hypothesis *h, const struct path *p)
{
    assert_int_equal(h->n, p->len);
    assert_memory_equal(h->id, p->id, (size_t)p->len * sizeof *p->id);
    assert_true(fabs(h->logp - p->logp) < 1e2 * CLOSE);
    assert_true(fabs(h->score - p->score) < 1e2 * CLOSE);
}

/* Searches random chains. A chain is skipped if two scores differ by less than
 * 1e-3, because rounding may reverse their order. */
static void searches(void **state)
{
    static const double alphas[] = {0, 0.6, 2, 6};
    static const int limit[3] = {8, 3, 6};
    int asked = 0;

    (void)state;
    for (uint32_t k = 0; k < 400; k++) {
        struct rng_key key = {.seed = 8, .stream = RNG_TEST, .step = k};
        int beam = 2 + (int)(k % 2);
        double alpha = alphas[k / 2 % 4];
        struct hypothesis h[3 * WIDEST];
        struct list want;
        struct tiny t;
        chain logit;

        for (uint64_t i = 0; i < V * V; i++)
            logit[i / V][i % V] = 2 * rng_normal(key, i);
        chain_open(&t, logit);
        ask(h, &t, beam, alpha, limit);
        for (int b = 0; b < 3; b++) {
            if (defined(&want, logit, beam, alpha, limit[b]) < 1e-3)
                continue;
            asked++;
            for (int i = 0; i < beam; i++)
                same(&h[b * beam + i], &want.path[i]);
        }
        tiny_close(&t);
    }
    assert_true(asked > 600);
}

/* ---- ties ---- */

static void fill(chain logit, double x)
{
    for (int i = 0; i < V * V; i++)
        logit[i / V][i % V] = x;
}

static void is(const struct hypothesis *h, int n, const int *id)
{
    assert_int_equal(h->n, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(h->id[i], id[i]);
}

/* All ids have equal probability: the smallest ids are kept, in order. */
static void equal_candidates(void **state)
{
    static const int limit[3] = {1, 1, 1};
    struct hypothesis h[9];
    struct tiny t;
    chain logit;

    (void)state;
    fill(logit, 0);
    chain_open(&t, logit);
    ask(h, &t, 3, 0.6, limit);
    for (int i = 0; i < 9; i++)
        is(&h[i], 1, (const int[]){i % 3});
    tiny_close(&t);
}

/* The ids 4, 5 and 6 are equally good and end at the limit; the first two are
 * kept. */
static void equal_ends(void **state)
{
    static const int limit[3] = {1, 1, 1};
    struct hypothesis h[6];
    struct tiny t;
    chain logit;

    (void)state;
    fill(logit, -3);
    for (int j = 4; j < V; j++)
        logit[START][j] = 1;
    chain_open(&t, logit);
    ask(h, &t, 2, 0, limit);
    for (int i = 0; i < 6; i++)
        is(&h[i], 1, (const int[]){4 + i % 2});
    tiny_close(&t);
}

/* With a beam of 2, four continuations are considered. After the ids 2 and 3,
 * these are 3 eos (0.49), 2 eos (0.23), 2 6 (0.17), and 2 4, which ties with 2
 * 5 (0.057 each) and comes first. 2 4 eos ends as the second best, because
 * nothing likely follows 6. The score of 2 4 eos is
 * ln 0.057 / (8 / 6)^6 = -0.51, and that of 3 eos is
 * ln 0.49 / (7 / 6)^6 = -0.28. */
static void equal_to_the_last(void **state)
{
    static const int limit[3] = {3, 3, 3};
    struct hypothesis h[6];
    struct tiny t;
    chain logit;

    (void)state;
    fill(logit, -30);
    logit[START][2] = log(0.5);
    logit[START][3] = log(0.48);
    logit[2][EOS] = log(0.4);
    logit[2][6] = log(0.3);
    logit[2][4] = logit[2][5] = log(0.1);
    logit[3][EOS] = logit[4][EOS] = logit[5][EOS] = 0;
    for (int j = 0; j < V; j++)
        logit[6][j] = 0;
    chain_open(&t, logit);
    ask(h, &t, 2, 6, limit);
    is(&h[0], 2, (const int[]){3, EOS});
    is(&h[1], 3, (const int[]){2, 4, EOS});
    tiny_close(&t);
}

/* ---- stopping ---- */

/* An immediate eos has log p = -1; the id 2 eight times has log p = -2. With
 * alpha = 2 the long text is better, -2 / (13 / 6)^2 = -0.43, and the search
 * finds it although the list has long been full. With alpha = 0 it does not. */
static void goes_on(void **state)
{
    static const int limit[3] = {8, 7, 8};
    struct hypothesis h[6];
    double p = exp(-1), q = exp(-2);
    struct tiny t;
    chain logit;

    (void)state;
    fill(logit, -30);
    logit[START][EOS] = log(p);
    logit[START][2] = log(q);
    logit[START][3] = log(1 - p - q);
    logit[3][EOS] = log(0.5);
    logit[3][3] = log(0.5);
    logit[2][2] = log(1 - 1e-9);
    logit[2][EOS] = -9;
    chain_open(&t, logit);
    ask(h, &t, 2, 2, limit);
    is(&h[0], 8, (const int[]){2, 2, 2, 2, 2, 2, 2, 2});
    is(&h[2], 7, (const int[]){2, 2, 2, 2, 2, 2, 2});
    assert_true(fabs(h[0].score + 2 / pow(13 / 6.0, 2)) < 1e2 * CLOSE);
    assert_true(fabs(h[2].score + 2 / pow(12 / 6.0, 2)) < 1e2 * CLOSE);
    ask(h, &t, 2, 0, limit);
    is(&h[0], 1, (const int[]){EOS});
    tiny_close(&t);
}

/* eos has probability 0.6; the id 2 has 0.4 and then repeats for ever. In a
 * beam with alpha = 6 the long text would be better, but the most probable
 * first id is eos. */
static void ends_with_eos(void **state)
{
    static const int limit[3] = {8, 8, 8};
    struct hypothesis h[3];
    struct tiny t;
    chain logit;

    (void)state;
    fill(logit, -30);
    logit[START][EOS] = log(0.6);
    logit[START][2] = log(0.4);
    logit[2][2] = 0;
    chain_open(&t, logit);
    ask(h, &t, 1, 6, limit);
    for (int b = 0; b < 3; b++)
        is(&h[b], 1, (const int[]){EOS});
    tiny_close(&t);
}

int main(void)
{
    const struct CMUnitTest chains[] = {
        {"a beam finds the list of a search without early stopping", searches,
         NULL, NULL, NULL},
        {"a beam keeps the first of equally probable continuations",
         equal_candidates, NULL, NULL, NULL},
        {"a beam keeps the first of equally good finished hypotheses",
         equal_ends, NULL, NULL, NULL},
        {"a hypothesis equal to the last of a full list is not added",
         equal_to_the_last, NULL, NULL, NULL},
        {"a beam continues while a longer text can still be better", goes_on,
         NULL, NULL, NULL},
        {"a beam of 1 ends with its first eos, for any alpha", ends_with_eos,
         NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("decode chain", chains, NULL, NULL);
}
