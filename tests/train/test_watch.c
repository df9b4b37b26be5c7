/* What a cell says of attention weights, where they are known: uniform ones. */
#include "harness/base/str.h"
#include "tests/support/trained.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

/* Row i of a causal uniform layer has i + 1 weights 1 / (i + 1), of entropy
 * ln(i + 1), in the bin of 4 (6 - log10(i + 1)). */
static void causal(void **state)
{
    static const char at[] = "attention/start/decoder.0";
    double want[WATCH_BINS] = {0}, entropy = 0;
    struct trained t;

    (void)state;
    trained_open(&t, "task=lm1b variant=uniform");
    for (int i = 0; i < 16; i++) {
        int bin = (int)floor(4 * (6 - log10(i + 1)) + 1e-6);

        want[bin < WATCH_BINS ? bin : WATCH_BINS - 1] += i + 1;
        entropy += log(i + 1) / 16;
    }
    char *path = str_format("%s/histogram", at);
    struct reals is = trained_reals(&t, path);
    assert_int_equal(is.n, WATCH_BINS);
    for (int i = 0; i < WATCH_BINS; i++) /* of every head and sentence */
        assert_true(is.x[i] * want[WATCH_BINS - 1] ==
                    want[i] * is.x[WATCH_BINS - 1]);
    free(path);
    path = str_format("%s@entropy_nats", at);
    assert_true(fabs(trained_real(&t, path) - entropy) < 1e-6);
    free(path);
    trained_close(&t);
}

static double entropy_of(const char *words)
{
    struct trained t;

    trained_open(&t, words);
    double x = trained_real(&t, "attention/start/encoder.0@entropy_nats");
    trained_close(&t);
    return x;
}

static void examples(void **state)
{
    double all = entropy_of("task=agnews");

    (void)state;
    assert_true(entropy_of("task=agnews test=12") == all);
    assert_true(entropy_of("task=agnews valid=12") != all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"the weights that a row sees are counted, and their entropy", causal,
         trained_setup, trained_teardown, NULL},
        {"they are those of validation examples, and no others", examples,
         trained_setup, trained_teardown, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
