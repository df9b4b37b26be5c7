#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/tasks/gen/gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct task_opts small = {.synthetic = 1,
                                       .N = 16,
                                       .length = 16,
                                       .vocab = 32,
                                       .train = 512,
                                       .valid = 64,
                                       .test = 64};
static int (*const generator[])(struct dataset *, const struct task_opts *) = {
    gen_permutation, gen_markov, gen_majority};
enum { GENERATORS = 3 };

static void permutation(void **state)
{
    int pi[15], hits[15] = {0}, moved = 0;
    struct dataset d;

    (void)state;
    assert_int_equal(gen_permutation(&d, &small), OK);
    gen_positions(pi, 15);
    for (int i = 0; i < 15; i++) {
        hits[pi[i]]++;
        moved += pi[i] != i;
    }
    for (int i = 0; i < 15; i++)
        assert_int_equal(hits[i], 1);
    assert_true(moved > 8);
    for (int s = 0; s < SPLITS; s++)
        for (int k = 0; k < d.split[s].n; k++) {
            const struct example *r = &d.split[s].row[k];

            assert_int_equal(r->nsource, 16);
            assert_int_equal(r->ntarget, 16);
            assert_int_equal(r->source[15], ID_EOS);
            assert_int_equal(r->target[15], ID_EOS);
            for (int i = 0; i < 15; i++) {
                assert_in_range(r->source[i], ID_FIRST, 31);
                assert_int_equal(r->target[i], r->source[pi[i]]);
            }
        }
    assert_true(d.floor == 0);
    const struct example *r = d.split[SPLIT_TEST].row;
    char *end, *text = (char *)(intptr_t)r->text;
    for (int i = 0; i < 15; i++, text = end)
        assert_int_equal(strtol(text, &end, 10), r->target[i]);
    assert_int_equal(*text, 0);
    dataset_close(&d);
}

/* Returns the matrix P (n,n) of a chain, computed from its definition. */
static double *matrix(const struct gen_chain *c)
{
    double *p = calloc((size_t)(c->symbols * c->symbols), sizeof *p);

    for (int k = 0; k < GEN_PERMS; k++)
        for (int i = 0; i < c->symbols; i++)
            p[i * c->symbols + c->next[k][i]] += gen_weight[k];
    return p;
}

static void entropy(void **state)
{
    static const int sizes[] = {2, 3, 5, 29, 100};
    struct arena *a = arena_new();
    struct gen_chain c;

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        gen_chain(&c, n, a);
        double *p = matrix(&c), h = 0;

        for (int i = 0; i < n; i++) {
            double row = 0, column = 0;

            for (int j = 0; j < n; j++) {
                double x = p[i * n + j];

                row += x;
                column += p[j * n + i];
                h -= x > 0 ? x * log(x) / n : 0;
            }
            assert_true(fabs(row - 1) < 1e-12 && fabs(column - 1) < 1e-12);
        }
        assert_true(fabs(h - gen_entropy(&c)) < 1e-12);
        free(p);
    }
    arena_free(a);
}

/* The entropy floor is the mean of -ln p of a row under the true chain. */
static void markov_floor(void **state)
{
    struct task_opts o = small;
    struct dataset d;
    struct gen_chain c;
    double sum = 0, squares = 0;

    (void)state;
    o.train = 20000;
    assert_int_equal(gen_markov(&d, &o), OK);
    gen_chain(&c, 29, d.memory);
    double *p = matrix(&c);
    for (int k = 0; k < 20000; k++) {
        const int *x = d.split[SPLIT_TRAIN].row[k].target;
        double loss = GEN_LAG * log(29);

        assert_int_equal(d.split[SPLIT_TRAIN].row[k].ntarget, 16);
        for (int t = 0; t < 16; t++)
            assert_in_range(x[t], ID_FIRST, 31);
        for (int t = 3; t < 16; t++) {
            double chance = p[(x[t - 3] - ID_FIRST) * 29 + x[t] - ID_FIRST];

            assert_true(chance > 0);
            loss -= log(chance);
        }
        loss /= 16;
        sum += loss;
        squares += loss * loss;
    }
    double mean = sum / 20000, sd = sqrt(squares / 20000 - mean * mean);
    if (fabs(mean - d.floor) > 4 * sd / sqrt(20000))
        fail_msg("the mean loss is %.5f, but the floor is %.5f", mean, d.floor);
    assert_true(d.floor > gen_entropy(&c) && d.floor < log(29));
    free(p);
    dataset_close(&d);
}

static int leads_by(const int count[GEN_CLASSES], int label)
{
    int second = 0;

    for (int c = 0; c < GEN_CLASSES; c++)
        if (c != label && count[c] > second)
            second = count[c];
    return count[label] - second;
}

static void majority(void **state)
{
    struct dataset d;
    int labels[GEN_CLASSES] = {0}, narrow = 0;

    (void)state;
    assert_int_equal(gen_majority(&d, &small), OK);
    assert_int_equal(d.classes, GEN_CLASSES);
    for (int k = 0; k < 512; k++) {
        const struct example *r = &d.split[SPLIT_TRAIN].row[k];
        int count[GEN_CLASSES] = {0};

        assert_int_equal(r->source[15], ID_EOS);
        for (int i = 0; i < 15; i++) {
            assert_in_range(r->source[i], ID_FIRST, ID_FIRST + 27);
            count[(r->source[i] - ID_FIRST) % GEN_CLASSES]++;
        }
        for (int c = 0; c < GEN_CLASSES; c++)
            assert_true(c == r->label || count[c] + 2 <= count[r->label]);
        narrow += leads_by(count, r->label) == 2;
        labels[r->label]++;
    }
    for (int c = 0; c < GEN_CLASSES; c++)
        assert_in_range(labels[c], 90, 170);
    assert_true(narrow > 0);
    dataset_close(&d);
}

/* Returns the answers of a subtask, one for each class. */
static const char *const *words_of(const struct benchmark_subtask *t)
{
    static const char *const scores[] = {"0.0", "5.0", NULL};
    static const char *const names[] = {"Karl", "Otto", NULL};

    return t->answer == ANSWER_SCORE  ? scores
           : t->answer == ANSWER_TEXT ? names
                                      : t->label;
}

/* Returns the class with the most symbols in a bag, or -1 if several classes
 * share the maximum. */
static int only_leader(const int *bag, int n, int first, int classes)
{
    int count[8] = {0}, best = 0, ties = 0;

    for (int i = 0; i < n; i++)
        count[(bag[i] - first) % classes]++;
    for (int c = 0; c < classes; c++)
        best = count[c] > count[best] ? c : best;
    for (int c = 0; c < classes; c++)
        ties += count[c] == count[best];
    return ties == 1 ? best : -1;
}

static void check_label(const struct dataset *d, const struct example *r,
                        const struct benchmark_subtask *of, int first)
{
    const char *const *word = words_of(&of[r->subtask]);
    int classes = 0;

    while (word[classes])
        classes++;
    int lead = only_leader(r->source + 1, r->nsource - 2, first, classes);
    assert_string_equal(d->subtasks[r->subtask], of[r->subtask].name);
    assert_int_equal(r->label, lead);
    assert_string_equal(r->text, word[lead]);
    assert_string_equal(dataset_text(d, r->target, r->ntarget, d->memory),
                        word[lead]);
}

/* The source of an example is the symbol of its subtask, followed by a bag of
 * symbols. Its target is the word of the class with the most symbols in the
 * bag. */
static void benchmarks(void **state)
{
    static const struct benchmark_subtask *const of[] = {benchmark_glue,
                                                         benchmark_superglue};
    struct task_opts o = small;

    (void)state;
    o.vocab = 64;
    for (int k = 0; k < 2; k++) {
        struct dataset d;
        int words = 0, subtasks = 0;

        assert_int_equal(gen_labels(&d, &o, of[k]), OK);
        while (d.words[words])
            words++;
        while (d.subtasks[subtasks])
            subtasks++;
        for (int s = 0; s < SPLITS; s++)
            for (int i = 0; i < d.split[s].n; i++) {
                const struct example *r = &d.split[s].row[i];
                size_t bytes = (size_t)r->nsource * sizeof(int);

                assert_int_equal(r->source[0], ID_FIRST + words + r->subtask);
                check_label(&d, r, of[k], ID_FIRST + words + subtasks);
                assert_int_equal(gen_split(hash_fnv1a(r->source, bytes)), s);
            }
        dataset_close(&d);
    }
}

static const char *as_text(const struct dataset *d, const struct example *r)
{
    return r->source ? dataset_text(d, r->source, r->nsource, d->memory)
                     : dataset_text(d, r->target, r->ntarget, d->memory);
}

static void disjoint(void **state)
{
    (void)state;
    for (int g = 0; g < GENERATORS; g++) {
        struct task_opts o = small;
        struct map *seen = map_new();
        struct dataset d;
        int again = 0;

        o.length = 5; /* so short that some occur twice in a split */
        o.vocab = 11;
        assert_int_equal(generator[g](&d, &o), OK);
        for (int s = 0; s < SPLITS; s++)
            for (int k = 0; k < d.split[s].n; k++) {
                const char *text = as_text(&d, &d.split[s].row[k]);

                again += !map_add(seen, text, s);
                assert_int_equal(map_get(seen, text, -1), s);
            }
        assert_true(again > 0);
        map_free(seen);
        dataset_close(&d);
    }
}

static void reproducible(void **state)
{
    (void)state;
    for (int g = 0; g < GENERATORS; g++) {
        struct task_opts o = small;
        struct dataset a, b;

        assert_int_equal(generator[g](&a, &o), OK);
        assert_int_equal(generator[g](&b, &o), OK);
        assert_string_equal(a.digest, b.digest);
        dataset_close(&b);
        o.train = 100; /* fewer examples are the first ones */
        assert_int_equal(generator[g](&b, &o), OK);
        assert_string_equal(as_text(&a, &a.split[SPLIT_TRAIN].row[99]),
                            as_text(&b, &b.split[SPLIT_TRAIN].row[99]));
        assert_int_equal(b.split[SPLIT_TRAIN].n, 100);
        assert_int_equal(b.split[SPLIT_VALID].n, 64);
        assert_true(b.synthetic);
        assert_null(b.tokenizer);
        dataset_close(&b);
        dataset_close(&a);
    }
}

static void bad_options(void **state)
{
    (void)state;
    for (int g = 0; g < GENERATORS; g++) {
        struct task_opts o = small;
        struct dataset d;

        o.length = 17;
        assert_int_equal(generator[g](&d, &o), ERR_USAGE);
        assert_non_null(strstr(err_last(), "length 17"));
        o.length = 3;
        assert_int_equal(generator[g](&d, &o), ERR_USAGE);
        o.length = 16;
        o.vocab = 7;
        assert_int_equal(generator[g](&d, &o), ERR_USAGE);
    }
}

/* There are more candidates than may be rejected in a row. */
static void many(void **state)
{
    struct task_opts o = small;
    struct dataset d;

    (void)state;
    o.train = 100000;
    assert_int_equal(gen_permutation(&d, &o), OK);
    assert_int_equal(d.split[SPLIT_TRAIN].n, 100000);
    dataset_close(&d);
}

/* Known digests. If one changes, so do data and results, and
 * DATA_RECIPE_VERSION must be raised. */
static void fixed(void **state)
{
    static const char *const want[GENERATORS] = {
        "d852e7cbf3d2e5b6", "4245ccb77dd5fee5", "db8175d8e0e41d96"};
    struct dataset d;

    (void)state;
    for (int g = 0; g < GENERATORS; g++) {
        assert_int_equal(generator[g](&d, &small), OK);
        if (strncmp(d.digest, want[g], strlen(want[g])))
            fail_msg("generator %d gives %.16s, not %s", g, d.digest, want[g]);
        dataset_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the target is the source in the fixed order of positions",
         permutation, NULL, NULL, NULL},
        {"the transition matrix is doubly stochastic and has the stated "
         "entropy", entropy, NULL, NULL, NULL},
        {"the floor is the loss per token of the true chain", markov_floor,
         NULL, NULL, NULL},
        {"the label leads by its margin, and all labels occur", majority, NULL,
         NULL, NULL},
        {"labels written as text name the leading class", benchmarks, NULL,
         NULL, NULL},
        {"no example is in two splits", disjoint, NULL, NULL, NULL},
        {"the same options give the same data, fewer rows the first of them",
         reproducible, NULL, NULL, NULL},
        {"impossible options are refused", bad_options, NULL, NULL, NULL},
        {"there may be more examples than may be rejected in a row", many, NULL,
         NULL, NULL},
        {"the data are those of recipe version 1", fixed, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
