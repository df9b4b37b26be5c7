/* Files, options and results of scorers; pairs of systems. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/bleu/moses.h"
#include "harness/metrics/paired.h"
#include "harness/stats/pcg64.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct scorer scorer_bleu, scorer_bleu_t2t, scorer_bleu_ende_t2t;

#define S(text) ((char[]){text}) /* makes a line that is not const */

static void says(const char *words)
{
    if (!strstr(err_last(), words))
        fail_msg("'%s' lacks '%s'", err_last(), words);
}

static int read_bytes(struct lines *l, const char *bytes, size_t n)
{
    char *folder = scratch_make(), *path = str_format("%s/f.txt", folder);

    assert_int_equal(file_write(path, bytes, n), OK);
    int rc = lines_read(l, path);
    free(path);
    scratch_remove(folder);
    return rc;
}

static void files(void **state)
{
    static const char text[] =
        "\xEF\xBB\xBF" "a\rb\r\n\n\xC2\x85 b\xE2\x80\xA8\nlast";
    static const struct { const char *bytes; size_t n; const char *says; }
    bad[] = {{"a\nb\n\xFF\n", 6, "f.txt:3: byte 0xFF is not UTF-8"},
             {"\xED\xA0\x80\n", 4, "f.txt:1: byte 0xED"}, /* a surrogate */
             {"a\n\xC3", 3, "f.txt:2: byte 0xC3"},
             {"a\0b\n", 4, "f.txt:1: byte 0x00 in a line"},
             {"\xEF\xBB\xBF", 3, "f.txt: the file is empty"},
             {"", 0, "f.txt: the file is empty"}};
    struct lines l;

    (void)state;
    assert_int_equal(read_bytes(&l, text, sizeof text - 1), OK);
    assert_int_equal(l.n, 4);
    assert_string_equal(l.line[0], "a\rb");
    assert_string_equal(l.line[1], "");
    assert_string_equal(l.line[3], "last");
    lines_close(&l);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_bytes(&l, bad[i].bytes, bad[i].n), ERR_DATA);
        says(bad[i].says);
    }
    assert_int_equal(lines_read(&l, "/no/such/file"), ERR_DATA);
    says("/no/such/file: No such file");
}

static void numbers(void **state)
{
    char *text[] = {S("1.5"), S("nan"), S("2,5"), S("")};
    const struct lines l = {.path = S("p.txt"), .line = text, .n = 4};
    double x;
    long n;

    (void)state;
    assert_int_equal(lines_real(&x, &l, 0), OK);
    assert_true(x == 1.5);
    assert_int_equal(lines_integer(&n, &l, 0), ERR_DATA);
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(lines_real(&x, &l, i), ERR_DATA);
    says("p.txt:4: ''");
}

static void keys(void **state)
{
    struct score_options *o = score_options_new(&scorer_bleu);

    (void)state;
    assert_int_equal(score_options_set(o, "tokenize", "zh"), OK);
    assert_int_equal(score_options_set(o, "tokenise", "zh"), ERR_USAGE);
    says("did you mean 'tokenize'?");
    assert_int_equal(score_options_set(o, "tokenize", "ja-mecab"), ERR_USAGE);
    says("one of 13a, intl, none, char, zh");
    assert_int_equal(score_options_set(o, "lowercase", "maybe"), ERR_USAGE);
    assert_int_equal(score_options_set(o, "max_ngram_order", "0"), ERR_USAGE);
    says("1 to 16 are allowed");
    assert_int_equal(score_options_set(o, "max_ngram_order", "2.5"), ERR_USAGE);
    says("a whole number");
    assert_int_equal(score_options_set(o, "smooth_value", "x"), ERR_USAGE);
    score_options_free(o);
}

/* Scores a single segment. */
static json_t *one(const struct scorer *s, const char *hyp,
                          const char *ref)
{
    char *h = str_copy(hyp), *r = str_copy(ref);
    const struct lines hyps = {.path = S("h"), .line = &h, .n = 1};
    const struct lines refs = {.path = S("r"), .line = &r, .n = 1};
    const struct score_input in = {.hyp = &hyps, .ref = {&refs}, .refs = 1};
    json_t *out;

    if (scorer_run(&out, s, &in) < 0)
        fail_msg("%s", err_last());
    free(h);
    free(r);
    return out;
}

static void input(void **state)
{
    char *line[] = {S("a"), S("b")};
    const struct lines two = {.path = S("two"), .line = line, .n = 2};
    const struct lines less = {.path = S("less"), .line = line, .n = 1};
    struct score_input in = {.hyp = &two, .ref = {&less}, .refs = 1};
    json_t *r;

    (void)state;
    assert_int_equal(scorer_run(&r, &scorer_bleu, &in), ERR_DATA);
    says("two has 2 and less has 1; line 2 of two");
    in = (struct score_input){.hyp = &two, .ref = {&two, &two}, .refs = 2};
    assert_int_equal(scorer_run(&r, &scorer_bleu_t2t, &in), ERR_USAGE);
    says("takes one --ref, not 2");
    unsetenv("SYNTHBENCH_METRIC_DATA");
    in.refs = 1;
    assert_int_equal(scorer_run(&r, &scorer_bleu_ende_t2t, &in), ERR_DATA);
    says("-S nonbreaking=DIR");
}

/* Empty texts have scores, and computing them raises no floating-point
 * exception. */
static void nothing(void **state)
{
    static const struct scorer *const all[] = {&scorer_bleu, &scorer_bleu_t2t};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        json_t *r = one(all[i], "", "");

        assert_true(result_number(r, "score") == 0);
        json_decref(r);
    }
}

static void lower(void **state)
{
    struct text t = {0};

    (void)state;
    text_lower(&t, "\xC4\xB0\xE1\xBA\x9E", 5); /* I with dot, capital sharp s */
    assert_string_equal(t.s, "i\xCC\x87\xC3\x9F");
    text_free(&t);
    text_lower(&t, "\xCE\x9F\xCE\xA3 \xCE\xA3\xCE\x9F", 9); /* final sigma */
    assert_string_equal(t.s, "\xCE\xBF\xCF\x82 \xCF\x83\xCE\xBF");
    text_free(&t);
    text_lower(&t, "A\xCE\xA3's A\xCE\xA3' 1\xCD\x85\xCE\xA3", 16);
    assert_string_equal(t.s, "a\xCF\x83's a\xCF\x82' 1\xCD\x85\xCF\x83");
    text_free(&t);
}

static void pairs(void **state)
{
    char *a[] = {S("a b c d e"), S("f g h i j")};
    char *b[] = {S("a b c d x"), S("f g h i j")};
    const struct lines good = {.path = S("a"), .line = a, .n = 2};
    const struct lines worse = {.path = S("b"), .line = b, .n = 2};
    struct score_options *o = score_options_new(&scorer_bleu);
    const struct score_input in[] = {
        {.hyp = &good, .ref = {&good}, .refs = 1, .options = o},
        {.hyp = &worse, .ref = {&good}, .refs = 1, .options = o},
        {.hyp = &good, .ref = {&good}, .refs = 1, .options = o}};
    /* Matches of n-grams of order 1 to 4: 9 of 10, 7 of 8, 5 of 6, 3 of 4. */
    const double score = 100 * pow(0.9 * 7 / 8 * 5 / 6 * 3 / 4, 0.25);
    struct paired p[3];
    struct pcg64 g;

    (void)state;
    assert_int_equal(paired_run(p, &scorer_bleu, in, 3, PAIRED_TEST_AR, 99, 1),
                     OK);
    assert_true(fabs(p[0].score - 100) < 1e-9 && isnan(p[0].p));
    assert_true(fabs(p[1].score - score) < 1e-9);
    assert_int_equal(p[1].extreme, 0); /* one swap: as large, not larger */
    assert_true(p[2].p == 0.01);
    pcg64_seed(&g, 7);
    for (int i = 0; i < 100; i++)
        assert_true(pcg64_below(&g, 1) == 0 && pcg64_below(&g, 3) < 3);
    char *s = paired_signature("nrefs:1|case:lc", PAIRED_TEST_AR, 99, 1);
    assert_string_equal(s, "nrefs:1|ar:99|seed:1|case:lc");
    free(s);
    score_options_free(o);
}

/* Uses a list made for this test, which tests the rules without Moses's own
 * data. */
static void german(void **state)
{
    static const char *const pair[][2] = {
        {"Er kam z.B. am 3. Mai, d.h. am 3.", "Er kam z.B. am 3. Mai , d.h. "
         "am 3 ."},
        {"Dr. Abc ging. Und Foo. kam.", "Dr. Abc ging . Und Foo. kam ."},
        {"1,5 a,b 7, \"x\"...", "1,5 a , b 7 , &quot; x &quot; ..."},
        {"Nr. 5 Nr. X", "Nr. 5 Nr . X"},
        {" \t", " \t"},
        {"geht's [nicht]?", "geht &apos; s &#91; nicht &#93; ?"}};
    char *folder = scratch_make();
    char *path = str_format("%s/nonbreaking_prefix.de", folder);
    static const char list[] = "# a comment\nDr\n3\nNr #NUMERIC_ONLY#\n";
    struct moses *m;

    (void)state;
    assert_int_equal(file_write(path, list, sizeof list - 1), OK);
    assert_int_equal(moses_open(&m, folder, "de"), OK);
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char *got = moses_tokenize(m, pair[i][0], 0);

        assert_string_equal(got, pair[i][1]);
        free(got);
    }
    moses_close(m);
    assert_int_equal(moses_open(&m, folder, "fr"), ERR_DATA);
    char *got = moses_split_compounds("A-B-C -x y- \xC3\xA4-\xC3\xB6-d");
    assert_string_equal(got, "A ##AT##-##AT## B-C -x y- \xC3\xA4 ##AT##-##AT## "
                        "\xC3\xB6 ##AT##-##AT## d");
    free(got);
    free(path);
    scratch_remove(folder);
}

/* Where apostrophes and colons are split, by language; the lists are empty. */
static void languages(void **state)
{
    static const char *const line[][3] = {
        {"en", "Don't say 'x' 1990's",
         "Don &apos;t say &apos; x &apos; 1990 &apos;s"},
        {"fr", "L'ami dit 'x' ici", "L&apos; ami dit &apos; x &apos; ici"},
        {"de", "Hej: EU:n a:b 5:", "Hej : EU : n a : b 5 :"},
        {"fi", "Hej: EU:n a:B 5:", "Hej : EU:n a : B 5 :"},
        {"sv", "Hej: EU:n a:b 5:", "Hej : EU:n a:b 5 :"}};

    (void)state;
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        char *folder = scratch_make();
        char *path = str_format("%s/nonbreaking_prefix.%s", folder, line[i][0]);
        struct moses *m;

        assert_int_equal(file_write(path, "# none\n", 7), OK);
        assert_int_equal(moses_open(&m, folder, line[i][0]), OK);
        char *got = moses_tokenize(m, line[i][1], 0);
        assert_string_equal(got, line[i][2]);
        free(got);
        moses_close(m);
        free(path);
        scratch_remove(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"lines end at LF or CR LF; what is no text is refused by line", files,
         NULL, NULL, NULL},
        {"a value that is no number is refused by line", numbers, NULL, NULL,
         NULL},
        {"unknown options and bad values are refused with what is near", keys,
         NULL, NULL, NULL},
        {"inputs that do not fit the scorer are refused", input, NULL, NULL,
         NULL},
        {"empty segments have a score", nothing, NULL, NULL, NULL},
        {"lower case is Unicode's full mapping", lower, NULL, NULL, NULL},
        {"pairs of systems are compared with the first", pairs, NULL, NULL,
         NULL},
        {"apostrophes and colons are split by their language", languages, NULL,
         NULL, NULL},
        {"Moses's rules hold with a list made up here", german, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}
