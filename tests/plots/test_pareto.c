/* Pareto fronts of rows with different test sets, in a store made for the
 * test. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "plots/figure.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"
#include "tests/support/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct figure figure_flops;

enum { ROWS = 10 };

/* For each row: operations per step, cross-entropy, and whether the row is on
 * the front of its set. */
static const struct row {
    const char *name, *data;
    double      flops, ce;
    int         set, front;
} row[ROWS] = {
    {"vanilla", "whole", 60, 3.0, 1, 1},
    {"random", "whole", 30, 3.2, 1, 1},
    {"vanilla,N=16", "16", 50, 3.1, 2, 1},
    {"random,N=16", "16", 24, 3.15, 2, 1},
    {"dense,N=16", "16", 27, 3.3, 2, 0}, /* beaten by random */
    {"vanilla,N=32", "32", 120, 2.8, 3, 0},
    {"dense,N=32,init=glorot", "32", 75, 2.6, 3, 1},
    {"random,N=32,tuned", "32", 100, 2.9, 3, 0},
    {"vanilla,lr=2", "odd", 40, 2.7, 4, 0},
    {"dense,ff=8", "odd", 20, 2.5, 4, 1},
};
static void must(int rc)
{
    if (rc < 0)
        fail_msg("%s", err_last());
}

static void write_cell(struct store *s, const char *path, const char *id,
                       const struct row *r)
{
    double nll[] = {r->ce - 0.1, r->ce + 0.1};
    struct cell_writer *w;

    must(made_begin(&w, path, id));
    must(cell_put_text(w, "provenance", "data_digest", r->data));
    must(cell_put_text(w, "provenance", "data_source", r->data));
    must(cell_put_array(w, "examples/test/nll", "nats", nll, 2));
    must(cell_put_metric(w, "ce", "nats/token", -1, "how", r->ce));
    must(cell_put_real(w, "timing", "flops_per_step", r->flops));
    must(cell_commit(w));
    must(store_done(s, id, 1));
}

static char *store_of_rows(void)
{
    char *path = scratch_make(), variant[64];
    struct frozen_cell cell[ROWS];
    struct frozen all = {.name = "sets", .title = "Sets", .cell = cell};
    struct store *s;

    must(store_open(&s, path, 1));
    for (; all.n < ROWS; all.n++) {
        const struct row *r = &row[all.n];

        snprintf(variant, sizeof variant, "%.*s", (int)strcspn(r->name, ","),
                 r->name);
        const char *id = made_cell(&(struct cell_labels){
            variant, "lm1b", "quick", 1 + r->set, 0});
        write_cell(s, path, id, r);
        cell[all.n] = made_frozen(id);
        cell[all.n].row = strchr(r->name, ',') ? r->name : NULL;
    }
    must(frozen_write(&all, path));
    store_close(s);
    return path;
}

/* Draws all rows; the caller frees the texts. */
static void draw_rows(char **tsv, char **svg)
{
    char *store = store_of_rows(), *path;
    struct report *r;

    must(report_open(&r, store));
    must(figure_render(&figure_flops, r, &(struct output){store, "svg", NULL}));
    report_close(r);
    path = str_format("%s/flops_lm1b.tsv", store);
    must(file_read(tsv, NULL, path));
    free(path);
    path = str_format("%s/flops_lm1b.svg", store);
    must(file_read(svg, NULL, path));
    free(path);
    scratch_remove(store);
}

static void fronts(void **state)
{
    char *tsv, *svg, name[64];
    const char *line;

    (void)state;
    draw_rows(&tsv, &svg);
    line = svg_next(tsv);
    for (int i = 0; i < ROWS; i++, line = svg_next(line)) {
        int front, set;

        assert_int_equal(sscanf(line, "%63s %*f %*f %*f %*f %d %*f %*f %*f %*f "
                                "%*f %*f %d", name, &front, &set), 3);
        assert_string_equal(name, row[i].name);
        assert_int_equal(front, row[i].front);
        assert_int_equal(set, row[i].set);
    }
    assert_memory_equal(line, "\n\n", 2); /* then the fronts */
    free(tsv);
    free(svg);
}

/* Returns 1 if a front has a corner or an end at this point. */
static int turns_at(const char *svg, double x, double y)
{
    static const char front[] = "<path stroke='rgb(148, 148, 148)'";
    double px, py;

    for (; (svg = strstr(svg, front)); svg++)
        for (const char *s = svg_find(svg, " d='M") + 4;
             (s = svg_point(s, &px, &py));)
            if (fabs(px - x) < 0.1 && fabs(py - y) < 0.1)
                return 1;
    return 0;
}

static void corners(void **state)
{
    char *tsv, *svg;

    (void)state;
    draw_rows(&tsv, &svg);
    struct axes a = svg_axes(svg, svg + strlen(svg));
    a.x = svg_logarithms(a.x);
    for (int i = 0; i < ROWS; i++)
        if (turns_at(svg, svg_pixel(&a.x, log(row[i].flops)),
                     svg_pixel(&a.y, row[i].ce)) != row[i].front)
            fail_msg("%s", row[i].name);
    free(tsv);
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"rows of one test set alone are held against each other", fronts,
         NULL, NULL, NULL},
        {"a front turns at its points, and at no other", corners, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("pareto", tests, NULL, NULL);
}
