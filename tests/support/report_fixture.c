#include "tests/support/report_fixture.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"
#include "harness/store/store.h"
#include "tests/support/untrained_cells.h"
#include "tests/support/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double worse, params, rate;
} variants[] = {
    {"vanilla", 0, 1.10e6, 21},
    {"fixed-random", 0.115, 0.97e6, 26},
    {"random", 0.053, 1.03e6, 25},
    {"factorized-random", 0.060, 0.98e6, 24.5},
    {"dense", 0.031, 1.01e6, 22},
    {"factorized-dense", 0.072, 0.975e6, 23},
    {"random+dense", 0.028, 1.07e6, 19},
    {"dense+vanilla", -0.011, 1.14e6, 16},
    {"random+vanilla", -0.019, 1.16e6, 17},
    {"orthogonal", 0.021, 0.97e6, 20.5},
    {"uniform", 0.077, 0.97e6, 27},
};

static const struct { const char *name; double ce, tokens; } tasks[] = {
    {"wmt14_ende", 2.8, 20}, {"lm1b", 4.2, 64}, {"agnews", 0.5, 1}};

enum { VARIANTS = 11, SEEDS = 9 };
enum { TASKS = 3, POINTS = 40, EVALS = 8, STEPS = 1200, CLASSES = 4 };

static void must(int rc)
{
    REQUIRE(rc >= 0, "fixture: %s", err_last());
}

struct made { int variant, task, seed; };

static double noise(struct made m, int kind, size_t i) /* N(0,1) */
{
    struct rng_key k = {.seed = (uint64_t)m.seed, .stream = RNG_TEST,
                        .step = (uint32_t)(100 * m.variant + 10 * m.task +
                                           kind)};
    return rng_normal(k, i);
}

static int generated(const struct fixture *f, struct made m)
{
    return f->synthetic && m.task == 1;
}

static const char *id_of(const struct fixture *f, struct made m)
{
    return made_cell(&(struct cell_labels){variants[m.variant].name,
                                           tasks[m.task].name, "quick", m.seed,
                                           generated(f, m)});
}

const char *fixture_id(const char *name)
{
    static const struct fixture real;
    int n = atoi(name);

    return id_of(&real, (struct made){n / 100, n / 10 % 10, n % 10});
}

static double least(struct made m)
{
    return tasks[m.task].ce + variants[m.variant].worse +
           0.004 * noise(m, 0, 0);
}

static void put_curves(struct cell_writer *w, struct made m, double settled)
{
    double loss[POINTS], ce[EVALS], rate[POINTS];
    int64_t step[POINTS], at[EVALS];

    for (int i = 0; i < POINTS; i++) {
        step[i] = (i + 1) * STEPS / POINTS;
        loss[i] = least(m) + 0.9 * exp(-4.0 * i / POINTS) +
                  0.03 * noise(m, 1, (size_t)i);
        rate[i] = 1e-3;
    }
    for (int i = 0; i < EVALS; i++) {
        at[i] = (i + 1) * STEPS / EVALS;
        ce[i] = least(m) + 0.9 * exp(-4.0 * (i + 1) / EVALS);
    }
    must(cell_put_ints(w, "curves/train/step", "1", step, POINTS));
    must(cell_put_array(w, "curves/train/loss", "nats/token", loss, POINTS));
    must(cell_put_array(w, "curves/train/lr", "1", rate, POINTS));
    if (settled > 0) {
        must(cell_put_real(w, "curves/train", "settled",
                           m.variant % 3 == 1 ? 0 : settled));
        must(cell_put_real(w, "curves/train", "settled_error", settled / 10));
    }
    must(cell_put_ints(w, "curves/valid/step", "1", at, EVALS));
    must(cell_put_array(w, "curves/valid/ce", "nats/token", ce, EVALS));
}

static void put_moves(struct cell_writer *w, struct made m)
{
    const int64_t step[] = {1, 2, 4};
    double rms[3];

    for (int i = 0; i < 3; i++)
        rms[i] = 0.01 * m.variant / (1 + i) * (1 + 0.1 * m.seed);
    must(cell_put_ints(w, "attention/moves/encoder.0/step", "1", step, 3));
    must(cell_put_array(w, "attention/moves/encoder.0/rms", "1", rms, 3));
}

/* Writes attention weights, counts and maps, by the formulas that test_beside.c
 * expects. */
static void put_weights(struct cell_writer *w, struct made m)
{
    static const char *const group[] = {"attention/start/encoder.0",
                                        "attention/end/encoder.0"};
    int64_t bin[24];

    for (int t = 0; t < 2; t++) {
        char *path = str_format("%s/histogram", group[t]);

        for (int b = 0; b < 24; b++)
            bin[b] = (m.variant + 1) * (t ? 24 - b : b + 1) + m.seed;
        must(cell_put_ints(w, path, "1", bin, 24));
        must(cell_put_real(w, group[t], "entropy_nats", 2 - t + 0.1 * m.seed));
        free(path);
    }
}

static void put_sentence(struct cell_writer *w, struct made m)
{
    static const char at[] = "attention/sentence/encoder.0";
    static const char *const token[] = {"one", "two", "</s>"};
    double weight[2 * 3 * 3], start[2 * 2 * 2], end[2 * 2 * 2];

    for (int i = 0; i < 18; i++)
        weight[i] = (m.variant + 2) / (i + 20.0) + 0.01 * m.seed;
    for (int i = 0; i < 8; i++) {
        start[i] = m.variant - i;
        end[i] = m.variant + 0.5 * i + m.seed;
    }
    must(cell_put_int(w, at, "heads", 2));
    must(cell_put_int(w, at, "rows", 3));
    must(cell_put_int(w, at, "keys", 3));
    must(cell_put_int(w, at, "scores_rows", 2));
    must(cell_put_int(w, at, "scores_keys", 2));
    must(cell_put_strings(w, "attention/sentence/encoder.0/tokens", token, 3));
    must(cell_put_array(w, "attention/sentence/encoder.0/start", "1", weight,
                        18));
    must(cell_put_array(w, "attention/sentence/encoder.0/end", "1", weight,
                        18));
    must(cell_put_array(w, "attention/sentence/encoder.0/scores_start", "1",
                        start, 8));
    must(cell_put_array(w, "attention/sentence/encoder.0/scores_end", "1", end,
                        8));
}

static void put_metric(struct cell_writer *w, const char *name,
                       const char *unit, int better, double value)
{
    char *signature = str_format("how %s is computed", name);

    must(cell_put_metric(w, name, unit, better, signature, value));
    free(signature);
}

struct sums { double nll, tokens, hits, words; };

static void put_metrics(struct cell_writer *w, int task, struct sums s)
{
    double ce = s.nll / s.tokens, share = 100 * s.hits / s.tokens;

    put_metric(w, "ce", "nats/token", -1, ce);
    if (task == 0) {
        put_metric(w, "token_accuracy", "%", 1, share);
        put_metric(w, "bleu", "%", 1, 40 * exp(-2 * (ce - 2.5)));
    } else if (task == 1) {
        put_metric(w, "ppl", "1", -1, exp(ce));
        put_metric(w, "ppl_word", "1", -1, exp(s.nll / s.words));
    } else {
        put_metric(w, "accuracy", "%", 1, share);
    }
}

static double *new_array(int n)
{
    double *x = calloc((size_t)n, sizeof *x);

    return x;
}

/* The difficulty of an example is common to all variants. */
static void put_examples(struct cell_writer *w, struct made m,
                         const struct fixture *f)
{
    int n = f->examples;
    double times = m.task                                     ? 1
                   : f->lost && m.variant == 1 && m.seed == 1 ? 2e21
                   : f->tiny                                  ? 1e-5
                                                              : 1;

    struct made common = {.task = m.task};
    double *x[7], tokens = tasks[m.task].tokens;
    struct sums s = {0};

    for (int k = 0; k < 7; k++)
        x[k] = new_array(n);
    for (int i = 0; i < n; i++) {
        size_t j = (size_t)i;

        x[1][i] = tokens > 1 ? floor(tokens + 2 * noise(common, 2, j)) : 1;
        x[0][i] = times * x[1][i] * (least(m) + 0.2 * noise(common, 3, j) +
                                     0.01 * noise(m, 4, j));
        x[2][i] = tokens > 1 ? floor(x[1][i] / 2 + noise(m, 5, j))
                             : noise(m, 5, j) + 4 * variants[m.variant].worse <
                                   1.2;
        x[3][i] = floor(x[1][i] * 0.7) + 1;
        x[4][i] = x[1][i] * 5.5 + noise(common, 6, j);
        x[5][i] = i % 7 % CLASSES;
        x[6][i] = fmod(x[5][i] + 1 - x[2][i], CLASSES);
        s.nll += x[0][i];
        s.tokens += x[1][i];
        s.hits += x[2][i];
        s.words += x[3][i];
    }
    size_t size = (size_t)n;
    must(cell_put_array(w, "examples/test/nll", "nats", x[0], size));
    must(cell_put_array(w, "examples/test/tokens", "1", x[1], size));
    must(cell_put_array(w, "examples/test/hits", "1", x[2], size));
    if (tokens > 1) {
        must(cell_put_array(w, "examples/test/words", "1", x[3], size));
        must(cell_put_array(w, "examples/test/unigram_nll", "nats", x[4],
                            size));
    } else {
        must(cell_put_array(w, "examples/test/label", "1", x[5], size));
        must(cell_put_array(w, "examples/test/guess", "1", x[6], size));
    }
    put_metrics(w, m.task, s);
    for (int k = 0; k < 7; k++)
        free(x[k]);
}

/* The compiler flags differ only in ways that do not affect bits. */
static void put_build(struct cell_writer *w, int other)
{
    const char *at = "provenance";

    must(cell_put_text(w, at, "commit", other ? "fedcba9876543210"
                                              : "0123456789abcdef"));
    must(cell_put_int(w, at, "dirty", other > 0));
    must(cell_put_int(w, at, "numerics_version", 2));
    must(cell_put_text(w, at, "compiler", other > 1 ? "cc 2" : "cc 1"));
    must(cell_put_text(w, at, "flags", other ? "-O3 -Wall -isystem x -DX"
                                             : "-I. -O3  -DX"));
}

static void write_cell(const char *path, struct made m,
                       const struct fixture *f)
{
    struct cell_writer *w;

    must(made_begin(&w, path, id_of(f, m)));
    must(cell_put_text(w, "provenance", "data_digest", tasks[m.task].name));
    must(cell_put_text(w, "provenance", "data_source", "files of a fixture"));
    must(cell_put_int(w, "provenance", "subset", m.task == f->subset - 1));
    put_build(w, m.variant == 1 ? f->builds : 0);
    must(cell_put_int(w, "timing", "params",
                      (long long)variants[m.variant].params + 1000 * m.task));
    must(cell_put_real(w, "timing", "flops_per_step", 1e6 * (30 + m.variant)));
    must(cell_put_real(w, "timing", "steps_per_s",
                       variants[m.variant].rate * (1 + 0.5 * m.task) +
                           0.2 * m.seed));
    must(cell_put_real(w, "timing/cpu_seconds", "train", 2 + m.variant));
    put_curves(w, m, f->settled);
    put_moves(w, m);
    put_weights(w, m);
    if (!f->older)
        put_sentence(w, m);
    put_examples(w, m, f);
    if (generated(f, m))
        must(cell_put_real(w, "provenance", "entropy_floor_nats", 4.0));
    must(cell_commit(w));
}

/* A folder of finished cells, one file for each combination of inputs. Without
 * this cache, the tests would spend most of their time in HDF5. */
static char *shelf;

static void remove_shelf(void)
{
    scratch_remove(shelf);
}

static char *kept_name(const struct fixture *f, struct made m)
{
    if (!shelf) {
        shelf = scratch_make();
        atexit(remove_shelf);
    }
    return str_format("%s/%s-%d-%d-%d-%g-%d-%d-%d.h5", shelf, id_of(f, m),
                      f->examples, m.task == f->subset - 1,
                      m.variant == 1 ? f->builds : 0, f->settled, f->older,
                      f->lost, f->tiny);
}

static void copy(const char *from, const char *to)
{
    char *data;
    size_t bytes;

    must(file_read(&data, &bytes, from));
    FILE *f = fopen(to, "wb");
    REQUIRE(f && fwrite(data, 1, bytes, f) == bytes && !fclose(f), "%s", to);
    free(data);
}

static void put_cell(struct store *s, const char *path, struct made m,
                     const struct fixture *f)
{
    const char *id = id_of(f, m);
    char *kept = kept_name(f, m);
    char *file = str_format("%s/cells/%s.h5", path, id);

    if (file_exists(kept)) {
        copy(kept, file);
    } else {
        write_cell(path, m, f);
        copy(file, kept);
    }
    must(store_done(s, id, 12.5));
    free(kept);
    free(file);
}

static void make(struct store *s, const char *path, const struct fixture *f,
                 struct made m)
{
    int gap = f->gaps == 1 || (f->gaps == 2 && m.seed == 2);

    if (gap && m.variant == 3 && m.task == 0) {
        must(store_fail(s, id_of(f, m), "diverged",
                        "loss is not a number at step 17", 3.5));
    } else if (!(gap && m.variant == 5 && m.task == 1) &&
               !(f->gaps == 3 && m.variant == 0 && m.task == 1)) {
        put_cell(s, path, m, f);
    }
}

char *fixture_store(const struct fixture *f)
{
    char *path = scratch_make();
    struct frozen_cell cell[VARIANTS * TASKS * SEEDS];
    const char *uncompared[] = {f->uncompared, NULL};
    struct frozen all = {.name = "fixture", .title = "A made-up experiment",
                         .file = "fixture.yaml", .uncompared = uncompared,
                         .cell = cell};
    struct store *s;

    REQUIRE(f->seeds <= SEEDS, "%d seeds", f->seeds);
    must(store_open(&s, path, 1));
    for (int v = 0; v < f->variants; v++)
        for (int t = 0; t < TASKS; t++)
            for (int k = 1; k <= f->seeds; k++) {
                struct made m = {v, t, k};

                make(s, path, f, m);
                cell[all.n++] = made_frozen(id_of(f, m));
            }
    must(frozen_write(&all, path));
    store_close(s);
    return path;
}
