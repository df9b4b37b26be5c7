/* Compares every metric with the vectors in tests/data/metrics, and tests the
 * comparison itself, which must find errors. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"
#include "harness/verify/metrics/vectors.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS "tests/data/metrics"

static int is_case(const char *path)
{
    char *file = str_format("%s/expected.json", path);
    int yes = file_exists(file);

    free(file);
    return yes;
}

/* Checks a case; returns the number of cases in the folder. */
static int check(const char *folder, const char *path)
{
    struct vector_outcome o;

    if (!is_case(path))
        return 0;
    vectors_run(&o, folder, path, getenv("SYNTHBENCH_METRIC_DATA"));
    if (o.verdict == VERDICT_FAIL)
        fail_msg("%s", o.message);
    if (o.verdict == VERDICT_NONE)
        print_message("# %s: skipped: %s\n", path, o.message);
    else
        assert_true(o.compared > 0);
    free(o.message);
    return 1;
}

static int check_folder(const char *folder)
{
    char *path = str_format(VECTORS "/%s", folder);
    int n = check(folder, path);
    DIR *d = opendir(path);

    if (!d)
        fail_msg("%s: run the tests from the root of the repository", path);
    for (struct dirent *e; (e = readdir(d));) {
        char *inner = str_format("%s/%s", path, e->d_name);

        if (e->d_name[0] != '.')
            n += check(folder, inner);
        free(inner);
    }
    closedir(d);
    free(path);
    return n;
}

static void all_cases(void **state)
{
    (void)state;
    for (int i = 0; vectors_folder(i); i++)
        assert_true(check_folder(vectors_folder(i)) > 0);
}

static void put(const char *folder, const char *name, const char *text)
{
    char *path = str_format("%s/%s", folder, name);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(path);
}

/* Returns the outcome of a case whose expected.json is `text`. */
static struct vector_outcome outcome(const char *text)
{
    char *folder = scratch_make();
    struct vector_outcome o;

    put(folder, "hyp.txt", "a b c d\n");
    put(folder, "ref1.txt", "a b c d\n");
    if (text)
        put(folder, "expected.json", text);
    vectors_run(&o, "bleu_multibleu", folder, NULL);
    scratch_remove(folder);
    return o;
}

static void mismatch(const char *text, const char *words)
{
    struct vector_outcome o = outcome(text);

    assert_int_equal(o.verdict, VERDICT_FAIL);
    if (!strstr(o.message, words))
        fail_msg("'%s' lacks '%s'", o.message, words);
    free(o.message);
}

static void findings(void **state)
{
    (void)state;
    struct vector_outcome o =
        outcome("{\"runs\": [{\"options\": {}, \"score\": 100.0}]}");
    assert_int_equal(o.verdict, VERDICT_PASS);
    assert_int_equal(o.compared, 1);
    mismatch("{\"runs\": [{\"options\": {}, \"score\": 99.5}]}",
             "expected 99.5");
    mismatch("{\"runs\": [{\"options\": {}, \"score\": 100.0}, {\"options\": "
             "{\"lowercase\": true}, \"sys_len\": 3}]}",
             "runs[1] {\"lowercase\": true}: sys_len: expected 3, got 4");
    mismatch("{\"runs\": [{\"options\": {}, \"no_such\": 1}]}",
             "got nothing");
    mismatch("{\"runs\": [{\"options\": {\"lowercas\": true}}]}",
             "did you mean 'lowercase'");
    mismatch("{\"runs\": [{\"options\": {}, \"precisions\": [100.0]}]}",
             "precisions");
    mismatch("{\"runs\": [", "expected.json:1: ");
    mismatch("{\"runs\": []}", "nothing was compared");
    mismatch(NULL, "expected.json");
}

/* Checks where a difference is reported; `where` is NULL if there is none. */
static void compares(const char *want, const char *got, const char *where)
{
    struct vector_case c = {.path = "case", .tolerance = 1e-9};
    json_t *a = json_loads(want, JSON_DECODE_ANY, NULL);
    json_t *b = json_loads(got, JSON_DECODE_ANY, NULL);
    int rc = case_equal(&c, "x", a, b);

    assert_int_equal(rc, where ? CASE_MISMATCH : OK);
    if (where) {
        char *line = str_format("case: %s: expected ", where);

        if (strncmp(c.mismatch, line, strlen(line)))
            fail_msg("'%s' does not begin with '%s'", c.mismatch, line);
        free(line);
    }
    free(c.mismatch);
    json_decref(a);
    json_decref(b);
}

static void trees(void **state)
{
    (void)state;
    compares("{\"a\": [1, {\"b\": 2}]}", "{\"a\": [1, {\"b\": 2}]}", NULL);
    compares("{\"a\": [1, {\"b\": 2}]}", "{\"a\": [1, {\"b\": 3}]}",
             "x.a[1].b");
    compares("[[0, 1], [2, 3]]", "[[0, 1], [2, 4]]", "x[1][1]");
    compares("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 3}", "x.b");
    compares("{\"a\": 1}", "{\"a\": 1, \"b\": 3}", NULL);
    compares("{\"a\": 1, \"b\": 3}", "{\"a\": 1}", "x.b");
    compares("[1, 2]", "[1]", "x");
    compares("[1]", "[1, 2]", "x");
    compares("[1]", "{\"a\": 1}", "x");
    compares("{\"a\": 1}", "[1]", "x");
    compares("1", "1.0", NULL);
    compares("1", "1.0000000001", "x");
    compares("1.0", "1.0000000009", NULL);
    compares("1.0", "1.000000002", "x");
    compares("0.0", "1e-12", NULL);
    compares("0.0", "2e-12", "x");
    compares("\"a\"", "\"a\"", NULL);
    compares("\"a\"", "\"b\"", "x");
    compares("1.5", "\"1.5\"", "x");
}

/* Each line has several references, of which the best one counts. Without
 * METEOR's word lists nothing is compared, and the reason is reported. */
static void meteor(void **state)
{
    char *folder = scratch_make(), *data = scratch_make();
    char *lists = str_format("%s/meteor", data);
    struct vector_outcome o;

    (void)state;
    assert_int_equal(file_mkdirs(lists), OK);
    put(lists, "english.words", "the\n");
    put(folder, "cases.tsv", "a b\tx y\ta b\n");
    put(folder, "expected.json",
        "{\"rows\": [{\"exact_stem_synonym\": 1.0}]}");
    for (int i = 0; i < 2; i++) {
        vectors_run(&o, "meteor", folder, i ? data : NULL);
        assert_int_equal(o.verdict, VERDICT_NONE);
        assert_int_equal(o.compared, 0);
        assert_non_null(strstr(o.message, "english.words"));
        free(o.message);
    }
    put(lists, "english.prefixes", "Dr\n");
    vectors_run(&o, "meteor", folder, data);
    if (file_exists("/usr/share/wordnet/index.noun")) {
        assert_int_equal(o.verdict, VERDICT_PASS);
        assert_int_equal(o.compared, 2); /* the number of lines, the score */
    } else {
        assert_int_equal(o.verdict, VERDICT_NONE);
        assert_non_null(strstr(o.message, "wordnet-base"));
        free(o.message);
    }
    free(lists);
    scratch_remove(folder);
    scratch_remove(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every case of the reference vectors passes or says why it was "
         "skipped", all_cases, NULL, NULL, NULL},
        {"a wrong, missing or unreadable expectation is found and named",
         findings, NULL, NULL, NULL},
        {"what differs in a tree is named by its path", trees, NULL, NULL,
         NULL},
        {"METEOR's vectors need its lists, and take every reference", meteor,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
