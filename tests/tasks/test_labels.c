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

enum { FEW = 48, SOURCES = 1920, LENGTH = 320, VOCAB = 520, REAL_VOCAB = 2000 };

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

static char *cache;
static struct task_opts opts;

/* ---- the text ---- */

/* Two groups of tags: tags of one group are similar, tags of different groups
 * have nothing in common. */
#define EDITS "use::editing, works-with::text, scope::utility, "
#define SHOWS "use::viewing, works-with::image, scope::application, "

/* Tags and text of packages of every kind: one facet, several, two values of
 * one, unknown values, open tags, names within other words, names next to the
 * true one, and words about a facet without a value. */
static const struct { const char *tags, *says; } kinds[] = {
    {"role::program,\n " EDITS "implemented-in::perl", "Perl"},
    {SHOWS "uitoolkit::gtk", "GTK"},
    {EDITS "implemented-in::python", "Python"},
    {SHOWS "suite::kde", "KDE"},
    {EDITS "implemented-in::java, works-with::TO" "DO", "Java"},
    {SHOWS "suite::emacs", "Emacs"},
    {EDITS "culture::japanese", "Japanese"},
    {SHOWS "culture::german", "German"},
    {EDITS "field::biology", "biological things"},
    {SHOWS "field::physics", "physics"},
    {EDITS "uitoolkit::qt, works-with::TO" "DO", "Qt"},
    {SHOWS "implemented-in::tcl", "Tcl"},
    {EDITS "suite::gnustep, uitoolkit::gnustep", "GNUstep"},
    {SHOWS "implemented-in::ruby, role::program", "Ruby"},
    {EDITS "implemented-in::python, uitoolkit::gtk", "Python for GTK"},
    {SHOWS "implemented-in::java", "Java, unlike Ruby"},
    {EDITS "implemented-in::tcl, implemented-in::c", "Tcl"},
    {SHOWS "implemented-in::perl", "Perl and C"},
    {EDITS "implemented-in::cobol", "Cobol"},
    {SHOWS "culture::tamil", "Tamil"},
    {EDITS "uitoolkit::qt", "Qt windows as implemented"},
    {SHOWS "suite::apache", "Apache desktops"},
    {NULL, "Perl with Qt"},
    {SHOWS "implemented-in::python, role::devel-lib", "Pythonic things"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *const section[] = {"games", "perl", "science", "contrib/net",
                                      "sound", "electronics", "devel", "games"};
enum { SECTIONS = sizeof section / sizeof *section };

/* Words that are written into the text, so that the tokenizer contains them and
 * no target is truncated. */
static const char *const label[] = {"unacceptable", "not_equivalent",
                                    "not_duplicate", "contradiction",
                                    "not_entailment", "equivalent"};
enum { LABELS = sizeof label / sizeof *label };

static char *description(int p, int kind, const char *suffix)
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
    OWNED(free) char *says = corpus_says(p, one, two, kinds[kind].says);

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
    char *english = description(p, source % KINDS, "");
    char *german = description(p, source % KINDS, "en");
    char *french = description(p, source % KINDS, "\xc3\xa9");

    c->tags = kinds[source % KINDS].tags;
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

/* Adds a package with two sentences, of n and m tokens; if m is 0, with only
 * the first sentence. */
static void add_long(struct corpus *c, const char *one, int n, const char *two,
                     int m)
{
    static int number;
    char *name = str_format("long%d", number++), *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    fprintf(f, "cargo number %d\n ", number);
    put_sentence(f, one, n);
    if (m)
        put_sentence(f, two, m);
    fclose(f);
    corpus_add(c, name, NULL, number % 2 ? "devel" : "games", text, NULL);
    free(name);
    free(text);
}

/* Returns "Crew Mate7-a Mate7-b ..." with `names` names that no other package
 * has. */
static char *crew(int names)
{
    static int number;
    char *all = NULL;
    size_t bytes;
    FILE *f = open_memstream(&all, &bytes);

    fputs("Crew", f);
    for (int i = 0; i < names; i++)
        fprintf(f, " Mate%d-%c", number, 'a' + i);
    number++;
    fclose(f);
    return all;
}

/* Adds two sentences. The last one names the first person. In the sentence
 * before, each name is two tokens. */
static void add_crew(struct corpus *c, int names, int n, int m)
{
    char *all = crew(names), *first = str_copy(all);

    first[strcspn(first, " ") + 1 + strcspn(strchr(first, ' ') + 1, " ")] = 0;
    add_long(c, all, n - 2 * names, first, m - 2);
    free(all);
    free(first);
}

/* Adds a few sentences of every length that matters to a task, and of one token
 * less and more. */
static void fill_lengths(struct corpus *c)
{
    static const struct { const char *tags, *name; } of[] = {
        {"implemented-in::perl", "Perl"}, {"uitoolkit::gtk", "GTK"},
        {"implemented-in::python", "Python"}, {"uitoolkit::qt", "Qt"}};
    /* Each of these words occurs in a claim, so texts that begin with different
     * words have equal overlap with the claims. */
    static const char *const word[FEW / 4] = {
        "It", "The", "Its", "With", "To", "And", "This", "A", "Of", "For",
        "Is", "In"};

    for (int i = 0; i < 24 * FEW; i++) {
        char *one = i < FEW ? str_format("%s %s", word[i / 4], of[i % 4].name)
                            : str_format("Ship%d %s", i, of[i % 4].name);
        char *two = str_format("Rope%d", i);

        c->tags = of[i % 4].tags;
        add_long(c, one, 3 + i / FEW, two, 3 + i / FEW);
        free(one);
        free(two);
    }
    c->tags = of[0].tags;
    for (int i = 0; i < 8; i++) {
        char *one = str_format("Cargo%d", i);

        for (int n = 18; n < 23; n++)
            add_long(c, one, n, NULL, 0);
        for (int n = 58; n < 94; n += n < 62 ? 1 : 10)
            add_long(c, one, n, NULL, 0);
        free(one);
        for (int n = 1; n < 10; n++)
            add_crew(c, n, 40, 20);
        for (int n = 79; n < 83; n++)
            add_crew(c, 4, n, 20);
        for (int n = 29; n < 33; n++)
            add_crew(c, 4, 40, n);
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

/* Writes words. A word that is a noun and a verb has one meaning as each; a
 * word with two meanings has examples of every length that matters. */
static void fill_words(void)
{
    static const char *const part[] = {"noun", "verb"};

    for (int i = 0; i < 2; i++) {
        char *path = str_format("%s/wordnet/data.%s", cache, part[i]);
        FILE *f = fopen(path, "a");

        for (int w = 0; w < 60; w++)
            fprintf(f, "%08d 00 %c 01 rope%d 0 000 | meaning; \"a rope%d is "
                    "a %s\"; \"one rope%d more, a %s\"\n", 900 + w,
                    "nv"[i], w, w, part[i], w, part[i]);
        for (int w = 0; w < 2 * 48; w++) {
            char *one = str_format("%s %c%dline%c", w % 2 ? "a" : "the",
                                   'a' + w / 2 % 26, w / 2, "nv"[i]);
            char *two = str_format("%s %s", w % 2 ? "one" : "some",
                                   strchr(one, ' ') + 1);
            int n = (w / 2 % 2 ? 13 : 4) + w / 4 % 3;

            fprintf(f, "%08d 00 %c 01 %s 0 000 | meaning; \"", 960 + w,
                    "nv"[i], strchr(one, ' ') + 1);
            put_sentence(f, one, n - 1);
            fputs("\"; \"", f);
            put_sentence(f, two, n);
            fputs("\"\n", f);
            free(one);
            free(two);
        }
        fclose(f);
        free(path);
    }
}

static int setup(void **state)
{
    (void)state;
    cache = scratch_make();
    opts = (struct task_opts){.N = LENGTH, .length = LENGTH, .vocab = VOCAB,
                              .cache = cache};
    fill_packages(SOURCES);
    corpus_fill_others(cache);
    fill_words();
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
            fprintf(out, "%s\t%s\t%d\t%s\t%s\n", split_name[s],
                    d->subtasks ? d->subtasks[r->subtask] : task, r->label,
                    text_of(d, r->source, r->nsource, a),
                    text_of(d, r->target, r->ntarget, a));
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
                fprintf(out, "%s\t%s\t0\t%s\t\n", split_name[s], task,
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

/* Writes film reviews and words, far more than are used. */
static void fill_more(void)
{
    enum { REVIEWS = 8000, WORDS = 4000 };
    char *reviews = str_format("%s/sentiment/package/test/fixtures/imdb.json",
                               cache);
    char *words = str_format("%s/wordnet/data.noun", cache);
    FILE *f = fopen(reviews, "w");

    fputs("[", f);
    for (int i = 0; i < REVIEWS; i++)
        fprintf(f, "%s{\"text\":\"review %d\",\"class\":%d}", i ? ",\n" : "",
                i, i % 2);
    fputs("]", f);
    fclose(f);
    f = fopen(words, "w");
    for (int i = 0; i < 2 * WORDS; i++)
        fprintf(f, "%08d 00 n 01 rope%d 0 000 | meaning; \"one rope%d is "
                "in %d\"; \"that rope%d was of %d\"\n", i, i / 2, i / 2, i,
                i / 2, 2 * WORDS + i);
    fclose(f);
    free(reviews);
    free(words);
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
        {"mrpc", 2, {1000, 100, 200}}, {"stsb", 2, {1000, 100, 200}},
        {"qqp", 2, {1500, 100, 200}}, {"mnli_matched", 3, {1500, 96, 204}},
        {"mnli_mismatched", 3, {0, 0, 204}}, {"qnli", 2, {1000, 100, 200}},
        {"rte", 2, {500, 100, 200}}, {"wnli", 2, {300, 50, 100}},
        {NULL, 0, {0}}};
    static const struct size of_superglue[] = {
        {"boolq", 2, {800, 100, 200}}, {"cb", 3, {252, 48, 96}},
        {"copa", 2, {400, 100, 200}}, {"multirc", 1, {900, 100, 300}},
        {"record", 1, {1000, 100, 200}}, {"rte", 2, {500, 100, 200}},
        {"wic", 2, {1000, 100, 200}}, {"wsc", 2, {400, 50, 100}},
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
