/*
 * audit_store, which `verify store` and `repair` use, must detect one flipped
 * bit anywhere in a store, in 1000 of 1000 trials.
 *
 * The store is a real one. It has a cell that starts from the weights of
 * another, a checkpoint, a failure record and an index. The file, byte and bit
 * are drawn with a seed from the clock; a flip that is not detected is printed
 * with them.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/verify/store/audit.h"
#include "harness/nn/checkpoint.h"
#include "harness/store/store.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FLIPS = 1000, FILES = 64 };

static const char experiment[] =
    "title: Flips\n"
    "variants: [vanilla]\n"
    "tasks: [wmt14_ende, c4]\n"
    "scales: [smoke]\n"
    "seeds: [1]\n"
    "settings: {layers: 1, d: 8, heads: 1, ff: 8, N: 8, vocab: 40, batch: 8,\n"
    "           steps: 2, evals: 1, train: 16, valid: 8, test: 8,\n"
    "           preset: t5}\n"
    "override:\n"
    "  - match: {task: wmt14_ende}\n"
    "    set: {pretrained: c4}\n";

static char *folder, *store_folder;
static char *file[FILES]; /* all sealed files */
static long size[FILES];
static int files;

/* ---- the store ---- */

static void train(void)
{
    const char *program = getenv("SYNTHBENCH");
    char *yaml = str_format("%s/x.yaml", folder);
    char *command = str_format("%s run %s --store %s 2>%s/err",
                               program ? program
                                       : "build/release/synthbench",
                               yaml, store_folder, folder);

    assert_int_equal(file_write(yaml, experiment, strlen(experiment)), OK);
    assert_int_equal(system(command), 0);
    free(command);
    free(yaml);
}

/* Adds files of a cell that an undisturbed run would remove. */
static void add_rest(const char *id)
{
    struct store *s;
    double x[] = {1, 2, 3};
    struct block b = {x, sizeof x};
    char *base = str_format("%s/checkpoints/%s", store_folder, id);
    char *owner = str_format("%s on nothing", id);
    struct checkpoint_of of = {owner, "no build"};

    assert_int_equal(store_open(&s, store_folder, 0), OK);
    assert_int_equal(store_fail(s, id, "error", "of no importance", 1.5), OK);
    assert_int_equal(checkpoint_save(base, of, 7, &b, 1), OK);
    store_close(s);
    free(owner);
    free(base);
}

static void add_files(const char *at, const char *end)
{
    char *path = str_format("%s%s", store_folder, at);
    DIR *d = opendir(path);
    struct stat st;

    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        char *name = str_format("%s/%s", path, e->d_name);

        assert_int_equal(stat(name, &st), 0);
        if (S_ISREG(st.st_mode) && st.st_size && strstr(name, end)) {
            assert_true(files < FILES);
            file[files] = str_copy(name);
            size[files++] = (long)st.st_size;
        }
        free(name);
    }
    closedir(d);
    free(path);
}

static int setup(void **state)
{
    const char **id;
    int n;
    struct store *s;

    (void)state;
    folder = scratch_make();
    store_folder = str_format("%s/store", folder);
    train();
    assert_int_equal(store_open(&s, store_folder, 0), OK);
    assert_int_equal(store_list(s, &id, &n), OK);
    assert_int_equal(n, 2);
    add_rest(id[0]);
    store_close(s);
    add_files("", ".json");
    add_files("", ".tsv");
    add_files("", ".h5");
    add_files("/cells", ".h5");
    add_files("/weights", ".h5");
    add_files("/checkpoints", ".ckpt");
    add_files("/failed", ".json");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < files; i++)
        free(file[i]);
    free(store_folder);
    scratch_remove(folder);
    return 0;
}

/* ---- the flips ---- */

static int failures(void)
{
    struct audit *a;
    int n = 0, rc = audit_store(&a, store_folder);

    if (rc < 0) {
        print_error("%s\n", err_last());
        return -1;
    }
    for (int i = 0; i < a->n; i++)
        n += a->row[i].verdict == VERDICT_FAIL;
    audit_close(a);
    return n;
}

static void flip(const char *path, long at, int bit)
{
    FILE *f = fopen(path, "r+b");

    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    int c = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(c ^ 1 << bit, f);
    assert_int_equal(fclose(f), 0);
}

static uint64_t drawn;

static uint64_t draw(uint64_t n) /* returns 0 .. n - 1; PCG's multiplier */
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (drawn >> 20) % n;
}

/* Flips one bit. Returns 1 if the flip was detected. If i is odd, the byte is
 * drawn from the bytes of all files; if i is even, from those of file
 * i / 2 % files. */
static int try(int i)
{
    long all = 0, at;
    int which = i / 2 % files;

    for (int k = 0; k < files; k++)
        all += size[k];
    at = (long)draw((uint64_t)(i % 2 ? all : size[which]));
    for (which = i % 2 ? 0 : which; at >= size[which]; which++)
        at -= size[which];
    int bit = (int)draw(8);
    flip(file[which], at, bit);
    int found = failures() > 0;
    flip(file[which], at, bit);
    if (!found)
        printf("# not found: %s, byte %ld, bit %d\n", file[which], at, bit);
    return found;
}

static void test_a_store_as_it_was_written_passes(void **state)
{
    (void)state;
    assert_int_equal(failures(), 0);
    assert_true(files >= 8);
}

static void test_every_flipped_bit_is_found(void **state)
{
    int found = 0;

    (void)state;
    drawn = (uint64_t)time(NULL);
    /* hides the names of damaged lines */
    assert_non_null(freopen("/dev/null", "w", stderr));
    for (int i = 0; i < FLIPS; i++)
        found += try(i);
    printf("# flips: %d/%d\n", found, FLIPS);
    fflush(stdout);
    assert_int_equal(found, FLIPS);
    assert_int_equal(failures(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_store_as_it_was_written_passes),
        cmocka_unit_test(test_every_flipped_bit_is_found),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
