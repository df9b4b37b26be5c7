#include "harness/metrics/rouge/rouge.h"
#include "harness/metrics/stem.h"
#include "tests/support/scoring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct scorer scorer_rouge;

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

static struct rouge_score of(const char *hyp, const char *ref, int stem,
                             enum rouge_type type)
{
    struct rouge *r = rouge_new(stem, 0, NULL);
    struct rouge_score s[ROUGE_TYPES];

    rouge_score(r, hyp, ref, s);
    rouge_free(r);
    return s[type];
}

/* "the" occurs twice in one text and once in the other: one hit. */
static void clipped(void **state)
{
    struct rouge_score s = of("the cat the", "the dog", 0, ROUGE_1);

    (void)state;
    near(s.p, 1.0 / 3);
    near(s.r, 1.0 / 2);
    near(s.f, 2.0 / 5);
    near(of("the cat sat", "the cat ran", 0, ROUGE_2).f, 0.5);
    near(of("a b c d", "x b c d", 0, ROUGE_3).r, 0.5);
}

static void subsequence(void **state)
{
    (void)state;
    near(of("a x b y c", "a b c z", 0, ROUGE_L).p, 3.0 / 5);
    near(of("a x b y c", "a b c z", 0, ROUGE_L).r, 3.0 / 4);
    near(of("c b a", "a b c", 0, ROUGE_L).r, 1.0 / 3);
}

/* Lin's example: the union of w1 w2 and w1 w3 w5 covers four of five words. */
static void united(void **state)
{
    const char *ref = "w1 w2 w3 w4 w5";

    (void)state;
    near(of("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ref, 0, ROUGE_LSUM).r, 4.0 / 5);
    near(of("w1 w2 w6 w7 w8\\nw1 w3 w8 w9 w5", ref, 0, ROUGE_LSUM).r, 4.0 / 5);
    near(of("w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8", ref, 0, ROUGE_L).r, 3.0 / 5);
    near(of("\n\na b\n\n", "\\na b\\n", 0, ROUGE_LSUM).f, 1);
}

/* Two sentences of the reference match the only "a" of the hypothesis. */
static void claimed_once(void **state)
{
    (void)state;
    near(of("a", "a\na", 0, ROUGE_LSUM).p, 1);
    near(of("a", "a\na", 0, ROUGE_LSUM).r, 0.5);
}

static void words(void **state)
{
    static const char *const text[][2] = {
        {"State-of-the-art, 9.81s!", "state of the art 9 81s"},
        {"Caf\u00e9 \u0431", "caf"},
        {"\u0130stanbul 5\u212A \u00c5b", "i stanbul 5k b"},
        {"AZaz09", "azaz09"},
        {"@[`{/:", ""}, /* ASCII neighbours of letters and digits */
        {" ... ", ""},
        {"", ""},
    };
    struct rouge *r = rouge_new(0, 0, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_string_equal(rouge_words(r, text[i][0]), text[i][1]);
    rouge_free(r);
}

static void stemmed(void **state)
{
    struct rouge *r = rouge_new(1, 0, NULL);

    (void)state;
    assert_string_equal(rouge_words(r, "Cats was running, ties flying"),
                        "cat was run tie fli");
    rouge_free(r);
}

static void no_words(void **state)
{
    (void)state;
    for (int t = 0; t < ROUGE_TYPES; t++) {
        near(of("", "", 0, (enum rouge_type)t).f, 0);
        near(of("a", "...", 0, (enum rouge_type)t).f, 0);
        near(of("\u0431", "a", 0, (enum rouge_type)t).f, 0);
    }
}

/* "b c" is in order only if it is a sentence of its own. */
static void periods(void **state)
{
    static const char hyp[] = "b c . a\n", ref[] = "a . b c\n";
    struct scoring t = {.hyp = hyp, .ref = {ref}, .set = {"main=rougeLsum"}};

    (void)state;
    near(score_number(&scorer_rouge, &t, NULL, "score"), 2.0 / 3);
    t.set[1] = "periods=true";
    near(score_number(&scorer_rouge, &t, NULL, "score"), 1);
    struct rouge *r = rouge_new(0, 1, NULL);
    struct rouge_score s[ROUGE_TYPES];
    rouge_score(r, hyp, ref, s);
    near(s[ROUGE_LSUM].f, 1);
    near(s[ROUGE_L].f, 2.0 / 3);
    rouge_score(r, "b c. a", "a. b c", s); /* part of a word: no sentence end */
    near(s[ROUGE_LSUM].f, 2.0 / 3);
    rouge_free(r);
}

/* One reference is best for ROUGE-1, the other for ROUGE-2. */
static void best_of_each(void **state)
{
    struct scoring t = {.hyp = "a b c d\n",
                        .ref = {"d c b a\n", "a b x y\n"}};

    (void)state;
    near(score_number(&scorer_rouge, &t, "mean_f", "rouge1"), 1);
    near(score_number(&scorer_rouge, &t, "mean_f", "rouge2"), 1.0 / 3);
}

static void means(void **state)
{
    struct scoring t = {.hyp = "a\nb c\n", .ref = {"a\nb x\n"},
                        .set = {"main=rouge1"}};

    (void)state;
    near(score_number(&scorer_rouge, &t, NULL, "score"), 0.75);
}

static void porter(void **state)
{
    static const char *const word[][2] = {
        {"skies", "sky"},   {"dying", "die"},     {"news", "news"},
        {"is", "is"},       {"ties", "tie"},      {"flies", "fli"},
        {"died", "die"},    {"spied", "spi"},     {"agreed", "agre"},
        {"feed", "feed"},   {"hopping", "hop"},   {"falling", "fall"},
        {"filing", "file"}, {"happy", "happi"},   {"enjoy", "enjoy"},
        {"by", "by"},       {"geologi", "geolog"}, {"theologi", "theolog"},
        {"rationally", "ration"}, {"relational", "relat"},
        {"sensibiliti", "sensibl"}, {"adoption", "adopt"},
        {"controll", "control"}, {"yyyy", "yyyi"}, {"ies", "i"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        char s[32];

        snprintf(s, sizeof s, "%s", word[i][0]);
        size_t n = stem_porter(s, strlen(s));
        s[n] = 0;
        if (strcmp(s, word[i][1]))
            fail_msg("%s -> %s, not %s", word[i][0], s, word[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"an n-gram counts as often as in the text where it is rarer", clipped,
         NULL, NULL, NULL},
        {"ROUGE-L is the longest common subsequence", subsequence, NULL, NULL,
         NULL},
        {"ROUGE-Lsum unites subsequences over sentences", united, NULL, NULL,
         NULL},
        {"a period between blanks ends a sentence where it is asked to",
         periods, NULL, NULL, NULL},
        {"no word of a hypothesis is a hit twice", claimed_once, NULL, NULL,
         NULL},
        {"words are a-z and 0-9 of the lower case", words, NULL, NULL, NULL},
        {"only words over three letters are stemmed", stemmed, NULL, NULL,
         NULL},
        {"texts without words score 0", no_words, NULL, NULL, NULL},
        {"each type takes its own best reference", best_of_each, NULL, NULL,
         NULL},
        {"a system's score is the mean over its segments", means, NULL, NULL,
         NULL},
        {"the Porter stemmer is NLTK's", porter, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("rouge", tests, NULL, NULL);
}
