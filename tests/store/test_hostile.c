/*
 * Malicious cells are refused with a message when they are opened. They are
 * correctly sealed, have a matching configuration and id, and most of them are
 * valid for HDF5.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/journal.h"
#include "harness/store/store.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/program.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUT(call) assert_int_equal(call, OK)
#define DO(call) assert_true((call) >= 0)

enum { EXAMPLES = 5, SEAL = 10 + 64 };

static const double number[3000];
static const int64_t step[] = {1, 2, 3};
static const char *const text[] = {"a b", "c", "", "d", "e", "f", "g"};

/* Writes a valid cell. */
static void fill(struct cell_writer *w)
{
    PUT(cell_put_text(w, "", "status", "done"));
    PUT(cell_put_real(w, "timing", "train_seconds", 1));
    PUT(cell_put_text(w, "provenance", "data_digest", "0123"));
    PUT(cell_put_ints(w, "curves/train/step", "1", step, 3));
    PUT(cell_put_array(w, "curves/train/loss", "nats/token", number, 3));
    PUT(cell_put_array(w, "examples/test/nll", "nats", number, EXAMPLES));
    PUT(cell_put_array(w, "examples/test/label", "1", number, EXAMPLES));
    PUT(cell_put_array(w, "examples/test/guess", "1", number, EXAMPLES));
    PUT(cell_put_strings(w, "examples/test/source", text, EXAMPLES));
    PUT(cell_put_strings(w, "examples/test/nbest", text, EXAMPLES));
    PUT(cell_put_array(w, "examples/test/nbest_score", "nats", number,
                       EXAMPLES));
    PUT(cell_put_array(w, "long", "1", number, 3000));
    PUT(cell_put_metric(w, "bleu", "%", 1, "tok:13a", 12.34));
}

static char *path_of(const char *cell)
{
    return str_format("%s/cells/%s.h5", folder, cell);
}

/* unseal removes the seal of a file; seal adds one. */
static void unseal(const char *path)
{
    char *bytes;
    size_t n;

    PUT(file_read(&bytes, &n, path));
    assert_int_equal(truncate(path, (off_t)(n - SEAL)), 0);
    free(bytes);
}

static void seal(const char *path)
{
    char *bytes, hex[HASH_HEX];
    size_t n;
    FILE *f;

    PUT(file_read(&bytes, &n, path));
    hash_sha256(bytes, n, hex);
    free(bytes);
    f = fopen(path, "ab");
    assert_non_null(f);
    fprintf(f, "\nSHA-256 %s\n", hex);
    assert_int_equal(fclose(f), 0);
}

/* ---- modifications ---- */

static void add_dataset(hid_t f, const char *path, hid_t type, hid_t space,
                        hid_t make,
                        const void *x)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), data;

    H5Pset_create_intermediate_group(links, 1);
    data = H5Dcreate2(f, path, type, space, links, make, H5P_DEFAULT);
    DO(data);
    if (x)
        DO(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x));
    DO(H5Dclose(data));
    DO(H5Pclose(links));
}

/* Writes a list of n values, replacing any of that name. */
static void put_list(hid_t f, const char *path, hid_t type, hsize_t n)
{
    hid_t space = H5Screate_simple(1, &n, NULL);

    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Ldelete(f, path, H5P_DEFAULT);
    add_dataset(f, path, type, space, H5P_DEFAULT, number);
    DO(H5Sclose(space));
}

static hid_t strings(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void put_texts(hid_t f, const char *path, const char *const *s,
                      hsize_t n)
{
    hid_t space = H5Screate_simple(1, &n, NULL), type = strings();

    H5Ldelete(f, path, H5P_DEFAULT);
    add_dataset(f, path, type, space, H5P_DEFAULT, s);
    DO(H5Sclose(space));
    DO(H5Tclose(type));
}

static void put_attribute(hid_t f, const char *object, const char *name,
                          hid_t type, const void *x)
{
    hid_t space = H5Screate(H5S_SCALAR), a;

    if (H5Aexists_by_name(f, object, name, H5P_DEFAULT) > 0)
        DO(H5Adelete_by_name(f, object, name, H5P_DEFAULT));
    a = H5Acreate_by_name(f, object, name, type, space, H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
    DO(a);
    DO(H5Awrite(a, type, x));
    DO(H5Aclose(a));
    DO(H5Sclose(space));
}

static void put_text(hid_t f, const char *object, const char *name,
                     const char *s)
{
    hid_t type = strings();

    put_attribute(f, object, name, type, &s);
    DO(H5Tclose(type));
}

static void short_source(hid_t f)
{
    put_texts(f, "examples/test/source", text, 2);
}

static void short_label(hid_t f)
{
    put_list(f, "examples/test/label", H5T_IEEE_F64LE, 1);
}

static void long_guess(hid_t f)
{
    put_list(f, "examples/test/guess", H5T_STD_I64LE, 2000);
}

static void odd_nbest(hid_t f)
{
    put_list(f, "examples/test/nbest_score", H5T_IEEE_F64LE, 7);
    put_texts(f, "examples/test/nbest", text, 7);
}

static void unequal_nbest(hid_t f)
{
    put_list(f, "examples/test/nbest_score", H5T_IEEE_F64LE, 2 * EXAMPLES);
}

static void texts_as_numbers(hid_t f)
{
    put_texts(f, "examples/test/nll", text, EXAMPLES);
}

static void short_curve(hid_t f)
{
    put_list(f, "curves/train/loss", H5T_IEEE_F64LE, 2);
}

/* Makes a rank dataset whose group lacks the datasets that it refers to. */
static void lonely_rank(hid_t f)
{
    put_list(f, "curves/x/rank", H5T_IEEE_F64LE, 3);
}

static void external_storage(hid_t f)
{
    hid_t make = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t n = EXAMPLES;
    hid_t space = H5Screate_simple(1, &n, NULL);

    DO(H5Pset_external(make, "/etc/passwd", 0, 8 * EXAMPLES));
    add_dataset(f, "examples/test/secret", H5T_IEEE_F64LE, space, make, NULL);
    H5Sclose(space);
    H5Pclose(make);
}

static void soft_link(hid_t f)
{
    DO(H5Lcreate_soft("/metrics/bleu", f, "metrics/ce", H5P_DEFAULT,
                      H5P_DEFAULT));
}

static void external_link(hid_t f)
{
    DO(H5Lcreate_external("/etc/other.h5", "/", f, "more", H5P_DEFAULT,
                          H5P_DEFAULT));
}

static hid_t follow(const char *name, hid_t group, const void *data,
                    size_t size, hid_t access, hid_t more)
{
    (void)more;
    (void)name;
    (void)data;
    (void)size;
    (void)access;
    return group;
}

static void users_link(hid_t f)
{
    static const H5L_class_t class = {H5L_LINK_CLASS_T_VERS,
                                      (H5L_type_t)100, "mine", NULL, NULL,
                                      NULL, follow, NULL,
                                      NULL};

    DO(H5Lregister(&class));
    DO(H5Lcreate_ud(f, "more", (H5L_type_t)100, "x", 1, H5P_DEFAULT,
                    H5P_DEFAULT));
}

static void second_name(hid_t f)
{
    DO(H5Lcreate_hard(f, "metrics/bleu", f, "metrics/ce", H5P_DEFAULT,
                      H5P_DEFAULT));
}

static void circle(hid_t f)
{
    DO(H5Lcreate_hard(f, "/", f, "examples/again", H5P_DEFAULT, H5P_DEFAULT));
}

static void depth(hid_t f)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);

    H5Pset_create_intermediate_group(links, 1);
    H5Gclose(H5Gcreate2(f, "a/b/c/d/e/f/g/h/i/j", links, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Pclose(links);
}

/* Writes an extensible list of n values, which may grow to `most` values, in
 * chunks of `chunk` values, with checksums if `checksum` is 1. */
static void chunked(hid_t f, hsize_t n, hsize_t most, hsize_t chunk,
                    int checksum, const void *x)
{
    hid_t space = H5Screate_simple(1, &n, &most);
    hid_t make = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_chunk(make, 1, &chunk);
    if (checksum)
        H5Pset_fletcher32(make);
    add_dataset(f, "more", H5T_IEEE_F64LE, space, make, x);
    H5Pclose(make);
    H5Sclose(space);
}

static void unlimited(hid_t f)
{
    chunked(f, 100, H5S_UNLIMITED, 100, 0, number);
}

static void huge(hid_t f)
{
    chunked(f, 1u << 29, 1u << 29, 1u << 14, 0, NULL);
}

static void too_many(hid_t f)
{
    chunked(f, (hsize_t)1 << 40, (hsize_t)1 << 40, 1u << 14, 0, NULL);
}

static void absent_chunks(hid_t f) { chunked(f, 1000, 1000, 10, 0, NULL); }
static void other_filter(hid_t f) { chunked(f, 100, 100, 100, 1, number); }

static void absent_values(hid_t f)
{
    hsize_t n = 100;
    hid_t space = H5Screate_simple(1, &n, NULL);

    add_dataset(f, "more", H5T_IEEE_F64LE, space, H5P_DEFAULT, NULL);
    H5Sclose(space);
}

static void table(hid_t f)
{
    hsize_t n[] = {2, 3};
    hid_t space = H5Screate_simple(2, n, NULL);

    add_dataset(f, "more", H5T_IEEE_F64LE, space, H5P_DEFAULT, number);
    H5Sclose(space);
}

static void other_type(hid_t f)
{
    hid_t pair = H5Tcreate(H5T_COMPOUND, 16), one = H5Screate(H5S_SCALAR);

    H5Tinsert(pair, "x", 0, H5T_IEEE_F64LE);
    H5Tinsert(pair, "y", 8, H5T_IEEE_F64LE);
    add_dataset(f, "more", pair, one, H5P_DEFAULT, number);
    H5Sclose(one);
    H5Tclose(pair);
}

static void small_type(hid_t f) { put_list(f, "more", H5T_IEEE_F32LE, 3); }
static void large_end(hid_t f) { put_list(f, "more", H5T_IEEE_F64BE, 3); }

static void kept_type(hid_t f)
{
    hid_t type = H5Tcopy(H5T_IEEE_F64LE);

    DO(H5Tcommit2(f, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Tclose(type);
}

static void references(hid_t f)
{
    hid_t one = H5Screate(H5S_SCALAR);

    add_dataset(f, "more", H5T_STD_REF_OBJ, one, H5P_DEFAULT, NULL);
    H5Sclose(one);
}

static void list_metric(hid_t f)
{
    put_list(f, "metrics/bleu", H5T_IEEE_F64LE, 1);
}

static void group_metric(hid_t f)
{
    H5Gclose(H5Gcreate2(f, "metrics/ce", H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
}

static void bare_metric(hid_t f)
{
    hid_t one = H5Screate(H5S_SCALAR);

    add_dataset(f, "metrics/ce", H5T_IEEE_F64LE, one, H5P_DEFAULT, number);
    H5Sclose(one);
}

static void no_direction(hid_t f)
{
    bare_metric(f);
    put_text(f, "metrics/ce", "units", "nats");
}

static void unsigned_metric(hid_t f)
{
    static const int64_t one = 1;

    no_direction(f);
    put_attribute(f, "metrics/ce", "better", H5T_STD_I64LE, &one);
}

static void better_metric(hid_t f)
{
    static const int64_t seven = 7;

    put_attribute(f, "metrics/bleu", "better", H5T_STD_I64LE, &seven);
}

static void worse_metric(hid_t f)
{
    static const int64_t minus_two = -2;

    put_attribute(f, "metrics/bleu", "better", H5T_STD_I64LE, &minus_two);
}

static void many_metrics(hid_t f)
{
    hid_t one = H5Screate(H5S_SCALAR);
    char name[32];

    for (int i = 0; i < 1100; i++) {
        snprintf(name, sizeof name, "metrics/m%d", i);
        add_dataset(f, name, H5T_IEEE_F64LE, one, H5P_DEFAULT, number);
    }
    H5Sclose(one);
}

static void long_name(hid_t f)
{
    char name[200] = "metrics/";

    memset(name + 8, 'x', 150);
    DO(H5Lmove(f, "metrics/bleu", f, name, H5P_DEFAULT, H5P_DEFAULT));
}

static void odd_name(hid_t f)
{
    DO(H5Lmove(f, "metrics/bleu", f, "metrics/\033[2J", H5P_DEFAULT,
               H5P_DEFAULT));
}

static void blank_name(hid_t f)
{
    DO(H5Lmove(f, "metrics/bleu", f, "metrics/a b", H5P_DEFAULT, H5P_DEFAULT));
}

static void escape(hid_t f)
{
    put_text(f, "metrics/bleu", "signature", "\033]0;owned\007");
}

static void not_utf8(hid_t f) { put_text(f, "/", "title", "\xff\xfe"); }

static void script(hid_t f)
{
    put_text(f, "/", "status", "uniform'; system('touch P'); x='");
}

static void fixed_text(hid_t f)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, 8);
    put_attribute(f, "/", "title", type, "title\0\0\0");
    H5Tclose(type);
}

static void number_as_title(hid_t f)
{
    put_attribute(f, "metrics/bleu", "units", H5T_IEEE_F64LE, number);
}

static void no_digest(hid_t f) { put_text(f, "weights", "sha256", "../x"); }

/* Writes a text of n letters x. */
static void put_letters(hid_t f, const char *object, const char *name, size_t n)
{
    OWNED(free) char *s = calloc(n + 1, 1);

    memset(s, 'x', n);
    put_text(f, object, name, s);
}

static void odd_digest(hid_t f) { put_letters(f, "weights", "sha256", 64); }

static void long_unit(hid_t f)
{
    put_letters(f, "metrics/bleu", "units", 257);
}

static void long_signature(hid_t f)
{
    put_letters(f, "metrics/bleu", "signature", 4097);
}

static void two_seconds(hid_t f)
{
    hsize_t two = 2;
    hid_t space = H5Screate_simple(1, &two, NULL), a;

    DO(H5Adelete_by_name(f, "timing", "train_seconds", H5P_DEFAULT));
    a = H5Acreate_by_name(f, "timing", "train_seconds", H5T_IEEE_F64LE, space,
                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    DO(H5Awrite(a, H5T_IEEE_F64LE, number));
    DO(H5Aclose(a));
    DO(H5Sclose(space));
}

static void single_label(hid_t f)
{
    hid_t one = H5Screate(H5S_SCALAR);

    DO(H5Ldelete(f, "examples/test/label", H5P_DEFAULT));
    add_dataset(f, "examples/test/label", H5T_IEEE_F64LE, one, H5P_DEFAULT,
                number);
    DO(H5Sclose(one));
}

/* Writes twice as many hypotheses as examples, as rows of a table. */
static void tall_nbest(hid_t f)
{
    static const char *const all[2 * EXAMPLES] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    hsize_t n[] = {2 * EXAMPLES, 1};
    hid_t table = H5Screate_simple(2, n, NULL);

    put_texts(f, "examples/test/nbest", all, 2 * EXAMPLES);
    DO(H5Ldelete(f, "examples/test/nbest_score", H5P_DEFAULT));
    add_dataset(f, "examples/test/nbest_score", H5T_IEEE_F64LE, table,
                H5P_DEFAULT, number);
    DO(H5Sclose(table));
}

static void foreign_label(hid_t f) { put_text(f, "/", "task", "lm1b"); }

static const struct hostile {
    const char *name, *says;
    void      (*harm)(hid_t f);
} hostile[] = {
    {"fewer sources than examples", "source: has 2 values", short_source},
    {"fewer labels than examples", "label: has 1 values", short_label},
    {"more guesses than examples", "guess: has 2000 values", long_guess},
    {"hypotheses that cannot be divided evenly", "for each example", odd_nbest},
    {"more scores than hypotheses", "hypotheses and scores differ",
     unequal_nbest},
    {"texts for numbers", "nll: has an unexpected type", texts_as_numbers},
    {"a curve of unequal columns", "values, but step has", short_curve},
    {"ranks without their values", "has 3 values, but its group has 0",
     lonely_rank},
    {"values in another file", "external files", external_storage},
    {"a soft link", "soft", soft_link},
    {"an external link", "external", external_link},
    {"a user-defined link", "user-defined", users_link},
    {"an object with two names", "", second_name},
    {"a group in itself", "", circle},
    {"deeply nested groups", "nested too deeply", depth},
    {"an extendible dataset", "extendible", unlimited},
    {"four gigabytes", "larger than the file", huge},
    {"eight terabytes", "too many values", too_many},
    {"missing chunks", "never stored", absent_chunks},
    {"another filter", "filters", other_filter},
    {"values that were never written", "never stored", absent_values},
    {"a table", "is not a list", table},
    {"a compound type", "unsupported type", other_type},
    {"a float of 32 bits", "unsupported type", small_type},
    {"a big-endian number", "unsupported type", large_end},
    {"a stored type", "neither a group nor", kept_type},
    {"references", "unsupported type", references},
    {"a list as metric", "bleu: is not a single value", list_metric},
    {"a group as metric", "ce: is a group", group_metric},
    {"a metric without a unit", "ce: lacks units", bare_metric},
    {"a metric without a direction", "ce: lacks units, better", no_direction},
    {"a metric without a signature", "ce: lacks units, better",
     unsigned_metric},
    {"a metric with direction 7", "-1, 0 or 1", better_metric},
    {"a metric with direction -2", "-1, 0 or 1", worse_metric},
    {"1100 metrics", "too many members", many_metrics},
    {"a name of 150 letters", "is not a valid name", long_name},
    {"a name that clears the screen", "invalid name", odd_name},
    {"a name with a blank", "is not a valid name", blank_name},
    {"a text with an escape sequence", "not one line", escape},
    {"a text that is not UTF-8", "UTF-8", not_utf8},
    {"a label that is a script", "is not a valid name", script},
    {"a text of fixed length", "title: has an unexpected type", fixed_text},
    {"a number for a text", "units: has an unexpected type", number_as_title},
    {"a digest that is a path", "is not a SHA-256", no_digest},
    {"a digest that is no number", "is not a SHA-256", odd_digest},
    {"a unit of 257 letters", "units: is too long", long_unit},
    {"a signature of 4097 letters", "signature: is too long", long_signature},
    {"two times of training", "train_seconds: is not a single value",
     two_seconds},
    {"one label for all examples", "label: is not a list", single_label},
    {"hypotheses of more examples", "for each example", tall_nbest},
    {"another task than configured", "a label that", foreign_label},
};

enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* Writes the cell with `harm` applied, sealed, with its journal line. */
static void make(const char *cell, void (*harm)(hid_t f))
{
    char *path = path_of(cell);
    struct cell_writer *w;
    hid_t f;

    PUT(made_begin(&w, folder, cell));
    fill(w);
    PUT(cell_put_text(w, "weights", "none", ""));
    PUT(cell_commit(w));
    unseal(path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    f = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    DO(f);
    harm(f);
    DO(H5Fclose(f));
    seal(path);
    PUT(store_done(store, cell, 1));
    free(path);
}

static void refused(void **state)
{
    struct cell_reader *r;

    (void)state;
    for (int i = 0; i < HOSTILE; i++) {
        make(id, hostile[i].harm);
        if (cell_open(&r, folder, id) != ERR_STORE)
            fail_msg("%s: not refused", hostile[i].name);
        assert_null(r);
        if (!strstr(err_last(), hostile[i].says) || !strstr(err_last(), id) ||
            !strstr(err_last(), "synthbench repair"))
            fail_msg("%s: '%s' does not say '%s'", hostile[i].name, err_last(),
                     hostile[i].says);
    }
    print_message("hostile cells: %d of %d refused\n", HOSTILE, HOSTILE);
}

static void nothing(hid_t f) { (void)f; }

/* A cell that HDF5 has opened for writing without a change is valid. */
static void sound(void **state)
{
    struct cell_reader *r;

    (void)state;
    make(id, nothing);
    PUT(cell_open(&r, folder, id));
    cell_close(r);
}

/* ---- errors in the values ---- */

static void bad_text(hid_t f)
{
    static const char *const s[] = {"\xc3", "c", "", "d", "e"};

    put_texts(f, "examples/test/source", s, EXAMPLES);
}

static void texts(void **state)
{
    struct cell_reader *r;
    char **s;
    double *x;
    size_t n;

    (void)state;
    make(id, bad_text);
    PUT(cell_open(&r, folder, id));
    assert_int_equal(cell_get_strings(r, "examples/test/source", &s, &n),
                     ERR_STORE);
    assert_null(s);
    assert_non_null(strstr(err_last(), "source"));
    PUT(cell_get_array(r, "long", &x, &n));
    assert_int_equal(n, 3000);
    free(x);
    cell_close(r);
}

/* Zeroes the header of every deflated chunk, for example those of `long`, which
 * is all zeros. */
static void chunks(void **state)
{
    char *path = path_of(id), *bytes;
    struct cell_reader *r;
    size_t n, got, spoiled = 0;
    double *x;

    (void)state;
    make(id, nothing);
    PUT(file_read(&bytes, &n, path));
    n -= SEAL;
    for (size_t at = 0; at + 2 < n; at++)
        if (!memcmp(bytes + at, "\x78\x5e", 2)) {
            memset(bytes + at, 0, 2);
            spoiled++;
        }
    assert_int_not_equal(spoiled, 0);
    PUT(file_write(path, bytes, n));
    seal(path);
    PUT(store_done(store, id, 1));
    PUT(cell_open(&r, folder, id));
    assert_int_equal(cell_get_array(r, "long", &x, &got), ERR_STORE);
    assert_null(x);
    cell_close(r);
    free(bytes);
    free(path);
}

static void newer_format(void **state)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), f;
    char *path = path_of(id);
    struct cell_reader *r;

    (void)state;
    make(id, nothing);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    DO(f);
    DO(H5Fclose(f));
    seal(path);
    PUT(store_done(store, id, 1));
    assert_int_equal(cell_open(&r, folder, id), ERR_STORE);
    assert_non_null(strstr(err_last(), "unsupported HDF5 file format"));
    H5Pclose(access);
    free(path);
}

static void ids(void **state)
{
    static const char *const no_id[] = {"", "a/b", "../cells/x", ".hidden"};
    struct cell_reader *r;

    (void)state;
    for (size_t i = 0; i < sizeof no_id / sizeof *no_id; i++) {
        assert_int_equal(cell_open(&r, folder, no_id[i]), ERR_STORE);
        assert_null(r);
        assert_non_null(strstr(err_last(), "is not a cell id"));
    }
}

/* ---- links, pipes, and files of others ---- */

/* Each path that a store writes to is replaced by a link to another file or
 * folder. */
static void links(void **state)
{
    static const char *const place[] = {
        "cells", "claims", "failed", "checkpoints", "logs", "weights", "plots",
        "quarantine", "rerun", "speed", "journal.tsv", "lock",
        "claims/.lock"};
    struct store *s;

    (void)state;
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        char *path = str_format("%s/%s", folder, place[i]);
        char *kept = str_format("%s/kept", folder);
        int was = rename(path, kept) == 0;

        assert_int_equal(symlink("kept", path), 0);
        for (int create = 0; create < 2; create++) {
            assert_int_equal(store_open(&s, folder, create), ERR_STORE);
            assert_non_null(strstr(err_last(), place[i]));
        }
        assert_int_equal(store_look(&s, folder), ERR_STORE);
        assert_int_equal(unlink(path), 0);
        assert_true(!was || rename(kept, path) == 0);
        free(kept);
        free(path);
    }
    PUT(store_open(&s, folder, 1));
    store_close(s);
}

/* Files are replaced by a pipe that no process writes to. */
static void pipes(void **state)
{
    static const char other[] = "00000000000000aa";
    char *path = path_of(id), *note = str_format("%s/failed/%s.json", folder,
                                               other);
    struct cell_status status;
    struct cell_reader *r;

    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(mkfifo(note, 0600), 0);
    assert_int_equal(cell_open(&r, folder, id), ERR_IO);
    assert_non_null(strstr(err_last(), "is not a file"));
    assert_int_equal(store_status(store, other, &status), ERR_STORE);
    free(note);
    free(path);
}

/* A file that is not a journal is never truncated, even if it does not end with
 * a line feed. */
static void foreign_journal(void **state)
{
    static const char foreign[] = "somebody else's,\nnot ended";
    char *path = str_format("%s/journal.tsv", folder), *now;
    struct store *s;

    (void)state;
    for (size_t from = 0; from <= 17; from += 17) { /* two lines, then one */
        PUT(file_write(path, foreign + from, strlen(foreign + from)));
        assert_int_equal(store_open(&s, folder, 1), ERR_STORE);
        assert_non_null(strstr(err_last(), "not a synthbench journal"));
        PUT(file_read(&now, NULL, path));
        assert_string_equal(now, foreign + from);
        free(now);
    }
    free(path);
}

/* ---- output of the commands ---- */

static void shown(void **state)
{
    static const int some[] = {0, 1, 7, 37, 39};
    const char *cell = made_cell(&(struct cell_labels){
        "vanilla", "agnews", "smoke", 1, 1});
    struct frozen_cell of = made_frozen(cell);
    struct frozen all = {.name = "x", .title = "x", .n = 1, .cell = &of};
    char *at = str_format("%s#%s", folder, cell), *out, *err;
    const char *const samples[] = {"show", at, "--samples", "3", NULL};
    const char *const table[] = {"table", "2", "--store", folder, NULL};
    const char *const status[] = {"status", "--store", folder, NULL};
    const char *const *const verb[] = {samples, table, status};

    (void)state;
    PUT(frozen_write(&all, folder));
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (size_t v = 0; v < sizeof verb / sizeof *verb; v++) {
            const struct hostile *h = &hostile[some[i]];

            make(cell, h->harm);
            int code = program_run(&out, &err, verb[v]);
            if (v == 0 ? code != 5 : code > 9)
                fail_msg("%s: %s ends with %d: %s", h->name, *verb[v], code,
                         err);
            assert_null(strstr(err, "bug:"));
            free(out);
            free(err);
        }
    free(at);
}

int main(void)
{
#define HOSTILE_TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        HOSTILE_TEST("a cell that HDF5 has opened for writing is accepted",
                     sound),
        HOSTILE_TEST("a crafted cell is refused when it is opened", refused),
        HOSTILE_TEST("a text that is not UTF-8 is not returned", texts),
        HOSTILE_TEST("a chunk that cannot be decompressed is not returned",
                     chunks),
        HOSTILE_TEST("a newer format of HDF5 is called that", newer_format),
        HOSTILE_TEST("an invalid id names no file", ids),
        HOSTILE_TEST("a link in place of a file or folder of a store is "
                     "refused", links),
        HOSTILE_TEST("a pipe in place of a file blocks no reader", pipes),
        HOSTILE_TEST("a file that is not a journal is left unchanged",
                     foreign_journal),
        HOSTILE_TEST("show, table and status survive crafted cells", shown),
    };

    made_by = (struct made_by){DATA_RECIPE_VERSION, NUMERICS_VERSION};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
