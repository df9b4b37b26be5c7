/* Initial weights that are loaded from another cell: either exactly its final
 * weights are used, or there is an error. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/trace_file.h"
#include "harness/train/trainer.h"
#include "harness/train/weights.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/select_variants.h"
#include "tests/support/store_fixture.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUT(call) assert_int_equal(call, OK)

static const struct config *small(void)
{
    static struct config c;

    c = toy_config(TASK_LANGUAGE);
    c.model.d = c.model.ff = 4;
    c.model.heads = 1;
    c.lanes = c.threads = 1;
    return &c;
}

static void open_trainer(struct trainer *t, const char *variant, int seed)
{
    static struct config c;
    static struct mix mix;

    c = *small();
    c.seed = (uint64_t)seed;
    mix = named_mix(variant);
    trainer_open(t, &c, &mix, NULL);
}

/* Writes a cell that has these digests of its weights and of their file; NULL
 * omits them. */
static void put_cell(const char *cell, const char *sha256, const char *file)
{
    struct cell_writer *w;

    PUT(made_begin(&w, folder, cell));
    PUT(cell_put_text(w, "provenance", "data_digest", toy.digest));
    PUT(cell_put_text(w, "weights", "sha256", sha256));
    if (file)
        PUT(cell_put_text(w, "weights", "file_sha256", file));
    PUT(cell_commit(w));
}

static char *path_of(const char *cell) { return weights_path(folder, cell); }

/* Writes a finished cell with weights. `hex` receives their digest. */
static void keep(const char *cell, int seed, char hex[HASH_HEX])
{
    struct weights_of of = {folder, cell, "orthogonal"};
    char file[HASH_HEX], *path = path_of(cell);
    struct trainer t;

    open_trainer(&t, "orthogonal", seed);
    trainer_digest(&t, hex);
    PUT(weights_write(&t.params, &toy, &of, "{}", hex));
    PUT(hash_file(path, file));
    put_cell(cell, hex, file);
    trainer_close(&t);
    free(path);
}

/* Loads the weights of a cell into a model with other initial weights. `out`
 * receives the digest of the result. */
static int start(const char *cell, const char *variant, char out[HASH_HEX])
{
    struct weights_of of = {folder, cell, variant};
    struct trainer t;
    int rc;

    open_trainer(&t, variant, 77);
    rc = weights_read(&t.params, &toy, &of);
    if (out)
        trainer_digest(&t, out);
    trainer_close(&t);
    return rc;
}

static void refused(const char *cell, const char *what)
{
    if (start(cell, "orthogonal", NULL) != ERR_DATA)
        fail_msg("not refused: %s", what);
    if (!strstr(err_last(), what))
        fail_msg("'%s' does not say '%s'", err_last(), what);
}

static void come_back(void **state)
{
    struct weights_of of = {folder, id, "orthogonal"};
    char want[HASH_HEX], got[HASH_HEX];

    (void)state;
    keep(id, 1, want);
    PUT(start(id, "orthogonal", got));
    assert_string_equal(got, want);
    PUT(weights_digest(got, &of));
    assert_string_equal(got, want);
}

static char *read_whole(const char *path, size_t *n)
{
    char *bytes;

    PUT(file_read(&bytes, n, path));
    return bytes;
}

/* Changes a byte in place, which is faster than writing the file. */
static void put_byte(const char *path, size_t at, char byte)
{
    FILE *f = fopen(path, "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc((unsigned char)byte, f), (unsigned char)byte);
    assert_int_equal(fclose(f), 0);
}

static void flipped(void **state)
{
    char hex[HASH_HEX], *path = path_of(id), *bytes;
    struct trace_file f;
    struct trainer t;
    size_t n, found = 0;

    (void)state;
    keep(id, 1, hex);
    bytes = read_whole(path, &n);
    open_trainer(&t, "orthogonal", 2);
    for (size_t at = 0; at < n; at++) {
        struct weights_of of = {folder, id, "orthogonal"};

        put_byte(path, at, (char)(bytes[at] ^ 1 << at % 8));
        found += weights_read(&t.params, &toy, &of) == ERR_DATA &&
                 strstr(err_last(), "is damaged") &&
                 trace_file_read(&f, path, 1) == ERR_DATA;
        put_byte(path, at, bytes[at]);
    }
    assert_int_equal(found, n);
    print_message("flips in a file of weights: %zu of %zu found\n", found, n);
    PUT(start(id, "orthogonal", NULL));
    trainer_close(&t);
    free(bytes);
    free(path);
}

/* A valid weights file is replaced by another valid file. */
static void exchanged(void **state)
{
    const char *other = made_id("other");
    char hex[HASH_HEX], file[HASH_HEX], *path = path_of(id), *bytes;
    char *theirs = path_of(other);
    size_t n;

    (void)state;
    keep(id, 1, hex);
    keep(other, 2, hex);
    bytes = read_whole(theirs, &n);
    PUT(file_write(path, bytes, n));
    refused(id, "not the file that its cell wrote");
    /* The digest matches, but the file states that it belongs to the cell
     * `other`. */
    PUT(hash_file(path, file));
    put_cell(id, hex, file);
    refused(id, "belongs to another cell");
    free(bytes);
    free(theirs);
    free(path);
}

static void other_things(void **state)
{
    char hex[HASH_HEX], file[HASH_HEX], *path = path_of(id), *cell;

    (void)state;
    keep(id, 1, hex);
    assert_int_equal(start(id, "vanilla", NULL), ERR_DATA);
    assert_non_null(strstr(err_last(), "belongs to another variant"));
    PUT(hash_file(path, file));
    hex[0] = hex[0] == 'a' ? 'b' : 'a';
    put_cell(id, hex, file);
    refused(id, "does not have the weights of its cell");
    put_cell(id, hex, NULL);
    refused(id, "file_sha256");
    assert_int_equal(unlink(path), 0);
    put_cell(id, hex, file);
    refused(id, "is missing");
    cell = str_format("%s/cells/%s.h5", folder, id);
    assert_int_equal(truncate(cell, 1000), 0);
    assert_int_equal(start(id, "orthogonal", NULL), ERR_STORE);
    assert_non_null(strstr(err_last(), cell));
    assert_int_equal(unlink(cell), 0);
    refused(id, "no weights to start from");
    free(cell);
    free(path);
}

/* ---- files that another program could have written ---- */

static struct trace_array *first_of(struct trace_file *f, const char *group)
{
    for (int i = 0; i < f->n; i++)
        if (!strncmp(f->array[i].name, group, strlen(group)))
            return &f->array[i];
    fail_msg("no %s", group);
    return NULL;
}

static void shorter(struct trace_file *f) { first_of(f, "params/")->dim[0]--; }
static void flat(struct trace_file *f) { first_of(f, "params/")->nd = 1; }
static void whole(struct trace_file *f)
{
    first_of(f, "params/")->type = TRACE_INT;
}
static void renamed(struct trace_file *f)
{
    strcpy(first_of(f, "frozen/")->name, "frozen/other");
}
static void in_double(struct trace_file *f)
{
    struct trace_array *a = first_of(f, "params/");
    size_t n = trace_array_len(a);
    double *x = arena_take(f->memory, n * sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = (double)((const real *)a->x)[i];
    a->x = x;
    a->type = TRACE_DOUBLE;
}

static void other_tensors(void **state)
{
    static const struct {
        void (*change)(struct trace_file *f);
        const char *says;
    } is[] = {{shorter, "is of another shape: the weights belong to another"},
              {flat, "is of another shape: "}, {whole, "is of another shape: "},
              {renamed, "/frozen/"}, {renamed, " is missing: "},
              {in_double, NULL}};
    char hex[HASH_HEX], got[HASH_HEX], *path = path_of(id);

    (void)state;
    keep(id, 1, hex);
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        struct trace_file f;
        struct trainer t;

        PUT(trace_file_read(&f, path, 1));
        is[i].change(&f);
        open_trainer(&t, "orthogonal", 77);
        int rc = weights_take(&t.params, &f, "w.h5");
        trainer_digest(&t, got);
        assert_int_equal(rc, is[i].says ? ERR_DATA : OK);
        assert_int_equal(strcmp(got, hex) == 0, rc == OK);
        if (is[i].says)
            assert_non_null(strstr(err_last(), is[i].says));
        trainer_close(&t);
        trace_file_close(&f);
    }
    free(path);
}

/* A file whose digest its cell states, but which does not say whose it is. */
static void nameless(void **state)
{
    char hex[HASH_HEX], file[HASH_HEX], *path = path_of(id);
    struct trace_file f;

    (void)state;
    keep(id, 1, hex);
    assert_int_equal(weights_check(folder, id, 0), OK);
    PUT(trace_file_read(&f, path, 1));
    f.state = arena_text(f.memory, "{\"variant\": \"orthogonal\"}");
    PUT(trace_file_write(&f, path, 1));
    trace_file_close(&f);
    PUT(hash_file(path, file));
    put_cell(id, hex, file);
    refused(id, "attribute state has no id: not a file of weights");
    assert_int_equal(weights_check(folder, id, 1), OK);
    assert_int_equal(weights_check(folder, id, 0), ERR_STORE);
    assert_non_null(strstr(err_last(), "belongs to another cell"));
    keep(made_id("other"), 2, hex);
    free(path);
    path = path_of(made_id("other"));
    char *own = path_of(id), *bytes;
    size_t n;
    bytes = read_whole(path, &n);
    PUT(file_write(own, bytes, n));
    assert_int_equal(weights_check(folder, id, 0), ERR_STORE);
    free(bytes);
    free(own);
    free(path);
}

static int setup(void **state)
{
    toy_open(TASK_LANGUAGE);
    return store_setup(state);
}

static int teardown(void **state)
{
    dataset_close(&toy);
    return store_teardown(state);
}

int main(void)
{
#define WEIGHTS_TEST(name, fn) {name, fn, setup, teardown, NULL}
    static const struct CMUnitTest tests[] = {
        WEIGHTS_TEST("stored weights are read back bit for bit", come_back),
        WEIGHTS_TEST("any flipped byte of a file of weights is found",
                     flipped),
        WEIGHTS_TEST("the weights of another cell are refused", exchanged),
        WEIGHTS_TEST("weights of another variant, or unknown to their cell, "
                     "are refused", other_things),
        WEIGHTS_TEST("tensors of another model are refused", other_tensors),
        WEIGHTS_TEST("a file that does not say whose weights it has is refused",
                     nameless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
