/*
 * chrf: chrF and chrF++ (Popovic, WMT 2015 and 2017) as sacreBLEU 2.6.0
 * computes them, from n-grams of characters, n = 1 .. char_order, and of words,
 * n = 1 .. word_order, where a punctuation mark at the end of a word, or else
 * at its start, is a separate word.  For each order, hyp, ref and match are
 * numbers of n-grams; b is the option `beta`.
 *
 *   P = mean of match / hyp, R = mean of match / ref, over the orders for which
 *   both texts have n-grams; F = 100 (1 + b^2) P R / (b^2 P + R)
 *   With the option eps_smoothing, F is computed for each order (1e-16 if it is
 *   undefined) and averaged over the orders.
 *
 * With several references, a segment uses the statistics of the reference with
 * the highest F, the first one if several are equal.  The statistics of a
 * corpus are the sums over its segments.
 */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/ngram.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHARS = 16, MOST_WORDS = 8, ORDERS = MOST_CHARS + MOST_WORDS };

struct options {
    int chars, words, beta, lowercase, whitespace, eps, sentence_level;
};

static const struct score_option options[] = {
    {"char_order", SCORE_INT, SCORE_AT(chars), "6", .most = MOST_CHARS,
     .doc = "longest n-gram of characters"},
    {"word_order", SCORE_INT, SCORE_AT(words), "0", .most = MOST_WORDS,
     .doc = "longest n-gram of words; 2: chrF++"},
    {"beta", SCORE_INT, SCORE_AT(beta), "2", .least = 1, .most = 100,
     .doc = "weight of recall"},
    {"lowercase", SCORE_FLAG, SCORE_AT(lowercase), "no", .doc = "ignore case"},
    {"whitespace", SCORE_FLAG, SCORE_AT(whitespace), "no",
     .doc = "count white space"},
    {"eps_smoothing", SCORE_FLAG, SCORE_AT(eps), "no",
     .doc = "average the F of all orders"},
    {"sentence_level", SCORE_FLAG, SCORE_AT(sentence_level), "no",
     .doc = "also a score for each segment"},
    {.key = NULL}};

static int orders_of(const struct options *f) { return f->chars + f->words; }

/* Returns F.  `x` (orders,3) holds hyp, ref and match for each order, the
 * orders of characters first. */
static double f_score(const double *x, const struct options *f)
{
    const double eps = 1e-16, b2 = (double)f->beta * f->beta;
    double prec = 0, rec = 0, sum = 0;
    int both = 0;

    for (int i = 0; i < orders_of(f); i++, x += 3) {
        double hyp = x[0], ref = x[1], match = x[2];
        double p = hyp > 0 ? match / hyp : eps, r = ref > 0 ? match / ref : eps;
        double below = b2 * p + r;

        sum += below > 0 ? (1 + b2) * p * r / below : eps;
        if (hyp > 0 && ref > 0) {
            prec += p;
            rec += r;
            both++;
        }
    }
    if (f->eps)
        return orders_of(f) ? 100 * sum / orders_of(f) : 0;
    if (prec + rec == 0)
        return 0;
    prec /= both;
    rec /= both;
    /* The factor 100 comes last, as in sacreBLEU; another order rounds
     * differently. */
    return 100 * ((1 + b2) * prec * rec / (b2 * prec + rec));
}

/* ---- one side of a segment ---- */

struct side {
    struct text chars, words; /* words joined by single blanks */
    size_t     *start, n;     /* start[n + 1]: offsets in chars */
};

/* Adds a word.  If the last character is ASCII punctuation, it becomes a
 * separate word; otherwise, if the first character is ASCII punctuation, it
 * becomes a separate word. */
static void add_word(struct text *out, struct slice w)
{
    size_t first, cut = 0;

    text_decode(w.s, 0, w.n, &first);
    if (first < w.n && ispunct((unsigned char)w.s[w.n - 1]))
        cut = w.n - 1;
    else if (first < w.n && ispunct((unsigned char)w.s[0]))
        cut = 1;
    text_add(out, " ", out->n > 0);
    text_add(out, w.s, cut);
    text_add(out, " ", cut > 0);
    text_add(out, w.s + cut, w.n - cut);
}

static void add_chars(struct side *s, const struct text *t, int whitespace)
{
    s->start = malloc((t->n + 1) * sizeof *s->start);
    for (size_t i = 0, length; i < t->n; i += length) {
        uint32_t c = text_decode(t->s, i, t->n, &length);

        if (!whitespace && text_is_space(c))
            continue;
        s->start[s->n++] = s->chars.n;
        text_add(&s->chars, t->s + i, length);
    }
    s->start[s->n] = s->chars.n;
}

static struct side side_open(const char *line, const struct options *f)
{
    OWNED(text_free) struct text t = rule_begin(line, f->lowercase);
    OWNED(words_free) struct words w = {0};
    struct side s = {.n = 0};

    text_add(&s.chars, "", 0);
    text_add(&s.words, "", 0);
    add_chars(&s, &t, f->whitespace);
    words_split(&w, t.s, t.n);
    for (size_t i = 0; f->words && i < w.n; i++)
        add_word(&s.words, w.word[i]);
    return s;
}

static void side_close(struct side *s)
{
    text_free(&s->chars);
    text_free(&s->words);
    free(s->start);
}

static long add_order(struct ngrams *g, const struct side *s, int i,
                      const struct options *f, enum ngram_side side)
{
    if (i >= f->chars)
        return ngram_add(g, s->words.s, i - f->chars + 1, side);
    return ngram_add_chars(g, s->chars.s, s->start, s->n, i + 1, side);
}

static void compare(double *x, struct ngrams *g, const struct side *hyp,
                    const struct side *ref, const struct options *f)
{
    for (int i = 0; i < orders_of(f); i++, x += 3) {
        ngram_clear(g);
        x[0] = (double)add_order(g, hyp, i, f, NGRAM_HYP);
        x[1] = (double)add_order(g, ref, i, f, NGRAM_REF);
        x[2] = (double)ngram_matches(g);
        if (!(x[1] > 0))
            x[0] = 0;
    }
}

/* ---- the corpus ---- */

static void segment(double *best, struct ngrams *g,
                    const struct score_input *in, size_t i,
                    const struct options *f)
{
    struct side hyp = side_open(in->hyp->line[i], f);
    double highest = -1, x[3 * ORDERS];

    for (int k = 0; k < in->refs; k++) {
        struct side ref = side_open(in->ref[k]->line[i], f);

        compare(x, g, &hyp, &ref, f);
        if (f_score(x, f) > highest) {
            highest = f_score(x, f);
            memcpy(best, x, 3 * (size_t)orders_of(f) * sizeof *x);
        }
        side_close(&ref);
    }
    side_close(&hyp);
}

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    OWNED(ngram_free) struct ngrams *g = ngram_new();
    const struct options *f = score_given(in);

    *columns = 3 * (size_t)orders_of(f);
    *stats = malloc((in->hyp->n * *columns + 1) * sizeof **stats);
    for (size_t i = 0; i < in->hyp->n; i++)
        segment(*stats + i * *columns, g, in, i, f);
    return OK;
}

static double of_sums(const double *x, const struct score_input *in)
{
    return f_score(x, score_given(in));
}

static void add_names(json_t *out, const struct score_input *in,
                      const struct options *f, double score)
{
    char name[32];

    snprintf(name, sizeof name, "chrF%d%.*s", f->beta, f->words,
             "++++++++");
    result_signature(
        out, "nrefs:%d|case:%s|eff:%s|nc:%d|nw:%d|space:%s|version:2.6.0",
        "#:%d|c:%s|e:%s|nc:%d|nw:%d|s:%s|v:2.6.0", in->refs,
        f->lowercase ? "lc" : "mixed", f->eps ? "no" : "yes", f->chars,
        f->words, f->whitespace ? "yes" : "no");
    result_format(out, "printed", "%s = %.2f", name, score);
    result_text(out, "name", name);
}

static int score(json_t *out, const struct score_input *in)
{
    const struct options *f = score_given(in);
    OWNED(free) double *each = NULL;
    double sum[3 * ORDERS];
    json_t *orders = json_array();
    size_t columns;

    PASS(segments(&each, &columns, in));
    scorer_sum(sum, each, in->hyp->n, columns);
    result_real(out, "score", f_score(sum, f));
    add_names(out, in, f, f_score(sum, f));
    for (const double *x = sum; x < sum + columns; x += 3) {
        const long order[] = {lround(x[0]), lround(x[1]), lround(x[2])};

        json_array_append_new(orders, result_counts(order, 3));
    }
    result_json(out, "hyp_ref_match_per_order", orders);
    if (f->sentence_level)
        result_json(out, "scores", scorer_each(each, columns, of_sums, in));
    return OK;
}

const struct scorer scorer_chrf = {
    .name = "chrf",
    .title = "chrF",
    .unit = "%",
    .better = 1,
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = of_sums};
