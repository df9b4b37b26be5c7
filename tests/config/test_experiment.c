/* Experiment files: what they ask for, and how mistakes in them are told. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/config/matrix.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder, *path;

static int setup(void **state)
{
    (void)state;
    folder = scratch_make();
    path = str_format("%s/x.yaml", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(path);
    scratch_remove(folder);
    return 0;
}

#define HEAD                                                                  \
    "title: T\n"                                                              \
    "variants: [vanilla, dense+random]\n"                                     \
    "tasks: [lm1b, agnews]\n"                                                 \
    "scales: [quick]\n"                                                       \
    "seeds: [3, 1]\n"

static const struct choice plain = {.scale = NULL};

/* The cells of a file with this text. */
static int cells(const char *text, size_t bytes, const struct choice *o,
                 struct config **out, int *n)
{
    struct experiment *e = NULL;
    int rc;

    *out = NULL;
    assert_int_equal(file_write(path, text, bytes), OK);
    TRY(experiment_read(&e, path));
    TRY(matrix_cells(e, o, out, n));
out:
    experiment_close(e);
    return rc;
}

static struct config *all(const char *text, const struct choice *o, int n)
{
    struct config *c;
    int got;

    if (cells(text, strlen(text), o, &c, &got) < 0)
        fail_msg("%s", err_last());
    assert_int_equal(got, n);
    return c;
}

static void product(void **state)
{
    static const char *const order[] = {
        "lm1b vanilla 3", "lm1b vanilla 1", "lm1b random+dense 3",
        "lm1b random+dense 1", "agnews vanilla 3", "agnews vanilla 1",
        "agnews random+dense 3", "agnews random+dense 1"};
    struct config *c = all(HEAD, &plain, 8);
    (void)state;

    for (int i = 0; i < 8; i++) {
        char text[64];

        snprintf(text, sizeof text, "%.20s %.20s %d", c[i].task, c[i].variant,
                 (int)c[i].seed);
        assert_string_equal(text, order[i]);
        assert_string_equal(c[i].scale, "quick");
    }
    free(c);
}

static void overrides(void **state)
{
    static const char text[] = HEAD
        "settings: {N: 32, steps: 10}\n"
        "override:\n"
        "  - match: {task: lm1b}\n"
        "    set: {steps: 20, N: 48}\n"
        "  - match: {task: lm1b, variant: [dense+random, uniform], seed: 1}\n"
        "    set: {steps: 30}\n"
        "exclude:\n"
        "  - {task: agnews, variant: vanilla}\n"
        "  - {seed: 3, variant: random+dense}\n";
    static const int steps[] = {20, 20, 30, 10}, length[] = {48, 48, 48, 32};
    struct config *c = all(text, &plain, 4);
    (void)state;

    for (int i = 0; i < 4; i++) {
        assert_int_equal(c[i].steps, steps[i]);
        assert_int_equal(c[i].length, length[i]);
    }
    free(c);
}

static void command_line(void **state)
{
    struct assign set[] = {{"steps", "5", "-S"}, {"steps", "6", "-S"}};
    struct choice o = {.scale = "smoke", .seeds = 4, .set = {2, set}};
    struct config *c = all(HEAD "settings: {steps: 10}\n", &o, 16);
    (void)state;

    for (int i = 0; i < 16; i++) {
        assert_int_equal(c[i].steps, 6);
        assert_int_equal(c[i].seed, i % 4 + 1);
        assert_string_equal(c[i].scale, "smoke");
        assert_int_equal(c[i].synthetic, 1);
    }
    free(c);
    o = (struct choice){.synthetic = 1};
    c = all(HEAD, &o, 8);
    assert_int_equal(c[7].synthetic, 1);
    free(c);
}

/* A mixture among the cells may be mixed; where there is none, nothing is. */
static void mixing(void **state)
{
    static const char alone[] = HEAD "settings: {mix: plus}\n"
        "exclude:\n  - {variant: random+dense}\n";
    struct assign set = {"mix", "plus", "-S"};
    struct choice o = {.set = {1, &set}};
    struct config *c = all(HEAD "settings: {mix: plus}\n", &plain, 8);
    int n;

    (void)state;
    free(c);
    free(all(HEAD, &o, 8));
    assert_int_equal(cells(alone, strlen(alone), &plain, &c, &n), ERR_USAGE);
    char *want = str_format("%s:6: mix: no variant here is a mixture, as "
                            "random+vanilla would be", path);
    assert_string_equal(err_last(), want);
    free(want);
    assert_int_equal(cells(alone, strlen(alone), &o, &c, &n), ERR_USAGE);
    assert_non_null(strstr(err_last(), "-S: mix: "));
}

/* Plain scalars that YAML 1.1 takes for booleans, octals or floats. */
static void no_guesses(void **state)
{
    struct config *c = all("title: no\nvariants: ['vanilla']\ntasks: [lm1b]\n"
                           "scales: [\"quick\"]\nseeds: [010]\n"
                           "settings: {dropout: 0, schedule.warmup: 1e3}\n",
                           &plain, 1);
    (void)state;

    assert_int_equal(c->seed, 10);
    assert_true(c->model.dropout == 0);
    assert_true(c->warmup == 1000);
    free(c);
}

static void refused(const char *text, size_t bytes, const char *message)
{
    struct config *c;
    char *want = str_format("%s%s", path, message);
    int n;

    assert_int_equal(cells(text, bytes, &plain, &c, &n), ERR_USAGE);
    assert_null(c);
    assert_string_equal(err_last(), want);
    free(want);
}

#define REFUSED(text, message) refused(text, sizeof(text) - 1, message)

static void schema(void **state)
{
    (void)state;
    REFUSED("", ":1: the file is empty");
    REFUSED("- a\n", ":1: this must be a map, as in title: ...");
    REFUSED("title: T\n", ":1: 'variants' is missing");
    REFUSED(HEAD "titel: x\n", ":6: unknown key 'titel': did you mean "
                               "'title'?");
    REFUSED(HEAD "seeds: [1]\n", ":6: 'seeds' stands twice, first in line 5");
    REFUSED("title: [a]\n", ":1: title must be one value, as in title: What "
                            "is asked");
    REFUSED("variants: vanilla\n", ":1: variants must be a list, as in "
                                   "[a, b]");
    REFUSED("variants:\n  - vanilla\n  - vanila\n",
            ":3: unknown variant 'vanila': did you mean 'vanilla'?");
    REFUSED("variants: [random+dense, dense,\n  dense+random]\n",
            ":2: 'variants' has random+dense twice");
    REFUSED("tasks: [lm1b, wmt]\n",
            ":1: unknown task 'wmt': did you mean 'wmt14_ende'?");
    REFUSED("tasks: [lm2b]\n",
            ":1: unknown task 'lm2b': did you mean 'lm1b'?");
    REFUSED("tasks: []\n", ":1: 'tasks' is empty");
    REFUSED("seeds: [-1]\n", ":1: seed: -1 is out of range, 0 to "
                             "9007199254740991 are allowed");
    REFUSED("seeds: [1.5]\n", ":1: seed: '1.5' is not a whole number");
    REFUSED("scales: [huge]\n",
            ":1: unknown scale 'huge': one of smoke, quick, reduced, full");
}

static void keys(void **state)
{
    (void)state;
    REFUSED(HEAD "settings:\n  layers: 2\n  layerz: 3\n",
            ":8: unknown key 'layerz': did you mean 'layers'?");
    REFUSED(HEAD "settings: {task: lm1b}\n",
            ":6: 'task' is not a setting; the list 'tasks' at the top of the "
            "file says it");
    REFUSED(HEAD "settings:\n  layers: [2]\n",
            ":7: layers must be one value, as in layers: 2");
    REFUSED(HEAD "settings:\n  layers: two\n",
            ":7: layers: 'two' is not a whole number");
    REFUSED(HEAD "settings:\n  layers: 2\n  d: 100\n  heads: 3\n",
            ":9: d: 100 is not divisible by heads: 3");
    REFUSED(HEAD "settings:\n  N: 16\noverride:\n- match: {task: lm1b}\n"
                 "  set:\n    length: 17\n",
            ":11: n > N: length: 17 is more than N: 16, the longest sequence "
            "the model has scores for; lower length or raise N");
    REFUSED(HEAD "override:\n- match: {layers: 2}\n  set: {N: 8}\n",
            ":7: unknown key to match 'layers': one of variant, task, scale, "
            "seed");
    REFUSED(HEAD "override:\n- match: {task: lm1c}\n  set: {N: 8}\n",
            ":7: unknown task 'lm1c': did you mean 'lm1b'?");
    REFUSED(HEAD "override:\n- match: {task: lm1b}\n",
            ":7: an override needs 'match' and 'set'");
    REFUSED(HEAD "exclude:\n- {}\n",
            ":7: an empty map would match every cell");
    REFUSED(HEAD "exclude:\n- {seed: one}\n",
            ":7: seed: 'one' is not a whole number");
}

static void yaml(void **state)
{
    (void)state;
    REFUSED("title: 'T\nvariants: [a\n",
            ":3: not YAML: found unexpected end of stream, while scanning a "
            "quoted scalar");
    REFUSED("title: T\n\tvariants: [a]\n",
            ":2: not YAML: found a tab character that violates indentation, "
            "while scanning a plain scalar");
    REFUSED("title: T\nvariants: [a, \xff]\n",
            ":2: not YAML: invalid leading UTF-8 octet");
    REFUSED("title: &a T\n", ":1: anchors (&), aliases (*) and tags (!) are "
                             "not used in experiment files; write the value "
                             "out");
    REFUSED("title: !!str T\n", ":1: anchors (&), aliases (*) and tags (!) "
                                "are not used in experiment files; write the "
                                "value out");
    REFUSED("title: \"a\\0b\"\n", ":1: a value must be one line without "
            "control characters");
    REFUSED("title: \"a\\eb\"\n", ":1: a value must be one line without "
            "control characters");
    REFUSED("title: |\n  a\n  b\n", ":1: a value must be one line without "
            "control characters");
    REFUSED("title: [[[[[[[[[[a]]]]]]]]]]\n", ":1: nested too deep");
    REFUSED("? [a]\n: b\n", ":1: a key must be a word");
    REFUSED(HEAD "---\ntitle: U\n", ":6: a second document; one file holds "
                                    "one");
}

static void unreadable(void **state)
{
    struct experiment *e;
    char *missing = str_format("%s/none.yaml", folder);
    (void)state;

    assert_int_equal(experiment_read(&e, missing), ERR_USAGE);
    assert_non_null(strstr(err_last(), "none.yaml: no such file"));
    assert_int_equal(experiment_read(&e, folder), ERR_USAGE);
    assert_non_null(strstr(err_last(), folder));
    assert_null(e);
    free(missing);
}

int main(void)
{
    static const struct CMUnitTest t[] = {
        {"cells are the product of scales, tasks, variants and seeds, in the "
         "file's order", product, NULL, NULL, NULL},
        {"later overrides win, excluded cells are left out", overrides, NULL,
         NULL, NULL},
        {"the command line has the last word", command_line, NULL, NULL,
         NULL},
        {"how to mix is refused where no cell is a mixture", mixing, NULL,
         NULL, NULL},
        {"values are typed by their key, not by YAML's guesses", no_guesses,
         NULL, NULL, NULL},
        {"an unknown, doubled, missing or wrong part is refused with file and "
         "line", schema, NULL, NULL, NULL},
        {"an unknown or wrong setting is refused with file and line", keys,
         NULL, NULL, NULL},
        {"what is not YAML, or more of YAML than is used, is refused with "
         "file and line", yaml, NULL, NULL, NULL},
        {"a missing file and a folder are refused by name", unreadable, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(t, setup, teardown);
}
