/* Official files with errors, made for this test: which ones the readers
 * refuse, and what `data check` reports. */
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURES "tests/data/fixtures"

static void put(const char *folder, const char *file, const char *text)
{
    char *path = str_format("%s/%s", folder, file), *slash = strrchr(path, '/');

    *slash = 0;
    assert_int_equal(file_mkdirs(path), OK);
    *slash = '/';
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(path);
}

/* Shows the train split of FOLDER. Returns the exit code; *out is the
 * output. */
static int show_train(char **out, const char *task, const char *folder)
{
    char *text, *talk;
    int code = program_show(&text, &talk, task, folder, "train", 0);

    *out = code ? talk : text;
    free(code ? text : talk);
    return code;
}

static void summaries_may_lie_in_json_lines(void **state)
{
    char *folder = scratch_make(), *out;

    (void)state;
    put(folder, "train.jsonl", "{\"id\": \"x\", \"article\": \"a\\nb\", "
        "\"highlights\": \"c\"}\n\n{\"id\": \"y\", \"article\": \"\", "
        "\"highlights\": \"c\"}\n");
    assert_int_equal(show_train(&out, "cnndm", folder), 0);
    assert_string_equal(out, "{\"source\":\"summarize: a\\nb\","
                             "\"target\":\"c\",\"id\":\"x\"}\n");
    free(out);
    scratch_remove(folder);
}

static void half_a_corpus_is_refused(void **state)
{
    char *folder = scratch_make(), *out;

    (void)state;
    put(folder, "commoncrawl.de-en.en", "a\n");
    assert_int_equal(show_train(&out, "wmt14_ende", folder), 8);
    assert_non_null(strstr(out, "/commoncrawl.de-en.de: missing"));
    free(out);
    scratch_remove(folder);
}

static void a_dash_is_no_label_but_in_mnli(void **state)
{
    char *folder = scratch_make(), *out;

    (void)state;
    put(folder, "SST-2/train.tsv", "sentence\tlabel\na\t-\n");
    assert_int_equal(show_train(&out, "glue_sst2", folder), 8);
    assert_non_null(strstr(out, "/SST-2/train.tsv:2: "));
    free(out);
    scratch_remove(folder);
}

static void a_header_alone_is_an_empty_file(void **state)
{
    char *folder = scratch_make(), *out;

    (void)state;
    put(folder, "RTE/train.tsv", "index\tsentence1\tsentence2\tlabel\n");
    assert_int_equal(show_train(&out, "glue_rte", folder), 8);
    assert_non_null(strstr(out, "/RTE/train.tsv: has no rows"));
    free(out);
    scratch_remove(folder);
}

static void a_row_of_ag_news_has_three_fields(void **state)
{
    static const char *const row[] = {"2,a", "2,a,b,", "2,a,b, and more"};
    char *folder = scratch_make(), *out;

    (void)state;
    for (int i = 0; i < 3; i++) {
        char *text = str_format("1,\"a,b\",c\n%s\n", row[i]);
        char *want = str_format("/ag_news_csv/train.csv:2: %d fields instead "
                                "of 3", i ? 4 : 2);

        put(folder, "ag_news_csv/train.csv", text);
        assert_int_equal(show_train(&out, "agnews", folder), 8);
        assert_non_null(strstr(out, want));
        free(want);
        free(text);
        free(out);
    }
    scratch_remove(folder);
}

static void blank_lines_alone_are_an_empty_file(void **state)
{
    static const char *const text[] = {"\n\n", "\xef\xbb\xbf",
                                       "\xef\xbb\xbf\r\n"};
    char *folder = scratch_make(), *out;

    (void)state;
    for (int i = 0; i < 3; i++) {
        put(folder, "ag_news_csv/train.csv", text[i]);
        assert_int_equal(show_train(&out, "agnews", folder), 8);
        assert_non_null(strstr(out, "/ag_news_csv/train.csv: has no rows"));
        free(out);
    }
    scratch_remove(folder);
}

static void limit_stops_the_reading_before_the_damage(void **state)
{
    const char *const arg[] = {
        "data", "show", "glue_cola", "--data-dir", FIXTURES "/bad/utf8_tsv",
        "--limit", "1", "--json", NULL};
    char *out, *err;

    (void)state;
    assert_int_equal(program_run(&out, &err, arg), 0);
    assert_ptr_equal(strchr(out, '\n'), out + strlen(out) - 1);
    free(out);
    free(err);
}

/* ---- formats ---- */

static void a_quotation_mark_in_glue_is_text(void **state)
{
    char *folder = scratch_make(), *out;

    (void)state;
    put(folder, "SST-2/train.tsv",
        "a\tlabel\tsentence\n\n1\t1\t\"x\"\nonly\n2\t0\ty\tz\n");
    assert_int_equal(show_train(&out, "glue_sst2", folder), 0);
    assert_string_equal(out, "{\"source\":\"sst2 sentence: \\\"x\\\"\","
                             "\"target\":\"positive\",\"label\":1,\"idx\":0}\n"
                             "{\"source\":\"sst2 sentence: y\","
                             "\"target\":\"negative\",\"label\":0,"
                             "\"idx\":2}\n");
    free(out);
    put(folder, "SST-2/train.tsv", "a\tlabel\t\"sentence\n1\t1\tx\n");
    assert_int_equal(show_train(&out, "glue_sst2", folder), 8);
    assert_non_null(strstr(out, "train.tsv:1: there is no column 'sentence'"));
    free(out);
    scratch_remove(folder);
}

static void segments_of_newstest_are_unescaped_once(void **state)
{
    static const char ref[] =
        "<DOC sysid=\"r\" docid=\"d\">\n"
        "  <Seg id=\"7\"> &amp;lt; &quot;&apos;&#39; a < b </SEG>\n";
    char *folder = scratch_make(), *out, *talk;

    (void)state;
    put(folder, "dev/newstest2014-deen-ref.en.sgm", ref);
    put(folder, "dev/newstest2014-deen-src.de.sgm", ref);
    assert_int_equal(program_show(&out, &talk, "wmt14_ende", folder, "test", 0),
                     0);
    assert_string_equal(out, "{\"source\":\"translate English to German: "
                             "&lt; \\\"'&#39; a < b\","
                             "\"target\":\"&lt; \\\"'&#39; a < b\"}\n");
    free(out);
    free(talk);
    put(folder, "dev/newstest2014-deen-src.de.sgm",
        "<doc docid=\"d\">\n<p>\n<seg id=\"8\">open\n");
    assert_int_equal(program_show(&out, &talk, "wmt14_ende", folder, "test", 0),
                     8);
    assert_non_null(strstr(talk, "deen-src.de.sgm:3: "));
    free(out);
    free(talk);
    put(folder, "dev/newstest2014-deen-src.de.sgm", "<doc docid=\"d\">\n");
    assert_int_equal(program_show(&out, &talk, "wmt14_ende", folder, "test", 0),
                     8);
    assert_non_null(strstr(talk, "deen-src.de.sgm: has no segments"));
    free(out);
    free(talk);
    scratch_remove(folder);
}

static void lines_of_a_story_get_full_stops(void **state)
{
    char *folder = scratch_make(), *out;

    (void)state;
    put(folder, "url_lists/all_train.txt", "u\n");
    put(folder, "cnn/stories/51e69892ab49df85c6230ccc57f8e1d1606caccc.story",
        "\xc2\xa0One\n\nTwo!\n(Three)\nsee @highlight\n"
        "@highlight\n\nA\xe2\x80\x9d\n@highlights\nB\n");
    assert_int_equal(show_train(&out, "cnndm", folder), 0);
    assert_non_null(strstr(out, "\"source\":\"summarize: One . Two! (Three) "
                                "see @highlight\","));
    assert_non_null(strstr(out, "\"target\":\"A\xe2\x80\x9d\\nB .\","));
    free(out);
    scratch_remove(folder);
}

/* ---- data check ---- */

static const char *text_of(const json_t *c, const char *key)
{
    return json_string_value(json_object_get(c, key));
}

/* Sets `state` to what `data check` reports for AX-g if the file has n of its
 * 356 rows. Returns the exit code. */
static int state_with(char state[32], int n)
{
    char *folder = scratch_make(), *text = str_copy(""), *out, *err;
    const char *const arg[] = {"data", "check", "superglue_axg", "--data-dir",
                               folder, "--json", NULL};

    for (int i = 0; i < n; i++) {
        char *more = str_format("%s{\"premise\": \"a\", \"hypothesis\": "
                                "\"b\", \"label\": \"entailment\", \"idx\": "
                                "%d}\n", text, i);
        free(text);
        text = more;
    }
    put(folder, "superglue_axg/AX-g/AX-g.jsonl", text);
    int code = program_run(&out, &err, arg);
    json_t *all = json_loads(out, 0, NULL);
    json_t *split = json_array_get(json_object_get(all, "splits"), 0);
    assert_int_equal(json_integer_value(json_object_get(split, "rows")), n);
    snprintf(state, 32, "%s", text_of(split, "state"));
    json_decref(all);
    free(out);
    free(err);
    free(text);
    scratch_remove(folder);
    return code;
}

static void check_says_complete_subset_or_more(void **state)
{
    char found[32];

    (void)state;
    assert_int_equal(state_with(found, 355), 0);
    assert_string_equal(found, "subset");
    assert_int_equal(state_with(found, 356), 0);
    assert_string_equal(found, "complete");
    assert_int_equal(state_with(found, 357), 8);
    assert_string_equal(found, "more");
}

static void check_counts_rows_skips_labels_and_bytes(void **state)
{
    const char *const arg[] = {"data", "check", "glue_qqp", "--data-dir",
                               FIXTURES, "--split", "train", "--json", NULL};
    char *out, *err;

    (void)state;
    assert_int_equal(program_run(&out, &err, arg), 0);
    json_t *all = json_loads(out, 0, NULL);
    json_t *split = json_array_get(json_object_get(all, "splits"), 0);
    json_t *want = json_pack("{s:i, s:i}", "missing-field", 2, "empty-label",
                             1);
    json_t *file = json_array_get(json_object_get(split, "files"), 0);
    assert_int_equal(json_integer_value(json_object_get(split, "rows")), 12);
    assert_true(json_equal(json_object_get(split, "skipped"), want));
    assert_string_equal(text_of(file, "file"), "QQP/train.tsv");
    assert_int_equal(strlen(text_of(file, "sha256")), 64);
    assert_int_equal(json_integer_value(json_object_get(file, "bytes")),
                     json_integer_value(json_object_get(split, "bytes")));
    json_decref(want);
    json_decref(all);
    free(out);
    free(err);
}

/* Returns the exit code of `data check` on the files in a folder; *err is its
 * message. */
static int check(char **err, const char *task, const char *folder,
                 const char *split)
{
    const char *const arg[] = {"data", "check", task, "--data-dir", folder,
                               split ? "--split" : NULL, split, NULL};
    char *out;
    int code = program_run(&out, err, arg);

    free(out);
    return code;
}

/* `data check` refuses such splits as `run` does (tests/tasks/test_official.c),
 * even if only one split is affected. */
static void check_refuses_splits_of_two_layouts(void **state)
{
    static const struct {
        const char *task, *file[2], *says[2];
    } mixed[] = {
        {"cnndm", {"train.csv", "test.jsonl"},
         {"train as 'csv' (train.csv)", "test as 'jsonl' (test.jsonl)"}},
        {"personachat", {"personachat_self_original.json",
                         "personachat/test_self_original.txt"},
         {"train as 'json' (personachat_self_original.json)",
          "test as 'parlai' (personachat/test_self_original.txt)"}}};
    static const char *const text[][2] = {
        {"article,highlights,id\na,b,c\n",
         "{\"id\": \"x\", \"article\": \"a\", \"highlights\": \"b\"}\n"},
        {"{\"train\": [], \"valid\": []}\n", "1 hello\tyou\n"}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char *folder = scratch_make(), *err;

        for (int k = 0; k < 2; k++)
            put(folder, mixed[i].file[k], text[i][k]);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(check(&err, mixed[i].task, folder,
                                   k ? "test" : NULL), 8);
            assert_non_null(strstr(err, mixed[i].says[0]));
            assert_non_null(strstr(err, mixed[i].says[1]));
            free(err);
        }
        scratch_remove(folder);
    }
}

static void where_counts_the_files_that_are_there(void **state)
{
    const char *const arg[] = {"data", "where", "imdb", "--data-dir",
                               FIXTURES, "--json", NULL};
    static const int found[] = {17, 10, 4};
    char *out, *err;
    json_t *row;
    size_t i;

    (void)state;
    assert_int_equal(program_run(&out, &err, arg), 0);
    json_t *all = json_loads(out, 0, NULL);
    json_t *rows = json_object_get(all, "rows");
    assert_int_equal(json_array_size(rows), 3);
    json_array_foreach(rows, i, row)
        assert_int_equal(json_integer_value(json_object_get(row, "found")),
                         found[i]);
    json_decref(all);
    free(out);
    free(err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summaries_may_lie_in_json_lines),
        cmocka_unit_test(half_a_corpus_is_refused),
        cmocka_unit_test(a_dash_is_no_label_but_in_mnli),
        cmocka_unit_test(a_header_alone_is_an_empty_file),
        cmocka_unit_test(a_row_of_ag_news_has_three_fields),
        cmocka_unit_test(blank_lines_alone_are_an_empty_file),
        cmocka_unit_test(limit_stops_the_reading_before_the_damage),
        cmocka_unit_test(a_quotation_mark_in_glue_is_text),
        cmocka_unit_test(segments_of_newstest_are_unescaped_once),
        cmocka_unit_test(lines_of_a_story_get_full_stops),
        cmocka_unit_test(check_says_complete_subset_or_more),
        cmocka_unit_test(check_counts_rows_skips_labels_and_bytes),
        cmocka_unit_test(check_refuses_splits_of_two_layouts),
        cmocka_unit_test(where_counts_the_files_that_are_there)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
