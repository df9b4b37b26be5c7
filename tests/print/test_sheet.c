#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/print/sheet.h"
#include "tests/support/print_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
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

/* 19 columns of width 8, in groups of 6, 6, 6 and 1. The third column of each
 * group of 6 must stay next to the second. */
static void parts(void **state)
{
    enum { COLUMNS = 20 };
    static const char *const groups[] = {"one", "two", "three", "four"};
    struct grid_column wide[COLUMNS] = {{"", "Name", "", 1, 0}};
    struct sheet *sheet = sheet_new();

    (void)state;
    for (int i = 1; i < COLUMNS; i++)
        wide[i] = (struct grid_column){groups[(i - 1) / 6], "abcdefgh", "",
                                       0, (i - 1) % 6 == 2};
    struct grid *g = sheet_grid(sheet, wide, COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        grid_add(g, "%s", i ? "01234567" : "row");
    char *text = printed_sheet(sheet, "text");
    int lines = 0, names = 0;
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        assert_true(strchr(line, '\n') - line <= 80);
        lines++;
        names += !strncmp(line, "row ", 4);
    }
    assert_int_equal(names, 3); /* one; two; three and four */
    assert_int_equal(lines, 3 * 5 + 2);
    /* no group is printed twice, so none is split */
    for (int i = 0; i < 4; i++) {
        const char *first = strstr(text, groups[i]);

        assert_non_null(first);
        assert_null(strstr(first + 1, groups[i]));
    }
    free(text);
}

/* The sheet of `text` is 24 columns wide. At a width of 20, it is split into
 * two strips. */
static void narrow(void **state)
{
    struct sheet *sheet = made();
    char *text;

    (void)state;
    sheet->width = 20;
    text = printed_sheet(sheet, "text");
    assert_string_equal(text, "          Task\n"
                              "        ---------\n"
                              "Name     CE\u2193    x\n"
                              "-----------------\n"
                              "M\u00FCller   1.5    -\n"
                              "\u6F22\u5B57    12.5* a|b\n"
                              "-----------------\n"
                              "end\n"
                              "\n"
                              "        Other\n"
                              "        -----\n"
                              "Name      y_z\n"
                              "-------------\n"
                              "M\u00FCller     10\n"
                              "\u6F22\u5B57        9\n"
                              "-------------\n"
                              "end\n");
    free(text);
}

static void holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

/* Special characters of LaTeX are escaped, and so is text after the end of a
 * row that LaTeX would take for an argument. */
static void latex(void **state)
{
    struct sheet *s = made();
    struct grid *g = s->part[0].grid;

    (void)state;
    grid_add(g, "[%s\t%s\t%s\t%s", "a_b", "-1.5", "50 % & $x^2~{\\}", "#");
    sheet_put(s, PART_ITEM, "%s", "1 < 2");
    sheet_put(s, PART_CODE, "%s", "run 'a_b'");
    sheet_put(s, PART_ITEM, "%s", "\u6F22");
    char *got = printed_sheet(s, "tex");
    holds(got, "\\begin{tabular}{lrrr}\n\\toprule\n\\multicolumn{1}{c}{} & "
               "\\multicolumn{2}{c}{Task} & \\multicolumn{1}{c}{Other} "
               "\\\\\n\\cmidrule(lr){2-3}\n\\cmidrule(lr){4-4}\n"
               "Name & CE$\\downarrow$ (nats) & x & y\\_z \\\\\n\\midrule\n");
    holds(got, " & \\textbf{12.5} & a\\textbar{}b & 9 \\\\\n\\midrule\nend");
    holds(got, "\n{}[a\\_b & $-$1.5 & 50 \\% \\& \\$x\\textasciicircum{}2"
               "\\textasciitilde{}\\{\\textbackslash{}\\} & \\# \\\\\n"
               "\\bottomrule\n");
    holds(got, "\\begin{itemize}\n\\item{} 1 \\textless{} 2\n% run 'a_b'\n"
               "\\item{} (U+6F22)\n\\end{itemize}\n");
    free(got);
}

/* The HTML is a complete page that loads nothing from elsewhere. */
static void html(void **state)
{
    struct sheet *s = made();

    (void)state;
    sheet_put(s, PART_TITLE, "%s", "a <b> & c");
    sheet_put(s, PART_CODE, "%s", "run 'a_b'");
    char *got = printed_sheet(s, "html");
    assert_memory_equal(got, "<!DOCTYPE html>", 15);
    holds(got, "<title>a &lt;b&gt; &amp; c</title>");
    holds(got, "<h1>a &lt;b&gt; &amp; c</h1>");
    holds(got, "<th scope=\"row\">M\u00FCller</th><td>1.5</td><td>-</td>");
    holds(got, "<td><b>12.5<span aria-hidden=\"true\">*</span>");
    holds(got, "<code>run 'a_b'</code>");
    assert_null(strstr(got, "<script"));
    assert_null(strstr(got, "<link"));
    assert_null(strstr(got, "src="));
    free(got);
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
    assert_string_equal(grid_count(1234, "B", out), "1.23 kB");
    assert_string_equal(grid_count(5, "FLOP", out), "5 FLOP");
    assert_string_equal(grid_count(2e18, "FLOP", out), "2000 PFLOP");
}

/* Returns a sheet with one part of each kind, in the order in which commands
 * usually put them. */
static struct sheet *parted(void)
{
    static const char *const head[] = {"a", "b"};
    struct sheet *s = sheet_new();

    sheet_put(s, PART_TITLE, "Title");
    sheet_put(s, PART_WARNING, "warned");
    struct grid *g = sheet_listing(s, "<>", head);
    grid_add(g, "%s", "x");
    grid_add(g, "%d", 10);
    sheet_put(s, PART_ITEM, "one");
    sheet_put(s, PART_BEST, "the best");
    sheet_put(s, PART_HEADING, "Heading <i>");
    sheet_put(s, PART_PARAGRAPH, "prose");
    sheet_put(s, PART_GAP, "%s", "");
    sheet_put(s, PART_LINE, "line");
    sheet_put(s, PART_CODE, "x|y_z");
    sheet_put(s, PART_CODE, "w");
    sheet_put(s, PART_ITEM, "two");
    sheet_put(s, PART_CODE, "v");
    return s;
}

static void parts_in_text(void **state)
{
    char *got = printed_sheet(parted(), "text");

    (void)state;
    assert_string_equal(got, "Title\n*** warned\n\na   b\nx  10\n\n  one\n"
                             "  *: the best\n\nHeading <i>\nprose\n\nline\n"
                             "  x|y_z\n  w\n  two\n  v\n");
    free(got);
}

static void parts_in_markdown(void **state)
{
    char *got = printed_sheet(parted(), "md");

    (void)state;
    assert_string_equal(got, "### Title\n\n> **warned**\n\n| a | b |\n"
                             "|:---|---:|\n| x | 10 |\n\n* one\n"
                             "* bold: the best\n\n**Heading \\<i\\>**\n\n"
                             "prose\n\nline\n\n```\nx|y_z\nw\n```\n\n"
                             "* two\n\n```\nv\n```\n");
    free(got);
}

static struct sheet *of_programs(void)
{
    struct sheet *s = sheet_new();

    s->records = json_pack("[{s:s, s:f, s:b, s:i}, {s:s, s:f, s:b, s:i}]",
                           "a,b", "say \"x\"", "real", 0.1, "flag", 1, "n", -3,
                           "a,b", "", "real", (double)NAN, "flag", 0, "n", 7);
    s->object = json_pack("{s:f, s:w, s:w}", "x", 0.1, "whole", 3.0, "none",
                          (double)INFINITY);
    return s;
}

static void csv(void **state)
{
    char *got = printed_sheet(of_programs(), "csv");

    (void)state;
    assert_string_equal(got, "\"a,b\",real,flag,n\r\n"
                             "\"say \"\"x\"\"\",0.1,1,-3\r\n,,0,7\r\n");
    free(got);
}

static void json(void **state)
{
    struct sheet *s = of_programs();

    (void)state;
    s->schema = 4;
    char *got = printed_sheet(s, "json");
    assert_string_equal(got, "{\n \"schema_version\": 4,\n \"x\": 0.1,\n"
                             " \"whole\": 3,\n \"none\": null\n}\n");
    free(got);
}

struct named { const char *name, *title; double x; int n; };

static const char *doubled(const void *row, struct arena *a)
{
    return arena_format(a, "%d", 2 * ((const struct named *)row)->n);
}

static void relations(void **state)
{
    static const struct column columns[] = {
        {"name", "Name", COLUMN(struct named, name)},
        {"title", NULL, COLUMN_AS(COLUMN_WORD, struct named, title)},
        {"x", "x", COLUMN(struct named, x), "%+.2f", "none"},
        {NULL, "2n", COLUMN(struct named, n), .show = doubled},
        {"n", NULL, COLUMN(struct named, n)},
        {.type = COLUMN_END}};
    static const struct named row[] = {{"ab", "A long one", 1.5, 3},
                                       {"c", "", NAN, -4}};
    static const char *const want[] = {
        "Name      x  2n\nab    +1.50   6\nc      none  -8\n",
        "name,title,x,n\r\nab,A long one,1.5,3\r\nc,,,-4\r\n",
        "{\n \"schema_version\": 1,\n \"rows\": [\n"
        "  {\n   \"name\": \"ab\",\n   \"title\": \"A long one\",\n"
        "   \"x\": 1.5,\n   \"n\": 3\n  },\n"
        "  {\n   \"name\": \"c\",\n   \"title\": null,\n"
        "   \"x\": null,\n   \"n\": -4\n  }\n ]\n}\n"};
    static const char *const format[] = {"text", "csv", "json"};
    const struct named *const at[] = {row, row + 1};

    (void)state;
    for (int i = 0; i < 6; i++) {
        struct sheet *s = sheet_new();
        struct relation r = {"rows", columns, row, sizeof *row, 2};

        if (i % 2) { /* pointers to the rows have the same effect */
            r.row = at;
            r.size = 0;
        }
        assert_non_null(sheet_relation(s, &r));
        char *got = printed_sheet(s, format[i / 2]);
        assert_string_equal(got, want[i / 2]);
        free(got);
    }
}

/* Without rows there is no grid, and the list is empty. */
static void no_rows(void **state)
{
    static const struct column columns[] = {
        {"name", "Name", COLUMN(struct named, name)}, {.type = COLUMN_END}};
    struct sheet *s = sheet_new();

    (void)state;
    assert_null(sheet_relation(s, &(struct relation){"rows", columns, NULL,
                                                     sizeof(struct named), 0}));
    assert_int_equal(s->parts, 0);
    assert_int_equal(json_array_size(json_object_get(s->object, "rows")), 0);
    sheet_close(s);
}

static void several(void **state)
{
    struct sheet *s = sheet_new();
    struct grid *g = sheet_listing(s, "<><", NULL);

    (void)state;
    grid_add(g, "%s\t%d\t%s", "ab", 7, "c\td");
    grid_add(g, "\t");
    assert_int_equal(g->cells, 5);
    assert_string_equal(grid_at(g, 0, 0)->text, "ab");
    assert_string_equal(grid_at(g, 0, 1)->text, "7");
    assert_string_equal(grid_at(g, 0, 2)->text, "c d");
    assert_string_equal(grid_at(g, 1, 0)->text, "");
    assert_string_equal(grid_at(g, 1, 1)->text, "");
    sheet_close(s);
}

/* Returns a sheet with ESC, a line break, C1 and a bidi control, also in a
 * heading and in a unit. */
static struct sheet *hostile(void)
{
    static const struct grid_column evil[] = {
        {"", "a\x1b[2J\nb\xc2\x9b", "", 1, 0},
        {"", "c", "\x1b]0;t\x07\xe2\x80\xae", 0, 0}};
    struct sheet *s = sheet_new();
    struct grid *g = sheet_grid(s, evil, 2);

    grid_add(g, "%s", "e\x1b\xe2\x81\xa6");
    grid_add(g, "%s", "\xff");
    sheet_put(s, PART_LINE, "%s", "c\rd\xc2\xa0\xc3\xa9\n# forged");
    sheet_put(s, PART_CODE, "%s", "x\n```\n<b>");
    s->object = json_pack("{s:s}", "k", "\x1b\xc2\x9b\xe2\x80\xae\x7f");
    return s;
}

static void harmless(void **state)
{
    static const char *const format[] = {"text", "md", "tex", "html", "json"};
    static const char *const steers[] = {"\x1b", "\xc2\x9b", "\xe2\x80\xae",
                                         "\xe2\x81\xa6", "\x07", "\x7f", "\r",
                                         "\xff"};

    (void)state;
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        char *got = printed_sheet(hostile(), format[i]);

        for (size_t k = 0; k < sizeof steers / sizeof *steers; k++)
            assert_null(strstr(got, steers[k]));
        assert_null(strstr(got, "\n# forged"));
        free(got);
    }
}

static void json_steers(void **state)
{
    char *got = printed_sheet(hostile(), "json");

    (void)state;
    holds(got, "\\u001B\\u009b\\u202e\\u007f");
    free(got);
}

static void formulas(void **state)
{
    static const struct { const char *text, *want; } pair[] = {
        {"=1+1", "'=1+1"},     {"+cmd", "'+cmd"},      {"-2+3", "'-2+3"},
        {"@SUM(A1)", "'@SUM(A1)"}, {"\t=1", "'\t=1"},  {"-1.5", "-1.5"},
        {"+2", "+2"},          {"-", "-"},             {"a=1", "a=1"},
        {"=\"a\"", "\"'=\"\"a\"\"\""}, {"\uFF1D1", "'\uFF1D1"},
        {"a\x1b[2J\xc2\x9b", "a?[2J?"}};

    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct sheet *s = sheet_new();

        s->records = json_pack("[{s:s}]", "k", pair[i].text);
        s->object = json_object();
        char *got = printed_sheet(s, "csv");
        OWNED(free) char *want = str_format("k\r\n%s\r\n", pair[i].want);
        assert_string_equal(got, want);
        free(got);
    }
}

/* A forged baseline must not put links, pictures or mentions into a comment. */
static void markdown_marks(void **state)
{
    static const struct { const char *text, *want; } pair[] = {
        {"[a](http://b)", "* \\[a\\]\\(http:&#8203;//b)\n"},
        {"![a](b)", "* \\!\\[a\\]\\(b)\n"},
        {"@name #123 GH-12", "* \\@&#8203;name \\#&#8203;123 GH-&#8203;12\n"},
        {"www.b.org", "* www&#8203;.b.org\n"},
        {"<img> &lt; ~~a~~", "* \\<img\\> \\&lt; \\~\\~a\\~\\~\n"},
        {"# a\n# b", "* \\# a \\# b\n"},
        {"1. a", "* 1\\. a\n"},
        {"+ 1", "* \\+ 1\n"},
        {"--- a && b", "* \\--- a && b\n"},
        {"[-0.5, 1e-3] [1](b) [2]: c",
         "* [-0.5, 1e-3] \\[1\\]\\(b) \\[2\\]: c\n"},
        {"a - b (c) d!", "* a - b (c) d!\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct sheet *s = sheet_new();

        sheet_put(s, PART_ITEM, "%s", pair[i].text);
        char *got = printed_sheet(s, "md");
        assert_string_equal(got, pair[i].want);
        free(got);
    }
}

static void markdown_unit(void **state)
{
    static const struct grid_column of[] = {{"", "a", "<b>|", 1, 0}};
    struct sheet *s = sheet_new();

    (void)state;
    sheet_grid(s, of, 1);
    sheet_put(s, PART_CODE, "%s", "a ``` b");
    char *got = printed_sheet(s, "md");
    holds(got, "| a (\\<b\\>\\|) |");
    holds(got, "````\na ``` b\n````\n");
    free(got);
}

/* A list for programs has one line per row. If the width is known, words are
 * wrapped but numbers are not, and a note that does not fit is placed below. */
static struct sheet *list(void)
{
    static const char *const head[] = {"id", "what it is", "n", "", NULL};
    struct sheet *s = sheet_new();
    struct grid *g = sheet_listing(s, "<<><", head);

    grid_add(g, "a1\ta matter of some words\t1\tand a note");
    grid_add(g, "b2\tone\t12345\t");
    return s;
}

static void listing(void **state)
{
    struct sheet *s = list();
    char *got;

    (void)state;
    got = printed_sheet(s, "text");
    assert_string_equal(
        got, "id  what it is                  n\n"
             "a1  a matter of some words      1  and a note\n"
             "b2  one                     12345\n");
    free(got);
    s = list();
    s->width = 34;
    got = printed_sheet(s, "text");
    assert_string_equal(got, "id  what it is       n\n"
                             "a1  a matter of      1  and a note\n"
                             "    some words\n"
                             "b2  one          12345\n");
    free(got);
    s = list();
    s->width = 19;
    got = printed_sheet(s, "text");
    assert_string_equal(got, "id  what it       n\n"
                             "    is\n"
                             "a1  a matter      1\n"
                             "    of some\n"
                             "    words\n"
                             "    and a note\n"
                             "b2  one       12345\n");
    free(got);
}

static void ascii(void **state)
{
    struct sheet *s = made();

    (void)state;
    s->ascii = 1;
    char *got = printed_sheet(s, "text");
    assert_non_null(strstr(got, "\nName     CEv    x    y_z\n"));
    /* text from other sources is unchanged */
    assert_non_null(strstr(got, "\nM\u00FCller "));
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"a text grid is aligned by display width and ends no line in a blank",
         text, NULL, NULL, NULL},
        {"a wide text grid is parted between groups, the first column before "
         "each part", parts, NULL, NULL, NULL},
        {"one that is told how wide it may be is parted so", narrow, NULL, NULL,
         NULL},
        {"a list is a line a row, or wrapped in its columns", listing, NULL,
         NULL, NULL},
        {"arrows are spelt where a locale has none", ascii, NULL, NULL, NULL},
        {"LaTeX has rules of booktabs, and nothing of a text is its own", latex,
         NULL, NULL, NULL},
        {"HTML is a page that stands alone", html, NULL, NULL, NULL},
        {"a Markdown grid escapes bars and sets the best in bold", markdown,
         NULL, NULL, NULL},
        {"counts are shortened to three digits", shorts, NULL, NULL, NULL},
        {"in text a blank line stands around a grid and before a heading",
         parts_in_text, NULL, NULL, NULL},
        {"in Markdown one stands between all parts but items",
         parts_in_markdown, NULL, NULL, NULL},
        {"CSV quotes what needs it; null is empty, true is 1", csv, NULL, NULL,
         NULL},
        {"JSON begins with the schema; what is no number is null", json, NULL,
         NULL, NULL},
        {"a relation is a grid, records and a list", relations, NULL, NULL,
         NULL},
        {"one without rows is an empty list alone", no_rows, NULL, NULL, NULL},
        {"a tab of a format begins a cell, one of the last value does not",
         several, NULL, NULL, NULL},
        {"JSON escapes controls of C1 and of direction too", json_steers, NULL,
         NULL, NULL},
        {"CSV marks a text that a spreadsheet would compute", formulas, NULL,
         NULL, NULL},
        {"Markdown shows links, mentions and HTML as text", markdown_marks,
         NULL, NULL, NULL},
        {"... in a unit and in code too", markdown_unit, NULL, NULL, NULL},
        {"nothing that steers a terminal comes out of a sheet", harmless, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
