#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/report/report.h"
#include "plots/figure.h"
#include "plots/gnuplot.h"
#include "plots/style.h"
#include "plots/labels.h"
#include "plots/picture.h"
#include "plots/select.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/report_fixture.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIGURE(name) extern const struct figure figure_##name;
#include "plots/list.h"
#undef FIGURE

static const struct figure *const figures[] = {
#define FIGURE(name) &figure_##name,
#include "plots/list.h"
#undef FIGURE
};

static const struct fixture small = {.seeds = 2, .variants = 11,
                                     .examples = 30, .synthetic = 1};

/* The caller frees *out. */
static void contents(char **out, size_t *bytes, const char *folder,
                     const char *name)
{
    char *path = str_format("%s/%s", folder, name);

    if (file_read(out, bytes, path) < 0)
        fail_msg("%s", err_last());
    free(path);
}

static void check_picture(const char *folder, const char *name,
                          const char *variant)
{
    size_t bytes;
    char *file = str_format("%s.png", name), *png, *svg, *pdf;

    contents(&png, &bytes, folder, file);
    assert_memory_equal(png, "\x89PNG\r\n", 6);
    assert_true(bytes > 10000);
    free(file);
    free(png);
    file = str_format("%s.svg", name);
    contents(&svg, &bytes, folder, file);
    assert_non_null(strstr(svg, "</svg>"));
    if (!strstr(svg, variant))
        fail_msg("%s has no %s", file, variant);
    assert_int_equal(strstr(svg, "SYNTHETIC DATA") != NULL,
                     strstr(name, "lm1b") != NULL);
    assert_non_null(strstr(svg, "scale quick, 2 seeds"));
    free(file);
    free(svg);
    file = str_format("%s.pdf", name);
    contents(&pdf, &bytes, folder, file);
    assert_memory_equal(pdf, "%PDF-", 5);
    assert_memory_equal(pdf + bytes - 6, "%%EOF", 5);
    free(file);
    free(pdf);
}

static void all(void **state)
{
    static const char *const tasks[] = {"wmt14_ende", "lm1b", "agnews"};
    char *store = fixture_store(&small), *folder = str_format("%s/p", store);
    struct report *r;

    (void)state;
    assert_int_equal(report_open(&r, store), OK);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        int rc = figure_render(figures[i], r, OUTPUT(folder));

        /* only the stores of test_sweep.c vary a number */
        if (rc == ERR_EMPTY && (!strcmp(figures[i]->name, "budget") ||
                                !strcmp(figures[i]->name, "length") ||
                                !strcmp(figures[i]->name, "gap")))
            continue;
        if (rc < 0)
            fail_msg("%s: %s", figures[i]->name, err_last());
        for (int t = 0; t < 3; t++) {
            char *name = str_format("%s_%s", figures[i]->name, tasks[t]);
            int few = !strcmp(name, "published_agnews");

            if (strcmp(name, "published_lm1b")) /* lm1b is synthetic */
                check_picture(folder, name,
                              few ? "factorized-random" : "random+vanilla");
            free(name);
        }
    }
    report_close(r);
    free(folder);
    scratch_remove(store);
}

/* The script and the data in the folder suffice to draw the picture again. */
static void again(void **state)
{
    char *store = fixture_store(&small), *folder = str_format("%s/p", store);
    struct report *r;
    size_t before, after;
    char *first, *second;

    (void)state;
    assert_int_equal(report_open(&r, store), OK);
    assert_int_equal(figure_render(&figure_flops, r, OUTPUT(folder)), OK);
    report_close(r);
    contents(&first, &before, folder, "flops_lm1b.png");
    char *command = str_format("cd %s && rm flops_lm1b.png && "
                               "gnuplot flops_lm1b.gp", folder);
    assert_int_equal(system(command), 0);
    contents(&second, &after, folder, "flops_lm1b.png");
    assert_int_equal(before, after);
    assert_memory_equal(first, second, before);
    free(second);
    free(command);
    free(first);
    free(folder);
    scratch_remove(store);
}

static void data(void **state)
{
    char *store = fixture_store(&small), *folder = str_format("%s/p", store);
    struct report *r;
    char *tsv;
    int lines = 0;

    (void)state;
    assert_int_equal(report_open(&r, store), OK);
    assert_int_equal(figure_render(&figure_curves, r, OUTPUT(folder)), OK);
    report_close(r);
    contents(&tsv, NULL, folder, "curves_agnews.tsv");
    assert_int_equal(strncmp(tsv, "curve\tvariant\tseed\tstep\t", 24), 0);
    assert_non_null(strstr(tsv, "\nvalid\trandom+dense\t-\t1200\t"));
    assert_non_null(strstr(tsv, "\nvalid\trandom+dense\t2\t1200\t"));
    for (char *s = tsv; *s; s++)
        lines += *s == '\n' && s[1] != '\n' && s[1];
    /* 11 variants; two seeds and their mean; 40 points of training, 8 of
     * validation */
    assert_int_equal(lines, 11 * (2 + 1) * (40 + 8));
    free(tsv);
    free(folder);
    scratch_remove(store);
}

static void draw_with(const char *path, const char *message)
{
    char *folder = scratch_make(), *old = str_copy(getenv("PATH")), *script;
    struct picture p;

    setenv("PATH", path, 1);
    assert_int_equal(picture_begin(&p, OUTPUT(folder), "p"), OK);
    picture_text(&p, "title", "it's");
    int rc = picture_end(&p, "flops");
    picture_abandon(&p);
    setenv("PATH", old, 1);
    assert_int_equal(rc, ERR_IO);
    if (!strstr(err_last(), message))
        fail_msg("'%s' does not say '%s'", err_last(), message);
    contents(&script, NULL, folder, "p.gp");
    assert_non_null(strstr(script, "title = text[1]\n"));
    free(script);
    free(old);
    scratch_remove(folder);
}

static void no_gnuplot(void **state)
{
    (void)state;
    draw_with("/nowhere", "`make deps`");
}

static void refused(void **state)
{
    (void)state; /* flops.gp lacks its variables */
    draw_with(getenv("PATH"), "p.gp");
    assert_non_null(strstr(err_last(), "line "));
}

/* ---- text from other sources ---- */

static void words(void **state)
{
    static const char evil[] = "`touch P`'; system('touch P'); x='\t \n \"\x1b["
                               "31m\xff @x # {/Bold y} %d <b>&";
    static const struct { const char *name; double value; } numbers[] = {
        {"n", 1}, {"across", 1}, {"head", 60}, {"foot", 40}, {"panel", 190},
        {"last", 1}, {"low", -1}, {"high", 1}};
    char *folder = scratch_make(), *file;
    struct picture p;

    (void)state;
    assert_int_equal(picture_begin(&p, OUTPUT(folder), "p"), OK);
    fputs("series\tplace\tvalue\tchange\tcommit\tname\tpercent\tlabel\n",
          p.data);
    for (int i = 0; i < 2; i++) {
        fprintf(p.data, "1\t%d\t1\t0\tc", i);
        picture_put_text(p.data, "\t", evil);
        picture_put_number(p.data, "\t", i ? INFINITY : 0);
        fputs("\tc\n", p.data);
    }
    picture_text(&p, "title", "%s", evil);
    picture_text(&p, "axis", "%s", "by \"N\"");
    picture_text(&p, "from", "%s", "");
    picture_text(&p, "to", "%s", "");
    picture_text(&p, "name1", "%s", evil);
    picture_text(&p, "values1", "%s", evil);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        picture_number(&p, numbers[i].name, numbers[i].value);
    if (picture_end(&p, "trend") < 0)
        fail_msg("%s", err_last());
    picture_abandon(&p);
    contents(&file, NULL, folder, "p.gp");
    assert_null(strstr(file, "touch"));
    free(file);
    contents(&file, NULL, folder, "p.tsv");
    assert_non_null(strstr(file, "'?[31m? @x # {/Bold y} %d <b>&\tNaN"));
    free(file);
    contents(&file, NULL, folder, "p.txt");
    assert_non_null(strstr(file, "axis\tby 'N'\n"));
    free(file);
    contents(&file, NULL, folder, "p.svg");
    assert_non_null(strstr(file, "system('touch P'); x='? ? '?[31m? @x # "
                                 "{/Bold y} %d &lt;b>&amp;"));
    free(file);
    file = str_format("%s/P", folder);
    assert_false(file_exists(file) || file_exists("P"));
    free(file);
    scratch_remove(folder);
}

/* Commands are refused even if a script contains one. */
static void commands(void **state)
{
    static const char *const script[] = {
        "system('touch P')\n", "x = system('touch P')\n", "!touch P\n",
        "x = `touch P`\n", "x = \"`touch P`\"\n", "plot '< touch P'\n",
        "set output '| touch P'\n", "load '< touch P'\n", "shell\n"};
    char *folder = scratch_make(), *path = str_format("%s/p.gp", folder);
    char *made = str_format("%s/P", folder);
    struct gnuplot g;

    (void)state;
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
        assert_int_equal(file_write(path, script[i], strlen(script[i])), OK);
        assert_int_equal(gnuplot_start(&g, folder, "p"), OK);
        gnuplot_end(&g);
        if (file_exists(made))
            fail_msg("a command was run: %s", script[i]);
    }
    free(made);
    free(path);
    scratch_remove(folder);
}

static void names_of_files(void **state)
{
    static const char *const bad[] = {"", "../x", "a/b", "-", "-x", "<x", ".x",
                                      "a'b", "a b", "a\nb", "\xc3\xa9"};
    char *folder = scratch_make();
    struct picture p;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(picture_begin(&p, OUTPUT(folder), bad[i]), ERR_STORE);
        picture_abandon(&p);
    }
    assert_int_equal(picture_begin(&p, OUTPUT(folder), "curves_lm1b-2.X"), OK);
    picture_abandon(&p);
    scratch_remove(folder);
}

static void links(void **state)
{
    char *folder = scratch_make(), *target = str_format("%s/kept", folder);
    char *path = str_format("%s/p.tsv", folder), *text;
    struct picture p;

    (void)state;
    assert_int_equal(file_write(target, "mine", 4), OK);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(picture_begin(&p, OUTPUT(folder), "p"), OK);
    fputs("theirs", p.data);
    picture_end(&p, "trend"); /* gnuplot fails without the variables */
    picture_abandon(&p);
    contents(&text, NULL, folder, "kept");
    assert_string_equal(text, "mine");
    free(text);
    contents(&text, NULL, folder, "p.tsv");
    assert_string_equal(text, "theirs");
    free(text);
    free(path);
    free(target);
    scratch_remove(folder);
}

/* ---- omitted cells ---- */

static void put_ramp(struct cell_writer *w, const char *curve, const char *name,
                     double first, double last)
{
    const double y[] = {first, last};
    const int64_t step[] = {1, 2};
    char *path = str_format("curves/%s/step", curve);

    assert_int_equal(cell_put_ints(w, path, "1", step, 2), OK);
    free(path);
    path = str_format("curves/%s/%s", curve, name);
    assert_int_equal(cell_put_array(w, path, "nats", y, 2), OK);
    free(path);
}

/* One cell has a good training loss but a validation loss worse than chance;
 * another has the reverse. */
static void absurd(void **state)
{
    static const struct fixture three = {.seeds = 2, .variants = 3,
                                         .examples = 20};
    static const char *const id[] = {"0112", "0211", "0212"};
    char *store = fixture_store(&three), *words;
    struct cell_writer *w;
    struct report *r;
    struct store *s;

    (void)state;
    assert_int_equal(store_open(&s, store, 1), OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(made_begin(&w, store, fixture_id(id[i])), OK);
        put_ramp(w, "train", "loss", 5, i ? 4 : 1e5);
        put_ramp(w, "valid", "ce", 5, i ? 1e5 : 4);
        assert_int_equal(cell_commit(w), OK);
        assert_int_equal(store_done(s, fixture_id(id[i]), 1), OK);
    }
    store_close(s);
    assert_int_equal(report_open(&r, store), OK);
    assert_int_equal(figure_render(&figure_curves, r, OUTPUT(store)), OK);
    report_close(r);
    contents(&words, NULL, store, "curves_lm1b.txt");
    assert_non_null(strstr(words, "note\tworse than the input-blind baseline: "
                                  "fixed-random seed 2; random\n"));
    assert_non_null(strstr(words, "\trandom  -\n"));
    assert_null(strstr(words, "diverged"));
    free(words);
    scratch_remove(store);
}

/* As in tables, the one of three cells that has other data is omitted,
 * whichever of them it is. */
static void other_data(void **state)
{
    static const struct fixture three = {.seeds = 1, .variants = 3,
                                         .examples = 2};
    static const char *const id[] = {"0011", "0111", "0211"};
    char *store = fixture_store(&three);
    struct cell_writer *w;
    struct report *r;
    struct store *s;

    (void)state;
    for (int odd = 0; odd < 3; odd++) {
        assert_int_equal(store_open(&s, store, 1), OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(made_begin(&w, store, fixture_id(id[i])), OK);
            assert_int_equal(cell_put_text(w, "provenance", "data_digest",
                                           i == odd ? "a" : "b"), OK);
            put_ramp(w, "train", "loss", 5, 4);
            put_ramp(w, "valid", "ce", 5, 4);
            assert_int_equal(cell_commit(w), OK);
            assert_int_equal(store_done(s, fixture_id(id[i]), 1), OK);
        }
        store_close(s);
        assert_int_equal(report_open(&r, store), OK);
        assert_int_equal(figure_render(&figure_curves, r, OUTPUT(store)),
                         ERR_STORE);
        assert_non_null(strstr(err_last(), "validation or test data"));
        report_close(r);
    }
    scratch_remove(store);
}

static void check_colour(const char *script, int i, const char *variant)
{
    char *line = str_format("\nhue%d = %u\n", i,
                            style_of(variant, 0).colour);

    assert_non_null(strstr(script, line));
    free(line);
}

/* If the first of three variants is omitted, the others keep their colours. */
static void colours(void **state)
{
    static const struct fixture three = {.seeds = 1, .variants = 3,
                                         .examples = 2};
    static const double nll[] = {1, 2};
    char *store = fixture_store(&three), *words;
    struct cell_writer *w;
    struct report *r;
    struct store *s;

    (void)state;
    assert_int_equal(store_open(&s, store, 1), OK);
    assert_int_equal(made_begin(&w, store, fixture_id("0011")), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_digest", "lm1b"), OK);
    assert_int_equal(cell_put_text(w, "provenance", "data_source", "x"), OK);
    assert_int_equal(cell_put_array(w, "examples/test/nll", "nats", nll, 2),
                     OK);
    assert_int_equal(cell_put_metric(w, "ce", "nats/token", -1,
                                     "how ce is computed", 1e5), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(store_done(s, fixture_id("0011"), 1), OK);
    store_close(s);
    assert_int_equal(report_open(&r, store), OK);
    if (figure_render(&figure_flops, r, OUTPUT(store)) < 0)
        fail_msg("%s", err_last());
    report_close(r);
    contents(&words, NULL, store, "flops_lm1b.txt");
    assert_non_null(strstr(words, "\nabsent\tworse than the input-blind "
                                  "baseline: vanilla\n"));
    free(words);
    contents(&words, NULL, store, "flops_lm1b.gp");
    check_colour(words, 1, "fixed-random");
    check_colour(words, 2, "random");
    free(words);
    scratch_remove(store);
}

/* The labels above the names state the number of seeds, and whether the order
 * may change. */
static void orders(void **state)
{
    static const struct fixture one = {.seeds = 1, .variants = 2, .examples = 2,
                                       .settled = 9};
    static const struct fixture two = {.seeds = 2, .variants = 2, .examples = 2,
                                       .settled = 1e-9};
    static const struct {
        const struct fixture *of;
        const char *curves, *moves;
    } told[] = {
        {&one, "\norder\tat the end, one seed; not converged\n",
         "\norder\tmaximum of each curve, one seed\n"},
        {&two, "\norder\tat the end\n", "\norder\tmaximum of each curve\n"}};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char *store = fixture_store(told[i].of), *words;
        struct report *r;

        assert_int_equal(report_open(&r, store), OK);
        assert_int_equal(figure_render(&figure_curves, r, OUTPUT(store)), OK);
        assert_int_equal(figure_render(&figure_logit_change, r,
                                       OUTPUT(store)), OK);
        report_close(r);
        contents(&words, NULL, store, "curves_lm1b.txt");
        assert_non_null(strstr(words, told[i].curves));
        free(words);
        contents(&words, NULL, store, "logit_change_lm1b.txt");
        assert_non_null(strstr(words, told[i].moves));
        free(words);
        scratch_remove(store);
    }
}

static void reasons(void **state)
{
    struct report_cell cell[] = {
        {.variant = "a", .state = CELL_FAILED, .class = "diverged", .seed = 1},
        {.variant = "a", .state = CELL_DONE, .seed = 2},
        {.variant = "b", .state = CELL_DONE, .seed = 1, .synthetic = 1},
        {.variant = "b", .state = CELL_DONE, .seed = 2},
        {.variant = "c", .state = CELL_FAILED, .class = "timeout", .seed = 3},
        {.variant = "c", .state = CELL_DONE, .seed = 4},
        {.variant = "c", .state = CELL_FAILED, .class = "oom", .seed = 5}};
    enum { N = sizeof cell / sizeof *cell };
    enum select_lost lost[N] = {[2] = SELECT_BLIND, [3] = SELECT_BLIND};
    struct report r = {.n = N, .cell = cell, .memory = arena_new()};

    (void)state;
    for (int i = 0; i < N; i++) {
        cell[i].task = "t";
        cell[i].scale = "quick";
        cell[i].class = cell[i].class ? cell[i].class : "";
    }
    assert_string_equal(select_absent(&r, "t", lost),
                        "diverged: a seed 1.  Worse than the input-blind "
                        "baseline: b.  Failed: c seeds 3, 5");
    lost[1] = SELECT_DIVERGED;
    lost[2] = lost[3] = SELECT_DRAWN;
    assert_string_equal(select_absent(&r, "t", lost),
                        "diverged: a.  Failed: c seeds 3, 5");
    assert_int_equal(select_loss(20), SELECT_DRAWN);
    assert_int_equal(select_loss(20.1), SELECT_BLIND);
    assert_int_equal(select_loss(INFINITY), SELECT_DIVERGED);
    assert_int_equal(select_loss(NAN), SELECT_DIVERGED);
    /* two seeds of b are finished */
    for (int i = 0; i < N; i++) {
        cell[2].synthetic = 0;
        cell[i].synthetic = 1;
        assert_string_equal(select_title(&r, "Loss", "t"), "Loss: t (SYNTHETIC "
                            "DATA), scale quick, 2 seeds");
        cell[i].synthetic = 0;
    }
    assert_string_equal(select_title(&r, "Loss", "t"),
                        "Loss: t, scale quick, 2 seeds");
    arena_free(r.memory);
}

static void no_cells(void **state)
{
    const struct fixture none = {.seeds = 1};
    char *store = fixture_store(&none);
    struct report *r;

    (void)state;
    assert_int_equal(report_open(&r, store), OK);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        assert_int_equal(figure_render(figures[i], r, OUTPUT(store)),
                         ERR_EMPTY);
    report_close(r);
    scratch_remove(store);
}

/* ---- labels of points ---- */

static int apart(double a, double a_size, double b, double b_size)
{
    return a + a_size <= b || b + b_size <= a;
}

static void check_apart(const struct label *l, int n)
{
    for (int i = 0; i < n; i++) {
        double bottom = l[i].middle - l[i].height / 2;

        if (l[i].left < 0 || l[i].left + l[i].width > 1000 || bottom < 0 ||
            bottom + l[i].height > 600)
            fail_msg("name %d leaves the picture", i);
        for (int j = 0; j < n; j++) {
            if (j != i &&
                !apart(l[i].left, l[i].width, l[j].left, l[j].width) &&
                !apart(bottom, l[i].height, l[j].middle - l[j].height / 2,
                       l[j].height))
                fail_msg("names %d and %d overlap", i, j);
            if (!apart(l[i].left, l[i].width, l[j].x - 5, 10) &&
                !apart(bottom, l[i].height, l[j].y - 5, 10))
                fail_msg("name %d lies on point %d", i, j);
        }
    }
}

/* Labels thirteen points, which are spread out or all within a few pixels. */
static void names(void **state)
{
    enum { N = 13 };

    (void)state;
    for (uint32_t try = 0; try < 40; try++) {
        struct rng_key key = {.seed = 3, .stream = RNG_TEST, .step = try};
        double spread = try % 4 == 3 ? 40 : 300;
        struct label l[N];

        for (size_t i = 0; i < N; i++) {
            double x = 500 + spread * (2 * rng_uniform(key, 3 * i) - 1);
            double y = 300 + spread * (rng_uniform(key, 3 * i + 1) - 0.5);
            double width = 50 + 100 * rng_uniform(key, 3 * i + 2);

            l[i] = (struct label){.x = x, .y = y, .low = y - 30, .high = y + 30,
                                  .width = width,
                                  .height = 19};
        }
        label_place(l, N, 1000, 600);
        check_apart(l, N);
    }
}

static void lone(void **state)
{
    struct label l = {.x = 500, .y = 300, .low = 290, .high = 310, .width = 80,
                      .height = 19};

    (void)state;
    label_place(&l, 1, 1000, 600);
    assert_true(l.from_x == l.to_x && l.from_y == l.to_y);
    assert_true(fabs(l.middle - 300) < 30);
    assert_true(l.left > 500 - 80 - 30 && l.left < 530);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"every figure draws every task as PNG, SVG and PDF",
         all, NULL, NULL, NULL},
        {"gnuplot draws the same picture again from the folder", again, NULL,
         NULL, NULL},
        {"the data beside a picture holds every curve", data, NULL, NULL, NULL},
        {"a missing gnuplot is reported with the remedy", no_gnuplot, NULL,
         NULL, NULL},
        {"what gnuplot refuses is reported with file and line", refused, NULL,
         NULL, NULL},
        {"no text is a command of gnuplot's, and all of it is printable",
         words, NULL, NULL, NULL},
        {"a script of gnuplot starts no command", commands, NULL, NULL, NULL},
        {"a picture's files have tame names", names_of_files, NULL, NULL, NULL},
        {"a link in the way is replaced, not followed", links, NULL, NULL,
         NULL},
        {"a loss worse than a guess is told in the tables' words", absurd, NULL,
         NULL, NULL},
        {"curves of cells that were trained on different data are not drawn "
         "together", other_data, NULL, NULL, NULL},
        {"a variant keeps its colour where another has no place", colours, NULL,
         NULL, NULL},
        {"under a picture stands who is not drawn and why; one synthetic cell "
         "is in its title", reasons, NULL, NULL, NULL},
        {"above the names of lines stands what their order is worth", orders,
         NULL, NULL, NULL},
        {"a store without cells draws nothing and says so", no_cells, NULL,
         NULL, NULL},
        {"names of points overlap neither each other nor a point", names, NULL,
         NULL, NULL},
        {"the name of a lone point stands beside it", lone, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("plots", tests, NULL, NULL);
}
