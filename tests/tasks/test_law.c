/* Data-generating distributions of the science suite: their examples and
 * answers. */
#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/map.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/task.h"
#include "tests/support/answers.h"
#include "tests/support/laws.h"

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

/* The SHA-256 of the first 1,000 training examples of each generator. */
static const char *const digests[LAWS] = {
    "7cd5aeacccfc81c70ef1a403c1bcbf8de46f734a0b34c7670b9150d93a6cb2db",
    "d48a84642c4123f39c9388271d6ea64f9cadf5303194eda591455d5eefc80f38",
    "9f96f17e683f850f2f0b7b0173d94ba3b3a394ffdac56a1ef373ac3e8f82192a",
    "069a7b41328a5977977bfb018d50d6953602d3fad51ca4ece4470de087caf971",
    "8f5aa3f1469178d38bccf239e3beaa2f5b755964a890e2cc1cf0f46c387ff6a4",
    "64edfef9795971de4f6347a07a72b702b4c249281c1284337ce0761fbed35f42",
    "3d9c2a19a73efdb6c1f8b68ed0f41db2a701805f4d3fffe8e50cb8e8332541d1",
    "a0d8c04e9cbf6f749dc59f5238aac2ede7062a88ec7f645570102fd76d2990e3",
    "44f4c559a04e09f709bb8f7d693379d2ebea508844bf7a77865357a958580409",
    "c4c7a7e8141f8e7c14493d40aba2bdb58f7daebbdfe405bba58f656ff42a57cf",
    "b34f0c0d886c9fb0b6db0ee980ad1658c1b5bb4306e0cc7d906a3e78f49cdfde",
    "2549d99e85cc94db54c50f68b05fb035739cf146226780cf5d16f6d0f842ce48",
    "0d2d7598d7982405d12663aeef31445f685deab5b7b134524f29f794fd4e5e74",
    "390efba3bdb6bdac7083bbdd452e0014d1fc964ededdfe4cad5ba18bcad45b2d",
    "fc3863be46061a1a92c55a546ee557dcf8d7cece9aae2db1f594a8c80f7409f2",
    "b86e31db461504832962feb248ad9d86ad8fb807bdf47e7c0801fc6792565011",
    "5e07a3a47d093725fefc793f3f5f8c3f7d8e7b8ea43021ca61268fb21bfbefbe",
    "da2cf82235c11179f8154aacff3f6d45342def2b659b4af905616b4b77abb9e7",
    "b1fec9c7e2a3044b795a9fdf1e578e931c495ad3a67aedf3bceb787aece1e60b",
    "01bbb2531beaca844633959e66bd0b818c5d6d73618f2232e889e34667d4976a",
};

static void complete(void **state)
{
    int n = 0;

    (void)state;
    for (int i = 0; task_all[i]; i++) {
        int found = 0;

        for (int k = 0; k < LAWS; k++)
            found += !strcmp(laws[k].task, task_all[i]->name);
        assert_int_equal(found, task_all[i]->law != NULL);
        n += found;
    }
    assert_int_equal(n, LAWS);
}

static void solved(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        const struct small *s = &laws[k];
        struct task_opts o = laws_options(s, 3000, 500);
        answer *follows = answers_of(s->task);
        struct dataset d;

        assert_int_equal(s->chance, !follows);
        if (s->chance)
            continue;
        laws_open(&d, s, 3000, 500);
        assert_true(d.floor == 0);
        for (int split = 0; split < SPLITS; split++)
            for (int i = 0; i < d.split[split].n; i++) {
                if (!follows(&d.split[split].row[i], &o))
                    fail_msg("%s: %s example %d", s->task, split_name[split],
                             i);
                assert_true(d.split[split].own_nll[i] == 0);
            }
        dataset_close(&d);
    }
}

/* Every id is in the vocabulary, every length within N; labels are balanced. */
static void regular(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        const struct small *s = &laws[k];
        int label[16] = {0}, n = 4000;
        struct dataset d;

        laws_open(&d, s, n, 50);
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

/* From index 20 on, test examples equal those of a set that skips 20. */
static void kept_back(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        struct task_opts o = laws_options(&laws[k], 50, 30);
        struct dataset all, rest;

        assert_int_equal(task_open(&all, laws_task(laws[k].task), &o), OK);
        o.test = 10;
        o.test_first = 20;
        assert_int_equal(task_open(&rest, laws_task(laws[k].task), &o), OK);
        assert_int_equal(rest.split[SPLIT_TEST].n, 10);
        for (int i = 0; i < 10; i++) {
            const struct example *a = &all.split[SPLIT_TEST].row[20 + i];
            const struct example *b = &rest.split[SPLIT_TEST].row[i];

            assert_int_equal(a->ntarget, b->ntarget);
            assert_int_equal(a->label, b->label);
            if (a->ntarget)
                assert_memory_equal(a->target, b->target,
                                    (size_t)a->ntarget * sizeof(int));
        }
        dataset_close(&all);
        dataset_close(&rest);
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
    for (int k = 0; k < LAWS; k++) {
        struct map *seen = map_new();
        struct dataset d;
        char text[32];

        laws_open(&d, &laws[k], 3000, 500);
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

/* If a digest changes, so do examples and results, and DATA_RECIPE_VERSION must
 * be raised. */
static void fixed(void **state)
{
    int wrong = 0;

    (void)state;
    for (int k = 0; k < LAWS; k++) {
        char few[HASH_HEX], more[HASH_HEX];
        struct dataset d;

        laws_open(&d, &laws[k], FIRST, 50);
        digest(few, &d.split[SPLIT_TRAIN], FIRST);
        dataset_close(&d);
        /* a larger set begins with the same examples */
        laws_open(&d, &laws[k], FIRST + 500, 60);
        digest(more, &d.split[SPLIT_TRAIN], FIRST);
        assert_string_equal(few, more);
        dataset_close(&d);
        if (strcmp(few, digests[k])) {
            print_error("%s: %s\n", laws[k].task, few);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void refused(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        struct task_opts o = laws_options(&laws[k], 50, 50);
        const struct task *t = laws_task(laws[k].task);
        struct dataset d;

        o.length = 3;
        assert_int_equal(task_open(&d, t, &o), ERR_USAGE);
        assert_non_null(strstr(err_last(), laws[k].task));
        o.length = laws[k].length + 1;
        assert_int_equal(task_open(&d, t, &o), ERR_USAGE);
        o.length = laws[k].length;
        o.vocab = 7;
        assert_int_equal(task_open(&d, t, &o), ERR_USAGE);
    }
    struct task_opts o = laws_options(laws_find("gen_recall"), 50, 50);
    struct dataset d;
    o.vocab = 82;
    assert_int_equal(task_open(&d, laws_task("gen_recall"), &o), ERR_USAGE);
    assert_non_null(strstr(err_last(), "vocab 82 is less than the 83"));
}

/* Returns whether the generator opens with these options and every example
 * fits. */
static int fits(const struct small *s, int length)
{
    struct task_opts o = laws_options(s, 40, 10);
    struct dataset d;
    int rc;

    o.valid = 10;
    o.length = length;
    rc = task_open(&d, laws_task(s->task), &o);
    for (int i = 0; rc == OK && i < SPLITS; i++)
        for (int k = 0; k < d.split[i].n; k++) {
            const struct example *e = &d.split[i].row[k];

            if (e->nsource > length || e->ntarget > length)
                fail_msg("%s of %d: %d ids, and %d", s->task, length,
                         e->nsource, e->ntarget);
            for (int n = 0; n < e->nsource; n++)
                assert_in_range(e->source[n], 0, o.vocab - 1);
            for (int n = 0; n < e->ntarget; n++)
                assert_in_range(e->target[n], 0, o.vocab - 1);
        }
    if (rc == OK)
        dataset_close(&d);
    else
        assert_int_equal(rc, ERR_USAGE);
    return rc == OK;
}

static void any_length(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        int taken = 0;

        for (int length = 4; length <= laws[k].length; length++)
            taken = fits(&laws[k], length);
        assert_true(taken);
    }
}

/* Returns 1 if the generator opens. */
static int opens(const struct small *s, int length, int vocab)
{
    struct task_opts o = {.N = 64, .length = length, .vocab = vocab,
                          .train = 1, .valid = 1, .test = 1};
    struct dataset d;
    int rc = task_open(&d, laws_task(s->task), &o);

    if (rc == OK)
        dataset_close(&d);
    return rc == OK;
}

/* The minimum length and vocabulary of each generator, with the symbols for
 * which it needs them. Ids start at ID_FIRST = 3. No generator has a length
 * below 4 or a vocabulary below 8. */
static void least(void **state)
{
    static const struct { const char *law; int length, vocab; } need[] = {
        {"gen_copy", 4, 8}, {"gen_perm", 4, 8}, {"gen_reverse", 4, 8},
        {"gen_pointer", 4, 13},   /* 8 positions, 2 symbols */
        {"gen_recall", 4, 83},    /* 8^2 pairs, 8 keys, 8 values */
        {"gen_recall_bi", 4, 45}, /* 6^2 pairs, 6 keys */
        {"gen_eq", 4, 9},         /* no, yes, 4 to compare */
        {"gen_match", 5, 11},     /* a separator, 7 different symbols */
        {"gen_lag", 4, 8}, {"gen_bigram", 4, 8}, {"gen_hmm", 4, 8},
        {"gen_induction", 6, 11}, /* 8 different symbols */
        {"gen_infill", 4, 9},     /* 2 holes, 4 symbols */
        {"gen_majority", 4, 8},
        {"gen_scfg", 10, 43},
        {"gen_salient", 8, 8},    /* 2 sentences of 3, a mark, the end */
        {"gen_persona", 18, 45},  /* 5 facts of 3, a question of 3 */
        {"gen_grammar", 9, 28},
        {"gen_winograd", 8, 45},
        {"gen_shuffled", 4, 8},
    };

    (void)state;
    assert_int_equal(sizeof need / sizeof *need, LAWS);
    for (int k = 0; k < LAWS; k++) {
        const struct small *s = laws_find(need[k].law);
        int length = 1, vocab = 1;

        while (length < 64 && !opens(s, length, 90))
            length++;
        while (vocab < 90 && !opens(s, s->length, vocab))
            vocab++;
        if (length != need[k].length || vocab != need[k].vocab)
            fail_msg("%s: %d, %d", s->task, length, vocab);
    }
}

/* There is one hole for every eight ids of the source, and at least one. */
static void holes(void **state)
{
    struct small s = *laws_find("gen_infill");

    (void)state;
    for (s.length = 4, s.vocab = 16; s.length < 40; s.length++) {
        int want = s.length < 8 ? 1 : s.length / 8;
        struct task_opts o = laws_options(&s, 4, 4);
        struct dataset d;

        assert_int_equal(task_open(&d, laws_task(s.task), &o), OK);
        const struct example *e = &d.split[SPLIT_TRAIN].row[0];
        int holes = 0;
        for (int i = 0; i < e->nsource; i++)
            holes += e->source[i] >= s.vocab - want;
        assert_int_equal(holes, want);
        assert_int_equal(e->nsource, s.length);
        assert_int_equal(e->ntarget, 3 * want + 1);
        assert_int_equal(task_target(laws_task(s.task), &o), e->ntarget);
        dataset_close(&d);
    }
}

/* The floors are also correct if most transitions are impossible. */
static void floors(void **state)
{
    enum { VOCAB = 200 };

    (void)state;
    for (int k = 0; k < LAWS; k++) {
        struct small s = laws[k];
        struct dataset d;

        s.vocab = VOCAB;
        laws_open(&d, &s, 4, 4);
        if (!isnan(d.floor) && !(d.floor >= 0 && d.floor <= log(VOCAB)))
            fail_msg("%s: %g", s.task, d.floor);
        dataset_close(&d);
    }
}

/* With 10 ids, rows of four have too few different examples for three splits;
 * with 11 ids, rows of five have enough. */
static void few_examples(void **state)
{
    const struct task *t;

    (void)state;
    assert_true(task_find(&t, "gen_eq") >= 0);
    for (int length = 4; length <= 5; length++) {
        struct task_opts o = {.N = length, .length = length,
                              .vocab = length + 6, .train = 3, .valid = 3,
                              .test = 3};
        struct dataset d;
        int rc = task_open(&d, t, &o);

        assert_int_equal(rc, length == 4 ? ERR_USAGE : OK);
        if (rc == OK)
            dataset_close(&d);
        else
            assert_non_null(strstr(err_last(), "allow too few different"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every law is tested here", complete, NULL, NULL, NULL},
        {"the answer follows from the input", solved, NULL, NULL, NULL},
        {"ids, lengths and labels are in range, and labels are balanced",
         regular, NULL, NULL, NULL},
        {"a later test set can start after the examples of an earlier one",
         kept_back, NULL, NULL, NULL},
        {"no example is in two splits", disjoint, NULL, NULL, NULL},
        {"the first 1,000 examples are the same on every machine", fixed, NULL,
         NULL, NULL},
        {"examples are no longer than any accepted length", any_length, NULL,
         NULL, NULL},
        {"the smallest accepted length and vocabulary are those that the law "
         "needs", least, NULL, NULL, NULL},
        {"a text has a hole for every eight ids, and at least one", holes, NULL,
         NULL, NULL},
        {"no floor exceeds the loss of a uniform guess", floors, NULL, NULL,
         NULL},
        {"impossible options are refused by name", refused, NULL, NULL, NULL},
        {"a law with too few different examples is refused", few_examples,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
