/*
 * bleu: BLEU of detokenised text with all options of sacreBLEU 2.6.0.  White
 * space at the end of a segment is removed; the segment is lowercased (with the
 * option `lowercase`), tokenised, and split at white space.
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

struct options {
    int              tokenize, lowercase, sentence_level;
    struct bleu_form form;
};

static const struct key options[] = {
    {"tokenize", &key_enum, SCORE_AT(tokenize), .initial = "13a",
     .choices = tokenizer_names, .help = "the tokenizer"},
    {"lowercase", &key_bool, SCORE_AT(lowercase), .initial = "false",
     .help = "ignore case"},
    {"smooth_method", &key_enum, SCORE_AT(form.smooth), .initial = "exp",
     .choices = smooth_names,
     .help = "how an order without matches is smoothed"},
    {"smooth_value", &key_real, SCORE_AT(form.value), .high = 1e9,
     .help = "value of floor (default: 0.1) or add-k (1)"},
    {"effective_order", &key_bool, SCORE_AT(form.effective), .initial = "false",
     .help = "skip orders longer than the hypothesis"},
    {"max_ngram_order", &key_int, SCORE_AT(form.orders), .initial = "4",
     .low = 1, .high = BLEU_MOST_ORDERS, .help = "longest n-gram"},
    {"sentence_level", &key_bool, SCORE_AT(sentence_level), .initial = "false",
     .help = "also a score for each segment"},
    {.name = NULL}};

static struct bleu_form form(const struct options *o)
{
    struct bleu_form f = o->form;

    if (isnan(f.value))
        f.value = f.smooth == BLEU_FLOOR ? 0.1 : 1;
    return f;
}

static char *prepare(const struct options *o, const char *line)
{
    struct text t = rule_begin(line, o->lowercase);
    char *tokens = tokenizer(tokenizer_names[o->tokenize])(t.s);

    text_move(&t, &(struct text){.s = tokens, .n = strlen(tokens)});
    return tokenize_words(&t);
}

/* The columns are hyp_words, ref_words, and, for each order, correct and
 * total. */
static int segments(double **stats, size_t *columns,
                    const struct score_input *in)
{
    const struct options *o = score_given(in);
    int orders = o->form.orders;
    OWNED(ngram_free) struct ngrams *g = ngram_new();
    double *x;

    *columns = 2 + 2 * (size_t)orders;
    *stats = x = malloc(in->hyp->n * *columns * sizeof *x);
    for (size_t i = 0; i < in->hyp->n; i++) {
        char *hyp = prepare(o, in->hyp->line[i]), *ref[SCORE_REFS];
        struct bleu_stats b = {.hyp_words = 0};

        for (int k = 0; k < in->refs; k++)
            ref[k] = prepare(o, in->ref[k]->line[i]);
        bleu_add(&b, g, orders, hyp, (const char *const *)ref, in->refs);
        for (int k = 0; k < in->refs; k++)
            free(ref[k]);
        free(hyp);
        *x++ = (double)b.hyp_words;
        *x++ = (double)b.ref_words;
        for (int k = 0; k < orders; k++) {
            *x++ = (double)b.correct[k];
            *x++ = (double)b.total[k];
        }
    }
    return OK;
}

static struct bleu_stats stats_of(const double *x, int orders)
{
    struct bleu_stats b = {.hyp_words = lround(x[0]),
                           .ref_words = lround(x[1])};

    for (int k = 0; k < orders; k++) {
        b.correct[k] = lround(x[2 + 2 * k]);
        b.total[k] = lround(x[3 + 2 * k]);
    }
    return b;
}

static double of_sums(const double *x, const struct score_input *in)
{
    struct bleu_form f = form(score_given(in));
    struct bleu_stats b = stats_of(x, f.orders);

    return bleu_score(&b, &f).score;
}

/* Adds the signature:
 * nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 */
static void add_signature(json_t *out, int refs, const struct options *o,
                          const struct bleu_form *f)
{
    char smooth[64];
    int has_value = f->smooth == BLEU_FLOOR || f->smooth == BLEU_ADD_K;

    snprintf(smooth, sizeof smooth, has_value ? "%s[%.2f]" : "%s",
             smooth_names[f->smooth], f->value);
    result_signature(
        out, "nrefs:%d|case:%s|eff:%s|tok:%s|smooth:%s|version:2.6.0",
        "#:%d|c:%s|e:%s|tok:%s|s:%s|v:2.6.0", refs,
        o->lowercase ? "lc" : "mixed", f->effective ? "yes" : "no",
        tokenizer_names[o->tokenize], smooth);
}

static void add_printed(json_t *out, const struct bleu_stats *b,
                        const struct bleu_score *s, int orders)
{
    OWNED(text_free) struct text line = {0};

    text_format(&line, "BLEU = %.2f", s->score);
    for (int n = 0; n < orders; n++)
        text_format(&line, "%c%.1f", n ? '/' : ' ', s->precision[n]);
    text_format(&line, " (BP = %.3f ratio = %.3f hyp_len = %ld ref_len = %ld)",
                s->brevity, s->ratio, b->hyp_words, b->ref_words);
    result_text(out, "printed", line.s);
}

static int score(json_t *out, const struct score_input *in)
{
    const struct options *o = score_given(in);
    struct bleu_form f = form(o);
    size_t orders = (size_t)f.orders, columns;
    double sum[2 + 2 * BLEU_MOST_ORDERS];
    OWNED(free) double *x = NULL;

    PASS(segments(&x, &columns, in));
    scorer_sum(sum, x, in->hyp->n, columns);
    struct bleu_stats all = stats_of(sum, f.orders);
    struct bleu_score s = bleu_score(&all, &f);
    result_real(out, "score", s.score);
    add_signature(out, in->refs, o, &f);
    add_printed(out, &all, &s, f.orders);
    result_json(out, "precisions", result_reals(s.precision, orders, 1));
    result_real(out, "bp", s.brevity);
    result_real(out, "ratio", s.ratio);
    result_integer(out, "sys_len", all.hyp_words);
    result_integer(out, "ref_len", all.ref_words);
    result_json(out, "counts", result_counts(all.correct, orders));
    result_json(out, "totals", result_counts(all.total, orders));
    if (o->sentence_level)
        result_json(out, "scores", scorer_each(x, columns, of_sums, in));
    return OK;
}

const struct scorer scorer_bleu = {
    .name = "bleu",
    .title = "BLEU",
    .unit = "%",
    SCORE_HAS_OPTIONS,
    .score = score,
    .segments = segments,
    .of_sums = of_sums};
