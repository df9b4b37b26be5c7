#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/ints.h"
#include "harness/metrics/meteor/meteor.h"
#include "harness/verify/metrics/vector_case.h"
#include "tests/support/scoring.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct scorer scorer_meteor;

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

/* ---- normalization ---- */

static void normal(void **state)
{
    static const char *const line[][2] = {
        {"Hello, world.", "Hello , world ."},
        {"It cost 1,234.5 or 3,x", "It cost 1,234.5 or 3 , x"},
        {"a,b,c", "a , b,c"}, /* windows do not overlap */
        {"well-known x-y-z", "well known x y-z"},
        {"don't the 1990's", "don 't the 1990 's"},
        {"the dogs' `x' \u2018y\u2019", "the dogs ' ' x ' ' y '"},
        {"\u201Cq\u201D ''r''", "\" q \" \" r \""},
        {"a \u2013 b -- c", "a - b - c"},
        {"U.S. and e.g. wait... what....", "US and eg wait ... what ...."},
        {"Dr. Who met Mr. X. no. 5 no. five No. 5 No. Five",
         "Dr. Who met Mr . X. no . 5 no. five No. 5 No . Five"},
        {"Mx. X.", "Mx. X ."},
        {"50%", "50 %"},
        {"\u4e2d\u6587", "\u4e2d \u6587"},
        {".", "."},
        {"", ""},
    };
    char list[5][24] = {"# a comment", "", "Dr", "No #NUMERIC_ONLY#",
                        "Mx also one"};
    char *line_of[] = {list[0], list[1], list[2], list[3], list[4]};
    struct lines lines = {.line = line_of, .n = 5};
    struct meteor_prefixes p;

    (void)state;
    meteor_prefixes_read(&p, &lines);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        struct text t = {0};

        meteor_normalise(&t, line[i][0], &p);
        assert_string_equal(t.s, line[i][1]);
        text_free(&t);
    }
    meteor_prefixes_close(&p);
}

/* ---- alignment ---- */

static void aligned(const int *want, int hyps, int refs,
                    const struct meteor_match *match, const int *first)
{
    static const int counts[] = {1, 0, 0, 0};
    struct meteor_candidates c = {hyps, refs, match, first, counts};
    struct arena *scratch = arena_new();
    struct meteor_match best[8];

    meteor_align(best, &c, scratch);
    for (int j = 0; j < refs; j++)
        assert_int_equal(best[j].hyp, want[j]);
    arena_free(scratch);
}

/* "the cat the mat" against "the mat": the second "the" is aligned, because it
 * precedes "mat". */
static void fewest_chunks(void **state)
{
    static const struct meteor_match match[] = {{0, 0}, {2, 0}, {3, 0}};

    (void)state;
    aligned((const int[]){2, 3}, 4, 2, match, (const int[]){0, 2, 3});
}

/* One hypothesis word matches the first reference word by stem and the second
 * exactly. The exact match is used. */
static void exact_first(void **state)
{
    static const struct meteor_match match[] = {{0, 1}, {0, 0}};

    (void)state;
    aligned((const int[]){-1, 0}, 1, 2, match, (const int[]){0, 1, 2});
}

/* ---- alignment by definition ---- */

enum { SIDE = 9, PATHS = 40 };

struct way { int matches, chunks, distance, end, hyp[SIDE]; unsigned used; };
struct ways { struct way way[PATHS * (SIDE + 1)]; int n; };

static int before(const struct way *a, const struct way *b)
{
    if (a->matches != b->matches)
        return a->matches > b->matches;
    if (a->chunks != b->chunks)
        return a->chunks < b->chunks;
    return a->distance < b->distance;
}

/* Inserts a way in order of preference, after equally good ways. */
static void insert(struct ways *l, struct way w)
{
    int i = l->n++;

    for (; i > 0 && before(&w, &l->way[i - 1]); i--)
        l->way[i] = l->way[i - 1];
    l->way[i] = w;
}

static struct way with(struct way w, int j, struct meteor_match m)
{
    w.matches += m.stage == 0; /* only exact matches count */
    w.chunks += w.end >= 0 && w.end != m.hyp;
    w.end = m.hyp + 1;
    w.hyp[j] = m.hyp;
    w.used |= 1u << m.hyp;
    return w;
}

/* Adds to `out` the continuations of the way `w` at reference word j, which has
 * the n matches `m`: one for each match whose hypothesis word is free, and one
 * without a match. The distance of a match that was tried counts for the
 * continuations after it. If `lonely`, the match is unambiguous and always
 * used. */
static void branch(struct ways *out, struct way w, int j,
                   const struct meteor_match *m, int n, int lonely)
{
    if (lonely) {
        w = with(w, j, *m);
        w.distance += abs(j - m->hyp);
        insert(out, w);
        return;
    }
    for (; n > 0; n--, m++)
        if (!(w.used >> m->hyp & 1)) {
            insert(out, with(w, j, *m));
            w.distance += abs(j - m->hyp);
        }
    w.chunks += w.end >= 0;
    w.end = -1;
    insert(out, w);
}

static struct way by_rules(const struct meteor_candidates *c)
{
    static struct ways now, next;
    int uses[SIDE] = {0}, lonely[SIDE];

    for (int k = 0; k < c->first[c->ref_words]; k++)
        uses[c->match[k].hyp]++;
    now = (struct ways){.way = {{.end = -1}}, .n = 1};
    for (int j = 0; j < c->ref_words; j++) {
        const struct meteor_match *m = c->match + c->first[j];

        now.way[0].hyp[j] = -1;
        lonely[j] = c->first[j + 1] - c->first[j] == 1 && uses[m->hyp] == 1;
        if (lonely[j])
            now.way[0].used |= 1u << m->hyp;
    }
    for (int j = 0; j < c->ref_words; j++, now = next) {
        next.n = 0;
        for (int i = 0; i < now.n; i++)
            branch(&next, now.way[i], j, c->match + c->first[j],
                   c->first[j + 1] - c->first[j], lonely[j]);
        next.n = next.n < PATHS ? next.n : PATHS;
    }
    next.n = 0;
    for (int i = 0; i < now.n; i++) {
        now.way[i].chunks += now.way[i].end >= 0;
        insert(&next, now.way[i]);
    }
    return next.way[0];
}

/* Aligns texts over three words, two of which have the same stem. */
static void searched(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 500; k++) {
        struct rng_key key = {.seed = 9, .stream = RNG_TEST, .step = k};
        struct meteor_match match[SIDE * SIDE];
        int first[SIDE + 1], n = 0, want[SIDE];

        for (int j = 0; j < SIDE; j++) {
            int ref = (int)rng_below(key, (uint64_t)j, 3);

            first[j] = n;
            for (int stage = 0; stage < 2; stage++)
                for (int i = 0; i < SIDE; i++) {
                    int hyp = (int)rng_below(key, (uint64_t)(20 + i), 3);

                    if (stage ? hyp + ref == 1 : hyp == ref)
                        match[n++] = (struct meteor_match){i, stage};
                }
        }
        first[SIDE] = n;
        static const int counts[] = {1, 0, 0, 0};
        struct meteor_candidates c = {SIDE, SIDE, match, first, counts};
        struct way best = by_rules(&c);
        struct arena *scratch = arena_new();
        struct meteor_match got[SIDE];
        meteor_align(got, &c, scratch);
        memcpy(want, best.hyp, sizeof want);
        for (int j = 0; j < SIDE; j++)
            assert_int_equal(got[j].hyp, want[j]);
        arena_free(scratch);
    }
}

static void chunks(void **state)
{
    const struct meteor_match m[] = {{0, 0}, {1, 0}, {-1, -1}, {2, 0}, {5, 0},
                                     {4, 0}};

    (void)state;
    assert_int_equal(meteor_chunks(m, 2), 1);
    assert_int_equal(meteor_chunks(m, 6), 4);
    assert_int_equal(meteor_chunks(m + 2, 1), 0);
}

/* ---- WordNet ---- */

static void put(const char *folder, const char *name, const char *text)
{
    char *path = str_format("%s/%s", folder, name);

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    free(path);
}

static char *small_wordnet(void)
{
    char *folder = scratch_make();

    put(folder, "index.noun", "  1 licence\n"
        "dog n 2 1 @ 2 1 00000010 00000020\nhound n 1 1 @ 1 1 00000010\n"
        "goose n 1 0 1 1 00000030\nbus n 1 0 1 1 00000040\n"
        "a n 1 0 1 1 00000080\nglas n 1 0 1 1 00000090\n");
    put(folder, "index.verb", "dog v 1 1 @ 1 1 00000050\n"
        "make v 1 0 1 0 00000060\n");
    put(folder, "index.adj", "fast a 1 0 1 0 00000060\n");
    put(folder, "index.adv", "fast r 1 0 1 0 00000070\n");
    put(folder, "noun.exc", "geese goose\nunknowns unknown\n");
    put(folder, "verb.exc", "made make\n");
    put(folder, "adj.exc", "x fast\n");
    put(folder, "adv.exc", "x dog\n");
    return folder;
}

static void has(const struct wordnet *w, const char *word, const char *want)
{
    struct ints g = {0};
    char got[128] = "";

    wordnet_synsets(&g, w, word, strlen(word));
    for (size_t i = 0; i < g.n; i++) {
        char *s = str_format("%s%d", i ? " " : "", g.v[i]);

        strcat(got, s);
        free(s);
    }
    if (strcmp(got, want))
        fail_msg("%s: '%s', not '%s'", word, got, want);
    ints_free(&g);
}

static void synsets(void **state)
{
    char *folder = small_wordnet();
    struct wordnet *w;

    (void)state;
    assert_int_equal(wordnet_open(&w, folder), OK);
    has(w, "dog", "10 20 50");
    has(w, "dogs", "10 20 50");
    has(w, "dogged", "");
    has(w, "faster", "60 70");
    has(w, "making", "60"); /* the rule -ing to -e */
    has(w, "geese", "30");
    has(w, "x", "10 20 50 60 70");
    has(w, "unknowns", "");
    has(w, "buses", "40");
    has(w, "as", ""); /* words of two letters keep their ending */
    has(w, "a", "80");
    has(w, "glass", "");
    has(w, "ss", "");
    has(w, "", "");
    has(w, "Dog", "");
    assert_int_equal(strlen(wordnet_digest(w)), 8);
    wordnet_close(w);
    scratch_remove(folder);
}

static void damaged_wordnet(void **state)
{
    static const struct { const char *name, *text, *says; } row[] = {
        {"index.adv", "fast r 9 0 1 0 00000070\n", "index.adv:1: not a line"},
        {"index.adv", "  licence\nfast r 1 0\n", "index.adv:2: not a line"},
        {"index.adv", "fast r x 0 1 0 00000070\n", "index.adv:1: not a line"},
        {"index.adv", "fast r 1 0 1 0 0000007x\n",
         "index.adv:1: '0000007x' is not an offset"},
        {"index.adv", "fast r 1 0 1 0 1234567890\n",
         "index.adv:1: '1234567890' is not an offset"},
        {"adv.exc", "x dog\nalone\n", "adv.exc:2: expected a form"},
        {"adv.exc", NULL, "install WordNet 3.0"}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *folder = small_wordnet();
        struct wordnet *w;

        if (row[i].text) {
            put(folder, row[i].name, row[i].text);
        } else {
            char *path = str_format("%s/%s", folder, row[i].name);

            assert_int_equal(unlink(path), 0);
            free(path);
        }
        assert_true(wordnet_open(&w, folder) < 0);
        if (!strstr(err_last(), row[i].says))
            fail_msg("'%s' does not say '%s'", err_last(), row[i].says);
        scratch_remove(folder);
    }
}

/* ---- scores ---- */

#define NO_LISTS "function_words=none", "prefixes=none"

/* There are no function words, so their weight delta cancels. P = 2/3, R = 2/4;
 * there are 2 chunks. */
static void by_hand(void **state)
{
    struct scoring t = {.hyp = "a x b\n", .ref = {"a b y z\n"},
                        .set = {NO_LISTS, "modules=exact"}};
    double f = 1 / (0.15 / (2.0 / 3) + 0.85 / 0.5);

    (void)state;
    near(score_number(&scorer_meteor, &t, NULL, "score"),
         f * (1 - 0.6 * pow(2 / 2.0, 0.2)));
}

/* "the", "cat" and "sat" match, in the chunks "the" and "cat sat", so the
 * fragmentation is 2/3. "the" is a function word: P = (0.75 2 + 0.25) / (0.75 3
 * + 0.25); R has 4 content words instead of 3. */
static void by_function_words(void **state)
{
    char *folder = scratch_make();
    char *option = str_format("function_words=%s/list", folder);
    struct scoring t = {.hyp = "the big cat sat\n",
                        .ref = {"the cat sat down here\n"},
                        .set = {option, "prefixes=none", "modules=exact"}};
    double p = 1.75 / 2.5, r = 1.75 / 3.25;
    double f = 1 / (0.15 / p + 0.85 / r);

    (void)state;
    put(folder, "list", "of\nthe\n");
    near(score_number(&scorer_meteor, &t, NULL, "score"),
         f * (1 - 0.6 * pow(2.0 / 3, 0.2)));
    t.set[3] = "alpha_beta_gamma_delta=0.5,2,0.3,0.75";
    near(score_number(&scorer_meteor, &t, NULL, "score"),
         2 / (1 / p + 1 / r) * (1 - 0.3 * 4 / 9));
    free(option);
    scratch_remove(folder);
}

/* A stem match has weight 0.6 on both sides; it forms one chunk of one word. */
static void by_stem(void **state)
{
    struct scoring t = {.hyp = "runs\n", .ref = {"running\n"},
                        .set = {NO_LISTS, "modules=exact,stem"}};

    (void)state;
    near(score_number(&scorer_meteor, &t, "system", "fmean"), 0.6);
    near(score_number(&scorer_meteor, &t, NULL, "score"), 0.6);
    t.set[2] = "modules=exact";
    near(score_number(&scorer_meteor, &t, NULL, "score"), 0);
}

static void by_synonym(void **state)
{
    char *folder = small_wordnet();
    char *option = str_format("wordnet=%s", folder);
    struct scoring t = {.hyp = "hound\n", .ref = {"dogs\n"},
                        .set = {NO_LISTS, option}};

    (void)state;
    near(score_number(&scorer_meteor, &t, NULL, "score"), 0.8);
    t.hyp = "goose\n";
    t.ref[0] = "bus\n";
    near(score_number(&scorer_meteor, &t, NULL, "score"), 0);
    t.hyp = "bus\n";
    t.ref[0] = "goose\n";
    near(score_number(&scorer_meteor, &t, NULL, "score"), 0);
    free(option);
    scratch_remove(folder);
}

static void system_score(void **state)
{
    struct scoring t = {.hyp = "a b\n\nc\n", .ref = {"a b\nx\nc\n"},
                        .set = {NO_LISTS, "modules=exact"}};

    (void)state; /* perfect segments add no chunks, so there is no penalty */
    near(score_number(&scorer_meteor, &t, NULL, "score"),
         1 / (0.15 + 0.85 / 0.75));
}

/* Scores per segment: a perfect one has no penalty for its single chunk. */
static void segment_scores(void **state)
{
    struct scoring t = {.hyp = "a b\na x\n", .ref = {"a b\na b\n"},
                        .set = {NO_LISTS, "modules=exact"}};
    json_t *r;

    (void)state;
    assert_int_equal(score_texts(&r, &scorer_meteor, &t), OK);
    const json_t *score = json_object_get(
        json_object_get(r, "segments"), "score");
    near(json_number_value(json_array_get(score, 0)), 1);
    near(json_number_value(json_array_get(score, 1)), 0.5 * 0.4);
    json_decref(r);
}

static void best_of_two(void **state)
{
    struct scoring t = {.hyp = "A b\n", .ref = {"x y\n", "a B\n"},
                        .set = {NO_LISTS, "modules=exact"}};

    (void)state;
    near(score_number(&scorer_meteor, &t, NULL, "score"), 1);
    t.set[3] = "normalize=false";
    near(score_number(&scorer_meteor, &t, NULL, "score"), 0);
}

static void refuses(const char *option, int code, const char *what)
{
    struct scoring t = {.hyp = "a\n", .ref = {"a\n"},
                        .set = {NO_LISTS, "modules=exact", option}};
    json_t *r;

    assert_int_equal(score_texts(&r, &scorer_meteor, &t), code);
    if (!strstr(err_last(), what))
        fail_msg("'%s' does not say '%s'", err_last(), what);
}

static void bad_options(void **state)
{
    struct scoring t = {.hyp = "a\n", .ref = {"a\n"}};
    json_t *r;

    (void)state;
    refuses("modules=exact,paraphrase", ERR_USAGE, "paraphrase");
    refuses("modules=exact,exact", ERR_USAGE, "modules");
    refuses("modules=", ERR_USAGE, "at least one stage");
    refuses("modules=exact,,stem", ERR_USAGE, "modules=exact,,stem");
    refuses("weights=one", ERR_USAGE, "expected one number for each");
    refuses("weights=1000000000000000000000000000000000000", ERR_USAGE,
            "expected one number for each");
    refuses("weights=1,0.6", ERR_USAGE, "expected one number for each");
    refuses("alpha_beta_gamma_delta=1,2,3", ERR_USAGE, "four");
    refuses("function_words=/no/such/file", ERR_DATA, "/no/such/file");
    unsetenv("SYNTHBENCH_METRIC_DATA");
    assert_int_equal(score_texts(&r, &scorer_meteor, &t), ERR_DATA);
    assert_non_null(strstr(err_last(), "function_words"));
}

static void signature(void **state)
{
    struct scoring t = {.hyp = "a\n", .ref = {"a\n"},
                        .set = {NO_LISTS, "modules=exact,stem",
                                "normalize=false"}};
    json_t *r;

    (void)state;
    assert_int_equal(score_texts(&r, &scorer_meteor, &t), OK);
    assert_string_equal(result_string(r, "signature"),
                        "nrefs:1|config:meteor-1.5-wo-en-no_norm-0.85_0.2_0.6_"
                        "0.75-ex_st-1.0_0.6|function:none|paraphrases:none");
    json_decref(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"METEOR's normaliser splits and joins as it should", normal, NULL,
         NULL, NULL},
        {"of equal matches the one with fewer chunks is taken", fewest_chunks,
         NULL, NULL, NULL},
        {"an exact match outweighs a stem's", exact_first, NULL, NULL, NULL},
        {"forty paths are followed, more matches, fewer chunks, nearer ones "
         "first", searched, NULL, NULL, NULL},
        {"chunks are runs in both texts", chunks, NULL, NULL, NULL},
        {"WordNet finds words, base forms and exceptions", synsets, NULL, NULL,
         NULL},
        {"a damaged line of WordNet is named", damaged_wordnet, NULL, NULL,
         NULL},
        {"METEOR is its formula", by_hand, NULL, NULL, NULL},
        {"METEOR's penalty has its exponent, function words their weight",
         by_function_words, NULL, NULL, NULL},
        {"a stem's match weighs 0.6", by_stem, NULL, NULL, NULL},
        {"a synonym's match weighs 0.8", by_synonym, NULL, NULL, NULL},
        {"a system's METEOR comes from sums", system_score, NULL, NULL, NULL},
        {"a perfect segment has no penalty, another one of its chunks",
         segment_scores, NULL, NULL, NULL},
        {"the best of several references counts", best_of_two, NULL, NULL,
         NULL},
        {"wrong options and missing lists are named", bad_options, NULL, NULL,
         NULL},
        {"the signature says which data there was", signature, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("meteor", tests, NULL, NULL);
}
