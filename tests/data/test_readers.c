/* The readers of file formats that the readers of official corpora use: lines,
 * gzip, CSV, JSON. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/data/format/bytes.h"
#include "harness/data/format/csv.h"
#include "harness/data/format/jsonarray.h"
#include "harness/data/format/jsonl.h"
#include "harness/data/source/files.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct scratch {
    char *folder, *path;
};

static struct scratch put(const char *name, const void *data, size_t n)
{
    struct scratch s = {.folder = scratch_make()};

    s.path = str_format("%s/%s", s.folder, name);
    assert_int_equal(file_write(s.path, data, n), OK);
    return s;
}

static void drop(struct scratch *s)
{
    free(s->path);
    scratch_remove(s->folder);
}

/* Returns the lines of a file, each in [], followed by the error message
 * without the path if reading fails. */
static char *lines_of(const char *data, size_t n)
{
    struct scratch s = put("f", data, n);
    struct linefile *f;
    struct text all = {0};
    char *line;
    int rc;

    text_clear(&all);
    assert_int_equal(linefile_open(&f, s.path), OK);
    while ((rc = linefile_next(f, &line)) > 0) {
        assert_int_equal(strlen(line), linefile_bytes(f));
        text_put(&all, "[");
        text_put(&all, line);
        text_put(&all, "]");
    }
    if (rc < 0) {
        assert_int_equal(rc, ERR_DATA);
        assert_int_equal(strncmp(err_last(), s.path, strlen(s.path)), 0);
        text_put(&all, err_last() + strlen(s.path));
    }
    linefile_close(f);
    drop(&s);
    return all.s;
}

#define LINES(data, want)                                                     \
    do {                                                                      \
        char *got = lines_of(data, sizeof data - 1);                          \
        assert_string_equal(got, want);                                       \
        free(got);                                                            \
    } while (0)

static void a_line_ends_at_lf_and_loses_one_cr(void **state)
{
    (void)state;
    LINES("a\nb\n", "[a][b]");
    LINES("a\r\nb", "[a][b]");
    LINES("a\r\r\n\n", "[a\r][]");
    LINES("a\rb\n", "[a\rb]");
    LINES("a\r", "[a\r]"); /* no LF, so the CR is text */
    LINES("\xef\xbb\xbf" "a\n\xef\xbb\xbf\n", "[a][\xef\xbb\xbf]");
    LINES("a\xe2\x80\xa8" "b\xc2\x85" "c\fd\x1c\n",
          "[a\xe2\x80\xa8" "b\xc2\x85" "c\fd\x1c]");
}

static void invalid_text_is_refused_with_its_line(void **state)
{
    (void)state;
    LINES("", ": the file is empty");
    LINES("a\n\xc0\x80\n", "[a]:2: not valid UTF-8");     /* overlong */
    LINES("\xed\xa0\x80", ":1: not valid UTF-8");         /* a surrogate */
    LINES("\xf4\x90\x80\x80", ":1: not valid UTF-8");     /* above U+10FFFF */
    LINES("a\nb\xe2\x82\nc", "[a]:2: not valid UTF-8");   /* cut off */
    LINES("a\0b\n", ":1: a NUL byte in text");
}

static void a_line_may_be_longer_than_any_buffer(void **state)
{
    size_t n = 3000000;
    char *data = malloc(n), *line;
    struct linefile *f;

    (void)state;
    memset(data, 'x', n);
    data[n / 3] = '\n';
    struct scratch s = put("f", data, n);
    assert_int_equal(linefile_open(&f, s.path), OK);
    assert_int_equal(linefile_next(f, &line), 1);
    assert_int_equal(linefile_bytes(f), n / 3);
    assert_int_equal(linefile_next(f, &line), 1);
    assert_int_equal(linefile_bytes(f), n - n / 3 - 1);
    assert_int_equal(linefile_next(f, &line), 0);
    linefile_close(f);
    drop(&s);
    free(data);
}

/* ---- gzip ---- */

static size_t packed(unsigned char *out, size_t room, const char *text)
{
    z_stream z = {.next_in = (unsigned char *)text,
                  .avail_in = (uInt)strlen(text),
                  .next_out = out, .avail_out = (uInt)room};

    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, 0),
                     Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

/* Returns the unpacked text, or NULL if it cannot be read. */
static char *unpacked(const void *data, size_t n)
{
    struct scratch s = put("f.gz", data, n);
    char *all;
    size_t got;

    if (bytes_all(&all, &got, s.path) < 0)
        assert_int_equal(strncmp(err_last(), s.path, strlen(s.path)), 0);
    drop(&s);
    return all;
}

static void a_gzip_file_may_have_several_members(void **state)
{
    unsigned char data[512];
    size_t n = packed(data, sizeof data, "one\n");

    (void)state;
    n += packed(data + n, sizeof data - n, "");
    n += packed(data + n, sizeof data - n, "two");
    char *all = unpacked(data, n);
    assert_string_equal(all, "one\ntwo");
    free(all);
}

static void zero_bytes_behind_a_gzip_member_are_ignored(void **state)
{
    unsigned char data[512] = {0};
    size_t n = packed(data, sizeof data, "one\n") + 60;

    (void)state;
    char *all = unpacked(data, n);
    assert_string_equal(all, "one\n");
    free(all);
    n += packed(data + n, sizeof data - n, "two") + 1;
    all = unpacked(data, n);
    assert_string_equal(all, "one\ntwo");
    free(all);
    data[n - 1] = 1;
    assert_null(unpacked(data, n));
    assert_null(unpacked("\0\0\0", 3));
}

static void an_incomplete_gzip_file_is_refused(void **state)
{
    unsigned char data[512];
    size_t n = packed(data, sizeof data, "some text, some more text");

    (void)state;
    for (size_t part = 0; part < n; part++)
        assert_null(unpacked(data, part));
    data[n] = 'x'; /* a byte after the gzip member */
    assert_null(unpacked(data, n + 1));
    data[n - 6] ^= 1; /* the check sum */
    assert_null(unpacked(data, n));
    assert_null(unpacked("plain text", 10));
}

/* ---- tables ---- */

static int add_record(void *all, const struct csv *c)
{
    text_put(all, "(");
    for (int i = 0; i < c->n; i++) {
        text_put(all, "[");
        text_put(all, csv_field(c, i));
        text_put(all, "]");
    }
    text_put(all, ")");
    return OK;
}

/* Returns the records, in (), with their fields in [], followed by the error
 * message without the path if reading fails. */
static char *records_of(const char *data, size_t n, const char *dropped)
{
    struct scratch s = put("f", data, n);
    struct text all = {0};

    text_clear(&all);
    if (csv_each(s.path, dropped, add_record, &all) < 0)
        text_put(&all, err_last() + strlen(s.path));
    drop(&s);
    return all.s;
}

#define RECORDS(data, want) RECORDS_WITHOUT("", data, want)
#define RECORDS_WITHOUT(dropped, data, want)                                  \
    do {                                                                      \
        char *got = records_of(data, sizeof data - 1, dropped);               \
        assert_string_equal(got, want);                                       \
        free(got);                                                            \
    } while (0)

static void csv_is_read_according_to_rfc_4180(void **state)
{
    (void)state;
    RECORDS("a,b\r\nc,d\n", "([a][b])([c][d])");
    RECORDS("\"a,\"\"b\"\"\",\"c\"\n", "([a,\"b\"][c])");
    RECORDS(" a,  \"b\" ,c \n", "([ a][  \"b\" ][c ])");
    RECORDS_WITHOUT(" ", " a,  \"b,\",c \n", "([a][b,][c ])");
    RECORDS("\"a\r\nb\n\nc\",d", "([a\r\nb\n\nc][d])");
    RECORDS(",\n\n\"\",", "([][])([][])");
    RECORDS("a\\n,#36;\\\n", "([a\\n][#36;\\])");
    RECORDS("x\n\"a\nb", "([x]):2: a quotation mark is never closed");
    RECORDS("\"a\"b\n", ":1: text after a closing quotation mark");
    RECORDS("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n",
            "([1][2][3][4][5][6][7][8][9][10][11][12][13][14][15][])");
    RECORDS("a\n1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,\n",
            "([a]):2: more than 16 fields");
}

static void damage_within_a_quoted_field_is_found(void **state)
{
    enum { LINES_OF = 100000 }; /* more than are unpacked at once */
    unsigned char data[4096];
    struct text all = {0}, lines = {0};

    (void)state;
    text_put(&lines, "a,\"");
    for (int i = 0; i < LINES_OF; i++)
        text_put(&lines, "b\n");
    text_put(&lines, "\"\n");
    size_t n = packed(data, sizeof data, lines.s);
    text_free(&lines);
    data[n - 6] ^= 1; /* the check sum */
    struct scratch s = put("f.csv.gz", data, n);
    assert_int_equal(csv_each(s.path, "", add_record, &all), ERR_DATA);
    assert_non_null(strstr(err_last(), "f.csv.gz: damaged: "));
    text_free(&all);
    drop(&s);
}

/* ---- lines of JSON ---- */

static int add_object(void *all, const struct jsonl *j)
{
    text_format(all, "(%ld)", j->object ? j->n : -1L);
    return OK;
}

/* Returns the numbers of the objects in (), -1 for one with a NUL, followed by
 * the error message without the path if reading fails. */
static char *objects_of(const char *name, const void *data, size_t n, int nul)
{
    struct scratch s = put(name, data, n);
    struct text all = {0};

    text_clear(&all);
    if (jsonl_each(s.path, add_object, nul ? add_object : NULL, &all) < 0)
        text_put(&all, err_last() + strlen(s.path));
    drop(&s);
    return all.s;
}

/* The kernel refuses to read the first page of a process. */
static void a_file_that_cannot_be_read_is_named(void **state)
{
    struct linefile *f;
    char *line;

    (void)state;
    assert_int_equal(linefile_open(&f, "/proc/self/mem"), OK);
    assert_int_equal(linefile_next(f, &line), ERR_DATA);
    assert_int_equal(strncmp(err_last(), "/proc/self/mem: ", 16), 0);
    linefile_close(f);
    linefile_close(NULL);
}

static void lines_are_objects(void **state)
{
    static const struct { const char *text, *want; int nul; } is[] = {
        {"", ": the file is empty", 0},
        {"\n\n", ": has no objects", 0},
        {"{}\n\n{\"a\":1}", "(1)(2)", 0},
        {"{}\n[1]\n", "(1):2: not a JSON object", 0},
        {"\"text\"\n", ":1: not a JSON object", 1},
        {"{\"a\":\"\\u0000\"}\n{}", "(-1)(2)", 1},
        {"{}\n{\"a\":\"\\u0000\",}\n", "(1):2: ", 1},
        {"{}\n{\"a\":\"\\u0000\"}\n", "(1):2: ", 0}};
    unsigned char data[512];
    size_t n = packed(data, sizeof data, "\n");

    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        OWNED(free) char *got = objects_of("f", is[i].text, strlen(is[i].text),
                                           is[i].nul);

        if (strncmp(got, is[i].want, strlen(is[i].want)))
            fail_msg("'%s', not '%s'", got, is[i].want);
    }
    OWNED(free) char *shard = objects_of("f.gz", data, n, 0);
    assert_string_equal(shard, ""); /* an empty shard is no error */
}

static void integers_are_whole(void **state)
{
    static const struct { const char *text; int rc; long long n; } is[] = {
        {"7", OK, 7}, {"-3", OK, -3}, {"2.0", OK, 2}, {"1e3", OK, 1000},
        {"9e15", OK, 9000000000000000}, {"9.1e15", ERR_DATA, -9},
        {"-1e16", ERR_DATA, -9}, {"1.5", ERR_DATA, -9},
        {"\"1\"", ERR_DATA, -9}, {"null", ERR_DATA, -9}};

    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        OWNED(arena_free) struct arena *a = arena_new();
        OWNED(free) char *text = str_format("{\"n\":%s}", is[i].text);
        const struct value *v;
        long long n = -9;

        assert_int_equal(value_read(&v, text, strlen(text), a), OK);
        assert_int_equal(value_integer(&n, v, "n"), is[i].rc);
        assert_int_equal(n, is[i].n);
        assert_int_equal(value_integer(&n, v, "m"), ERR_DATA);
    }
}

/* ---- JSON ---- */

static int reads(const char *text)
{
    struct arena *a = arena_new();
    const struct value *v;

    int rc = value_read(&v, text, strlen(text), a);
    arena_free(a);
    return rc;
}

static void json_is_read_according_to_the_standard(void **state)
{
    static const char *const good[] = {
        "{}", "[]", " [1, -0.5e+3, 0, 1E2] ", "\"\"", "null", "true", "false",
        "{\"a\":{\"b\":[[],{}]}}", "\"\\u00e9\\ud83d\\ude00\\/\\b\"", "\t1\r\n",
        "\"\x7f\"", "{\"a\":1,\"a\":2}", "18446744073709551615"};
    static const char *const bad[] = {
        "", " ", "{", "[", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}",
        "{\"a\":1,}", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN",
        "Infinity", "1e999", "tru", "nulls", "\"", "\"\\\"", "\"\\x\"",
        "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
        "\"\\u0000\"", "{\"\\u0000\":1}", "\"a\nb\"", "\"\t\"", "\"\xff\"",
        "1 2", "[] x", "'a'", "[1 2]", "{\"a\" 1}", "18446744073709551616"};

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (reads(good[i]) < 0)
            fail_msg("%s: %s", good[i], err_last());
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (reads(bad[i]) != ERR_DATA)
            fail_msg("%s was accepted", bad[i]);
}

static void json_of_1024_levels_is_refused(void **state)
{
    char text[200000] = "";

    (void)state;
    memset(text, '[', sizeof text - 1);
    assert_int_equal(reads(text), ERR_DATA);
    memset(text, '[', 1023);
    strcpy(text + 1023, "1");
    memset(text + 1024, ']', 1023);
    text[2047] = 0;
    assert_int_equal(reads(text), OK);
    memset(text, '[', 1024);
    strcpy(text + 1024, "1");
    memset(text + 1025, ']', 1024);
    text[2049] = 0;
    assert_int_equal(reads(text), ERR_DATA);
}

static void json_strings_are_converted_to_utf_8(void **state)
{
    static const char text[] =
        "{\"a\\n\": \"\\u00e9\\ud83d\\ude00\\\\\", \"n\": 12}";
    struct arena *a = arena_new();
    const struct value *v;
    const char *s;
    long long n;

    (void)state;
    assert_int_equal(value_read(&v, text, strlen(text), a), OK);
    assert_int_equal(value_string(&s, v, "a\n"), OK);
    assert_string_equal(s, "\xc3\xa9\xf0\x9f\x98\x80\\");
    assert_int_equal(value_integer(&n, v, "n"), OK);
    assert_int_equal(n, 12);
    assert_int_equal(value_string(&s, v, "n"), ERR_DATA);
    assert_string_equal(err_last(), "'n' is not a string");
    assert_int_equal(value_integer(&n, v, "m"), ERR_DATA);
    assert_string_equal(err_last(), "there is no key 'm'");
    arena_free(a);
}

static int add_element(void *all, const struct value *v, struct arena *a)
{
    const struct value *n = value_get(v, "n");

    (void)a;
    if (n)
        text_format(all, "[%g]", n->number);
    else
        text_format(all, "(%d)", v->kind);
    return OK;
}

/* Returns the member "n" of each element, in [], followed by the error message
 * without the path if reading fails. */
static char *elements_of(const char *data, const char *key)
{
    struct scratch s = put("f", data, strlen(data));
    struct text all = {0};

    text_clear(&all);
    if (jsonarray_each(s.path, key, add_element, &all) < 0)
        text_put(&all, err_last() + strlen(s.path));
    drop(&s);
    return all.s;
}

#define ELEMENTS(data, key, want)                                             \
    do {                                                                      \
        char *got = elements_of(data, key);                                   \
        assert_string_equal(got, want);                                       \
        free(got);                                                            \
    } while (0)

/* Only the text up to "JSON: " is compared; what follows depends on the release
 * of simdjson. */
#define REFUSED(data, key, want)                                              \
    do {                                                                      \
        char *got = elements_of(data, key);                                   \
        assert_int_equal(strncmp(got, want " JSON: ", strlen(want " JSON: ")), \
                         0);                                                  \
        free(got);                                                            \
    } while (0)

static void the_elements_of_a_list_are_read_one_by_one(void **state)
{
    (void)state;
    ELEMENTS("[]", NULL, "");
    ELEMENTS("\xef\xbb\xbf [{\"n\":1},\n{\"n\":2} , "
             "{\"a\":[\"]}\\\"\"]},[0]]\n", NULL, "[1][2](5)(4)");
    ELEMENTS("{\"a\":[{\"n\":7}], \"b\" : [{\"n\":1},{\"n\":2}],"
             " \"c\":{\"b\":[{\"n\":3}]}, \"d\":1}", "b", "[1][2]");
    ELEMENTS("{\"\\u0062\":[{\"n\":7}],\"c\":[[]]}", "b", "[7]");
}

static void damage_of_a_list_is_reported_with_its_place(void **state)
{
    (void)state;
    REFUSED("", NULL, ":1:");
    ELEMENTS("{\"n\":[{}]}", NULL, ":1: not a list");
    ELEMENTS("{\"a\":{\"b\":[{}]}}", "a", ":1: not a list");
    ELEMENTS("{\"a\":1}", "b", ": there is no key 'b'");
    ELEMENTS("[{},\n[1],\n2]", NULL,
             "(5)(4):3: an element is neither a list nor an object");
    ELEMENTS("[{},\nnull, {}]", NULL,
             "(5):2: an element is neither a list nor an object");
    REFUSED("[{\"n\":1},\n\n{\"n\"\n:}]", NULL, "[1]:3:");
    REFUSED("[{} {}]", NULL, "(5):1:");
    REFUSED("[{\"n\":1]]", NULL, ":1:");
    REFUSED("[{}\n", NULL, "(5):2:");
    REFUSED("[{},]", NULL, "(5):1:");
    REFUSED("[{}]\n\n[]", NULL, "(5):3:");
    REFUSED("{\"a\":[{}]", "a", "(5):1:");
    REFUSED("[{}]]]]", NULL, "(5):1:");
    REFUSED("[\n{\"\xff\":1}]", NULL, ":2:");
}

/* ---- other cases ---- */

static void files_are_listed_in_the_order_of_their_names(void **state)
{
    struct scratch s = put("b10", "", 0);
    struct files f;

    (void)state;
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"b2", "a", "x1"};
        char *path = str_format("%s/%s", s.folder, names[i]);

        assert_int_equal(file_write(path, "", 0), OK);
        free(path);
    }
    assert_int_equal(files_find(&f, s.folder, "b*"), OK);
    assert_int_equal(f.n, 2);
    assert_string_equal(f.file[0], "b10");
    assert_string_equal(f.file[1], "b2");
    files_close(&f);
    assert_int_equal(files_find(&f, s.folder, "none/*"), OK);
    assert_int_equal(f.n, 0);
    files_close(&f);
    drop(&s);
}

/* A search goes 16 folders deep, which ends cycles of links, and reports a
 * folder that may not be read. */
static void folders_are_searched_to_a_depth(void **state)
{
    struct scratch s = put("0.txt", "", 0);
    struct text path = {0};
    struct files f;

    (void)state;
    text_put(&path, s.folder);
    for (int i = 1; i < 20; i++) {
        text_format(&path, "/d%d", i);
        assert_int_equal(mkdir(path.s, 0755), 0);
        OWNED(free) char *file = str_format("%s/%02d.txt", path.s, i);
        assert_int_equal(file_write(file, "", 0), OK);
    }
    assert_int_equal(files_find(&f, s.folder, "*.txt"), OK);
    assert_int_equal(f.n, 16); /* in the folder itself, and 15 below */
    assert_string_equal(f.file[0], "0.txt");
    files_close(&f);
    OWNED(free) char *closed = str_format("%s/d1/d2", s.folder);
    assert_int_equal(chmod(closed, 0), 0);
    assert_int_equal(chmod(s.folder, 0755), 0);
    int root = !getuid();
    if (root)
        assert_int_equal(seteuid(65534), 0);
    int rc = files_find(&f, s.folder, "*.txt");
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(rc, ERR_DATA);
    assert_int_equal(f.n, 0);
    assert_non_null(strstr(err_last(), "/d1/d2: Permission denied"));
    assert_int_equal(chmod(closed, 0755), 0);
    text_free(&path);
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_ends_at_lf_and_loses_one_cr),
        cmocka_unit_test(invalid_text_is_refused_with_its_line),
        cmocka_unit_test(a_line_may_be_longer_than_any_buffer),
        cmocka_unit_test(a_gzip_file_may_have_several_members),
        cmocka_unit_test(zero_bytes_behind_a_gzip_member_are_ignored),
        cmocka_unit_test(an_incomplete_gzip_file_is_refused),
        cmocka_unit_test(csv_is_read_according_to_rfc_4180),
        cmocka_unit_test(damage_within_a_quoted_field_is_found),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(lines_are_objects),
        cmocka_unit_test(integers_are_whole),
        cmocka_unit_test(json_is_read_according_to_the_standard),
        cmocka_unit_test(json_of_1024_levels_is_refused),
        cmocka_unit_test(json_strings_are_converted_to_utf_8),
        cmocka_unit_test(the_elements_of_a_list_are_read_one_by_one),
        cmocka_unit_test(damage_of_a_list_is_reported_with_its_place),
        cmocka_unit_test(files_are_listed_in_the_order_of_their_names),
        cmocka_unit_test(folders_are_searched_to_a_depth)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
