/*
 * Reads official layouts. tests/data/fixtures has a tiny data set in each
 * layout, and the expected rows (README.md there). The program reads them as it
 * does for a user; the test compares its output as JSON.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURES "tests/data/fixtures"

/* ---- JSON ---- */

static int same(const json_t *a, const json_t *b);

static int same_object(const json_t *a, const json_t *b)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)a, key, value)
        if (!same(value, json_object_get(b, key)))
            return 0;
    return json_object_size(a) == json_object_size(b);
}

/* Returns 1 if both values are equal; numbers may differ by 1e-6. */
static int same(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b))
        return fabs(json_number_value(a) - json_number_value(b)) < 1e-6;
    if (json_is_object(a) && json_is_object(b))
        return same_object(a, b);
    if (!json_is_array(a) || !json_is_array(b))
        return json_equal(a, b);
    for (size_t i = 0; i < json_array_size(a); i++)
        if (!same(json_array_get(a, i), json_array_get(b, i)))
            return 0;
    return json_array_size(a) == json_array_size(b);
}

/* Returns the objects of a text with one object per line, ended by LF. */
static json_t *objects_of(char *text)
{
    json_t *all = json_array();

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *object = json_loads(line, 0, NULL);

        assert_non_null(object);
        json_array_append_new(all, object);
    }
    return all;
}

/* ---- expected rows ---- */

static char *expected_path(const char *folder, const char *task,
                           const char *split, const char *tail)
{
    char *path = str_format(FIXTURES "/%s/expected.%s.%s%s.jsonl", folder,
                            task, split, tail);

    if (file_exists(path))
        return path;
    free(path);
    return str_format(FIXTURES "/%s/expected.%s%s.jsonl", folder, split, tail);
}

static void compare(const char *folder, const char *task, const char *split,
                    int skipped, size_t rows)
{
    char *path = expected_path(folder, task, split, skipped ? ".skipped" : "");
    char *data = str_format(FIXTURES "/%s", folder), *want, *got, *err;

    assert_int_equal(file_read(&want, NULL, path), OK);
    int code = program_show(&got, &err, task, data, split, skipped);
    if (code)
        print_error("%s %s: %s\n", folder, split, err);
    assert_int_equal(code, 0);
    json_t *a = objects_of(want), *b = objects_of(got);
    assert_int_equal(json_array_size(a), rows);
    if (!same(a, b))
        print_error("%s, %s, %s: not as %s says\n", folder, task, split, path);
    assert_true(same(a, b));
    json_decref(a);
    json_decref(b);
    free(want);
    free(got);
    free(err);
    free(data);
    free(path);
}

/* The fields of a line of MANIFEST.tsv. */
enum { FOLDER, TASK, LAYOUT, SPLIT, ROWS, SKIPPED, FIELDS };

static void every_layout_gives_the_rows_that_its_fixture_says(void **state)
{
    char *text, *rest, *line;
    int n = 0;

    (void)state;
    assert_int_equal(file_read(&text, NULL, FIXTURES "/MANIFEST.tsv"), OK);
    strtok_r(text, "\n", &rest); /* the header */
    while ((line = strtok_r(NULL, "\n", &rest))) {
        char *field[FIELDS], *end;

        for (int i = 0; i < FIELDS; i++)
            field[i] = strtok_r(i ? NULL : line, "\t", &end);
        compare(field[FOLDER], field[TASK], field[SPLIT], 0,
                (size_t)atoi(field[ROWS]));
        compare(field[FOLDER], field[TASK], field[SPLIT], 1,
                (size_t)atoi(field[SKIPPED]));
        n++;
    }
    assert_int_equal(n, 109);
    free(text);
}

/* ---- refused files ---- */

static const char *text_of(const json_t *c, const char *key)
{
    return json_string_value(json_object_get(c, key));
}

static void refuse(const json_t *c)
{
    char *folder = str_format(FIXTURES "/%s", text_of(c, "dir")), *out, *err;
    json_int_t line = json_integer_value(json_object_get(c, "line"));
    char *place = line ? str_format("%s:%lld", text_of(c, "file"),
                                    (long long)line)
                       : str_copy(text_of(c, "file"));

    int code = program_show(&out, &err, text_of(c, "task"), folder,
                    text_of(c, "split"), 0);
    if (code != 8 || !strstr(err, place))
        print_error("%s: exit %d, %s\n", text_of(c, "case"), code, err);
    assert_int_equal(code, 8);
    assert_non_null(strstr(err, place));
    free(folder);
    free(place);
    free(out);
    free(err);
}

static void every_damaged_file_is_refused_with_its_place(void **state)
{
    char *text;
    json_t *c;
    size_t i;

    (void)state;
    assert_int_equal(file_read(&text, NULL, FIXTURES "/bad/cases.jsonl"), OK);
    json_t *cases = objects_of(text);
    assert_true(json_array_size(cases) >= 22);
    json_array_foreach(cases, i, c)
        refuse(c);
    json_decref(cases);
    free(text);
}

/* ---- cases that the fixtures do not cover ---- */

static void put(const char *folder, const char *file, const char *text)
{
    char *path = str_format("%s/%s", folder, file), *slash = strrchr(path, '/');

    *slash = 0;
    assert_int_equal(file_mkdirs(path), OK);
    *slash = '/';
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(path);
}

/* If a sentence has several matching pronouns, the one nearest to the index is
 * marked; of two equally near ones, the first. */
static void wsc_marks_the_nearest_pronoun(void **state)
{
    static const struct { const char *text; int index; const char *want; }
        rows[] = {
            {"he saw that he lost as he ran .", 4,
             "wsc: he saw that *he* lost as he ran ."},
            {"he saw that he lost as he ran .", 7,
             "wsc: he saw that he lost as *he* ran ."},
            {"Tom said he or he won .", 3, "wsc: Tom said *he* or he won ."}};
    char *folder = scratch_make();

    (void)state;
    for (int i = 0; i < 3; i++) {
        char *row = str_format(
            "{\"text\": \"%s\", \"target\": {\"span1_text\": \"Tom\", "
            "\"span1_index\": 0, \"span2_text\": \"he\", "
            "\"span2_index\": %d}, \"idx\": 0, \"label\": true}\n",
            rows[i].text, rows[i].index), *out, *err;

        put(folder, "WSC/val.jsonl", row);
        assert_int_equal(program_show(&out, &err, "superglue_wsc", folder,
                                      "valid", 0), 0);
        json_t *shown = objects_of(out);
        const json_t *first = json_array_get(shown, 0);
        assert_string_equal(json_string_value(json_object_get(first, "source")),
                            rows[i].want);
        json_decref(shown);
        free(out);
        free(err);
        free(row);
    }
    scratch_remove(folder);
}

/* Positive reviews have ratings of 7 to 10, negative ones 1 to 4. */
static void imdb_refuses_a_rating_of_another_folder(void **state)
{
    static const char *const files[] = {"neg/3_0.txt", "neg/3_5.txt",
                                        "neg/3_7.txt", "pos/3_6.txt",
                                        "pos/3_4.txt", "pos/3_11.txt"};

    (void)state;
    for (int i = 0; i < 6; i++) {
        char *folder = scratch_make(), *out, *err;
        char *file = str_format("aclImdb/train/%s", files[i]);

        put(folder, "aclImdb/train/neg/1_4.txt", "bad");
        put(folder, "aclImdb/train/pos/1_7.txt", "good");
        assert_int_equal(program_show(&out, &err, "imdb", folder, "train", 0),
                         0);
        free(out);
        free(err);
        put(folder, file, "neither");
        assert_int_equal(program_show(&out, &err, "imdb", folder, "train", 0),
                         8);
        assert_non_null(strstr(err, file));
        free(out);
        free(err);
        free(file);
        scratch_remove(folder);
    }
}

/* Reviews come in the order of their numbers, then of their ratings. */
static void imdb_is_ordered_by_number_and_rating(void **state)
{
    static const char *const files[][2] = {
        {"10_2", "six"}, {"9_4", "five"}, {"9_1", "four"}, {"2_3", "two"},
        {"02_3", "one"}, {"2_4", "three"}, {"1_5x", "none"}, {"x", "none"},
        {"1234567890_2", "none"}, {"3_123", "none"}, {"_2", "none"}};
    static const char *const want[] = {"one", "two", "three", "four", "five",
                                       "six", "good"};
    char *folder = scratch_make(), *out, *err;

    (void)state;
    put(folder, "aclImdb/train/pos/1_7.txt", "good");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *file = str_format("aclImdb/train/neg/%s.txt", files[i][0]);

        put(folder, file, files[i][1]);
        free(file);
    }
    assert_int_equal(program_show(&out, &err, "imdb", folder, "train", 0), 0);
    json_t *rows = objects_of(out);
    assert_int_equal(json_array_size(rows), 7);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(json_string_value(json_object_get(
            json_array_get(rows, i), "text")), want[i]);
    json_decref(rows);
    free(out);
    free(err);
    scratch_remove(folder);
}

/* ---- empty rows, missing files ---- */

/* Checks that `data show` prints the rows `want` (with `skipped`: as skipped
 * rows) or, if `code` is not 0, exits with `code` and a message that contains
 * `want`. */
static void shows(const char *task, const char *folder, const char *split,
                  int code, int skipped, const char *want)
{
    char *out, *err;

    assert_int_equal(program_show(&out, &err, task, folder, split, skipped),
                     code);
    if (code) {
        assert_non_null(strstr(err, want));
    } else {
        char *copy = str_copy(want);
        json_t *a = objects_of(out), *b = objects_of(copy);

        assert_true(same(a, b));
        json_decref(a);
        json_decref(b);
        free(copy);
    }
    free(out);
    free(err);
}

static void a_review_keeps_the_ends_of_its_lines(void **state)
{
    char *folder = scratch_make();

    (void)state;
    put(folder, "aclImdb/train/neg/1_4.txt", " one\r\n\r\ntwo\nthree\r\n");
    put(folder, "aclImdb/train/pos/1_7.txt", "\r\n");
    shows("imdb", folder, "train", 0, 0,
          "{\"text\": \"one\\r\\n\\r\\ntwo\\nthree\", \"label\": 0}");
    scratch_remove(folder);
}

static void an_article_of_blanks_is_empty(void **state)
{
    static const char *const file[] = {"train.csv", "train.jsonl"};
    static const char *const text[] = {
        "id,article,highlights\na,\" \n\t\",s\nb,\" x \",\" y\"\nc,x, \n",
        "\n{\"id\": \"a\", \"article\": \" \\u3000\", \"highlights\": \"s\"}\n"
        "{\"id\": \"b\", \"article\": \" x \", \"highlights\": \" y\"}\n"
        "{\"id\": \"c\", \"article\": \"x\", \"highlights\": \"\\n\"}\n"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char *folder = scratch_make(), *want = str_format(
            "{\"file\": \"%s\", \"line\": 2, \"reason\": \"empty-article\"}\n"
            "{\"file\": \"%s\", \"line\": %d, \"reason\": \"empty-summary\"}",
            file[i], file[i], i ? 4 : 5);

        put(folder, file[i], text[i]);
        shows("cnndm", folder, "train", 0, 0, "{\"source\": \"summarize:  x \","
              " \"target\": \" y\", \"id\": \"b\"}");
        shows("cnndm", folder, "train", 0, 1, want);
        free(want);
        scratch_remove(folder);
    }
}

#define BPE(side) "newstest2013.tok.bpe.32000." side

static void a_side_of_nothing_but_joints_is_empty(void **state)
{
    char *folder = scratch_make();

    (void)state;
    put(folder, BPE("en"), "@@\nb\n \nd@@ e\n @@\n");
    put(folder, BPE("de"), "a\n@@ @@\nc\nf@@\ng\n");
    shows("wmt14_ende", folder, "valid", 0, 0,
          "{\"source\": \"translate English to German: de\", "
          "\"target\": \"f\", \"source_tokens\": \"d@@ e\", "
          "\"target_tokens\": \"f@@\"}");
    shows("wmt14_ende", folder, "valid", 0, 1,
          "{\"file\": \"" BPE("de") "\", \"line\": 2, "
          "\"reason\": \"empty-target\"}\n"
          "{\"file\": \"" BPE("en") "\", \"line\": 1, "
          "\"reason\": \"empty-source\"}\n"
          "{\"file\": \"" BPE("en") "\", \"line\": 3, "
          "\"reason\": \"blank-source\"}\n"
          "{\"file\": \"" BPE("en") "\", \"line\": 5, "
          "\"reason\": \"blank-source\"}");
    scratch_remove(folder);
}

static void a_number_alone_is_a_turn_without_a_reply(void **state)
{
    static const char file[] = "personachat/train_self_original.txt";
    char *folder = scratch_make();

    (void)state;
    put(folder, file, "1\n2 hi\tyes\t\tno|yes\n1");
    shows("personachat", folder, "train", 0, 0,
          "{\"dialog\": 0, \"turn\": 0, \"persona\": [], "
          "\"partner_persona\": [], \"history\": [\"hi\"], "
          "\"target\": \"yes\", \"candidates\": [\"no\", \"yes\"]}");
    shows("personachat", folder, "train", 0, 1,
          "{\"file\": \"personachat/train_self_original.txt\", \"line\": 1, "
          "\"reason\": \"empty-reply\"}\n"
          "{\"file\": \"personachat/train_self_original.txt\", \"line\": 3, "
          "\"reason\": \"empty-reply\"}");
    put(folder, file, "1x hi\tyes\n");
    shows("personachat", folder, "train", 8, 0,
          "personachat/train_self_original.txt:1: ");
    scratch_remove(folder);
}

#define SHARD(n)                                                              \
    "1-billion-word-language-modeling-benchmark-r13output/"                   \
    "training-monolingual.tokenized.shuffled/news.en-0000" n "-of-00100"

static void a_folder_for_a_shard_is_named(void **state)
{
    char *folder = scratch_make();

    (void)state;
    put(folder, SHARD("2") "/what.txt", "b\n");
    shows("lm1b", folder, "train", 8, 0, SHARD("2") ": is not a file, but a");
    put(folder, SHARD("1"), "a\n");
    shows("lm1b", folder, "train", 8, 0, SHARD("2") ": is not a file, but a");
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_review_keeps_the_ends_of_its_lines),
        cmocka_unit_test(an_article_of_blanks_is_empty),
        cmocka_unit_test(a_side_of_nothing_but_joints_is_empty),
        cmocka_unit_test(a_number_alone_is_a_turn_without_a_reply),
        cmocka_unit_test(a_folder_for_a_shard_is_named),
        cmocka_unit_test(every_layout_gives_the_rows_that_its_fixture_says),
        cmocka_unit_test(every_damaged_file_is_refused_with_its_place),
        cmocka_unit_test(wsc_marks_the_nearest_pronoun),
        cmocka_unit_test(imdb_refuses_a_rating_of_another_folder),
        cmocka_unit_test(imdb_is_ordered_by_number_and_rating)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
