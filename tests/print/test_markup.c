/* HTML and pictures: any label is printed as text, never as markup. */
#include "harness/print/markup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const char start[] = "<!DOCTYPE html>";

static void holds(struct markup *m, const char *want)
{
    size_t n;
    const char *got = markup_bytes(m, &n);

    assert_int_equal(n, strlen(got));
    assert_memory_equal(got, start, strlen(start));
    assert_string_equal(got + strlen(start), want);
}

static void is_text(void **state)
{
    static const char *const of[][3] = { /* label, text, attribute */
        {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"\" onclick=\"x", "&quot; onclick=&quot;x"},
        {"' & &amp; ]]>", "' &amp; &amp;amp; ]]&gt;"},
        {"a\x01\x1b[31mb\x7f\nc", "a  [31mb  c"},
        {"\xff\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
         "&#xFFFD;&#xFFFD;&#xFFFD;"},
        {"\xe6\xbc\xa2", "\xe6\xbc\xa2", "&#x6F22;"},
        {"%s%n", "%s%n"}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        OWNED(markup_close) struct markup *m = markup_new();
        char want[256];

        markup_open(m, "b");
        markup_attribute(m, "title", "%s", of[i][0]);
        markup_text(m, of[i][0]);
        markup_format(m, "%s", of[i][0]);
        markup_shut(m);
        snprintf(want, sizeof want, "<b title=\"%s\">%s%s</b>",
                 of[i][2] ? of[i][2] : of[i][1], of[i][1], of[i][1]);
        holds(m, want);
    }
}

static void elements(void **state)
{
    OWNED(markup_close) struct markup *m = markup_new();

    (void)state;
    markup_open(m, "b");
    markup_open(m, "td");
    markup_shut(m);
    markup_open(m, "br");
    markup_shut(m);
    markup_element(m, "i", "x");
    markup_link(m, "cell/a+b.html#\"", "a<b");
    markup_link(m, NULL, "c");
    markup_ours(m, "<hr>");
    markup_shut(m);
    holds(m, "<b><td></td><br/><i>x</i><a href=\"cell/a+b.html#&quot;\">a&lt;b"
             "</a>c<hr></b>");
}

static void drawing(void **state)
{
    OWNED(markup_close) struct markup *m = markup_new();

    (void)state;
    markup_svg(m, "curve", "0 0 1 2", "q-", "A <b>", "what");
    markup_shut(m);
    holds(m, "\n<svg class=\"curve\" viewBox=\"0 0 1 2\" role=\"img\" "
             "aria-labelledby=\"q-title\" aria-describedby=\"q-desc\">\n"
             "<title id=\"q-title\">A &lt;b&gt;</title><desc id=\"q-desc\">"
             "what</desc></svg>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_text), cmocka_unit_test(elements),
        cmocka_unit_test(drawing)};

    return cmocka_run_group_tests_name("markup", tests, NULL, NULL);
}
