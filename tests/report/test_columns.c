/* Every column of Tables 2 to 7, in every format, from a store in which all
 * numbers differ: row and column must show what columns.h expects. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "tests/support/columns.h"
#include "tests/support/distinct.h"
#include "tests/support/print_tables.h"
#include "tests/support/program.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 2, LAST = 7, TEXT = 128 };

static const char INTERVALS[] = "\n**95 % confidence intervals**\n";

static char *store, *json[LAST + 1], *file[LAST + 1];

/* ---- failures ---- */

static void same(const struct expected *c, const char *row, const char *what,
                 double got, double want)
{
    if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s of %s on %s, '%s': shows %.12g, not %.12g", what, row,
                 c->task, c->heading, got, want);
}

static void words(const struct expected *c, const char *what, const char *got,
                  const char *want)
{
    if (strcmp(got ? got : "", want ? want : ""))
        fail_msg("%s on %s, '%s': '%s', not '%s'", what, c->task, c->heading,
                 got ? got : "", want ? want : "");
}

static void holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

/* ---- the tables, as the program prints them ---- */

static int begin(void **state)
{
    (void)state;
    store = distinct_store(NULL, DISTINCT_SEEDS);
    for (int k = FIRST; k <= LAST; k++) {
        json[k] = printed_table(k, "json", "--store", store);
        file[k] = str_format("%s/table%d.json", store, k);
        if (file_write(file[k], json[k], strlen(json[k])) < 0)
            fail_msg("%s", err_last());
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int k = FIRST; k <= LAST; k++) {
        free(json[k]);
        free(file[k]);
    }
    scratch_remove(store);
    return 0;
}

/* ---- JSON ---- */

static const char *text_of(json_t *j, const char *key)
{
    return json_string_value(json_object_get(j, key));
}

static double number_of(json_t *j, const char *key)
{
    json_t *x = json_object_get(j, key);

    return json_is_null(x)      ? NAN
           : json_is_boolean(x) ? json_is_true(x)
                                : json_number_value(x);
}

/* Lists the variants of a table in order, then its model-free baselines.
 * Returns the number of both; *variants receives the number of variants. */
static int rows_of(json_t *table, const char *name[COLUMN_ROWS], int *variants)
{
    size_t i;
    json_t *row;
    int n = 0;

    json_array_foreach(json_object_get(table, "rows"), i, row)
        name[n++] = text_of(row, "variant");
    *variants = n;
    json_array_foreach(json_object_get(table, "baselines"), i, row)
        name[n++] = text_of(row, "name");
    return n;
}

static json_t *cell_at(json_t *table, int variants, int row, int column)
{
    int reference = row >= variants;
    json_t *all = json_object_get(table, reference ? "baselines" : "rows");
    size_t at = (size_t)(reference ? row - variants : row);
    json_t *cells = json_object_get(json_array_get(all, at), "cells");

    return json_array_get(cells, (size_t)column);
}

static void check_json_cell(const struct expected *c, const char *row,
                            const struct shown *e, json_t *j)
{
    int r = distinct_row_of(row);
    char how[TEXT];

    same(c, row, "value", number_of(j, "value"), e->value);
    same(c, row, "low", number_of(j, "low"), r < 0 ? number_of(j, "low")
                                                   : e->low);
    same(c, row, "high", number_of(j, "high"), r < 0 ? number_of(j, "high")
                                                     : e->high);
    same(c, row, "published", number_of(j, "published"), e->published);
    same(c, row, "disputed", number_of(j, "disputed"), e->disputed);
    same(c, row, "rank", number_of(j, "rank"), e->rank);
    same(c, row, "published rank", number_of(j, "rank_published"),
         e->rank_published);
    same(c, row, "n", number_of(j, "n"), e->n);
    same(c, row, "star", number_of(j, "best"), e->best);
    same(c, row, "worse than blind", number_of(j, "worse_than_blind"),
         e->worse_than_blind);
    if (c->better)
        words(c, "source", text_of(j, "source"), e->source);
    words(c, "commit", text_of(j, "commit"), r < 0 ? ""
                                             : r   ? "bbbbbbb"
                                                   : "aaaaaaa");
    words(c, "status", text_of(j, "status"), e->n ? "done" : "missing");
    snprintf(how, sizeof how, "%s of %s", c->metric, c->task);
    words(c, "metric's signature", text_of(j, "metric_signature"),
          r >= 0 && c->better ? how : "");
}

static void check_json_column(const struct expected *c, json_t *j)
{
    char source[TEXT];

    snprintf(source, sizeof source, "texts of %s", c->task);
    words(c, "task", text_of(j, "task"), c->task);
    words(c, "metric", text_of(j, "metric"), c->metric);
    words(c, "heading", text_of(j, "heading"), c->heading);
    words(c, "title", text_of(j, "title"), c->what);
    words(c, "unit", text_of(j, "unit"), c->unit);
    words(c, "data", text_of(j, "data"), source);
    words(c, "held against", text_of(j, "published"), c->against);
    same(c, "", "the direction", number_of(j, "better"), c->better);
    same(c, "", "decimals", number_of(j, "decimals"), c->decimals);
    same(c, "", "synthetic", number_of(j, "synthetic"),
         !strcmp(c->task, "cnndm"));
    same(c, "", "subset", number_of(j, "subset"),
         !strcmp(c->task, "personachat"));
}

typedef void check(int table, json_t *all, const char *const *row, int variants,
                   int rows);

static void each_table(check *f)
{
    for (int k = FIRST; k <= LAST; k++) {
        json_t *all = json_loads(json[k], 0, NULL);
        const char *name[COLUMN_ROWS];
        int variants, rows = rows_of(all, name, &variants);

        f(k, all, name, variants, rows);
        json_decref(all);
    }
}

static void check_json(int table, json_t *all, const char *const *row,
                       int variants, int rows)
{
    const struct expected *c = column_tables[table];
    json_t *columns = json_object_get(all, "columns");

    assert_string_equal(row[0], "vanilla");
    for (int i = 0; c[i].task; i++) {
        json_t *column = json_array_get(columns, (size_t)i);

        check_json_column(&c[i], column);
        same(&c[i], "", "uninformative", number_of(column, "uninformative"),
             column_shows(&c[i], row[0], row, variants).uninformative);
        for (int r = 0; r < rows; r++) {
            struct shown e = column_shows(&c[i], row[r], row, variants);

            check_json_cell(&c[i], row[r], &e, cell_at(all, variants, r, i));
        }
    }
    assert_null(c[json_array_size(columns)].task);
}

static void in_json(void **state)
{
    (void)state;
    each_table(check_json);
}

/* Checks the comparisons: vanilla with uniform and, in Table 2, with the
 * unigram model. All six seeds agree in sign, so p is 2 / 2^6, times the number
 * of comparisons in the table. */
static void check_pairs(int table, json_t *all, const char *const *row,
                        int variants, int rows)
{
    int pairs = (int)json_array_size(json_object_get(all, "comparisons"));
    size_t i;
    json_t *pair;

    (void)row;
    (void)variants;
    (void)rows;
    json_array_foreach(json_object_get(all, "comparisons"), i, pair) {
        const struct expected ce = {.task = text_of(pair, "task"),
                                  .heading = "comparison", .metric = "ce"};
        const char *b = table == 2 && i % 2 ? "unigram" : "uniform";
        const char *list[] = {"vanilla", b};

        words(&ce, "a", text_of(pair, "a"), "vanilla");
        words(&ce, "b", text_of(pair, "b"), b);
        same(&ce, b, "difference", number_of(pair, "difference"),
             column_shows(&ce, "vanilla", list, 2).value -
                 column_shows(&ce, b, list, 2).value);
        same(&ce, b, "seeds", number_of(pair, "seeds"), DISTINCT_SEEDS);
        same(&ce, b, "p", number_of(pair, "p"), pairs / 32.0);
        words(&ce, "verdict", text_of(pair, "verdict"),
              pairs > 1 ? "undecided" : "a");
    }
    assert_int_equal(i, table == 2 ? 6 : table == 3 ? 2
                                     : table == 4 || table == 7 ? 0 : 1);
}

static void in_comparisons(void **state)
{
    (void)state;
    each_table(check_pairs);
}

/* ---- CSV ---- */

static double csv_number(const char *csv, const char *line, const char *name)
{
    const char *s = printed_field(csv, line, name);

    return *s ? strtod(s, NULL) : NAN;
}

static void check_csv_line(int table, const struct expected *c, const char *row,
                           const struct shown *e, const char *csv,
                           const char *line)
{
    static const struct { const char *name; size_t at; } reals[] = {
        {"value", offsetof(struct shown, value)},
        {"low", offsetof(struct shown, low)},
        {"high", offsetof(struct shown, high)},
        {"published", offsetof(struct shown, published)},
        {"rank", offsetof(struct shown, rank)},
        {"rank_published", offsetof(struct shown, rank_published)}};
    static const struct { const char *name; size_t at; } wholes[] = {
        {"n", offsetof(struct shown, n)},
        {"disputed", offsetof(struct shown, disputed)},
        {"best", offsetof(struct shown, best)},
        {"worse_than_blind", offsetof(struct shown, worse_than_blind)},
        {"uninformative", offsetof(struct shown, uninformative)}};
    int r = distinct_row_of(row);
    char text[TEXT];

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (r >= 0 || (strcmp(reals[i].name, "low") &&
                       strcmp(reals[i].name, "high")))
            same(c, row, reals[i].name, csv_number(csv, line, reals[i].name),
                 *(const double *)((const char *)e + reals[i].at));
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        same(c, row, wholes[i].name, csv_number(csv, line, wholes[i].name),
             *(const int *)((const char *)e + wholes[i].at));
    same(c, row, "table", csv_number(csv, line, "table"), table);
    same(c, row, "direction", csv_number(csv, line, "better"), c->better);
    same(c, row, "synthetic", csv_number(csv, line, "synthetic"),
         !strcmp(c->task, "cnndm"));
    same(c, row, "subset", csv_number(csv, line, "subset"),
         !strcmp(c->task, "personachat"));
    words(c, "scale", printed_field(csv, line, "scale"), "reduced");
    words(c, "task", printed_field(csv, line, "task"), c->task);
    words(c, "variant", printed_field(csv, line, "variant"), row);
    words(c, "metric", printed_field(csv, line, "metric"), c->metric);
    words(c, "unit", printed_field(csv, line, "unit"), c->unit);
    words(c, "status", printed_field(csv, line, "status"),
          e->n ? "done" : "missing");
    if (c->better)
        words(c, "source", printed_field(csv, line, "source"), e->source);
    snprintf(text, sizeof text, "%s of %s", c->metric, c->task);
    words(c, "metric's signature", printed_field(csv, line, "metric_signature"),
          r >= 0 && c->better ? text : "");
    snprintf(text, sizeof text, "texts of %s", c->task);
    words(c, "data", printed_field(csv, line, "data"), text);
    words(c, "commit", printed_field(csv, line, "commit"), r < 0 ? ""
                                                   : r   ? "bbbbbbb"
                                                         : "aaaaaaa");
}

static void check_csv(int table, json_t *all, const char *const *row,
                      int variants, int rows)
{
    char *csv = printed_table(table, "csv", "--store", store);
    const char *line = csv;

    (void)all;
    for (int r = 0; r < rows; r++)
        for (const struct expected *c = column_tables[table]; c->task; c++) {
            struct shown e = column_shows(c, row[r], row, variants);

            if (r >= variants && !e.n)
                continue;
            line = strchr(line, '\n') + 1;
            same(c, row[r], "reference", csv_number(csv, line, "reference"),
                 r >= variants);
            check_csv_line(table, c, row[r], &e, csv, line);
        }
    assert_string_equal(strchr(line, '\n'), "\n");
    free(csv);
}

/* In Table 2, the unigram model is better on wmt14_ende and lm1b. */
static void uninformative(void **state)
{
    json_t *all = json_loads(json[2], 0, NULL), *j;
    size_t i, kept = 0;

    (void)state;
    json_array_foreach(json_object_get(all, "correlations"), i, j) {
        int ce = !strcmp(text_of(j, "metric"), "ce");

        kept++;
        if (ce && !strcmp(text_of(j, "task"), "wmt14_ende"))
            fail_msg("an uninformative column takes part in a correlation");
    }
    assert_true(kept > 0);
    char *md = printed_table(2, "md", "--store", store);
    holds(md, "\n* WMT En-De, CE: uninformative: no variant's interval is "
              "below the model-free baseline Unigram model (1.450); no rank, "
              "star or correlation\n");
    if (strstr(md, "WMT En-Fr, CE: uninf") || strstr(md, "tok.acc: uninf"))
        fail_msg("a column says that it is uninformative, and is not");
    free(md);
    json_decref(all);
}

static void in_csv(void **state)
{
    (void)state;
    each_table(check_csv);
}

/* ---- Markdown and text ---- */

static const char *next(const char *line) { return strchr(line, '\n') + 1; }

static void put_row(char *out, const char *sign, const char *text)
{
    snprintf(out + strlen(out), 2 * TEXT - strlen(out), "%s%s", sign, text);
}

static const char *arrow(const struct expected *c)
{
    return c->better > 0 ? "\u2191" : c->better < 0 ? "\u2193" : "";
}

/* Checks the heading of a column and the heading of its group above it. */
static void check_heading(const struct expected *c, const char *line, int at,
                          int uninformative, int has_paper)
{
    char want[2 * TEXT] = "";
    int plain = !strcmp(c->unit, "1");

    put_row(want, c->group, " ");
    put_row(want, c->heading, arrow(c));
    put_row(want, uninformative ? " uninformative" : "", "");
    put_row(want, plain ? "" : " (", plain ? "" : c->unit);
    put_row(want, plain ? "" : ")", "");
    words(c, "heading", printed_piped(line, at), want);
    snprintf(want, sizeof want, "%s paper", c->group);
    if (has_paper)
        words(c, "heading of the paper's", printed_piped(line, at + 1), want);
}

static void check_value(const struct expected *c, const struct shown *e,
                        const char *got)
{
    const char *mark = e->best ? "**" : "";
    char want[TEXT];

    if (isnan(e->value))
        snprintf(want, sizeof want, "-");
    else if (c->better)
        snprintf(want, sizeof want, "%s%.*f%s", mark, c->decimals, e->value,
                 mark);
    else /* counts, which are from 10 to 99.9 million */
        snprintf(want, sizeof want, "%.1fM", e->value / 1e6);
    words(c, "value", got, want);
}

/* Checks the source marks of a value, such as "ac!": each letter is a source in
 * the legend. */
static void check_source(const struct expected *c, const struct shown *e,
                         const char *got, const char *legend)
{
    char named[2 * TEXT] = "", key[] = " a = ";

    for (; *got && *got != '!'; got++) {
        key[1] = *got;
        const char *at = strstr(legend, key);
        if (!at)
            fail_msg("source %c is not explained", *got);
        char name[TEXT];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 5, ",;"), at + 5);
        if (!strstr(e->source, name))
            fail_msg("%s, %s: from '%s', not '%s'", c->task, c->heading, name,
                     e->source);
        put_row(named, *named ? "; " : "", name);
    }
    same(c, "", "sources", (double)strlen(named), (double)strlen(e->source));
    same(c, "", "dispute", *got == '!', e->disputed);
}

static int any_published(const struct expected *c, const char *const *row,
                         int n)
{
    for (int r = 0; r < n; r++)
        if (c->better && !isnan(column_shows(c, row[r], row, n).published))
            return 1;
    return 0;
}

static void check_intervals(const char *md, int table, const char *const *row,
                            int variants)
{
    const char *line = strstr(strstr(md, INTERVALS), "\n| ") + 1;
    int at = 1;

    for (const struct expected *c = column_tables[table]; c->task; c++) {
        if (!c->better)
            continue;
        const char *in = next(next(line));
        for (int r = 0; r < variants; r++, in = next(in)) {
            struct shown e = column_shows(c, row[r], row, variants);
            char want[TEXT] = "-";

            if (!isnan(e.low))
                snprintf(want, sizeof want, "[%.*f, %.*f]", c->decimals, e.low,
                         c->decimals, e.high);
            words(c, "interval", printed_piped(in, at), want);
        }
        at++;
    }
}

static void check_markdown(int table, json_t *all, const char *const *row,
                           int variants, int rows)
{
    char *md = printed_table(table, "md", "--from", file[table]);
    const char *line = strstr(md, "\n| Variant |") + 1;
    int at = 1;

    (void)all;
    words(column_tables[table], "first row", printed_piped(next(next(line)), 0),
          "Transformer");
    for (const struct expected *c = column_tables[table]; c->task; c++) {
        int paper = any_published(c, row, variants);
        const char *in = next(next(line));

        check_heading(c, line, at,
                      column_shows(c, row[0], row, variants).uninformative,
                      paper);
        for (int r = 0; r < rows; r++, in = next(in)) {
            struct shown e = column_shows(c, row[r], row, variants);
            char want[TEXT] = "";

            check_value(c, &e, printed_piped(in, at));
            if (!paper)
                continue;
            if (!isnan(e.published))
                snprintf(want, sizeof want, "%.2f", e.published);
            words(c, "the paper's", printed_piped(in, at + 1), want);
            check_source(c, &e, printed_piped(in, at + 2), md);
        }
        at += paper ? 3 : 1;
    }
    check_intervals(md, table, row, variants);
    free(md);
}

static void in_markdown(void **state)
{
    (void)state;
    each_table(check_markdown);
}

/* ---- text ---- */

static const char *sense(const struct expected *c)
{
    return c->better > 0   ? "; higher is better"
           : c->better < 0 ? "; lower is better"
                           : "";
}

/* Shortens "CoLA Matthews correlation" to "CoLA: Matthews correlation". */
static const char *beside_heading(const struct expected *c)
{
    size_t word = strcspn(c->heading, " ");
    int same = !strncmp(c->what, c->heading, word) && c->what[word] == ' ';

    return same ? c->what + word + 1 : c->what;
}

/* Checks the legend of column i. Columns with the same heading and the same
 * meaning share the line of the first of them; if the heading has several
 * meanings, each line names its task. */
static void check_legend(const char *text, const struct expected *columns,
                         int i)
{
    const struct expected *c = &columns[i];
    int plain = !strcmp(c->unit, "1"), first = 1, meanings = 1;
    size_t title = strcspn(c->group, "(") - 1; /* without " (SYNTHETIC)" */
    char what[2 * TEXT];

    for (int k = 0; columns[k].task; k++) {
        int same = !strcmp(beside_heading(&columns[k]), beside_heading(c));

        if (strcmp(columns[k].heading, c->heading))
            continue;
        meanings += !same;
        first &= !same || k >= i;
    }
    snprintf(what, sizeof what, "\n  %s%s%.*s: %s%s%s%s\n", c->heading,
             meanings > 1 ? " of " : "", meanings > 1 ? (int)title : 0,
             c->group, beside_heading(c), plain ? "" : ", ",
             plain ? "" : c->unit, sense(c));
    if (first)
        holds(text, what);
    snprintf(what, sizeof what, "\n  %s, %s: %s of %s\n", c->group, c->heading,
             c->metric, c->task);
    if (c->better)
        holds(strstr(text, "\nHow metrics are computed\n"), what);
    snprintf(what, sizeof what, "\n  %s: texts of %s; %d test examples\n",
             c->group, c->task, distinct_examples(distinct_task_of(c->task)));
    holds(strstr(text, "\nData\n"), what);
}

/* Cuts off the table of published values without a row or column above, because
 * its rows have the same names as rows above. */
static char *without_below(char *text)
{
    char *below = strstr(text, "\nPublished values without a row or column ");

    if (below)
        *below = 0;
    return text;
}

/* Checks that the text has the same words in the same order as both grids of
 * the Markdown. */
static void check_text(int table, json_t *all, const char *const *row,
                       int variants, int rows)
{
    char *text = without_below(
        printed_table(table, "text", "--from", file[table]));
    char *md = printed_table(table, "md", "--from", file[table]);
    const char *line = strstr(md, "\n| Variant |") + 1;
    const char *between = strstr(strstr(md, INTERVALS), "\n| Variant |") + 1;
    const struct expected *c = column_tables[table];

    (void)all;
    (void)row;
    (void)variants;
    for (int i = 0; c[i].task; i++)
        check_legend(text, c, i);
    line = next(next(line));
    between = next(next(between));
    for (int r = 0; r < rows; r++, line = next(line), between = next(between)) {
        struct text got = {0}, want = {0};

        printed_behind(&got, text, printed_piped(line, 0));
        printed_words(&want, line);
        printed_words(&want, between);
        assert_string_equal(got.s, want.s);
        text_free(&got);
        text_free(&want);
    }
    free(md);
    free(text);
}

static void in_text(void **state)
{
    (void)state;
    each_table(check_text);
}

/* ---- direction of each metric ---- */

/* `list metrics`: lower is better for losses and perplexities, higher for all
 * other metrics. */
static void directions(void **state)
{
    static const char *const losses[] = {"ce", "ppl", "ppl_word", NULL};
    const char *const arg[] = {"list", "metrics", "--json", NULL};
    char *out, *talk;
    json_t *row;
    size_t i;

    (void)state;
    assert_int_equal(program_run(&out, &talk, arg), 0);
    json_t *all = json_loads(out, 0, NULL);
    json_array_foreach(json_object_get(all, "rows"), i, row) {
        const struct expected c = {.task = "metrics",
                                   .heading = text_of(row, "name")};

        words(&c, "better", text_of(row, "better"),
              names_index(losses, c.heading) < 0 ? "higher" : "lower");
    }
    assert_int_equal(i, 18);
    json_decref(all);
    free(talk);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"JSON shows value, interval, rank, star and the paper's of each "
         "column", in_json, NULL, NULL, NULL},
        {"comparisons are of the variants they name, in their order",
         in_comparisons, NULL, NULL, NULL},
        {"CSV shows them under their names", in_csv, NULL, NULL, NULL},
        {"Markdown from JSON shows them under their headings, and intervals",
         in_markdown, NULL, NULL, NULL},
        {"text shows what Markdown does, and says what each column is",
         in_text, NULL, NULL, NULL},
        {"a column that references without a model lead takes part in nothing",
         uninformative, NULL, NULL, NULL},
        {"lower is better for losses and perplexities alone", directions, NULL,
         NULL, NULL}};

    return cmocka_run_group_tests_name("columns", tests, begin, end);
}
