#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/data/source/ddtp.h"
#include "harness/tasks/recipe.h"
#include "harness/tasks/span.h"
#include "harness/tasks/task.h"
#include "tests/support/corpus.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

static const struct task *const listed[] = {
#define TASK(name) &task_##name,
#include "harness/tasks/list.h"
#undef TASK
};
enum { LISTED = sizeof listed / sizeof *listed, PACKAGES = 600 };

static const struct task *all[LISTED]; /* tasks with text */
static int tasks;

static char *cache;
static struct task_opts opts;

static int setup(void **state)
{
    (void)state;
    cache = scratch_make();
    opts =
        (struct task_opts){.N = 64, .length = 48, .vocab = 400, .cache = cache};
    tasks = 0;
    for (int i = 0; i < LISTED; i++)
        if (!listed[i]->law)
            all[tasks++] = listed[i];
    corpus_fill(cache, PACKAGES);
    corpus_fill_others(cache);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(cache);
    return 0;
}

static const char *text_of(const struct dataset *d, const int *ids, int n)
{
    return dataset_text(d, ids, n, d->memory);
}

static const char *str_in(const struct dataset *d, const char *fmt, int n)
{
    char *s = str_format(fmt, n);
    const char *kept = arena_text(d->memory, s);

    free(s);
    return kept;
}

static void translation(void **state)
{
    struct map *english = map_new();
    struct dataset d;
    int templates = 0;

    (void)state;
    assert_int_equal(open_listed(&d, &task_wmt14_ende, &opts), OK);
    assert_int_equal(d.kind, TASK_TRANSDUCE);
    assert_int_equal(d.vocab, 400);
    assert_int_equal(d.N, 64);
    assert_true(isnan(d.floor));
    assert_string_equal(d.source,
                        "Debian package descriptions, English-German");
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++) {
            const struct example *r = &d.split[s].row[i];
            const char *e = text_of(&d, r->source, r->nsource);

            assert_true(r->nsource <= 48 && r->ntarget <= 48);
            assert_int_equal(r->source[r->nsource - 1], ID_EOS);
            assert_int_equal(r->target[r->ntarget - 1], ID_EOS);
            if (r->ntarget < 48)
                assert_string_equal(r->text,
                                    text_of(&d, r->target, r->ntarget));
            templates += !strcmp(e, CORPUS_TEMPLATE);
            int fresh = map_add(english, e, s);
            assert_true(fresh || s == SPLIT_TRAIN);
        }
    assert_true(templates > 500); /* every template is in training */
    assert_int_equal(map_get(english, CORPUS_TEMPLATE, -1), SPLIT_TRAIN);
    assert_true(d.split[SPLIT_VALID].n > 20);
    assert_true(d.split[SPLIT_TEST].n > 20);
    assert_true(d.split[SPLIT_TRAIN].n > 1000);
    map_free(english);
    dataset_close(&d);
}

/* No summary is truncated; each source package yields one article. */
static void summaries(void **state)
{
    struct map *package = map_new();
    struct dataset d;
    int n = 0;

    (void)state;
    assert_int_equal(open_listed(&d, &task_cnndm, &opts), OK);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++, n++) {
            const struct example *r = &d.split[s].row[i];
            int number;

            assert_int_equal(sscanf(r->text, "tool number %d", &number), 1);
            assert_string_equal(r->text, text_of(&d, r->target, r->ntarget));
            assert_int_equal(ddtp_split(str_in(&d, "package%d", number), 5, 5),
                             s);
            assert_true(map_add(package, r->text, s));
            assert_in_range(r->nsource, 8, 48);
            assert_int_equal(r->source[r->nsource - 1], ID_EOS);
            assert_null(strstr(text_of(&d, r->source, r->nsource), "tool"));
        }
    assert_int_equal(n, PACKAGES + PACKAGES / 2);
    assert_true(d.split[SPLIT_TRAIN].truncated > 0);
    assert_true(d.split[SPLIT_TEST].truncated > 0);
    map_free(package);
    dataset_close(&d);
}

/* No answer in training is truncated; the target of a test example is the
 * beginning of its answer. */
static void cut_answers(void **state)
{
    struct dataset d;

    (void)state;
    opts.length = 16;
    assert_int_equal(open_listed(&d, &task_cnndm, &opts), OK);
    assert_true(d.split[SPLIT_TRAIN].dropped > 0);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++) {
            const struct example *r = &d.split[s].row[i];
            const char *asked = text_of(&d, r->target, r->ntarget);

            assert_in_range(r->ntarget, 1, 16);
            assert_int_equal(r->target[r->ntarget - 1], ID_EOS);
            if (s == SPLIT_TRAIN)
                assert_string_equal(asked, r->text);
            else
                assert_memory_equal(asked, r->text, strlen(asked));
        }
    assert_true(d.split[SPLIT_TEST].truncated > 0);
    assert_int_equal(d.split[SPLIT_TEST].dropped, 0);
    dataset_close(&d);
}

/* No text is in two splits. Each reply is the next turn, by a person and not by
 * the narrator. */
static void dialogue(void **state)
{
    struct map *seen = map_new();
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_personachat, &opts), OK);
    for (int s = 0; s < SPLITS; s++) {
        int of[2] = {0};

        for (int i = 0; i < d.split[s].n; i++) {
            const struct example *r = &d.split[s].row[i];
            const char *source = text_of(&d, r->source, r->nsource);

            assert_in_range(r->subtask, 0, 1);
            assert_memory_equal(source, "persona: i ", 11);
            assert_int_equal(!strncmp(r->text, "my ", 3), r->subtask);
            if (!r->subtask && r->nsource < 48) {
                assert_true(map_add(seen, source, s));
                assert_null(strstr(source, "narrator"));
            }
            of[r->subtask]++;
        }
        assert_true(of[0] >= CORPUS_TURNS / 4 && of[1] >= 100);
    }
    map_free(seen);
    dataset_close(&d);
}

static void reviews(void **state)
{
    struct map *seen = map_new();
    struct dataset d;
    int n = 0;

    (void)state;
    assert_int_equal(open_listed(&d, &task_imdb, &opts), OK);
    assert_int_equal(d.classes, 2);
    assert_string_equal(d.source, "UCI labelled sentences of reviews, pleased "
                                  "or not");
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++, n++) {
            const struct example *r = &d.split[s].row[i];
            const char *text = text_of(&d, r->source, r->nsource);

            assert_true(map_add(seen, text, s));
            assert_int_equal(r->label, !strstr(text, "ix"));
            if (r->nsource < 48)
                assert_int_equal(ddtp_split(text, 10, 10), s);
        }
    assert_in_range(n, 3 * CORPUS_REVIEWS - 9, 3 * CORPUS_REVIEWS);
    map_free(seen);
    dataset_close(&d);
}

/* If a source is missing, only tasks that need it fail. */
static void a_source_less(void **state)
{
    struct dataset d;

    (void)state;
    scratch_remove(str_format("%s/sentiment", cache));
    assert_int_equal(open_listed(&d, &task_imdb, &opts), ERR_DATA);
    assert_non_null(strstr(err_last(), "/sentiment: no labelled sentences"));
    assert_non_null(strstr(err_last(), "synthbench data fetch"));
    assert_int_equal(open_listed(&d, &task_personachat, &opts), OK);
    dataset_close(&d);
}

static void lead(void **state)
{
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_cnndm, &opts), OK);
    const struct examples *test = &d.split[SPLIT_TEST];
    const char **said = arena_take(d.memory, (size_t)test->n * sizeof *said);
    task_cnndm.references->answer(task_cnndm.references, said, &d, d.memory);
    for (int i = 0; i < test->n; i++) {
        const struct example *r = &test->row[i];
        const char *text = text_of(&d, r->source, r->nsource), *got = said[i];
        int blanks = 0;

        assert_memory_equal(got, text, strlen(got));
        for (const char *c = got; *c; c++)
            blanks += *c == ' ';
        assert_int_equal(blanks, 7);
        assert_int_equal(text[strlen(got)], ' ');
    }
    dataset_close(&d);
}

static void long_pairs(void **state)
{
    struct dataset d, whole;

    (void)state;
    assert_int_equal(open_listed(&whole, &task_wmt14_ende, &opts), OK);
    opts.length = 16;
    assert_int_equal(open_listed(&d, &task_wmt14_ende, &opts), OK);
    assert_true(d.split[SPLIT_TRAIN].dropped > 0);
    assert_int_equal(d.split[SPLIT_TRAIN].truncated, 0);
    assert_true(d.split[SPLIT_TEST].dropped > 0);
    assert_int_equal(d.split[SPLIT_TEST].truncated, 0);
    assert_int_equal(d.split[SPLIT_TEST].n + d.split[SPLIT_TEST].dropped,
                     whole.split[SPLIT_TEST].n);
    for (int i = 0; i < d.split[SPLIT_TEST].n; i++) {
        const struct example *r = &d.split[SPLIT_TEST].row[i];

        assert_in_range(r->ntarget, 1, 16);
        assert_int_equal(r->target[r->ntarget - 1], ID_EOS);
        assert_non_null(r->text);
    }
    dataset_close(&d);
    dataset_close(&whole);
}

/* Returns the number of words in the sentences of the rows, counted in the
 * text. */
static long count_words(const struct dataset *d, const struct examples *e)
{
    size_t n = (size_t)e->n * (size_t)e->row[0].ntarget, from = 0;
    int *ids = malloc(n * sizeof *ids);
    long words = 0;

    for (int i = 0; i < e->n; i++)
        memcpy(ids + i * e->row[0].ntarget, e->row[i].target,
               (size_t)e->row[0].ntarget * sizeof *ids);
    while (from < n) {
        const char *s = text_of(d, ids + from, (int)(n - from));

        for (size_t k = 0; s[k]; k++)
            words += s[k] != ' ' && (!k || s[k - 1] == ' ');
        while (from < n && ids[from] != ID_EOS)
            from++;
        words += from++ < n; /* the end mark */
    }
    free(ids);
    return words;
}

static void language(void **state)
{
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_lm1b, &opts), OK);
    for (int s = 0; s < SPLITS; s++) {
        const struct examples *e = &d.split[s];

        assert_true(e->n > 10);
        for (int i = 0; i < e->n; i++) {
            assert_null(e->row[i].source);
            assert_int_equal(e->row[i].ntarget, 48);
            for (int j = 0; j < 48; j++)
                assert_in_range(e->row[i].target[j], ID_EOS, 399);
        }
        assert_int_equal(e->words, count_words(&d, e));
        assert_int_equal(e->tokens, 48 * e->n);
    }
    dataset_close(&d);
}

/* Adds the sentences of a split's rows, except those cut off at its ends. */
static void add_sentences(const struct dataset *d, int s, struct map *seen)
{
    const struct examples *e = &d->split[s];
    int ids[1024], n = 0;

    for (int i = 0; i < 48 * e->n; i++) {
        ids[n++] = e->row[i / 48].target[i % 48];
        if (ids[n - 1] != ID_EOS)
            continue;
        const char *text = text_of(d, ids, n);
        if (!map_add(seen, text, s))
            fail_msg("'%s' of %s came before", text, split_name[s]);
        n = 0;
    }
}

static void language_once(void **state)
{
    struct map *seen = map_new();
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_lm1b, &opts), OK);
    for (int s = 0; s < SPLITS; s++)
        add_sentences(&d, s, seen);
    assert_int_equal(map_get(seen, CORPUS_TEMPLATE, -1), SPLIT_TRAIN);
    map_free(seen);
    dataset_close(&d);
}

static void topics(void **state)
{
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_agnews, &opts), OK);
    assert_int_equal(d.classes, 4);
    for (int s = 0; s < SPLITS; s++) {
        int count[4] = {0};

        for (int i = 0; i < d.split[s].n; i++) {
            const struct example *r = &d.split[s].row[i];
            const char *text = text_of(&d, r->source, r->nsource);
            int p;

            /* package p has class p mod 4 */
            assert_int_equal(sscanf(text, "tool number %d.", &p), 1);
            assert_int_equal(r->label, p % 4);
            assert_in_range(r->nsource, 2, 48);
            count[r->label]++;
        }
        for (int c = 0; c < 4; c++)
            assert_int_equal(count[c], d.split[s].n / 4);
    }
    dataset_close(&d);
}

static void holes(void **state)
{
    struct span_shape shape = span_shape(48);
    struct dataset d;

    (void)state;
    assert_int_equal(open_listed(&d, &task_c4, &opts), OK);
    assert_int_equal(d.kind, TASK_DENOISE);
    assert_int_equal(d.vocab, 400);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++) {
            const struct example *r = &d.split[s].row[i];
            int marks = 0; /* number of sentinels, which are not pieces */

            assert_int_equal(r->nsource, shape.source);
            assert_int_equal(r->ntarget, shape.target);
            for (int k = 0; k < r->nsource - 1; k++) {
                int mark = r->source[k] >= 400 - shape.spans;

                assert_in_range(r->source[k], ID_FIRST, 399);
                marks += mark;
                if (mark)
                    assert_int_equal(r->source[k], 400 - marks);
            }
            assert_int_equal(marks, shape.spans);
            const char *text = text_of(&d, r->source, r->nsource);
            assert_memory_equal(strstr(text, "<extra_id_"), "<extra_id_0>", 12);
            assert_int_equal(r->source[r->nsource - 1], ID_EOS);
            assert_int_equal(r->target[0], 399);
        }
    dataset_close(&d);
}

/* Real text cannot be used in place of official data. */
static void official(void **state)
{
    (void)state;
    opts.official = 1;
    opts.files = opts.cache;
    for (int t = 0; t < tasks; t++) {
        struct dataset d;

        assert_int_equal(open_listed(&d, all[t], &opts), ERR_DATA);
        assert_non_null(strstr(err_last(), all[t]->name));
        assert_non_null(strstr(err_last(), "missing"));
        if (!all[t]->files)
            assert_non_null(strstr(err_last(), all[t]->official));
        opts.synthetic = 1;
        assert_int_equal(open_listed(&d, all[t], &opts), OK);
        dataset_close(&d);
        opts.synthetic = 0;
    }
}

static void limits(void **state)
{
    (void)state;
    opts.train = 40;
    opts.valid = 8;
    opts.test = 4;
    for (int t = 0; t < tasks; t++) {
        struct dataset d;

        assert_int_equal(recipe_open(&d, all[t], &opts), OK);
        assert_int_equal(d.split[SPLIT_TRAIN].n, 40);
        assert_int_equal(d.split[SPLIT_VALID].n, 8);
        assert_int_equal(d.split[SPLIT_TEST].n, 4);
        dataset_close(&d);
    }
}

static void same_ids(const int *a, int na, const int *b, int nb)
{
    assert_int_equal(na, nb);
    if (na)
        assert_memory_equal(a, b, (size_t)na * sizeof *a);
}

/* The test examples with indices 3 to 6 equal the first four of a set that
 * skips 3. */
static void kept_back(void **state)
{
    (void)state;
    opts.train = 40;
    opts.valid = 8;
    for (int t = 0; t < tasks; t++) {
        struct dataset whole, rest;

        opts.test = 7;
        opts.test_first = 0;
        assert_int_equal(recipe_open(&whole, all[t], &opts), OK);
        opts.test = 4;
        opts.test_first = 3;
        assert_int_equal(recipe_open(&rest, all[t], &opts), OK);
        list_rows(&whole);
        list_rows(&rest);
        assert_int_equal(rest.split[SPLIT_TEST].n, 4);
        for (int i = 0; i < 4; i++) {
            const struct example *a = &whole.split[SPLIT_TEST].row[3 + i];
            const struct example *b = &rest.split[SPLIT_TEST].row[i];

            same_ids(a->source, a->nsource, b->source, b->nsource);
            same_ids(a->target, a->ntarget, b->target, b->ntarget);
            assert_int_equal(a->label, b->label);
        }
        assert_int_equal(rest.split[SPLIT_VALID].n, 8);
        dataset_close(&whole);
        dataset_close(&rest);
    }
    opts.official = 1;
    opts.files = cache;
    struct dataset d;
    assert_int_equal(open_listed(&d, all[0], &opts), ERR_USAGE);
    assert_non_null(strstr(err_last(), "test.first: 3: official data has no"));
    opts.official = 0;
    opts.test_first = 0;
}

static void subtasks(void **state)
{
    struct dataset d;

    (void)state;
    opts.test = 4;
    assert_int_equal(open_listed(&d, &task_glue, &opts), ERR_DATA);
    assert_non_null(strstr(err_last(), "none of the 4 test examples"));
    assert_non_null(strstr(err_last(), "raise 'test'"));
    opts.test = 0;
    assert_int_equal(open_listed(&d, &task_glue, &opts), OK);
    dataset_close(&d);
}

/* Calls f (unless it is NULL) with the path of every prepared file. Returns
 * their number. */
static int each_prepared(void (*f)(const char *path))
{
    char *folder = str_format("%s/prepared", cache);
    DIR *dir = opendir(folder);
    int n = 0;

    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        char *path = str_format("%s/%s", folder, e->d_name);
        if (f)
            f(path);
        free(path);
        n++;
    }
    closedir(dir);
    free(folder);
    return n;
}

static void damage(const char *path)
{
    char *text;
    size_t n;

    assert_int_equal(file_read(&text, &n, path), OK);
    text[n / 2] ^= 4;
    assert_int_equal(file_write(path, text, n), OK);
    free(text);
}

static void cached(void **state)
{
    (void)state;
    for (int t = 0; t < tasks; t++) {
        struct dataset a, b;
        int before = t ? each_prepared(NULL) : 0, files;

        assert_int_equal(open_listed(&a, all[t], &opts), OK);
        files = each_prepared(NULL); /* datasets, often with tokenizers */
        assert_in_range(files - before, 1, 2);
        opts.N += 8;                          /* does not change an example */
        assert_int_equal(open_listed(&b, all[t], &opts), OK);
        assert_int_equal(b.N, a.N + 8);
        assert_string_equal(a.digest, b.digest);
        assert_string_equal(a.source, b.source);
        assert_int_equal(each_prepared(NULL), files);
        dataset_close(&b);
        each_prepared(damage);
        assert_int_equal(open_listed(&b, all[t], &opts), OK);
        assert_string_equal(a.digest, b.digest);
        assert_int_equal(each_prepared(NULL), files);
        dataset_close(&b);
        dataset_close(&a);
    }
}

/* Two processes prepare the same data at the same time. */
static void together(void **state)
{
    pid_t child[2];
    struct dataset d;

    (void)state;
    for (int i = 0; i < 2; i++)
        if (!(child[i] = fork()))
            _exit(open_listed(&d, &task_wmt14_ende, &opts) != OK);
    for (int i = 0; i < 2; i++) {
        int status;

        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(each_prepared(NULL), 2);
    assert_int_equal(open_listed(&d, &task_wmt14_ende, &opts), OK);
    dataset_close(&d);
}

static void refusals(void **state)
{
    (void)state;
    for (int t = 0; t < tasks; t++) {
        struct dataset d;

        opts.length = 65;
        assert_int_equal(open_listed(&d, all[t], &opts), ERR_USAGE);
        opts.length = 48;
        opts.vocab = 60000;
        assert_int_equal(open_listed(&d, all[t], &opts), ERR_DATA);
        opts.vocab = 400;
        opts.cache = "/nonexistent";
        assert_int_equal(open_listed(&d, all[t], &opts), ERR_DATA);
        assert_non_null(strstr(err_last(), "synthbench data fetch"));
        opts.cache = cache;
    }
}

static void too_small(void **state)
{
    (void)state;
    corpus_fill(cache, 10);
    for (int t = 0; t < tasks; t++) {
        struct dataset d;

        if (!strstr(all[t]->source, "Debian package"))
            continue;
        opts.vocab = 290;
        assert_int_equal(open_listed(&d, all[t], &opts), ERR_DATA);
        assert_non_null(strstr(err_last(), all[t]->name));
    }
}

static void described(void **state)
{
    (void)state;
    for (int t = 0; t < tasks; t++) {
        const struct task *k = all[t];

        if (!k->title[0] || !k->cite[0] || !k->source[0] || !k->generator[0] ||
            !k->official[0] || !k->metrics[0])
            fail_msg("task %s lacks a field", k->name);
    }
}

/* Longer inputs have longer targets, up to a maximum. */
static void targets(void **state)
{
    struct task_opts o = {.length = 4};
    int last[LISTED] = {0};

    (void)state;
    for (; o.length <= 600; o.length++)
        for (int t = 0; t < tasks; t++) {
            int target = task_target(all[t], &o);

            if (target < 1 || target > o.length || target < last[t])
                fail_msg("%s: %d of %d, %d before", all[t]->name, target,
                         o.length, last[t]);
            last[t] = target;
        }
}

int main(void)
{
#define CACHE_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        CACHE_TEST("no English sentence is in two splits, not even a template",
                   translation),
        CACHE_TEST("pairs that are too long are dropped, not truncated",
                   long_pairs),
        CACHE_TEST("summaries are whole, articles truncated, and a source is "
                   "in one split", summaries),
        CACHE_TEST("truncated summaries are used only in evaluation",
                   cut_answers),
        CACHE_TEST("a reply follows its previous turn, and a scenario is in "
                   "one split", dialogue),
        CACHE_TEST("each review is in the split of its hash", reviews),
        CACHE_TEST("a missing source affects no other task", a_source_less),
        CACHE_TEST("the lead is the first eight words", lead),
        CACHE_TEST("rows are full and their words add up", language),
        CACHE_TEST("every sentence of the language model appears once",
                   language_once),
        CACHE_TEST("topics are those of the sections, equally many of each",
                   topics),
        CACHE_TEST("texts with holes are cut from the running text", holes),
        CACHE_TEST("the full scale names the files that are missing", official),
        CACHE_TEST("a limit sets the number of examples", limits),
        CACHE_TEST("a later test set can start after the examples of an "
                   "earlier one", kept_back),
        CACHE_TEST("a limit that leaves a subtask no test example is refused",
                   subtasks),
        CACHE_TEST("a prepared file is used again, and is made again if "
                   "damaged", cached),
        CACHE_TEST("two processes may prepare the same thing at once",
                   together),
        CACHE_TEST("missing data and impossible options are refused", refusals),
        CACHE_TEST("text that leaves a split empty is refused", too_small),
        CACHE_TEST("no target is longer than its input", targets),
        {"every task has its title, source and metrics", described, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
