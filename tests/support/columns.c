#include "tests/support/columns.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "tests/support/distinct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct expected two[] = {
#define PARAMS "params", "parameters", "1", 0, 0, NULL
#define CE "CE", "token cross-entropy", "nats/token", -1, 3
#define HITS "tok.acc", "token accuracy", "%", 1, 1
    {"wmt14_ende", "params", "WMT En-De", PARAMS, "T2", "WMT |theta|"},
    {"wmt14_ende", "ce", "WMT En-De", CE, "bleu", NULL, NULL},
    {"wmt14_ende", "token_accuracy", "WMT En-De", HITS, "bleu", NULL, NULL},
    {"wmt14_ende", "bleu", "WMT En-De", "BLEU", "sacreBLEU", "%", 1, 2, "bleu",
     "T2", "EnDe BLEU"},
    {"wmt14_enfr", "params", "WMT En-Fr", PARAMS, NULL, NULL},
    {"wmt14_enfr", "ce", "WMT En-Fr", CE, "bleu", NULL, NULL},
    {"wmt14_enfr", "token_accuracy", "WMT En-Fr", HITS, "bleu", NULL, NULL},
    {"wmt14_enfr", "bleu", "WMT En-Fr", "BLEU", "sacreBLEU", "%", 1, 2, "bleu",
     "T2", "EnFr BLEU"},
    {"lm1b", "params", "LM1B", PARAMS, "T2", "LM1B |theta|"},
    {"lm1b", "ppl_word", "LM1B", "PPL/w", "perplexity per word", "1", -1, 1,
     "ppl", NULL, NULL},
    {"lm1b", "ppl", "LM1B", "PPL", "perplexity per subword", "1", -1, 2, "ppl",
     "T2", "LM1B PPL"},
    {"agnews", "params", "AGNews", PARAMS, NULL, NULL},
    {"agnews", "accuracy", "AGNews", "acc", "accuracy", "%", 1, 2, "accuracy",
     "T7 encoder-only", "AGNews acc"},
    {0}
}, three[] = {
#define NEWS "CNN/DailyMail (SYNTHETIC)"
#define CHAT "PersonaChat (SUBSET)"
#define OF_NEWS(metric, short, long) \
    {"cnndm", metric, NEWS, short, long, "%", 1, 2, metric, \
     "T3 CNN/DailyMail", long}
#define OF_CHAT(metric, short, long) \
    {"personachat", metric, CHAT, short, long, "%", 1, 2, metric, \
     "T3 PersonaChat", long}
    {"cnndm", "ce", NEWS, CE, "rouge_lsum", NULL, NULL},
    OF_NEWS("rouge1", "R-1", "ROUGE-1"), OF_NEWS("rouge2", "R-2", "ROUGE-2"),
    {"cnndm", "rouge_lsum", NEWS, "R-L", "ROUGE-L of sentences", "%", 1, 2,
     "rouge_lsum", "T3 CNN/DailyMail", "ROUGE-L"},
    {"personachat", "ce", CHAT, CE, "nlg_bleu1", NULL, NULL},
    OF_CHAT("nlg_bleu1", "BLEU-1", "BLEU-1"),
    OF_CHAT("nlg_bleu4", "BLEU-4", "BLEU-4"),
    OF_CHAT("nlg_rouge_l", "R-L", "ROUGE-L"),
    OF_CHAT("meteor", "METEOR", "METEOR"), OF_CHAT("nlg_cider", "CIDEr",
                                                   "CIDEr"),
    {0}
}, four[] = {
    {"c4", "params", "C4", PARAMS, "T4 C4", "|theta|"},
    {"c4", "ce", "C4", "log-PPL", "log-perplexity", "nats/token", -1, 3, NULL,
     "T4 C4", "log PPL"},
    {"c4", "token_accuracy", "C4", HITS, NULL, NULL, NULL},
    {0}
}, five[] = {
#define OF_GLUE(metric, short, long, printed) \
    {"glue", metric, "GLUE", short, long, "%", 1, 1, metric, "T5 GLUE", printed}
    OF_GLUE("glue8", "avg 8", "mean of eight tasks, without WNLI", "GLUE avg"),
    OF_GLUE("glue9", "avg 9", "mean of nine tasks", NULL),
    OF_GLUE("cola_mcc", "CoLA", "CoLA Matthews correlation", "CoLA (Matthews)"),
    OF_GLUE("sst2_accuracy", "SST-2", "SST-2 accuracy", "SST-2 acc"),
    OF_GLUE("mrpc_f1", "MRPC F1", "MRPC F1", "MRPC F1/acc"),
    OF_GLUE("mrpc_accuracy", "MRPC acc", "MRPC accuracy", "/MRPC F1/acc"),
    OF_GLUE("stsb_pearson", "STS-B r", "STS-B Pearson correlation",
            "STS-B pearson/spearman"),
    OF_GLUE("stsb_spearman", "STS-B rho", "STS-B Spearman correlation",
            "/STS-B pearson/spearman"),
    /* the paper has another label */
    OF_GLUE("qqp_f1", "QQP F1", "QQP F1", "QQP acc/F1"),
    OF_GLUE("qqp_accuracy", "QQP acc", "QQP accuracy", "/QQP acc/F1"),
    OF_GLUE("mnli_accuracy_matched", "MNLI m", "MNLI accuracy, matched",
            "MNLI m/mm"),
    OF_GLUE("mnli_accuracy_mismatched", "MNLI mm", "MNLI accuracy, mismatched",
            "/MNLI m/mm"),
    OF_GLUE("qnli_accuracy", "QNLI", "QNLI accuracy", "QNLI acc"),
    OF_GLUE("rte_accuracy", "RTE", "RTE accuracy", "RTE acc"),
    OF_GLUE("wnli_accuracy", "WNLI", "WNLI accuracy", NULL),
    {0}
}, six[] = {
#define OF_SUPER(metric, short, long, printed) \
    {"superglue", metric, "SuperGLUE", short, long, "%", 1, 1, metric, \
     "T6 SuperGLUE", printed}
    OF_SUPER("superglue", "avg", "mean of eight tasks", "SuperGLUE avg"),
    OF_SUPER("boolq_accuracy", "BoolQ", "BoolQ accuracy", "BoolQ acc"),
    OF_SUPER("cb_f1", "CB F1", "CB macro F1", "CB F1/acc"),
    OF_SUPER("cb_accuracy", "CB acc", "CB accuracy", "/CB F1/acc"),
    OF_SUPER("copa_accuracy", "COPA", "COPA accuracy", "COPA acc"),
    OF_SUPER("multirc_f1_a", "MultiRC F1a", "MultiRC F1 of answers",
             "MultiRC F1a/EM"),
    OF_SUPER("multirc_exact_match", "MultiRC EM", "MultiRC exact match",
             "/MultiRC F1a/EM"),
    OF_SUPER("record_f1", "ReCoRD F1", "ReCoRD token F1", "ReCoRD F1/EM"),
    OF_SUPER("record_exact_match", "ReCoRD EM", "ReCoRD exact match",
             "/ReCoRD F1/EM"),
    OF_SUPER("rte_accuracy", "RTE", "RTE accuracy", "RTE acc"),
    OF_SUPER("wic_accuracy", "WiC", "WiC accuracy", "WiC acc"),
    OF_SUPER("wsc_accuracy", "WSC", "WSC accuracy", "WSC acc"),
    {0}
}, seven[] = {
#define ACCURACY "acc", "accuracy", "%", 1, 2, "accuracy", "T7 encoder-only"
    {"agnews", "params", "AGNews", PARAMS, NULL, NULL},
    {"agnews", "accuracy", "AGNews", ACCURACY, "AGNews acc"},
    {"imdb", "params", "Movie reviews", PARAMS, NULL, NULL},
    {"imdb", "accuracy", "Movie reviews", ACCURACY, "Movie reviews (IMDb) acc"},
    {0}
};

const struct expected *const column_tables[8] = {[2] = two, three, four, five,
                                               six, seven};

/* Names of the variants in the paper; those of Table 4 come first. */
static const struct { const char *table, *printed, *variant; } names[] = {
    {"T4", "Synthesizer (Dense)", "dense-mtf"},
    {"T4", "Synthesizer (Dense + Vanilla)", "dense-mtf+vanilla"},
    {"T4", "Dynamic Convolution", "dynamic-conv-mtf"},
    {"T4", "Lightweight Convolution", "lightweight-conv-mtf"},
    {"T", "Transformer", "vanilla"}, {"T", "T5 (Base)", "vanilla"},
    {"T", "Synthesizer (Fixed Random)", "fixed-random"},
    {"T", "Synthesizer (Random)", "random"},
    {"T", "Synthesizer (Factorized Random)", "factorized-random"},
    {"T", "Synthesizer (Dense)", "dense"},
    {"T", "Synthesizer (Factorized Dense)", "factorized-dense"},
    {"T", "Synthesizer (Random + Dense)", "random+dense"},
    {"T", "Synthesizer (Dense + Vanilla)", "dense+vanilla"},
    {"T", "Synthesizer (Random + Vanilla)", "random+vanilla"},
    {"T", "Synthesizer (R)", "random"}, {"T", "Synthesizer (D)", "dense"},
    {"T", "Synthesizer (D+V)", "dense+vanilla"},
    {"T", "Synthesizer (R+V)", "random+vanilla"},
    {"T", "Synthesizer (FR)", "factorized-random"},
    {"T", "Synthesizer (FR+V)", "factorized-random+vanilla"},
    {"T", "Linformer", "linformer"}};


/* ---- published values ---- */

struct line { char field[8][512]; };

static double printed_number(const char *s, int part)
{
    char *end;

    if (part)
        s = strchr(s, '/') + 1;
    double x = strtod(s, &end);

    return *end == 'M' ? 1e6 * x : *end == 'K' ? 1e3 * x : x;
}

static const char *variant_named(const char *table, const char *printed)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].printed, printed) &&
            !strncmp(names[i].table, table, strlen(names[i].table)))
            return names[i].variant;
    return "";
}

static int is_second(const struct expected *c) { return *c->printed == '/'; }

/* Splits the line at s into fields. Returns the text after the line. */
static const char *read_line(struct line *l, const char *s)
{
    for (int i = 0; *s != '\n'; i += *s == '\t', s += *s == '\t') {
        int n = (int)strcspn(s, "\t\n");

        snprintf(l->field[i], sizeof *l->field, "%.*s", n, s);
        s += n;
    }
    return s + 1;
}

/* Returns the rank of the line's confidence, from 1. The file has no other
 * confidence levels. */
static int confidence(const struct line *l)
{
    static const char *const name[] = {"wrong", "low", "medium", "medium-high",
                                       "high"};
    int i = 0;

    while (strcmp(l->field[6], name[i]))
        i++;
    return i + 1;
}

/* Returns all lines that are not empty, then one without fields. */
static const struct line *read_published(void)
{
    char *text;
    struct line *all = NULL;
    size_t n = 0;

    REQUIRE(file_read(&text, NULL, "experiments/published.tsv") == OK, "%s",
            err_last());
    for (const char *s = text; *s;) {
        all = realloc(all, (n + 2) * sizeof *all);
        memset(all + n, 0, 2 * sizeof *all);
        s = read_line(&all[n], s);
        n += *all[n].field[0] != 0;
    }
    free(text);
    return all;
}

static int is_about(const struct line *l, const struct expected *c,
                    const char *variant)
{
    return !strcmp(l->field[0], c->table) &&
           !strcmp(l->field[2], c->printed + is_second(c)) &&
           !strcmp(variant_named(l->field[0], l->field[1]), variant);
}

/* Fills in the published value. Uses the source with the highest confidence, or
 * the first of several. Lists the sources that agree with this value, and sets
 * `disputed` if another one disagrees. A synthetic column has no published
 * value. */
static void put_published(struct shown *e, const struct expected *c,
                          const char *variant)
{
    static const struct line *all;
    int best = 0;

    e->published = NAN;
    if (!all)
        all = read_published();
    if (!c->printed || strstr(c->group, "SYNTHETIC"))
        return;
    for (const struct line *l = all; *l->field[0]; l++)
        if (is_about(l, c, variant) && confidence(l) > best) {
            best = confidence(l);
            e->published = printed_number(l->field[4], is_second(c));
        }
    for (const struct line *l = all; *l->field[0]; l++)
        if (!is_about(l, c, variant))
            continue;
        else if (printed_number(l->field[4], is_second(c)) == e->published)
            snprintf(e->source + strlen(e->source),
                     sizeof e->source - strlen(e->source), "%s%s",
                     *e->source ? "; " : "", l->field[5]);
        else
            e->disputed = 1;
}

/* ---- measured values ---- */

/* The half-width of a confidence interval over seeds: the 95 % quantile of
 * Student's t with 5 degrees of freedom, times the standard deviation of 1 to
 * 6, sqrt(17.5 / 5), over sqrt(6). */
static const double HALF =
    2.5705818356363146 * 1.8708286933869707 / 2.449489742783178;

/* Returns the value for seed k or, if k is 3.5, the mean over the seeds 1 to 6,
 * as all values are linear in k. The values of model-free baselines are those
 * in the first cell. As stored by distinct.c, each text has twice as many words
 * as tokens, and each example of imdb has a different label, so the majority
 * class has one example. */
static double measured(const struct expected *c, const char *variant, double k)
{
    int r = distinct_row_of(variant), t = distinct_task_of(c->task);
    double unigram = distinct_unigram(t, 0, 1);

    if (!strcmp(variant, "unigram"))
        return !strcmp(c->metric, "ce")         ? unigram
               : !strcmp(c->metric, "ppl")      ? exp(unigram)
               : !strcmp(c->metric, "ppl_word") ? exp(unigram / 2)
                                                : NAN;
    if (!strcmp(variant, "majority"))
        return !strcmp(c->task, "imdb") && c->better
                   ? 100.0 / distinct_examples(t)
                   : NAN;
    if (r < 0)
        return NAN;
    if (!strcmp(c->metric, "params"))
        return distinct_params(t, r);
    return distinct_value(distinct_metric_of(c->task, c->metric), r, k);
}

/* Returns the rank of x, 1 for the best; ties share the mean of their ranks. */
static double rank_of(const struct expected *c, double x, const double *all,
                      int n)
{
    double before = 1, same = -1;

    for (int i = 0; i < n; i++) {
        before += c->better > 0 ? all[i] > x : all[i] < x;
        same += all[i] == x;
    }
    return isnan(x) || !c->better ? NAN : before + same / 2;
}

/* Returns 1 if none of the n variants `rows` beats the better model-free
 * baseline at the 95 % level. */
static int is_uninformative(const struct expected *c, const char *const *rows,
                            int n)
{
    static const char *const references[] = {"unigram", "majority"};
    double blind = NAN;
    int found = 0;

    for (int i = 0; i < 2 && c->better; i++) {
        double x = measured(c, references[i], 3.5);

        if (!isnan(x))
            blind = isnan(blind) || c->better * (x - blind) > 0 ? x : blind;
    }
    for (int i = 0; i < n && !isnan(blind); i++) {
        double x = measured(c, rows[i], 3.5);
        double half = HALF * (measured(c, rows[i], 4.5) - x);

        if (distinct_row_of(rows[i]) < 0)
            continue;
        if (c->better * (x - blind) - half > 0)
            return 0;
        found = 1;
    }
    return found;
}

struct shown column_shows(const struct expected *c, const char *variant,
                          const char *const *rows, int n)
{
    struct shown e = {.value = measured(c, variant, 3.5), .low = NAN,
                      .high = NAN, .rank = NAN, .rank_published = NAN};
    double step = measured(c, variant, 4.5) - e.value;
    double ours[COLUMN_ROWS], theirs[COLUMN_ROWS];
    int r = distinct_row_of(variant), blind = strcmp(c->task, "agnews") &&
                                              strcmp(c->task, "imdb");

    put_published(&e, c, variant);
    for (int i = 0; i < n; i++) {
        struct shown other = {.value = 0};

        put_published(&other, c, rows[i]);
        theirs[i] = other.published;
        ours[i] = measured(c, rows[i], 3.5);
    }
    e.rank_published = rank_of(c, e.published, theirs, n);
    e.n = r < 0 ? !isnan(e.value) : DISTINCT_SEEDS;
    e.uninformative = is_uninformative(c, rows, n);
    if (r < 0 || !c->better)
        return e;
    e.low = e.value - HALF * step;
    e.high = e.value + HALF * step;
    if (!e.uninformative)
        e.rank = rank_of(c, e.value, ours, n);
    e.best = e.rank == 1;
    if (blind)
        e.worse_than_blind = distinct_task_of(c->task) % 2
                                 ? DISTINCT_SEEDS - r - 1 : r + 1;
    return e;
}
