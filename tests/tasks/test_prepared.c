/* Prepared data of a task: their key, the training text of the tokenizer, and
 * completeness of running text. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/base/map.h"
#include "harness/data/tokenizer.h"
#include "harness/tasks/recipe.h"
#include "harness/tasks/sample.h"
#include "harness/tasks/span.h"
#include "tests/support/corpus.h"
#include "tests/support/dataset_rows.h"
#include "tests/support/recipe_next.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

static char *cache;
static struct task_opts opts;
static int taken; /* times that other prepared data were used */

static int setup(void **state)
{
    (void)state;
    taken = 0;
    cache = scratch_make();
    opts = (struct task_opts){.N = 160, .length = 48, .vocab = 400,
                              .cache = cache};
    corpus_fill(cache, 600);
    corpus_fill_others(cache);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(cache);
    return 0;
}

static void open_task(struct dataset *d, const struct task *t)
{
    if (open_listed(d, t, &opts) < 0)
        fail_msg("%s", err_last());
}

/* ---- the key ---- */

static int datasets(void)
{
    char *pattern = str_format("%s/prepared/*.dataset", cache);
    glob_t found;
    int n = glob(pattern, 0, NULL, &found) ? 0 : (int)found.gl_pathc;

    globfree(&found);
    free(pattern);
    return n;
}

/* Opens a dataset and checks that it was not prepared before. `hex` receives
 * its digest. */
static void prepares(const char *what, const struct task *t, char *hex)
{
    int before = datasets();
    struct dataset d;

    open_task(&d, t);
    if (datasets() != before + 1) {
        print_error("%s: data prepared for other options are used\n", what);
        taken++;
        dataset_close(&d);
        return;
    }
    assert_int_equal(d.vocab, opts.vocab);
    for (int s = 0; s < SPLITS; s++)
        for (int i = 0; i < d.split[s].n; i++)
            assert_in_range(d.split[s].row[i].nsource, 1, opts.length);
    snprintf(hex, HASH_HEX, "%s", d.digest);
    dataset_close(&d);
}

static void options(void **state)
{
    const struct task_opts base = opts;
    char first[HASH_HEX], hex[HASH_HEX] = "";
    static const struct { const char *what; size_t at; int value; } changes[] =
        {{"vocab", offsetof(struct task_opts, vocab), 390},
         {"length", offsetof(struct task_opts, length), 20},
         {"train", offsetof(struct task_opts, train), 60},
         {"valid", offsetof(struct task_opts, valid), 6},
         {"test", offsetof(struct task_opts, test), 5},
         {"test.first", offsetof(struct task_opts, test_first), 5}};

    (void)state;
    prepares("the first", &task_wmt14_ende, first);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        opts = base;
        memcpy((char *)&opts + changes[i].at, &changes[i].value, sizeof(int));
        prepares(changes[i].what, &task_wmt14_ende, hex);
        assert_string_not_equal(hex, first);
    }
    opts = base;
    prepares("another task", &task_cnndm, hex);
    prepares("a third task of the same files", &task_agnews, hex);
    assert_int_equal(taken, 0);
}

static void version(void **state)
{
    struct dataset now, then;

    (void)state;
    open_task(&now, &task_c4);
    assert_int_equal(datasets(), 1);
    assert_int_equal(recipe_next_open(&then, &task_c4, &opts), OK);
    assert_int_equal(datasets(), 2);
    assert_string_equal(now.digest, then.digest); /* the recipe is the same */
    dataset_close(&now);
    dataset_close(&then);
}

/* Replaces the first full stop at the end of a line or element by "!". */
static void change(const char *path)
{
    char *text;
    size_t n, i = 1;

    assert_int_equal(file_read(&text, &n, path), OK);
    while (i < n && (text[i - 1] != '.' || (text[i] != '\n' && text[i] != '<')))
        i++;
    assert_true(i < n);
    text[i - 1] = '!';
    assert_int_equal(file_write(path, text, n), OK);
    free(text);
}

static void bytes(void **state)
{
    char *german = str_format("%s/apt/Translation-de", cache);
    char *manifest = str_format("%s/apt/manifest", cache);
    char first[HASH_HEX], hex[HASH_HEX];
    struct dataset d;

    (void)state;
    prepares("the first", &task_wmt14_ende, first);
    change(german);
    opts.vocab = 390; /* as if fetched, not yet prepared */
    assert_int_equal(open_listed(&d, &task_wmt14_ende, &opts), ERR_DATA);
    assert_non_null(strstr(err_last(), "differs from the fetched file"));
    opts.vocab = 400;
    assert_int_equal(unlink(manifest), 0);
    prepares("other bytes", &task_wmt14_ende, hex);
    assert_int_equal(taken, 0);
    assert_string_not_equal(hex, first);
    free(german);
    free(manifest);
}

/* Each official file affects the key, whatever its split. The tokenizer of glue
 * is trained on c4. */
static void official(void **state)
{
    static const char *const files[] = {
        "wmt14_ende/training/europarl-v7.de-en.de",
        "wmt14_ende/dev/newstest2013.de",
        "wmt14_ende/dev/newstest2014-deen-src.de.sgm"};
    char *folder = str_format("%s/files", cache);
    char *copy = str_format("cp -R tests/data/fixtures %s", folder);
    char *c4 = str_format("cd %s/c4/en; f=$(ls c4-train*.gz | head -n 1); "
                          "gzip -dc $f | sed '1s/\\. /! /' >t; "
                          "gzip -c t >$f; rm t", folder);
    char hex[HASH_HEX];

    (void)state;
    assert_int_equal(system(copy), 0);
    opts.official = 1;
    opts.files = folder;
    opts.vocab = 340;
    opts.length = opts.N;
    prepares("the first", &task_wmt14_ende, hex);
    for (int i = 0; i < 3; i++) {
        char *path = str_format("%s/%s", folder, files[i]);

        change(path);
        prepares(files[i], &task_wmt14_ende, hex);
        free(path);
    }
    prepares("the first", &task_glue, hex);
    assert_int_equal(system(c4), 0);
    prepares("c4", &task_glue, hex);
    assert_int_equal(taken, 0);
    free(folder);
    free(copy);
    free(c4);
}

static void counts(void **state)
{
    enum { END = 15 * sizeof(int) }; /* last int[16] of pack.h, without the
                                        format */
    char *folder = str_format("%s/files", cache), *data;
    char *copy = str_format("cp -R tests/data/fixtures %s", folder);
    struct dataset d;
    glob_t found;
    size_t bytes;
    int n[SPLITS];

    (void)state;
    assert_int_equal(system(copy), 0);
    opts.official = 1;
    opts.files = folder;
    opts.vocab = 340;
    assert_int_equal(recipe_counts(n, &task_lm1b, &opts), 0);
    open_task(&d, &task_lm1b);
    assert_int_equal(recipe_counts(n, &task_lm1b, &opts), 1);
    for (int s = 0; s < SPLITS; s++)
        assert_int_equal(n[s], d.split[s].n);
    dataset_close(&d);
    char *pattern = str_format("%s/prepared/*.dataset", cache);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    assert_int_equal(file_read(&data, &bytes, *found.gl_pathv), OK);
    /* set all of these ints to -1 */
    memset(data + bytes - sizeof(int) - END, 0xff, END);
    assert_int_equal(file_write(*found.gl_pathv, data, bytes), OK);
    assert_int_equal(recipe_counts(n, &task_lm1b, &opts), 0);
    globfree(&found);
    free(pattern);
    free(data);
    free(folder);
    free(copy);
}

/* The file has a correct digest, but its last int is a small number, as in
 * earlier formats, instead of FORMAT (pack.c). */
static void earlier_format(void **state)
{
    static const int old[64] = {[63] = 3};
    struct dataset first, again;
    char key[HASH_HEX];
    glob_t found;
    int n[SPLITS];

    (void)state;
    opts.official = 1;
    opts.files = "tests/data/fixtures";
    opts.length = opts.N;
    opts.vocab = 340;
    open_task(&first, &task_wmt14_ende);
    char *pattern = str_format("%s/prepared/*.dataset", cache);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    snprintf(key, sizeof key, "%s", str_base(*found.gl_pathv));
    assert_int_equal(prepared_put(old, sizeof old, cache, key, "dataset"), OK);
    assert_int_equal(recipe_counts(n, &task_wmt14_ende, &opts), 0);
    assert_int_equal(recipe_prepared(&again, &task_wmt14_ende, &opts), 0);
    dataset_close(&again);
    open_task(&again, &task_wmt14_ende);
    assert_string_equal(again.digest, first.digest);
    assert_int_equal(recipe_counts(n, &task_wmt14_ende, &opts), 1);
    assert_int_equal(n[SPLIT_TRAIN], first.split[SPLIT_TRAIN].n);
    dataset_close(&first);
    dataset_close(&again);
    globfree(&found);
    free(pattern);
}

/* Held-out rows are selected by their text, so equal rows are held out
 * together. */
static void held_back(void **state)
{
    struct map *split = map_new();
    char *file = str_format("%s/ag_news_csv/train.csv", cache);
    struct text rows = {0};
    struct dataset d;

    (void)state;
    for (int i = 0; i < 580; i++) {
        char *row = str_format("%d,tide,the ship number %d\n", i % 290 % 4 + 1,
                               i % 290);

        text_put(&rows, row);
        free(row);
    }
    *strrchr(file, '/') = 0;
    assert_int_equal(file_mkdirs(file), OK);
    file[strlen(file)] = '/';
    assert_int_equal(file_write(file, rows.s, rows.n), OK);
    strcpy(strrchr(file, '/'), "/test.csv");
    assert_int_equal(file_write(file, "1,a,b\n", 6), OK);
    opts.official = 1;
    opts.files = cache;
    opts.vocab = 290;
    open_task(&d, &task_agnews);
    for (int s = 0; s < SPLIT_TEST; s++)
        for (int i = 0; i < d.split[s].n; i++) {
            const struct example *r = &d.split[s].row[i];
            const char *text = dataset_text(&d, r->source, r->nsource,
                                            d.memory);

            map_add(split, text, s);
            assert_int_equal(map_get(split, text, -1), s);
        }
    assert_true(d.split[SPLIT_VALID].n > 10);
    assert_int_equal(d.split[SPLIT_TRAIN].n + d.split[SPLIT_VALID].n, 580);
    dataset_close(&d);
    text_free(&rows);
    map_free(split);
    free(file);
}

/* ---- the tokenizer ---- */

/* Stores in `hex` the digest of a tokenizer with `pieces` pieces, trained on n
 * texts. */
static void learnt(char hex[HASH_HEX], const char *const *text, size_t n,
                   int pieces)
{
    struct arena *a = arena_new();
    struct tokenizer *t;
    const char *model;
    size_t size;

    assert_int_equal(tokenizer_train(&model, &size, text, n, pieces, a), OK);
    assert_int_equal(tokenizer_load(&t, model, size), OK);
    tokenizer_digest(t, hex);
    tokenizer_free(t);
    arena_free(a);
}

/* The tokenizer is trained on both sides of every training example, in order,
 * and on nothing else. */
static void of_training(const struct dataset *d)
{
    const struct examples *e = &d->split[SPLIT_TRAIN];
    const char **text = calloc(2 * (size_t)e->n, sizeof *text);
    char want[HASH_HEX], got[HASH_HEX];
    size_t n = 0;

    assert_int_equal(e->dropped + e->truncated, 0);
    for (int i = 0; i < e->n; i++) {
        const struct example *r = &e->row[i];

        text[n++] = dataset_text(d, r->source, r->nsource, d->memory);
        if (r->target)
            text[n++] = dataset_text(d, r->target, r->ntarget, d->memory);
    }
    learnt(want, text, n, d->vocab);
    tokenizer_digest(d->tokenizer, got);
    assert_string_equal(got, want);
    free(text);
}

static void learns_from_training(void **state)
{
    static const struct task *const tasks[] = {&task_wmt14_enfr, &task_agnews};
    struct dataset d;

    (void)state;
    opts.length = opts.N;
    for (int i = 0; i < 2; i++) {
        open_task(&d, tasks[i]);
        of_training(&d);
        dataset_close(&d);
    }
    opts.official = 1;
    opts.files = "tests/data/fixtures";
    opts.length = opts.N = 192;
    opts.vocab = 340;
    open_task(&d, &task_wmt14_ende);
    of_training(&d);
    dataset_close(&d);
}

static void sentinels(void **state)
{
    struct dataset c4, glue;
    char its[HASH_HEX], mine[HASH_HEX];

    (void)state;
    open_task(&c4, &task_c4);
    assert_int_equal(tokenizer_pieces(c4.tokenizer) +
                         span_shape(opts.length).spans, c4.vocab);
    open_task(&glue, &task_superglue);
    tokenizer_digest(c4.tokenizer, its);
    tokenizer_digest(glue.tokenizer, mine);
    assert_string_equal(mine, its);
    dataset_close(&c4);
    dataset_close(&glue);
}

/* ---- the sample for the tokenizer ---- */

static void sample_few(void **state)
{
    static const char *const want[] = {"a", "b", "c", "d", "e"};
    struct item row[] = {{.source = "a", .target = "b"}, {.target = "c"},
                         {.source = "d"}, {.target = "e"}, {.target = "f"}};
    struct items all = {.n = 5, .item = row};
    struct sample s = {.most = 5}; /* only 5 bytes are used */
    size_t n;

    (void)state;
    assert_int_equal(items_each(&all, sample_take, &s), OK);
    const char **text = sample_texts(&s, &n);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(text[i], want[i]);
    free(text);
    sample_free(&s);
}

/* Samples n examples, each with a number and `bytes` blanks. Every stride-th
 * example must be kept. */
static void sample_many(int n, int bytes, int stride)
{
    struct sample s = {.most = 0};
    char *text = malloc((size_t)bytes + 16);
    size_t kept;

    memset(text, ' ', (size_t)bytes + 16);
    for (int i = 0; i < n; i++) {
        snprintf(text + bytes, 16, "%d", i);
        assert_int_equal(sample_take(&s, &(struct item){.target = text}), OK);
    }
    const char **got = sample_texts(&s, &kept);
    assert_int_equal(kept, (n + stride - 1) / stride);
    for (size_t i = 0; i < kept; i++)
        assert_int_equal(atoi(got[i] + bytes), (int)i * stride);
    free(got);
    free(text);
    sample_free(&s);
}

/* Above 1,000,000 examples, or above 100,000,000 bytes, every second example is
 * kept. Above twice as many, every fourth one is kept. */
static void sample_thins_out(void **state)
{
    (void)state;
    sample_many(1000, 0, 1);
    sample_many(1000500, 0, 2);
    sample_many(150, 1000000, 2);
    sample_many(250, 1000000, 4);
}

/* ---- running text ---- */

/* Writes the ids of a row as they were before spans were masked, by putting the
 * spans in the target back into the source. Returns the number of ids. */
static int put_back(int *to, const struct dataset *d, const struct example *r)
{
    int pieces = tokenizer_pieces(d->tokenizer), n = 0;
    const int *hidden = r->target;

    for (int i = 0; i < r->nsource - 1; i++) {
        if (r->source[i] < pieces) {
            to[n++] = r->source[i];
            continue;
        }
        for (hidden++; *hidden < pieces && *hidden != ID_EOS;)
            to[n++] = *hidden++;
    }
    return n;
}

/* Returns the text of all rows of a split, with a blank for each end mark. */
static char *whole(const struct dataset *d, const struct examples *e)
{
    struct text all = {0};
    size_t most = 2 * (size_t)e->n * (size_t)opts.length, n = 0, from = 0;
    int *ids = malloc(most * sizeof *ids);

    text_clear(&all);
    for (int i = 0; i < e->n; i++) {
        const struct example *r = &e->row[i];

        if (r->source) {
            n += (size_t)put_back(ids + n, d, r);
        } else {
            memcpy(ids + n, r->target, (size_t)r->ntarget * sizeof *ids);
            n += (size_t)r->ntarget;
        }
    }
    for (; from < n; from++) {
        text_put(&all, from ? " " : "");
        text_put(&all, dataset_text(d, ids + from, (int)(n - from),
                                    d->memory));
        while (from < n && ids[from] != ID_EOS)
            from++;
    }
    free(ids);
    return all.s;
}

/* If the masked spans of c4 are put back, its rows are the text of lm1b, except
 * for the end. */
static void one_text(void **state)
{
    struct dataset c4, lm;

    (void)state;
    open_task(&c4, &task_c4);
    open_task(&lm, &task_lm1b);
    for (int s = 0; s < SPLITS; s++) {
        char *x = whole(&c4, &c4.split[s]), *y = whole(&lm, &lm.split[s]);
        size_t n = strlen(x), m = strlen(y);
        size_t both = n < m ? n : m;

        assert_true(both + 200 > (n > m ? n : m));
        if (memcmp(x, y, both))
            fail_msg("%s: '%.200s', but lm1b has '%.200s'", split_name[s], x,
                     y);
        free(x);
        free(y);
    }
    dataset_close(&c4);
    dataset_close(&lm);
}

int main(void)
{
#define CACHE_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        CACHE_TEST("data are prepared anew for every option that changes them",
                   options),
        CACHE_TEST("data are prepared anew for another version of recipes",
                   version),
        CACHE_TEST("data are prepared anew for other bytes of the source",
                   bytes),
        CACHE_TEST("data are prepared anew for another official file of any "
                   "split",
                   official),
        CACHE_TEST("examples of prepared files are counted without reading "
                   "them, and no number below 0 is believed",
                   counts),
        CACHE_TEST("what an earlier version prepared in another format is "
                   "prepared again",
                   earlier_format),
        CACHE_TEST("no text is held back and trained on", held_back),
        CACHE_TEST("a tokenizer learns from both sides of training alone",
                   learns_from_training),
        CACHE_TEST("pieces and sentinels are the vocabulary, glue's are c4's",
                   sentinels),
        {"the sample of a tokenizer is every text, in order", sample_few, NULL,
         NULL, NULL},
        {"of very many texts, every second or fourth is sampled",
         sample_thins_out, NULL, NULL, NULL},
        CACHE_TEST("rows with holes filled are the running text", one_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
