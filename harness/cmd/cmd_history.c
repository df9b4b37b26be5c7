/* history: adds, shows and draws the values of every commit. The values are
 * stored as text to be committed. */
#include "harness/cmd/history_verbs.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <string.h>

/* ---- shared by the subcommands ---- */

#define WHICH(field) offsetof(struct history_which, field)

const struct opt opts_history[] = {
    {"--history", 0, "FILE", opt_text, WHICH(file),
     .doc = "The history", .initial = "results/history.tsv"},
    {"--repository", 0, "DIR", opt_folder, WHICH(repository),
     .doc = "Folder in the git repository of the commits (default: the "
            "working directory)"},
    {.name = NULL}};

const struct opt opts_machine[] = {
    {.group = opts_history, .at = 0},
    {"--machine", 0, "TEXT", opt_text, WHICH(machine),
     .doc = "Only values measured on machines whose name contains this text"},
    {.name = NULL}};

const char *history_metric(const char *what)
{
    static const char front[] = "metrics/";

    return strncmp(what, front, strlen(front)) ? what : what + strlen(front);
}

static int is_metric(const char *what, const char *metric)
{
    return !strcmp(what, metric) || !strcmp(history_metric(what), metric);
}

/* Reports an unknown cell, or an unknown metric of the cell, with the nearest
 * name. */
static int none_like_it(const struct history *h, const char *cell,
                        const char *metric)
{
    OWNED(free) const char **names = calloc((size_t)h->series + 1,
                                            sizeof *names);
    int n = 0, cells = 0;

    for (int i = 0; i < h->series; i++)
        cells += history_is(h->of[i].cell, cell);
    for (int i = 0; i < h->series; i++) {
        const struct history_series *s = &h->of[i];
        const char *name = cells ? history_metric(s->what) : s->cell;

        if ((!cells || history_is(s->cell, cell)) &&
            (!n || strcmp(names[n - 1], name)))
            names[n++] = name;
    }
    return cells ? names_unknown("metric", metric, names, NULL)
                 : names_unknown("cell", cell, names,
                                 "synthbench history show");
}

int history_select(struct history **out, const struct history_which *of,
                   const char *cell, const char *metric)
{
    OWNED(history_close) struct history *h = NULL;
    int n = 0, machines = 0;

    *out = NULL;
    PASS(history_open(&h, of->file, of->repository));
    for (int i = 0; i < h->series; i++) {
        struct history_series *s = &h->of[i];
        int here = !of->machine || strstr(s->machine, of->machine);

        machines += here;
        if (here && (!cell || history_is(s->cell, cell)) &&
            (!metric || is_metric(s->what, metric))) {
            history_changes(h, s);
            n++;
        } else {
            s->n = 0;
        }
    }
    if (!machines)
        return err_set(ERR_EMPTY, "%s: no value of a machine '%s'", h->path,
                       of->machine);
    return n ? MOVE_OUT(out, h) : none_like_it(h, cell, metric);
}

double history_relative(const struct history_change *c)
{
    return c->before != 0 ? (c->after - c->before) / fabs(c->before) : NAN;
}

int history_better(const struct history_series *s,
                   const struct history_change *c)
{
    int way = s->cost ? -1 : s->better;
    double d = (c->after - c->before) * way;

    return (d > 0) - (d < 0);
}

const char *history_text(struct arena *a, const struct history_series *s,
                         const struct history_change *c)
{
    static const char *const word[] = {" worse", "", " better"};
    const char *how = word[history_better(s, c) + 1];
    double by = 100 * history_relative(c);

    if (!isfinite(c->before) || !isfinite(c->after))
        return arena_format(a, "%.8s -> %.8s",
                            c->before_text ? c->before_text : "?",
                            c->after_text ? c->after_text : "?");
    return arena_format(a, "%.5g -> %.5g%s%s%s", c->before, c->after,
                        strcmp(s->units, "1") && *s->units ? " " : "",
                        strcmp(s->units, "1") ? s->units : "",
                        isnan(by) ? how
                                  : arena_format(a, ", %+.2g %%%s", by, how));
}

/* ---- add ---- */

struct given {
    struct history_which of;
    const char          *store, *commit;
};

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {.group = opts_history, .at = OPT_AT(of)},
    {"--commit", 0, "REV", opt_text, OPT_AT(commit),
     .doc = "Commit that produced the results (default: the recorded one)"},
    {.name = NULL}};

static int add_results(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(baseline_close) struct baseline *b = NULL;
    int added;

    (void)args;
    if (!g->store)
        return err_set(ERR_USAGE, "history add: specify the results with "
                                  "--store DIR");
    PASS(baseline_measure(&b, "history", g->store, 0, NULL));
    PASS(history_extend(&added, g->of.file, b, g->of.repository, g->commit));
    say("%s: added %d value%s of %d cells of %s%s", g->of.file, added,
        added == 1 ? "" : "s", b->cells, g->store,
        added ? "" : ": all are recorded already");
    return OK;
}

static const struct command history_add_command = {
    .name = "add",
    .summary = "Add a store's values under its commit",
    .args = "--store STORE",
    .doc = "Values that are already recorded are not added again. Results "
           "of a tree with uncommitted changes are refused: commit first, "
           "or specify the commit with --commit. Branches merge line by "
           "line with `results/history.tsv merge=union` in .gitattributes.",
    .options = options, .bytes = sizeof(struct given), .run = add_results};

static const struct command *const subjects[] = {
    &history_add_command, &history_show, &history_plot, NULL};

const struct command command_history = {
    .name = "history",
    .summary = "Track values by commit: changes, trends, causes",
    .args = "add|show|plot [CELL [METRIC]]",
    .subjects = subjects,
    .least = 1};
