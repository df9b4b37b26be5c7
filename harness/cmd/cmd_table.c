/* table: prints a table of the paper with our numbers next to the published
 * ones. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/cmd/speed.h"
#include "harness/cmd/table1_sheet.h"
#include "harness/cmd/table_own.h"
#include "harness/config/experiment.h"
#include "harness/metrics/metric.h"
#include "harness/report/published_print.h"
#include "harness/report/table.h"

#include <string.h>

struct given {
    const char    *store, *format, *output;
    const char    *from;    /* NULL: use the store         */
    const char    *columns; /* NULL: those of the table    */
    int            fresh;   /* repeat existing timings     */
    int            published, detail, pairs, all;
    int            width;   /* of text; 0: default          */
    struct assigns set;     /* for computed or timed tables */
};

static const struct opt options[] = {
    {.group = opts_store, .at = OPT_AT(store)},
    {"--from", 0, "FILE.json", opt_text, OPT_AT(from),
     .doc = "Print the table in FILE, which --format json wrote, without "
            "TABLE and its store (not table 1)"},
    {"--set", 'S', "KEY=VALUE", opt_set, OPT_AT(set),
     .doc = "Override a setting of the model"},
    {"--columns", 0, "COLUMNS", opt_text, OPT_AT(columns),
     .doc = "speed: time steps on this machine and keep the times in the "
            "results folder"},
    {"--fresh", 0, NULL, opt_flag, OPT_AT(fresh),
     .doc = "Repeat timings that exist"},
    {"--detail", 0, NULL, opt_flag, OPT_AT(detail),
     .doc = "Add one table per column: intervals, seeds, ranks, ours and "
            "published"},
    {"--all", 0, NULL, opt_flag, OPT_AT(all),
     .doc = "Also print data, builds, intervals, signatures and commands; "
            "formats other than text always have them"},
    {"--pairs", 0, NULL, opt_flag, OPT_AT(pairs),
     .doc = "Instead of the table, list the pairs of rows that are compared "
            "below it (the contrasts of the experiment), with values by seed"},
    {"--published", 0, NULL, opt_flag, OPT_AT(published),
     .doc = "Instead of a table, list all published numbers as printed"},
    {"--width", 0, "COLUMNS", opt_count, OPT_AT(width),
     .doc = "Width of text; wider tables are split, between tasks if "
            "possible (default: that of the terminal, else 80)",
            .most = SHEET_WIDE},
    {.group = opts_format, .at = OPT_AT(format)},
    {.group = opts_output, .at = OPT_AT(output)},
    {.name = NULL}};

/* Fills a table whose numbers are computed from the models. */
static int counted(struct sheet **out, const struct table *t,
                   const struct given *g)
{
    OWNED(table1_close) struct table1 *t1 = NULL;

    if (g->store)
        say("table %s is computed from the model definitions; it does not "
            "use %s",
            t->name, g->store);
    PASS(table1_fill(&t1, &g->set));
    *out = table1_sheet(t1);
    return OK;
}

/* Times the speed columns of a table on this machine. */
static int timed(struct sheet **out, const struct table *t,
                 const struct given *g)
{
    OWNED(speed_close) struct speed *s = NULL;

    PASS(names_find("columns", g->columns, NAMES("speed")));
    if (!t->timed)
        return err_set(ERR_USAGE, "table %s has no speed columns", t->name);
    PASS(speed_open(&s, t, g->store, &(struct choice){.set = g->set},
                    g->fresh));
    *out = speed_sheet(s);
    return OK;
}

/* Returns 1 if the word is the path of an experiment file. */
static int is_path(const char *word)
{
    return strchr(word, '/') || str_ends(word, ".yaml") || !strcmp(word, "-");
}

static int is_file(const char *word)
{
    return is_path(word) && file_exists(word);
}

/* Returns 1 if the experiment is installed, or has been run into results/NAME
 * or the given store. */
static int is_experiment(const char *name, const char *store)
{
    OWNED(free) char *usual = str_format("results/%s", name), *folder = NULL;
    OWNED(free) char *frozen = str_format("%s/experiment.json",
                                          store ? store : usual);

    if (file_exists(frozen) || experiment_folder(&folder) < 0)
        return file_exists(frozen);
    OWNED(free) char *path = str_format("%s/%s.yaml", folder, name);
    return file_exists(path);
}

/* Reports an unknown table, or the nearest experiment, which may have been
 * meant. */
static int unknown(int rc, const char *name)
{
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(free) char *folder = NULL;
    const char *near = NULL, *why = arena_text(a, err_last());

    if (experiment_folder(&folder) == OK)
        near = folder_nearest(arena_format(a, "%s/%s", folder, name), ".yaml",
                              a);
    return near ? err_set(rc, "unknown table '%s': did you mean '%s'?", name,
                          str_base(near))
                : err_set(rc, "%s, or the name of an experiment with "
                              "results in results/NAME or --store", why);
}

/* Fills the table of an experiment.  Refuses a store that belongs to another
 * experiment. */
static int own(struct table *out, const char *word, const struct report *r)
{
    OWNED(free) char *name = text_quoted(r->name);
    OWNED(free) char *store = text_quoted(r->store);
    const struct table *none;

    if (!strcmp(out->name, r->name))
        return table_own(out, r);
    if (!is_experiment(out->name, NULL) && !is_file(word))
        return unknown(table_find(&none, out->name), out->name);
    return err_set(ERR_USAGE, "%s holds results of experiment %s, not of %s: "
                              "`synthbench table %s --store %s` prints its "
                              "table", r->store, r->name, out->name, name,
                   store);
}

static int more(const struct given *g)
{
    return g->detail * TABLE_DETAIL + g->pairs * TABLE_PAIRS;
}

/* Returns the parts of a stored table to print.  As text, these are few unless
 * options ask for more. */
static int parts(const struct given *g)
{
    int brief = !strcmp(g->format, "text") && !g->all && !more(g);

    return more(g) + brief * TABLE_BRIEF;
}

/* Refuses an experiment that has not been run into its default folder.  `word`
 * is the name or file on the command line. */
static int check_run(const char *word, const char *folder)
{
    OWNED(free) char *frozen = str_format("%s/experiment.json", folder);
    OWNED(free) char *cells = str_format("%s/cells", folder);
    OWNED(free) char *quoted = text_quoted(word);

    if (file_exists(frozen) || file_exists(cells))
        return OK;
    return err_set(ERR_EMPTY, "experiment %s has not been run: %s has no "
                   "results; `synthbench run %s` trains its cells, --store "
                   "names results in another folder", word, folder, quoted);
}

/* Fills a table from a store.  If `t` is NULL, the table is the experiment's
 * own.  If cells are damaged, shows the others and returns the exit code of
 * ERR_STORE. */
static int measured(struct sheet **out, const struct table *t, const char *name,
                    const char *word, const struct given *g)
{
    OWNED(report_close) struct report *r = NULL;
    OWNED(free) char *usual = str_format("results/%s", name);
    struct table mine = {.name = name};

    if (g->set.n)
        return err_set(ERR_USAGE, "-S: table %s shows stored results; only "
                                  "table 1 is computed for any shape", name);
    if (!g->store && t)
        return err_set(ERR_USAGE, "table %s: specify the results with "
                                  "--store DIR or --from FILE.json", name);
    if (!g->store)
        PASS(check_run(word, usual));
    PASS(report_open(&r, g->store ? g->store : usual));
    if (!t)
        PASS(own(&mine, word, r));
    int rc = table_fill(out, t ? t : &mine, r, metric_all, parts(g));
    PASS(rc == ERR_EMPTY && r->damaged ? OK : rc);
    return report_damage(r);
}

/* Returns the name of an experiment that `word` names directly or by a file:
 * "quick" for "quick" and for "dir/quick.yaml". */
static const char *name_of(const char *word, struct arena *a)
{
    return is_path(word) ? experiment_name(word, a) : word;
}

/* Finds the table; *out is NULL for an experiment's own table. */
static int find(const struct table **out, const char *name, const char *word,
                const struct given *g)
{
    int rc = table_find(out, name);

    if (rc == OK)
        return OK;
    *out = NULL;
    if (g->from || is_experiment(name, g->store))
        return OK;
    if (!is_path(word))
        return unknown(rc, name);
    return file_named(file_stdin(word), 0);
}

static int print(struct sheet *s, const struct given *g)
{
    s->width = g->width;
    return sheet_print(s, g->format, g->output);
}

/* Prints all published numbers. */
static int published(const struct arguments *args, const struct given *g)
{
    OWNED(published_close) struct published *p = NULL;
    OWNED(sheet_close) struct sheet *s = NULL;

    if (args->n || g->store || g->from || g->columns || g->set.n || more(g))
        return err_set(ERR_USAGE, "--published uses published numbers only; it "
                                  "accepts no table and no store");
    PASS(published_open(&p));
    s = published_sheet(p);
    return print(s, g);
}

/* Fills the table in the file that --from names.  If `name` is not NULL, the
 * file must have the table of this name; `t` is that table if it is a table of
 * the paper, else NULL. */
static int from_file(struct sheet **out, const struct table *t,
                     const char *name, const struct given *g)
{
    const struct table mine = {.name = name};

    if (t && t->counted)
        return err_set(ERR_USAGE, "--from: table %s is computed, not "
                                  "measured: `synthbench table %s` computes "
                                  "it", name, name);
    if (g->store || g->columns || g->set.n)
        return err_set(ERR_USAGE, "--from prints a table as it is; it cannot "
                                  "be combined with --store, --columns or -S");
    return table_again(out, t || !name ? t : &mine, g->from, parts(g));
}

/* Fills the sheet from a file, by timing, by computation or from a store.
 * Returns OK, the exit code of a damaged store, or an error. */
static int fill(struct sheet **out, const struct table *t, const char *name,
                const char *word, const struct given *g)
{
    if (g->from)
        return from_file(out, t, name, g);
    if (g->columns)
        return timed(out, t, g);
    return t && t->counted ? counted(out, t, g)
                           : measured(out, t, name, word, g);
}

static int run_table(const void *given, const struct arguments *args)
{
    const struct given *g = given;

    if (g->fresh && !g->columns)
        return err_set(ERR_USAGE, "--fresh requires --columns speed");
    if (g->published)
        return published(args, g);
    if (!args->n && !g->from)
        return err_set(ERR_USAGE, "missing table (see `synthbench list "
                                  "tables`)");
    OWNED(arena_free) struct arena *a = arena_new();
    const char *word = args->of[0], *name = word ? name_of(word, a) : NULL;
    const struct table *t = NULL;
    OWNED(sheet_close) struct sheet *s = NULL;

    if (name)
        PASS(find(&t, name, word, g));
    if ((more(g) || g->all) && (g->columns || (t && t->counted)))
        return err_set(ERR_USAGE, "--all, --detail and --pairs require a table "
                                  "of stored results");
    if (!t && g->columns && !g->from)
        return err_set(ERR_USAGE, "table %s has no speed columns", name);
    int damage = fill(&s, t, name, word, g);
    if (damage >= 0 && s)
        PASS(print(s, g));
    return damage;
}

const struct command command_table = {
    .name = "table",
    .summary = "Print a table with our numbers next to the published ones",
    .args = "[TABLE]",
    .doc = "`list tables` lists the tables; the name or file of an experiment "
           "prints the table of its rows and tasks. The default store is then "
           "results/EXPERIMENT; with --store, the rows are those of the "
           "experiment recorded in STORE. Table 1 needs no store; -S d=1024 "
           "gives its layers another shape. `table 4 --columns speed` times "
           "steps of T5-base with each attention. This takes about 15 minutes "
           "on two cores and 7 GB of memory; times that the same program "
           "measured on the same processor are read from --store (default: "
           "results/table4). --from and --published need no TABLE.",
    .formats = format_names,
    COMMAND_RUNS(run_table, 0, 1)};
