/* Colours of pictures on dark pages. */
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

/* Colours of every lightness and hue, but not so dark that no colour has their
 * contrast with the dark background. */
static void on_dark(void **state)
{
    int n = 0;

    (void)state;
    for (unsigned c = 0; c < 0x1000; c += 7) {
        unsigned colour = (c & 0xf00) * 0x1100 + (c & 0xf0) * 0x110 +
                          (c & 0xf) * 0x11;
        double light = colour_contrast(colour, COLOUR_WHITE);
        double dark = colour_contrast(colour_on_dark(colour), COLOUR_DARK);

        if (light > 17)
            continue;
        assert_true(dark >= light && dark < 1.15 * light);
        n++;
    }
    assert_true(n > 400);
    assert_int_equal(colour_on_dark(COLOUR_WHITE), COLOUR_DARK);
    assert_int_equal(colour_on_dark(0), COLOUR_WHITE);
}

static void reading(void **state)
{
    static const char *const none[] = {
        "", "none", "currentColor", "#12345", "#1234567", "#12345g",
        "rgb(1,2)", "rgb(1,2,256)", "rgb(1,2,-3)", "rgb(1,2,3);x",
        "rgb(1,2,3", "#+12345", "url(#x)"};
    unsigned colour = 1;

    (void)state;
    assert_true(colour_read(&colour, "black") && colour == 0);
    assert_true(colour_read(&colour, "white") && colour == COLOUR_WHITE);
    assert_true(colour_read(&colour, "#0072B2") && colour == 0x0072b2);
    assert_true(colour_read(&colour, "rgb( 68,  9,   0)") &&
                colour == 0x440900);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(colour_read(&colour, none[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"contrast is that of WCAG", contrast, NULL, NULL, NULL},
        {"a colour on dark has the contrast that it had on white", on_dark,
         NULL, NULL, NULL},
        {"colours are read completely or not at all", reading, NULL, NULL,
         NULL}};

    return cmocka_run_group_tests_name("colour", tests, NULL, NULL);
}
