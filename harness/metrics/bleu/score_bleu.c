/*
 * bleu: BLEU of detokenised text, all of sacreBLEU 2.6.0's options.  A segment
 * is lowercased (option), stripped at its end, tokenised, cut at white space.
 */
#include "harness/metrics/scorer.h"

#include "harness/base/err.h"
#include "harness/metrics/bleu/bleu.h"
#include "harness/metrics/bleu/tokenize.h"
#include "harness/metrics/ngram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const smooth_names[] = {
    [BLEU_NONE] = "none", [BLEU_FLOOR] = "floor", [BLEU_ADD_K] = "add-k",
    [BLEU_EXP] = "exp", NULL};

static const struct score_option options[] = {
    {"tokenize", SCORE_WORD, "13a", tokenizer_names, 0, 0, "the tokenizer"},
    {"lowercase", SCORE_FLAG, "no", NULL, 0, 0, "ignore case"},
    {"smooth_method", SCORE_WORD, "exp", smooth_names, 0, 0,
     "what becomes of an order without a match"},
    {"smooth_value", SCORE_REAL, NULL, NULL, 0, 1e9,
     "of floor (0.1 if not given) and add-k (1)"},
    {"effective_order", SCORE_FLAG, "no", NULL, 0, 0,
     "leave out the orders that the hypothesis is too short for"},
    {"max_ngram_order", SCORE_INT, "4", NULL, 1, BLEU_MOST_ORDERS, "N"},
    {"sentence_level", SCORE_FLAG, "no", NULL, 0, 0,
     "a score for each segment, too"},
    {NULL, SCORE_TEXT, NULL, NULL, 0, 0, NULL}};

static struct bleu_form form(const struct score_input *in)
{
    struct bleu_form f = {.orders = (int)score_int(in, "max_ngram_order"),
                          .smooth = (enum bleu_smooth)score_index(
                              in, "smooth_method"),
                          .value = score_real(in, "smooth_value"),
                          .effective = score_flag(in, "effective_order")};

    if (isnan(f.value))
        f.value = f.smooth == BLEU_FLOOR ? 0.1 : 1;
    return f;
}

static char *prepare(const struct score_input *in, tokenize *tok,
                     const char *line)
{
    struct text t = {0};
    size_t bytes = strlen(line);

    if (score_flag(in, "lowercase"))
        text_lower(&t, line, bytes);
    else
        text_add(&t, line, bytes);
    t.s[text_rstrip(t.s, t.n)] = 0;
    char *tokens = tok(t.s);
    text_move(&t, &(struct text){.s = tokens, .n = strlen(tokens)});
    return tokenize_words(&t);
}

/* of each segment: hyp->n statistics in fresh memory */
static struct bleu_stats *count(const struct score_input *in, int orders)
{
    tokenize *tok = tokenizer(score_text(in, "tokenize"));
    struct bleu_stats *b = calloc(in->hyp->n, sizeof *b);
    struct ngrams *g = ngram_new();

    for (size_t i = 0; i < in->hyp->n; i++) {
        char *hyp = prepare(in, tok, in->hyp->line[i]), *ref[SCORE_REFS];

        for (int k = 0; k < in->refs; k++)
            ref[k] = prepare(in, tok, in->ref[k]->line[i]);
        bleu_add(&b[i], g, orders, hyp, (const char *const *)ref, in->refs);
        for (int k = 0; k < in->refs; k++)
            free(ref[k]);
        free(hyp);
    }
    ngram_free(g);
    return b;
}

static struct bleu_stats sum(const struct bleu_stats *b, size_t n)
{
    struct bleu_stats all = {.hyp_words = 0};

    for (size_t i = 0; i < n; i++) {
        all.hyp_words += b[i].hyp_words;
        all.ref_words += b[i].ref_words;
        for (int k = 0; k < BLEU_MOST_ORDERS; k++) {
            all.correct[k] += b[i].correct[k];
            all.total[k] += b[i].total[k];
        }
    }
    return all;
}

/* nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 */
static void add_signature(struct result *out, const struct score_input *in,
                          const struct bleu_form *f)
{
    char smooth[64];
    int has_value = f->smooth == BLEU_FLOOR || f->smooth == BLEU_ADD_K;

    snprintf(smooth, sizeof smooth, has_value ? "%s[%.2f]" : "%s",
             smooth_names[f->smooth], f->value);
    result_signature(
        out, "nrefs:%d|case:%s|eff:%s|tok:%s|smooth:%s|version:2.6.0",
        "#:%d|c:%s|e:%s|tok:%s|s:%s|v:2.6.0", in->refs,
        score_flag(in, "lowercase") ? "lc" : "mixed",
        f->effective ? "yes" : "no", score_text(in, "tokenize"), smooth);
}

static void add_printed(struct result *out, const struct bleu_stats *b,
                        const struct bleu_score *s, int orders)
{
    char line[512];
    int at = snprintf(line, sizeof line, "BLEU = %.2f", s->score);

    for (int n = 0; n < orders; n++)
        at += snprintf(line + at, sizeof line - (size_t)at, "%c%.1f",
                       n ? '/' : ' ', s->precision[n]);
    snprintf(line + at, sizeof line - (size_t)at, " (BP = %.3f ratio = %.3f "
             "hyp_len = %ld ref_len = %ld)", s->brevity, s->ratio,
             b->hyp_words, b->ref_words);
    result_text(out, "printed", line);
}

static int score(struct result *out, const struct score_input *in)
{
    struct bleu_form f = form(in);
    struct bleu_stats *each = count(in, f.orders), all = sum(each, in->hyp->n);
    struct bleu_score s = bleu_score(&all, &f);

    result_real(out, "score", s.score);
    add_signature(out, in, &f);
    add_printed(out, &all, &s, f.orders);
    result_reals(out, "precisions", s.precision, (size_t)f.orders);
    result_real(out, "bp", s.brevity);
    result_real(out, "ratio", s.ratio);
    result_count(out, "sys_len", all.hyp_words);
    result_count(out, "ref_len", all.ref_words);
    result_counts(out, "counts", all.correct, (size_t)f.orders);
    result_counts(out, "totals", all.total, (size_t)f.orders);
    if (score_flag(in, "sentence_level")) {
        result_list(out, "scores");
        for (size_t i = 0; i < in->hyp->n; i++)
            result_real(out, NULL, bleu_score(&each[i], &f).score);
        result_end(out);
    }
    free(each);
    return OK;
}

/* ---- resampling: hyp_words, ref_words, then (correct, total) by order ---- */

static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    int orders = (int)score_int(in, "max_ngram_order");
    struct bleu_stats *each = count(in, orders);
    size_t n = in->hyp->n, width = 2 + 2 * (size_t)orders;
    double *x = malloc(n * width * sizeof *x);

    *stats = x;
    *columns = width;
    for (size_t i = 0; i < n; i++) {
        *x++ = (double)each[i].hyp_words;
        *x++ = (double)each[i].ref_words;
        for (int k = 0; k < orders; k++) {
            *x++ = (double)each[i].correct[k];
            *x++ = (double)each[i].total[k];
        }
    }
    free(each);
    return OK;
}

static double of_sums(const double *x, const struct score_input *in)
{
    struct bleu_form f = form(in);
    struct bleu_stats b = {.hyp_words = lround(x[0]),
                           .ref_words = lround(x[1])};

    for (int k = 0; k < f.orders; k++) {
        b.correct[k] = lround(x[2 + 2 * k]);
        b.total[k] = lround(x[3 + 2 * k]);
    }
    return bleu_score(&b, &f).score;
}

const struct scorer scorer_bleu = {
    .name = "bleu",
    .title = "BLEU",
    .unit = "%",
    .better = 1,
    .options = options,
    .score = score,
    .segments = segments,
    .of_sums = of_sums};
