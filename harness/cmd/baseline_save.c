/* baseline save: saves the results of a store as a baseline. */
#include "harness/cmd/baseline_verbs.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/gate/band.h"
#include "harness/gate/examples_cache.h"
#include "harness/gate/pair_cells.h"
#include "harness/metrics/metric.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

struct given {
    const char *store, *folder;
    int         portable, examples, bands;
};

static const struct opt save_options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--portable", 0, NULL, opt_flag, OPT_AT(portable),
     .doc = "Leave out times, memory, machine and build, so that the "
            "baseline holds only what every machine must reproduce"},
    {"--examples", 0, NULL, opt_flag, OPT_AT(examples),
     .doc = "Also store the values per test example that paired tests need, "
            "next to the baseline, so that `gate` does not need the store; "
            "prints the size"},
    {"--bands", 0, NULL, opt_flag, OPT_AT(bands),
     .doc = "Also store bands of the learning curves of each configuration "
            "with at least 8 seeds; `gate` reports runs that leave them"},
    {.name = NULL}};

/* Prints how many cells changed relative to the previous baseline. */
static void tell_moved(const struct baseline *old, const struct baseline *b)
{
    struct cell_pair *m;
    int n = pair_baselines(&m, old, b, b->memory);
    int moved = 0, added = 0, gone = 0;

    for (int i = 0; i < n; i++) {
        added += !m[i].a;
        gone += !m[i].b;
        moved += m[i].a && m[i].b && pair_moved(&m[i]);
    }
    say("compared with the previous baseline: %d cells changed, %d added, "
        "%d removed",
        moved, added, gone);
}

/* Prints how many bands there are, such as "2 bands of learning curves, of 8
 * runs or more each: ...". */
static void tell_bands(const struct baseline *b)
{
    double least = INFINITY, n = INFINITY;

    for (int i = 0; i < b->bands; i++) {
        least = fmin(least, baseline_value(&b->band[i], "runs")->value);
        n = fmin(n, baseline_value(&b->band[i], "calibrated")->value);
    }
    if (b->bands)
        say("%d band%s of learning curves, of %.0f runs or more each: a "
            "further run with the same settings stays inside its band, at "
            "every step, with probability "
            "%.0f/%.0f", b->bands, b->bands == 1 ? "" : "s", least,
            n, n + 1);
}

/* Saves the test examples next to the baseline.  If --examples was not given,
 * removes the examples of an earlier baseline with this name. */
static int save_examples(struct baseline *b, const struct given *g,
                         const char *path)
{
    OWNED(free) char *kept = examples_cache_path(path);
    size_t bytes;

    if (!g->examples)
        return unlink(kept) && errno != ENOENT
                   ? err_errno(ERR_IO, "%s", kept) : OK;
    PASS(examples_cache_save(b, kept, g->store, &bytes));
    say("%s: values per test example: %zu bytes, %zu bytes per cell", kept,
        bytes, bytes / (size_t)b->cells);
    return OK;
}

static int save(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *name = args->of[0];
    OWNED(free) char *path = NULL;
    OWNED(baseline_close) struct baseline *b = NULL, *old = NULL;

    PASS(baseline_path(&path, g->folder, name));
    if (!g->store)
        return err_set(ERR_USAGE, "baseline save: specify the results with "
                                  "--store DIR");
    PASS(baseline_measure(&b, name, g->store, 1, metric_all));
    if (g->portable)
        baseline_strip(b);
    if (g->bands)
        PASS(band_make(b, g->store));
    if (file_exists(path) && baseline_read(&old, path) < 0)
        say("%s: replaced", err_last());
    PASS(file_mkdirs(g->folder));
    PASS(save_examples(b, g, path));
    PASS(baseline_write(b, path));
    say("%s: %d cells of %s", path, b->cells, g->store);
    tell_bands(b);
    if (old)
        tell_moved(old, b);
    return OK;
}

const struct command baseline_save = {
    .name = "save",
    .summary = "Save the results of a store as a baseline",
    .args = "NAME --store STORE",
    .doc = "All cells must be finished, except those that `plan` says cannot "
           "be trained. An existing baseline of that name is replaced.",
    .options = save_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = save};
