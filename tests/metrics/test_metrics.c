#include "harness/metrics/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define METRIC(name) extern const struct metric metric_##name;
#include "harness/metrics/list.h"

static const struct metric *const all[] = {
#define METRIC(name) &metric_##name,
#include "harness/metrics/list.h"
};

static double over(const struct metric *m, const struct answer *s, int n)
{
    struct scored x;

    m->measure(m, &x, s, (size_t)n);
    return x.value;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1 + fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

/* Two sentences: 3 tokens of 2 words, 5 tokens of 3 words. */
static const struct answer text[] = {
    {.nll = 2.5, .tokens = 3, .hits = 2, .words = 2},
    {.nll = 7.5, .tokens = 5, .hits = 1, .words = 3},
};

static void sums(void **state)
{
    (void)state;
    near(over(&metric_ce, text, 2), 10.0 / 8);
    near(over(&metric_token_accuracy, text, 2), 100 * 3.0 / 8);
    near(over(&metric_ppl, text, 2), exp(10.0 / 8));
    near(over(&metric_ppl_word, text, 2), exp(10.0 / 5));
}

static void labels(void **state)
{
    static const struct answer s[] = {{.got = 1, .want = 1},
                                    {.got = 0, .want = 2},
                                    {.got = 0, .want = 0}};

    (void)state;
    near(over(&metric_accuracy, s, 3), 200.0 / 3);
}

static void nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!isnan(over(all[i], NULL, 0)))
            fail_msg("%s of no example is a number", all[i]->name);
}

/* n equally likely ids cost log n nats per token, so the perplexity is n. */
static void uniform(void **state)
{
    static const struct answer s = {.tokens = 4, .words = 4};
    struct answer guess = s;

    (void)state;
    guess.nll = 4 * log(32);
    near(over(&metric_ppl, &guess, 1), 32);
    near(over(&metric_ppl_word, &guess, 1), 32);
}

static void described(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct metric *m = all[i];

        if (!m->name[0] || !m->title[0] || !m->unit[0] || !m->signature[0] ||
            (m->better != 1 && m->better != -1))
            fail_msg("metric %zu, '%s', lacks a field", i, m->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"entropies and perplexities divide sums, not means of sentences",
         sums, NULL, NULL, NULL},
        {"accuracy is a percentage of examples", labels, NULL, NULL, NULL},
        {"a metric that has seen nothing is not a number", nothing, NULL, NULL,
         NULL},
        {"the perplexity of n equally likely tokens is n", uniform, NULL, NULL,
         NULL},
        {"every metric has a name, title, unit, direction and signature",
         described, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
