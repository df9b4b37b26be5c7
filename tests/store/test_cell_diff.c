/* Differences of two cell files: each is reported once, in order of kind, with
 * the first file's value first. */
#include "harness/base/err.h"
#include "harness/store/cell_diff.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PUT(call) \
    do { if (call) fail_msg("%s", err_last()); } while (0)

enum { MANY = 40 };
#define SHA(digit)                                                            \
    digit "23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0"

struct changes { int n; struct cell_change is[MANY]; };

static void gather(void *arg, const struct cell_change *c)
{
    struct changes *t = arg;

    assert_in_range(t->n, 0, MANY - 1);
    t->is[t->n++] = *c;
}

/* Opens a cell. Both cells have the same id and configuration, in separate
 * stores. */
static struct cell_reader *cell_of(const char *name,
                                   void (*fill)(struct cell_writer *w))
{
    struct cell_writer *w;
    struct cell_reader *r;
    struct store *s;
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    PUT(store_open(&s, path, 1));
    PUT(made_begin(&w, path, id));
    PUT(cell_put_text(w, "", "date_created", "one second for both"));
    fill(w);
    PUT(cell_commit(w));
    PUT(cell_open(&r, path, id));
    store_close(s);
    return r;
}

static void compare(struct changes *t, void (*first)(struct cell_writer *w),
                    void (*second)(struct cell_writer *w))
{
    struct cell_reader *a = cell_of("a", first), *b = cell_of("b", second);
    char hex[2][HASH_HEX];
    int results = 0;

    *t = (struct changes){0};
    PUT(cell_diff(a, b, gather, t));
    for (int i = 0; i < t->n; i++)
        results += t->is[i].kind == CELL_RESULTS;
    PUT(cell_results(a, hex[0]));
    PUT(cell_results(b, hex[1]));
    assert_int_equal(strcmp(hex[0], hex[1]) != 0, results > 0);
    cell_close(a);
    cell_close(b);
}

static void expect(const struct changes *t, const struct cell_change *want,
                   int n)
{
    for (int i = 0; i < n; i++) {
        int found = 0;

        for (int j = 0; j < t->n; j++)
            if (!strcmp(t->is[j].path, want[i].path)) {
                if (want[i].a[0]) {
                    assert_string_equal(t->is[j].a, want[i].a);
                    assert_string_equal(t->is[j].b, want[i].b);
                }
                assert_int_equal(t->is[j].kind, want[i].kind);
                found++;
            }
        if (found != 1)
            fail_msg("%s is reported %d times", want[i].path, found);
    }
    if (t->n != n)
        fail_msg("%d differences are reported, not %d", t->n, n);
}

static void both(struct cell_writer *w, const double *x, size_t n, int first)
{
    static const char *const words[] = {"one", "two", "three"};
    static const char *const sha[] = {SHA("0"), SHA("1")};

    PUT(cell_put_text(w, "", "history", first ? "now" : "then"));
    PUT(cell_put_text(w, "provenance", "commit", first ? "abc" : "def"));
    PUT(cell_put_text(w, "provenance", "data_digest", first ? "d1" : "d2"));
    PUT(cell_put_text(w, "weights", "file_sha256",
                      first ? sha[0] : sha[1]));
    PUT(cell_put_int(w, "timing", "tokens", first ? 7 : 8));
    PUT(cell_put_real(w, "timing", "train_seconds", first ? 0.5 : 0.25));
    PUT(cell_put_array(w, "curves/train/loss", "nats/token", x, n));
    PUT(cell_put_strings(w, "examples/test/source", words + !first, 2));
}

static void first(struct cell_writer *w)
{
    static const double x[] = {1, NAN, 0, 3};

    both(w, x, 4, 1);
    PUT(cell_put_array(w, "some/real", "1", x, 2));
    PUT(cell_put_text(w, "baseline/best", "description", "of A alone"));
    PUT(cell_put_int(w, "weights", "n", 5));
}

static void second(struct cell_writer *w)
{
    static const double x[] = {1, NAN, -0.0, 4};
    static const int64_t whole[] = {1, 2};

    both(w, x, 4, 0);
    PUT(cell_put_ints(w, "some/real", "1", whole, 2));
    PUT(cell_put_text(w, "weights", "note", "of B alone"));
    PUT(cell_put_array(w, "examples/test/nll", "nats", x, 2));
    PUT(cell_put_int(w, "weights", "n", 5));
}

static void every_difference(void **state)
{
    static const struct cell_change want[] = {
        {CELL_VOLATILE, "@history", "now", "then"},
        {CELL_BUILD, "provenance@commit", "abc", "def"},
        {CELL_RESULTS, "provenance@data_digest", "d1", "d2"},
        {CELL_SETTINGS, "weights@file_sha256", "", ""},
        {CELL_RESULTS, "timing@tokens", "7", "8"},
        {CELL_VOLATILE, "timing@train_seconds", "0.5", "0.25"},
        {CELL_RESULTS, "curves/train/loss", "[2] 0", "[2] -0"},
        {CELL_RESULTS, "examples/test/source", "[0] one", "[0] two"},
        {CELL_RESULTS, "some/real", "2 values",
         "2 values of another type"},
        {CELL_RESULTS, "baseline/best@description", "1 value", "-"},
        {CELL_RESULTS, "weights@note", "-", "1 value"},
        {CELL_RESULTS, "examples/test/nll", "-", "2 values"},
        {CELL_RESULTS, "examples/test/nll@units", "-", "1 value"},
    };
    static struct changes t;

    (void)state;
    compare(&t, first, second);
    expect(&t, want, sizeof want / sizeof *want);
}

static void no_difference(void **state)
{
    static struct changes t;

    (void)state;
    compare(&t, first, first);
    assert_int_equal(t.n, 0);
}

static void shorter(struct cell_writer *w)
{
    static const double x[] = {1, NAN, 0};

    both(w, x, 3, 1);
}

static void longer(struct cell_writer *w)
{
    static const double x[] = {1, NAN, 0, 3};

    both(w, x, 4, 1);
}

static void lengths(void **state)
{
    static const struct cell_change want[] = {
        {CELL_RESULTS, "curves/train/loss", "3 values", "4 values"}};
    static struct changes t;

    (void)state;
    compare(&t, shorter, longer);
    expect(&t, want, 1);
}

/* ---- attributes added by later versions ---- */

static void put_later(struct cell_writer *w, double x)
{
    shorter(w);
    PUT(cell_put_array(w, "attention/moves/encoder.0/rms", "1", &x, 1));
    PUT(cell_put_array(w, "attention/sentence/encoder.0/end", "1", &x, 1));
    PUT(cell_put_real(w, "curves/train", "settled", x));
    PUT(cell_put_real(w, "curves/train", "settled_error", 7));
    PUT(cell_put_metric(w, "bits", "bits/token", -1, "nats / ln 2", x));
    PUT(cell_put_real(w, "baseline/unigram", "bits", 9));
}

static void later(struct cell_writer *w) { put_later(w, 2); }
static void other(struct cell_writer *w) { put_later(w, 3); }

static void digest(char hex[HASH_HEX], void (*fill)(struct cell_writer *w))
{
    struct cell_reader *r = cell_of("d", fill);

    PUT(cell_results(r, hex));
    cell_close(r);
}

static void additions(void **state)
{
    static const struct cell_change want[] = {
        {CELL_RESULTS, "attention/moves/encoder.0/rms", "2", "3"},
        {CELL_RESULTS, "attention/sentence/encoder.0/end", "2", "3"},
        {CELL_RESULTS, "curves/train@settled", "2", "3"},
        {CELL_RESULTS, "metrics/bits", "2", "3"}};
    struct cell_reader *a = cell_of("a", later), *b = cell_of("b", other);
    struct cell_reader *c = cell_of("c", shorter);
    struct changes t = {0};
    char hex[2][HASH_HEX];

    (void)state;
    PUT(cell_diff(a, b, gather, &t));
    expect(&t, want, 4);
    t.n = 0;
    PUT(cell_diff(a, c, gather, &t));
    PUT(cell_diff(c, a, gather, &t));
    assert_int_equal(t.n, 0);
    cell_close(a);
    cell_close(b);
    cell_close(c);
    digest(hex[0], later);
    digest(hex[1], shorter);
    assert_string_equal(hex[0], hex[1]);
}

/* The name of the metric that put_named stores. */
static const char *metric_name;

static void put_named(struct cell_writer *w)
{
    shorter(w);
    PUT(cell_put_metric(w, metric_name, "%", 1, "signature", 1));
}

/* The digests of stored cells depend on these metrics. */
static void first_metrics(void **state)
{
    static const char *const name[] = {
        "token_accuracy", "ppl", "ppl_word", "rouge1", "rouge2", "rouge_l",
        "rouge_lsum", "nlg_bleu1", "nlg_bleu4", "nlg_rouge_l", "nlg_cider",
        "meteor", "accuracy", "glue8", "glue9", "superglue", "cola_mcc",
        "mnli_accuracy_matched", "stsb_spearman", "record_exact_match",
        "multirc_f1_a", NULL};
    char without[HASH_HEX], with[HASH_HEX];

    (void)state;
    digest(without, shorter);
    for (int i = 0; name[i]; i++) {
        metric_name = name[i];
        digest(with, put_named);
        if (!strcmp(with, without))
            fail_msg("%s is not part of the digest", name[i]);
    }
}

/* ---- names and layout of datasets ---- */

static void of_each_kind(struct cell_writer *w)
{
    static const double x[] = {4, 3, 2, 1};
    static const int64_t whole[] = {1, 2, 3, 4};
    static const char *const words[] = {"one", "two", "three", "four"};
    static const struct cell_shape table = {2, {2, 2}};

    PUT(cell_put_ints(w, "curves/train/step", "1", whole, 4));
    PUT(cell_put_array(w, "curves/train/loss", "nats/token", x, 4));
    PUT(cell_put_array(w, "examples/test/nll", "nats", x, 2));
    PUT(cell_put_ints(w, "examples/test/tokens", "1", whole, 2));
    PUT(cell_put_string_grid(w, "examples/test/nbest", words, &table));
    PUT(cell_put_grid(w, "examples/test/nbest_score", "nats", x, &table));
    PUT(cell_put_metric(w, "ce", "nats/token", -1, "sum of nats / tokens", 2));
    PUT(cell_put_name(w, "metrics/ce", "cross-entropy on the test set"));
    PUT(cell_put_metric(w, "bleu", "%", 1, "13a", 7));
    PUT(cell_put_ints(w, "attention/end/encoder.0/histogram",
                      "count per quarter decade from 1e-6", whole, 4));
    PUT(cell_put_array(w, "attention/end/encoder.0/bin", "1", x, 4));
}

/* The expected digest was computed by an earlier version (0ebaaf4), which had
 * no dimension names, UDUNITS units or dimension scales. */
static void layout(void **state)
{
    char hex[HASH_HEX];

    (void)state;
    digest(hex, of_each_kind);
    assert_string_equal(hex, "9e5fb018fede55a3521f4864cdd459500773dfbd5caa8cb2"
                             "140f84af1ee210b8");
}

int main(void)
{
#define DIFF_TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        DIFF_TEST("each difference is reported once, the value of the first "
                  "file first", every_difference),
        DIFF_TEST("equal files have no difference; NAN equals NAN",
                  no_difference),
        DIFF_TEST("datasets of different lengths differ by their lengths",
                  lengths),
        DIFF_TEST("later additions differ only if both have them, and are in "
                  "no digest", additions),
        DIFF_TEST("the metrics of earlier versions are in the digest",
                  first_metrics),
        DIFF_TEST("long names, scales and units of UDUNITS are in no digest",
                  layout),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
