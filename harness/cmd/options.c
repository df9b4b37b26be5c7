#include "harness/cmd/options.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/argv.h"
#include "harness/print/sheet.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const command_text_json[] = {"text", "json", NULL};
const char *const command_text_md_json[] = {"text", "md", "tex", "json", "html",
                                            NULL};

/* ---- readers ---- */

/* The longest file name on the command line: a buffer of PATH_MAX bytes holds
 * it even if the program appends a name of its own. */
enum { NAME_MOST = PATH_MAX - 512, SETS = 64 };

static int check_text(const char *what, const char *arg)
{
    if (!*arg)
        return err_set(ERR_USAGE, "%s: the name is empty", what);
    if (strlen(arg) > NAME_MOST)
        return err_set(ERR_USAGE, "%s: the name is longer than %d bytes", what,
                       NAME_MOST);
    return OK;
}

static int check_there(const struct opt *opt, const char *arg, int folder)
{
    PASS(check_text(opt->name, arg));
    return file_named(arg, folder) < 0
               ? err_set(ERR_USAGE, "%s %s", opt->name, err_last()) : OK;
}

int opt_text(void *field, const struct opt *opt, const char *arg,
             struct reading *r)
{
    (void)r;
    *(const char **)field = arg;
    return check_text(opt->name, arg);
}

int opt_file(void *field, const struct opt *opt, const char *arg,
             struct reading *r)
{
    (void)r;
    *(const char **)field = file_stdin(arg);
    return check_there(opt, file_stdin(arg), 0);
}

int opt_folder(void *field, const struct opt *opt, const char *arg,
               struct reading *r)
{
    (void)r;
    *(const char **)field = arg;
    return check_there(opt, arg, 1);
}

int opt_texts(void *field, const struct opt *opt, const char *arg,
              struct reading *r)
{
    struct arguments *list = field;
    const char **of = (const char **)list->of;

    if (!of)
        list->of = of = arena_zero(r->memory,
                                   ((size_t)r->room + 1) * sizeof *of);
    of[list->n++] = arg;
    return check_text(opt->name, arg);
}

int opt_files(void *field, const struct opt *opt, const char *arg,
              struct reading *r)
{
    PASS(opt_texts(field, opt, file_stdin(arg), r));
    return check_there(opt, file_stdin(arg), 0);
}

int opt_flag(void *field, const struct opt *opt, const char *arg,
             struct reading *r)
{
    (void)opt, (void)arg, (void)r;
    *(int *)field = 1;
    return OK;
}

int opt_count(void *field, const struct opt *opt, const char *arg,
              struct reading *r)
{
    long long n = 0;

    (void)r;
    if (str_to_int(arg, &n) || n < 1 || n > opt->most)
        return err_set(ERR_USAGE, "%s %s: expected a number from 1 to %d",
                       opt->name, arg, opt->most);
    *(int *)field = (int)n;
    return OK;
}

int opt_output(void *field, const struct opt *opt, const char *arg,
               struct reading *r)
{
    const char *path = strcmp(arg, "-") ? arg : "/dev/stdout";
    int rc = file_output_check(path);

    if (rc < 0)
        return err_wrap(rc, "%s", opt->name);
    return opt_text(field, opt, path, r);
}

static int add_setting(struct assigns *set, const char *key, const char *value,
                       const char *where, struct reading *r)
{
    if (set->n == SETS)
        return err_set(ERR_USAGE, "%s %s: at most %d settings", where, value,
                       SETS);
    if (!set->a)
        set->a = arena_zero(r->memory, SETS * sizeof *set->a);
    set->a[set->n++] = (struct assign){key, value, where};
    return OK;
}

int opt_setting(void *field, const struct opt *opt, const char *arg,
                struct reading *r)
{
    return add_setting(field, opt->name + strlen("--"), arg, opt->name, r);
}

int opt_set(void *field, const struct opt *opt, const char *arg,
            struct reading *r)
{
    char *key = arena_text(r->memory, arg), *equals = strchr(key, '=');

    if (!equals || equals == key)
        return err_set(ERR_USAGE, "-S %s: expected KEY=VALUE", arg);
    *equals = 0;
    if (opt->instead && settings_is_axis(key))
        return err_set(ERR_USAGE, "-S %s: not a setting; %s", key,
                       opt->instead);
    return add_setting(field, key, equals + 1, "-S", r);
}

static const char AUTO[] = "10 minutes, or 20 of its longest steps if that is "
                           "longer";

/* Reads a number of seconds above 0.  If the default of the option is AUTO,
 * also accepts 0. */
static int read_seconds(void *field, const struct opt *opt, const char *arg,
                        struct reading *r)
{
    int zero = opt->initial == AUTO;
    double *seconds = field;

    (void)r;
    if (arg == AUTO)
        *seconds = -1;
    else if (str_to_real(arg, seconds) || *seconds < 0 || (!*seconds && !zero))
        return err_set(ERR_USAGE, "%s %s: expected seconds%s", opt->name, arg,
                       zero ? ", or 0" : "");
    return OK;
}

int opt_seeds(void *field, const struct opt *opt, const char *arg,
              struct reading *r)
{
    struct choice *choice = field;
    long long *seed;

    if (seeds_read(&seed, &choice->seeds, arg, r->memory) < 0)
        return err_wrap(ERR_USAGE, "%s %s", opt->name, arg);
    choice->seed = seed;
    return OK;
}

static int read_format(void *field, const struct opt *opt, const char *arg,
                       struct reading *r)
{
    int i = names_find("format", arg, r->command->formats);

    (void)opt;
    PASS(i);
    *(const char **)field = r->command->formats[i];
    return OK;
}

static int read_json(void *field, const struct opt *opt, const char *arg,
                     struct reading *r)
{
    (void)arg;
    return read_format(field, opt, "json", r);
}

static int read_quiet(void *field, const struct opt *opt, const char *arg,
                      struct reading *r)
{
    (void)opt;
    (void)arg;
    (void)r;
    *(const char **)field = SHEET_VERDICT;
    return OK;
}

static const char CACHE[] = "$XDG_CACHE_HOME/synthbench";

/* Reads the cache folder.  As in the XDG base directory specification, relative
 * paths in the environment are ignored. */
static int read_cache(void *field, const struct opt *opt, const char *arg,
                      struct reading *r)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (arg != CACHE)
        return opt_text(field, opt, arg, r);
    *(const char **)field =
        xdg && *xdg == '/' ? arena_format(r->memory, "%s/synthbench", xdg)
                           : arena_format(r->memory, "%s/.cache/synthbench",
                                          home && *home ? home : ".");
    return OK;
}

/* ---- groups ---- */

const struct opt opts_format[] = {
    {.name = "--format", .arg = "FORMAT", .read = read_format},
    {.name = "--json", .read = read_json,
     .doc = "The same as --format json"},
    {.name = NULL}};

const struct opt opts_verdict[] = {
    {.group = opts_format, .at = 0},
    {"--quiet", 'q', NULL, read_quiet, 0, .doc = "Print the verdict alone"},
    {.name = NULL}};

const struct opt opts_output[] = {
    {"--output", 'o', "FILE", opt_output, 0,
     .doc = "Write to FILE instead of stdout"},
    {.name = NULL}};

const struct opt opts_store[] = {
    {"--store", 0, "DIR", opt_text, 0,
     .doc = "Results folder (default: results/EXPERIMENT)"},
    {.name = NULL}};

const struct opt opts_results[] = {
    {"--store", 0, "DIR", opt_text, 0, .doc = "Results folder"},
    {.name = NULL}};

const struct opt opts_cache[] = {
    {"--cache", 0, "DIR", read_cache, 0,
     .doc = "Folder of fetched and prepared data",
     .initial = CACHE},
    {.name = NULL}};

const struct opt opts_files[] = {
    {"--data-dir", 0, "DIR", opt_folder, 0,
     .doc = "Folder of official data: for `glue_mnli`, the first of "
            "DIR/glue_mnli, DIR/glue and DIR that has its files (default: the "
            "cache)"},
    {.name = NULL}};

const struct opt opts_baselines[] = {
    {"--baselines", 0, "DIR", opt_text, 0,
     .doc = "Folder of baselines",
     .initial = "results/baselines"},
    {.name = NULL}};

#define PLAN(field) offsetof(struct plan_of, field)

const struct opt opts_cells[] = {
    {"--synthetic", 0, NULL, opt_flag, PLAN(choice.synthetic),
     .doc = "Use synthetic data instead of real text"},
    {"--select", 'E', "FILTER", opt_text, PLAN(filter),
     .doc = "Only these cells: 'variant~random && task==lm1b' (~: contains)"},
    {.name = NULL}};

const struct opt opts_choice[] = {
    {"--set", 'S', "KEY=VALUE", opt_set, PLAN(choice.set),
     .doc = "Override a setting of every cell (`list keys`)",
     .instead = "use -E to select cells, --scale or --seeds"},
    {"--scale", 0, "SCALE", opt_text, PLAN(choice.scale),
     .doc = "smoke, quick, reduced or full in place of the file's scales"},
    {"--seeds", 0, "N|LIST", opt_seeds, PLAN(choice),
     .doc = OPT_SEEDS " (default: the file's)"},
    {.group = opts_cells},
    {.name = NULL}};

const struct opt opts_plan[] = {
    {.group = opts_choice},
    {.group = opts_store, .at = PLAN(store)},
    {.name = NULL}};

#define POOL(field) offsetof(struct pool_options, field)

const struct opt opts_pool[] = {
    {"--jobs", 'j', "N", opt_count, POOL(jobs),
     .doc = "Number of cells to train at a time (default: one per "
            "processor)", .most = 1024},
    {"--timeout", 0, "SECONDS", read_seconds, POOL(timeout),
     .doc = "Time limit of a cell, which fails beyond it"},
    {"--stall", 0, "SECONDS", read_seconds, POOL(stall),
     .doc = "A cell without a heartbeat for this long fails; 0 disables the "
            "check",
     .initial = AUTO},
    {.group = opts_cache, .at = POOL(cache)},
    {.group = opts_files, .at = POOL(files)},
    {.name = NULL}};

/* ---- the options of a command ---- */

static char *doc_of(const struct opt *o, const struct command *c,
                    struct arena *memory)
{
    if (!o->doc) { /* "text (default), md or json" */
        char *all = arena_format(memory, "%s (default)", c->formats[0]);

        for (int i = 1; c->formats[i]; i++)
            all = arena_format(memory, "%s, %s", all, c->formats[i]);
        return all;
    }
    if (!o->initial)
        return arena_text(memory, o->doc);
    return arena_format(memory, "%s (default: %s)", o->doc, o->initial);
}

static int open_rows(struct opt_row *row, int n, const struct opt *o,
                     size_t at, const struct command *c, struct arena *memory)
{
    for (; o->name || o->group; o++) {
        REQUIRE(n < OPTIONS_MOST, "%s has more than %d options", c->name,
                OPTIONS_MOST);
        if (o->group)
            n = open_rows(row, n, o->group, at + o->at, c, memory);
        else
            row[n++] = (struct opt_row){o, at + o->at,
                                        doc_of(o, c, memory)};
    }
    return n;
}

int options_rows(struct opt_row row[OPTIONS_MOST], const struct command *c,
                 struct arena *memory)
{
    return c->options ? open_rows(row, 0, c->options, 0, c, memory) : 0;
}

/* ---- reading ---- */

struct parse {
    struct parsed *out;
    struct reading reading;
    struct opt_row row[OPTIONS_MOST];
    int            rows;
};

static int read_row(struct parse *p, const struct opt_row *row,
                    const char *arg)
{
    return row->opt->read((char *)p->out->given + row->at, row->opt, arg,
                          &p->reading);
}

/* Reports that arguments are missing, and which the command requires.  If
 * c->args has two lines, joins them: "STORE#CELL STORE#CELL, or --digests STORE
 * STORE". */
static int missing(const struct command *c, struct arena *memory)
{
    char *rest = arena_text(memory, c->args);
    const char *all = strsep(&rest, "\n");

    while (rest)
        all = arena_format(memory, "%s, or %s", all, strsep(&rest, "\n"));
    return err_set(ERR_USAGE, "missing: %s", all);
}

static int read_words(struct parse *p, struct argv *s)
{
    const struct command *c = p->reading.command;
    struct arguments *args = &p->out->args;
    struct word w;

    for (;;) {
        PASS(argv_next(s, &w));
        if (w.kind == WORD_OPTION) {
            PASS(read_row(p, w.row, w.arg));
        } else if (w.kind == WORD_ARGUMENT) {
            if (args->n >= c->most)
                return err_set(ERR_USAGE, "too many arguments: '%s'", w.arg);
            ((const char **)args->of)[args->n++] = w.arg;
            PASS(check_text("an argument", w.arg));
        } else {
            break;
        }
    }
    p->out->request = w.kind;
    if (w.kind != WORD_END)
        return OK;
    if (args->n < c->least)
        return missing(c, p->reading.memory);
    for (int i = 0; i < p->rows; i++) /* after --cache was read */
        if (p->row[i].opt->read == read_cache &&
            strlen(*(char **)((char *)p->out->given + p->row[i].at)) >
                NAME_MOST)
            return err_set(ERR_USAGE, "the cache folder from XDG_CACHE_HOME "
                                      "or HOME has a name longer than %d "
                                      "bytes", NAME_MOST);
    return OK;
}

int options_read(struct parsed *out, const struct command *c, int argc,
                 char **argv, struct arena *memory)
{
    struct parse p = {.out = out, .reading = {c, memory, argc}};

    *out = (struct parsed){
        .given = arena_zero(memory, c->bytes + 1),
        .args.of = arena_zero(memory, ((size_t)argc + 1) * sizeof(char *))};
    p.rows = options_rows(p.row, c, memory);
    for (int i = 0; i < p.rows; i++) { /* the defaults */
        const struct opt *o = p.row[i].opt;
        const char *initial = o->read == read_format ? c->formats[0]
                                                     : o->initial;

        if (initial)
            PASS(read_row(&p, &p.row[i], initial));
    }
    struct argv s = {p.row, p.rows, argc, argv, .at = 1};
    return read_words(&p, &s);
}
