/* The search of TER: each limit and each tie-breaking rule affects some test.
 * Texts long enough for the limits are computed by hand. Short texts over few
 * words are searched by a direct implementation of the rules. */
#include "harness/base/rng.h"
#include "harness/metrics/bleu/ter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

enum { WORDS = 512 };

struct text { int word[WORDS]; size_t n; };

/* Appends the words first, first + 1, ... */
static void put(struct text *t, int first, int n)
{
    for (int i = 0; i < n; i++)
        t->word[t->n++] = first + i;
}

/* Appends n words that occur nowhere else. */
static void junk(struct text *t, int n)
{
    static int next = 100000;

    put(t, next, n);
    next += n;
}

static void edits(const struct text *hyp, const struct text *ref, long want)
{
    long got = ter_edits(hyp->word, hyp->n, ref->word, ref->n);

    if (got != want)
        fail_msg("%ld edits, not %ld", got, want);
}

/* ---- limits, by hand ---- */

/* A block of `block` words follows 40 other words that it should precede.
 * Deleting and inserting it costs 2 `block` edits; moving it takes one shift
 * for every 10 words. */
static void behind(int block, long want)
{
    struct text hyp = {.n = 0}, ref = {.n = 0};

    put(&ref, 1, block);
    put(&ref, 1001, 40);
    put(&hyp, 1001, 40);
    put(&hyp, 1, block);
    edits(&hyp, &ref, want);
}

static void lengths(void **state)
{
    (void)state;
    behind(9, 1);
    behind(10, 1);
    behind(11, 2);
    behind(20, 2);
    behind(21, 3);
}

/* One word follows n others that it should precede. This costs one shift if the
 * distance is at most 50 places, otherwise a deletion and an insertion. */
static void distances(void **state)
{
    (void)state;
    for (int n = 49; n <= 52; n++)
        for (int back = 0; back < 2; back++) {
            struct text a = {.n = 0}, b = {.n = 0};

            put(&a, 1, 1);
            put(&a, 1001, n);
            put(&b, 1001, n);
            put(&b, 1, 1);
            edits(back ? &a : &b, back ? &b : &a, n <= 50 ? 1 : 2);
        }
}

/* There are n words to delete before 100 correct ones, and n to insert after
 * them. This costs 2 n edits if the beam allows the 100 words to be aligned n
 * columns left of the diagonal. Otherwise all words are substituted, and there
 * are so many possible shifts that none is made. */
static void left(int n, long want)
{
    struct text hyp = {.n = 0}, ref = {.n = 0};

    junk(&hyp, n);
    put(&hyp, 1, 100);
    put(&ref, 1, 100);
    junk(&ref, n);
    edits(&hyp, &ref, want);
    edits(&ref, &hyp, n == 25 ? 125 : want); /* reversed, only 24 columns */
}

static void beam(void **state)
{
    (void)state;
    left(24, 48);
    left(25, 50);
    left(26, 126);
}

/* The hypothesis has one word, the reference 100. The beam is ceil(100 / 2 +
 * 25) = 75 around column 100, so the hypothesis word can match reference word
 * 25 but not 24. */
static void beam_of_ratio(void **state)
{
    (void)state;
    for (int at = 22; at <= 26; at++) {
        struct text hyp = {.n = 0}, ref = {.n = 0};

        put(&hyp, 1, 1);
        junk(&ref, at);
        put(&ref, 1, 1);
        junk(&ref, 99 - at);
        edits(&hyp, &ref, at < 24 ? 100 : 99);
    }
}

/* A block of n words follows n + 1 others that it should precede (or, with
 * `turn`, the reverse); 20 correct words come next. Substituting all 2 n + 1
 * words is cheaper than 2 n + 2 deletions and insertions. A part of l words can
 * move to l + 1 places, so there are n (n + 1) (n + 5) / 6 possible shifts. */
static void apart(struct text *hyp, struct text *ref, int n, int turn)
{
    struct text *a = turn ? hyp : ref, *b = turn ? ref : hyp;
    int first = 1000 + 100 * (int)hyp->n;

    put(a, first, n);
    junk(a, n + 1);
    junk(b, n + 1);
    put(b, first, n);
    put(a, first + 50, 20);
    put(b, first + 50, 20);
}

static void blocks(const int *n, int candidates, long want)
{
    struct text hyp = {.n = 0}, ref = {.n = 0};
    int all = 0;

    for (int i = 0; n[i]; i++) {
        apart(&hyp, &ref, n[i], i % 2);
        all += n[i] * (n[i] + 1) * (n[i] + 5) / 6;
    }
    assert_int_equal(all, candidates);
    edits(&hyp, &ref, want);
}

/* The search stops at its 1,000th candidate shift and then makes none: 106
 * words are wrong. With 999 candidates, it makes the first shift, of 10 words,
 * after which 80 of 90 wrong words remain; the next search exceeds the limit.
 * With two blocks of 10 words and one of 5, it tries 600, 325 and 50 candidates
 * and makes all three shifts, which leave 11 + 11 + 6 wrong words. */
static void candidates(void **state)
{
    (void)state;
    blocks((const int[]){10, 6, 10, 5, 10, 4, 3, 1, 0}, 1000, 106);
    blocks((const int[]){10, 8, 10, 3, 10, 1, 0}, 999, 1 + 80);
    blocks((const int[]){10, 5, 10, 0}, 600, 3 + 28);
}

/* ---- direct implementation of the rules ---- */

enum { MOST = 40, FAR = 1 << 20 };

struct table { int cost[MOST + 1][MOST + 1]; char how[MOST + 1][MOST + 1]; };

/* Computes the Levenshtein distance. If paths are equally cheap, prefers
 * the diagonal, then deletion of a word of h, then insertion of a word of r.
 * Texts must be shorter than the beam. */
static int levenshtein(struct table *t, const int *h, int n, const int *r,
                       int m)
{
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            int *c = &t->cost[i][j];

            *c = i || j ? FAR : 0;
            t->how[i][j] = 0;
            if (i && j) {
                int same = h[i - 1] == r[j - 1];

                *c = t->cost[i - 1][j - 1] + !same;
                t->how[i][j] = same ? '=' : 's';
            }
            if (i && t->cost[i - 1][j] + 1 < *c) {
                *c = t->cost[i - 1][j] + 1;
                t->how[i][j] = 'd';
            }
            if (j && t->cost[i][j - 1] + 1 < *c) {
                *c = t->cost[i][j - 1] + 1;
                t->how[i][j] = 'i';
            }
        }
    return t->cost[n][m];
}

struct trace { int align[MOST], wrong_h[MOST], wrong_r[MOST]; };

static void follow(struct trace *out, const struct table *t, int i, int j)
{
    while (i || j) {
        char how = t->how[i][j];

        if (how == 'd') {
            out->wrong_h[--i] = 1;
        } else if (how == 'i') {
            out->align[--j] = i - 1;
            out->wrong_r[j] = 1;
        } else {
            out->align[--j] = --i;
            out->wrong_h[i] = out->wrong_r[j] = how == 's';
        }
    }
}

/* Moves h[s, s + l) before `target`, a position of h. If `target` is within the
 * block or at its end, the block moves l words further on. */
static void shifted(int *out, const int *h, int n, int s, int l, int target)
{
    int rest[MOST], k = 0, at;

    for (int i = 0; i < n; i++)
        if (i < s || i >= s + l)
            rest[k++] = h[i];
    at = target <= s - 1 ? target : target > s + l ? target - l : target;
    at = at < k ? at : k;
    memcpy(out, rest, (size_t)at * sizeof *out);
    memcpy(out + at, h + s, (size_t)l * sizeof *out);
    memcpy(out + at + l, rest + at, (size_t)(k - at) * sizeof *out);
}

static int any(const int *x, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum > 0;
}

struct best { int key[4], word[MOST]; };

/* Keeps the candidate if it is better: larger gain, then longer block, then
 * earlier start, then nearer target. */
static void consider(struct best *b, const int key[4], const int *word, int n)
{
    int k = 0;

    while (k < 3 && key[k] == b->key[k])
        k++;
    if (key[k] <= b->key[k])
        return;
    memcpy(b->key, key, sizeof b->key);
    memcpy(b->word, word, (size_t)n * sizeof *word);
}

static void look(struct best *b, const struct trace *t, const int *h, int n,
                 const int *r, int m, int now)
{
    static struct table other;

    for (int s = 0; s < n; s++)
        for (int f = 0; f < m; f++)
            for (int l = 1; l <= 10 && s + l <= n && f + l <= m &&
                            h[s + l - 1] == r[f + l - 1]; l++) {
                int inside = t->align[f] >= s && t->align[f] < s + l;

                if (inside || !any(t->wrong_h + s, l) ||
                    !any(t->wrong_r + f, l))
                    continue;
                for (int k = f - 1; k < f + l; k++) {
                    int to = k < 0 ? 0 : t->align[k] + 1, word[MOST];

                    shifted(word, h, n, s, l, to);
                    int gain = now - levenshtein(&other, word, n, r, m);
                    consider(b, (const int[]){gain, l, -s, -to}, word, n);
                }
            }
}

static long plainly(const int *hyp, int n, const int *r, int m)
{
    static struct table t;
    int h[MOST];

    memcpy(h, hyp, (size_t)n * sizeof *h);
    for (long shifts = 0;; shifts++) {
        int now = levenshtein(&t, h, n, r, m);
        struct trace of;
        struct best b = {.key = {0, FAR}};

        memset(&of, 0, sizeof of);
        follow(&of, &t, n, m);
        look(&b, &of, h, n, r, m, now);
        if (b.key[0] <= 0)
            return shifts + now;
        memcpy(h, b.word, (size_t)n * sizeof *h);
    }
}

/* Searches texts over few words, so that ties are frequent. */
static void searches(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 3000; k++) {
        struct rng_key key = {.seed = 6, .stream = RNG_TEST, .step = k};
        int n = 1 + (int)rng_below(key, 0, 12), h[MOST];
        int m = 1 + (int)rng_below(key, 1, 12), r[MOST];
        uint32_t kinds = 2 + rng_below(key, 2, 7);

        for (int i = 0; i < n; i++)
            h[i] = (int)rng_below(key, (uint64_t)(10 + i), kinds);
        for (int i = 0; i < m; i++)
            r[i] = (int)rng_below(key, (uint64_t)(60 + i), kinds);
        long want = plainly(h, n, r, m);
        long got = ter_edits(h, (size_t)n, r, (size_t)m);
        if (got != want)
            fail_msg("text %u: %ld edits, not %ld", k, got, want);
    }
}

/* ---- words ---- */

/* The expected words are those of the tokenizer's regular expressions in
 * Python. */
static void normalized(void **state)
{
    static const char *const lines[][2] = {
        {"It's Jim's, \"isn't\" it?", "it 's jim's , \" isn't \" it ?"},
        {"a.b 1.5,2 x,3 4.", "a . b 1.5,2 x , 3 4 ."},
        {"..., a..b", ". . . , a . . b"},
        {"5-6 a-b --7", "5 - 6 a-b --7"},
        {"'s's 's ''s", "'s 's 's ' 's"},
        {"&amp;lt;&quot;&gt;", "< \" >"},
        {"[a_b]^{c}~`d|e\\f", "[ a _ b ] ^ { c } ~ ` d | e \\ f"},
        {"3's. s's's 1,000.-9", "3's . s's 's 1,000 . -9"},
        {"\xCE\x91\xCE\xA3's \xCE\x91\xCE\xA3.",
         "\xCE\xB1\xCF\x83 's \xCE\xB1\xCF\x82 ."},
        {"a\xC2\xA0" "b\xE2\x80\x83" "c\xE2\x80\x99s\xE3\x80\x80",
         "a b c\xE2\x80\x99s"},
    };
    const struct ter_form f = {.normalized = 1};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *words = ter_tokenize(lines[i][0], &f);

        assert_string_equal(words, lines[i][1]);
        free(words);
    }
}

int main(void)
{
    const struct CMUnitTest ter[] = {
        {"a shift takes 10 words at most", lengths, NULL, NULL, NULL},
        {"a shift goes over 50 places at most", distances, NULL, NULL, NULL},
        {"the beam is 25 columns to the left of the diagonal, 24 to the right",
         beam, NULL, NULL, NULL},
        {"the beam grows with the ratio of lengths", beam_of_ratio, NULL, NULL,
         NULL},
        {"1,000 shifts are tried in all, and the last is not made", candidates,
         NULL, NULL, NULL},
        {"ties go to gain, length, start and target, as the rules say",
         searches, NULL, NULL, NULL},
        {"normalized words are those of the tokenizer in Python", normalized,
         NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("ter", ter, NULL, NULL);
}
