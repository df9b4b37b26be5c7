/* Data prepared by several threads: the prepared file and the errors must be
 * the same as with one thread. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/tasks/task.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASK(name) extern const struct task task_##name;
#include "harness/tasks/list.h"
#undef TASK

enum { LENGTH = 64, VOCAB = 310, SHARDS = 4, MANY = 9, LINES = 4500,
       BAD_LINE = 4321 };

static const int threads[] = {1, 2, 5};
#define VALIDATION "c4/en/c4-validation.00000-of-00008.json"
enum { WAYS = sizeof threads / sizeof *threads };

static char *folder, *caches;
static struct task_opts opts;

/* ---- texts of about 1.5 MB: six lots of 256 KiB (rows.h) ---- */

static unsigned drawn;

static unsigned draw_below(unsigned below)
{
    drawn = drawn * 1664525 + 1013904223;
    return (drawn >> 8) % below;
}

/* Adds a line with frequent words, words that occur once, and many blanks. */
static void put_line(struct text *t, const char *mark)
{
    static const char *const word[] = {"ahoy", "tide,", "bell", "herring.",
                                       "mast", "fog", "Rope"};
    unsigned n = 4 + draw_below(20);

    text_format(t, "%s", mark);
    for (unsigned i = 0; i < n; i++) {
        if (draw_below(12))
            text_format(t, " %s", word[draw_below(7) * draw_below(7) / 6]);
        else
            text_format(t, "  %x", draw_below(1 << 20));
    }
}

static void put_file(const char *name, const struct text *t)
{
    char *path = str_format("%s/%s", folder, name);

    *strrchr(path, '/') = 0;
    assert_int_equal(file_mkdirs(path), OK);
    path[strlen(path)] = '/';
    assert_int_equal(file_write(path, t->s, t->n), OK);
    free(path);
}

/* Writes a shard of n lines. Line number `bad`, from 1, is invalid; if `bad` is
 * 0, all are valid. */
static void put_shard(const char *name, int n, int bad, int json)
{
    struct text t = {0};

    text_clear(&t);
    for (int i = 1; i <= n; i++) {
        text_put(&t, json ? "{\"text\": \"" : "");
        put_line(&t, json ? "" : i == bad ? "\xff" : "the");
        text_put(&t, json && i != bad ? "\"}\n" : "\n");
    }
    put_file(name, &t);
    text_free(&t);
}

static void zip(const char *pattern)
{
    char *command = str_format("gzip -f %s/%s", folder, pattern);

    assert_int_equal(system(command), 0);
    free(command);
}

/* Writes training shards. In shard number `bad`, from 1, line BAD_LINE is
 * damaged. */
static void put_c4(int shards, int bad)
{
    for (int i = 0; i < shards; i++) {
        char *name = str_format("c4/en/c4-train.%05d-of-01024.json", i);

        put_shard(name, LINES, i + 1 == bad ? BAD_LINE : 0, 1);
        free(name);
    }
    put_shard(VALIDATION, 200, 0, 1);
    zip("c4/en/*.json");
}

static void put_lm1b(void)
{
    static const char *const shard[] = {
        "training-monolingual.tokenized.shuffled/news.en-00001",
        "training-monolingual.tokenized.shuffled/news.en-00002",
        "heldout-monolingual.tokenized.shuffled/news.en.heldout-00000",
        "heldout-monolingual.tokenized.shuffled/news.en.heldout-00001"};
    struct text words = {0};

    for (int i = 0; i < 4; i++) {
        char *name = str_format("1-billion-word-language-modeling-benchmark-"
                                "r13output/%s-of-%s", shard[i],
                                i < 2 ? "00100" : "00050");

        put_shard(name, i < 2 ? LINES : 300, 0, 0);
        free(name);
    }
    text_put(&words, "the\nahoy\nbell\nmast\nfog\n");
    put_file("vocab-2016-09-10.txt", &words);
    text_free(&words);
}

static void put_wmt(void)
{
    put_shard("commoncrawl.de-en.en", 2 * LINES, 0, 0);
    put_shard("commoncrawl.de-en.de", 2 * LINES, 0, 0);
    put_shard("dev/newstest2013.en", 60, 0, 0);
    put_shard("dev/newstest2013.de", 60, 0, 0);
    struct text one = {0};
    text_put(&one, "<doc docid=\"x\">\n<seg id=\"1\">the rope</seg>\n</doc>\n");
    put_file("dev/newstest2014-deen-ref.en.sgm", &one);
    put_file("dev/newstest2014-deen-src.de.sgm", &one);
    text_free(&one);
}

static int setup(void **state)
{
    (void)state;
    drawn = 1;
    folder = scratch_make();
    caches = scratch_make();
    opts = (struct task_opts){.official = 1, .N = LENGTH, .length = LENGTH,
                              .vocab = VOCAB, .files = folder};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(folder);
    scratch_remove(caches);
    return 0;
}

/* ---- results of one and several threads ---- */

/* Returns the only file with this suffix among the prepared data of a cache, or
 * NULL. */
static char *only(const char *cache, const char *end)
{
    char *pattern = str_format("%s/prepared/*%s", cache, end), *path = NULL;
    glob_t found;

    if (!glob(pattern, 0, NULL, &found)) {
        assert_int_equal(found.gl_pathc, 1);
        path = str_copy(found.gl_pathv[0]);
        globfree(&found);
    }
    free(pattern);
    return path;
}

static char *cache_of(int way)
{
    return str_format("%s/%d", caches, threads[way]);
}

static void count_files(int way, int datasets)
{
    char *cache = cache_of(way);
    char *data = only(cache, ".dataset"), *left = only(cache, ".tmp");

    assert_int_equal(data != NULL, datasets);
    assert_null(left);
    free(cache);
    free(data);
    free(left);
}

/* Prepares the data in a new process, because OpenMP's threads do not survive a
 * fork. */
static pid_t start(const struct task *t, int way, rlim_t file_bytes)
{
    char *cache = cache_of(way), *why = str_format("%s.why", cache);
    pid_t child = fork();

    if (child)
        goto out;
    struct rlimit most = {file_bytes, file_bytes};
    struct dataset d;
    signal(SIGXFSZ, SIG_IGN);
    if (file_bytes)
        setrlimit(RLIMIT_FSIZE, &most);
    opts.cache = cache;
    opts.threads = threads[way];
    int rc = task_open(&d, t, &opts);
    if (rc < 0)
        file_write(why, err_last(), strlen(err_last()));
    _exit(-rc);
out:
    free(cache);
    free(why);
    return child;
}

/* Prepares the data in a new process. Returns what task_open returned there. */
static int prepare(const struct task *t, int way, rlim_t file_bytes)
{
    pid_t child = start(t, way, file_bytes);
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return -WEXITSTATUS(status);
}

/* Returns the message of an error without the path of the files; the caller
 * frees it. */
static char *why(int way)
{
    char *cache = cache_of(way), *path = str_format("%s.why", cache), *said;

    assert_int_equal(file_read(&said, NULL, path), OK);
    free(cache);
    free(path);
    return said;
}

static void same_file(int way)
{
    char *cache = cache_of(way), *first_cache = cache_of(0);
    char *path = only(cache, ".dataset"), *x, *y;
    char *first = only(first_cache, ".dataset");
    size_t n, m;

    assert_non_null(path);
    assert_int_equal(file_read(&x, &n, first), OK);
    assert_int_equal(file_read(&y, &m, path), OK);
    assert_string_equal(str_base(path), str_base(first));
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
    free(path);
    free(first);
    free(cache);
    free(first_cache);
}

static void clear_caches(void)
{
    scratch_remove(caches);
    caches = scratch_make();
}

/* Checks that every way of preparing writes the same file. Returns the number
 * of training rows. */
static int same_for_all(const struct task *t)
{
    struct dataset d;

    clear_caches();
    for (int way = 0; way < WAYS; way++) {
        if (prepare(t, way, 0) < 0)
            fail_msg("%d threads: %s", threads[way], why(way));
        same_file(way);
        count_files(way, 1);
    }
    opts.cache = cache_of(0);
    opts.threads = 1;
    assert_int_equal(task_open(&d, t, &opts), OK);
    int n = d.split[SPLIT_TRAIN].n;
    dataset_close(&d);
    free((char *)opts.cache);
    return n;
}

/* Two threads process eight lots (rows.h) at a time; c4 has more lots. */
static void same_bytes(void **state)
{
    (void)state;
    put_c4(MANY, 0);
    put_lm1b();
    put_wmt();
    assert_true(same_for_all(&task_c4) > 3000);
    assert_true(same_for_all(&task_lm1b) > 1500);
    assert_true(same_for_all(&task_wmt14_ende) > 1500);
}

/* Returns the number of sentences from which the training rows were cut. */
static int count_sentences(const struct dataset *d)
{
    const struct examples *train = &d->split[SPLIT_TRAIN];
    OWNED(arena_free) struct arena *a = arena_new();
    int n = 0, last = ID_EOS;

    for (int i = 0; i < train->n; i++) {
        struct example e = examples_row(train, i, a);

        for (int k = 0; k < e.ntarget; k++, n += last == ID_EOS)
            last = e.target[k];
    }
    return n + (last != ID_EOS);
}

/* The description of the data says how many lines were read: those with the
 * sentences of the rows, and one more, with which no row was begun. */
static void lines_read(void **state)
{
    struct dataset d;

    (void)state;
    put_lm1b();
    opts.train = 1000;
    opts.valid = 7;
    opts.cache = caches;
    assert_int_equal(task_open(&d, &task_lm1b, &opts), OK);
    char *want = str_format(", %d of 30301028 training rows",
                            count_sentences(&d) + 1);
    if (!strstr(d.source, want))
        fail_msg("'%s' has no '%s'", d.source, want);
    free(want);
    dataset_close(&d);
}

static void limits(void **state)
{
    (void)state;
    put_c4(SHARDS, 0);
    put_lm1b();
    put_wmt();
    opts.train = 1000;
    opts.valid = 7;
    assert_int_equal(same_for_all(&task_c4), 1000);
    assert_int_equal(same_for_all(&task_lm1b), 1000);
    /* only the pairs whose sides are short enough */
    assert_in_range(same_for_all(&task_wmt14_ende), 900, 1000);
}

/* Checks that every way of preparing ends with error `rc` and a message that
 * contains `what`. */
static void same_error(const struct task *t, int rc, const char *what,
                       rlim_t file_bytes)
{
    char *first = NULL;

    clear_caches();
    for (int way = 0; way < WAYS; way++) {
        assert_int_equal(prepare(t, way, file_bytes), rc);
        char *said = why(way);

        if (!strstr(said, what))
            fail_msg("%d threads: '%s', not '%s'", threads[way], said, what);
        if (first && rc == ERR_DATA)
            assert_string_equal(said, first);
        free(first);
        first = said;
        count_files(way, 0);
    }
    free(first);
}

/* The validation set is read after training data have been written. */
static void errors(void **state)
{
    char *place = str_format("c4-validation.00000-of-00008.json.gz:%d: JSON",
                             BAD_LINE);

    (void)state;
    put_c4(SHARDS, 0);
    put_shard(VALIDATION, LINES, BAD_LINE, 1);
    zip("c4/en/*.json");
    same_error(&task_c4, ERR_DATA, place, 0);
    free(place);
}

static void beyond(void **state)
{
    (void)state;
    put_c4(SHARDS, 0);
    put_shard(VALIDATION, LINES, BAD_LINE, 1);
    zip("c4/en/*.json");
    opts.valid = opts.test = 7;
    assert_true(same_for_all(&task_c4) > 1500);
}

static void unreadable(void **state)
{
    static const char *const names[] = {
        "c4/en/c4-train.00001-of-01024.json.gz",
        "c4/en/c4-train.00003-of-01024.json.gz"};

    (void)state;
    put_c4(SHARDS, 0);
    for (int i = 0; i < 2; i++) {
        char *path = str_format("%s/%s", folder, names[i]);

        assert_int_equal(unlink(path), 0);
        assert_int_equal(mkdir(path, 0777), 0);
        free(path);
    }
    same_error(&task_c4, ERR_DATA, names[0], 0);
}

static void disk_full(void **state)
{
    (void)state;
    put_c4(SHARDS, 0);
    same_error(&task_c4, ERR_SPACE, "prepared/", 1 << 19);
}

/* Waits until the prepared file has been created. Returns its path. */
static char *begun(int way)
{
    char *cache = cache_of(way), *path;

    while (!(path = only(cache, ".dataset.*.tmp")))
        usleep(500);
    free(cache);
    return path;
}

static void killed(void **state)
{
    const struct timespec then[2] = {{0, 0}, {0, 0}};

    (void)state;
    put_c4(SHARDS, 0);
    for (int way = 0; way < WAYS; way++) {
        pid_t child = start(&task_c4, way, 0);
        char *left = begun(way);

        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_int_equal(utimensat(AT_FDCWD, left, then, 0), 0);
        assert_int_equal(prepare(&task_c4, way, 0), OK);
        same_file(way);
        count_files(way, 1);
        free(left);
    }
}

int main(void)
{
#define FILES_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, setup, teardown, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        FILES_TEST("1, 2 and 5 threads prepare the same file", same_bytes),
        FILES_TEST("1, 2 and 5 threads read equally far for a given number of "
                   "rows", limits),
        FILES_TEST("the lines that were read for the rows are counted",
                   lines_read),
        FILES_TEST("1, 2 and 5 threads name the same damaged line and leave no "
                   "file", errors),
        FILES_TEST("a damaged line after the last needed row is no error",
                   beyond),
        FILES_TEST("of several unreadable files, the first is named",
                   unreadable),
        FILES_TEST("a full disk gives one error and leaves no file", disk_full),
        FILES_TEST("after a kill, the next run makes the same file and leaves "
                   "no other", killed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
