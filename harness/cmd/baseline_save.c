/* baseline save: accepts what a store holds. */
#include "harness/cmd/baseline_verbs.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/gate/band.h"
#include "harness/gate/kept.h"
#include "harness/gate/match.h"
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
     .doc = "Without times and memory, machine and build: what any machine "
            "must give with the same bits"},
    {"--examples", 0, NULL, opt_flag, OPT_AT(examples),
     .doc = "Keep what paired tests need of each test example beside it, so "
            "that `gate` needs no store; says how many bytes that takes"},
    {"--bands", 0, NULL, opt_flag, OPT_AT(bands),
     .doc = "Keep where the learning curves of each configuration run, of at "
            "least 8 seeds; `gate` names a run that leaves them"},
    {.name = NULL}};

/* How many cells moved against the one that stood there. */
static void tell_moved(const struct baseline *old, const struct baseline *b)
{
    struct matched *m;
    int n = match_baselines(&m, old, b, b->memory);
    int moved = 0, added = 0, gone = 0;

    for (int i = 0; i < n; i++) {
        added += !m[i].a;
        gone += !m[i].b;
        moved += m[i].a && m[i].b && match_moved(&m[i]);
    }
    say("against what stood there: %d cells moved, %d added, %d removed",
        moved, added, gone);
}

/* "2 bands of 8 runs: a run of the same law stays inside with 4/5" */
static void tell_bands(const struct baseline *b)
{
    double least = INFINITY, n = INFINITY;

    for (int i = 0; i < b->bands; i++) {
        least = fmin(least, baseline_value(&b->band[i], "runs")->value);
        n = fmin(n, baseline_value(&b->band[i], "calibrated")->value);
    }
    if (b->bands)
        say("%d band%s of learning curves, of %.0f runs or more each: another "
            "one of the same law stays inside, at every step, with "
            "probability %.0f/%.0f", b->bands, b->bands == 1 ? "" : "s", least,
            n, n + 1);
}

/* Beside the baseline, or what an older one left there goes. */
static int save_examples(struct baseline *b, const struct given *g,
                         const char *path)
{
    OWNED(free) char *kept = kept_path(path);
    size_t bytes;

    if (!g->examples)
        return unlink(kept) && errno != ENOENT
                   ? err_errno(ERR_IO, "%s", kept) : OK;
    PASS(kept_save(b, kept, g->store, &bytes));
    say("%s: %zu bytes of test examples, %zu a cell", kept, bytes,
        bytes / (size_t)b->cells);
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
        return err_set(ERR_USAGE, "baseline save: of which results? name them "
                       "with --store DIR");
    PASS(baseline_measure(&b, name, g->store, 1, metric_all));
    if (g->portable)
        baseline_strip(b);
    if (g->bands)
        PASS(band_make(b, g->store));
    if (file_exists(path) && baseline_read(&old, path) < 0)
        say("%s: it is written anew", err_last());
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
    .summary = "Accepts what a store holds",
    .args = "NAME --store STORE",
    .doc = "Every cell must be done, or refused. What stood under the name is "
           "replaced.",
    .options = save_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = save};
