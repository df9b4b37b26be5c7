/* Traces made with the faulty variants of tests/support: the report names a
 * mistake that is known from public implementations, and no other. */
#include "harness/base/err.h"
#include "harness/verify/traces/trace.h"
#include "tests/support/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* Makes a trace of a variant that has a fault of tests/support. */
static void make_wrong(struct trace_file *f, struct config *c, struct mix *mix,
                       const struct fault *fault)
{
    struct assign set[] = {{"variant", fault->subject, ""},
                           {"schedule.name", "constant", ""},
                           {"schedule.scale", "0.01", ""},
                           {"shards", "1", ""}, /* a shard has all rows */
                           {"lanes", "1", ""}};
    struct variant wrong = *fault_truth(fault->subject);

    fault->variant(&wrong);
    assert_int_equal(
        trace_config_make(c, mix, "lm", &(struct assigns){5, set}), OK);
    const struct mix bad = {1, {&wrong}};
    trace_file_open(f);
    if (trace_make(f, c, &bad) < 0)
        fail_msg("%s: %s", fault->sentence, err_last());
}

static const struct fault *fault_of(const char *sentence)
{
    const struct fault *f = fault_variants;

    while (f->sentence && strcmp(f->sentence, sentence))
        f++;
    if (!f->sentence)
        fail_msg("no fault: %s", sentence);
    return f;
}

static void named(void **state)
{
    static const struct { const char *sentence, *text; } cases[] = {
        {"each batch element has its own R", "drawn again for every batch"},
        {"the softmax is left out", "the softmax is left out"},
        {"1/sqrt(k) is missing", "not divided by the square root of a head"}};
    OWNED(arena_free) struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_file f;
        struct config c;
        struct mix mix;

        make_wrong(&f, &c, &mix, fault_of(cases[i].sentence));
        const char *text = trace_mistake(a, &f, &c, &mix);
        if (!text || !strstr(text, cases[i].text))
            fail_msg("%s: %s", cases[i].sentence, text ? text : "not named");
        trace_file_close(&f);
    }
}

/* A fault that is not known from a public implementation is not named. */
static void unnamed(void **state)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct trace_file f;
    struct config c;
    struct mix mix;

    (void)state;
    make_wrong(&f, &c, &mix, fault_of("heads are swapped"));
    assert_null(trace_mistake(a, &f, &c, &mix));
    trace_file_close(&f);
}

int main(void)
{
    const struct CMUnitTest mistakes[] = {
        {"known mistakes are named", named, NULL, NULL, NULL},
        {"other faults are not", unnamed, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("mistakes", mistakes, NULL, NULL);
}
