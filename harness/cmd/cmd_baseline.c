/* baseline: saves accepted results, as text to be committed
 * (gate/baseline.h). */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/gate/baseline.h"
#include "harness/gate/pair_cells.h"
#include "harness/metrics/metric.h"
#include "harness/store/cell.h"

struct given {
    const char *store, *folder;
    int         portable;
};

static const struct opt save_options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_baselines, .at = OPT_AT(folder)},
    {"--portable", 0, NULL, opt_flag, OPT_AT(portable),
     .doc = "Leave out times, memory, machine and build, so that the "
            "baseline holds only what every machine must reproduce"},
    {.name = NULL}};

/* Prints how many cells differ between the previous baseline and this one. */
static void print_changes(const struct baseline *old,
                          const struct baseline *new)
{
    int changed = 0, added = 0, removed = 0;
    struct cell_pair *m;
    int n = pair_baselines(&m, old, new, new->memory);

    for (int i = 0; i < n; i++) {
        added += !m[i].a;
        removed += !m[i].b;
        changed += m[i].a && m[i].b && pair_moved(&m[i]);
    }
    say("compared with the previous baseline: %d cells changed, %d added, "
        "%d removed", changed, added, removed);
}

static int save(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *name = args->of[0];
    OWNED(baseline_close) struct baseline *b = NULL, *old = NULL;

    if (!cell_name_ok(name))
        return err_set(ERR_USAGE, "'%s' is not a valid baseline name: use "
                                  "letters, digits and + _ . -, and begin "
                                  "with a letter, a digit, + or _", name);
    OWNED(free) char *path = str_format("%s/%s.tsv", g->folder, name);
    if (!g->store)
        return err_set(ERR_USAGE, "baseline save: specify the results with "
                                  "--store DIR");
    PASS(baseline_measure(&b, name, g->store, 1, metric_all));
    if (g->portable)
        baseline_strip(b);
    if (file_exists(path) && baseline_read(&old, path) < 0)
        say("%s: replaced", err_last());
    PASS(file_mkdirs(g->folder));
    PASS(baseline_write(b, path));
    say("%s: %d cells of %s", path, b->cells, g->store);
    if (old)
        print_changes(old, b);
    return OK;
}

static const struct command baseline_save = {
    .name = "save",
    .summary = "Save the results of a store as a baseline",
    .args = "NAME --store STORE",
    .doc = "All cells must be finished, except those that `plan` says cannot "
           "be trained. An existing baseline of that name is replaced.",
    .options = save_options, .bytes = sizeof(struct given),
    .least = 1, .most = 1, .run = save};

static const struct command *const subjects[] = {&baseline_save, NULL};

const struct command command_baseline = {
    .name = "baseline",
    .summary = "Save accepted results",
    .args = "save NAME",
    .subjects = subjects,
    .least = 1};
