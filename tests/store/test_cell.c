/* One cell file: what is written is read back, and damage is detected. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUT(call) assert_int_equal(call, OK)

enum { LONG = 3000, MANY = 90 };

static const double odd[] = {0.0, -0.0, 1.0 / 3, NAN, INFINITY, -INFINITY,
                             5e-324, 1.7976931348623157e308};
static const int64_t whole[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
static const char *const words[] = {"", "plain", "Grüße 世界 ☃", "a\tb\nc"};

/* Writes one value of each kind that a cell can hold. */
static void fill(struct cell_writer *w)
{
    static double curve[LONG];
    char name[16];

    for (int i = 0; i < LONG; i++)
        curve[i] = sin(i);
    PUT(cell_put_text(w, "", "status", "done"));
    PUT(cell_put_text(w, "config", "letters", "random+vanilla"));
    PUT(cell_put_text(w, "config", "empty", ""));
    PUT(cell_put_text(w, "provenance/build", "flags", words[2]));
    PUT(cell_put_int(w, "config", "most", INT64_MAX));
    PUT(cell_put_real(w, "config", "lr", 1.0 / 3));
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "key%d", i);
        PUT(cell_put_int(w, "config", name, i));
    }
    PUT(cell_put_array(w, "curves/train/loss", "nats/token", curve, LONG));
    PUT(cell_put_array(w, "odd", "1", odd, sizeof odd / sizeof *odd));
    PUT(cell_put_array(w, "none", "1", NULL, 0));
    PUT(cell_put_ints(w, "some/index", "1", whole,
                      sizeof whole / sizeof *whole));
    PUT(cell_put_strings(w, "examples/test/text", words, 4));
    PUT(cell_put_strings(w, "examples/none", words, 0));
    PUT(cell_put_metric(w, "bleu", "%", 1, "tok:13a", 12.34));
}

static void write_cell(const char *name)
{
    struct cell_writer *w;

    PUT(made_begin(&w, folder, name));
    fill(w);
    PUT(cell_commit(w));
}

static void comes_back(void **state)
{
    struct cell_reader *r;
    char *text, **strings;
    long long i;
    double *x, v;
    size_t n;

    (void)state;
    write_cell(id);
    PUT(cell_open(&r, folder, id));
    PUT(cell_get_text(r, "", "id", &text));
    assert_string_equal(text, id);
    free(text);
    PUT(cell_get_text(r, "config", "empty", &text));
    assert_string_equal(text, "");
    free(text);
    PUT(cell_get_text(r, "provenance/build", "flags", &text));
    assert_string_equal(text, words[2]);
    free(text);
    PUT(cell_get_int(r, "config", "most", &i));
    assert_true(i == INT64_MAX);
    PUT(cell_get_int(r, "config", "key89", &i));
    assert_true(i == 89);
    PUT(cell_get_real(r, "config", "lr", &v));
    assert_true(v == 1.0 / 3);
    PUT(cell_get_array(r, "curves/train/loss", &x, &n));
    assert_int_equal(n, LONG);
    for (int k = 0; k < LONG; k++)
        assert_true(x[k] == sin(k));
    free(x);
    PUT(cell_get_array(r, "odd", &x, &n));
    assert_int_equal(n, sizeof odd / sizeof *odd);
    assert_memory_equal(x, odd, sizeof odd);
    free(x);
    PUT(cell_get_array(r, "none", &x, &n));
    assert_int_equal(n, 0);
    free(x);
    PUT(cell_get_array(r, "some/index", &x, &n));
    assert_int_equal(n, 5);
    assert_true(x[0] == -0x1p63 && x[1] == -1 && x[3] == 1);
    free(x);
    PUT(cell_get_strings(r, "examples/test/text", &strings, &n));
    assert_int_equal(n, 4);
    for (size_t k = 0; k < n; k++) {
        assert_string_equal(strings[k], words[k]);
        free(strings[k]);
    }
    free(strings);
    PUT(cell_get_strings(r, "examples/none", &strings, &n));
    assert_int_equal(n, 0);
    free(strings);
    PUT(cell_get_metric(r, "bleu", &v));
    assert_true(v == 12.34);
    cell_close(r);
}

/* The id hashes two versions (recipe and numerics), which are stored under
 * separate names. */
static void versions(void **state)
{
    static const char config[] = "{\"scale\":\"quick\",\"seed\":1,"
                                 "\"task\":\"t\",\"variant\":\"v\"}";
    struct cell_writer *w;
    struct cell_reader *r;
    long long recipe, numerics;
    char own[CELL_ID];

    (void)state;
    cell_id(own, config, 7, 9);
    PUT(cell_begin(&w, folder, own));
    PUT(cell_put_config(w, config, config, 7, 9));
    PUT(cell_commit(w));
    PUT(cell_open(&r, folder, own));
    PUT(cell_get_int(r, "provenance", "data_recipe_version", &recipe));
    PUT(cell_get_int(r, "provenance", "numerics_version", &numerics));
    assert_int_equal(recipe, 7);
    assert_int_equal(numerics, 9);
    cell_close(r);
}

static void absent_things(void **state)
{
    struct cell_reader *r;
    char *text, **strings;
    long long i;
    double *x, v;
    size_t n;

    (void)state;
    write_cell(id);
    assert_int_equal(cell_open(&r, folder, "0123456789abcdef"), ERR_EMPTY);
    assert_null(r);
    assert_non_null(strstr(err_last(), "0123456789abcdef.h5"));
    PUT(cell_open(&r, folder, id));
    assert_int_equal(cell_get_text(r, "", "nothing", &text), ERR_EMPTY);
    assert_int_equal(cell_get_text(r, "no/group", "x", &text), ERR_EMPTY);
    assert_int_equal(cell_get_int(r, "config", "nothing", &i), ERR_EMPTY);
    assert_int_equal(cell_get_real(r, "config/x", "y", &v), ERR_EMPTY);
    assert_int_equal(cell_get_array(r, "curves/valid/ce", &x, &n), ERR_EMPTY);
    assert_null(x);
    assert_int_equal(cell_get_strings(r, "x", &strings, &n), ERR_EMPTY);
    assert_int_equal(cell_get_metric(r, "chrf", &v), ERR_EMPTY);
    assert_non_null(strstr(err_last(), "metrics/chrf"));
    cell_close(r);
}

static void names(void **state)
{
    static const char *const want[] = {"odd", "none", "plain"};
    struct cell_writer *w;
    struct cell_reader *r;
    const char **name;
    size_t n;

    (void)state;
    PUT(made_begin(&w, folder, id));
    for (int i = 0; i < 2; i++)
        PUT(cell_put_array(w, i ? "some/none" : "some/odd", "1", odd, 2));
    PUT(cell_put_text(w, "some/plain", "text", "attributes are not listed"));
    PUT(cell_put_text(w, "some", "text", "nor here"));
    PUT(cell_put_text(w, "empty", "text", "nothing"));
    PUT(cell_commit(w));
    PUT(cell_open(&r, folder, id));
    PUT(cell_get_names(r, "some", &name, &n));
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(name[i], want[i]);
    PUT(cell_get_names(r, "", &name, &n));
    assert_int_equal(n, 4); /* config, provenance, some, empty */
    assert_string_equal(name[3], "empty");
    PUT(cell_get_names(r, "empty", &name, &n));
    assert_int_equal(n, 0);
    assert_int_equal(cell_get_names(r, "some/x", &name, &n), ERR_EMPTY);
    assert_null(name);
    assert_int_equal(cell_get_names(r, "some/odd", &name, &n), ERR_STORE);
    assert_non_null(strstr(err_last(), ".h5:/some/odd"));
    cell_close(r);
}

static void wrong_types(void **state)
{
    struct cell_reader *r;
    char *text, **strings;
    long long i;
    double *x;
    size_t n;

    (void)state;
    write_cell(id);
    PUT(cell_open(&r, folder, id));
    assert_int_equal(cell_get_text(r, "config", "most", &text), ERR_STORE);
    assert_null(text);
    assert_int_equal(cell_get_int(r, "config", "variant", &i), ERR_STORE);
    assert_int_equal(cell_get_array(r, "examples/test/text", &x, &n),
                     ERR_STORE);
    assert_null(x);
    assert_int_equal(cell_get_strings(r, "odd", &strings, &n), ERR_STORE);
    assert_non_null(strstr(err_last(), ".h5:/odd"));
    cell_close(r);
}

static void second_put(void **state)
{
    struct cell_writer *w;
    struct cell_reader *r;
    char *text;

    (void)state;
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_text(w, "", "title", "first"));
    PUT(cell_put_text(w, "", "title", "second, longer"));
    PUT(cell_put_array(w, "a/b", "1", odd, 2));
    assert_int_equal(cell_put_array(w, "a/b", "1", odd, 2), ERR_STORE);
    assert_non_null(strstr(err_last(), ".h5:/a/b: HDF5: "));
    PUT(cell_commit(w));
    PUT(cell_open(&r, folder, id));
    PUT(cell_get_text(r, "", "title", &text));
    assert_string_equal(text, "second, longer");
    free(text);
    cell_close(r);
}

static void large_things(void **state)
{
    struct cell_writer *w;
    struct cell_reader *r;
    size_t n = 200000, got;
    char *text = malloc(n + 1), *back;
    double *x = malloc(n * sizeof *x), *y;

    (void)state;
    memset(text, 'x', n);
    text[n] = 0;
    for (size_t i = 0; i < n; i++)
        x[i] = (double)(i * i % 977);
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_text(w, "config", "text", text));
    PUT(cell_put_array(w, "x", "1", x, n));
    PUT(cell_commit(w));
    PUT(cell_open(&r, folder, id));
    PUT(cell_get_text(r, "config", "text", &back));
    assert_string_equal(back, text);
    PUT(cell_get_array(r, "x", &y, &got));
    assert_int_equal(got, n);
    assert_memory_equal(x, y, n * sizeof *x);
    cell_close(r);
    free(back);
    free(text);
    free(x);
    free(y);
}

/* Writes groups deep enough for B-trees of several levels and heaps of several
 * blocks. */
static void many_things(void **state)
{
    enum { METRICS = 1000, KEYS = 3000, VALUES = 1200000 };
    double *x = malloc(VALUES * sizeof *x), *y;
    struct cell_writer *w;
    struct cell_reader *r;
    long long got;
    const char **names;
    char name[32];
    size_t n;

    (void)state;
    for (size_t i = 0; i < VALUES; i++)
        x[i] = (double)(i % 977);
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_array(w, "x", "1", x, VALUES));
    for (int i = 0; i < METRICS; i++) {
        snprintf(name, sizeof name, "metric%d", i);
        PUT(cell_put_metric(w, name, "%", 1, "one of many", i));
    }
    for (int i = 0; i < KEYS; i++) {
        snprintf(name, sizeof name, "key%d", i);
        PUT(cell_put_int(w, "config", name, i));
    }
    PUT(cell_commit(w));
    PUT(cell_open(&r, folder, id));
    PUT(cell_get_array(r, "x", &y, &n));
    assert_int_equal(n, VALUES);
    assert_memory_equal(x, y, VALUES * sizeof *x);
    PUT(cell_get_names(r, "metrics", &names, &n));
    assert_int_equal(n, METRICS);
    for (int i = 0; i < METRICS; i++) {
        snprintf(name, sizeof name, "metric%d", i);
        assert_string_equal(names[i], name);
        PUT(cell_get_metric(r, name, y));
        assert_true(*y == i);
    }
    for (int i = 0; i < KEYS; i++) {
        snprintf(name, sizeof name, "key%d", i);
        PUT(cell_get_int(r, "config", name, &got));
        assert_true(got == i);
    }
    cell_close(r);
    free(x);
    free(y);
}

/* The trainer does not control every text, so invalid UTF-8 is replaced. */
static void odd_texts(void **state)
{
    static const char *const list[] = {"\xff", "a\tb", "\033[2J"};
    struct cell_writer *w;
    struct cell_reader *r;
    char *s, **t;
    size_t n;

    (void)state;
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_text(w, "provenance", "processor", "a\xc3 \033[2J\tb"));
    PUT(cell_put_strings(w, "texts", list, 3));
    PUT(cell_commit(w));
    PUT(cell_open(&r, folder, id));
    PUT(cell_get_text(r, "provenance", "processor", &s));
    assert_string_equal(s, "a\xef\xbf\xbd  [2J b");
    PUT(cell_get_strings(r, "texts", &t, &n));
    assert_string_equal(t[0], "\xef\xbf\xbd");
    assert_string_equal(t[1], list[1]);
    assert_string_equal(t[2], list[2]);
    cell_free_strings(t, n);
    cell_close(r);
    free(s);
}

/* A cell that could not be read back is not written. */
static void unreadable(void **state)
{
    struct cell_writer *w;
    char *path = str_format("%s/cells/%s.h5", folder, id);

    (void)state;
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_array(w, "examples/test/nll", "nats", odd, 3));
    PUT(cell_put_array(w, "examples/test/hits", "1", odd, 2));
    assert_int_equal(cell_commit(w), ERR_STORE);
    assert_non_null(strstr(err_last(), "hits: has 2 values, but nll has 3"));
    assert_int_equal(file_exists(path), 0);
    free(path);
}

static void abandoned(void **state)
{
    struct cell_writer *w;
    const char **list;
    int n;

    (void)state;
    PUT(made_begin(&w, folder, id));
    fill(w);
    cell_abandon(w);
    cell_abandon(NULL);
    PUT(store_list(store, &list, &n));
    assert_int_equal(n, 0);
    char *cells = str_format("%s/cells", folder);
    assert_int_equal(rmdir(cells), 0); /* not even a temporary file */
    free(cells);
}

static char *read_cell(const char *name, size_t *n)
{
    char *path = str_format("%s/cells/%s.h5", folder, name), *bytes;

    PUT(file_read(&bytes, n, path));
    free(path);
    return bytes;
}

static void same_bytes(void **state)
{
    struct cell_writer *w;
    char *bytes[2];
    size_t n[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        PUT(made_begin(&w, folder, id));
        PUT(cell_put_text(w, "", "date_created", "2021-07-18T00:00:00Z"));
        PUT(cell_put_text(w, "", "history", "2021-07-18T00:00:00Z test"));
        fill(w);
        PUT(cell_commit(w));
        bytes[i] = read_cell(id, &n[i]);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void newer_schema(void **state)
{
    struct cell_writer *w;
    struct cell_reader *r;

    (void)state;
    PUT(made_begin(&w, folder, id));
    PUT(cell_put_int(w, "", "schema_version", CELL_SCHEMA + 1));
    PUT(cell_commit(w));
    assert_int_equal(cell_open(&r, folder, id), ERR_STORE);
    assert_non_null(strstr(err_last(), "by a later version"));
    assert_non_null(strstr(err_last(), id));
}

/* ---- damage ---- */

static void put_file(const char *bytes, size_t n)
{
    char *path = str_format("%s/cells/%s.h5", folder, id);
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    free(path);
}

static void refused(const char *what)
{
    struct cell_reader *r;

    assert_int_equal(cell_open(&r, folder, id), ERR_STORE);
    if (!strstr(err_last(), id) || !strstr(err_last(), what))
        fail_msg("'%s' does not say '%s'", err_last(), what);
}

static void foreign_files(void **state)
{
    char *other;
    size_t n;

    (void)state;
    put_file("", 0);
    refused("synthbench repair");
    put_file("not HDF5 at all\n", 16);
    refused("synthbench repair");
    write_cell(made_id("other"));
    other = read_cell(made_id("other"), &n);
    put_file(other, n);
    refused("another cell");
    free(other);
}

/* The journal has no line for this cell. */
static void truncated(void **state)
{
    size_t n;
    char *bytes;

    (void)state;
    write_cell(id);
    bytes = read_cell(id, &n);
    for (size_t cut = 0; cut < n; cut += cut < 2048 ? 13 : 997) {
        put_file(bytes, cut);
        refused("synthbench repair");
    }
    put_file(bytes, n - 1);
    refused("synthbench repair");
    free(bytes);
}

static void flipped(void **state)
{
    size_t n;
    char *bytes;

    (void)state;
    write_cell(id);
    bytes = read_cell(id, &n);
    for (size_t at = 0; at < n; at += 37) {
        bytes[at] ^= (char)(1 << at % 8);
        put_file(bytes, n);
        bytes[at] ^= (char)(1 << at % 8);
        refused("synthbench repair");
    }
    free(bytes);
}

/* The file is intact, but its digest differs from that in the journal. */
static void exchanged(void **state)
{
    size_t n;
    char *bytes;
    struct cell_status status;
    struct cell_writer *w;

    (void)state;
    write_cell(id);
    bytes = read_cell(id, &n);
    PUT(store_done(store, id, 1));
    PUT(store_status(store, id, &status));
    PUT(made_begin(&w, folder, id));
    PUT(cell_commit(w));
    assert_int_equal(store_status(store, id, &status), ERR_STORE);
    refused("journal.tsv");
    put_file(bytes, n);
    PUT(store_status(store, id, &status));
    assert_int_equal(status.state, CELL_DONE);
    free(bytes);
}

/* ---- other readers ---- */

static void says(const char *command, const char *want)
{
    static char out[1 << 17];
    char *line = str_format(command, folder, id);
    FILE *p = popen(line, "r");
    size_t n = p ? fread(out, 1, sizeof out - 1, p) : 0;

    out[n] = 0;
    if (!p || pclose(p))
        fail_msg("%s failed", line);
    if (!strstr(out, want))
        fail_msg("%s does not say '%s'", line, want);
    free(line);
}

static void other_readers(void **state)
{
    (void)state;
    const char *next = made_id("next");

    write_cell(next);
    write_cell(id);
    PUT(store_reindex(store));
    says("h5dump -H %s/cells/%s.h5", "DATASET \"loss\"");
    says("h5dump -H -d /some/index %s/cells/%s.h5", "H5T_STD_I64LE");
    says("h5dump -a /Conventions %s/cells/%s.h5", "CF-1.8, ACDD-1.3");
    says("h5dump -d /metrics/bleu %s/cells/%s.h5", "12.34");
    says("h5dump -d /cells/%2$s/metrics/bleu %1$s/index.h5", "12.34");
    says("h5dump -a /cells/%2$s/id %1$s/index.h5", id);
    id = next;
    says("h5dump -a /cells/%2$s/id %1$s/index.h5", id);
    if (system("python3 -c 'import h5py' 2>/dev/null") == 0)
        says("python3 -c 'import h5py; "
             "f = h5py.File(\"%s/cells/%s.h5\"); "
             "print(f[\"examples/test/text\"].asstr()[2], "
             "f[\"metrics/bleu\"][()], f.attrs[\"id\"])'",
             "Grüße 世界 ☃ 12.34 ");
    if (system("command -v ncdump >/dev/null") == 0)
        says("ncdump %s/cells/%s.h5", "Conventions = \"CF-1.8, ACDD-1.3\"");
}

int main(void)
{
#define CELL_TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        CELL_TEST("everything that is put into a cell is read back",
                  comes_back),
        CELL_TEST("a cell stores the versions that are part of its id",
                  versions),
        CELL_TEST("reading an absent value gives ERR_EMPTY", absent_things),
        CELL_TEST("a group lists its members in the order in which they were "
                  "put", names),
        CELL_TEST("a value of another type is refused", wrong_types),
        CELL_TEST("an attribute is replaced, a dataset is not", second_put),
        CELL_TEST("large texts and arrays are read back", large_things),
        CELL_TEST("as many values as a cell may have are read back",
                  many_things),
        CELL_TEST("texts are converted to UTF-8, attributes to one line",
                  odd_texts),
        CELL_TEST("a cell that could not be read is not stored", unreadable),
        CELL_TEST("an abandoned cell leaves nothing on disk", abandoned),
        CELL_TEST("equal contents give equal bytes", same_bytes),
        CELL_TEST("a newer schema is refused and called newer", newer_schema),
        CELL_TEST("an empty, a foreign and a misplaced file are refused",
                  foreign_files),
        CELL_TEST("a cell file cut off anywhere is refused", truncated),
        CELL_TEST("a cell file with any bit flipped is refused", flipped),
        CELL_TEST("a cell file in place of another is refused", exchanged),
        CELL_TEST("h5dump, h5py and ncdump read a cell", other_readers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
