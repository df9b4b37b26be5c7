/* Formulas as MathML: scripts, groups, signs, lines, and text that is not
 * markup. */
#include "harness/print/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void is_written_as(const char *formula, const char *want)
{
    struct markup *m = markup_new();
    size_t bytes;

    formula_write(m, formula);
    const char *got = markup_bytes(m, &bytes) + strlen("<!DOCTYPE html>");
    char line[512];
    snprintf(line, sizeof line, "\n<div><math>%s</math></div>", want);
    assert_string_equal(got, line);
    markup_close(m);
}

static void scripts(void **state)
{
    (void)state;
    is_written_as("X_h", "<msub><mi>X</mi><mi>h</mi></msub>");
    is_written_as("d^2", "<msup><mi>d</mi><mn>2</mn></msup>");
    is_written_as("K_h^T", "<msubsup><mi>K</mi><mi>h</mi><mi>T</mi></msubsup>");
    is_written_as("b_{1,h}", "<msub><mi>b</mi><mrow><mn>1</mn><mo>,</mo>"
                             "<mi>h</mi></mrow></msub>");
    is_written_as("_", "<mo>_</mo>");
    is_written_as("X_", "<mi>X</mi><mo>_</mo>");
    is_written_as("{a", "<mrow><mi>a</mi></mrow>");
}

static void signs(void **state)
{
    (void)state;
    is_written_as("R in RR", "<mi>R</mi><mo>\u2208</mo><mo>\u211d</mo>");
    is_written_as("sin x", "<mi>sin</mi><mo>\u00d7</mo>");
    is_written_as("[a]", "<mo stretchy=\"false\">[</mo><mi>a</mi>"
                         "<mo stretchy=\"false\">]</mo>");
    is_written_as("a < 1", "<mi>a</mi><mo>&lt;</mo><mn>1</mn>");
}

static void lines(void **state)
{
    (void)state;
    is_written_as("a; b", "<mi>a</mi></math></div>\n<div><math><mi>b</mi>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"scripts go below and above, and groups are one script", scripts,
         NULL, NULL, NULL},
        {"words that name a sign become the sign; markup is escaped", signs,
         NULL, NULL, NULL},
        {"a semicolon begins a new line", lines, NULL, NULL, NULL}};

    return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
