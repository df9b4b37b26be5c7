/* Rows of every type of column, written as JSON, read back, and refused. */
#include "harness/base/err.h"
#include "harness/base/relation.h"
#include "harness/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 3 };

struct part { long long at; };

struct row {
    const char  *text, *maybe;
    double       real, whole, later;
    int          small, flag, unsure, word, choice;
    size_t       size;
    int          reals;
    double      *real_of;
    const char **texts;
    int          parts;
    struct part *part;
};

static const char *const words[] = {"zero", "one", "two", NULL};
static const struct column part_columns[] = {
    {"at", NULL, COLUMN(struct part, at), .least = -4, .most = 4},
    {.type = COLUMN_END}};
static const struct column columns[] = {
    {"text", NULL, COLUMN(struct row, text)},
    {"maybe", NULL, COLUMN(struct row, maybe), .flags = COLUMN_NULLABLE},
    {"real", NULL, COLUMN(struct row, real)},
    {"whole", NULL, COLUMN_AS(COLUMN_WHOLE, struct row, whole)},
    {"later", NULL, COLUMN(struct row, later), .flags = COLUMN_LATER},
    {"small", NULL, COLUMN(struct row, small), .least = -2, .most = 5},
    {"flag", NULL, COLUMN_AS(COLUMN_BOOL, struct row, flag)},
    {"unsure", NULL, COLUMN_AS(COLUMN_BOOL, struct row, unsure),
     .flags = COLUMN_NULLABLE},
    {"word", NULL, COLUMN_AS(COLUMN_ENUM, struct row, word), .words = words},
    {"choice", NULL, COLUMN_AS(COLUMN_ENUM, struct row, choice),
     .words = words, .flags = COLUMN_NULLABLE},
    {"size", NULL, COLUMN(struct row, size)},
    {"reals", NULL, COLUMN(struct row, reals)},
    {"real_of", NULL, COLUMN_AS(COLUMN_REALS, struct row, real_of),
     .count = offsetof(struct row, reals)},
    {"texts", NULL, COLUMN_AS(COLUMN_TEXTS, struct row, texts)},
    {"parts", NULL, COLUMN_ROWS(struct row, part, parts, part_columns),
     .most = MOST_PARTS},
    {"derived", NULL, COLUMN(struct row, parts), .flags = COLUMN_DERIVED},
    {.name = NULL, .head = "for people", COLUMN(struct row, real)},
    {.type = COLUMN_END}};

static const char sound[] =
    "{\"text\":\"a\",\"maybe\":null,\"real\":0.25,\"whole\":7,"
    "\"later\":1.5,\"small\":-2,\"flag\":true,\"unsure\":null,"
    "\"word\":\"zero\",\"choice\":\"two\",\"size\":16777216,\"reals\":2,"
    "\"real_of\":[3,4.5],\"texts\":[\"x\",\"y\"],"
    "\"parts\":[{\"at\":-4},{\"at\":4},{\"at\":0}],\"derived\":3}";

/* Reads a row from JSON into arena `a`; returns the reader's code. */
static int read_row(struct row *out, const json_t *from, struct arena *a)
{
    struct relation_reader r = {.path = "f.json", .writer = "x", .memory = a};

    *out = (struct row){.text = NULL};
    relation_read(&r, (json_t *)from, columns, out);
    return r.rc;
}

static void rows_come_back(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(json_decref) json_t *from = json_loads(sound, 0, NULL);
    struct row row;

    (void)state;
    assert_int_equal(read_row(&row, from, a), OK);
    assert_null(row.maybe);
    assert_int_equal(row.unsure, -1);
    assert_int_equal(row.choice, 2);
    assert_int_equal(row.part[1].at, 4);
    OWNED(json_decref) json_t *back = relation_object(columns, &row, a);
    OWNED(free) char *text = json_dumps(back, JSON_COMPACT);
    assert_string_equal(text, sound);
}

/* Another value of a member (NULL: none), and the message or the text that is
 * written again for all members that differ. */
static const struct { const char *key, *value, *says; } changed[] = {
    {"text", "null", "f.json: text: expected a string, as written by `x`"},
    {"text", NULL, "text: expected a string"},
    {"small", NULL, "small: expected -2 to 5"},
    {"small", "true", "small: expected -2 to 5"},
    {"flag", NULL, "flag: expected true or false"},
    {"unsure", NULL, "unsure: expected true or false"},
    {"word", NULL, "word: expected one of zero, one, two"},
    {"choice", NULL, "choice: expected one of one, two, or null"},
    {"real_of", NULL, "real_of: expected a list of 2 numbers"},
    {"real_of", "[]", "real_of: expected a list of 2 numbers"},
    {"later", "\"x\"", "later: expected a number or null"},
    {"texts", "[null]", "texts: expected a list of strings"},
    {"parts", "[null]", "parts: expected a list of at most 3 objects"},
    {"maybe", "3", "maybe: expected a string or null"},
    {"maybe", "\"b\"", NULL},
    {"real", "\"1\"", "real: expected a number or null"},
    {"real", NULL, "real: expected a number or null"},
    {"real", "null", NULL},
    {"whole", "null", NULL},
    {"small", "-3", "small: expected -2 to 5"},
    {"small", "6", "small: expected -2 to 5"},
    {"small", "5", NULL},
    {"small", "1.0", "small: expected -2 to 5"},
    {"flag", "null", "flag: expected true or false"},
    {"flag", "1", "flag: expected true or false"},
    {"flag", "false", NULL},
    {"unsure", "0", "unsure: expected true or false"},
    {"unsure", "true", NULL},
    {"word", "null", "word: expected one of zero, one, two"},
    {"word", "\"three\"", "word: expected one of zero, one, two"},
    {"word", "1", "word: expected one of zero, one, two"},
    {"choice", "\"zero\"", "choice: expected one of one, two, or null"},
    {"choice", "null", NULL},
    {"size", "16777217", "size: expected 0 to 16777216"},
    {"size", "-1", "size: expected 0 to 16777216"},
    {"reals", "1", "real_of: expected a list of 1 numbers"},
    {"real_of", "{}", "real_of: expected a list of 2 numbers"},
    {"real_of", "[1,2,3]", "real_of: expected a list of 2 numbers"},
    {"real_of", "[1,\"2\"]", "real_of: expected a list of 2 numbers"},
    {"real_of", "[null,2]", "real_of: expected a list of 2 numbers"},
    {"texts", "\"x\"", "texts: expected a list of strings"},
    {"texts", "[\"x\",3]", "texts: expected a list of strings"},
    {"texts", "[]", NULL},
    {"parts", "[]", "derived"},
    {"parts", "{}", "parts: expected a list of at most 3 objects"},
    {"parts", NULL, "parts: expected a list of at most 3 objects"},
    {"parts", "[7]", "parts: expected a list of at most 3 objects"},
    {"parts", "[{\"at\":0},{\"at\":0},{\"at\":0},{\"at\":0}]",
     "parts: expected a list of at most 3 objects"},
    {"parts", "[{\"at\":0},{\"at\":5}]", "parts[1].at: expected -4 to 4"},
    {"derived", "\"anything\"", "derived"}};

static void values_that_are_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        OWNED(arena_free) struct arena *a = arena_new();
        OWNED(json_decref) json_t *from = json_loads(sound, 0, NULL);
        const char *says = changed[i].says;
        struct row row;

        if (changed[i].value)
            json_object_set_new(from, changed[i].key, json_loads(
                changed[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(from, changed[i].key);
        int derived = says && !strcmp(says, "derived");
        int rc = read_row(&row, from, a);
        if (rc != (says && !derived ? ERR_STORE : OK))
            fail_msg("%s: %s: %d", changed[i].key, changed[i].value, rc);
        if (rc < 0 && !strstr(err_last(), says))
            fail_msg("not '%s': %s", says, err_last());
        if (rc < 0)
            continue;
        OWNED(json_decref) json_t *back = relation_object(columns, &row, a);
        json_object_set_new(from, "derived", json_integer(row.parts));
        assert_true(json_equal(from, back));
    }
}

static void members_of_later_versions(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(json_decref) json_t *from = json_loads(sound, 0, NULL);
    struct row row;

    (void)state;
    json_object_del(from, "later");
    json_object_del(from, "texts");
    assert_int_equal(read_row(&row, from, a), OK);
    assert_true(isnan(row.later));
    assert_null(row.texts[0]);
}

/* ---- text for people, and values of every format ---- */

struct odd {
    const char *text, *bare, **texts, **none;
    char        chars[8];
    double      real, nothing, *list;
    int         n;
    long long   number;
    size_t      count;
};

static const struct column odd_columns[] = {
    {"text", "T", COLUMN(struct odd, text)},
    {"bare", "B", COLUMN_AS(COLUMN_WORD, struct odd, bare)},
    {"texts", NULL, COLUMN_AS(COLUMN_TEXTS, struct odd, texts)},
    {"none", NULL, COLUMN_AS(COLUMN_TEXTS, struct odd, none)},
    {"chars", "C", COLUMN_AS(COLUMN_CHARS, struct odd, chars)},
    {"real", "R", COLUMN(struct odd, real), .form = "%.2f"},
    {"nothing", "N", COLUMN(struct odd, nothing), .none = "-"},
    {"list", NULL, COLUMN_AS(COLUMN_REALS, struct odd, list),
     .count = offsetof(struct odd, n)},
    {"number", "I", COLUMN(struct odd, number), .form = "%05lld"},
    {"count", "K", COLUMN_AS(COLUMN_COUNT, struct odd, count)},
    {"either", "E", COLUMN_TEXT_OR(struct odd, bare, real)},
    {.type = COLUMN_END}};

static void texts_for_people(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct odd row = {.text = "t", .bare = "", .chars = "cc", .real = 0.125,
                      .nothing = NAN, .n = 3, .number = 42, .count = 0};
    static const char *const want[] = {"t", "", NULL, NULL, "cc", "0.12", "-",
                                       NULL, "00042", "0", ""};

    (void)state;
    for (int i = 0; odd_columns[i].type != COLUMN_END; i++)
        if (odd_columns[i].head)
            assert_string_equal(relation_text(&odd_columns[i], &row, a),
                                want[i]);
    assert_int_equal(relation_left(&odd_columns[4]), 1);
    assert_int_equal(relation_left(&odd_columns[5]), 0);
    OWNED(json_decref) json_t *j = relation_object(odd_columns, &row, a);
    OWNED(free) char *text = json_dumps(j, JSON_COMPACT);
    assert_string_equal(text, "{\"text\":\"t\",\"bare\":null,\"texts\":[],"
                        "\"none\":[],\"chars\":\"cc\",\"real\":0.125,"
                        "\"nothing\":null,\"list\":[],\"number\":42,"
                        "\"count\":null,\"either\":\"\"}");
    row.bare = NULL;
    assert_string_equal(relation_text(&odd_columns[10], &row, a), "0.125");
}

static const struct column sparse_columns[] = {
    {"text", NULL, COLUMN(struct odd, text), .flags = COLUMN_SPARSE},
    {"texts", NULL, COLUMN_AS(COLUMN_TEXTS, struct odd, texts),
     .flags = COLUMN_SPARSE},
    {"real", NULL, COLUMN(struct odd, real), .flags = COLUMN_SPARSE},
    {"number", NULL, COLUMN(struct odd, number), .flags = COLUMN_SPARSE},
    {.type = COLUMN_END}};

static void sparse_values(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const char *none[] = {NULL}, *some[] = {"x", NULL};
    const struct odd full = {.text = "", .texts = some, .number = -1};
    struct odd empty = {.real = NAN};

    (void)state;
    for (int i = 0; i < 2; i++, empty.texts = none) {
        OWNED(json_decref) json_t *j = relation_object(sparse_columns, &empty,
                                                       a);

        assert_int_equal(json_object_size(j), 0);
    }
    OWNED(json_decref) json_t *j = relation_object(sparse_columns, &full, a);
    assert_int_equal(json_object_size(j), 4);
}

static void values_are_cleaned(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const char *texts[] = {"clean", "bel\al", NULL};
    double list[] = {1.0 / 3, INFINITY};
    struct odd row = {.text = "a\x1b[0m", .texts = texts, .real = -INFINITY,
                      .nothing = 0.1 + 0.2, .list = list, .n = 2};

    (void)state;
    relation_clean(odd_columns, &row, a);
    assert_null(strchr(row.text, 0x1b));
    assert_string_equal(texts[0], "clean");
    assert_null(strchr(texts[1], '\a'));
    assert_true(isnan(row.real));
    assert_true(row.nothing == 0.3);
    assert_true(list[0] == 0.333333333333333);
    assert_true(isnan(list[1]));
    assert_null(row.bare);
    row.text = NULL;
    relation_clean(odd_columns, &row, a);
    assert_null(row.text);
}

#define TEST(f, name) {name, f, NULL, NULL, NULL}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_come_back, "what is written is read back"),
        TEST(values_that_are_changed, "a value of another type or out of "
             "range is refused by its place"),
        TEST(members_of_later_versions, "files of earlier versions are read"),
        TEST(texts_for_people, "each type of column has its text and JSON"),
        TEST(sparse_values, "what is empty is left out if it may be"),
        TEST(values_are_cleaned, "values are cleaned for every format")};

    return cmocka_run_group_tests_name("relation", tests, NULL, NULL);
}
