#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/data/dataset.h"
#include "harness/data/pack.h"
#include "harness/data/prepared.h"
#include "harness/data/tokenizer.h"
#include "harness/data/vocabulary.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VOCAB = 310, TEXTS = 4 };

static const char *const text[TEXTS] = {
    "the lighthouse keeper sells the torn mainsail every second winter",
    "the sailmaker sells a crate of salted herring to the keeper",
    "Der Leuchtturmw\xc3\xa4rter verkauft das zerrissene Gro\xc3\x9fsegel",
    "Die Segelmacherin verkauft eine Kiste Salzhering",
};

static struct arena *a;
static const char *model;
static size_t bytes;
static char *cache;

static int setup(void **state)
{
    (void)state;
    a = arena_new();
    cache = scratch_make();
    return tokenizer_train(&model, &bytes, text, TEXTS, VOCAB, a);
}

static int teardown(void **state)
{
    (void)state;
    arena_free(a);
    scratch_remove(cache);
    return 0;
}

static void round_trip(void **state)
{
    static const char *const other[] = {
        "", "x", "never seen: Z\xc3\xbcrich",
        "\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x90\xa7",
        "tab\tand no-break\xc2\xa0space"};
    struct tokenizer *t;
    int n;

    (void)state;
    assert_int_equal(tokenizer_load(&t, model, bytes), OK);
    for (size_t i = 0; i < TEXTS + sizeof other / sizeof *other; i++) {
        const char *s = i < TEXTS ? text[i] : other[i - TEXTS];
        const int *ids = tokenizer_encode(t, s, &n, a);

        for (int j = 0; j < n; j++)
            assert_in_range(ids[j], ID_FIRST, VOCAB - 1);
        assert_string_equal(tokenizer_decode(t, ids, n, a), s);
    }
    tokenizer_free(t);
}

static void special_ids(void **state)
{
    static const int ids[] = {ID_PAD, ID_EOS, ID_PAD};
    struct tokenizer *t;

    (void)state;
    assert_int_equal(tokenizer_load(&t, model, bytes), OK);
    assert_string_equal(tokenizer_decode(t, ids, 3, a), "");
    tokenizer_free(t);
}

static void word_starts(void **state)
{
    struct tokenizer *t;
    int n, words = 0;

    (void)state;
    assert_int_equal(tokenizer_load(&t, model, bytes), OK);
    const int *ids = tokenizer_encode(t, " a  b\xe6\xbc\xa2 c-d  e. ", &n, a);
    for (int i = 0; i < n; i++)
        words += tokenizer_begins_word(t, ids[i]);
    assert_int_equal(words, 4);
    tokenizer_free(t);
}

static void same_model(void **state)
{
    const char *again;
    size_t more;

    (void)state;
    assert_int_equal(tokenizer_train(&again, &more, text, TEXTS, VOCAB, a), OK);
    assert_int_equal(more, bytes);
    assert_memory_equal(again, model, bytes);
}

static void bad_training(void **state)
{
    const char *m;
    size_t n;

    (void)state;
    assert_int_equal(tokenizer_train(&m, &n, text, TEXTS, 30000, a), ERR_DATA);
    assert_int_equal(tokenizer_train(&m, &n, text, TEXTS, 10, a), ERR_DATA);
    assert_int_equal(tokenizer_train(&m, &n, text, 0, VOCAB, a), ERR_DATA);
    assert_non_null(strstr(err_last(), "tokenizer"));
}

static void bad_model(void **state)
{
    struct tokenizer *t;

    (void)state;
    assert_int_equal(tokenizer_load(&t, model, bytes / 2), ERR_DATA);
    assert_null(t);
    assert_int_equal(tokenizer_load(&t, "", 0), ERR_DATA);
}

/* The library would log to stderr. */
static void quiet(void **state)
{
    char *path = str_format("%s/stderr", cache), *said;
    size_t n;

    (void)state;
    fflush(stderr);
    pid_t child = fork();
    if (!child) {
        const char *m;
        int bad = !freopen(path, "w", stderr);

        bad |= tokenizer_train(&m, &n, text, TEXTS, VOCAB, a);
        bad |= !tokenizer_train(&m, &n, text, TEXTS, 30000, a);
        fflush(stderr);
        _exit(bad);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(file_read(&said, &n, path), OK);
    assert_string_equal(said, "");
    free(said);
    free(path);
}

/* Learnt with what the cache has is learnt without it: another number of
 * pieces, another line, the same letters in other lines. */
static void kept_by_content(void **state)
{
    static const char *const other[] = {
        "the lighthouse keeper sells the torn mainsail every second winter",
        "die Segelmacherin verkauft eine Kiste Salzhering"};
    static const char *const moved[] = {
        "the lighthouse keeper sells the torn mainsail every second winterth",
        "e sailmaker sells a crate of salted herring to the keeper"};
    const struct { const char *const *text; size_t n; int pieces; } cases[] = {
        {text, 2, VOCAB}, {text, 2, VOCAB - 3}, {other, 2, VOCAB},
        {moved, 2, VOCAB}, {text, 1, VOCAB - 10}, {text, 2, VOCAB - 10}};

    (void)state;
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const char *got, *want;
            size_t n, m;

            assert_int_equal(vocabulary_learn(&got, &n, cases[i].text,
                                              cases[i].n, cases[i].pieces,
                                              cache, a), OK);
            assert_int_equal(tokenizer_train(&want, &m, cases[i].text,
                                             cases[i].n, cases[i].pieces, a),
                             OK);
            assert_int_equal(n, m);
            assert_memory_equal(got, want, n);
        }
}

/* ---- what is kept ---- */

static void flip(const char *path, size_t at)
{
    char *file;
    size_t n;

    assert_int_equal(file_read(&file, &n, path), OK);
    file[at < n ? at : n - 1] ^= 1;
    assert_int_equal(file_write(path, file, n), OK);
    free(file);
}

static int is_prepared(size_t *n)
{
    struct prepared p;
    int rc = prepared_open(&p, cache, "key", "kind");

    *n = p.bytes;
    if (rc == 1 && p.bytes == bytes)
        assert_memory_equal(p.data, model, bytes);
    prepared_close(&p);
    return rc;
}

static void prepared(void **state)
{
    static const size_t place[] = {0, 25, 200, SIZE_MAX};
    char *path = str_format("%s/prepared/key.kind", cache);
    size_t n;

    (void)state;
    assert_int_equal(is_prepared(&n), 0);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        assert_int_equal(prepared_put(model, bytes, cache, "key", "kind"), OK);
        assert_int_equal(is_prepared(&n), 1);
        assert_int_equal(n, bytes);
        flip(path, place[i]);
        assert_int_equal(is_prepared(&n), 0);
    }
    assert_int_equal(file_write(path, "synth", 5), OK);
    assert_int_equal(is_prepared(&n), 0);
    assert_int_equal(prepared_put("", 0, cache, "key", "kind"), OK);
    assert_int_equal(is_prepared(&n), 1);
    assert_int_equal(n, 0);
    free(path);
}

static int count_files(const char *pattern)
{
    char *all = str_format("%s/prepared/%s", cache, pattern);
    glob_t found;
    int n = glob(all, 0, NULL, &found) ? 0 : (int)found.gl_pathc;

    globfree(&found);
    free(all);
    return n;
}

/* The path of a cache may hold what a pattern of names would. */
static void leftovers(void **state)
{
    const struct timespec then[2] = {{0, 0}, {0, 0}};
    char *odd = str_format("%s/a[1]*?", cache);
    char *left = str_format("%s/prepared/key.kind.5eed0123.1.tmp", odd);

    (void)state;
    assert_int_equal(prepared_put("", 0, odd, "key", "kind"), OK);
    assert_int_equal(file_write(left, "half", 4), OK);
    assert_int_equal(utimensat(AT_FDCWD, left, then, 0), 0);
    assert_int_equal(prepared_put("", 0, odd, "key", "kind"), OK);
    assert_int_equal(file_exists(left), 0);
    free(left);
    free(odd);
}

static void dropped(void **state)
{
    struct preparing *p;

    (void)state;
    assert_int_equal(preparing_begin(&p, cache, "key", "kind"), OK);
    assert_int_equal(preparing_add(p, "abc", 3), OK);
    assert_int_equal(count_files("*"), 1);
    preparing_drop(p);
    assert_int_equal(count_files("*"), 0);
}

/* As two containers do whose processes have the same number. */
static void prepared_twice_at_once(void **state)
{
    struct preparing *one, *two;
    struct prepared p;

    (void)state;
    assert_int_equal(preparing_begin(&one, cache, "twice", "kind"), OK);
    assert_int_equal(preparing_begin(&two, cache, "twice", "kind"), OK);
    assert_int_equal(preparing_add(one, "abc", 3), OK);
    assert_int_equal(preparing_add(two, "abc", 3), OK);
    assert_int_equal(preparing_end(two), OK);
    assert_int_equal(preparing_end(one), OK);
    assert_int_equal(prepared_open(&p, cache, "twice", "kind"), 1);
    assert_memory_equal(p.data, "abc", 3);
    prepared_close(&p);
    assert_int_equal(count_files("twice.*.tmp"), 0);
}

static void left_behind(void **state)
{
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    char *mine, *folder = str_format("%s/prepared", cache);

    (void)state;
    assert_int_equal(file_mkdirs(folder), OK);
    mine = str_format("%s/key.kind.5eed0123.7.tmp", folder);
    assert_int_equal(file_write(mine, "x", 1), OK);
    assert_int_equal(prepared_put("x", 1, cache, "key", "kind"), OK);
    assert_int_equal(count_files("*.tmp"), 1); /* somebody is at it */
    assert_int_equal(utimensat(AT_FDCWD, mine, old, 0), 0);
    assert_int_equal(prepared_put("x", 1, cache, "key", "kind"), OK);
    assert_int_equal(count_files("*.tmp"), 0);
    free(mine);
    free(folder);
}

static void unwritable(void **state)
{
    char *path = str_format("%s/prepared", cache);

    (void)state;
    assert_int_equal(file_write(path, "", 0), OK); /* a file, not a folder */
    assert_int_equal(prepared_put("x", 1, cache, "key", "kind"), ERR_USAGE);
    assert_non_null(strstr(err_last(), path));
    free(path);
}

static void packing(void **state)
{
    static const int source[] = {5, 6, ID_EOS}, target[] = {8, ID_EOS};
    struct example row[] = {{.source = source, .target = target, .nsource = 3,
                             .ntarget = 2, .label = 7, .words = 2,
                             .subtask = 4, .group = 6, .text = "text"},
                            {.source = source, .nsource = 3, .label = 2}};
    struct dataset d = {.kind = TASK_TRANSDUCE,
                        .vocab = 9,
                        .classes = 3,
                        .source = "where from",
                        .subset = 1,
                        .memory = arena_new()};
    struct dataset e = {.memory = arena_new()};
    struct packing p = {.count = {[SPLIT_VALID] = {.dropped = 4,
                                                   .truncated = 5}}};

    (void)state;
    d.split[SPLIT_VALID] =
        (struct examples){.n = 2, .row = row, .dropped = 4, .truncated = 5};
    assert_int_equal(preparing_begin(&p.to, cache, "key", "kind"), OK);
    assert_int_equal(pack_begin(&p, &d, model, bytes), OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pack_example(&p, SPLIT_VALID, &row[i]), OK);
    assert_int_equal(pack_end(&p, &d), OK);
    assert_int_equal(preparing_end(p.to), OK);
    assert_int_equal(prepared_open(&e.file, cache, "key", "kind"), 1);
    assert_int_equal(unpack_dataset(&e), OK);
    dataset_seal(&d);
    dataset_seal(&e);
    assert_string_equal(e.digest, d.digest);
    assert_string_equal(e.source, "where from");
    assert_int_equal(e.kind, TASK_TRANSDUCE);
    assert_int_equal(e.vocab, 9);
    assert_int_equal(e.subset, 1);
    assert_int_equal(e.classes, 3);
    assert_non_null(e.tokenizer);
    const struct examples *got = &e.split[SPLIT_VALID];
    assert_int_equal(got->dropped, 4);
    assert_int_equal(got->truncated, 5);
    assert_int_equal(got->row[0].label, 7);
    assert_int_equal(got->row[0].words, 2);
    assert_int_equal(got->row[0].subtask, 4);
    assert_int_equal(got->row[0].group, 6);
    assert_string_equal(got->row[0].text, "text");
    assert_null(got->row[1].target);
    assert_null(got->row[1].text);
    dataset_close(&d);
    dataset_close(&e);
}

int main(void)
{
#define MODEL_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        MODEL_TEST("what is encoded decodes to the same text, by bytes if "
                   "need be",
                   round_trip),
        MODEL_TEST("pad and eos are no text", special_ids),
        MODEL_TEST("pieces tell where words begin", word_starts),
        MODEL_TEST("the same text gives the same model", same_model),
        MODEL_TEST("a tokenizer is taken from the cache for its own text alone",
                   kept_by_content),
        MODEL_TEST("a vocabulary that the text cannot give is refused",
                   bad_training),
        MODEL_TEST("a damaged model is refused", bad_model),
        MODEL_TEST("training says nothing on stderr", quiet),
        MODEL_TEST("a damaged file is not taken from the cache", prepared),
        MODEL_TEST("what a killed process left goes, whatever the cache is "
                   "named", leftovers),
        MODEL_TEST("what is not finished leaves no file", dropped),
        MODEL_TEST("two that prepare the same at once both end well, though "
                   "their processes have one number",
                   prepared_twice_at_once),
        MODEL_TEST("what a killed process left behind is swept away, but not "
                   "what is being written",
                   left_behind),
        MODEL_TEST("a cache that cannot be written is named", unwritable),
        MODEL_TEST("a dataset comes back from its package", packing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
