/* Model-free baselines, from the store (groups baseline/NAME of cells) to the
 * tables. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/report/references.h"
#include "harness/report/result_table.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/print_tables.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct table table_5;

#define PUT(call) assert_int_equal(call, OK)

/* Which baselines a cell has. OLDER: written by an earlier version, with one
 * baseline and without its predictions. */
enum form { NONE, OLDER, TODAY, FORMS };

static const char *cell_of(enum form form)
{
    static const char *const variant[FORMS] = {"vanilla", "random", "dense"};

    return made_cell(&(struct cell_labels){variant[form], "glue", "quick", 1,
                                           0});
}

static void put_references(struct cell_writer *w, enum form form)
{
    if (form == NONE)
        return;
    PUT(cell_put_real(w, "baseline/majority", "rte_accuracy", 50));
    PUT(cell_put_real(w, "baseline/majority", "glue9", 40));
    if (form == OLDER)
        return;
    PUT(cell_put_text(w, "baseline/majority", "description", "the most"));
    PUT(cell_put_text(w, "baseline/overlap-only", "description", "shares"));
    PUT(cell_put_real(w, "baseline/overlap-only", "rte_accuracy", 80.25));
}

static void write_cell(enum form form)
{
    static const double nll[] = {1, 2}, tokens[] = {1, 1};
    const char *name = cell_of(form);
    struct cell_writer *w;

    PUT(made_begin(&w, folder, name));
    PUT(cell_put_text(w, "provenance", "data_digest", "data"));
    PUT(cell_put_text(w, "provenance", "data_source", "files"));
    PUT(cell_put_array(w, "examples/test/nll", "nats", nll, 2));
    PUT(cell_put_array(w, "examples/test/tokens", "1", tokens, 2));
    PUT(cell_put_metric(w, "rte_accuracy", "%", 1, "how", 60));
    PUT(cell_put_metric(w, "glue9", "%", 1, "how", 55));
    PUT(cell_put_metric(w, "ce", "nats/token", -1, "how", 1.5));
    put_references(w, form);
    PUT(cell_commit(w));
    PUT(store_done(store, name, 1));
}

/* Fills the store with an experiment of n cells; form[i] says which baselines
 * cell i has. */
static void fill(const enum form *form, int n)
{
    struct frozen_cell cell[FORMS];
    struct frozen all = {.name = "x", .title = "x", .n = n, .cell = cell};

    for (int i = 0; i < n; i++) {
        write_cell(form[i]);
        cell[i] = made_frozen(cell_of(form[i]));
    }
    PUT(frozen_write(&all, folder));
}

static char *render(const char *format)
{
    struct report *r;
    struct sheet *s;

    PUT(report_open(&r, folder));
    PUT(table_fill(&s, &table_5, r, NULL, 0));
    report_close(r);
    return printed_wide(s, format);
}

static void one_cell(void **state)
{
    static const struct reference_score want[] = {
        {"majority", "the most", "rte_accuracy", 50},
        {"majority", "the most", "glue9", 40},
        {"overlap-only", "shares", "rte_accuracy", 80.25}};
    struct arena *a = arena_new();
    struct reference_score *got;
    struct cell_reader *r;
    int n;

    (void)state;
    write_cell(TODAY);
    PUT(cell_open(&r, folder, cell_of(TODAY)));
    PUT(references_read(&got, &n, r, a));
    assert_int_equal(n, 3);
    for (int i = 0; i < n; i++) {
        assert_string_equal(got[i].name, want[i].name);
        assert_string_equal(got[i].what, want[i].what);
        assert_string_equal(got[i].metric, want[i].metric);
        assert_true(got[i].value == want[i].value);
    }
    cell_close(r);
    arena_free(a);
}

static void a_row_each(void **state)
{
    char *csv, *text, *json;

    (void)state;
    fill((enum form[]){TODAY}, 1);
    csv = render("csv");
    assert_non_null(strstr(csv, ",majority,majority,1,rte_accuracy,%,1,50,,,"));
    assert_non_null(
        strstr(csv, ",overlap-only,overlap-only,1,rte_accuracy,%,1,80.25,,,"));
    assert_null(strstr(csv, "overlap-only,1,glue9"));
    text = render("text");
    assert_non_null(strstr(text, "\noverlap-only "));
    assert_non_null(strstr(text, "\n  overlap-only: shares\n"));
    assert_null(strstr(text, "0*")); /* no star, because there is one cell */
    assert_non_null(strstr(text, "\n  one seed: no rank"));
    json = render("json");
    assert_non_null(strstr(json, "\"name\": \"overlap-only\""));
    free(json);
    free(text);
    free(csv);
    text = render("md");
    assert_non_null(strstr(text, "GLUE RTE\u2191 uninformative (%)"));
    assert_null(strstr(text, "avg 9\u2191 uninf"));
    assert_non_null(strstr(
        text, "\n* GLUE, RTE: uninformative: no variant's interval is above "
              "the model-free baseline overlap-only (80.2); "));
    free(text);
}

/* If older cells lack baselines, those of a more recent cell are used, in
 * whatever order the cells are. */
static void older_cells(void **state)
{
    static const enum form orders[][FORMS] = {{NONE, OLDER, TODAY},
                                              {TODAY, OLDER, NONE},
                                              {OLDER, TODAY, NONE}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        fill(orders[i], FORMS);
        char *text = render("text");

        assert_non_null(strstr(text, "\nmajority "));
        assert_non_null(strstr(text, "\n  majority: the most\n"));
        assert_non_null(strstr(text, "80.2"));
        free(text);
    }
    fill((enum form[]){OLDER}, 1);
    char *text = render("text");
    assert_non_null(strstr(text, "\nmajority "));
    assert_null(strstr(text, "majority:"));
    assert_null(strstr(text, "overlap-only"));
    free(text);
    fill((enum form[]){NONE}, 1);
    text = render("text");
    assert_null(strstr(text, "majority"));
    free(text);
}

int main(void)
{
#define STORE_TEST(name, fn)                                                   \
    {                                                                          \
        name, fn, store_setup, store_teardown, NULL                            \
    }
    const struct CMUnitTest tests[] = {
        STORE_TEST("a cell's references come back in its order", one_cell),
        STORE_TEST("each reference has a row in the table and says how it "
                   "answers", a_row_each),
        STORE_TEST("cells without references, or with one, still make a table",
                   older_cells),
    };

    return cmocka_run_group_tests_name("references in tables", tests, NULL,
                                       NULL);
}
