/* Compares examples of tasks with the real text that they were made from:
 * labels.pl in tests/support reads the text independently and determines the
 * label of each example. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/tasks/task.h"
#include "tests/support/corpus.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 1920, LENGTH = 320, VOCAB = 520, REAL_VOCAB = 2000 };

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

static char *cache;
static struct task_opts opts;

/* ---- the text ---- */

static const char *const things[] = {"Perl", "GTK", "biological things",
                                     "Java, unlike Ruby", "Qt windows"};
enum { THINGS = sizeof things / sizeof *things };

/* More than half of the packages are of one section. */
static const char *const section[] = {
    "games", "devel", "perl", "devel", "science", "devel", "contrib/net",
    "devel", "sound", "devel", "electronics", "devel", "games", "devel",
    "devel"};
enum { SECTIONS = sizeof section / sizeof *section };

/* Words that are written into the text, so that the tokenizer contains them and
 * no target is truncated. */
static const char *const label[] = {"unacceptable", "not_equivalent",
                                    "not_duplicate", "contradiction",
                                    "not_entailment", "equivalent"};
enum { LABELS = sizeof label / sizeof *label };

static char *description(int p, const char *suffix)
{
    enum { SITE_SUMMARY = 20, SITE_FIRST };
    static const char *const name[] = {"Kota", "Remu", "Sila", "Nodu"};
    /* a few packages have the same summary */
    OWNED(free) char *sum =
        corpus_words(p % 40 == 7 ? 7 : p, SITE_SUMMARY, 8, suffix);
    OWNED(free) char *begin =
        corpus_words(p, SITE_FIRST, 3 + p % 16, suffix);
    OWNED(free) char *one = str_format("%s%d", name[p % 4], p);
    OWNED(free) char *two =
        str_format("%s%d", name[(p + 1 + p / 4 % 3) % 4], p);
    OWNED(free) char *says = corpus_says(p, one, two, things[p % THINGS]);

    return str_format(
        "%s number %d\n"
        " The %s. Now%s %s. It sails%s to Varn%d on the %s."
        "\n .\n " CORPUS_TEMPLATE
        "\n .\n At last%s %s is seen.\n  * a verbatim line%s of %d",
        sum, p % 40 == 7 ? 7 : p, begin, suffix, says, suffix, p,
        label[p % LABELS], suffix, p % 3 ? one : two, suffix, p);
}

static void add_example(struct corpus *c, int source, int p)
{
    char *name = str_format("package%d", p);
    char *of = str_format("source%d (1.0)", source);
    char *english = description(p, "");
    char *german = description(p, "en");
    char *french = description(p, "\xc3\xa9");

    c->in_french = french;
    corpus_add(c, name, of, section[source % SECTIONS], english, german);
    free(name);
    free(of);
    free(english);
    free(german);
    free(french);
}

/* Writes a sentence with this number of tokens: the words `begin`, filler words
 * and a period. */
static void put_sentence(FILE *f, const char *begin, int tokens)
{
    static const char *const word[] = {"sails", "to", "the", "list", "of",
                                       "ships", "and", "is", "a", "ship"};
    int words = 1;

    for (const char *c = begin; *c; c++)
        words += *c == ' ';
    fputs(begin, f);
    for (int i = 0; words < tokens - 1; i++, words++)
        fprintf(f, " %s", word[i % 10]);
    fputs(". ", f);
}

/* Adds a package with a short description of n tokens and a sentence of m. */
static void add_lengths(struct corpus *c, int n, int m)
{
    static int number;
    char *name = str_format("long%d", number++), *text = NULL;
    char *one = str_format("cargo%d", number);
    char *two = str_format("Ship%d", number);
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    put_sentence(f, one, n);
    fputs("\n ", f);
    put_sentence(f, two, m);
    fclose(f);
    corpus_add(c, name, NULL, number % 2 ? "devel" : "games", text, NULL);
    free(name);
    free(text);
    free(one);
    free(two);
}

/* Adds a few texts of every length that matters to a task, and of one token
 * less and more. */
static void fill_lengths(struct corpus *c)
{
    for (int i = 0; i < 8; i++) {
        for (int n = 2; n < 14; n += n == 4 ? 7 : 1) {
            add_lengths(c, n, 5);
            add_lengths(c, 5, n);
        }
        for (int n = 18; n < 23; n++)
            add_lengths(c, 5, n);
        for (int n = 58; n < 94; n += n < 62 ? 1 : 10)
            add_lengths(c, 5, n);
    }
}

/* Every third source has two packages. */
static void fill_packages(int sources)
{
    struct corpus c;
    int p = 0;

    corpus_open(&c, cache);
    for (int s = 0; s < sources; s++)
        for (int k = 0; k < 1 + !(s % 3); k++)
            add_example(&c, s, p++);
    fill_lengths(&c);
    corpus_close(&c);
}

static int setup(void **state)
{
    (void)state;
    cache = scratch_make();
    opts = (struct task_opts){.N = LENGTH, .length = LENGTH, .vocab = VOCAB,
                              .cache = cache};
    fill_packages(SOURCES);
    corpus_fill_others(cache);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(cache);
    return 0;
}

/* ---- examples made from the text ---- */

static const char *text_of(const struct dataset *d, const int *ids, int n,
                           struct arena *a)
{
    return n ? dataset_text(d, ids, n, a) : "";
}

static void write_examples(FILE *out, const struct dataset *d, const char *task)
{
    struct arena *a = arena_new();

    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d->split[s].n; i++) {
            const struct example *r = &d->split[s].row[i];

            arena_reset(a);
            char *said = str_copy(r->text ? r->text : "");

            for (char *c = said; (c = strchr(c, '\n'));)
                *c = '|';
            fprintf(out, "%s\t%s\t%d\t%s\t%s\t%s\n", split_name[s],
                    d->subtasks ? d->subtasks[r->subtask] : task, r->label,
                    text_of(d, r->source, r->nsource, a),
                    text_of(d, r->target, r->ntarget, a), said);
            free(said);
        }
    arena_free(a);
}

/* Returns all rows of a split, concatenated. */
static int *running(const struct examples *e, int *n)
{
    int *ids = NULL;

    *n = 0;
    for (int i = 0; i < e->n; i++) {
        size_t more = (size_t)e->row[i].ntarget;

        ids = realloc(ids, ((size_t)*n + more) * sizeof *ids);
        memcpy(ids + *n, e->row[i].target, more * sizeof *ids);
        *n += (int)more;
    }
    return ids;
}

/* Writes one sentence per line, except the sentence that the last row cuts
 * off. */
static void write_sentences(FILE *out, const struct dataset *d,
                            const char *task)
{
    struct arena *a = arena_new();

    for (int s = 0; s < SPLITS; s++) {
        int n, *ids = running(&d->split[s], &n);

        for (int from = 0, i = 0; i < n; i++)
            if (ids[i] == ID_EOS) {
                fprintf(out, "%s\t%s\t0\t%s\t\t\n", split_name[s], task,
                        text_of(d, ids + from, i - from, a));
                from = i + 1;
            }
        free(ids);
    }
    arena_free(a);
}

static void make_examples(const struct task *t, const char *file)
{
    FILE *out = fopen(file, "w");
    struct dataset d;

    if (open_listed(&d, t, &opts) < 0)
        fail_msg("%s", err_last());
    for (int s = 0; s < SPLITS; s++)
        assert_int_equal(d.split[s].dropped + d.split[s].truncated, 0);
    (d.kind == TASK_LANGUAGE ? write_sentences : write_examples)(out, &d,
                                                                 t->name);
    fclose(out);
    dataset_close(&d);
}

/* Returns whether labels.pl accepts the examples; it prints errors on
 * stderr. */
static int is_true_to_the_text(const struct task *t)
{
    char *file = str_format("%s/%s.examples", cache, t->name);
    char *command = str_format("perl tests/support/labels.pl %s %s <%s >&2",
                               cache, t->name, file);

    make_examples(t, file);
    int rc = system(command);
    free(command);
    free(file);
    return !rc;
}

static void translations(void **state)
{
    (void)state;
    int german = is_true_to_the_text(&task_wmt14_ende);
    int french = is_true_to_the_text(&task_wmt14_enfr);
    assert_true(german && french);
}

/* Tests rows that are longer and rows that are shorter than a sentence. */
static void language(void **state)
{
    int length = opts.length;

    (void)state;
    int longer = is_true_to_the_text(&task_lm1b);
    opts.length = 5;
    int shorter = is_true_to_the_text(&task_lm1b);
    opts.length = length;
    assert_true(longer && shorter);
}

static void labels(void **state)
{
    (void)state;
    int topics = is_true_to_the_text(&task_agnews);
    int reviews = is_true_to_the_text(&task_imdb);
    assert_true(topics && reviews);
}

static void answers(void **state)
{
    (void)state;
    int summaries = is_true_to_the_text(&task_cnndm);
    int replies = is_true_to_the_text(&task_personachat);
    assert_true(summaries && replies);
}

static void glue(void **state)
{
    (void)state;
    assert_true(is_true_to_the_text(&task_glue));
}

static void superglue(void **state)
{
    (void)state;
    assert_true(is_true_to_the_text(&task_superglue));
}

/* Makes the same check on real text (corpus_real). */
static void real(void **state)
{
    struct task_opts made_up = opts;
    char *few = cache;

    (void)state;
    opts.cache = cache = corpus_real();
    opts.vocab = REAL_VOCAB;
    int one = is_true_to_the_text(&task_glue);
    int two = is_true_to_the_text(&task_superglue);
    scratch_remove(cache);
    cache = few;
    opts = made_up;
    assert_true(one && two);
}

/* ---- maximum number of examples ---- */

/* Writes film reviews, far more than are used. */
static void fill_more(void)
{
    enum { REVIEWS = 8000 };
    char *reviews = str_format("%s/sentiment/package/test/fixtures/imdb.json",
                               cache);
    FILE *f = fopen(reviews, "w");

    fputs("[", f);
    for (int i = 0; i < REVIEWS; i++)
        fprintf(f, "%s{\"text\":\"review %d\",\"class\":%d}", i ? ",\n" : "",
                i, i % 2);
    fputs("]", f);
    fclose(f);
    free(reviews);
}

struct size { const char *part; int classes, n[SPLITS]; };

enum { CLASSES = 4 }; /* at most */

/* Checks that the classes of a subtask have equally many examples, up to
 * rounding, and that only the examples of multirc are in groups (of answers
 * that are scored together). */
static void is_even(const struct dataset *d, int s, int part, int classes)
{
    int n[CLASSES] = {0}, all = 0, grouped = 0, used = 0;

    for (int i = 0; i < d->split[s].n; i++) {
        const struct example *e = &d->split[s].row[i];

        if (e->subtask == part) {
            assert_in_range(e->label, 0, CLASSES - 1);
            n[e->label]++;
            all++;
            grouped += e->group != 0;
        }
    }
    for (int c = 0; c < CLASSES; c++) {
        used += n[c] > 0;
        if (n[c] && (n[c] < all / classes || n[c] > all / classes + 1))
            fail_msg("%s: %d of %d are of class %d", d->subtasks[part], n[c],
                     all, c);
    }
    assert_int_equal(used, all ? classes : 0);
    if (strcmp(d->subtasks[part], "multirc") ? grouped : all && !grouped)
        fail_msg("%s: %d of %d are of a group", d->subtasks[part], grouped,
                 all);
}

static void have_sizes(const struct task *t, const struct size *want)
{
    struct dataset d;
    int parts = 0;

    assert_int_equal(open_listed(&d, t, &opts), OK);
    for (; want[parts].part; parts++) {
        int n[SPLITS] = {0};

        assert_string_equal(d.subtasks[parts], want[parts].part);
        for (int s = 0; s < SPLITS; s++)
            for (int i = 0; i < d.split[s].n; i++)
                n[s] += d.split[s].row[i].subtask == parts;
        for (int s = 0; s < SPLITS; s++)
            if (n[s] != want[parts].n[s])
                fail_msg("%s: %d of %s, not %d", want[parts].part, n[s],
                         split_name[s], want[parts].n[s]);
        for (int s = 0; s < SPLITS; s++)
            is_even(&d, s, parts, want[parts].classes);
    }
    assert_null(d.subtasks[parts]);
    dataset_close(&d);
}

static void sizes(void **state)
{
    static const struct size of_glue[] = {
        {"cola", 2, {1500, 100, 200}}, {"sst2", 2, {800, 100, 200}},
        {"mrpc", 2, {1000, 100, 200}}, {"stsb", 3, {996, 96, 204}},
        {"qqp", 2, {1500, 100, 200}}, {"mnli_matched", 3, {1500, 96, 204}},
        {"mnli_mismatched", 3, {0, 0, 204}}, {"qnli", 2, {1000, 100, 200}},
        {"rte", 2, {500, 100, 200}}, {"wnli", 2, {300, 48, 100}},
        {NULL, 0, {0}}};
    static const struct size of_superglue[] = {
        {"boolq", 2, {800, 100, 200}}, {"cb", 3, {252, 48, 96}},
        {"copa", 2, {400, 100, 200}}, {"multirc", 1, {900, 100, 300}},
        {"record", 1, {1000, 100, 200}}, {"rte", 2, {500, 100, 200}},
        {"wic", 2, {1000, 100, 200}}, {"wsc", 2, {400, 48, 100}},
        {NULL, 0, {0}}};

    char *few = cache;

    (void)state;
    opts.cache = cache = scratch_make();
    fill_packages(18000);
    corpus_fill_others(cache);
    fill_more();
    have_sizes(&task_glue, of_glue);
    have_sizes(&task_superglue, of_superglue);
    scratch_remove(cache);
    opts.cache = cache = few;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"translations are those of the sentence, splits those of the source",
         translations, NULL, NULL, NULL},
        {"rows of running text are the sentences of their split's sources",
         language, NULL, NULL, NULL},
        {"topics are the sections', opinions the reviews'", labels, NULL, NULL,
         NULL},
        {"summaries and replies are those of their text", answers, NULL, NULL,
         NULL},
        {"every label of GLUE follows from what it was made of", glue, NULL,
         NULL, NULL},
        {"every label of SuperGLUE follows from what it was made of", superglue,
         NULL, NULL, NULL},
        {"each part has its size and even classes where text suffices", sizes,
         NULL, NULL, NULL},
    };
    const struct CMUnitTest of_real[] = {
        {"so does every label of both that is made of real text", real, NULL,
         NULL, NULL},
    };

    return getenv("REAL_TEXT")
               ? cmocka_run_group_tests(of_real, setup, teardown)
               : cmocka_run_group_tests(tests, setup, teardown);
}
