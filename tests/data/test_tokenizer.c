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

/* Training must not let the library log to stderr. */
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

/* A tokenizer from the cache equals one trained without it, and the cache
 * distinguishes texts and sizes: another number of pieces, another line, the
 * same letters divided differently into lines. */
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

/* ---- the cache ---- */

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

/* The end of a file can be read alone.  Files of an earlier format, and what is
 * no file, have none. */
static void last_bytes(void **state)
{
    char *path = str_format("%s/prepared/key.kind", cache);
    char *folder = str_format("%s/prepared/folder.kind", cache), *all;
    char end[11] = "";
    struct prepared p;
    size_t n;
    int counts[SPLITS];

    (void)state;
    assert_int_equal(prepared_last(end, 4, cache, "key", "kind"), 0);
    assert_int_equal(prepared_put("0123456789", 10, cache, "key", "kind"), OK);
    assert_int_equal(prepared_last(end, 4, cache, "key", "kind"), 1);
    assert_memory_equal(end, "6789", 5);
    assert_int_equal(prepared_last(end, 11, cache, "key", "kind"), 0);
    assert_int_equal(prepared_last(end, 10, cache, "key", "kind"), 1);
    assert_memory_equal(end, "0123456789", 11);
    assert_int_equal(file_read(&all, &n, path), OK);
    *strchr(all, '2') = '1'; /* the number of the format */
    assert_int_equal(file_write(path, all, n), OK);
    assert_int_equal(prepared_last(end, 4, cache, "key", "kind"), 0);
    assert_int_equal(prepared_open(&p, cache, "key", "kind"), 0);
    assert_int_equal(file_mkdirs(folder), OK);
    assert_int_equal(prepared_last(end, 4, cache, "folder", "kind"), ERR_IO);
    assert_int_equal(prepared_open(&p, cache, "folder", "kind"), ERR_IO);
    assert_int_equal(packed_counts(counts, cache, "key"), 0);
    char other[400] = {0}; /* no format has the number 0 */
    assert_int_equal(prepared_put(other, sizeof other, cache, "key",
                                  "dataset"), OK);
    assert_int_equal(packed_counts(counts, cache, "key"), 0);
    free(all);
    free(folder);
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

static char *only_file(const char *pattern)
{
    char *all = str_format("%s/prepared/%s", cache, pattern);
    glob_t found;

    assert_int_equal(glob(all, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    char *path = str_copy(*found.gl_pathv);
    globfree(&found);
    free(all);
    return path;
}

/* Leftovers are found even if the path of the cache contains characters of a
 * file name pattern. */
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

/* Two containers can prepare the same data with processes of the same pid. */
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
    struct preparing *slow;

    (void)state;
    assert_int_equal(file_mkdirs(folder), OK);
    mine = str_format("%s/key.kind.5eed0123.7.tmp", folder);
    assert_int_equal(file_write(mine, "x", 1), OK);
    assert_int_equal(prepared_put("x", 1, cache, "key", "kind"), OK);
    assert_int_equal(count_files("*.tmp"), 1); /* it was just created */
    assert_int_equal(utimensat(AT_FDCWD, mine, old, 0), 0);
    assert_int_equal(prepared_put("x", 1, cache, "key", "kind"), OK);
    assert_int_equal(count_files("*.tmp"), 0);
    free(mine);
    assert_int_equal(preparing_begin(&slow, cache, "key", "kind"), OK);
    mine = only_file("*.tmp");
    assert_int_equal(utimensat(AT_FDCWD, mine, old, 0), 0);
    assert_int_equal(prepared_put("x", 1, cache, "key", "kind"), OK);
    assert_int_equal(count_files("*.tmp"), 1);
    assert_int_equal(preparing_end(slow), OK);
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

/* Returns row i of a dataset whose largest id is `most`. */
static struct example made_row(int i, int most)
{
    struct example e = {.nsource = i % 3, .ntarget = i % 2 ? 5 + i % 2 : 0,
                        .label = 7 * i, .words = i, .subtask = i % 4,
                        .group = 6 - i, .text = i % 4 == 1 ? text[i % TEXTS]
                                                           : NULL};
    int *ids = arena_take(a, 16 * sizeof *ids);

    for (int k = 0; k < 16; k++)
        ids[k] = k % 2 ? most : i + k;
    e.source = e.nsource ? ids : NULL;
    e.target = e.ntarget ? ids + e.nsource : NULL;
    return e;
}

static void same_ids(const int *x, const int *y, int n)
{
    assert_int_equal(!x, !y);
    if (n)
        assert_memory_equal(x, y, (size_t)n * sizeof *x);
}

static void same_row(const struct examples *got, int i,
                     const struct example *want)
{
    const struct example x = examples_row(got, i, a);
    const struct example head = examples_row(got, i, NULL);

    assert_int_equal(x.nsource, want->nsource);
    assert_int_equal(x.ntarget, want->ntarget);
    same_ids(x.source, want->source, x.nsource);
    same_ids(x.target, want->target, x.ntarget);
    assert_int_equal(x.label, want->label);
    assert_int_equal(x.words, want->words);
    assert_int_equal(x.subtask, want->subtask);
    assert_int_equal(x.group, want->group);
    assert_int_equal(!x.text, !want->text);
    if (x.text)
        assert_string_equal(x.text, want->text);
    assert_null(head.source);
    assert_null(head.target);
    assert_int_equal(head.ntarget, want->ntarget);
}

/* Writes rows in blocks of two, reads them back and compares them. */
static void through_a_file(int vocab)
{
    enum { ROWS = 11 };
    struct example row[ROWS];
    struct dataset d = {.kind = TASK_TRANSDUCE,
                        .vocab = vocab,
                        .classes = 3,
                        .source = "where from",
                        .subset = 1,
                        .memory = arena_new()};
    struct dataset e = {.memory = arena_new()};
    struct packing p = {.count = {[SPLIT_VALID] = {.dropped = 4,
                                                   .truncated = 5}}};
    struct examples *in = &d.split[SPLIT_VALID], *got = &e.split[SPLIT_VALID];

    *in = (struct examples){.n = ROWS, .row = row};
    assert_int_equal(preparing_begin(&p.to, cache, "key", "kind"), OK);
    assert_int_equal(pack_begin(&p, &d, model, bytes), OK);
    for (int i = 0; i < ROWS; i += 2) {
        int n = i + 2 < ROWS ? 2 : ROWS - i;
        size_t size;

        for (int k = i; k < i + n; k++)
            row[k] = made_row(k, vocab - 1);
        const void *block = pack_rows(&size, row + i, n, vocab, a);
        assert_int_equal(pack_add(&p, SPLIT_VALID, block, size, n), OK);
    }
    assert_int_equal(pack_end(&p, &d), OK);
    assert_int_equal(preparing_end(p.to), OK);
    p.to = NULL;
    pack_drop(&p);
    assert_int_equal(prepared_open(&e.file, cache, "key", "kind"), 1);
    assert_int_equal(unpack_dataset(&e), OK);
    dataset_seal(&d);
    dataset_seal(&e);
    assert_string_equal(e.digest, d.digest);
    assert_string_equal(e.source, "where from");
    assert_int_equal(e.kind, TASK_TRANSDUCE);
    assert_int_equal(e.vocab, vocab);
    assert_int_equal(e.subset, 1);
    assert_int_equal(e.classes, 3);
    assert_non_null(e.tokenizer);
    assert_int_equal(got->n, ROWS);
    assert_int_equal(got->dropped, 4);
    assert_int_equal(got->truncated, 5);
    assert_int_equal(got->tokens, in->tokens);
    for (int i = 0; i < ROWS; i++)
        same_row(got, i, &row[i]);
    dataset_close(&d);
    dataset_close(&e);
}

static size_t size_of_file(void)
{
    char *path = str_format("%s/prepared/key.kind", cache);
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    free(path);
    return (size_t)st.st_size;
}

/* Ids up to 65,535 take two bytes each, larger ones four. */
static void packing(void **state)
{
    (void)state;
    through_a_file(1 << 16);
    size_t narrow = size_of_file();
    through_a_file((1 << 16) + 1);
    assert_true(size_of_file() > narrow);
}

/* A blank ends a word; so does U+2581, SentencePiece's mark for a blank, if the
 * text contains it. Encoding with cached words must have the same result as
 * encoding the whole text with SentencePiece. */
static void words_and_texts(void **state)
{
    static const char *const texts[] = {
        "  the  keeper sells the torn keeper ", "the\xe2\x96\x81keeper",
        "keeper\xe2\x96\x81 the", "\xe2\x96\x81 sells", "torn\tsells\nthe",
        "\xff torn\xc3 sells", " ", "",
        ("averyveryveryveryveryveryveryveryveryveryvery"
         "longlonglonglonglongword the")};
    struct tokenizer *t;
    int n, m;

    (void)state;
    assert_int_equal(tokenizer_load(&t, model, bytes), OK);
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            const int *ids = tokenizer_encode(t, texts[i], &n, a);
            const int *whole = tokenizer_encode_whole(t, texts[i], &m, a);

            assert_int_equal(n, m);
            if (n)
                assert_memory_equal(ids, whole, (size_t)n * sizeof *ids);
        }
    tokenizer_free(t);
}

int main(void)
{
#define MODEL_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        MODEL_TEST("an encoded text decodes to the same text, by bytes if "
                   "necessary", round_trip),
        MODEL_TEST("encoding word by word, cached or not, equals encoding "
                   "whole texts", words_and_texts),
        MODEL_TEST("pad and eos decode to no text", special_ids),
        MODEL_TEST("pieces state where words begin", word_starts),
        MODEL_TEST("the same text gives the same model", same_model),
        MODEL_TEST("a tokenizer is taken from the cache only for its own text",
                   kept_by_content),
        MODEL_TEST("a vocabulary that is too large for the text is refused",
                   bad_training),
        MODEL_TEST("a damaged model is refused", bad_model),
        MODEL_TEST("training says nothing on stderr", quiet),
        MODEL_TEST("a damaged file is not taken from the cache", prepared),
        MODEL_TEST("the end of a file is read alone, if its format is ours",
                   last_bytes),
        MODEL_TEST("the file of a killed process is removed, for any name of "
                   "the cache", leftovers),
        MODEL_TEST("a file that is not finished is removed", dropped),
        MODEL_TEST("two processes with the same number can prepare the same "
                   "file at once", prepared_twice_at_once),
        MODEL_TEST("the file of a killed process is removed, unlike a file "
                   "that is being written", left_behind),
        MODEL_TEST("a cache that cannot be written is named", unwritable),
        MODEL_TEST("a dataset is read back from its package, with ids of two "
                   "or four bytes", packing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
