#include "harness/base/err.h"
#include "tests/support/scoring.h"
#include "tests/support/scratch.h"

#include "harness/base/file.h"
#include "harness/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct scorer scorer_nlgeval, scorer_embsim;

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g, not %.17g", got, want);
}

static double nlg(const struct scoring *t, const char *name)
{
    return score_number(&scorer_nlgeval, t, "corpus", name);
}

/* The lengths are equal. One of two words is right, so the unigram precision is
 * 1/2 up to the small constants; no bigram is right, so BLEU-2 is (0.5 *
 * 1e-15)^(1/2), not 0. */
static void bleu_constants(void **state)
{
    struct scoring perfect = {.hyp = "a b c d\n", .ref = {"a b c d\n"}};
    struct scoring half = {.hyp = "a x\n", .ref = {"a b\n"}};

    (void)state;
    assert_true(nlg(&perfect, "Bleu_4") < 1);
    near(nlg(&perfect, "Bleu_4"), 1, 1e-8);
    near(nlg(&half, "Bleu_1"), 0.5, 1e-9);
    near(nlg(&half, "Bleu_2"), sqrt(0.5e-15), 1e-15);
}

/* Lengths 2 and 6 are equally close to 4: the shorter is used, so there is no
 * penalty. */
static void nearest_length(void **state)
{
    struct scoring t = {.hyp = "a b c d\n",
                        .ref = {"a b c d e f\n", "c d\n"}};
    struct scoring longer = {.hyp = "a b c d\n", .ref = {"a b c d e f\n"}};

    (void)state;
    near(nlg(&t, "Bleu_1"), 1, 1e-8);
    near(nlg(&longer, "Bleu_1"), exp(1 - 6.0 / 4), 1e-8);
}

/* If "a" occurs twice in one reference, both hits count; if it occurs once in
 * each of two references, only one. */
static void clipped_by_most(void **state)
{
    struct scoring two = {.hyp = "a a\n", .ref = {"a a\n", "x y\n"}};
    struct scoring one = {.hyp = "a a\n", .ref = {"a x\n", "y a\n"}};

    (void)state;
    near(nlg(&two, "Bleu_1"), 1, 1e-8);
    near(nlg(&one, "Bleu_1"), 0.5, 1e-8);
}

/* P = 2/3 is from one reference, R = 1 from the other. Two blanks enclose an
 * empty word. */
static void rouge_l(void **state)
{
    struct scoring t = {.hyp = "a b c\n", .ref = {"a b x y\n", "c\n"}};
    struct scoring blanks = {.hyp = "a  b\n", .ref = {"a b\n"}};
    struct scoring none = {.hyp = "\na\n", .ref = {"\nb\n"}};
    double p = 2.0 / 3, b2 = 1.44;

    (void)state;
    near(nlg(&t, "ROUGE_L"), (1 + b2) * p / (1 + b2 * p), 1e-15);
    near(nlg(&blanks, "ROUGE_L"), (1 + b2) * p / (1 + b2 * p), 1e-15);
    near(nlg(&none, "ROUGE_L"), 0.5, 1e-15);
}

/* Perfect texts of at least four words score 10; a single segment has no
 * idf. */
static void cider(void **state)
{
    struct scoring two = {.hyp = "a b c d\ne f g h\n",
                          .ref = {"a b c d\ne f g h\n"}};
    struct scoring one = {.hyp = "a b c d\n", .ref = {"a b c d\n"}};
    struct scoring more = {.hyp = "a a b c d\ne f g h\n",
                           .ref = {"a b c d\ne f g h\n"}};

    (void)state;
    near(nlg(&two, "CIDEr"), 10, 1e-12);
    near(nlg(&two, "CIDEr_plain_not_D"), 10, 1e-12);
    near(nlg(&one, "CIDEr"), 0, 0);
    assert_true(nlg(&more, "CIDEr") < nlg(&more, "CIDEr_plain_not_D"));
}

/* The only word is in one of two segments: order 1 scores 1, the other orders
 * 0. */
static void cider_by_order(void **state)
{
    struct scoring t = {.hyp = "a\nx\n", .ref = {"a\nb\n"}};

    (void)state;
    near(nlg(&t, "CIDEr"), 10 * (1.0 / 4) / 2, 1e-12);
}

/* ---- embedding similarities ---- */

struct table { char *folder, *option; };

static void write_table(struct table *t, const char *rows)
{
    t->folder = scratch_make();
    t->option = str_format("embeddings=%s/v", t->folder);
    assert_int_equal(file_write(strchr(t->option, '=') + 1, rows, strlen(rows)),
                     OK);
}

static void drop_table(struct table *t)
{
    free(t->option);
    scratch_remove(t->folder);
}

/* a = (3,4) and b = (4,-3) have the mean (3.5,0.5); all numbers below are
 * computed by hand. */
static void embeddings(void **state)
{
    struct table v;

    (void)state;
    write_table(&v, "a 3 4\nb 4 -3\n");
    struct scoring t = {.hyp = "a\n", .ref = {"a b\n"}, .set = {v.option}};
    double average = (3 * 7 + 4 * 1) / (5 * sqrt(50));
    const char *name[] = {"EmbeddingAverageCosineSimilarity",
                          "VectorExtremaCosineSimilarity",
                          "GreedyMatchingScore"};

    near(score_number(&scorer_embsim, &t, "values", name[0]), average, 1e-15);
    near(score_number(&scorer_embsim, &t, "values", name[1]),
         (3 * 4 + 4 * 4) / (5 * sqrt(32)), 1e-15);
    near(score_number(&scorer_embsim, &t, "values", name[2]), 0.75, 1e-15);
    t.hyp = "unheard\n";
    near(score_number(&scorer_embsim, &t, "values", name[0]), 1, 1e-15);
    t.hyp = "b\n";
    t.ref[1] = "b\n";
    near(score_number(&scorer_embsim, &t, "values", name[2]), 1, 1e-15);
    drop_table(&v);
}

static void refuses(const char *rows, const char *hyp, const char *what)
{
    struct table v;
    json_t *r;

    write_table(&v, rows);
    struct scoring t = {.hyp = hyp, .ref = {hyp}, .set = {v.option}};
    assert_int_equal(score_texts(&r, &scorer_embsim, &t), ERR_DATA);
    if (!strstr(err_last(), what))
        fail_msg("'%s' does not say '%s'", err_last(), what);
    drop_table(&v);
}

static void bad_tables(void **state)
{
    struct scoring t = {.hyp = "a\n", .ref = {"a\n"}};
    json_t *r;

    (void)state;
    refuses("a 1 2\nb 1\n", "a\n", "/v:2: expected a word and 2 values");
    refuses("a\n", "a\n", "/v:1: expected a word");
    refuses("a 1 2\nb 1 nan\n", "a\n", "/v:2: 'nan' is not a finite number");
    refuses("a 1 2\na 1 3\n", "a\n", "/v:2: the word 'a' appears twice");
    refuses("a 1 2\n", "a\n\n", "ref:2: embsim is not defined for a text");
    refuses("a 1 2\nb -1 -2\n", "a b\n", "hyp:1: the word vectors");
    assert_int_equal(score_texts(&r, &scorer_embsim, &t), ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"coco BLEU has its constants: 1 is not reached, nor is 0",
         bleu_constants, NULL, NULL, NULL},
        {"of two lengths equally near the shorter counts", nearest_length, NULL,
         NULL, NULL},
        {"matches are clipped by the reference with most", clipped_by_most,
         NULL, NULL, NULL},
        {"coco ROUGE-L takes P and R from different references", rouge_l, NULL,
         NULL, NULL},
        {"CIDEr of perfect texts is 10, of one segment 0", cider, NULL, NULL,
         NULL},
        {"CIDEr is a mean over four orders", cider_by_order, NULL, NULL, NULL},
        {"embedding similarities are those done by hand", embeddings, NULL,
         NULL, NULL},
        {"a wrong table of vectors is refused by file and line", bad_tables,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("nlg", tests, NULL, NULL);
}
