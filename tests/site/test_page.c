/* Names of pages: for any row name, the page is in its folder, and no two rows
 * share a page. */
#include "harness/base/arena.h"
#include "harness/site/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void names(void **state)
{
    static const char *const of[][2] = {
        {"random+dense,steps=700", "random+dense,steps=700"},
        {"a/b", "a~2fb"}, {"../x", "~2e.~2fx"}, {"..", "~2e."},
        {"a b\"<&#?%", "a~20b~22~3c~26~23~3f~25"}, {"a~2fb", "a~7e2fb"},
        {"\xc3\xa9", "~c3~a9"}};
    struct site s = {.memory = arena_new()};
    char one[300], two[300];

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_string_equal(page_name(&s, of[i][0]), of[i][1]);
    memset(one, 'x', sizeof one);
    memset(two, 'x', sizeof two);
    one[298] = 'y';
    one[299] = two[299] = 0;
    assert_true(strlen(page_name(&s, one)) < 200);
    assert_string_not_equal(page_name(&s, one), page_name(&s, two));
    arena_free(s.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names)};

    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
