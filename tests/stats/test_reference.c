/* Statistics compared with SciPy. reference.py in tests/data/stats has written
 * the inputs and results in reference.json. */
#include "harness/stats/bootstrap.h"
#include "harness/stats/correlate.h"
#include "harness/stats/permutation.h"
#include "harness/stats/stats.h"
#include "harness/stats/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *reference;

static int load(void **state)
{
    json_error_t e;

    (void)state;
    reference = json_load_file("tests/data/stats/reference.json", 0, &e);
    if (!reference)
        print_error("%s:%d: %s\n", e.source, e.line, e.text);
    return reference ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    json_decref(reference);
    return 0;
}

/* Compares a result with that of the case. null stands for NAN; values that a
 * case lacks are not compared. */
static void agree(const json_t *c, const char *name, double got)
{
    const json_t *j = json_object_get(c, name);

    if (!j)
        return;
    double want = json_is_null(j) ? NAN : json_number_value(j);
    double bound = 1e-9 * fmax(fabs(want), fabs(got));
    if (!(isnan(want) ? isnan(got) : fabs(got - want) <= fmax(bound, 1e-14))) {
        char *text = json_dumps(c, JSON_COMPACT);
        fail_msg("%s is %.17g, not %.17g: %s", name, got, want, text);
        free(text);
    }
}

static double *numbers(const json_t *c, const char *name, size_t *n)
{
    const json_t *list = json_object_get(c, name);

    *n = json_array_size(list);
    double *x = malloc((*n + 1) * sizeof *x);
    for (size_t i = 0; i < *n; i++)
        x[i] = json_number_value(json_array_get(list, i));
    return x;
}

static void each(const char *kind, void (*check)(const json_t *c))
{
    size_t i;
    json_t *c;
    int n = 0;

    json_array_foreach(json_object_get(reference, "cases"), i, c)
        if (!strcmp(json_string_value(json_object_get(c, "kind")), kind)) {
            check(c);
            n++;
        }
    assert_true(n > 0);
}

static void check_sample(const json_t *c)
{
    size_t n;
    double *x = numbers(c, "x", &n);
    struct interval t = stats_t_interval(x, n);

    agree(c, "mean", stats_mean(x, n));
    agree(c, "sd", stats_sd(x, n));
    agree(c, "iqm", stats_interquartile_mean(x, n));
    agree(c, "low", t.low);
    agree(c, "high", t.high);
    free(x);
}

static void check_quantile(const json_t *c)
{
    agree(c, "t", stats_t_quantile(
                      json_number_value(json_object_get(c, "degrees"))));
}

static void check_bca(const json_t *c)
{
    size_t n;
    double *x = numbers(c, "x", &n);
    struct interval v = bootstrap_bca(x, n, 1);

    agree(c, "low", v.low);
    agree(c, "high", v.high);
    free(x);
}

static void check_correlation(const json_t *c)
{
    size_t n;
    double *x = numbers(c, "x", &n), *y = numbers(c, "y", &n);
    struct correlation r = correlate_pearson(x, y, n);
    struct correlation s = correlate_spearman(x, y, n);
    struct correlation t = correlate_kendall(x, y, n);

    agree(c, "pearson", r.r);
    agree(c, "pearson_p", r.p);
    agree(c, "spearman", s.r);
    agree(c, "spearman_p", s.p);
    agree(c, "kendall", t.r);
    agree(c, "kendall_p", t.p);
    free(x);
    free(y);
}

static void check_unpaired(const json_t *c)
{
    size_t na, nb;
    double *a = numbers(c, "a", &na), *b = numbers(c, "b", &nb);

    agree(c, "cohen_d", stats_cohen_d(a, na, b, nb));
    agree(c, "hedges_g", stats_hedges_g(a, na, b, nb));
    free(a);
    free(b);
}

static void check_permutation(const json_t *c)
{
    size_t n;
    double *a = numbers(c, "a", &n), *b = numbers(c, "b", &n);

    size_t many = permutation_pairs(n);
    double *t = malloc((many + 1) * sizeof *t);
    for (size_t i = 0; i < n; i++)
        a[i] -= b[i];
    permutation_of_pairs(t, a, n, 1);
    agree(c, "p", verdict_of(&(struct known){.n = many, .t = t}, 1).p);
    free(t);
    free(a);
    free(b);
}

static void sample(void **state)
{
    (void)state;
    each("sample", check_sample);
}

static void quantile(void **state)
{
    (void)state;
    each("t_quantile", check_quantile);
}

static void bca(void **state)
{
    (void)state;
    each("bca", check_bca);
}

static void correlation(void **state)
{
    (void)state;
    each("correlation", check_correlation);
}

static void unpaired(void **state)
{
    (void)state;
    each("unpaired", check_unpaired);
}

static void permutation(void **state)
{
    (void)state;
    each("permutation", check_permutation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"mean, deviation, t interval and interquartile mean equal SciPy's",
         sample, NULL, NULL, NULL},
        {"the quantile of Student's t equals SciPy's", quantile, NULL, NULL,
         NULL},
        {"the BCa interval equals SciPy's on the same draws", bca, NULL, NULL,
         NULL},
        {"Pearson, Spearman and Kendall equal SciPy's, with their p",
         correlation, NULL, NULL, NULL},
        {"effect sizes equal SciPy's", unpaired, NULL, NULL, NULL},
        {"the paired permutation test equals SciPy's", permutation, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("stats_reference", tests, load, unload);
}
