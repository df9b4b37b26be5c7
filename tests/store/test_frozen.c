/* experiment.json of a store is read back as it was written, or refused. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/store/frozen.h"
#include "harness/store/guess.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cell_labels vanilla = {"vanilla", "lm1b", "smoke", 1, 1},
                                mixture = {"random+dense", "glue", "smoke",
                                           INT64_C(9007199254740991), 0};

static void write_two(void)
{
    struct frozen_cell cell[] = {made_frozen(made_cell(&vanilla)),
                                 made_frozen(made_cell(&mixture))};
    struct frozen f = {.name = "x", .title = "Größe", .n = 2, .cell = cell};

    cell[0].refused = "no such model";
    cell[1].older = 1;
    assert_int_equal(frozen_write(&f, folder), OK);
}

static char *path_of(void) { return str_format("%s/experiment.json", folder); }

static void put(const char *text, size_t n)
{
    char *path = path_of();
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
    free(path);
}

static char *get(size_t *n)
{
    /* static: gcc warns of a dangling pointer if it is automatic */
    static char *text;
    char *path = path_of();

    assert_int_equal(file_read(&text, n, path), OK);
    free(path);
    return text;
}

static void refused(int code, const char *words)
{
    struct frozen *f;

    assert_int_equal(frozen_read(&f, folder), code);
    assert_null(f);
    if (!strstr(err_last(), words))
        fail_msg("'%s' does not say '%s'", err_last(), words);
}

/* Makes a store as `repair` leaves it if experiment.json was damaged. */
static void cells_alone(void **state)
{
    char *cells = str_format("%s/cells", folder);
    char *cell = str_format("%s/x.h5", cells);

    (void)state;
    assert_int_equal(file_mkdirs(cells), OK);
    refused(ERR_EMPTY, "no experiment has been run");
    assert_int_equal(file_write(cell, "", 0), OK);
    refused(ERR_EMPTY, "writes it again and keeps the cells");
    free(cell);
    free(cells);
}

static void comes_back(void **state)
{
    struct frozen *f;

    (void)state;
    refused(ERR_EMPTY, "no experiment has been run");
    write_two();
    assert_int_equal(frozen_read(&f, folder), OK);
    assert_string_equal(f->title, "Größe");
    assert_int_equal(f->n, 2);
    assert_string_equal(f->cell[0].id, made_cell(&vanilla));
    assert_string_equal(f->cell[0].refused, "no such model");
    assert_string_equal(f->cell[0].label.variant, "vanilla");
    assert_int_equal(f->cell[0].label.synthetic, 1);
    assert_int_equal(f->cell[0].older, 0);
    assert_null(f->cell[1].refused);
    assert_int_equal(f->cell[1].older, 1);
    assert_true(f->cell[1].label.seed == mixture.seed);
    assert_string_equal(f->cell[1].config,
                        made_frozen(made_cell(&mixture)).config);
    frozen_close(f);
}

static void every_flip(void **state)
{
    struct frozen *f;
    size_t n;
    char *text;

    (void)state;
    write_two();
    text = get(&n);
    for (size_t i = 0; i < n; i++) {
        text[i] ^= (char)(1 << i % 8);
        put(text, n);
        if (frozen_read(&f, folder) != ERR_STORE)
            fail_msg("a flip of bit %zu of byte %zu is not found", i % 8, i);
        text[i] ^= (char)(1 << i % 8);
    }
    for (size_t cut = 0; cut < n; cut += 7) {
        put(text, cut);
        refused(ERR_STORE, "experiment.json");
    }
    put(text, n);
    assert_int_equal(frozen_read(&f, folder), OK);
    frozen_close(f);
    free(text);
}

/* Replaces text and seals the file again, as an attacker could. */
static void forge(const char *old, const char *new)
{
    size_t n;
    char *text, hex[HASH_HEX];

    write_two();
    text = get(&n);
    char *at = strstr(text, old), *seal = strstr(text, ",\n \"seal\"");
    assert_non_null(at);
    *seal = 0;
    char *body = str_format("%.*s%s%s", (int)(at - text), text, new,
                            at + strlen(old));
    hash_sha256(body, strlen(body), hex);
    char *all = str_format("%s,\n \"seal\": \"%s\"\n}\n", body, hex);
    put(all, strlen(all));
    free(all);
    free(body);
    free(text);
}

static void forged(void **state)
{
    static const struct { const char *old, *new, *words; } cases[] = {
        {"\"variant\": \"vanilla\"", "\"variant\": \"uniform\"",
         "but its configuration has the id"},
        {"\"synthetic\": true", "\"synthetic\": false", "has the id"},
        {"\"numerics\": 2", "\"numerics\": 3", "has the id"},
        {"\"name\": \"x\"", "\"name\": \"../x\"", "name or title"},
        {"Größe", "\\u001b[2J", "name or title"},
        {"Größe", "a\\nb", "name or title"},
        {"no such model", "\\u0007", "control characters"},
        {"\"cells\"", "\"cell\"", "cells"},
        {"\"older\": [", "\"older\": [7, ", "older cell 1: "},
        {"\"title\"", "\"own\": 1, \"title\"", "'own' is not true or false"},
        {"\"runtime\": {}", "\"runtime\": 3",
         "its configuration is not an object"},
        {"\"config\": {", "\"config\": 3, \"x\": {",
         "its configuration is not an object"},
        {"\"cells\": [", "\"cells\": 3, \"x\": [", "cells are not a list"},
        {"\"older\": [", "\"older\": {}, \"x\": [", "cells are not a list"},
        {"\"title\"", "\"uncompared\": 3, \"title\"",
         "'uncompared' is not a list"},
        {"\"title\"", "\"guessed\": [7], \"title\"",
         "'guessed' is not a list"},
        {"\"title\"", "\"file\": 3, \"title\"", "'file' is not the name"},
        {"\"title\"", "\"file\": \"\\u0007\", \"title\"",
         "'file' is not the name"},
        {"\"schema_version\": 2", "\"schema_version\": 3",
         "by a later version"},
        {"\"schema_version\": 2", "\"schema_version\": 1",
         "by an earlier version"},
        {"\"schema_version\": 2", "\"schema_version\": -1", "schema_version"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forge(cases[i].old, cases[i].new);
        refused(ERR_STORE, cases[i].words);
    }
    forge("\"title\"", "\"title\"");
    struct frozen *f;
    assert_int_equal(frozen_read(&f, folder), OK);
    frozen_close(f);
}

/* The id matches its configuration, but names in it are invalid. */
static void bad_labels(void **state)
{
    static const char *const bad[] = {
        "uniform'; system('touch P'); x='", "/../../../escaped", "..", ".x",
        "-o", "a b", "a\\nb", "", "\\u001b[31m", "gr\xc3\xbcn"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cell_labels l = vanilla;

        if (i % 2)
            l.task = bad[i];
        else
            l.variant = bad[i];
        struct frozen_cell cell = made_frozen(made_cell(&l));
        struct frozen f = {.name = "x", .title = "x", .n = 1, .cell = &cell};
        assert_int_equal(frozen_write(&f, folder), OK);
        refused(ERR_STORE, "experiment.json: cell 1: ");
    }
}

static void rows(void **state)
{
    static const char *const good[] = {
        "vanilla,steps=700", "vanilla,R.init=normal:1,tuned",
        "vanilla,trial,schedule.scale=1e-09,score_rate=8"};
    static const char *const bad[] = {
        "", "random", "vanilla", "vanillas,steps=3", "random,steps=3",
        "vanilla,a b", "vanilla,a/b", "vanilla,\x1b[31m", "vanilla,'", "vanil"};
    struct frozen_cell cell = made_frozen(made_cell(&vanilla));
    struct frozen f = {.name = "x", .title = "x", .n = 1, .cell = &cell};
    char most[FROZEN_ROW + 1] = "vanilla,";
    (void)state;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        OWNED(frozen_close) struct frozen *back = NULL;

        cell.row = good[i];
        assert_int_equal(frozen_write(&f, folder), OK);
        assert_int_equal(frozen_read(&back, folder), OK);
        assert_string_equal(frozen_row(&back->cell[0]), good[i]);
        assert_string_equal(back->cell[0].label.variant, "vanilla");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cell.row = bad[i];
        assert_int_equal(frozen_write(&f, folder), OK);
        refused(ERR_STORE, "its row does not belong to variant vanilla");
    }
    memset(most + 8, 'a', sizeof most - 9);
    cell.row = most;
    assert_int_equal(frozen_write(&f, folder), OK);
    refused(ERR_STORE, "its row does not belong to variant vanilla");
}

/* Stores of earlier versions have no list of uncompared tasks. */
static void uncompared(void **state)
{
    static const char *const bad[] = {"..", "a b", "", "\x1b[31m", "-o"};
    const char *tasks[] = {"lm1b", "glue", NULL};
    struct frozen_cell cell = made_frozen(made_cell(&vanilla));
    struct frozen f = {.name = "x", .title = "x", .n = 1, .cell = &cell};
    struct frozen *back;
    size_t n;

    (void)state;
    assert_int_equal(frozen_write(&f, folder), OK);
    char *without = get(&n);
    assert_null(strstr(without, "uncompared"));
    free(without);
    assert_int_equal(frozen_read(&back, folder), OK);
    assert_null(back->uncompared[0]);
    assert_int_equal(back->own, 0);
    frozen_close(back);
    f.uncompared = tasks;
    f.own = 1;
    assert_int_equal(frozen_write(&f, folder), OK);
    assert_int_equal(frozen_read(&back, folder), OK);
    assert_int_equal(back->own, 1);
    assert_string_equal(back->uncompared[0], "lm1b");
    assert_string_equal(back->uncompared[1], "glue");
    assert_null(back->uncompared[2]);
    frozen_close(back);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tasks[1] = bad[i];
        assert_int_equal(frozen_write(&f, folder), OK);
        refused(ERR_STORE, "its 'uncompared' is not a list of tasks");
    }
}

static void contrasts(void **state)
{
    static const char *const bad[] = {
        "..", "lm1b: a - b", "lm1b ce: a", "", "lm1b ce: \x1b[31m - b",
        "../x ce: a - b", "lm1b .ce: a - b", "lm1b ce:  - b", "lm1b ce: a - ",
        "lm1b ce: a b - c", "lm1b ce: a - b c"};
    const char *names[] = {"lm1b ce: a,tuned - b", "glue ce: a - b", NULL};
    struct frozen_cell cell = made_frozen(made_cell(&vanilla));
    struct frozen f = {.name = "x", .title = "x", .n = 1, .cell = &cell};
    struct frozen *back;

    (void)state;
    assert_int_equal(frozen_write(&f, folder), OK);
    assert_int_equal(frozen_read(&back, folder), OK);
    assert_null(back->contrasts[0]);
    frozen_close(back);
    f.contrasts = names;
    assert_int_equal(frozen_write(&f, folder), OK);
    assert_int_equal(frozen_read(&back, folder), OK);
    assert_string_equal(back->contrasts[0], "lm1b ce: a,tuned - b");
    assert_string_equal(back->contrasts[1], "glue ce: a - b");
    assert_null(back->contrasts[2]);
    frozen_close(back);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        names[1] = bad[i];
        assert_int_equal(frozen_write(&f, folder), OK);
        refused(ERR_STORE, "its 'contrasts' is not a list of contrasts");
    }
}

static void guessed(void **state)
{
    const char *words[] = {"lm1b: size", "dense: its inner layer", NULL};
    struct frozen_cell cell = made_frozen(made_cell(&vanilla));
    struct frozen f = {.name = "x", .title = "x", .n = 1, .cell = &cell,
                       .guessed = words};
    struct frozen *back;

    (void)state;
    assert_int_equal(frozen_write(&f, folder), OK);
    assert_int_equal(frozen_read(&back, folder), OK);
    assert_string_equal(back->guessed[0], "lm1b: size");
    assert_string_equal(back->guessed[1], "dense: its inner layer");
    assert_null(back->guessed[2]);
    frozen_close(back);
    words[1] = "dense: \x1b[31m";
    assert_int_equal(frozen_write(&f, folder), OK);
    refused(ERR_STORE, "its 'guessed' is not a list of texts");
}

static void about(void **state)
{
    (void)state;
    assert_true(guess_about("lm1b: size", "lm1b", "vanilla"));
    assert_false(guess_about("lm1b: size", "lm1bb", "vanilla"));
    assert_true(guess_about("dense: x", "lm1b", "dense"));
    assert_true(guess_about("dense: x", "lm1b", "random+dense"));
    assert_true(guess_about("dense: x", "lm1b", "dense+vanilla,rank=4"));
    assert_true(guess_about("dense: x", "lm1b", "dense,tuned"));
    assert_false(guess_about("dense: x", "lm1b", "dense-mtf"));
    assert_false(guess_about("dense: x", "lm1b", "factorized-dense"));
    assert_false(guess_about("dense: x", "lm1b", "random,dense"));
    assert_false(guess_about("random+dense: x", "lm1b", "dense"));
    assert_true(guess_about("dense+vanilla: x", "lm1b", "dense+vanilla"));
}

static void twice(void **state)
{
    struct frozen_cell one = made_frozen(made_cell(&vanilla));
    struct frozen_cell cell[] = {one, one};
    struct frozen f = {.name = "x", .title = "x", .n = 2, .cell = cell};

    (void)state;
    cell[1].older = 1;
    assert_int_equal(frozen_write(&f, folder), OK);
    refused(ERR_STORE, "appears twice");
}

/* ---- a cell's own configuration ---- */

static void put_cell(const char *cell, const char *group, const char *name,
                     const char *text)
{
    struct cell_writer *w;

    assert_int_equal(made_begin(&w, folder, cell), OK);
    if (name)
        assert_int_equal(cell_put_text(w, group, name, text), OK);
    assert_int_equal(cell_commit(w), OK);
}

static void own_config(void **state)
{
    static const struct { const char *group, *name, *text, *words; } cases[] = {
        {"config", "json", "{}", "has no valid configuration"},
        {"config", "json", "{\"scale\":\"smoke\",\"seed\":2,\"synthetic\":true,"
                           "\"task\":\"lm1b\",\"variant\":\"vanilla\"}",
         "does not match its configuration"},
        {"", "variant", "random", "a label"},
        {"", "task", "glue", "a label"},
        {"", "scale", "quick", "a label"},
        {"", "kind", "speed", "not of the expected kind"}};
    const char *cell = made_cell(&vanilla);
    struct cell_reader *r;
    struct cell_writer *w;

    (void)state;
    put_cell(cell, NULL, NULL, NULL);
    assert_int_equal(cell_open_kind(&r, folder, cell, "speed"), ERR_STORE);
    assert_non_null(strstr(err_last(), "not of the expected kind"));
    assert_int_equal(cell_open(&r, folder, cell), OK);
    assert_string_equal(cell_labels_of(r)->task, "lm1b");
    assert_int_equal(cell_labels_of(r)->synthetic, 1);
    cell_close(r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_cell(cell, cases[i].group, cases[i].name, cases[i].text);
        assert_int_equal(cell_open(&r, folder, cell), ERR_STORE);
        if (!strstr(err_last(), cases[i].words))
            fail_msg("'%s' does not say '%s'", err_last(), cases[i].words);
    }
    assert_int_equal(made_begin(&w, folder, cell), OK);
    assert_int_equal(cell_put_int(w, "", "seed", 9), OK);
    assert_int_equal(cell_commit(w), OK);
    assert_int_equal(cell_open(&r, folder, cell), ERR_STORE);
    assert_non_null(strstr(err_last(), "a label"));
    put_cell(cell, "", "kind", "speed");
    assert_int_equal(cell_open_kind(&r, folder, cell, "other"), ERR_STORE);
    assert_int_equal(cell_open_kind(&r, folder, cell, "speed"), OK);
    cell_close(r);
}

int main(void)
{
#define TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        TEST("a store of cells without an experiment is not called empty",
             cells_alone),
        TEST("an experiment is read back as it was frozen", comes_back),
        TEST("a flipped bit in any byte and a truncation are found",
             every_flip),
        TEST("an experiment with a valid seal but false contents is refused "
             "with the reason", forged),
        TEST("invalid labels of a cell are refused", bad_labels),
        TEST("a row is named by its variant and its varied settings", rows),
        TEST("tasks that are not compared are read back by name", uncompared),
        TEST("contrasts are read back word for word", contrasts),
        TEST("guesses are read back word for word", guessed),
        TEST("a guess is about a task, or a variant and mixtures with it",
             about),
        TEST("an id that appears twice is refused", twice),
        TEST("a cell whose configuration does not match its id or labels is "
             "refused", own_config),
    };
#undef TEST

    return cmocka_run_group_tests_name("frozen", tests, NULL, NULL);
}
