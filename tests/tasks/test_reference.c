/* Model-free baselines on data sets of a few lines, for which the predictions
 * are computed by hand. */
#include "harness/tasks/reference.h"

#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/gen/gen.h"
#include "harness/tasks/sides.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* ---- data sets without a tokenizer: one id per word ---- */

enum { WORDS = 64, ROWS = 16 };

struct row { int subtask; const char *source, *target; };

struct toy {
    struct dataset d;
    const char *word[WORDS + 1], *subtask[ROWS + 1];
    struct example row[SPLITS][ROWS];
    const char *answer[ROWS];
};

static int id_of(struct toy *t, const char *word)
{
    int i = 0;

    while (t->word[i] && strcmp(t->word[i], word))
        i++;
    assert_in_range(i, 0, WORDS - 1);
    if (!t->word[i])
        t->word[i] = arena_text(t->d.memory, word);
    return ID_FIRST + i;
}

static void add_row(struct toy *t, enum split s, const struct row *r)
{
    struct examples *e = &t->d.split[s];
    int *ids = arena_take(t->d.memory, (WORDS + 1) * sizeof *ids), n = 0;
    char *text = arena_text(t->d.memory, r->source);

    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        ids[n++] = id_of(t, w);
    ids[n++] = ID_EOS;
    t->subtask[r->subtask] = "some";
    t->row[s][e->n++] = (struct example){.source = ids, .nsource = n,
                                         .subtask = r->subtask,
                                         .text = r->target};
}

/* Creates a data set. Both lists end with {0}; the targets of `test` are the
 * expected predictions. */
static struct toy *toy_new(const struct row *train, const struct row *test)
{
    struct toy *t = calloc(1, sizeof *t);

    t->d = (struct dataset){.kind = TASK_TRANSDUCE, .memory = arena_new(),
                            .words = t->word, .subtasks = t->subtask};
    for (int s = 0; s < SPLITS; s++)
        t->d.split[s].row = t->row[s];
    for (; train->source; train++)
        add_row(t, SPLIT_TRAIN, train);
    for (; test->source; test++)
        add_row(t, SPLIT_TEST, test);
    return t;
}

static void toy_free(struct toy *t)
{
    arena_free(t->d.memory);
    free(t);
}

static const struct reference *find(const char *name)
{
    const struct reference *b = reference_pairs;

    while (b->name && strcmp(b->name, name))
        b++;
    assert_non_null(b->name);
    return b;
}

/* Compares the predictions for the test examples with `wants` or, if it is
 * NULL, with the targets of the test examples. */
static void answers(struct toy *t, const char *name, const char *const *wants)
{
    find(name)->answer(find(name), t->answer, &t->d, t->d.memory);
    for (int i = 0; i < t->d.split[SPLIT_TEST].n; i++) {
        const char *want = wants ? wants[i] : t->row[SPLIT_TEST][i].text;

        if (strcmp(t->answer[i], want))
            fail_msg("%s, example %d: '%s', not '%s'", name, i, t->answer[i],
                     want);
    }
}

/* ---- leaks ---- */

static void hypothesis_leak(void **state)
{
    static const struct row train[] = {
        {0, "mnli hypothesis: red is it premise: it was here", "no"},
        {0, "mnli hypothesis: green is it premise: it had been", "yes"},
        {0, "mnli hypothesis: is blue it premise: so it goes", "maybe"},
        {0, "mnli hypothesis: it is red premise: green for it", "no"},
        {0, "mnli hypothesis: it is green premise: it and red", "yes"},
        {0, "mnli hypothesis: it is blue premise: red green it", "maybe"},
        {0}};
    static const struct row test[] = {
        {0, "mnli hypothesis: is it Blue premise: it or red", "maybe"},
        {0, "mnli hypothesis: is it red premise: blue for it", "no"},
        {0, "mnli hypothesis: is it green? premise: it and so", "yes"},
        {0}};
    static const char *const first[] = {"no", "no", "no"};
    struct toy *t = toy_new(train, test);

    (void)state;
    answers(t, "hypothesis-only", NULL);
    answers(t, "overlap-only", first); /* overlap is always one third */
    answers(t, "majority", first);
    toy_free(t);
}

static void overlap_leak(void **state)
{
    static const struct row train[] = {
        {0, "mrpc sentence1: a b c sentence2: d e f g", "different"},
        {0, "mrpc sentence1: d e f g sentence2: f e d g", "same"},
        {0, "mrpc sentence1: d x e sentence2: a b c", "different"},
        {0, "mrpc sentence1: c b sentence2: a b c", "same"},
        {0}};
    static const struct row test[] = {
        {0, "mrpc sentence1: K, L and M. sentence2: m l k m and", "same"},
        {0, "mrpc sentence1: m l k sentence2: a b c", "different"},
        {0, "mrpc sentence1: m l k sentence2: d e f g", "different"},
        {0}};
    static const char *const first[] = {"different", "different", "different"};
    struct toy *t = toy_new(train, test);

    (void)state;
    answers(t, "overlap-only", NULL);
    answers(t, "hypothesis-only", first); /* both classes have the same words */
    answers(t, "majority", first);
    toy_free(t);
}

/* ---- the formula ---- */

/* Example of Manning, Raghavan and Schuetze, Introduction to Information
 * Retrieval (2008), table 13.1: P(yes | test) ~ 0.0003, P(no | test) ~ 0.0001.
 * Each "Chinese" is counted. */
static void textbook(void **state)
{
    static const struct row train[] = {
        {0, "rte sentence1: x sentence2: Chinese Beijing Chinese", "yes"},
        {0, "rte sentence1: x sentence2: Chinese Chinese Shanghai", "yes"},
        {0, "rte sentence1: x sentence2: Chinese Macao", "yes"},
        {0, "rte sentence1: x sentence2: Tokyo Japan Chinese", "no"},
        {0}};
    static const struct row test[] = {
        {0, "rte sentence1: Tokyo sentence2: Chinese Chinese Chinese Tokyo "
            "Japan", "yes"},
        {0, "rte sentence1: Macao sentence2: Chinese Tokyo Japan", "no"},
        {0, "rte sentence1: x sentence2: Osaka Japan Tokyo Kyoto", "no"},
        {0, "rte sentence1: Tokyo Japan sentence2: Osaka", "yes"},
        {0}};
    struct toy *t = toy_new(train, test);

    (void)state;
    answers(t, "hypothesis-only", NULL);
    toy_free(t);
}

/* There is one training example of each score. For a test example, those in the
 * same tenth of overlap have weight 2 / (1 + 2), the others 1 / (1 + 2): (2 4 +
 * 2 5 + 0 + 1) / 6 = 3.17 and (4 + 5 + 2 0 + 2 1) / 6 = 1.83. The overall mean
 * is 2.5; a half step is rounded to even. */
static void scores(void **state)
{
    static const struct row train[] = {
        {0, "stsb sentence1: a b sentence2: a b", "4.0"},
        {0, "stsb sentence1: c d sentence2: d e c", "5.0"},
        {0, "stsb sentence1: a b sentence2: c d", "0.0"},
        {0, "stsb sentence1: d b sentence2: a c", "1.0"},
        {0}};
    static const struct row test[] = {
        {0, "stsb sentence1: e f sentence2: f e", "3.2"},
        {0, "stsb sentence1: e f sentence2: x", "1.8"},
        {0, "stsb sentence1: a b c d sentence2: a b x y", "2.4"},
        {0}};
    static const char *const means[] = {"2.4", "2.4", "2.4"};
    struct toy *t = toy_new(train, test);

    (void)state;
    /* the third example's overlap of one half is not in training */
    answers(t, "overlap-only", NULL);
    answers(t, "majority", means);
    toy_free(t);
}

/* ---- subtasks ---- */

/* Number of the subtask: 0 has one text; 1 has pairs; 2 occurs in the test set
 * only; 3 has training examples with another answer than those of 1; 4 has a
 * tie. */
static const struct row subtasks_train[] = {
    {0, "cola sentence: all is well", "unacceptable"},
    {3, "cb hypothesis: red premise: x", "neutral"},
    {1, "mnli hypothesis: red premise: x", "entailment"},
    {0, "cola sentence: all sentence2: is", "acceptable"},
    {1, "mnli hypothesis: blue premise: x", "contradiction"},
    {0, "cola sentence: all red", "acceptable"},
    {3, "cb hypothesis: blue premise: x", "entailment"},
    {4, "copa choice1: a choice2: b premise: c question: cause", "choice2"},
    {4, "copa choice1: b choice2: a premise: c question: cause", "choice1"},
    {0}};
static const struct row subtasks_test[] = {
    {0, "cola sentence: red is well", "acceptable"},
    {1, "mnli hypothesis: blue premise: y", "contradiction"},
    {2, "mnli hypothesis: blue premise: y", "contradiction"},
    {2, "mnli hypothesis: red premise: y", "entailment"},
    {3, "cb hypothesis: blue premise: y", "entailment"},
    {4, "copa choice1: b choice2: a premise: c question: cause", "choice2"},
    {0}};

static void subtasks(void **state)
{
    static const char *const most[] = {"acceptable", "entailment", "entailment",
                                       "entailment", "neutral", "choice2"};
    struct toy *t = toy_new(subtasks_train, subtasks_test);

    (void)state;
    answers(t, "hypothesis-only", NULL);
    answers(t, "overlap-only", most);
    answers(t, "majority", most);
    toy_free(t);
}

static void cut(void **state)
{
    static const struct row train[] = {
        {0, "rte sentence1: a b sentence2: red", "no"},
        {0, "rte sentence1: a b sentence2: blue", "yes"},
        {0, "rte sentence1: a b c", "yes"}, /* the rest is too long */
        {0}};
    static const struct row test[] = {
        {0, "rte sentence1: a", "yes"},
        {0, "rte sentence1: red sentence2:", "yes"},
        {0, "rte", "yes"},
        {0, "", "yes"},
        {0, "rte sentence1: a sentence2: red", "no"},
        {0}};
    struct toy *t = toy_new(train, test);

    (void)state;
    answers(t, "hypothesis-only", NULL);
    t->d.split[SPLIT_TEST].n = 4;
    answers(t, "overlap-only", NULL);
    toy_free(t);
}

static void nothing_to_learn_from(void **state)
{
    static const struct row none[] = {{0}};
    static const struct row test[] = {
        {0, "rte sentence1: a sentence2: red", ""}, {0}};
    struct toy *t = toy_new(none, test);

    (void)state;
    for (const struct reference *b = reference_pairs; b->name; b++)
        answers(t, b->name, NULL);
    t->d.subtasks = NULL;
    for (const struct reference *b = reference_pairs; b->name; b++)
        answers(t, b->name, NULL);
    toy_free(t);
}

/* ---- the two texts ---- */

static void is(struct slice got, const char *want)
{
    if (got.n != strlen(want) || memcmp(got.s, want, got.n))
        fail_msg("'%.*s', not '%s'", (int)got.n, got.s, want);
}

static void both_texts(void **state)
{
    static const struct { const char *source, *premise, *hypothesis; } of[] = {
        {"mrpc sentence1: A b. sentence2: C d.", "A b.", "C d."},
        {"stsb sentence1: A sentence2: B", "A", "B"},
        {"qqp question1: A? question2: B?", "A?", "B?"},
        {"mnli hypothesis: H: h premise: P", "P", "H: h"},
        {"qnli question: Q sentence: S", "Q", "S"},
        {"rte sentence1: P sentence2: H", "P", "H"},
        {"rte hypothesis: H premise: P", "P", "H"},
        {"rte hypothesis: H pre", "", "H pre"},
        {"wnli sentence1: A sentence2: B", "A", "B"},
        {"cb hypothesis: H premise: P", "P", "H"},
        {"boolq passage: P question: q", "P", "q"},
        {"boolq question: q passage: P", "P", "q"},
        {"multirc question: Q answer: A paragraph: P p", "P p", "A"},
        {"wic sentence1: A a sentence2: B b word: w", "A a", "B b"},
        {"mrpc sentence1: A sentence2: ", "A", ""},
        {"sst2 sentence: It was", "", ""},
        {"copa choice1: A choice2: B premise: P question: cause", "", ""},
        {"rtes sentence1: P sentence2: H", "", ""},
        {"57 60 61", "", ""},
        {"", "", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct sides s = sides_of(of[i].source);

        is(s.premise, of[i].premise);
        is(s.hypothesis, of[i].hypothesis);
    }
}

static void generated(void **state)
{
    const struct task_opts o = {.N = 16, .length = 16, .vocab = 80,
                                .train = 300, .valid = 10, .test = 60};
    const char *answer[3][60];
    struct dataset d;

    (void)state;
    assert_int_equal(gen_labels(&d, &o, benchmark_superglue), 0);
    for (int k = 0; k < 3; k++)
        reference_pairs[k].answer(&reference_pairs[k], answer[k], &d,
                                  d.memory);
    for (int i = 0; i < 60; i++)
        for (int k = 1; k < 3; k++)
            assert_string_equal(answer[k][i], answer[0][i]);
    dataset_close(&d);
}

int main(void)
{
#define TEST(name, fn)                                                         \
    {                                                                          \
        name, fn, NULL, NULL, NULL                                             \
    }
    const struct CMUnitTest tests[] = {
        TEST("a label that the hypothesis gives away is not found by the "
             "overlap", hypothesis_leak),
        TEST("a label that the overlap gives away is not found by the "
             "hypothesis", overlap_leak),
        TEST("naive Bayes decides as in the example of the textbook", textbook),
        TEST("scores are means in steps of 0.2", scores),
        TEST("a subtask learns from its own examples or those of its "
             "predecessor", subtasks),
        TEST("truncated texts count as texts without words", cut),
        TEST("without training examples the answer is empty",
             nothing_to_learn_from),
        TEST("the two texts are found by T5's keys", both_texts),
        TEST("generated symbols have no two texts, so the majority is "
             "predicted", generated),
    };

    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
