/* BLEU and its tokenizer against tests/data/metrics/bleu_sacrebleu/CASE:
 * hyp.txt, ref1.txt, their tokenised text tok.13a.*, and expected.json with
 * what sacreBLEU 2.6.0 makes of them. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/tok13a.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VECTORS "tests/data/metrics/bleu_sacrebleu"

extern const struct metric metric_bleu;

struct lines { char *bytes, **line; int n; };

static struct lines lines_read(const char *folder, const char *name)
{
    struct lines l = {0};
    char *path = str_format(VECTORS "/%s/%s", folder, name);
    size_t bytes;

    if (file_read(&l.bytes, &bytes, path) < 0)
        fail_msg("%s", err_last());
    for (size_t i = 0; i < bytes; i++)
        l.n += l.bytes[i] == '\n';
    l.line = malloc((size_t)l.n * sizeof *l.line);
    char *at = l.bytes;
    for (int i = 0; i < l.n; i++) {
        l.line[i] = at;
        at = strchr(at, '\n');
        *at++ = 0;
    }
    free(path);
    return l;
}

static void lines_free(struct lines *l)
{
    free(l->line);
    free(l->bytes);
}

/* The run of expected.json with this metric's options. */
static json_t *expected(const char *folder, json_t **root)
{
    char *path = str_format(VECTORS "/%s/expected.json", folder);
    json_error_t error;
    size_t i;
    json_t *run;

    *root = json_load_file(path, 0, &error);
    free(path);
    assert_non_null(*root);
    json_array_foreach(json_object_get(*root, "runs"), i, run)
        if (!strcmp(json_string_value(json_object_get(run, "signature")),
                    metric_bleu.signature))
            return run;
    fail_msg("%s has no run with signature %s", folder, metric_bleu.signature);
    return NULL;
}

static double number(json_t *run, const char *key, int index)
{
    json_t *v = json_object_get(run, key);

    if (index >= 0)
        v = json_array_get(v, (size_t)index);
    assert_true(json_is_number(v));
    return json_number_value(v);
}

static void near(const char *folder, const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fmax(fabs(got), fabs(want))))
        fail_msg("%s: %s is %.17g, not %.17g", folder, what, got, want);
}

static void same(const char *folder, const char *what, long got, double want)
{
    if ((double)got != want)
        fail_msg("%s: %s is %ld, not %g", folder, what, got, want);
}

static void check_tokens(const char *folder, const char *raw, const char *tok)
{
    char *path = str_format(VECTORS "/%s/%s", folder, tok);
    int there = file_exists(path);

    free(path);
    if (!there) /* generated_300 comes without */
        return;
    struct lines in = lines_read(folder, raw), want = lines_read(folder, tok);
    assert_int_equal(in.n, want.n);
    for (int i = 0; i < in.n; i++) {
        char *got = tok13a(in.line[i]);

        if (strcmp(got, want.line[i]))
            fail_msg("%s/%s:%d: '%s', not '%s'", folder, raw, i + 1, got,
                     want.line[i]);
        free(got);
    }
    lines_free(&in);
    lines_free(&want);
}

static struct bleu_stats count(const struct lines *hyp,
                               const struct lines *ref)
{
    struct bleu_stats stats = {{0}, {0}, 0, 0};
    struct ngrams *grams = ngram_new();

    for (int i = 0; i < hyp->n; i++) {
        char *h = tok13a(hyp->line[i]), *r = tok13a(ref->line[i]);

        bleu_add(&stats, grams, h, r);
        free(h);
        free(r);
    }
    ngram_free(grams);
    return stats;
}

static double by_metric(const struct lines *hyp, const struct lines *ref)
{
    void *self = malloc(metric_bleu.size);

    metric_bleu.begin(self);
    for (int i = 0; i < hyp->n; i++)
        metric_bleu.add(self, &(struct seen){.hyp = hyp->line[i],
                                             .ref = ref->line[i]});
    double score = metric_bleu.end(self);
    free(self);
    return score;
}

static void check_case(const char *folder)
{
    json_t *root, *want = expected(folder, &root);
    struct lines hyp = lines_read(folder, "hyp.txt");
    struct lines ref = lines_read(folder, "ref1.txt");

    assert_int_equal(hyp.n, ref.n);
    struct bleu_stats stats = count(&hyp, &ref);
    struct bleu_score score = bleu_score(&stats);
    same(folder, "sys_len", stats.hyp_words, number(want, "sys_len", -1));
    same(folder, "ref_len", stats.ref_words, number(want, "ref_len", -1));
    for (int n = 0; n < BLEU_ORDERS; n++) {
        same(folder, "count", stats.correct[n], number(want, "counts", n));
        same(folder, "total", stats.total[n], number(want, "totals", n));
        near(folder, "precision", score.precision[n],
             number(want, "precisions", n));
    }
    near(folder, "bp", score.brevity, number(want, "bp", -1));
    near(folder, "ratio", score.ratio, number(want, "ratio", -1));
    near(folder, "score", score.score, number(want, "score", -1));
    near(folder, "metric", by_metric(&hyp, &ref), number(want, "score", -1));
    lines_free(&hyp);
    lines_free(&ref);
    json_decref(root);
}

static int each_case(void (*check)(const char *folder))
{
    DIR *d = opendir(VECTORS);
    int n = 0;

    if (!d)
        fail_msg(VECTORS ": run the tests from the root of the repository");
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.') {
            check(e->d_name);
            n++;
        }
    closedir(d);
    return n;
}

static void check_both(const char *folder)
{
    check_tokens(folder, "hyp.txt", "tok.13a.hyp.txt");
    check_tokens(folder, "ref1.txt", "tok.13a.ref1.txt");
}

static void tokens(void **state)
{
    (void)state;
    assert_true(each_case(check_both) >= 15);
}

static void scores(void **state)
{
    (void)state;
    assert_true(each_case(check_case) >= 15);
}

static void traps(void **state)
{
    static const char *const pair[][2] = {
        {"", ""},
        {" \t\xC2\xA0", ""},
        {"&amp;lt; &amp;quot;", "< & quot ;"},
        {"in 2004.", "in 2004 ."},
        {"1,000.5 x...", "1,000.5 x . . ."},
        {"3-4 a-b", "3 - 4 a-b"},
        {"a<skipped>b-\nc\nd", "abc d"},
        {"bad \xFF byte", "bad \xFF byte"},
        {"don't\xE2\x80\xA8" "\xE2\x80\x9Cok\xE2\x80\x9D.",
         "don't \xE2\x80\x9Cok\xE2\x80\x9D ."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char *got = tok13a(pair[i][0]);

        assert_string_equal(got, pair[i][1]);
        free(got);
    }
}

/* 3,000 words, so that the table grows; "w7 w7" often on both sides. */
static void table(void **state)
{
    enum { WORDS = 3000, PERIOD = 701 };
    char *a = malloc(8 * WORDS), *b = malloc(8 * WORDS);
    struct ngrams *g = ngram_new();
    int at = 0;

    (void)state;
    for (int i = 0; i < WORDS; i++)
        at += sprintf(a + at, "%sw%d", i ? " " : "", i % PERIOD);
    sprintf(b, "%s", a);
    assert_int_equal(ngram_add(g, a, 2, NGRAM_HYP), WORDS - 1);
    assert_int_equal(ngram_matches(g), 0);
    assert_int_equal(ngram_add(g, b, 2, NGRAM_REF), WORDS - 1);
    assert_int_equal(ngram_matches(g), WORDS - 1);
    ngram_clear(g);
    assert_int_equal(ngram_add(g, "a a a", 1, NGRAM_HYP), 3);
    assert_int_equal(ngram_add(g, "a b", 1, NGRAM_REF), 2);
    assert_int_equal(ngram_matches(g), 1);
    assert_int_equal(ngram_add(g, "a b", 3, NGRAM_HYP), 0);
    ngram_free(g);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"13a tokens equal sacreBLEU's in every case", tokens, NULL, NULL,
         NULL},
        {"BLEU counts, precisions and scores equal sacreBLEU's in every case",
         scores, NULL, NULL, NULL},
        {"13a keeps its order of rules, entities and white space", traps, NULL,
         NULL, NULL},
        {"n-gram counts survive the growth of their table and are clipped",
         table, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("bleu", tests, NULL, NULL);
}
