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

extern const struct figure figure_speed;

enum { ROWS = 10, SETS = 4 };

/* For each row: steps per second, cross-entropy, and whether the row is on the
 * front of its set. */
static const struct row {
    const char *name, *data;
    double      speed, ce;
    int         set, front;
} row[ROWS] = {
    {"vanilla", "whole", 10, 3.0, 1, 1},
    {"random", "whole", 20, 3.2, 1, 1},
    {"vanilla,N=16", "16", 12, 3.1, 2, 1},
    {"random,N=16", "16", 25, 3.15, 2, 1},
    {"dense,N=16", "16", 22, 3.3, 2, 0}, /* slower and worse than random */
    {"vanilla,N=32", "32", 5, 2.8, 3, 0},
    {"dense,N=32,init=glorot", "32", 8, 2.6, 3, 1},
    {"random,N=32,tuned", "32", 6, 2.9, 3, 0},
    {"vanilla,lr=2", "odd", 15, 2.7, 4, 0},
    {"dense,ff=8", "odd", 30, 2.5, 4, 1},
};
static const char *const called[SETS] = {"nothing varied", "N=16", "N=32",
                                         "test set 4"};

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
    must(cell_put_real(w, "timing", "steps_per_s", r->speed));
    must(cell_put_int(w, "timing", "too_noisy", 0));
    must(cell_commit(w));
    must(store_done(s, id, 1));
}

static char *store_of(int rows)
{
    char *path = scratch_make(), variant[64];
    struct frozen_cell cell[ROWS];
    struct frozen all = {.name = "sets", .title = "Sets", .cell = cell};
    struct store *s;

    must(store_open(&s, path, 1));
    for (; all.n < rows; all.n++) {
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

/* Draws the first `rows` rows; the caller frees the texts. */
static void draw_rows(int rows, char **tsv, char **svg)
{
    char *store = store_of(rows), *path;
    struct report *r;

    must(report_open(&r, store));
    must(figure_render(&figure_speed, r, &(struct output){store, "svg", NULL}));
    report_close(r);
    path = str_format("%s/speed_lm1b.tsv", store);
    must(file_read(tsv, NULL, path));
    free(path);
    path = str_format("%s/speed_lm1b.svg", store);
    must(file_read(svg, NULL, path));
    free(path);
    scratch_remove(store);
}

static void fronts(void **state)
{
    char *tsv, *svg, name[64];
    const char *line;

    (void)state;
    draw_rows(ROWS, &tsv, &svg);
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

/* Returns the next front line of a set, or NULL. `dash` receives its dash
 * pattern, or "" if the line is solid. */
static const char *line_of(const char *svg, int set, char dash[64])
{
    char *begin = str_format("<path stroke='rgb(148, 148, %d)'", 148 - set);
    const char *at = strstr(svg, begin);

    *dash = 0;
    if (at && sscanf(at + strlen(begin), " stroke-dasharray='%63[^']'", dash)
                  != 1)
        *dash = 0;
    free(begin);
    return at;
}

/* Returns 1 if a front line of the set has a corner or an end at this point, at
 * most `near` pixels away. */
static int turns_at(const char *svg, int set, double x, double y, double near)
{
    char dash[64];
    double px, py;

    for (; (svg = line_of(svg, set, dash)); svg++)
        for (const char *s = svg_find(svg, " d='M") + 4;
             (s = svg_point(s, &px, &py));)
            if (fabs(px - x) < near && fabs(py - y) < near)
                return 1;
    return 0;
}

static void dashes(void **state)
{
    static const char *const dash[SETS] = {"", "10.0,4.0", "4.0,3.0",
                                           "10.0,3.0,2.0,3.0"};
    char *tsv, *svg;

    (void)state;
    draw_rows(ROWS, &tsv, &svg);
    for (int set = 0; set < SETS; set++) {
        const char *at = svg;
        char is[64];
        int lines = 0;

        for (; (at = line_of(at, set, is)); at++, lines++)
            assert_string_equal(is, dash[set]);
        assert_true(lines > 0);
    }
    free(tsv);
    free(svg);
}

static void corners(void **state)
{
    char *tsv, *svg;

    (void)state;
    draw_rows(ROWS, &tsv, &svg);
    struct axes a = svg_axes(svg, svg + strlen(svg));
    a.x = svg_logarithms(a.x);
    for (int i = 0; i < ROWS; i++)
        for (int set = 0; set < SETS; set++)
            if (turns_at(svg, set, svg_pixel(&a.x, log(row[i].speed)),
                         svg_pixel(&a.y, row[i].ce), 0.1) !=
                (row[i].front && row[i].set == set + 1))
                fail_msg("%s and the front of %s", row[i].name, called[set]);
    free(tsv);
    free(svg);
}

/* Each entry of the key has a dash before its name, at the same height. */
static void key(void **state)
{
    char *tsv, *svg;

    (void)state;
    draw_rows(ROWS, &tsv, &svg);
    for (int set = 0; set < SETS; set++) {
        char *words = str_format(">%s<", called[set]);
        double x, y;

        svg_place(svg, words, &x, &y);
        if (!turns_at(svg, set, x - 12, y, 10))
            fail_msg("there is no dash before '%s'", called[set]);
        free(words);
    }
    free(tsv);
    free(svg);
}

/* A single set has a grey front without a key. */
static void one_set(void **state)
{
    char *tsv, *svg;

    (void)state;
    draw_rows(2, &tsv, &svg);
    assert_null(strstr(svg, "rgb(148, 148,"));
    assert_non_null(strstr(svg, "<path stroke='rgb(187, 187, 187)'"));
    assert_null(strstr(svg, ">nothing varied<"));
    free(tsv);
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"rows of one test set alone are held against each other", fronts,
         NULL, NULL, NULL},
        {"each test set has a dash of its own", dashes, NULL, NULL, NULL},
        {"a front turns at its points, and at no other", corners, NULL, NULL,
         NULL},
        {"the key names each by what its rows have in common", key, NULL, NULL,
         NULL},
        {"one test set needs neither dash nor key", one_set, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("stairs", tests, NULL, NULL);
}
