#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/nn/checkpoint.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two blocks of state that checkpoints save. */
struct state { float weights[13]; int64_t history[5]; };

static struct state now;
static const struct block block[] = {{now.weights, sizeof now.weights},
                                     {now.history, sizeof now.history}};
static const struct checkpoint_of ours = {"a1b2", "build 1"};
static char *folder, *base, *path[2];

static int open_folder(void **state)
{
    (void)state;
    folder = scratch_make();
    base = str_format("%s/cell", folder);
    path[0] = str_format("%s.0.ckpt", base);
    path[1] = str_format("%s.1.ckpt", base);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    scratch_remove(folder);
    free(base);
    free(path[0]);
    free(path[1]);
    return 0;
}

static void set(uint64_t step)
{
    for (int i = 0; i < 13; i++)
        now.weights[i] = (float)step + 0.5f * (float)i;
    for (int i = 0; i < 5; i++)
        now.history[i] = -(int64_t)step - i;
}

static void save(uint64_t step)
{
    set(step);
    assert_int_equal(checkpoint_save(base, ours, step, block, 2), OK);
}

/* Fails unless the loaded state is the one saved at `step`, or, if `step` is 0,
 * unless no state is loaded. */
static void loads(uint64_t step)
{
    struct state want;
    uint64_t found = 99;

    set(step ? step : 77);
    want = now;
    if (step)
        memset(&now, 0, sizeof now);
    checkpoint_load(base, ours, &found, block, 2);
    assert_int_equal(found, step);
    assert_memory_equal(&now, &want, sizeof now);
}

static void round_trip(void **state)
{
    (void)state;
    loads(0);
    for (uint64_t step = 10; step < 60; step += 10) {
        save(step);
        loads(step);
    }
    assert_true(file_exists(path[0]) && file_exists(path[1]));
    checkpoint_remove(base);
    assert_false(file_exists(path[0]) || file_exists(path[1]));
    checkpoint_remove(base);
    loads(0);
}

static void put(const char *file, const char *bytes, size_t n)
{
    FILE *f = fopen(file, "wb");

    assert_true(f && fwrite(bytes, 1, n, f) == n);
    assert_int_equal(fclose(f), 0);
}

/* Damages the most recent checkpoint in every way: changes each byte, truncates
 * the file at each length, and appends a byte. The older checkpoint must be
 * loaded. */
static void each_damage(const char *newest, uint64_t older)
{
    char *bytes;
    size_t n;

    assert_int_equal(file_read(&bytes, &n, newest), OK);
    for (size_t at = 0; at < n; at++) {
        bytes[at] = (char)(bytes[at] ^ (1 << at % 8));
        put(newest, bytes, n);
        loads(older);
        bytes[at] = (char)(bytes[at] ^ (1 << at % 8));
    }
    for (size_t cut = 0; cut < n; cut++) {
        put(newest, bytes, cut);
        loads(older);
    }
    char *longer = malloc(n + 1);
    memcpy(longer, bytes, n);
    longer[n] = 0;
    put(newest, longer, n + 1);
    loads(older);
    free(longer);
    put(newest, bytes, n);
    free(bytes);
}

static void damage(void **state)
{
    (void)state;
    save(10);
    each_damage(path[0], 0);
    save(20);
    each_damage(path[1], 10);
    loads(20);
    put(path[1], "", 0);
    save(30); /* overwrites the damaged one */
    assert_int_equal(unlink(path[1]), 0);
    loads(10);
}

static void strangers(void **state)
{
    struct block other[] = {block[0], block[1]};
    struct state want;
    uint64_t step;

    (void)state;
    save(10);
    set(77);
    want = now;
    checkpoint_load(base, (struct checkpoint_of){"a1b3", "build 1"}, &step,
                    block, 2);
    assert_int_equal(step, 0);
    checkpoint_load(base, (struct checkpoint_of){"a1b", "build 1"}, &step,
                    block, 2);
    assert_int_equal(step, 0);
    checkpoint_load(base, ours, &step, block, 1);
    assert_int_equal(step, 0);
    other[0].bytes -= 8; /* the same total size, divided differently */
    other[1].bytes += 8;
    other[1].data = (char *)now.history - 8;
    checkpoint_load(base, ours, &step, other, 2);
    assert_int_equal(step, 0);
    assert_memory_equal(&now, &want, sizeof now);
    loads(10);
}

/* Checkpoints of another cell are overwritten first, whether more recent or
 * not. */
static void strangers_first(void **state)
{
    const struct checkpoint_of theirs = {"a1b3", "build 1"};
    uint64_t step;

    (void)state;
    set(20);
    assert_int_equal(checkpoint_save(base, theirs, 10, block, 2), OK);
    assert_int_equal(checkpoint_save(base, theirs, 20, block, 2), OK);
    save(3);
    save(4);
    assert_int_equal(checkpoint_load(base, ours, &step, block, 2), 0);
    assert_int_equal(step, 4);
    assert_int_equal(unlink(path[1]), 0);
    loads(3);
}

/* A checkpoint of another build is ignored, reported and overwritten first. */
static void other_build(void **state)
{
    const struct checkpoint_of theirs = {"a1b2", "build 2"};
    uint64_t step = 99;

    (void)state;
    save(10);
    save(20);
    assert_int_equal(checkpoint_load(base, theirs, &step, block, 2), 2);
    assert_int_equal(step, 0);
    assert_non_null(strstr(err_last(), "another build"));
    set(3);
    assert_int_equal(checkpoint_save(base, theirs, 3, block, 2), OK);
    assert_int_equal(checkpoint_save(base, theirs, 4, block, 2), OK);
    assert_int_equal(checkpoint_load(base, theirs, &step, block, 2), 0);
    assert_int_equal(step, 4);
    loads(0);
}

/* Some files have the name of a checkpoint but are not checkpoints: each is
 * ignored. */
static void no_file(void **state)
{
    char *target = str_format("%s/target", folder);

    (void)state;
    put(target, "precious", 8);
    assert_int_equal(symlink(target, path[0]), 0);
    assert_int_equal(mkfifo(path[1], 0666), 0);
    loads(0);
    assert_int_equal(unlink(path[1]), 0);
    save(10);
    save(20);
    loads(20);
    char *text;
    assert_int_equal(file_read(&text, NULL, target), OK);
    assert_string_equal(text, "precious");
    assert_int_equal(unlink(path[0]), 0);
    assert_int_equal(truncate(path[1], (off_t)1 << 40), 0); /* a sparse file */
    loads(0);
    free(text);
    free(target);
}

/* Counts the files of the folder. Two are expected: two generations, and no
 * temporary file. */
static int files(void)
{
    OWNED(closedir) DIR *d = opendir(folder);
    int n = 0;

    for (struct dirent *e; (e = readdir(d));)
        n += *e->d_name != '.';
    return n;
}

static void refused(void **state)
{
    struct rlimit keep, small;
    char *nowhere = str_format("%s/none/cell", folder);

    (void)state;
    assert_int_equal(checkpoint_save(nowhere, ours, 1, block, 2), ERR_IO);
    assert_non_null(strstr(err_last(), nowhere));
    free(nowhere);
    save(10);
    save(20);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &keep), 0);
    small = (struct rlimit){100, keep.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    set(30);
    int rc = checkpoint_save(base, ours, 30, block, 2);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &keep), 0);
    assert_int_equal(rc, ERR_SPACE);
    assert_int_equal(files(), 2);
    loads(20);
    save(40);
    loads(40);
}

/* Writes n bytes of which the last are a digest of the others. */
static void write_sealed(char *bytes, size_t n)
{
    char hex[HASH_HEX];

    hash_sha256(bytes, n - sizeof hex, hex);
    memcpy(bytes + n - sizeof hex, hex, sizeof hex);
    assert_int_equal(file_write(path[0], bytes, n), OK);
}

/* Files of another program, whose digests are right. */
static void forged(void **state)
{
    char id[64], *bytes;
    size_t n, at = 0;

    (void)state;
    save(60);
    assert_int_equal(file_read(&bytes, &n, path[0]), OK);
    assert_int_equal(checkpoint_check(path[0], id), OK);
    assert_string_equal(id, "a1b2");
    assert_int_equal(checkpoint_step(base, "a1b2"), 60);
    assert_int_equal(checkpoint_step(base, "a1b3"), 0);
    while (memcmp(bytes + at, "a1b2", 5))
        at++;
    memset(bytes + at, 'x', sizeof id); /* an id without an end */
    write_sealed(bytes, n);
    assert_int_equal(checkpoint_check(path[0], id), ERR_STORE);
    assert_string_equal(id, "");
    assert_int_equal(checkpoint_step(base, "a1b2"), 0);
    memset(bytes + at, 0, sizeof id);
    strcpy(bytes + at, "a1b2");
    bytes[0] = 'T';
    write_sealed(bytes, n);
    assert_int_equal(checkpoint_check(path[0], id), ERR_STORE);
    assert_int_equal(checkpoint_step(base, "a1b2"), 0);
    loads(0);
    bytes[0] = 'S';
    write_sealed(bytes, n);
    assert_int_equal(checkpoint_check(path[0], id), OK);
    loads(60);
    assert_int_equal(file_write(path[0], bytes, 100), OK);
    assert_int_equal(checkpoint_check(path[0], id), ERR_STORE);
    assert_non_null(strstr(err_last(), "is not a complete checkpoint"));
    assert_int_equal(checkpoint_step(base, "a1b2"), 0);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest checkpoint[] = {
        {"the state that was saved last is loaded, bit for bit", round_trip,
         open_folder, close_folder, NULL},
        {"if a checkpoint is damaged or truncated, the older one is loaded",
         damage, open_folder, close_folder, NULL},
        {"a checkpoint of another id or shape is not loaded", strangers,
         open_folder, close_folder, NULL},
        {"checkpoints of another id are overwritten first", strangers_first,
         open_folder, close_folder, NULL},
        {"a checkpoint of another build is reported and not loaded",
         other_build, open_folder, close_folder, NULL},
        {"links, pipes and sparse files are not loaded as checkpoints", no_file,
         open_folder, close_folder, NULL},
        {"files that only look like checkpoints are refused", forged,
         open_folder, close_folder, NULL},
        {"a failed save states its cause and keeps the older checkpoint",
         refused, open_folder, close_folder, NULL},
    };

    return cmocka_run_group_tests_name("checkpoint", checkpoint, NULL, NULL);
}
