#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/data/source/ddtp.h"
#include "harness/metrics/labels/benchmark.h"
#include "harness/tasks/sides.h"
#include "harness/tasks/task.h"
#include "tests/support/corpus.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct task task_glue, task_superglue, task_c4;
extern const struct metric metric_glue8, metric_glue9, metric_superglue;

static const struct one {
    const struct task *task;
    const struct benchmark_subtask *of;
    const struct metric *metric;
} both[] = {{&task_glue, benchmark_glue, &metric_glue9},
            {&task_superglue, benchmark_superglue, &metric_superglue}};

static char *cache;
static struct task_opts opts;

/* Fills a cache; each film review occurs twice. */
static void fill(const char *folder)
{
    enum { REVIEWS = 400 };
    OWNED(free) char *path = str_format(
        "%s/sentiment/package/test/fixtures/imdb.json", folder);

    corpus_fill(folder, 600);
    corpus_fill_others(folder);
    FILE *f = fopen(path, "w");
    for (int i = 0; i < 2 * REVIEWS; i++)
        fprintf(f, "%s{\"text\":\"review %d\",\"class\":%d}", i ? ",\n" : "[",
                i / 2, i / 2 % 2);
    fputs("]", f);
    fclose(f);
}

static int setup(void **state)
{
    (void)state;
    cache = scratch_make();
    opts = (struct task_opts){
        .N = 96, .length = 96, .vocab = 400, .cache = cache};
    fill(cache);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(cache);
    return 0;
}

/* ---- the data ---- */

static const struct benchmark_subtask *
subtask_of(const struct benchmark_subtask *of, const struct dataset *d,
           const struct example *r)
{
    while (strcmp(of->name, d->subtasks[r->subtask]))
        of++;
    return of;
}

static const char *source_of(const struct dataset *d, const struct example *r)
{
    return dataset_text(d, r->source, r->nsource, d->memory);
}

static void is_answer(const struct benchmark_subtask *t, const char *text)
{
    double score;
    int known = 0;

    for (int i = 0; t->label[i]; i++)
        known |= !strcmp(t->label[i], text);
    if (t->answer == ANSWER_SCORE)
        known = sscanf(text, "%lf", &score) == 1 && score >= 0 && score <= 5;
    if (t->answer == ANSWER_TEXT)
        known = text[0] != 0;
    if (t->answer == ANSWER_REFERENT) /* a name, or a label and a name */
        known = text[0] != 0 &&
                (!strchr(text, '\n') || !strncmp(text, "True\n", 5) ||
                 !strncmp(text, "False\n", 6));
    if (!known)
        fail_msg("'%s' is no answer of %s", text, t->name);
}

/* Every split has every subtask, except mnli_mismatched, which only the test
 * split has. No short source text occurs twice. Prefixes of sources and answers
 * are spelled as in T5. */
static void mixtures(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct map *seen = map_new();
        struct dataset d;

        assert_int_equal(open_listed(&d, both[k].task, &opts), OK);
        for (int s = 0; s < SPLITS; s++) {
            int of[16] = {0};

            for (int i = 0; i < d.split[s].n; i++) {
                const struct example *r = &d.split[s].row[i];
                const struct benchmark_subtask *t =
                    subtask_of(both[k].of, &d, r);
                const char *text = source_of(&d, r);
                size_t n = strlen(t->task);

                if (strncmp(text, t->task, n) || !strchr(" :", text[n]))
                    fail_msg("'%s' is of %s", text, t->name);
                if (r->nsource < 96 && !map_add(seen, text, s))
                    fail_msg("'%s' comes twice", text);
                is_answer(t, r->text);
                of[r->subtask]++;
            }
            for (int t = 0; d.subtasks[t]; t++)
                if (!of[t] &&
                    (strcmp(d.subtasks[t], "mnli_mismatched") ||
                     s == SPLIT_TEST))
                    fail_msg("no %s of %s", d.subtasks[t], split_name[s]);
        }
        map_free(seen);
        dataset_close(&d);
    }
}

/* The short description of package12 begins with "tool number 12". */
static void packages(void **state)
{
    struct dataset d;
    int n = 0;

    (void)state;
    assert_int_equal(open_listed(&d, &task_glue, &opts), OK);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++) {
            const char *at = source_of(&d, &d.split[s].row[i]);
            char name[32];
            int number;

            while ((at = strstr(at, "tool number ")) &&
                   sscanf(at++, "tool number %d", &number) == 1) {
                snprintf(name, sizeof name, "package%d", number);
                assert_int_equal(ddtp_split(name, 2, 8), s);
                n++;
            }
        }
    assert_true(n > 500);
    dataset_close(&d);
}

static void balance(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct dataset d;
        int count[16][8] = {{0}};

        assert_int_equal(open_listed(&d, both[k].task, &opts), OK);
        const struct examples *train = &d.split[SPLIT_TRAIN];
        for (int i = 0; i < train->n; i++)
            count[train->row[i].subtask][train->row[i].label]++;
        for (int t = 0; d.subtasks[t]; t++) {
            int least = train->n, most = 0;

            for (int c = 0; c < 8; c++) {
                if (count[t][c] && count[t][c] < least)
                    least = count[t][c];
                most = count[t][c] > most ? count[t][c] : most;
            }
            if (most > least + 1)
                fail_msg("%s: %d and %d", d.subtasks[t], least, most);
        }
        dataset_close(&d);
    }
}

/* Counts, for each text on `side` 0 or 1 of the pairs of a subtask, how often
 * it has each label: equally often. Returns the number of texts. */
static int texts_are_even(const struct dataset *d, int s, int part, int side)
{
    struct map *number = map_of_copies(), *label = map_new();
    int (*n)[3] = calloc((size_t)d->split[s].n + 1, sizeof *n);

    for (int i = 0; i < d->split[s].n; i++) {
        const struct example *e = &d->split[s].row[i];

        if (e->subtask != part)
            continue;
        struct sides two = sides_of(source_of(d, e));
        struct slice one = side ? two.hypothesis : two.premise;

        if (one.n)
            n[map_number(number, one.s, one.n)]
             [map_number(label, e->text, strlen(e->text))]++;
    }
    int texts = map_count(number), labels = map_count(label);
    for (int i = 0; i < texts; i++)
        for (int c = 1; c < labels; c++)
            if (n[i][c] != n[i][0])
                fail_msg("%s, %s: text %d of side %d has uneven labels",
                         d->subtasks[part], split_name[s], i, side);
    map_free(number);
    map_free(label);
    free(n);
    return texts;
}

static void even_texts(void **state)
{
    int texts = 0;

    (void)state;
    opts.N = opts.length = 160; /* nothing is truncated */
    for (int k = 0; k < 2; k++) {
        struct dataset d;

        assert_int_equal(open_listed(&d, both[k].task, &opts), OK);
        for (int s = 0; s < SPLITS; s++)
            for (int p = 0; d.subtasks[p]; p++)
                for (int side = 0; side < 2; side++)
                    texts += texts_are_even(&d, s, p, side);
        dataset_close(&d);
    }
    assert_true(texts > 500);
}

/* Each question of MultiRC has two answers, one of them right. */
static void questions(void **state)
{
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_superglue, &opts), OK);
    const struct examples *test = &d.split[SPLIT_TEST];
    for (int i = 0; i < test->n; i++) {
        const struct example *r = &test->row[i];
        int all = 0, right = 0;

        if (strcmp(d.subtasks[r->subtask], "multirc"))
            continue;
        for (int j = 0; j < test->n; j++)
            if (test->row[j].subtask == r->subtask &&
                test->row[j].group == r->group) {
                all++;
                right += !strcmp(test->row[j].text, "True");
            }
        assert_int_equal(all, 2);
        assert_int_equal(right, 1);
    }
    dataset_close(&d);
}

/* The ids mean the same text for a model trained on c4. */
static void tokenizer(void **state)
{
    struct dataset d, c4;

    (void)state;
    assert_int_equal(open_listed(&c4, &task_c4, &opts), OK);
    assert_int_equal(open_listed(&d, &task_superglue, &opts), OK);
    const struct example *r = &d.split[SPLIT_TEST].row[0];
    assert_int_equal(d.vocab, c4.vocab);
    assert_string_equal(source_of(&d, r),
                        dataset_text(&c4, r->source, r->nsource, c4.memory));
    dataset_close(&d);
    dataset_close(&c4);
}

static void again(void **state)
{
    char *other = scratch_make();

    (void)state;
    fill(other);
    for (int k = 0; k < 2; k++) {
        struct dataset a, b, c;

        opts.cache = cache;
        assert_int_equal(open_listed(&a, both[k].task, &opts), OK);
        assert_int_equal(open_listed(&b, both[k].task, &opts),
                         OK); /* from the prepared data */
        opts.cache = other;
        assert_int_equal(open_listed(&c, both[k].task, &opts), OK);
        assert_string_equal(a.digest, b.digest);
        assert_string_equal(a.digest, c.digest);
        assert_string_equal(a.subtasks[1], b.subtasks[1]);
        dataset_close(&a);
        dataset_close(&b);
        dataset_close(&c);
    }
    scratch_remove(other);
}

/* ---- the scores ---- */

enum { PARTS = METRIC_PARTS };

static void tell_truth(const struct reference *self, const char **out,
                       const struct dataset *d, struct arena *a)
{
    (void)self;
    (void)a;
    for (int i = 0; i < d->split[SPLIT_TEST].n; i++) {
        const struct example *r = &d->split[SPLIT_TEST].row[i];
        const char *second = strchr(r->text, '\n');

        out[i] = r->text;
        if (second) /* one of two accepted texts, or the referent or another */
            out[i] = strncmp(r->text, "False", 5) ? second + 1 : "another";
    }
}

static void tell_nonsense(const struct reference *self, const char **out,
                          const struct dataset *d, struct arena *a)
{
    (void)self;
    (void)a;
    for (int i = 0; i < d->split[SPLIT_TEST].n; i++)
        out[i] = "no label";
}

static const struct reference truth = {.answer = tell_truth};
static const struct reference nonsense = {.answer = tell_nonsense};

static double score(const struct one *k, const struct metric *m,
                    struct metric_part part[PARTS], int *parts,
                    const struct reference *by)
{
    struct dataset d;

    assert_int_equal(open_listed(&d, k->task, &opts), OK);
    const char **text = calloc((size_t)d.split[SPLIT_TEST].n, sizeof *text);
    size_t n = (size_t)d.split[SPLIT_TEST].n;
    struct answer *s = calloc(n, sizeof *s);
    struct scored x;
    by->answer(by, text, &d, d.memory);
    for (size_t i = 0; i < n; i++) {
        const struct example *r = &d.split[SPLIT_TEST].row[i];

        s[i] = (struct answer){.hyp = text[i], .ref = r->text,
                             .subtask = d.subtasks[r->subtask],
                             .group = r->group};
    }
    m->measure(m, &x, s, n);
    *parts = x.n;
    memcpy(part, x.part, sizeof *part * (size_t)x.n);
    free(s);
    free(text);
    dataset_close(&d);
    return x.value;
}

static void perfect(void **state)
{
    struct metric_part part[PARTS];
    int n;

    (void)state;
    for (int synthetic = 0; synthetic < 2; synthetic++)
        for (int k = 0; k < 2; k++) {
            opts.synthetic = synthetic;
            double x = score(&both[k], both[k].metric, part, &n, &truth);
            assert_true(fabs(x - 100) < 1e-9);
            assert_int_equal(n, k ? 11 : 13);
            for (int i = 0; i < n; i++)
                if (fabs(part[i].value - 100) > 1e-9)
                    fail_msg("%s: %g", part[i].name, part[i].value);
        }
    opts.synthetic = 0;
    assert_true(fabs(score(&both[0], &metric_glue8, part, &n, &truth) - 100) <
                1e-9);
}

/* In WSC, an answer other than the referent counts as the answer that the
 * candidate is not the referent, which is right for half of the examples. */
static void invalid(void **state)
{
    struct metric_part part[PARTS];
    int n;

    (void)state;
    for (int k = 0; k < 2; k++) {
        score(&both[k], both[k].metric, part, &n, &nonsense);
        for (int i = 0; i < n; i++)
            if (strncmp(part[i].name, "wsc", 3)
                    ? part[i].value > 0
                    : fabs(part[i].value - 50) > 1e-9)
                fail_msg("%s: %g", part[i].name, part[i].value);
    }
}

/* Classes are balanced, so predicting the most frequent one is at chance. */
static void chance(void **state)
{
    struct metric_part part[PARTS];
    int n;

    (void)state;
    score(&both[0], &metric_glue9, part, &n, &task_glue.references[0]);
    for (int i = 0; i < n; i++) {
        const char *name = part[i].name;
        double want = strstr(name, "mcc") || strstr(name, "stsb") ? 0
                      : strstr(name, "f1")                        ? 100 / 1.5
                      : strstr(name, "mnli")                      ? 100 / 3.0
                                                                  : 50;
        if (fabs(part[i].value - want) > 12 &&
            !(strstr(name, "f1") && part[i].value == 0))
            fail_msg("%s: %g", name, part[i].value);
    }
}

/* Each text of a pair has each label equally often, so that the second text
 * alone does not reveal the label. */
static void references(void **state)
{
    static const char *const names[] = {"majority", "hypothesis-only",
                                        "overlap-only"};
    enum { REFERENCES = sizeof names / sizeof *names };

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct metric_part part[2][PARTS];
        const struct reference *b = both[k].task->references;
        int n;

        for (int i = 0; i < REFERENCES; i++)
            assert_string_equal(b[i].name, names[i]);
        assert_null(b[REFERENCES].name);
        for (int i = 0; i < 2; i++)
            score(&both[k], both[k].metric, part[i], &n, &b[i]);
        for (int j = 0; j < n; j++)
            if (strstr(part[0][j].name, "accuracy") &&
                fabs(part[1][j].value - part[0][j].value) > 1e-9)
                fail_msg("%s: %g, not %g", part[0][j].name, part[1][j].value,
                         part[0][j].value);
    }
}

int main(void)
{
#define CACHE_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        CACHE_TEST("each subtask is in each split, each text in one", mixtures),
        CACHE_TEST("a package's examples are in the split of its source",
                   packages),
        CACHE_TEST("every class is as frequent in training", balance),
        CACHE_TEST("each text of a pair has each label equally often",
                   even_texts),
        CACHE_TEST("a question of MultiRC has all its answers", questions),
        CACHE_TEST("the tokenizer is c4's", tokenizer),
        CACHE_TEST("the same text gives the same examples", again),
        CACHE_TEST("perfect answers score 100 in every subtask", perfect),
        CACHE_TEST("a text that is no label is wrong", invalid),
        CACHE_TEST("the most frequent label is right by chance alone", chance),
        CACHE_TEST("the second text alone tells no more than the majority",
                   references),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
