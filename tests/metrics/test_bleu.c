/* Components of BLEU. test_vectors.c tests the scores themselves. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/metric.h"
#include "harness/metrics/ngram.h"
#include "harness/metrics/scorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE "tests/data/metrics/bleu_sacrebleu/generated_300/"

extern const struct metric metric_bleu;
extern const struct scorer scorer_bleu;

/* The metric used in training and the command have equal results for the same
 * segments. */
static void training(void **state)
{
    struct lines hyp, ref;
    json_t *r;

    (void)state;
    assert_int_equal(lines_read(&hyp, CASE "hyp.txt"), OK);
    assert_int_equal(lines_read(&ref, CASE "ref1.txt"), OK);
    const struct score_input in = {.hyp = &hyp, .ref = {&ref}, .refs = 1};
    assert_int_equal(scorer_run(&r, &scorer_bleu, &in), OK);
    struct answer *seen = calloc(hyp.n, sizeof *seen);
    struct scored got;
    for (size_t i = 0; i < hyp.n; i++)
        seen[i] = (struct answer){.hyp = hyp.line[i], .ref = ref.line[i]};
    metric_bleu.measure(&metric_bleu, &got, seen, hyp.n);
    if (got.value != result_number(r, "score"))
        fail_msg("%.17g in training, %.17g as a tool", got.value,
                 result_number(r, "score"));
    assert_string_equal(metric_bleu.signature, result_string(r, "signature"));
    free(seen);
    json_decref(r);
    lines_close(&hyp);
    lines_close(&ref);
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
        char *got = tokenizer("13a")(pair[i][0]);

        assert_string_equal(got, pair[i][1]);
        free(got);
    }
}

/* The text has 3,000 words, so that the table grows; "w7 w7" is frequent on
 * both sides. */
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
    ngram_clear(g);
    ngram_add(g, "a a a b", 1, NGRAM_HYP);
    ngram_add(g, "a b b", 1, NGRAM_REF);
    ngram_add(g, "a a b", 1, NGRAM_REF);
    /* two "a" from the second reference, one "b" */
    assert_int_equal(ngram_matches(g), 3);
    ngram_free(g);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"BLEU of training equals BLEU as a tool, signature and all", training,
         NULL, NULL, NULL},
        {"13a keeps its order of rules, entities and white space", traps, NULL,
         NULL, NULL},
        {"n-gram counts survive the growth of their table and are clipped by "
         "the reference that has most", table, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("bleu", tests, NULL, NULL);
}
