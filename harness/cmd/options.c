#include "harness/cmd/options.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/exact.h"
#include "harness/cmd/seeds.h"
#include "harness/train/bench.h"

#include <argp.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 64 };

const char *const command_text_json[] = {"text", "json", NULL};
const char *const command_text_md_json[] = {"text", "md", "json", NULL};

struct reading {
    struct options       *o;
    const struct command *command;
    struct argp_state    *state;
};

struct row {
    unsigned    group;
    const char *name;   /* with its dashes                     */
    int         letter; /* 'S', or 0                           */
    const char *arg;
    void      (*read)(const struct row *row, struct reading *r, char *arg);
    size_t      at;     /* of its field in struct options      */
    int         most;   /* of a count; or the reader's own     */
    const char *doc;    /* NULL: the formats of the verb       */
};

/* argp_error ends the program. */
#define WRONG(...) argp_error(r->state, __VA_ARGS__)

/* ---- readers ---- */

static void *field(const struct row *row, const struct reading *r)
{
    return (char *)r->o + row->at;
}

/* What paths are made of: buffers of PATH_MAX hold them with our own names
 * behind. */
enum { NAME_MOST = PATH_MAX - 512 };

static void check_text(const char *what, struct reading *r, const char *arg)
{
    if (!*arg)
        WRONG("%s: an empty name", what);
    if (strlen(arg) > NAME_MOST)
        WRONG("%s: a name of over %d bytes", what, NAME_MOST);
}

static void read_text(const struct row *row, struct reading *r, char *arg)
{
    check_text(row->name, r, arg);
    *(const char **)field(row, r) = arg;
}

static void check_there(const struct row *row, struct reading *r,
                        const char *arg, int folder)
{
    check_text(row->name, r, arg);
    if (file_named(arg, folder) < 0)
        WRONG("%s %s", row->name, err_last());
}

static void read_in_file(const struct row *row, struct reading *r, char *arg)
{
    check_there(row, r, arg, 0);
    read_text(row, r, arg);
}

static void read_folder(const struct row *row, struct reading *r, char *arg)
{
    check_there(row, r, arg, 1);
    read_text(row, r, arg);
}

static void read_flag(const struct row *row, struct reading *r, char *arg)
{
    (void)arg;
    *(int *)field(row, r) = 1;
}

static void read_count(const struct row *row, struct reading *r, char *arg)
{
    long long n = 0;

    if (str_to_int(arg, &n) || n < 1 || n > row->most)
        WRONG("%s %s: expected a number from 1 to %d", row->name, arg,
              row->most);
    *(int *)field(row, r) = (int)n;
}

static void read_seed(const struct row *row, struct reading *r, char *arg)
{
    long long *seed = field(row, r);

    if (str_to_int(arg, seed) || *seed < 0 || *seed > UINT32_MAX)
        WRONG("%s %s: expected 0 to %u", row->name, arg, UINT32_MAX);
}

static void read_seeds(const struct row *row, struct reading *r, char *arg)
{
    free(r->o->seeds);
    if (seeds_read(&r->o->seeds, &r->o->choice.seeds, arg) < 0)
        WRONG("%s %s: %s", row->name, arg, err_last());
    r->o->choice.seed = r->o->seeds;
}

static void read_seconds(const struct row *row, struct reading *r, char *arg)
{
    double *seconds = field(row, r);

    if (str_to_real(arg, seconds) || *seconds <= 0)
        WRONG("%s %s: expected seconds", row->name, arg);
}

static void read_patience(const struct row *row, struct reading *r, char *arg)
{
    double *seconds = field(row, r);

    if (str_to_real(arg, seconds) || *seconds < 0)
        WRONG("%s %s: expected seconds, or 0", row->name, arg);
}

static void add(struct reading *r, const char *key, const char *value,
                const char *where)
{
    struct assigns *set = &r->o->choice.set;

    if (set->n == SETS)
        WRONG("%s %s: at most %d settings", where, value, SETS);
    set->a[set->n++] = (struct assign){key, value, where};
}

/* A setting under a name of its own: --steps 5. */
static void read_setting(const struct row *row, struct reading *r, char *arg)
{
    add(r, row->name + strlen("--"), arg, row->name);
}

/* A choice has options of its own for what is no setting. */
static void read_set(const struct row *row, struct reading *r, char *arg)
{
    const char *instead =
        row->group & TAKES_MODEL    ? "use --variant or --seed"
        : row->group & TAKES_CHOICE ? "use -E to select cells, --scale or "
                                      "--seeds"
        : row->group & TAKES_BENCH  ? "use --variant or --size"
                                    : NULL;
    char *equals = strchr(arg, '=');

    if (!equals || equals == arg)
        WRONG("-S %s: expected KEY=VALUE", arg);
    *equals = 0;
    if (instead && settings_is_axis(arg))
        WRONG("-S %s: not a setting; %s", arg, instead);
    add(r, arg, equals + 1, "-S");
}

/* "1,4" */
static void read_counts(const struct row *row, struct reading *r, char *arg)
{
    struct count_list *list = field(row, r);
    long long n = 0;

    list->n = 0;
    for (char *s = strtok(arg, ","); s; s = strtok(NULL, ",")) {
        if (str_to_int(s, &n) || n < 1 || n > row->most ||
            list->n == EXACT_MOST)
            WRONG("%s: expected numbers from 1 to %d, at most %d, with "
                  "commas between", row->name, row->most, EXACT_MOST);
        list->of[list->n++] = (int)n;
    }
    if (!list->n)
        WRONG("%s: expected a number", row->name);
}

static void read_sample(const struct row *row, struct reading *r, char *arg)
{
    if (strcmp(arg, "all"))
        read_count(row, r, arg);
    else
        *(int *)field(row, r) = -1;
}

enum { TEXTS, LABELS };

static void read_file(const struct row *row, struct reading *r, char *arg)
{
    struct file_list *list = field(row, r);

    check_there(row, r, arg, 0);
    if (list->n == OPTIONS_ARGS)
        WRONG("%s: at most %d such files", arg, OPTIONS_ARGS);
    list->name[list->n++] = arg;
    *(row->most == TEXTS ? &r->o->score.texts : &r->o->score.labels) = 1;
}

static void read_pairing(const struct row *row, struct reading *r, char *arg)
{
    enum pairing *pairing = &r->o->score.pairing;

    (void)arg;
    if (*pairing)
        WRONG("one of --paired-bootstrap and --paired-ar");
    *pairing = (enum pairing)row->most;
}

static void read_cache(const struct row *row, struct reading *r, char *arg)
{
    check_text(row->name, r, arg);
    free(r->o->cache);
    r->o->cache = str_copy(arg);
}

static void read_format(const struct row *row, struct reading *r, char *arg)
{
    int i = names_index(r->command->formats, arg);

    (void)row;
    if (i < 0) {
        names_unknown("format", arg, r->command->formats);
        WRONG("%s", err_last());
    }
    r->o->format = r->command->formats[i];
}

static void read_json(const struct row *row, struct reading *r, char *arg)
{
    static char json[] = "json";

    (void)arg;
    read_format(row, r, json);
}

/* ---- the table ---- */

#define AT(x) offsetof(struct options, x)

/* clang-format off */
static const struct row rows[] = {
    {TAKES_CHOICE, "--set", 'S', "KEY=VALUE", read_set, 0, 0,
     "Override a setting of every cell (`list settings')"},
    {TAKES_CHOICE, "--scale", 0, "SCALE", read_text, AT(choice.scale), 0,
     "smoke, quick, reduced or full in place of the file's scales"},
    {TAKES_CHOICE, "--seeds", 0, "N|LIST", read_seeds, 0, 0,
     "Seeds 1 to N, or those of a list (4,7 or 4..7), in place of the file's"},
    {TAKES_CHOICE, "--synthetic", 0, NULL, read_flag, AT(choice.synthetic), 0,
     "Generators in place of real text"},
    {TAKES_CHOICE, "--select", 'E', "FILTER", read_text, AT(filter), 0,
     "Only these cells: 'variant~random && task==lm1b'"},
    {TAKES_SCORE, "--hyp", 0, "FILE", read_file, AT(score.hyp), TEXTS,
     "System output, one segment a line; several to compare systems"},
    {TAKES_SCORE, "--ref", 0, "FILE", read_file, AT(score.ref), TEXTS,
     "Reference, line by line; several where the metric takes them"},
    {TAKES_SCORE, "--pred", 0, "FILE", read_file, AT(score.hyp), LABELS,
     "Predicted labels or values, one a line"},
    {TAKES_SCORE, "--gold", 0, "FILE", read_file, AT(score.ref), LABELS,
     "The right ones"},
    {TAKES_SCORE, "--groups", 0, "FILE", read_in_file, AT(score.groups), 0,
     "The question that each line belongs to"},
    {TAKES_SCORE, "--set", 'S', "OPTION=VALUE", read_set, 0, 0,
     "An option of the metric"},
    {TAKES_SCORE, "--paired-bootstrap", 0, NULL,
     read_pairing, 0, PAIRED_BOOTSTRAP,
     "Test every later --hyp against the first by paired bootstrap"},
    {TAKES_SCORE, "--paired-ar", 0, NULL, read_pairing, 0, PAIRED_AR,
     "The same by approximate randomisation"},
    {TAKES_SCORE, "--resamples", 0, "N",
     read_count, AT(score.resamples), 1000000,
     "How many (default: 1000, or 10000 with --paired-ar)"},
    {TAKES_SCORE, "--seed", 0, "N", read_seed, AT(score.seed), 0,
     "Of the resamples (default: 12345)"},
    {TAKES_VECTORS, "--vectors", 0, "DIR", read_folder, AT(vectors), 0,
     "A folder of metric folders, one of them, or one case"},
    {TAKES_VECTORS, "--data", 0, "DIR", read_folder, AT(data), 0,
     "Word lists that metrics need and that are not ours to ship (default: "
     "third_party beside the vectors, $SYNTHBENCH_METRIC_DATA)"},
    {TAKES_POOL, "--jobs", 'j', "N", read_count, AT(jobs), 1024,
     "Cells at a time (default: one a processor)"},
    {TAKES_POOL, "--timeout", 0, "SECONDS", read_seconds, AT(timeout), 0,
     "A cell that takes longer has failed"},
    {TAKES_EXTEND, "--extend", 0, NULL, read_flag, AT(extend), 0,
     "Add these cells to the experiment that the store belongs to"},
    {TAKES_POOL, "--stall", 0, "SECONDS", read_patience, AT(stall), 0,
     "A cell that gives no sign of life for so long has failed; 0: never "
     "(default: 10 minutes, or 20 of its longest steps)"},
    {TAKES_EXACT, "--threads", 0, "N,...", read_counts, AT(exact.threads), 256,
     "Threads of a cell, one repetition for each (default: 1,2)"},
    {TAKES_EXACT, "--jobs", 'j', "N,...", read_counts, AT(exact.jobs), 1024,
     "Cells at a time, one repetition for each (default: 1)"},
    {TAKES_EXACT, "--sample", 0, "N", read_sample, AT(exact.sample), 1000000,
     "How many finished cells are repeated, or `all' (default: 5)"},
    {TAKES_DIGESTS, "--digests", 0, NULL, read_flag, AT(digests), 0,
     "Compare two whole stores, cell by cell, to the bit"},
    {TAKES_FORCE, "--force", 0, NULL, read_flag, AT(force), 0,
     "Train again what is done, and say whether it came out the same"},
    {TAKES_DRY, "--dry-run", 0, NULL, read_flag, AT(dry), 0,
     "Say what would be done, and do nothing"},
    {TAKES_STORE, "--store", 0, "DIR", read_text, AT(store), 0,
     "The results folder (default: results/EXPERIMENT)"},
    {TAKES_CACHE, "--cache", 0, "DIR", read_cache, 0, 0,
     "Fetched and prepared data (default: $XDG_CACHE_HOME/synthbench)"},
    {TAKES_REFRESH, "--refresh", 0, NULL, read_flag, AT(refresh), 0,
     "Fetch again what is there"},
    {TAKES_SAMPLES, "--samples", 0, "N", read_count, AT(samples), 1000000,
     "N test examples, evenly spread: source, reference, output"},
    {TAKES_BENCH, "--size", 0, "SIZE", read_text, AT(bench.size), 0,
     "tiny (default), small, medium, t2t-base or t5-base"},
    {TAKES_BENCH, "--variant", 0, "VARIANT", read_text, AT(bench.variant), 0,
     "Attention variant or mixture (default: vanilla)"},
    {TAKES_BENCH, "--threads", 0, "N", read_count, AT(bench.threads), 256,
     "Threads of a step (default: one a processor)"},
    {TAKES_BENCH, "--precision", 0, "P", read_text, AT(bench.precision), 0,
     "fp32 (default) or bf16, of matrix products"},
    {TAKES_BENCH, "--repeat", 0, "N",
     read_count, AT(bench.repeat), BENCH_REPEAT_MAX,
     "Steps that are timed (default: 20)"},
    {TAKES_BENCH, "--peak", 0, NULL, read_flag, AT(bench.peak), 0,
     "Only the machine's own ceilings"},
    {TAKES_BENCH, "--scaling", 0, "AXIS", read_text, AT(bench.scaling), 0,
     "How a step's cost grows with length, width or threads"},
    {TAKES_BENCH | TAKES_SHAPE, "--set", 'S', "KEY=VALUE", read_set, 0, 0,
     "Override a setting of the model"},
    {TAKES_COLUMNS, "--columns", 0, "COLUMNS", read_text, AT(columns), 0,
     "speed: steps timed on this machine, kept in the results folder"},
    {TAKES_COLUMNS, "--fresh", 0, NULL, read_flag, AT(fresh), 0,
     "Time again what has been timed"},
    {TAKES_FROM, "--from", 0, "FILE.json", read_text, AT(from), 0,
     "Of what --format json wrote, in place of a store"},
    {TAKES_OUTPUT, "--output", 'o', "FILE", read_text, AT(output), 0,
     "Write there in place of stdout"},
    {TAKES_MODEL, "--set", 'S', "KEY=VALUE", read_set, 0, 0,
     "Override a setting (`list settings')"},
    {TAKES_MODEL, "--family", 0, "FAMILY", read_text, AT(family), 0,
     "seq2seq, lm (default) or encoder"},
    {TAKES_MODEL, "--preset", 0, "PRESET", read_setting, 0, 0,
     "t2t (default) or t5"},
    {TAKES_MODEL, "--variant", 0, "VARIANT", read_setting, 0, 0,
     "One, or a mixture, in this order (default: vanilla)"},
    {TAKES_MODEL, "--mix", 0, "MIX", read_setting, 0, 0,
     "logits (default), plus, sigmoid or weights"},
    {TAKES_MODEL, "--steps", 0, "K", read_setting, 0, 0,
     "Steps (default: 3)"},
    {TAKES_MODEL, "--seed", 0, "S", read_setting, 0, 0,
     "Of weights and tokens (default: 1)"},
    {TAKES_MODEL, "--check", 0, NULL, read_flag, AT(check), 0,
     "Repeat these traces and compare"},
    {TAKES_FILES | TAKES_POOL | TAKES_EXACT, "--data-dir", 0, "DIR",
     read_folder,
     AT(data_dir), 0,
     "Official files, in DIR/TASK if that is there, else in DIR (default: the "
     "cache)"},
    {TAKES_FILES, "--split", 0, "SPLIT", read_text, AT(split), 0,
     "train, valid, test or another of the task's (show's default is the "
     "first)"},
    {TAKES_FILES, "--limit", 0, "N", read_count, AT(limit), INT_MAX,
     "The first N rows"},
    {TAKES_FILES, "--skipped", 0, NULL, read_flag, AT(skipped), 0,
     "The rows that were left out, and why"},
    {TAKES_FORMAT, "--format", 0, "FORMAT", read_format, 0, 0,
     NULL},
    {TAKES_FORMAT, "--json", 0, NULL, read_json, 0, 0,
     "The same as --format json"},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof *rows, KEYS = 256 };

/* Of a letter, or KEYS + the number of its row; NULL: not of this verb. */
static const struct row *find(int key, const struct command *c)
{
    if (key >= KEYS && key < KEYS + ROWS)
        return &rows[key - KEYS];
    for (int i = 0; i < ROWS; i++)
        if (rows[i].letter == key && (rows[i].group & c->takes))
            return &rows[i];
    return NULL;
}

static void read_argument(struct reading *r, char *arg)
{
    struct options *o = r->o;

    check_text("an argument", r, arg);
    if (o->n >= r->command->most)
        WRONG("too many arguments: '%s'", arg);
    o->arg[o->n++] = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct reading *r = state->input;
    const struct row *row = key > 0 && key < KEYS + ROWS
                                ? find(key, r->command) : NULL;

    r->state = state;
    if (row)
        row->read(row, r, arg);
    else if (key == ARGP_KEY_ARG)
        read_argument(r, arg);
    else if (key == ARGP_KEY_END && r->o->n < r->command->least)
        WRONG("missing: %s", r->command->args);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static char *default_cache(void)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (xdg && *xdg == '/') /* the specification ignores relative paths */
        return str_format("%s/synthbench", xdg);
    return str_format("%s/.cache/synthbench", home && *home ? home : ".");
}

/* "text, md or json" for the help. */
static char *formats_text(const struct command *c)
{
    char *s = str_copy("");

    for (int i = 0; c->formats && c->formats[i]; i++) {
        char *longer = str_format("%s%s%s%s", s, i ? ", " : "", c->formats[i],
                                  i ? "" : " (default)");
        free(s);
        s = longer;
    }
    return s;
}

int options_read(struct options *out, const struct command *c, int argc,
                 char **argv)
{
    struct argp_option option[ROWS + 1] = {{.name = NULL}};
    struct reading r = {.o = out, .command = c};
    char *formats = formats_text(c);
    char *doc = str_format("%s\v%s", c->summary, c->doc ? c->doc : "");
    int n = 0, rc;

    for (int i = 0; i < ROWS; i++) {
        if (!(rows[i].group & c->takes))
            continue;
        option[n++] = (struct argp_option){
            .name = rows[i].name + strlen("--"), .arg = rows[i].arg,
            .key = rows[i].letter ? rows[i].letter : KEYS + i,
            .doc = rows[i].doc ? rows[i].doc : formats};
    }
    struct argp argp = {.options = option, .parser = parse,
                        .args_doc = c->args, .doc = doc};
    *out = (struct options){.cache = default_cache(),
                            .format = c->formats ? c->formats[0] : NULL,
                            .stall = -1, .score.seed = -1};
    out->choice.set.a = calloc(SETS, sizeof *out->choice.set.a);
    rc = exact_options(option, argc, argv);
    if (rc == OK)
        argp_parse(&argp, argc, argv, 0, NULL, &r);
    free(doc);
    free(formats);
    if (rc == OK && strlen(out->cache) > NAME_MOST)
        rc = err_set(ERR_USAGE, "the cache, by XDG_CACHE_HOME or HOME, has a "
                     "name of over %d bytes", NAME_MOST);
    return rc;
}

void options_close(struct options *o)
{
    free(o->choice.set.a);
    free(o->seeds);
    free(o->cache);
}

/* ---- for others ---- */

const char *data_folder(const struct options *o)
{
    return o->data_dir ? o->data_dir : o->cache;
}

struct plan_of options_plan(const struct options *o)
{
    return (struct plan_of){.experiment = o->n ? o->arg[0] : NULL,
                            .store = o->store, .filter = o->filter,
                            .choice = o->choice};
}

struct pool_options options_pool(const struct options *o)
{
    return (struct pool_options){.jobs = o->jobs, .timeout = o->timeout,
                                 .stall = o->stall, .cache = o->cache,
                                 .files = data_folder(o)};
}
