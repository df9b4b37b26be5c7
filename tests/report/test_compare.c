#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/metrics/metric.h"
#include "harness/report/compare.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/report_fixture.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const metrics[] = {"ce", "token_accuracy", "ppl", "accuracy",
                                      "bleu", "no_such", NULL};

/* A simple text metric: the percentage of segments that equal their
 * reference. */
static double share(const struct stratum *s, const double *sums)
{
    (void)s;
    return 100 * sums[0] / sums[1];
}

static int strata(const struct metric *m, struct stratum *out,
                  const struct answer *s, size_t n)
{
    (void)m;
    *out = (struct stratum){.of_sums = share};
    stratum_open(out, n, 2);
    for (size_t i = 0; i < n; i++) {
        out->x[2 * i] = !strcmp(s[i].hyp, s[i].ref);
        out->x[2 * i + 1] = 1;
    }
    return 1;
}

static const struct metric toy = {.name = "bleu", .strata = strata};
static const struct metric *const toys[] = {&toy, NULL};

static const struct compare_row *row(const struct comparison *c,
                                     const char *metric)
{
    for (int i = 0; i < c->rows; i++)
        if (!strcmp(c->row[i].metric, metric))
            return &c->row[i];
    fail_msg("there is no row %s", metric);
    return NULL;
}

/* Returns the comparison of `b` with `a`. */
static struct comparison *compared(const struct compare_side *b,
                                   const struct compare_side *a)
{
    struct comparison *c;

    if (compare(&c, a, b, metrics, toys, 1) < 0)
        fail_msg("%s", err_last());
    return c;
}

static void refused(const struct compare_side *a, const struct compare_side *b,
                    int code, const char *words)
{
    struct comparison *c;

    assert_int_equal(compare(&c, a, b, metrics, toys, 1), code);
    assert_null(c);
    if (!strstr(err_last(), words))
        fail_msg("'%s' lacks '%s'", err_last(), words);
}

static const char *id_of(const char *name)
{
    return *name < 'a' ? fixture_id(name) : made_id(name);
}

static struct compare_side seeds(const char *store, const char *const *name,
                                 const long long *seed, int n)
{
    static const char *ids[64];
    static int used;
    const char **id = ids + used;

    for (int i = 0; i < n; i++, used = (used + 1) % 50)
        id[i] = id_of(name[i]);
    return (struct compare_side){store, name[0], n, seed != NULL, id, seed};
}

static struct compare_side cell(const char *store, const char *const *name)
{
    return seeds(store, name, NULL, 1);
}

/* Cells of the fixture: variant (two digits), task, seed. */
static const char *const vanilla[] = {"0001", "0002", "0003", "0004",
                                      "0005", "0006", "0007"};
static const char *const fixed[] = {"0101", "0102", "0103", "0104",
                                    "0105", "0106", "0107"};
static const char *const lm[] = {"0011", "0012", "0013",
                                 "0014", "0015", "0016"};
static const char *const lm_fixed[] = {"0111", "0112", "0113",
                                       "0114", "0115", "0116"};
static const char *const of_text[] = {"ppl", "ppl_word", "ce", NULL};
static const long long seed[] = {1, 2, 3, 4, 5, 6, 7};

static char *store; /* two variants, seven seeds */

static int make_store(void **state)
{
    (void)state;
    store = fixture_store(&(struct fixture){.seeds = 7, .variants = 2,
                                            .examples = 80});
    return 0;
}

static int remove_store(void **state)
{
    (void)state;
    scratch_remove(store);
    return 0;
}

static const char *word(const struct compare_row *r)
{
    return verdict_word(&r->verdict, r->better);
}

/* Checks that p, interval and verdict agree, and that they are reversed if the
 * sides are exchanged. */
static void consistent(const struct comparison *c,
                       const struct comparison *back)
{
    for (int i = 0; i < c->rows; i++) {
        const struct verdict *v = &c->row[i].verdict;
        const struct verdict *w = &back->row[i].verdict;
        int apart = v->between.low > 0 || v->between.high < 0;

        if (isnan(v->between.low))
            apart = v->sign != 0;
        assert_int_equal(v->p < STATS_LEVEL, apart);
        assert_int_equal(v->sign != 0, apart);
        assert_int_equal(w->sign, -v->sign);
        assert_true(w->p == v->p || (isnan(v->p) && isnan(w->p)));
        assert_true(!(v->alone > v->p));
    }
}

static void cells(void **state)
{
    struct compare_side a = cell(store, vanilla), b = cell(store, fixed);
    struct comparison *c = compared(&a, &b), *back = compared(&b, &a);
    const struct compare_row *ce = row(c, "ce"), *turned = row(back, "ce");

    (void)state;
    assert_int_equal(c->rows, 3);  /* ce, token_accuracy, bleu */
    assert_int_equal(c->tests, 2); /* bleu has no test */
    assert_true(c->level == 0.975);
    assert_int_equal(ce->better, -1);
    assert_true(ce->difference < 0 && ce->verdict.between.high < 0 &&
                ce->verdict.p < 0.001);
    assert_true(ce->verdict.between.low < ce->difference &&
                ce->difference < ce->verdict.between.high);
    assert_true(ce->verdict.p == 2 * ce->verdict.alone);
    assert_string_equal(word(ce), "better"); /* lower is better */
    assert_string_equal(word(turned), "worse");
    assert_true(turned->difference == -ce->difference);
    consistent(c, back);
    compare_close(c);
    compare_close(back);
    compare_close(NULL);
}

static void itself(void **state)
{
    struct compare_side a = cell(store, vanilla);
    struct comparison *c = compared(&a, &a);

    (void)state;
    assert_true(row(c, "ce")->verdict.p == 1 && row(c, "ce")->difference == 0);
    assert_true(row(c, "ce")->verdict.between.high == 0);
    assert_string_equal(word(row(c, "ce")), "undecided");
    compare_close(c);
}

/* Perplexities are tested by their cross-entropy, so there is one test instead
 * of three. */
static void perplexities(void **state)
{
    struct compare_side a = cell(store, lm), b = cell(store, lm_fixed);
    struct compare_side six = seeds(store, lm, seed, 6);
    struct compare_side six_fixed = seeds(store, lm_fixed, seed, 6);
    struct comparison *c, *back;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(compare(&c, i ? &six_fixed : &b, i ? &six : &a,
                                 of_text, toys, 1), OK);
        assert_int_equal(compare(&back, i ? &six : &a, i ? &six_fixed : &b,
                                 of_text, toys, 1), OK);
        assert_int_equal(c->rows, 3);
        assert_int_equal(c->tests, 1);
        for (int k = 0; k < 3; k++) {
            assert_true(c->row[k].verdict.p == row(c, "ce")->verdict.p);
            assert_string_equal(word(&c->row[k]), "better");
        }
        assert_null(row(c, "ce")->as);
        assert_string_equal(row(c, "ppl")->as, "ce");
        assert_string_equal(row(c, "ppl_word")->as, "ce");
        assert_true(row(c, "ppl")->verdict.between.low <
                    row(c, "ppl")->difference);
        consistent(c, back);
        compare_close(c);
        compare_close(back);
    }
}

/* The fixture stores no text for BLEU. */
static void no_examples(void **state)
{
    struct compare_side a = cell(store, vanilla), b = cell(store, fixed);
    struct comparison *c = compared(&a, &b);
    const struct compare_row *bleu = row(c, "bleu");

    (void)state;
    assert_true(isnan(bleu->verdict.p) && isnan(bleu->verdict.between.low));
    assert_true(isnan(bleu->floor));
    assert_true(bleu->difference > 0);
    assert_string_equal(word(bleu), "undecided");
    assert_non_null(strstr(bleu->test, "no scores per example"));
    compare_close(c);
}

static void many_seeds(void **state)
{
    struct compare_side a = seeds(store, vanilla, seed, 7);
    struct compare_side b = seeds(store, fixed, seed, 7);
    struct comparison *c = compared(&a, &b), *back = compared(&b, &a);
    const struct compare_row *ce = row(c, "ce"), *bleu = row(c, "bleu");

    (void)state;
    assert_int_equal(c->tests, 3);
    /* bleu has no values per example; p alone: 2 of the 2^7 sign patterns */
    assert_true(bleu->verdict.alone == 2.0 / 128 && bleu->more == 0);
    assert_true(bleu->verdict.p == 3 * (2.0 / 128));
    assert_string_equal(bleu->test, "sign permutation test over 7 common "
                                    "seeds");
    assert_string_equal(ce->test, "Student's t over 7 common seeds x 80 test "
                                  "examples");
    assert_string_equal(word(ce), "better");
    assert_string_equal(word(bleu), "better"); /* higher is better */
    assert_true(bleu->difference > 0 && bleu->seeds.a12 == 1 &&
                ce->seeds.a12 == 0);
    assert_true(ce->verdict.between.low < ce->difference &&
                ce->verdict.between.high > ce->difference);
    consistent(c, back);
    compare_close(c);
    compare_close(back);
}

/* Six seeds are enough to test one metric (p = 2 / 2^6 < 0.05). Three metrics
 * need seven (p = 3 * 2 / 2^7 < 0.05). */
static void few_seeds(void **state)
{
    struct compare_side a = seeds(store, vanilla, seed, 3);
    struct compare_side b = seeds(store, fixed, seed, 7);
    struct comparison *c = compared(&a, &b);
    const struct compare_row *bleu = row(c, "bleu");

    (void)state;
    assert_true(bleu->verdict.alone == 0.25 && bleu->floor == 0.75);
    assert_true(isnan(bleu->verdict.between.low));
    assert_int_equal(bleu->more, 4);
    assert_string_equal(word(bleu), "undecided");
    assert_non_null(strstr(bleu->test, "3 common seeds"));
    /* the difference is 20 standard errors */
    assert_string_equal(word(row(c, "ce")), "better");
    assert_int_equal(row(c, "ce")->more, 0);
    compare_close(c);
}

/* With one seed on a side there is no verdict. With examples (ce), a second
 * seed is enough; without them (bleu), seven are needed. */
static void one_seed(void **state)
{
    struct compare_side a = seeds(store, vanilla, seed, 1);
    struct compare_side b = seeds(store, fixed, seed, 7);
    struct comparison *c = compared(&a, &b);

    (void)state;
    assert_int_equal(row(c, "ce")->more, 1);
    assert_int_equal(row(c, "bleu")->more, 6); /* seven are needed */
    compare_close(c);
}

/* If 10,000 resamples cannot decide 300 tests, more are drawn. */
static void many_tests(void **state)
{
    struct compare_side a = cell(store, vanilla), b = cell(store, fixed);
    static const char *const ce[] = {"ce", NULL};
    struct comparison *c;

    (void)state;
    assert_int_equal(compare(&c, &b, &a, ce, toys, 300), OK);
    assert_int_equal(c->tests, 300);
    assert_string_equal(word(row(c, "ce")), "better");
    assert_true(row(c, "ce")->floor < 0.025);
    assert_true(row(c, "ce")->verdict.between.high < 0);
    compare_close(c);
}

static void other_seeds(void **state)
{
    struct compare_side a = seeds(store, vanilla, seed, 3);
    struct compare_side b = seeds(store, fixed + 3, seed + 3, 3);
    struct compare_side more = seeds(store, fixed + 3, seed + 3, 4);
    struct comparison *c = compared(&a, &b), *d = compared(&a, &more);

    (void)state;
    assert_true(fabs(row(c, "bleu")->verdict.alone - 0.1) < 1e-12);
    assert_true(fabs(row(c, "bleu")->floor - 0.3) < 1e-12);
    /* 2 more seeds make 5 per side; the smallest p of three tests is then
     * 3 * 2 / C(10,5) = 6 / 252 < 0.05 (with 4: 3 * 2 / C(8,4) = 6 / 70) */
    assert_int_equal(row(c, "bleu")->more, 2);
    assert_string_equal(word(row(c, "bleu")), "undecided");
    assert_non_null(strstr(row(c, "bleu")->test, "none in common"));
    assert_true(fabs(row(d, "bleu")->verdict.alone - 2.0 / 35) < 1e-12);
    assert_string_equal(row(d, "ce")->test, "Student's t over 4 and 3 seeds, "
                        "none in common, x 80 test examples");
    assert_string_equal(word(row(d, "ce")), "better");
    compare_close(c);
    compare_close(d);
}

static void must(int rc)
{
    if (rc < 0)
        fail_msg("%s", err_last());
}

static void ce_of(double *x, const struct compare_side *s)
{
    for (int i = 0; i < s->cells; i++) {
        struct cell_reader *r;

        must(cell_open(&r, store, s->id[i]));
        must(cell_get_metric(r, "ce", &x[i]));
        cell_close(r);
    }
}

static double mean_of(const double *x, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i] / n;
    return sum;
}

static double squares(const double *x, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += (x[i] - mean_of(x, n)) * (x[i] - mean_of(x, n));
    return sum;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.17g, not %.17g", got, want);
}

/* 3 seeds against 4. The outer quarter of 3 values is empty; that of 4 values
 * is the smallest and the largest. g = d Gamma(5/2) / (sqrt(5/2) Gamma(2)),
 * with Gamma(5/2) = 3 sqrt(pi) / 4. */
static void sides_of_seeds(void **state)
{
    struct compare_side a = seeds(store, vanilla, seed, 3);
    struct compare_side b = seeds(store, fixed + 3, seed + 3, 4);
    struct comparison *c = compared(&a, &b);
    const struct compare_seeds *s = &row(c, "ce")->seeds;
    double x[3], y[4], low = INFINITY, high = -INFINITY, above = 0;

    (void)state;
    ce_of(x, &a);
    ce_of(y, &b);
    for (int j = 0; j < 4; j++) {
        low = fmin(low, y[j]);
        high = fmax(high, y[j]);
        for (int i = 0; i < 3; i++)
            above += (x[i] > y[j]) + (x[i] == y[j]) / 2.0;
    }
    double d = (mean_of(x, 3) - mean_of(y, 4)) /
               sqrt((squares(x, 3) + squares(y, 4)) / 5);
    near(s->sd_b, sqrt(squares(x, 3) / 2));
    near(s->sd_a, sqrt(squares(y, 4) / 3));
    near(s->iqm_b, mean_of(x, 3));
    near(s->iqm_a, (4 * mean_of(y, 4) - low - high) / 2);
    near(s->a12, above / 12);
    near(s->cliff_delta, 2 * above / 12 - 1);
    near(s->hedges_g, d * 0.75 * sqrt(acos(-1)) / sqrt(2.5));
    assert_true(fabs(s->sd_a - s->sd_b) > 1e-3 * s->sd_b);
    compare_close(c);
}

/* ---- seeds x examples, recomputed ---- */

enum { EXAMPLES = 80 };

/* Returns ce over all examples except `one`, or over all if `one` is -1. */
static double ce_without(const double *nll, const double *tokens, int one)
{
    double sum = 0, of = 0;

    for (int i = 0; i < EXAMPLES; i++)
        if (i != one) {
            sum += nll[i];
            of += tokens[i];
        }
    return sum / of;
}

/* Stores ce of cell `a` minus ce of cell `b` in *difference, and in u[i] how
 * the difference changes if example i is left out, centred on the mean
 * change. */
static void read_moves(double *u, double *difference, const char *a,
                       const char *b)
{
    const char *id[] = {a, b};

    *difference = 0;
    memset(u, 0, EXAMPLES * sizeof *u);
    for (int k = 0; k < 2; k++) {
        double *nll, *tokens, sign = k ? -1 : 1;
        struct cell_reader *r;
        size_t n;

        must(cell_open(&r, store, id[k]));
        must(cell_get_array(r, "examples/test/nll", &nll, &n));
        must(cell_get_array(r, "examples/test/tokens", &tokens, &n));
        for (int i = 0; i < EXAMPLES; i++)
            u[i] += sign * ce_without(nll, tokens, i);
        *difference += sign * ce_without(nll, tokens, -1);
        cell_close(r);
        free(tokens);
        free(nll);
    }
    double mean = mean_of(u, EXAMPLES);
    for (int i = 0; i < EXAMPLES; i++)
        u[i] = (u[i] - mean) * sqrt((EXAMPLES - 1.0) / EXAMPLES);
}

/* There are 3 seeds and 3 metrics, so each of the two tails has 0.05 / (2 * 3).
 * The interval uses quantiles of t with 2 (3 seeds) and 79 (80 examples)
 * degrees of freedom. They are taken from 65535 values, the 546th from either
 * end: 65536 * 0.05 / 6 = 546.1. */
static void both(void **state)
{
    enum { N = 3 };
    struct compare_side a = seeds(store, vanilla, seed, N);
    struct compare_side b = seeds(store, fixed, seed, N);
    struct comparison *c = compared(&a, &b);
    const struct verdict *v = &row(c, "ce")->verdict;
    double u[N][EXAMPLES], d[N], mean[EXAMPLES] = {0}, each = 0, all = 0;

    (void)state;
    for (int s = 0; s < N; s++) {
        read_moves(u[s], &d[s], a.id[s], b.id[s]);
        for (int i = 0; i < EXAMPLES; i++) {
            mean[i] += u[s][i] / N;
            each += u[s][i] * u[s][i] / N;
        }
    }
    for (int i = 0; i < EXAMPLES; i++)
        all += mean[i] * mean[i];
    double of_seeds = squares(d, N) / (N * (N - 1));
    double rest = (each - all) / (N - 1);
    double of_examples = fmax(0, all - rest) + fmax(0, rest - of_seeds);
    double tail = 546 / 65536.0;
    double half = sqrt(of_seeds * pow(stats_t_at(tail, 2), 2) +
                       of_examples * pow(stats_t_at(tail, 79), 2));
    assert_true(of_examples > 0 && of_seeds > of_examples);
    near(v->between.high - v->between.low, 2 * half);
    near(v->between.high + v->between.low, 2 * mean_of(d, N));
    compare_close(c);
}

static void other_data(void **state)
{
    struct compare_side a = cell(store, vanilla), b = cell(store, lm);
    struct compare_side gone = cell(store, (const char *const[]){"gone"});

    (void)state;
    refused(&a, &b, ERR_USAGE,
            "training, validation or test data differ");
    refused(&a, &gone, ERR_EMPTY, made_id("gone"));
}

/* ---- cells with text ---- */

/* Writes a cell in which `right` of ten segments equal their reference. */
static void write_text_cell(const char *path, const char *id, int right,
                            double bleu, const char *signature)
{
    const char *hyp[10], *ref[10];
    struct cell_writer *w;
    struct store *s;

    for (int i = 0; i < 10; i++) {
        ref[i] = "ein Haus";
        hyp[i] = i < right ? ref[i] : "kein Haus";
    }
    must(store_open(&s, path, 1));
    id = id_of(id);
    must(made_begin(&w, path, id));
    must(cell_put_text(w, "provenance", "data_digest", "same"));
    must(cell_put_strings(w, "examples/test/hypothesis", hyp, 10));
    must(cell_put_strings(w, "examples/test/reference", ref, 10));
    must(cell_put_metric(w, "bleu", "%", 1, signature, bleu));
    must(cell_commit(w));
    must(store_done(s, id, 1));
    store_close(s);
}

static void texts(void **state)
{
    char *path = scratch_make();
    struct compare_side a = cell(path, (const char *const[]){"aaaaaa"});
    struct compare_side b = cell(path, (const char *const[]){"bbbbbb"});
    struct compare_side other = cell(path, (const char *const[]){"cccccc"});
    struct compare_side wrong = cell(path, (const char *const[]){"dddddd"});

    (void)state;
    write_text_cell(path, "aaaaaa", 10, 100, "one way");
    write_text_cell(path, "bbbbbb", 2, 20, "one way");
    write_text_cell(path, "cccccc", 2, 20, "another");
    write_text_cell(path, "dddddd", 2, 30, "one way");
    struct comparison *c = compared(&a, &b);
    assert_string_equal(word(row(c, "bleu")), "better");
    assert_true(row(c, "bleu")->difference == 80);
    assert_non_null(strstr(row(c, "bleu")->test, "10 test examples"));
    compare_close(c);
    refused(&a, &other, ERR_USAGE, "computed in different ways");
    refused(&a, &wrong, ERR_STORE, "bleu is 30, but its examples give 20");
    scratch_remove(path);
}

static void nothing_in_common(void **state)
{
    char *path = scratch_make();
    struct compare_side a = cell(path, (const char *const[]){"aaaaaa"});
    struct comparison *c;

    (void)state;
    write_text_cell(path, "aaaaaa", 10, 100, "one way");
    assert_int_equal(compare(&c, &a, &a, (const char *const[]){"ce", NULL},
                             toys, 1), ERR_EMPTY);
    scratch_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"two cells: the verdict knows whether less is better", cells, NULL,
         NULL, NULL},
        {"a cell is no better than itself", itself, NULL, NULL, NULL},
        {"perplexities share the verdict of cross-entropy", perplexities, NULL,
         NULL, NULL},
        {"without scores of examples there is no p", no_examples, NULL, NULL,
         NULL},
        {"seven seeds decide", many_seeds, NULL, NULL, NULL},
        {"three seeds need four more for three metrics", few_seeds, NULL, NULL,
         NULL},
        {"one seed of a side needs another one", one_seed, NULL, NULL, NULL},
        {"one seed each can be told however many tests there are", many_tests,
         NULL, NULL, NULL},
        {"without a common seed 3 against 3 need two more each", other_seeds,
         NULL, NULL, NULL},
        {"each side's spread, mean and effect sizes are its seeds'",
         sides_of_seeds, NULL, NULL, NULL},
        {"seeds x examples: the interval is that of both by hand", both, NULL,
         NULL, NULL},
        {"other data, or no cell, is refused", other_data, NULL, NULL, NULL},
        {"text is resampled by segments; another way to score is refused",
         texts, NULL, NULL, NULL},
        {"no metric in common is said", nothing_in_common, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("report_compare", tests, make_store,
                                       remove_store);
}
