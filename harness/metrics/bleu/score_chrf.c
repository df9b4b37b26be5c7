/*
 * chrf: chrF and chrF++ (Popovic, WMT 2015 and 2017) as sacreBLEU 2.6.0
 * computes them: n-grams of characters, n = 1 .. char_order, and of words, n =
 * 1 .. word_order, whose outermost punctuation is a word of its own.
 *
 *   P = mean match / hyp, R = mean match / ref, over the orders that both
 *   sides have; F = 100 (1 + b^2) P R / (b^2 P + R)
 *   eps_smoothing: F of each order, 1e-16 for what is undefined, then the mean
 *
 * Of several references a segment's statistics are those of the one with the
 * highest F, the first of equals; corpus statistics are their sums.
 */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/metrics/ngram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHARS = 16, MOST_WORDS = 8, ORDERS = MOST_CHARS + MOST_WORDS };

static const struct score_option options[] = {
    {"char_order", SCORE_INT, "6", NULL, 0, MOST_CHARS, "of characters"},
    {"word_order", SCORE_INT, "0", NULL, 0, MOST_WORDS,
     "of words; 2 makes chrF++"},
    {"beta", SCORE_INT, "2", NULL, 1, 100, "how much recall counts"},
    {"lowercase", SCORE_FLAG, "no", NULL, 0, 0, "ignore case"},
    {"whitespace", SCORE_FLAG, "no", NULL, 0, 0, "white space counts"},
    {"eps_smoothing", SCORE_FLAG, "no", NULL, 0, 0,
     "the mean of each order's F"},
    {"sentence_level", SCORE_FLAG, "no", NULL, 0, 0,
     "a score for each segment, too"},
    {NULL, SCORE_TEXT, NULL, NULL, 0, 0, NULL}};

struct form {
    int    chars, words, orders, lowercase, whitespace, eps;
    double b2; /* beta^2 */
};

struct counts { long of[ORDERS][3]; }; /* hyp, ref, match: first characters */

static struct form form(const struct score_input *in)
{
    double beta = (double)score_int(in, "beta");
    struct form f = {.chars = (int)score_int(in, "char_order"),
                     .words = (int)score_int(in, "word_order"),
                     .lowercase = score_flag(in, "lowercase"),
                     .whitespace = score_flag(in, "whitespace"),
                     .eps = score_flag(in, "eps_smoothing"),
                     .b2 = beta * beta};

    f.orders = f.chars + f.words;
    return f;
}

static double f_score(const struct counts *c, const struct form *f)
{
    const double eps = 1e-16;
    double prec = 0, rec = 0, sum = 0;
    int both = 0;

    for (int i = 0; i < f->orders; i++) {
        double hyp = (double)c->of[i][0], ref = (double)c->of[i][1];
        double match = (double)c->of[i][2];
        double p = hyp > 0 ? match / hyp : eps, r = ref > 0 ? match / ref : eps;
        double below = f->b2 * p + r;

        sum += below > 0 ? (1 + f->b2) * p * r / below : eps;
        if (hyp > 0 && ref > 0) {
            prec += p;
            rec += r;
            both++;
        }
    }
    if (f->eps)
        return f->orders ? 100 * sum / f->orders : 0;
    if (prec + rec == 0)
        return 0;
    prec /= both;
    rec /= both;
    return 100 * (1 + f->b2) * prec * rec / (f->b2 * prec + rec);
}

/* ---- one side of a segment ---- */

struct side {
    struct text chars, words; /* words joined by single blanks */
    size_t     *start, n;     /* [n + 1] offsets in chars      */
};

static int is_punctuation(char c)
{
    return c && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) != NULL;
}

/* One cut: the last sign of a word, or else the first. */
static void add_word(struct text *out, struct slice w)
{
    size_t first = 0;

    text_decode(w.s, 0, w.n, &first);
    text_add(out, " ", out->n > 0);
    if (first == w.n)
        text_add(out, w.s, w.n);
    else if (is_punctuation(w.s[w.n - 1])) {
        text_add(out, w.s, w.n - 1);
        text_add(out, " ", 1);
        text_add(out, w.s + w.n - 1, 1);
    } else if (is_punctuation(w.s[0])) {
        text_add(out, w.s, 1);
        text_add(out, " ", 1);
        text_add(out, w.s + 1, w.n - 1);
    } else
        text_add(out, w.s, w.n);
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

static struct side side_open(const char *line, const struct form *f)
{
    size_t bytes = text_rstrip(line, strlen(line));
    struct side s = {.n = 0};
    struct words w = {0};
    struct text t = {0};

    if (f->lowercase)
        text_lower(&t, line, bytes);
    else
        text_add(&t, line, bytes);
    text_add(&s.chars, "", 0);
    text_add(&s.words, "", 0);
    add_chars(&s, &t, f->whitespace);
    words_split(&w, t.s, t.n);
    for (size_t i = 0; f->words && i < w.n; i++)
        add_word(&s.words, w.word[i]);
    words_free(&w);
    text_free(&t);
    return s;
}

static void side_close(struct side *s)
{
    text_free(&s->chars);
    text_free(&s->words);
    free(s->start);
}

static long add_order(struct ngrams *g, const struct side *s, int i,
                      const struct form *f, enum ngram_side side)
{
    if (i >= f->chars)
        return ngram_add(g, s->words.s, i - f->chars + 1, side);
    return ngram_add_chars(g, s->chars.s, s->start, s->n, i + 1, side);
}

static struct counts compare(struct ngrams *g, const struct side *hyp,
                             const struct side *ref, const struct form *f)
{
    struct counts c = {{{0}}};

    for (int i = 0; i < f->orders; i++) {
        ngram_clear(g);
        c.of[i][0] = add_order(g, hyp, i, f, NGRAM_HYP);
        c.of[i][1] = add_order(g, ref, i, f, NGRAM_REF);
        c.of[i][2] = ngram_matches(g);
        if (!c.of[i][1])
            c.of[i][0] = 0;
    }
    return c;
}

/* ---- a corpus ---- */

static struct counts segment(struct ngrams *g, const struct score_input *in,
                             size_t i, const struct form *f)
{
    struct side hyp = side_open(in->hyp->line[i], f);
    struct counts best = {{{0}}};
    double highest = -1;

    for (int k = 0; k < in->refs; k++) {
        struct side ref = side_open(in->ref[k]->line[i], f);
        struct counts c = compare(g, &hyp, &ref, f);
        double x = f_score(&c, f);

        if (x > highest) {
            highest = x;
            best = c;
        }
        side_close(&ref);
    }
    side_close(&hyp);
    return best;
}

static struct counts *count(const struct score_input *in, const struct form *f)
{
    struct counts *c = malloc(in->hyp->n * sizeof *c);
    struct ngrams *g = ngram_new();

    for (size_t i = 0; i < in->hyp->n; i++)
        c[i] = segment(g, in, i, f);
    ngram_free(g);
    return c;
}

static struct counts sum(const struct counts *c, size_t n, int orders)
{
    struct counts all = {{{0}}};

    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < orders; k++)
            for (int x = 0; x < 3; x++)
                all.of[k][x] += c[i].of[k][x];
    return all;
}

static void add_names(struct result *out, const struct score_input *in,
                      const struct form *f, double score)
{
    char name[32];

    snprintf(name, sizeof name, "chrF%ld%.*s", score_int(in, "beta"), f->words,
             "++++++++");
    result_signature(
        out, "nrefs:%d|case:%s|eff:%s|nc:%d|nw:%d|space:%s|version:2.6.0",
        "#:%d|c:%s|e:%s|nc:%d|nw:%d|s:%s|v:2.6.0", in->refs,
        f->lowercase ? "lc" : "mixed", f->eps ? "no" : "yes", f->chars,
        f->words, f->whitespace ? "yes" : "no");
    result_format(out, "printed", "%s = %.2f", name, score);
    result_text(out, "name", name);
}

static int score(struct result *out, const struct score_input *in)
{
    struct form f = form(in);
    struct counts *each = count(in, &f), all = sum(each, in->hyp->n, f.orders);
    double x = f_score(&all, &f);

    result_real(out, "score", x);
    add_names(out, in, &f, x);
    result_list(out, "hyp_ref_match_per_order");
    for (int k = 0; k < f.orders; k++)
        result_counts(out, NULL, all.of[k], 3);
    result_end(out);
    if (score_flag(in, "sentence_level")) {
        result_list(out, "scores");
        for (size_t i = 0; i < in->hyp->n; i++)
            result_real(out, NULL, f_score(&each[i], &f));
        result_end(out);
    }
    free(each);
    return OK;
}

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    struct form f = form(in);
    struct counts *each = count(in, &f);
    size_t width = 3 * (size_t)f.orders, n = in->hyp->n;
    double *x = malloc((n * width + 1) * sizeof *x);

    *stats = x;
    *columns = width;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++)
            *x++ = (double)each[i].of[k / 3][k % 3];
    free(each);
    return OK;
}

static double of_sums(const double *x, const struct score_input *in)
{
    struct form f = form(in);
    struct counts c = {{{0}}};

    for (int k = 0; k < 3 * f.orders; k++)
        c.of[k / 3][k % 3] = lround(x[k]);
    return f_score(&c, &f);
}

const struct scorer scorer_chrf = {
    .name = "chrf",
    .title = "chrF",
    .unit = "%",
    .better = 1,
    .options = options,
    .score = score,
    .segments = segments,
    .of_sums = of_sums};
