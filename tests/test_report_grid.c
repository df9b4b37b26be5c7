#include "harness/print/sheet.h"
#include "tests/printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct grid_column column[] = {{"", "Name", "", 1, 0},
                                            {"Task", "CE\u2193", "nats", 0, 0},
                                            {"Task", "x", "", 0, 0},
                                            {"Other", "y_z", "", 0, 0}};

static struct sheet *made(void)
{
    static const char *const cell[] = {
        "M\u00FCller", "1.5", "-", "10", "\u6F22\u5B57", "12.5", "a|b", "9",
        "end", "", "", ""};
    struct sheet *s = sheet_new();
    struct grid *g = sheet_grid(s, column, 4);

    for (int i = 0; i < 12; i++) {
        grid_add(g, "%s", cell[i]);
        if (i == 5)
            grid_best(g);
    }
    g->rule = 2;
    return s;
}

static void text(void **state)
{
    char *got = printed_sheet(made(), "text");

    (void)state;
    assert_string_equal(got, "          Task     Other\n"
                             "        ---------  -----\n"
                             "Name     CE\u2193    x    y_z\n"
                             "------------------------\n"
                             "M\u00FCller   1.5    -     10\n"
                             "\u6F22\u5B57    12.5* a|b      9\n"
                             "------------------------\n"
                             "end\n");
    free(got);
}

/* 19 columns of 12 in groups of 6, the third of each bound to the second. */
static void parts(void **state)
{
    enum { COLUMNS = 20 };
    static const char *const groups[] = {"one", "two", "three", "four"};
    struct grid_column wide[COLUMNS] = {{"", "Name", "", 1, 0}};
    struct sheet *sheet = sheet_new();

    (void)state;
    for (int i = 1; i < COLUMNS; i++)
        wide[i] = (struct grid_column){groups[(i - 1) / 6], "abcdefghijkl", "",
                                       0, (i - 1) % 6 == 2};
    struct grid *g = sheet_grid(sheet, wide, COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        grid_add(g, "%s", i ? "0123456789" : "row");
    char *text = printed_sheet(sheet, "text");
    int lines = 0, names = 0;
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        assert_true(strchr(line, '\n') - line <= 120);
        lines++;
        names += !strncmp(line, "row ", 4);
    }
    assert_int_equal(names, 3); /* one, two, three and four */
    assert_int_equal(lines, 3 * 5 + 2);
    for (int i = 0; i < 4; i++) { /* none is told twice: none is parted */
        const char *first = strstr(text, groups[i]);

        assert_non_null(first);
        assert_null(strstr(first + 1, groups[i]));
    }
    free(text);
}

static void markdown(void **state)
{
    char *got = printed_sheet(made(), "md");

    (void)state;
    assert_string_equal(got,
                        "| Name | Task CE\u2193 (nats) | Task x | "
                        "Other y\\_z |\n"
                        "|:---|---:|---:|---:|\n"
                        "| M\u00FCller | 1.5 | - | 10 |\n"
                        "| \u6F22\u5B57 | **12.5** | a\\|b | 9 |\n"
                        "| end |  |  |  |\n");
    free(got);
}

static void shorts(void **state)
{
    static const struct { double x; const char *want; } pair[] = {
        {0, "0"},         {999, "999"},       {999.6, "1.00K"}, {1234, "1.23K"},
        {98765, "98.8K"}, {999499, "999K"},   {999500, "1.00M"},
        {67e6, "67.0M"},  {222903552, "223M"}, {1.5e12, "1.50T"}};
    char out[32];

    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        assert_string_equal(grid_count(pair[i].x, NULL, out), pair[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a text grid is aligned by display width and ends no line in a blank",
         text, NULL, NULL, NULL},
        {"a wide text grid is parted between groups, the first column before "
         "each part", parts, NULL, NULL, NULL},
        {"a Markdown grid escapes bars and sets the best in bold", markdown,
         NULL, NULL, NULL},
        {"counts are shortened to three digits", shorts, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
