/* Figures that compare variants. Their data must equal values that the test
 * reads from the cells (report_fixture.h). */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/report/evidence.h"
#include "harness/report/table.h"
#include "harness/store/cell.h"
#include "plots/figure.h"
#include "tests/support/report_fixture.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct figure figure_forest, figure_published,
    figure_attention, figure_sentence, figure_logit_change;

enum { FIELDS = 16 };

/* A store, and the files of a figure. */
struct drawn {
    char          *store;
    struct report *report;
    char          *tsv, *words, *line; /* line: the current line */
    char          *field[FIELDS];
};

static void drawn_open(struct drawn *d, const struct fixture *f)
{
    *d = (struct drawn){.store = fixture_store(f)};
    assert_int_equal(report_open(&d->report, d->store), OK);
}

static void drawn_close(struct drawn *d)
{
    free(d->tsv);
    free(d->words);
    report_close(d->report);
    scratch_remove(d->store);
}

static void contents(char **out, const struct drawn *d, const char *name)
{
    char *path = str_format("%s/%s", d->store, name);

    free(*out);
    if (file_read(out, NULL, path) < 0)
        fail_msg("%s", err_last());
    free(path);
}

/* Draws the figure and reads the files of picture `name`. */
static void draw_figure(struct drawn *d, const struct figure *f,
                        const char *name)
{
    char *tsv = str_format("%s.tsv", name), *txt = str_format("%s.txt", name);

    if (figure_render(f, d->report, OUTPUT(d->store)) < 0)
        fail_msg("%s", err_last());
    contents(&d->tsv, d, tsv);
    contents(&d->words, d, txt);
    d->line = strchr(d->tsv, '\n') + 1;
    free(tsv);
    free(txt);
}

/* Splits the next non-empty line into its fields. Returns 0 at the end. */
static int next(struct drawn *d)
{
    d->line += strspn(d->line, "\n");
    if (!*d->line)
        return 0;
    for (int i = 0; i < FIELDS; i++) {
        d->field[i] = d->line;
        d->line += strcspn(d->line, "\t\n");
        char end = *d->line;
        *d->line++ = '\0';
        if (end == '\n')
            return i + 1;
    }
    fail_msg("a line of more than %d fields", FIELDS);
    return 0;
}

static double number(const struct drawn *d, int field)
{
    return strtod(d->field[field], NULL);
}

static void near(const char *what, double is, double want)
{
    if (!(fabs(is - want) <= 1e-7 * fmax(1, fabs(want))))
        fail_msg("%s is %.9g, not %.9g", what, is, want);
}

/* Returns the mean over the finished cells of a variant. */
static double mean(const struct drawn *d, const char *variant, const char *task,
                   const char *metric)
{
    double sum = 0;
    int n = 0;

    for (int i = 0; i < d->report->n; i++) {
        const struct report_cell *c = &d->report->cell[i];
        struct cell_reader *cell;
        double x;

        if (c->state != CELL_DONE || strcmp(c->variant, variant) ||
            strcmp(c->task, task))
            continue;
        assert_int_equal(cell_open(&cell, d->report->store, c->id), OK);
        assert_int_equal(cell_get_metric(cell, metric, &x), OK);
        cell_close(cell);
        sum += x;
        n++;
    }
    return sum / n;
}

static const struct fixture small = {.seeds = 2, .variants = 5, .examples = 30};

/* ---- forest ---- */

static const char *verdict_by(const struct drawn *d, int better)
{
    double low = better * number(d, 6), high = better * number(d, 7);

    return fmin(low, high) > 0   ? "better"
           : fmax(low, high) < 0 ? "worse"
                                 : "undecided";
}

/* Compares the contrast with one computed for a family of that many tests. */
static void check_contrasts(struct drawn *d, const char *task, size_t tests)
{
    struct evidence *e;

    assert_int_equal(evidence_open(&e, d->report, task, metric_all), OK);
    while (next(d)) {
        int better = strcmp(d->field[4], "ce") ? 1 : -1;
        struct contrast c;

        assert_int_equal(evidence_contrast(&c, e, d->field[2], d->field[3],
                                           d->field[4], tests), OK);
        if (strcmp(d->field[3], "unigram") && strcmp(d->field[3], "majority"))
            near("a difference", number(d, 5),
                 mean(d, d->field[2], task, d->field[4]) -
                     mean(d, d->field[3], task, d->field[4]));
        near("its low end", number(d, 6), c.verdict.between.low);
        near("its high end", number(d, 7), c.verdict.between.high);
        assert_string_equal(d->field[8], verdict_by(d, better));
    }
    evidence_close(e);
}

static size_t count_lines(const char *tsv)
{
    size_t n = 0;

    for (const char *s = tsv; *s; s++)
        n += *s == '\n';
    return n - 1;
}

/* Checks that the best differences come first, then the baselines. */
static void check_order(struct drawn *d)
{
    double last = -INFINITY;
    int n = 0, free = 0;

    while (next(d)) {
        int is_free = !strcmp(d->field[3], "unigram");

        assert_true(is_free || (!free && number(d, 5) >= last));
        last = number(d, 5);
        free |= is_free;
        n++;
    }
    assert_true(free && n > 9);
}

/* Checks that the mean over the dots of a line is its difference. */
static void check_seeds(struct drawn *d)
{
    int n = 0;

    while (next(d)) {
        char *at = d->field[12], *end;
        double sum = 0, x;
        int seeds = 0;

        for (; x = strtod(at, &end), end > at; at = end, seeds++)
            sum += x;
        if (!seeds)
            continue;
        assert_int_equal(seeds, 4);
        near("the mean of the dots", sum / seeds, number(d, 5));
        n++;
    }
    assert_int_equal(n, 10);
}

static void contrasts(void **state)
{
    static const struct fixture f = {.seeds = 4, .variants = 11,
                                     .examples = 60};
    struct drawn d;

    (void)state;
    drawn_open(&d, &f);
    draw_figure(&d, &figure_forest, "forest_lm1b");
    size_t tests = count_lines(d.tsv);
    char *says = str_format("intervals of the %zu tests in this figure", tests);
    assert_non_null(strstr(d.words, says));
    /* 10 other variants against vanilla; vanilla against the unigram model */
    assert_int_equal(tests, 10 + 1);
    assert_non_null(strstr(d.tsv, "\trandom+vanilla\tvanilla\tce\t"));
    assert_non_null(strstr(d.tsv, "\tvanilla\tunigram\tce\t"));
    assert_non_null(strstr(d.tsv, "\tbetter\t4\t60\t"));
    assert_non_null(strstr(d.tsv, "\tworse\t4\t60\t"));
    check_contrasts(&d, "lm1b", tests);
    draw_figure(&d, &figure_forest, "forest_lm1b");
    check_order(&d);
    draw_figure(&d, &figure_forest, "forest_lm1b");
    check_seeds(&d);
    draw_figure(&d, &figure_forest, "forest_agnews");
    assert_non_null(strstr(d.tsv, "\taccuracy\t"));
    free(says);
    drawn_close(&d);
}

static void every_verdict_is(const struct fixture *f, const char *says)
{
    struct drawn d;
    int n = 0;

    drawn_open(&d, f);
    draw_figure(&d, &figure_forest, "forest_lm1b");
    /* variants with equal gains are undecided */
    while (next(&d))
        if (strcmp(d.field[3], "unigram") && strcmp(d.field[8], "undecided")) {
            assert_string_equal(d.field[8], says);
            n++;
        }
    assert_true(n > 0);
    drawn_close(&d);
}

static void no_verdicts(void **state)
{
    static const struct fixture told = {.seeds = 2, .variants = 4,
                                        .examples = 30, .uncompared = "lm1b"};
    static const struct fixture learning = {.seeds = 2, .variants = 4,
                                            .examples = 30, .settled = 9};
    static const struct fixture alone = {.seeds = 2, .variants = 1,
                                         .examples = 30};
    struct drawn d;

    (void)state;
    every_verdict_is(&told, "not compared");
    every_verdict_is(&learning, "not converged");
    drawn_open(&d, &alone); /* compared with model-free baselines */
    draw_figure(&d, &figure_forest, "forest_lm1b");
    assert_int_equal(count_lines(d.tsv), 1);
    drawn_close(&d);
}

/* Checks a difference and its interval as printed: the sign of each of the
 * three numbers is visible, and only zero has none. */
static void check_words(const char *says, const double x[3])
{
    double told[3];

    assert_int_equal(sscanf(says, "%lf [%lf, %lf]", &told[0], &told[1],
                            &told[2]), 3);
    for (int i = 0; i < 3; i++) {
        int sign = (x[i] > 0) - (x[i] < 0);

        assert_int_equal((told[i] > 0) - (told[i] < 0), sign);
        assert_true(fabs(told[i] - x[i]) <= fabs(x[i]) / 2);
    }
    assert_int_equal(*says, x[0] < 0 ? '-' : '+');
}

static void small_numbers(void **state)
{
    static const struct fixture tiny = {.seeds = 4, .variants = 6,
                                        .examples = 30, .tiny = 1};
    struct drawn d;
    int n = 0;

    (void)state;
    drawn_open(&d, &tiny);
    draw_figure(&d, &figure_forest, "forest_wmt14_ende");
    for (; next(&d); n++) {
        if (strcmp(d.field[4], "ce") || !strcmp(d.field[3], "unigram"))
            continue;
        assert_true(fabs(number(&d, 5)) < 1e-4);
        check_words(d.field[11], (double[]){number(&d, 5), number(&d, 6),
                                            number(&d, 7)});
    }
    assert_true(n >= 5);
    assert_non_null(strstr(d.words, "difference in cross-entropy, "
                                    "nats/token\n"));
    draw_figure(&d, &figure_forest, "forest_agnews");
    assert_non_null(strstr(d.words, "\naxis1\tdifference in cross-entropy, "
                                    "nats/example\n"));
    assert_non_null(strstr(d.words, "\naxis2\tdifference in accuracy, "
                                    "points\n"));
    drawn_close(&d);
}

/* ---- an extreme loss ---- */

static int has_variant(struct drawn *d, int field, const char *variant)
{
    int n = 0;

    while (next(d))
        n += !strcmp(d->field[field], variant);
    return n;
}

static void lost(void **state)
{
    static const struct fixture f = {.seeds = 2, .variants = 3, .examples = 30,
                                     .lost = 1};
    static const char seed[] = "orse than the input-blind baseline: "
                               "fixed-random seed 1\n";
    struct drawn d;

    (void)state;
    drawn_open(&d, &f);
    draw_figure(&d, &figure_forest, "forest_wmt14_ende");
    assert_int_equal(has_variant(&d, 2, "fixed-random"), 0);
    assert_non_null(strstr(d.words, seed));
    draw_figure(&d, &figure_published, "published_wmt14_ende");
    assert_int_equal(has_variant(&d, 2, "fixed-random"), 0);
    assert_non_null(strstr(d.words, seed));
    draw_figure(&d, &figure_logit_change, "logit_change_wmt14_ende");
    assert_non_null(strstr(d.tsv, "\nfixed-random\t2\t"));
    assert_null(strstr(d.tsv, "\nfixed-random\t1\t"));
    assert_non_null(strstr(d.words, seed));
    drawn_close(&d);
}

/* ---- published ---- */

/* Titles of panels come from the columns alone, so no two columns of a task may
 * have the same title. */
static void titles(void **state)
{
    (void)state;
    for (int t = 0; table_all[t]; t++) {
        const struct table_column *c = table_all[t]->column;

        for (int i = 0; c && c[i].task; i++)
            for (int k = 0; k < i; k++)
                if (!strcmp(c[i].task, c[k].task) &&
                    !strcmp(c[i].what, c[k].what))
                    fail_msg("two columns of %s are %s", c[i].task, c[i].what);
    }
}

/* Perplexities in Table 2: Transformer 38.21, Random 40.60; BLEU: 27.67 and
 * 27.27. */
static void slopes(void **state)
{
    static const struct fixture f = {.seeds = 2, .variants = 11,
                                     .examples = 30};
    struct drawn d;
    int found = 0;

    (void)state;
    drawn_open(&d, &f);
    double base = mean(&d, "vanilla", "lm1b", "ppl");
    double own = mean(&d, "random", "lm1b", "ppl");
    draw_figure(&d, &figure_published, "published_lm1b");
    while (next(&d)) {
        if (!strcmp(d.field[2], "vanilla")) {
            near("the Transformer's", number(&d, 7), 0);
            near("the Transformer's", number(&d, 8), 0);
        }
        if (strcmp(d.field[2], "random"))
            continue;
        near("what is published", number(&d, 3), 40.60);
        near("ours", number(&d, 4), own);
        near("how much better they say", number(&d, 7),
             -100 * (40.60 / 38.21 - 1));
        near("how much better it is", number(&d, 8), -100 * (own / base - 1));
        found++;
    }
    assert_int_equal(found, 1);
    base = mean(&d, "vanilla", "wmt14_ende", "bleu");
    own = mean(&d, "random", "wmt14_ende", "bleu");
    draw_figure(&d, &figure_published, "published_wmt14_ende");
    assert_non_null(strstr(d.words, "\naxis1\tpoints better than the "
                                    "Transformer\n"));
    while (next(&d))
        if (!strcmp(d.field[2], "random")) {
            near("points, published", number(&d, 7), 27.27 - 27.67);
            near("points, ours", number(&d, 8), own - base);
            found++;
        } else if (!strcmp(d.field[2], "fixed-random")) {
            assert_string_equal(d.field[6], "1"); /* sources disagree */
        } else {
            assert_string_equal(d.field[6], "0");
        }
    assert_int_equal(found, 2);
    drawn_close(&d);
}

static void nothing_published(void **state)
{
    static const struct fixture f = {.seeds = 1, .variants = 1,
                                     .examples = 30};
    struct drawn d;

    (void)state;
    drawn_open(&d, &f);
    assert_int_equal(figure_render(&figure_published, d.report,
                                   OUTPUT(d.store)), ERR_EMPTY);
    assert_non_null(strstr(err_last(), "for the Transformer and another "
                                       "variant"));
    drawn_close(&d);
}

/* ---- attention ---- */

static void shares(void **state)
{
    struct drawn d;
    int n = 0;

    (void)state;
    drawn_open(&d, &small);
    draw_figure(&d, &figure_attention, "attention_agnews");
    for (; next(&d); n++) {
        int b = n % 25, v = n / 25 + 1, bin = b < 24 ? b : 23;
        double all = 2 * v * 24 * 25 / 2 + 24 * (1 + 2);

        assert_string_equal(d.field[1], "encoder.0");
        assert_string_equal(d.field[2], "2");
        near("a bin's end", number(&d, 3), pow(10, (b - 24) / 4.0));
        near("the start", number(&d, 4), (2 * v * (bin + 1) + 3) / all);
        near("the end", number(&d, 5), (2 * v * (24 - bin) + 3) / all);
    }
    assert_int_equal(n, 5 * 25);
    assert_non_null(strstr(d.words, "entropy1\t2.15 -> 1.15\n"));
    assert_non_null(strstr(d.words, "\nplace1\tencoder, layer 1\n"));
    drawn_close(&d);
}

/* ---- maps ---- */

static void maps(void **state)
{
    struct drawn d;
    int n = 0;

    (void)state;
    drawn_open(&d, &small);
    draw_figure(&d, &figure_sentence, "sentence_lm1b");
    for (; next(&d); n++) {
        int v = n / 18, i = n % 18;

        assert_string_equal(d.field[1], "1"); /* the lowest seed */
        assert_int_equal(number(&d, 2), i / 9 + 1);
        assert_int_equal(number(&d, 3), i / 3 % 3 + 1);
        assert_int_equal(number(&d, 4), i % 3 + 1);
        near("a weight", number(&d, 5), (v + 2) / (i + 20.0) + 0.01);
    }
    assert_int_equal(n, 5 * 18);
    assert_non_null(strstr(d.words, "\ttokens: one two </s>\n"));
    drawn_close(&d);
}

static void older(void **state)
{
    static const struct fixture f = {.seeds = 1, .variants = 3, .examples = 30,
                                     .older = 1};
    struct drawn d;

    (void)state;
    drawn_open(&d, &f);
    assert_int_equal(figure_render(&figure_sentence, d.report, OUTPUT(d.store)),
                     ERR_EMPTY);
    assert_non_null(strstr(err_last(), "earlier versions"));
    assert_int_equal(figure_render(&figure_attention, d.report,
                                   OUTPUT(d.store)), OK);
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a forest has every difference, its family's interval and verdict",
         contrasts, NULL, NULL, NULL},
        {"a withheld verdict is not drawn", no_verdicts, NULL, NULL, NULL},
        {"a forest tells small numbers, each with its sign, and their unit",
         small_numbers, NULL, NULL, NULL},
        {"a loss beyond all measure has no line, no point and few letters",
         lost, NULL, NULL, NULL},
        {"no two columns of a task have the same words", titles, NULL, NULL,
         NULL},
        {"slopes are distances from the Transformer of their side", slopes,
         NULL, NULL, NULL},
        {"without a published number no slope is drawn", nothing_published,
         NULL, NULL, NULL},
        {"histograms are shares of the weights of all seeds", shares, NULL,
         NULL, NULL},
        {"maps are those of the lowest seed, head by head", maps, NULL, NULL,
         NULL},
        {"cells of older programs have no maps, and that is said", older, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("beside", tests, NULL, NULL);
}
