/* Experiment files: the cells that they define, and messages about errors. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/config/matrix.h"
#include "harness/config/tuning.h"
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

/* The rows of the last file that `cells` has read, with their seeds: "vanilla
 * 3; ...". */
static char said[4096];

static int cells(const char *text, size_t bytes, const struct choice *o,
                 struct config **out, int *n)
{
    OWNED(experiment_close) struct experiment *e = NULL;
    OWNED(free) struct matrix_cell *cell = NULL;
    size_t at = 0;

    *out = NULL;
    *said = 0;
    assert_int_equal(file_write(path, text, bytes), OK);
    PASS(experiment_read(&e, path));
    PASS(matrix_cells(e, o, &cell, n));
    *out = calloc((size_t)*n + 1, sizeof **out);
    for (int i = 0; i < *n; i++) {
        (*out)[i] = cell[i].config;
        at += (size_t)snprintf(said + at, sizeof said - at, "%s%s %d",
                               i ? "; " : "", cell[i].row,
                               (int)cell[i].config.seed);
    }
    return OK;
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

#define LITTLE                                                                \
    "title: T\nvariants: [random]\ntasks: [lm1b]\nscales: [quick]\n"          \
    "seeds: [1, 2]\n"

static void varied(void **state)
{
    static const char text[] = LITTLE
        "override:\n- match: {steps: 0020}\n  set: {batch: 8}\n"
        "exclude:\n- {steps: 10, init: fan_in}\n"
        "vary: {steps: [10, 0020], init: [glorot, fan_in]}\n";
    OWNED(free) struct config *c = all(text, &plain, 6);
    (void)state;

    assert_string_equal(said,
        "random,steps=10,init=glorot 1; random,steps=20,init=glorot 1; "
        "random,steps=20,init=fan_in 1; random,steps=10,init=glorot 2; "
        "random,steps=20,init=glorot 2; random,steps=20,init=fan_in 2");
    assert_int_equal(c[0].steps, 10);
    assert_int_equal(c[0].batch, 32);
    assert_int_equal(c[1].steps, 20);
    assert_int_equal(c[1].batch, 8);
}

/* A point of `vary` is a single combination, not a grid; a key that a point
 * omits keeps its usual value. */
static void points(void **state)
{
    static const char text[] = LITTLE
        "settings: {layers: 3}\n"
        "vary: [{}, {layers: 1}, {d: 64, heads: 2}, {layers: 0001, d: 32}]\n"
        "override:\n- match: {layers: 1}\n  set: {batch: 8}\n"
        "- match: {d: [64, 32], layers: [1, 2]}\n  set: {ff: 24}\n"
        "exclude: [{d: 64, seed: 2}]\n";
    OWNED(free) struct config *c = all(text, &plain, 7);
    static const int layers[] = {3, 1, 3, 1}, batch[] = {32, 8, 32, 8},
                     ff[] = {512, 512, 512, 24}, d[] = {128, 128, 64, 32};
    (void)state;

    assert_string_equal(said,
        "random 1; random,layers=1 1; random,d=64,heads=2 1; "
        "random,layers=1,d=32 1; random 2; random,layers=1 2; "
        "random,layers=1,d=32 2");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(c[i].model.layers, layers[i]);
        assert_int_equal(c[i].batch, batch[i]);
        assert_int_equal(c[i].model.ff, ff[i]);
        assert_int_equal(c[i].model.d, d[i]);
    }
}

#define TUNED                                                                 \
    "settings: {steps: 700, schedule.name: cosine, schedule.warmup: 70}\n"    \
    "tune:\n- {match: {task: lm1b}, share: 1,"                                \
    " grid: {schedule.scale: [1, 2.0], score_rate: [8]}, seed: 4}\n"

static void tuned(void **state)
{
    OWNED(free) struct config *c = all(LITTLE TUNED, &plain, 6);
    const struct config *trial = &c[2];
    struct config chosen = c[3];
    (void)state;

    assert_string_equal(said,
        "random 1; random,trial,schedule.scale=1,score_rate=8 4; "
        "random,trial,schedule.scale=2,score_rate=8 4; random,tuned 1; "
        "random 2; random,tuned 2");
    assert_string_equal(c[3].tuned, "schedule.scale=1|2,score_rate=8,"
                        "steps=350,seed=4");
    assert_int_equal(trial->steps, 350);
    assert_true(trial->warmup == 35 && trial->lr_scale == 2);
    assert_true(trial->optimizer.score_rate == 8);
    assert_string_equal(trial->tuned, "none");
    assert_int_equal(tuning_trials(&c[3]), 2);
    assert_int_equal(tuning_trials(&c[0]), 0);
    assert_int_equal(tuning_seed(&c[3]), 4);
    assert_int_equal(tuning_apply(&chosen, 1), OK);
    assert_true(chosen.lr_scale == 2 && chosen.optimizer.score_rate == 8);
    assert_true(chosen.steps == 700 && chosen.warmup == 70);
    assert_int_equal(chosen.seed, 1);
}

/* Untuned cells have seed 1, tuned cells have seed 2. */
static void halves(void **state)
{
    static const char text[] = LITTLE TUNED
        "exclude:\n- {seed: 2, tuned: false}\n"
        "- {seed: 1, tuned: true, task: lm1b}\n";
    OWNED(free) struct config *c = all(text, &plain, 4);
    (void)state;

    assert_string_equal(said,
        "random 1; random,trial,schedule.scale=1,score_rate=8 4; "
        "random,trial,schedule.scale=2,score_rate=8 4; random,tuned 2");
}

/* With several keys, the values of the first key vary slowest. */
static void grids(void **state)
{
    static const char *const want[] = {
        "dropout=0,score_rate=1", "dropout=0,score_rate=8",
        "dropout=0.5,score_rate=1", "dropout=0.5,score_rate=8"};
    struct config c = {.seed = 0};
    (void)state;

    assert_int_equal(settings_set(&c, "tuned", "dropout=0|0.5,score_rate=1|8,"
                                  "steps=7,seed=0"), OK);
    assert_int_equal(tuning_trials(&c), 4);
    for (int i = 0; i < 4; i++) {
        OWNED(free) char *values = tuning_values(&c, i);

        assert_string_equal(values, want[i]);
    }
}

/* `mix` is allowed if one of the cells is a mixture, and refused otherwise. */
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
    char *want = str_format("%s:6: mix: no selected variant is a mixture, such "
                            "as random+vanilla", path);
    assert_string_equal(err_last(), want);
    free(want);
    assert_int_equal(cells(alone, strlen(alone), &o, &c, &n), ERR_USAGE);
    assert_non_null(strstr(err_last(), "-S: mix: "));
}

/* Plain scalars that YAML 1.1 would read as booleans, octal numbers or floats
 * keep their text. */
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
    REFUSED(HEAD "seeds: [1]\n", ":6: 'seeds' appears twice, first in line 5");
    REFUSED("title: [a]\n", ":1: title must be one value, as in title: All "
                            "variants on lm1b");
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
            ":1: unknown scale 'huge': expected one of smoke, quick, reduced, "
            "full");
}

static void keys(void **state)
{
    (void)state;
    REFUSED(HEAD "settings:\n  layers: 2\n  layerz: 3\n",
            ":8: unknown key 'layerz': did you mean 'layers'?");
    REFUSED(HEAD "settings: {task: lm1b}\n",
            ":6: 'task' is not a setting; use the list 'tasks' at the top of "
            "the file");
    REFUSED(HEAD "settings:\n  layers: [2]\n",
            ":7: layers must be one value, as in layers: 2");
    REFUSED(HEAD "settings:\n  layers: two\n",
            ":7: layers: 'two' is not a whole number");
    REFUSED(HEAD "settings:\n  layers: 2\n  d: 100\n  heads: 3\n",
            ":9: d (100) is not divisible by heads (3)");
    REFUSED(HEAD "settings:\n  N: 16\noverride:\n- match: {task: lm1b}\n"
                 "  set:\n    length: 17\n",
            ":11: length: 17 is greater than N: 16, the longest sequence "
            "that the model supports; lower length or raise N");
    REFUSED(HEAD "override:\n- match: {layers: 2}\n  set: {N: 8}\n",
            ":7: unknown key to match 'layers': expected one of variant, task, "
            "scale, seed");
    REFUSED(HEAD "override:\n- match: {task: lm1c}\n  set: {N: 8}\n",
            ":7: unknown task 'lm1c': did you mean 'lm1b'?");
    REFUSED(HEAD "override:\n- match: {task: lm1b}\n",
            ":7: an override needs 'match' and 'set'");
    REFUSED(HEAD "exclude:\n- {}\n",
            ":7: an empty map would match every cell");
    REFUSED(HEAD "exclude:\n- {seed: one}\n",
            ":7: seed: 'one' is not a whole number");
}

static void guessed(void **state)
{
    OWNED(experiment_close) struct experiment *e = NULL;
    static const char good[] =
        HEAD "guessed: {lm1b: size, dense+random: alpha}\n";

    (void)state;
    assert_int_equal(file_write(path, good, strlen(good)), OK);
    assert_int_equal(experiment_read(&e, path), OK);
    assert_string_equal(e->guessed.value[0], "lm1b: size");
    assert_string_equal(e->guessed.value[1], "dense+random: alpha");
    assert_null(e->guessed.value[2]);
    REFUSED(HEAD "guessed: [lm1b]\n", ":6: guessed must be a map, as in "
            "{dense: reads its head's slice}");
    REFUSED(HEAD "guessed:\n  lm1b: size\n  lm1c: size\n",
            ":8: 'lm1c' is neither a task nor a variant");
    REFUSED(HEAD "guessed: {lm1b: [N]}\n", ":6: lm1b must be one value, as in "
            "dense: reads its head's slice");
}

#define JUDGED(task, a)                                                       \
    HEAD "contrasts:\n- \"lm1b ppl: random+dense - vanilla\"\n- \"" task       \
         ": " a " - vanilla\"\n"

static void contrasts(void **state)
{
    static const char good[] = JUDGED("lm1b ce", "random+dense");
    OWNED(experiment_close) struct experiment *e = NULL;
    OWNED(free) struct matrix_cell *cell = NULL;
    const char *const only[] = {"lm1b", NULL};
    int n;

    (void)state;
    assert_int_equal(file_write(path, good, strlen(good)), OK);
    assert_int_equal(experiment_read(&e, path), OK);
    assert_string_equal(e->contrast->text, "lm1b ppl: random+dense - vanilla");
    assert_string_equal(e->contrast->next->text,
                        "lm1b ce: random+dense - vanilla");
    assert_null(e->contrast->next->next);
    assert_int_equal(matrix_cells(e, &(struct choice){.tasks = only}, &cell,
                                  &n), OK);
    assert_null(e->contrast);
    REFUSED(HEAD "contrasts: lm1b\n", ":6: contrasts must be a list, as in "
            "[\"lm1b ppl: random - vanilla\"]");
    REFUSED(JUDGED("lm1b", "random+dense"), ":8: 'lm1b: random+dense - "
            "vanilla' is not a contrast: expected 'TASK METRIC: A - B', as in "
            "'lm1b ppl: random - vanilla'");
    REFUSED(JUDGED("lm1c ce", "random+dense"),
            ":8: unknown task 'lm1c': did you mean 'lm1b'?");
    REFUSED(JUDGED("imdb accuracy", "random+dense"),
            ":8: unknown task 'imdb': did you mean 'lm1b'?");
    REFUSED(JUDGED("lm1b bleu", "random+dense"),
            ":8: unknown metric 'bleu': expected one of ppl, ppl_word, ce");
    REFUSED(JUDGED("lm1b ce", "vanilla"),
            ":8: 'lm1b ce: vanilla - vanilla' compares a row with itself");
    REFUSED(JUDGED("lm1b ppl", "random+dense"),
            ":8: 'contrasts' has 'lm1b ppl: random+dense - vanilla' twice");
    REFUSED(HEAD "contrasts:\n- \"lm1b ce: random+dense - vanilla\"\n- "
            "\"lm1b ce: vanilla - random+dense\"\n",
            ":8: 'contrasts' has 'lm1b ce: vanilla - random+dense' twice");
    REFUSED(JUDGED("agnews accuracy", "random+dense") "uncompared: [lm1b]\n",
            ":7: 'lm1b ppl: random+dense - vanilla': lm1b is in 'uncompared'");
    REFUSED(JUDGED("lm1b ce", "dense"), ":8: contrast 'lm1b ce: dense - "
            "vanilla': there is no row dense on lm1b");
    REFUSED(JUDGED("lm1b ce", "random+dense,tuned"), ":8: contrast 'lm1b ce: "
            "random+dense,tuned - vanilla': there is no row "
            "random+dense,tuned on lm1b");
}

static void uncompared(void **state)
{
    OWNED(experiment_close) struct experiment *e = NULL;
    static const char good[] = HEAD "uncompared: [agnews]\n";
    static const char before[] = "uncompared: [agnews, lm1b]\n" HEAD;

    (void)state;
    assert_int_equal(file_write(path, good, strlen(good)), OK);
    assert_int_equal(experiment_read(&e, path), OK);
    assert_int_equal(e->uncompared.n, 1);
    assert_string_equal(e->uncompared.value[0], "agnews");
    assert_null(e->uncompared.value[1]);
    experiment_close(e);
    assert_int_equal(file_write(path, before, strlen(before)), OK);
    assert_int_equal(experiment_read(&e, path), OK);
    assert_int_equal(e->uncompared.n, 2);
    experiment_close(e);
    assert_int_equal(file_write(path, HEAD, strlen(HEAD)), OK);
    assert_int_equal(experiment_read(&e, path), OK);
    assert_int_equal(e->uncompared.n, 0);
    REFUSED(HEAD "uncompared: agnews\n", ":6: uncompared must be a list, as in "
            "[a, b]");
    REFUSED(HEAD "uncompared: []\n", ":6: 'uncompared' is empty");
    REFUSED(HEAD "uncompared: [lm1c]\n",
            ":6: unknown task 'lm1c': did you mean 'lm1b'?");
    REFUSED(HEAD "uncompared:\n- lm1b\n- agnews\n- lm1b\n",
            ":9: 'uncompared' has lm1b twice");
    REFUSED(HEAD "uncompared:\n- lm1b\n- glue\n",
            ":8: 'uncompared' has glue, which is not in 'tasks'");
    REFUSED("uncompared: [c4]\n" HEAD,
            ":1: 'uncompared' has c4, which is not in 'tasks'");
}

static void own_settings(void **state)
{
    struct assign set[] = {{"steps", "5", "-S"}, {"tuned", "none", "-S"}};
    struct choice one = {.set = {1, set}}, two = {.set = {1, set + 1}};
    static const char vary[] = HEAD "vary: {steps: [1, 2]}\n";
    struct config *c;
    int n;
    (void)state;

    REFUSED(HEAD "vary: steps\n", ":6: vary must be a map, as in {steps: "
            "[350, 700]}, or a list, as in [{}, {layers: 4}]");
    REFUSED(HEAD "vary: [steps]\n", ":6: this must be a map, as in - "
            "{layers: 4}");
    REFUSED(HEAD "vary: []\n", ":6: 'vary' is empty");
    REFUSED(HEAD "vary: [{}, {N: 8}, {}]\n", ":6: 'vary' has {} twice");
    REFUSED(HEAD "vary: [{N: 8}, {N: 08}]\n", ":6: 'vary' has N=8 twice");
    REFUSED(HEAD "vary: [{optimizer.factor_min: 8, relative_distance: 9, "
            "optimizer.decay: 0.5, checkpoint_seconds: 3}]\n",
            ":6: 'vary' sets so much at once that a row's name exceeds 80 "
            "characters");
    REFUSED(HEAD "vary: [{N: [8]}]\n", ":6: N must be one value, as in "
            "vanilla");
    REFUSED(HEAD "vary: [{}, {N: 8}]\ntune: [{match: {N: 8}, grid: {N: [8]}}]"
            "\n", ":7: 'N' is varied, so it cannot be tuned");
    REFUSED(HEAD "vary: {steps: 3}\n", ":6: steps must be a list, as in "
            "[a, b]");
    REFUSED(HEAD "vary: {seed: [3]}\n", ":6: 'seed' is not a setting; use the "
            "list 'seeds' at the top of the file");
    REFUSED(HEAD "vary: {tuned: [none]}\n", ":6: 'tuned' is set by 'tune'");
    REFUSED(HEAD "settings: {steps: 3}\nvary: {steps: [1]}\n",
            ":6: 'vary' sets 'steps' in every row, so this value has no "
            "effect");
    REFUSED(HEAD "settings: {trial: x}\n", ":6: 'trial' is set by 'tune'");
    REFUSED(HEAD "exclude: [{tuned: maybe}]\n",
            ":6: unknown value of tuned 'maybe': expected one of false, true");
    REFUSED(HEAD "exclude: [{tuned: [true]}]\n",
            ":6: tuned must be one value, as in tuned: false");
    REFUSED(HEAD "override: [{match: {tuned: true}, set: {N: 8}}]\n",
            ":6: unknown key to match 'tuned': expected one of variant, task, "
            "scale, seed");
    REFUSED(HEAD "override: [{match: {steps: 3}, set: {N: 8}}]\n",
            ":6: unknown key to match 'steps': expected one of variant, task, "
            "scale, seed");
    assert_int_equal(cells(vary, strlen(vary), &one, &c, &n), ERR_USAGE);
    assert_non_null(strstr(err_last(), "-S steps: "));
    assert_non_null(strstr(err_last(), "x.yaml varies it; use -E to select "
                                       "among its values"));
    assert_int_equal(cells(HEAD, strlen(HEAD), &two, &c, &n), ERR_USAGE);
    assert_non_null(strstr(err_last(), "-S tuned: only an experiment's 'tune' "
                                       "can set it"));
}

#define TUNED_SO                                                              \
    "expected none, or KEY=VALUE|VALUE,... (at most 4 keys and 64 trials), "  \
    "then steps=STEPS,seed=SEED"
#define TUNE(grid, share, seed)                                               \
    HEAD "tune:\n- {match: {task: lm1b}, grid: " grid ", share: " share        \
         ", seed: " seed "}\n"

static void tunings(void **state)
{
    (void)state;
    REFUSED(HEAD "tune:\n- {match: {task: lm1b}}\n",
            ":7: 'tune' needs match, grid, share and seed");
    REFUSED(TUNE("{score_rate: [1]}", "0", "0"),
            ":7: share: 0: expected a number above 0, at most 100: the steps "
            "of all trials, divided by those of a cell");
    REFUSED(TUNE("{score_rate: [1]}", "1", "x"),
            ":7: seed: 'x' is not a whole number");
    REFUSED(TUNE("{score_rate: []}", "1", "0"), ":7: 'score_rate' is empty");
    REFUSED(TUNE("{N: [8, 16]}", "1", "0"), ":7: tuned: 'N' cannot be "
            "tuned: only schedule.*, optimizer.*, score_rate, score_rate.PART, "
            "dropout and label_smoothing can");
    REFUSED(TUNE("{score_rate: [8], dropout: [0]}", "1", "0"),
            ":7: 'tune': the grid has one point, so there is nothing to "
            "choose; use 'set'");
    REFUSED(TUNE("{score_rate: [1, 1]}", "1", "0"),
            ":7: 'score_rate' has 1 twice");
    REFUSED(TUNE("{score_rate: [1, 2, 3, 4, 5, 6, 7, 8, 9], dropout: [0, .1, "
                 ".2, .3, .4, .5, .6, .7]}", "1", "0"),
            ":7: tuned: 'score_rate=1|2|3|4|5|6|7|8|9,dropout=0|0.1|0.2|0.3|"
            "0.4|0.5|0.6|0.7,steps=1,seed=0': " TUNED_SO);
    REFUSED(TUNE("{schedule.scale: [1], score_rate: [1], dropout: [0], "
                 "label_smoothing: [0], optimizer.b1: [0]}", "1", "0"),
            ":7: at most 4 settings can be tuned");
    REFUSED(TUNE("{schedule.name: [linear, cosine], schedule.warmup: [9000]}",
                 "1", "0"),
            ":7: a trial of vanilla on lm1b: schedule.warmup (9000) is "
            "more than steps (500), but the schedule `linear` decays after "
            "the warmup; set schedule.warmup to at most 500, or steps to "
            "at least 9000");
    REFUSED(HEAD "settings: {steps: 60}\n"
            "override: [{match: {seed: 1}, set: {steps: 30}}]\n"
            "tune: [{match: {task: lm1b}, grid: {score_rate: [1, 8]}, "
            "share: 1, seed: 0}]\n",
            ": 'tune': the seeds of vanilla on lm1b have different settings, "
            "so they cannot share trials");
    REFUSED("title: x\nvariants: [vanilla, random+vanilla]\ntasks: [lm1b]\n"
            "scales: [smoke]\nseeds: [1]\n"
            "tune: [{match: {variant: vanilla}, grid: {score_rate: [1, 8]}, "
            "share: 1, seed: 0}, {match: {variant: random+vanilla}, grid: "
            "{score_rate.random: [1, 8], score_rate.vanilla: [1, 8]}, share: "
            "1, seed: 0}]\n",
            ": 'tune': vanilla,tuned has 2 trials on lm1b and random+vanilla,"
            "tuned has 4; give every variant the same number");
    REFUSED("title: x\nvariants: [vanilla, random+vanilla]\ntasks: [lm1b]\n"
            "scales: [smoke]\nseeds: [1]\n"
            "settings: {score_rate.random: 8}\n",
            ":6: score_rate.random: vanilla is not a mixture; use "
            "'score_rate'");
    REFUSED("title: x\nvariants: [dense+vanilla]\ntasks: [lm1b]\n"
            "scales: [smoke]\nseeds: [1]\n"
            "settings: {score_rate.random: 8}\n",
            ":6: score_rate.random: dense+vanilla has no part random");
}

/* A store's experiment describes trials as text; invalid texts are refused. */
static void tuned_texts(void **state)
{
    static const char *const wrong[] = {
        "", "x", "steps=3,seed=0", "score_rate=1",
        "score_rate=1,steps=0,seed=0",
        "score_rate=1,steps=3", "score_rate=,steps=3,seed=0",
        "score_rate=1|,steps=3,seed=0", "score_rate=1,steps=3,seed=-1",
        "steps=3,score_rate=1,seed=0", "score_rate=x,steps=3,seed=0",
        "score_rate=1,steps=99999999999,seed=0",
        "score_rates=1,steps=3,seed=0", "=1,steps=3,seed=0"};
    struct config c = {.seed = 0};
    char most[400];
    (void)state;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(settings_set(&c, "tuned", wrong[i]), ERR_USAGE);
    memset(most, '1', sizeof most);
    most[sizeof most - 1] = 0;
    assert_int_equal(settings_set(&c, "tuned", most), ERR_USAGE);
    assert_int_equal(settings_set(&c, "trial", most), ERR_USAGE);
    assert_int_equal(settings_set(&c, "trial", "a b"), ERR_USAGE);
    assert_int_equal(settings_set(&c, "trial", ""), ERR_USAGE);
    assert_int_equal(settings_set(&c, "tuned", "none"), OK);
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
    static const char *const anchored[] = {
        "title: *a\n", "title: T\nvariants: &v [dense]\n",
        "title: T\nvariants: !!seq [dense]\n", "title: T\nsettings: &s {}\n",
        "title: T\nsettings: !!map {}\n"};

    for (size_t i = 0; i < sizeof anchored / sizeof *anchored; i++) {
        OWNED(free) char *want = str_format(
            ":%d: anchors (&), aliases (*) and tags (!) are not used in "
            "experiment files; write the value out", i ? 2 : 1);

        refused(anchored[i], strlen(anchored[i]), want);
    }
    REFUSED("title: T\n\"\": 3\n", ":2: a key must be a word");
    REFUSED("title: T\n\"a\\tb\": 3\n", ":2: a key must be a word");
    REFUSED("title: T\n? [a]\n: 3\n", ":2: a key must be a word");
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
    REFUSED(HEAD "---\ntitle: U\n", ":6: a second document; a file can have "
                                    "only one");
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
        {"settings that are varied are an axis, and name the cells' rows",
         varied, NULL, NULL, NULL},
        {"points that are varied stand alone, with what else is set", points,
         NULL, NULL, NULL},
        {"beside a cell that is tuned stand its trials, once for all seeds, "
         "and what they choose", tuned, NULL, NULL, NULL},
        {"of a pair, tuned and not, one may be left out", halves, NULL, NULL,
         NULL},
        {"a trial has one value of each key, the last key's the fastest",
         grids, NULL, NULL, NULL},
        {"how to mix is refused where no cell is a mixture", mixing, NULL,
         NULL, NULL},
        {"values are typed by their key, not by YAML's guesses", no_guesses,
         NULL, NULL, NULL},
        {"an unknown, doubled, missing or wrong part is refused with file and "
         "line", schema, NULL, NULL, NULL},
        {"an unknown or wrong setting is refused with file and line", keys,
         NULL, NULL, NULL},
        {"what is guessed is of a task or a variant", guessed, NULL, NULL,
         NULL},
        {"what is not compared are tasks of the file", uncompared, NULL, NULL,
         NULL},
        {"a contrast is of a task, a metric and two rows of the file, once",
         contrasts, NULL, NULL, NULL},
        {"what the file varies or tunes nobody else sets", own_settings, NULL,
         NULL, NULL},
        {"a tuning that lacks a part, or cannot be, is refused with file and "
         "line", tunings, NULL, NULL, NULL},
        {"what is no text of a tuning or a trial is refused", tuned_texts,
         NULL, NULL, NULL},
        {"what is not YAML, or more of YAML than is used, is refused with "
         "file and line", yaml, NULL, NULL, NULL},
        {"a missing file and a folder are refused by name", unreadable, NULL,
         NULL, NULL},
    };

    return cmocka_run_group_tests(t, setup, teardown);
}
