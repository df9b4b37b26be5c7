/* The laws of the science suite against what they say of themselves. */
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/data/map.h"
#include "harness/driver/registry.h"
#include "harness/tasks/gen.h"
#include "harness/tasks/law.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 1000 };

/* ---- does the answer follow from what is given? ---- */

typedef int solver(const struct example *e, const struct task_opts *o);

static int copied(const struct example *e, int (*from)(int i, int n))
{
    int n = e->ntarget / 2;

    for (int i = 0; i < n; i++)
        if (e->target[n + i] != e->target[from(i, n)])
            return 0;
    return e->prompt == n;
}

static int forwards(int i, int n) { return (void)n, i; }
static int backwards(int i, int n) { return n - 1 - i; }

static int permuted(int i, int n)
{
    int pi[64];

    gen_positions(pi, n);
    return pi[i];
}

static int solve_copy(const struct example *e, const struct task_opts *o)
{
    return (void)o, copied(e, forwards);
}

static int solve_reverse(const struct example *e, const struct task_opts *o)
{
    return (void)o, copied(e, backwards);
}

static int solve_perm(const struct example *e, const struct task_opts *o)
{
    return (void)o, copied(e, permuted);
}

static int solve_pointer(const struct example *e, const struct task_opts *o)
{
    int n = e->ntarget - 2, at = e->target[n] - (o->vocab - n);

    return at >= 0 && at < n && e->target[n + 1] == e->target[at];
}

/* The value of key `asked` among n pairs; -1 unless keys and values come once
 * each. */
static int look_up(const int *pairs, int n, int asked)
{
    int keys = 0, values = 0, found = -1;

    for (int i = 0; i < n; i++) {
        int pair = pairs[i] - ID_FIRST;

        keys |= 1 << pair / n;
        values |= 1 << pair % n;
        if (pair / n == asked)
            found = pair % n;
    }
    return keys == (1 << n) - 1 && values == keys ? found : -1;
}

static int solve_recall(const struct example *e, const struct task_opts *o)
{
    int n = e->ntarget - 2, first = ID_FIRST + n * n;

    (void)o;
    return look_up(e->target, n, e->target[n] - first) ==
           e->target[n + 1] - first - n;
}

static int solve_recall_bi(const struct example *e, const struct task_opts *o)
{
    int n = e->nsource - 1;

    (void)o;
    return look_up(e->source + 1, n, e->source[0] - ID_FIRST - n * n) ==
           e->label;
}

static int solve_eq(const struct example *e, const struct task_opts *o)
{
    int last = e->ntarget - 2;

    (void)o;
    return (e->target[0] == e->target[last]) == e->target[last + 1] - ID_FIRST;
}

static int solve_induction(const struct example *e, const struct task_opts *o)
{
    (void)o;
    for (int i = e->prompt; i < e->ntarget; i++) {
        int j = i - 2;

        while (e->target[j] != e->target[i - 1])
            j--;
        if (e->target[j + 1] != e->target[i])
            return 0;
    }
    return e->prompt < e->ntarget;
}

static int solve_majority(const struct example *e, const struct task_opts *o)
{
    int count[GEN_CLASSES] = {0};

    (void)o;
    for (int i = 0; i < e->nsource; i++)
        count[(e->source[i] - ID_FIRST) % GEN_CLASSES]++;
    for (int c = 0; c < GEN_CLASSES; c++)
        if (c != e->label && count[c] + GEN_MARGIN > count[e->label])
            return 0;
    return 1;
}

/* Translates word by word and back, as seen so far. */
static int same_word(int from, int to)
{
    static int there[64], back[64];

    if (!there[from] && !back[to]) {
        there[from] = to;
        back[to] = from;
    }
    return there[from] == to && back[to] == from;
}

enum { NOUN = 3, ADJECTIVE = 11, VERB = 15, OTHER = 21 };

static int is_noun(int id) { return id >= NOUN && id < ADJECTIVE; }

/* One noun phrase of each side; moves both on. */
static int same_phrase(const int **s, const int **t)
{
    const int *first = *s;
    int gender;

    while (!is_noun(**s))
        (*s)++;
    gender = **s % 2;
    if (!same_word(*(*s)++, *(*t)++))
        return 0;
    for (; !is_noun(*first); first++, (*t)++)
        /* adjectives: one word for each gender */
        if (*first >= VERB || !same_word(32 + 2 * *first + gender - 22, **t))
            return 0;
    return 1;
}

static int solve_scfg(const struct example *e, const struct task_opts *o)
{
    const int *s = e->source, *t = e->target;

    (void)o;
    if (!same_phrase(&s, &t))
        return 0;
    int verb = *s++;
    return verb >= VERB && verb < OTHER && same_phrase(&s, &t) &&
           same_word(verb, *t++) && *s++ == ID_EOS && *t++ == ID_EOS &&
           s == e->source + e->nsource && t == e->target + e->ntarget;
}

static int solve_salient(const struct example *e, const struct task_opts *o)
{
    int at = 0;

    (void)o;
    while (e->source[at] != ID_FIRST)
        at++;
    return at % 3 == 0 && e->ntarget == 4 &&
           !memcmp(e->source + at + 1, e->target, 3 * sizeof(int)) &&
           e->target[3] == ID_EOS && e->source[e->nsource - 1] == ID_EOS;
}

static int solve_persona(const struct example *e, const struct task_opts *o)
{
    int asked = e->source[e->nsource - 2], found = 0;

    (void)o;
    for (int i = 0; i < e->nsource - 3; i += 3)
        if (e->source[i + 1] == asked)
            found += e->source[i + 2] == e->target[0] ? 1 : 2;
        else if ((e->source[i + 2] - 13) / 4 != e->source[i + 1] - 5)
            return 0;
    return found == 1 && e->target[1] == ID_EOS;
}

static int number(int id) { return (id - 4) % 2; }

static int solve_grammar(const struct example *e, const struct task_opts *o)
{
    int n = e->nsource - 2; /* the last verb */

    (void)o;
    for (int i = 1; i < n; i += 3)
        if (e->source[i] != ID_FIRST ||
            number(e->source[i - 1]) != number(e->source[i + 1]))
            return 0;
    return (number(e->source[0]) == number(e->source[n])) == e->label;
}

static int solve_winograd(const struct example *e, const struct task_opts *o)
{
    (void)o;
    return e->source[0] != e->source[2] &&
           ((e->source[1] - 29) % 2 != (e->source[6] - 37) % 2) == e->label;
}

/* ---- the suite, small ---- */

static const struct suite {
    const char *task;
    int         length, vocab;
    solver     *solve;  /* NULL: chance has its say */
    const char *digest; /* of the first 1,000 training examples */
} suite[] = {
    {"gen_copy", 16, 11, solve_copy,
     "7cd5aeacccfc81c70ef1a403c1bcbf8de46f734a0b34c7670b9150d93a6cb2db"},
    {"gen_perm", 16, 11, solve_perm,
     "d48a84642c4123f39c9388271d6ea64f9cadf5303194eda591455d5eefc80f38"},
    {"gen_reverse", 16, 11, solve_reverse,
     "9f96f17e683f850f2f0b7b0173d94ba3b3a394ffdac56a1ef373ac3e8f82192a"},
    {"gen_pointer", 10, 19, solve_pointer,
     "069a7b41328a5977977bfb018d50d6953602d3fad51ca4ece4470de087caf971"},
    {"gen_recall", 10, 83, solve_recall,
     "8f5aa3f1469178d38bccf239e3beaa2f5b755964a890e2cc1cf0f46c387ff6a4"},
    {"gen_recall_bi", 7, 45, solve_recall_bi,
     "64edfef9795971de4f6347a07a72b702b4c249281c1284337ce0761fbed35f42"},
    {"gen_eq", 8, 21, solve_eq,
     "3d9c2a19a73efdb6c1f8b68ed0f41db2a701805f4d3fffe8e50cb8e8332541d1"},
    {"gen_lag", 16, 16, NULL,
     "44f4c559a04e09f709bb8f7d693379d2ebea508844bf7a77865357a958580409"},
    {"gen_bigram", 16, 16, NULL,
     "c4c7a7e8141f8e7c14493d40aba2bdb58f7daebbdfe405bba58f656ff42a57cf"},
    {"gen_hmm", 16, 11, NULL,
     "b34f0c0d886c9fb0b6db0ee980ad1658c1b5bb4306e0cc7d906a3e78f49cdfde"},
    {"gen_induction", 16, 19, solve_induction,
     "2549d99e85cc94db54c50f68b05fb035739cf146226780cf5d16f6d0f842ce48"},
    {"gen_infill", 16, 13, NULL,
     "0d2d7598d7982405d12663aeef31445f685deab5b7b134524f29f794fd4e5e74"},
    {"gen_majority", 16, 15, solve_majority,
     "390efba3bdb6bdac7083bbdd452e0014d1fc964ededdfe4cad5ba18bcad45b2d"},
    {"gen_scfg", 10, 43, solve_scfg,
     "fc3863be46061a1a92c55a546ee557dcf8d7cece9aae2db1f594a8c80f7409f2"},
    {"gen_salient", 11, 12, solve_salient,
     "b86e31db461504832962feb248ad9d86ad8fb807bdf47e7c0801fc6792565011"},
    {"gen_persona", 18, 45, solve_persona,
     "5e07a3a47d093725fefc793f3f5f8c3f7d8e7b8ea43021ca61268fb21bfbefbe"},
    {"gen_grammar", 9, 28, solve_grammar,
     "da2cf82235c11179f8154aacff3f6d45342def2b659b4af905616b4b77abb9e7"},
    {"gen_winograd", 8, 45, solve_winograd,
     "b1fec9c7e2a3044b795a9fdf1e578e931c495ad3a67aedf3bceb787aece1e60b"},
    {"gen_shuffled", 16, 15, NULL,
     "01bbb2531beaca844633959e66bd0b818c5d6d73618f2232e889e34667d4976a"},
};

enum { SUITE = sizeof suite / sizeof *suite };

static const struct task *task_of(const char *name)
{
    const struct task *t;

    assert_int_equal(registry_task(&t, name), OK);
    return t;
}

static struct task_opts options(const struct suite *s, int train, int test)
{
    return (struct task_opts){.N = s->length, .length = s->length,
                              .vocab = s->vocab, .train = train, .valid = 50,
                              .test = test};
}

static void open_suite(struct dataset *d, const struct suite *s, int train,
                       int test)
{
    struct task_opts o = options(s, train, test);

    if (task_open(d, task_of(s->task), &o) != OK)
        fail_msg("%s", err_last());
}

static void complete(void **state)
{
    int n = 0;

    (void)state;
    for (int i = 0; registry_tasks[i]; i++) {
        int found = 0;

        for (int k = 0; k < SUITE; k++)
            found += !strcmp(suite[k].task, registry_tasks[i]->name);
        assert_int_equal(found, registry_tasks[i]->law != NULL);
        n += found;
    }
    assert_int_equal(n, SUITE);
}

static void solved(void **state)
{
    (void)state;
    for (int k = 0; k < SUITE; k++) {
        const struct suite *s = &suite[k];
        struct task_opts o = options(s, 3000, 500);
        struct dataset d;

        if (!s->solve)
            continue;
        open_suite(&d, s, 3000, 500);
        assert_true(d.floor == 0);
        for (int split = 0; split < SPLITS; split++)
            for (int i = 0; i < d.split[split].n; i++) {
                if (!s->solve(&d.split[split].row[i], &o))
                    fail_msg("%s: %s example %d", s->task, split_name[split],
                             i);
                assert_true(d.split[split].own_nll[i] == 0);
            }
        dataset_close(&d);
    }
}

/* Every id is in the vocabulary, every length within N; labels are even. */
static void regular(void **state)
{
    (void)state;
    for (int k = 0; k < SUITE; k++) {
        const struct suite *s = &suite[k];
        int label[16] = {0}, n = 4000;
        struct dataset d;

        open_suite(&d, s, n, 50);
        for (int i = 0; i < n; i++) {
            const struct example *e = &d.split[SPLIT_TRAIN].row[i];

            assert_in_range(e->nsource, 0, s->length);
            assert_in_range(e->ntarget, 0, s->length);
            assert_true(e->prompt < e->ntarget || !e->target);
            for (int j = 0; j < e->nsource; j++)
                assert_in_range(e->source[j], ID_EOS, s->vocab - 1);
            for (int j = 0; j < e->ntarget; j++)
                assert_in_range(e->target[j], ID_EOS, s->vocab - 1);
            label[e->label]++;
        }
        for (int c = 0; c < d.classes; c++)
            assert_true(abs(label[c] - n / d.classes) < 5 * sqrt(n));
        dataset_close(&d);
    }
}

static uint64_t hash_of(const struct example *e)
{
    return hash_fnv1a(e->source, (size_t)e->nsource * sizeof(int)) * 31 +
           hash_fnv1a(e->target, (size_t)e->ntarget * sizeof(int));
}

static void disjoint(void **state)
{
    (void)state;
    for (int k = 0; k < SUITE; k++) {
        struct map *seen = map_new();
        struct dataset d;
        char text[32];

        open_suite(&d, &suite[k], 3000, 500);
        for (int s = 0; s < SPLITS; s++)
            for (int i = 0; i < d.split[s].n; i++) {
                snprintf(text, sizeof text, "%llx",
                         (unsigned long long)hash_of(&d.split[s].row[i]));
                map_add(seen, text, s);
                assert_int_equal(map_get(seen, text, -1), s);
            }
        map_free(seen);
        dataset_close(&d);
    }
}

static void digest(char hex[HASH_HEX], const struct examples *e, int n)
{
    struct sha256_ctx *h = hash_new();

    for (int i = 0; i < n; i++) {
        const struct example *r = &e->row[i];
        const int head[] = {r->nsource, r->ntarget, r->prompt, r->label};

        hash_add(h, head, sizeof head);
        if (r->source)
            hash_add(h, r->source, (size_t)r->nsource * sizeof(int));
        if (r->target)
            hash_add(h, r->target, (size_t)r->ntarget * sizeof(int));
    }
    hash_end(h, hex);
}

/* Another digest here means other examples, so other results, and
 * DATA_RECIPE_VERSION must be raised. */
static void fixed(void **state)
{
    int wrong = 0;

    (void)state;
    for (int k = 0; k < SUITE; k++) {
        char few[HASH_HEX], more[HASH_HEX];
        struct dataset d;

        open_suite(&d, &suite[k], FIRST, 50);
        digest(few, &d.split[SPLIT_TRAIN], FIRST);
        dataset_close(&d);
        open_suite(&d, &suite[k], FIRST + 500, 60); /* more: the same first */
        digest(more, &d.split[SPLIT_TRAIN], FIRST);
        assert_string_equal(few, more);
        dataset_close(&d);
        if (strcmp(few, suite[k].digest)) {
            print_error("%s: %s\n", suite[k].task, few);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void refused(void **state)
{
    (void)state;
    for (int k = 0; k < SUITE; k++) {
        struct task_opts o = options(&suite[k], 50, 50);
        const struct task *t = task_of(suite[k].task);
        struct dataset d;

        o.length = 3;
        assert_int_equal(task_open(&d, t, &o), ERR_USAGE);
        assert_non_null(strstr(err_last(), suite[k].task));
        o.length = suite[k].length + 1;
        assert_int_equal(task_open(&d, t, &o), ERR_USAGE);
        o.length = suite[k].length;
        o.vocab = 7;
        assert_int_equal(task_open(&d, t, &o), ERR_USAGE);
    }
    struct task_opts o = options(&suite[4], 50, 50); /* recall: all its ids */
    struct dataset d;
    o.vocab = 82;
    assert_int_equal(task_open(&d, task_of("gen_recall"), &o), ERR_USAGE);
    assert_non_null(strstr(err_last(), "vocab 82 is less than the 83"));
}

/* ---- where chance has its say ---- */

/* What the law loses in the mean is its floor. */
static void floors(void **state)
{
    enum { N = 20000 };

    (void)state;
    for (int k = 0; k < SUITE; k++) {
        double sum = 0, squares = 0, tokens = 0;
        struct dataset d;

        if (suite[k].solve)
            continue;
        open_suite(&d, &suite[k], N, 2000);
        for (int i = 0; i < N; i++) {
            const struct example *e = &d.split[SPLIT_TRAIN].row[i];
            double x = d.split[SPLIT_TRAIN].own_nll[i];

            sum += x;
            squares += x * x;
            tokens += e->target ? e->ntarget - e->prompt : 1;
        }
        double mean = sum / N, sd = sqrt(fmax(0, squares / N - mean * mean));
        double error = sd / sqrt(N) * N / tokens;
        int drawn = !strcmp(suite[k].task, "gen_hmm"); /* from 2000 of them */
        if (fabs(sum / tokens - d.floor) > (drawn ? 12 : 4) * error + 1e-12)
            fail_msg("%s: %.5f, but the floor is %.5f", suite[k].task,
                     sum / tokens, d.floor);
        dataset_close(&d);
    }
}

/* A law with tables for these options. */
struct opened { const struct law *law; void *self; struct dataset d; };

static void open_law(struct opened *x, const char *task, int length, int vocab)
{
    struct task_opts o = {.N = length, .length = length, .vocab = vocab};

    x->d = (struct dataset){.floor = NAN, .memory = arena_new()};
    x->law = task_of(task)->law;
    x->self = arena_zero(x->d.memory, x->law->size + 1);
    assert_int_equal(x->law->begin(x->self, &x->d, &o), OK);
}

/* Over every text of n symbols the chances sum to 1, and their entropy is the
 * floor. */
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

/* p(x) = sum over every path of hidden states. */
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

/* Pairs of neighbours, at the beginning and at the end, come as often as the
 * forward algorithm says: chi-square of 63 degrees. */
static void drawn(void **state)
{
    enum { N = 20000, K = 8 };
    const struct suite *s = &suite[9];
    struct opened law;
    struct dataset d;

    (void)state;
    assert_string_equal(s->task, "gen_hmm");
    open_law(&law, s->task, s->length, s->vocab);
    open_suite(&d, s, N, 50);
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

/* What two symbols in a hole cost, over all pairs that might stand there. */
static void holes(void **state)
{
    enum { N = 200, HOLES = 2 };
    const struct suite *s = &suite[11];
    struct gen_chain c;
    struct dataset d;

    (void)state;
    assert_string_equal(s->task, "gen_infill");
    open_suite(&d, s, N, 50);
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

/* Labels of shuffled bags against their leaders: chi-square of 9 degrees. */
static void shuffled(void **state)
{
    enum { N = 8000, C = GEN_CLASSES };
    const struct suite *s = &suite[SUITE - 1];
    int both[C][C] = {{0}}, leads[C] = {0}, labels[C] = {0};
    struct dataset d;
    double chi = 0;

    (void)state;
    open_suite(&d, s, N, 50);
    for (int i = 0; i < N; i++) {
        const struct example *e = &d.split[SPLIT_TRAIN].row[i];
        int lead = gen_leader(e->source, e->nsource);

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

/* ---- bounds of blind probes ---- */

static struct task_opts pointer(int n, int symbols)
{
    return (struct task_opts){.length = n + 2, .vocab = ID_FIRST + n + symbols};
}

/* E[max count] / n and, at its best A, the loss of logits A count, from every
 * text of n symbols. */
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
    const struct law *law = task_of("gen_pointer")->law;
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
    assert_true(task_of("gen_recall")->law->blind(&o) == log(8));
    assert_true(task_of("gen_recall_bi")->law->blind(&o) == log(9));
    assert_true(task_of("gen_eq")->law->blind(&o) == log(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every law has its row here", complete, NULL, NULL, NULL},
        {"the answer follows from what is given", solved, NULL, NULL, NULL},
        {"ids, lengths and labels are as they should be", regular, NULL, NULL,
         NULL},
        {"no example is in two splits", disjoint, NULL, NULL, NULL},
        {"the first 1,000 examples are the same everywhere", fixed, NULL,
         NULL, NULL},
        {"impossible options are refused by name", refused, NULL, NULL, NULL},
        {"the law's own loss is its floor", floors, NULL, NULL, NULL},
        {"the chances of all texts sum to 1, and their entropy is the floor",
         enumerated, NULL, NULL, NULL},
        {"the forward algorithm is the sum over all hidden paths", paths, NULL,
         NULL, NULL},
        {"texts of the hidden chain come as often as it says", drawn, NULL,
         NULL, NULL},
        {"a hole costs what all that might fill it says", holes, NULL, NULL,
         NULL},
        {"shuffled labels have nothing to do with their texts", shuffled, NULL,
         NULL, NULL},
        {"the bounds of blind probes are those of enumeration", bounds, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
