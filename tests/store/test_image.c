/*
 * The reader of HDF5 files refuses files whose structure it does not support or
 * that contradict themselves, and says what is wrong. Each row of the table
 * changes one field of a file that HDF5 wrote.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/image.h"
#include "tests/support/store_fixture.h"
#include "tests/support/untrained_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUT(call) assert_int_equal(call, OK)

/* The file of a cell, in the newer format of groups; a trace, which h5py wrote
 * in the older format; and a file that HDF5 wrote with its defaults. */
enum { CELL, OLDER, PLAIN, FILES };
static struct bytes { char *at; size_t n; } file[FILES];

/* ---- the files ---- */

static void write_cell(void)
{
    enum { VALUES = 3000, TEXTS = 300, METRICS = 90, FACTS = 40 };
    static double number[VALUES];
    static const char *text[TEXTS];
    struct cell_writer *w;
    char name[32];

    for (int i = 0; i < VALUES; i++)
        number[i] = i % 7;
    for (int i = 0; i < TEXTS; i++)
        text[i] = i % 3 ? "some text" : "";
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_array(w, "long", "1", number, VALUES));
    PUT(cell_put_strings(w, "examples/test/source", text, TEXTS));
    for (int i = 0; i < METRICS; i++) {
        snprintf(name, sizeof name, "metric%d", i);
        PUT(cell_put_metric(w, name, "%", 1, "tok:13a", i));
    }
    for (int i = 0; i < FACTS; i++) {
        snprintf(name, sizeof name, "fact%d", i);
        PUT(cell_put_text(w, "provenance", name, "known"));
    }
    PUT(cell_commit(w));
}

/* Writes a file as a C program does that calls HDF5 with its defaults, which
 * writes other versions of some messages than h5py does. */
static void write_plainly(const char *path)
{
    static const double table[6][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9},
                                       {10, 11, 12}, {13, 14, 15}, {16, 17}};
    static const int32_t small[5] = {3, 1, -4, 1, 5};
    static const int64_t large[2] = {-7, (int64_t)1 << 40};
    static const char *const word = "plain text";
    const hsize_t shape[2] = {6, 3}, chunk[2] = {4, 3}, five = 5, two = 2;
    hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t make = H5Pcreate(H5P_DATASET_CREATE), text = H5Tcopy(H5T_C_S1);
    hid_t rows = H5Screate_simple(2, shape, NULL), one = H5Screate(H5S_SCALAR);
    hid_t list = H5Screate_simple(1, &five, NULL);
    hid_t pair = H5Screate_simple(1, &two, NULL);

    H5Pset_chunk(make, 2, chunk);
    H5Pset_shuffle(make);
    H5Pset_deflate(make, 9);
    hid_t d = H5Dcreate2(f, "table", H5T_IEEE_F64LE, rows, H5P_DEFAULT, make,
                         H5P_DEFAULT);
    assert_true(H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         table) >= 0);
    H5Dclose(d);
    H5Pclose(make);
    make = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(make, H5D_COMPACT);
    d = H5Dcreate2(f, "list", H5T_STD_I32LE, list, H5P_DEFAULT, make,
                   H5P_DEFAULT);
    assert_true(H5Dwrite(d, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         small) >= 0);
    hid_t a = H5Acreate2(d, "large", H5T_STD_I64LE, pair, H5P_DEFAULT,
                         H5P_DEFAULT);
    assert_true(H5Awrite(a, H5T_NATIVE_INT64, large) >= 0);
    H5Aclose(a);
    H5Tset_size(text, H5T_VARIABLE);
    a = H5Acreate2(d, "word", text, one, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, text, &word) >= 0);
    H5Aclose(a);
    H5Dclose(d);
    H5Pclose(make);
    H5Sclose(rows);
    H5Sclose(list);
    H5Sclose(pair);
    H5Sclose(one);
    H5Tclose(text);
    assert_true(H5Fclose(f) >= 0);
}

static int setup(void **state)
{
    store_setup(state);
    write_cell();
    OWNED(free) char *path = str_format("%s/cells/%s.h5", folder, id);
    PUT(file_read(&file[CELL].at, &file[CELL].n, path));
    file[CELL].n -= sizeof "\nSHA-256 \n" - 1 + 64;
    PUT(file_read(&file[OLDER].at, &file[OLDER].n,
                  "tests/data/traces/lm-t5-uniform.h5"));
    OWNED(free) char *plain = str_format("%s/plain.h5", folder);
    write_plainly(plain);
    PUT(file_read(&file[PLAIN].at, &file[PLAIN].n, plain));
    return 0;
}

static int teardown(void **state)
{
    for (int i = 0; i < FILES; i++)
        free(file[i].at);
    return store_teardown(state);
}

/* ---- reading ---- */

static void read_value(struct image *f, const struct image_value *v)
{
    OWNED(free) void *room = calloc(v->n + 1, sizeof(void *));
    char **text = room;

    if (v->type == IMAGE_OTHER)
        return;
    if (v->type != IMAGE_TEXT) {
        image_reals(f, v, room);
        return;
    }
    image_texts(f, v, text);
    for (uint64_t i = 0; i < v->n; i++)
        free(text[i]);
}

static void read_object(struct image *f, const struct image_object *o)
{
    for (size_t i = 0; i < o->attributes; i++)
        read_value(f, &o->attribute[i].value);
    if (o->is_data)
        read_value(f, &o->value);
    for (size_t i = 0; i < o->children; i++)
        read_object(f, o->child[i]);
}

/* Reads everything in the file. Returns what is wrong, or "". The caller frees
 * the text. */
static char *wrong(const char *bytes, size_t n)
{
    OWNED(image_close) struct image *f = NULL;

    if (image_open(&f, bytes, n) == 0)
        read_object(f, image_root(f));
    return str_copy(image_why(f));
}

static void as_written(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        OWNED(free) char *why = wrong(file[i].at, file[i].n);

        assert_string_equal(why, "");
    }
}

/* ---- one field is changed ---- */

static const struct edit {
    int         file;
    const char *mark; /* the field is in the first object that begins so */
    int         at, bytes;
    uint64_t    value;
    const char *says;
} edits[] = {
    /* fractal heap */
    {CELL, "FRHP", 4, 1, 1, "unsupported heap version"},
    {CELL, "FRHP", 5, 2, 4, "unsupported heap"}, /* short identifiers */
    {CELL, "FRHP", 5, 2, 33, "unsupported heap"},
    {CELL, "FRHP", 7, 2, 8, "unsupported heap filters"},
    {CELL, "FRHP", 110, 2, 0, "unsupported heap"}, /* width */
    {CELL, "FRHP", 110, 2, 65, "unsupported heap"},
    {CELL, "FRHP", 112, 8, 0, "unsupported heap"}, /* first block */
    {CELL, "FRHP", 112, 8, 768, "unsupported heap"},
    {CELL, "FRHP", 112, 8, 1 << 17, "unsupported heap"},
    {CELL, "FRHP", 120, 8, 1 << 17, "unsupported heap"}, /* largest block */
    {CELL, "FRHP", 120, 8, 256, "unsupported heap"},
    {CELL, "FRHP", 128, 2, 0, "unsupported heap"}, /* bits of an offset */
    {CELL, "FRHP", 128, 2, 65, "unsupported heap"},
    {CELL, "FRHP", 132, 8, UINT64_MAX, "some data was never stored"},
    {CELL, "FRHP", 140, 2, 33, "unsupported heap"}, /* rows */
    {CELL, "FRHP", 140, 2, 1, "an object is not in its heap"},
    {CELL, "FHIB", 3, 1, 'b', "unexpected signature"},
    {CELL, "FHDB", 3, 1, 'b', "unexpected signature"},
    {CELL, "BTLF", 10, 1, 16, "an object is too large for a heap block"},
    {CELL, "BTLF", 11, 4, 0, "an object lies outside its heap block"},
    {CELL, "BTLF", 11, 4, 9999999, "an object is not in its heap"},
    {CELL, "BTLF", 15, 2, 60000, "an object lies outside its heap block"},
    /* version 2 tree */
    {CELL, "BTHD", 4, 1, 1, "unsupported tree version"},
    {CELL, "BTHD", 5, 1, 4, "unexpected tree type"},
    {CELL, "BTHD", 6, 4, (1 << 16) + 1, "unsupported tree"},
    {CELL, "BTHD", 6, 4, 12, "the nodes of a tree are too small"},
    {CELL, "BTHD", 10, 2, 12, "unexpected record size of a tree"},
    {CELL, "BTHD", 12, 2, 8, "unsupported tree"}, /* height */
    {CELL, "BTHD", 24, 2, 600, "a tree node has too many records"},
    {CELL, "BTLF", 4, 1, 1, "unsupported tree version"},
    {CELL, "BTLF", 5, 1, 9, "unexpected tree type"},
    /* version 1 tree of chunks */
    {CELL, "TREE", 4, 1, 0, "unexpected tree type"},
    {CELL, "TREE", 5, 1, 1, "unexpected signature"},
    {CELL, "TREE", 5, 1, 8, "declared larger than the file can hold"},
    {CELL, "TREE", 6, 2, 0, "chunks of a dataset are missing"},
    {CELL, "TREE", 6, 2, 9999, "data extends beyond the end of the file"},
    {CELL, "TREE", 24, 4, 1, "chunks do not match their dataset"},
    {CELL, "TREE", 32, 8, 1, "chunks do not match their dataset"},
    {CELL, "TREE", 40, 8, 1, "unexpected chunk shape"},
    {CELL, "TREE", 48, 8, 1 << 30, "an address is beyond the end"},
    {CELL, "TREE", 48, 8, 0, "two objects overlap"},
    /* texts */
    {CELL, "GCOL", 4, 4, 2, "unsupported text collection version"},
    {CELL, "GCOL", 8, 8, 4095, "a text collection is too small"},
    {CELL, "GCOL", 16, 2, 999, "a text is missing"},
    {CELL, "GCOL", 24, 8, 1 << 30, "a text is truncated"},
    {CELL, "GCOL", 24, 8, 1, "a text is not UTF-8, or is shorter"},
    /* object header */
    {CELL, "OHDR", 4, 1, 3, "unsupported object header version"},
    {CELL, "OCHK", 3, 1, 'k', "unexpected signature"},
    /* symbol table */
    {OLDER, "HEAP", 4, 1, 1, "unsupported heap version"},
    {OLDER, "HEAP", 8, 8, 1 << 30, "data extends beyond the end of the file"},
    {OLDER, "HEAP", 8, 8, 34, "a name is not terminated"},
    {OLDER, "HEAP", 24, 8, 1 << 30, "an address is beyond the end"},
    {OLDER, "SNOD", 4, 1, 2, "unsupported symbol table version"},
    {OLDER, "SNOD", 6, 2, 60000, "data extends beyond the end of the file"},
    {OLDER, "SNOD", 8, 8, 1 << 30, "data is truncated"},
    {OLDER, "SNOD", 16, 8, 1 << 30, "an address is beyond the end"},
    {OLDER, "SNOD", 24, 4, 2, "unsupported soft link"},
    {OLDER, "TREE", 4, 1, 1, "unexpected tree type"},
    {OLDER, "TREE", 5, 1, 8, "a tree has too many levels"},
    {OLDER, "TREE", 5, 1, 1, "unexpected signature"},
    /* attributes: the fields before the name */
    {PLAIN, "large", -8, 1, 2, "unsupported attribute"},
    {PLAIN, "large", -6, 2, 5, "a name is not terminated"},
    {PLAIN, "large", -6, 2, 0, "invalid name"},
    {PLAIN, "large", 2, 1, '/', "invalid name"},
    {PLAIN, "large", 2, 1, 0x80, "invalid name"},
    {PLAIN, "large", 8, 1, 0x1f, "unsupported type"},
    {PLAIN, "large", 24, 1, 2, "unsupported version of a shape"},
    {PLAIN, "large", 25, 1, 5, "unsupported shape"},
    {PLAIN, "large", 26, 1, 2, "unsupported shape"},
    {PLAIN, "large", 32, 8, 1 << 30 | 1, "a shape has too many values"},
    {PLAIN, "large", 32, 8, 999, "unsupported extendible shape"},
    /* filters: the fields before the name of the first one */
    {PLAIN, "shuffle", -16, 1, 2, "unsupported version of filters"},
    {PLAIN, "shuffle", -8, 2, 3, "unsupported filters"},
    {PLAIN, "shuffle", -8, 2, 1, "unsupported filters"}, /* deflate, twice */
    {PLAIN, "deflate", -8, 2, 2, "unsupported filters"}, /* shuffle, twice */
    /* layout: version, class, rank, address, shape */
    {PLAIN, "\3\2\3", 0, 1, 4, "unsupported layout version"},
    {PLAIN, "\3\2\3", 1, 1, 3, "unsupported layout"},
    {PLAIN, "\3\2\3", 2, 1, 4, "chunks have another rank"},
    {PLAIN, "\3\2\3", 11, 4, 0, "unsupported chunk shape"},
    {PLAIN, "\3\2\3", 11, 4, (1 << 16) + 1, "unsupported chunk shape"},
    {PLAIN, "\3\2\3", 11, 4, 1 << 15, "unsupported chunk shape"},
    {PLAIN, "\3\2\3", 15, 4, 2, "chunks do not cover whole rows"},
    {PLAIN, "\3\2\3", 19, 4, 4, "chunks have another value size"},
};

static char *find(const struct bytes *b, const char *mark)
{
    size_t n = strlen(mark);
    char *at = b->at, *end = b->at + b->n - n;

    while (at < end && memcmp(at, mark, n))
        at++;
    assert_true(at < end);
    return at;
}

static void refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        const struct edit *e = &edits[i];
        struct bytes *b = &file[e->file];
        char *at = find(b, e->mark) + e->at, kept[8];

        memcpy(kept, at, 8);
        memcpy(at, &e->value, (size_t)e->bytes);
        OWNED(free) char *why = wrong(b->at, b->n);
        memcpy(at, kept, 8);
        if (!strstr(why, e->says))
            fail_msg("%s+%d = %llu: '%s' does not say '%s'", e->mark, e->at,
                     (unsigned long long)e->value, why, e->says);
    }
}

/* ---- values ---- */

static void of_other_programs(void **state)
{
    OWNED(image_close) struct image *f = NULL;
    const struct image_object *o;
    double x[18];
    char *word;

    (void)state;
    if (image_open(&f, file[PLAIN].at, file[PLAIN].n))
        fail_msg("%s", image_why(f));
    o = image_find(f, "table");
    assert_int_equal(o->value.rank, 2);
    assert_int_equal(o->value.dim[1], 3);
    assert_int_equal(image_reals(f, &o->value, x), 0);
    for (int i = 0; i < 18; i++)
        assert_true(x[i] == (i < 17 ? i + 1 : 0));
    o = image_find(f, "list");
    assert_int_equal(image_reals(f, &o->value, x), 0);
    assert_true(x[0] == 3 && x[2] == -4 && x[4] == 5);
    const struct image_attribute *a = image_attribute(o, "large");
    assert_int_equal(image_reals(f, &a->value, x), 0);
    assert_true(x[0] == -7 && x[1] == (double)((int64_t)1 << 40));
    a = image_attribute(o, "word");
    assert_int_equal(image_texts(f, &a->value, &word), 0);
    assert_string_equal(word, "plain text");
    free(word);
    assert_null(image_attribute(o, "none"));
    assert_null(image_find(f, "table/none"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"the files are read as they were written", as_written, setup,
         teardown, NULL},
        {"a file that a program wrote with HDF5's defaults is read",
         of_other_programs, setup, teardown, NULL},
        {"a field that HDF5 does not write is named", refused, setup, teardown,
         NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
