/* `verify variants` reports each injected fault, and nothing else. */
#include "harness/base/str.h"
#include "harness/verify/attention/verify.h"
#include "tests/support/faults.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- output of verify ---- */

enum { LONG = 512 };

struct heard {
    const struct fault *fault;
    char failing[LONG]; /* failed properties of the subject */
    char why[LONG];     /* ... and where each failed   */
    int  spared;        /* failures of the spared variant */
    int  failed;
};

static void add_word(char text[LONG], const char *separator, const char *word)
{
    size_t n = strlen(text);

    snprintf(text + n, LONG - n, "%s%s", n ? separator : "", word);
}

static void hear(void *arg, const struct finding *f)
{
    struct heard *h = arg;

    if (f->verdict != VERDICT_FAIL)
        return;
    h->failed++;
    if (!strcmp(f->subject->name, h->fault->subject)) {
        add_word(h->failing, " ", f->property->name);
        add_word(h->why, "; ", f->remark);
    }
    if (h->fault->spared && !strcmp(f->subject->name, h->fault->spared))
        h->spared++;
}

/* Verifies the variants of a fault. If the fault is in a variant, the first
 * variant of the list is the faulty one. */
static void planted(void **state)
{
    const struct fault *f = *state;
    struct heard heard = {.fault = f};
    const struct variant *list[8] = {NULL};
    struct backend be = backend_cpu;
    struct variant wrong;
    char *words = str_copy(f->variants), *rest = words, *word;
    int n = 0;

    while ((word = strtok_r(NULL, " ", &rest)))
        list[n++] = fault_truth(word);
    free(words);
    if (f->variant) {
        wrong = *list[0];
        f->variant(&wrong);
        list[0] = &wrong;
    } else
        f->kernel(&be);
    assert_true(verify_run(list, &be, hear, &heard) == heard.failed);
    if (strcmp(heard.failing, f->failing))
        fail_msg("'%s' failed, not '%s': %s", heard.failing, f->failing,
                 heard.why);
    assert_int_equal(heard.spared, 0);
}

/* ---- correct and new variants ---- */

static void nothing(void *arg, const struct finding *f)
{
    int *n = arg;

    if (f->verdict == VERDICT_FAIL)
        fail_msg("%s: %s: %s", f->subject->name, f->property->name, f->remark);
    n[f->verdict]++;
}

static void all_true(void **state)
{
    int n[3] = {0};

    (void)state;
    assert_int_equal(verify_run(variant_all, &backend_cpu, nothing, n),
                     0);
    assert_true(n[VERDICT_PASS] > 300);
}

static void hear_new(void *arg, const struct finding *f)
{
    int *without = arg;

    assert_int_not_equal(f->verdict, VERDICT_FAIL);
    if (f->verdict == VERDICT_NONE && !strcmp(f->remark, property_no_formula)) {
        assert_string_equal(f->subject->name, "newcomer");
        ++*without;
    }
}

/* A variant without a formula is still verified in all other respects. */
static void unknown(void **state)
{
    struct variant fresh = *fault_truth("random");
    const struct variant *list[] = {&fresh, NULL};
    int without = 0;

    (void)state;
    fresh.name = "newcomer";
    assert_int_equal(verify_run(list, &backend_cpu, hear_new, &without), 0);
    assert_int_equal(without, 3); /* output, gradient, parameters */
}

int main(void)
{
    static struct CMUnitTest test[64] = {
        {"what is true passes", all_true, NULL, NULL, NULL},
        {"a variant without a formula is reported as such", unknown, NULL, NULL,
         NULL},
    };
    size_t n = 2;
    const struct fault *list[] = {fault_variants, fault_kernels};

    for (int i = 0; i < 2; i++)
        for (const struct fault *f = list[i]; f->sentence; f++)
            test[n++] = (struct CMUnitTest){f->sentence, planted, NULL, NULL,
                                            (void *)(uintptr_t)f};
    return _cmocka_run_group_tests("planted faults", test, n, NULL, NULL);
}
