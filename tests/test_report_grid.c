#include "harness/report/grid.h"
#include "harness/report/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct grid_column column[] = {{"", "Name", "", 1},
                                      {"Task", "CE\u2193", "nats", 0},
                                      {"Task", "x", "", 0},
                                      {"Other", "y_z", "", 0}};

static struct grid_cell cell[] = {
    {"M\u00FCller", 0}, {"1.5", 0},  {"-", 0},  {"10", 0},
    {"\u6F22\u5B57", 0}, {"12.5", 1}, {"a|b", 0}, {"9", 0},
    {"end", 0},          {"", 0},     {"", 0},  {"", 0}};

static const struct grid grid = {.rows = 3, .columns = 4, .rule = 2,
                                 .column = column, .cell = cell};

static char *rendered(void (*write)(const struct grid *g, FILE *out))
{
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    write(&grid, f);
    fclose(f);
    return text;
}

static void text(void **state)
{
    char *got = rendered(grid_text);

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
    struct grid_column wide[COLUMNS] = {{"", "Name", "", 1}};
    struct grid_cell cells[COLUMNS] = {{"row", 0}};
    int with[COLUMNS] = {0};
    struct grid g = {.rows = 1, .columns = COLUMNS, .column = wide,
                     .cell = cells, .with = with};
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    (void)state;
    for (int i = 1; i < COLUMNS; i++) {
        wide[i] = (struct grid_column){groups[(i - 1) / 6], "abcdefghijkl", "",
                                       0};
        cells[i].text = "0123456789";
        with[i] = (i - 1) % 6 == 2;
    }
    grid_text(&g, f);
    fclose(f);
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
    char *got = rendered(grid_markdown);

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
    char out[16];

    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        assert_string_equal(layout_short(pair[i].x, out), pair[i].want);
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
