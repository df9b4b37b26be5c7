/* Contrast of colours. */
#include "harness/base/colour.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

static void contrast(void **state)
{
    (void)state;
    assert_true(fabs(colour_contrast(0, COLOUR_WHITE) - 21) < 1e-9);
    assert_true(fabs(colour_contrast(0x777777, COLOUR_WHITE) - 4.478) < 1e-3);
    assert_true(fabs(colour_contrast(COLOUR_WHITE, 0x777777) - 4.478) < 1e-3);
    assert_true(colour_contrast(0x0072b2, 0x0072b2) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"contrast is that of WCAG", contrast, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("colour", tests, NULL, NULL);
}
