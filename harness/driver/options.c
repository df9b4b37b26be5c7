#include "harness/driver/options.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/driver/names.h"
#include "harness/train/bench.h"

#include <argp.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_STORE = 256, OPT_CACHE, OPT_SCALE, OPT_SEEDS, OPT_SYNTHETIC,
    OPT_FORMAT, OPT_JSON, OPT_TIMEOUT, OPT_REFRESH, OPT_SAMPLES, OPT_SIZE,
    OPT_VARIANT, OPT_THREADS, OPT_PRECISION, OPT_REPEAT, OPT_PEAK,
    OPT_SCALING, OPT_HYP, OPT_REF, OPT_PRED,
    OPT_GOLD, OPT_GROUPS, OPT_BOOTSTRAP, OPT_AR, OPT_RESAMPLES, OPT_SEED,
    OPT_VECTORS, OPT_DATA, OPT_FAMILY, OPT_PRESET, OPT_PARTS, OPT_MIX,
    OPT_STEPS, OPT_START, OPT_CHECK, OPT_DATA_DIR, OPT_SPLIT, OPT_LIMIT,
    OPT_SKIPPED
};

static const struct row {
    unsigned           group;
    struct argp_option option;
} rows[] = {
    {TAKES_CHOICE, {"set", 'S', "KEY=VALUE", 0,
     "Override a setting of every cell (`list settings')", 0}},
    {TAKES_CHOICE, {"scale", OPT_SCALE, "SCALE", 0,
     "smoke, quick, reduced or full in place of the file's scales", 0}},
    {TAKES_CHOICE, {"seeds", OPT_SEEDS, "N", 0,
     "Seeds 1 to N in place of the file's", 0}},
    {TAKES_CHOICE, {"synthetic", OPT_SYNTHETIC, NULL, 0,
     "Generators in place of real text", 0}},
    {TAKES_CHOICE, {"select", 'E', "FILTER", 0,
     "Only these cells: 'variant~random && task==lm1b'", 0}},
    {TAKES_SCORE, {"hyp", OPT_HYP, "FILE", 0,
     "System output, one segment a line; several to compare systems", 0}},
    {TAKES_SCORE, {"ref", OPT_REF, "FILE", 0,
     "Reference, line by line; several where the metric takes them", 0}},
    {TAKES_SCORE, {"pred", OPT_PRED, "FILE", 0,
     "Predicted labels or values, one a line", 0}},
    {TAKES_SCORE, {"gold", OPT_GOLD, "FILE", 0, "The right ones", 0}},
    {TAKES_SCORE, {"groups", OPT_GROUPS, "FILE", 0,
     "The question that each line belongs to", 0}},
    {TAKES_SCORE, {"set", 'S', "OPTION=VALUE", 0, "An option of the metric",
     0}},
    {TAKES_SCORE, {"paired-bootstrap", OPT_BOOTSTRAP, NULL, 0,
     "Test every later --hyp against the first by paired bootstrap", 0}},
    {TAKES_SCORE, {"paired-ar", OPT_AR, NULL, 0,
     "The same by approximate randomisation", 0}},
    {TAKES_SCORE, {"resamples", OPT_RESAMPLES, "N", 0,
     "How many (default: 1000, or 10000 with --paired-ar)", 0}},
    {TAKES_SCORE, {"seed", OPT_SEED, "N", 0,
     "Of the resamples (default: 12345)", 0}},
    {TAKES_VECTORS, {"vectors", OPT_VECTORS, "DIR", 0,
     "A folder of metric folders, one of them, or one case", 0}},
    {TAKES_VECTORS, {"data", OPT_DATA, "DIR", 0,
     "Word lists that metrics need and that are not ours to ship (default: "
     "third_party beside the vectors, $SYNTHBENCH_METRIC_DATA)", 0}},
    {TAKES_POOL, {"jobs", 'j', "N", 0,
     "Cells at a time (default: one a processor)", 0}},
    {TAKES_POOL, {"timeout", OPT_TIMEOUT, "SECONDS", 0,
     "A cell that takes longer has failed", 0}},
    {TAKES_STORE, {"store", OPT_STORE, "DIR", 0,
     "The results folder (default: results/EXPERIMENT)", 0}},
    {TAKES_CACHE, {"cache", OPT_CACHE, "DIR", 0,
     "Fetched and prepared data (default: $XDG_CACHE_HOME/synthbench)", 0}},
    {TAKES_REFRESH, {"refresh", OPT_REFRESH, NULL, 0,
     "Fetch again what is there", 0}},
    {TAKES_SAMPLES, {"samples", OPT_SAMPLES, "N", 0,
     "N test examples, evenly spread: source, reference, output", 0}},
    {TAKES_BENCH, {"size", OPT_SIZE, "SIZE", 0,
     "tiny (default), small, medium, t2t-base or t5-base", 0}},
    {TAKES_BENCH, {"variant", OPT_VARIANT, "VARIANT", 0,
     "Attention variant or mixture (default: vanilla)", 0}},
    {TAKES_BENCH, {"threads", OPT_THREADS, "N", 0,
     "Threads of a step (default: one a processor)", 0}},
    {TAKES_BENCH, {"precision", OPT_PRECISION, "P", 0,
     "fp32 (default) or bf16, of matrix products", 0}},
    {TAKES_BENCH, {"repeat", OPT_REPEAT, "N", 0,
     "Steps that are timed (default: 20)", 0}},
    {TAKES_BENCH, {"peak", OPT_PEAK, NULL, 0,
     "Only the machine's own ceilings", 0}},
    {TAKES_BENCH, {"scaling", OPT_SCALING, "AXIS", 0,
     "How a step's cost grows with length, width or threads", 0}},
    {TAKES_BENCH | TAKES_SHAPE, {"set", 'S', "KEY=VALUE", 0,
     "Override a setting of the model", 0}},
    {TAKES_OUTPUT, {"output", 'o', "FILE", 0,
     "Write there in place of stdout", 0}},
    {TAKES_MODEL, {"set", 'S', "KEY=VALUE", 0,
     "Override a setting (`list settings')", 0}},
    {TAKES_MODEL, {"family", OPT_FAMILY, "FAMILY", 0,
     "seq2seq, lm (default) or encoder", 0}},
    {TAKES_MODEL, {"preset", OPT_PRESET, "PRESET", 0,
     "t2t (default) or t5", 0}},
    {TAKES_MODEL, {"variant", OPT_PARTS, "VARIANT", 0,
     "One, or a mixture, in this order (default: vanilla)", 0}},
    {TAKES_MODEL, {"mix", OPT_MIX, "MIX", 0,
     "logits (default), plus, sigmoid or weights", 0}},
    {TAKES_MODEL, {"steps", OPT_STEPS, "K", 0, "Steps (default: 3)", 0}},
    {TAKES_MODEL, {"seed", OPT_START, "S", 0,
     "Of weights and tokens (default: 1)", 0}},
    {TAKES_MODEL, {"check", OPT_CHECK, NULL, 0,
     "Repeat these traces and compare", 0}},
    {TAKES_FILES, {"data-dir", OPT_DATA_DIR, "DIR", 0,
     "Official files, in DIR/TASK if that is there, else in DIR", 0}},
    {TAKES_FILES, {"split", OPT_SPLIT, "SPLIT", 0,
     "train (default), valid, test or another of the task's", 0}},
    {TAKES_FILES, {"limit", OPT_LIMIT, "N", 0, "The first N rows", 0}},
    {TAKES_FILES, {"skipped", OPT_SKIPPED, NULL, 0,
     "The rows that were left out, and why", 0}},
    {TAKES_FORMAT, {"format", OPT_FORMAT, "FORMAT", 0, NULL, 0}},
    {TAKES_FORMAT, {"json", OPT_JSON, NULL, 0, "The same as --format json",
     0}},
};

enum { ROWS = sizeof rows / sizeof *rows };

const char *const command_text_json[] = {"text", "json", NULL};
const char *const command_text_md_json[] = {"text", "md", "json", NULL};

enum { SETS = 64 };

struct reading {
    struct options       *o;
    const struct command *command;
};

static char *default_cache(void)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (xdg && *xdg == '/') /* the specification ignores relative paths */
        return str_format("%s/synthbench", xdg);
    return str_format("%s/.cache/synthbench", home && *home ? home : ".");
}

static void add(struct reading *r, const char *key, const char *value,
                const char *where, struct argp_state *state)
{
    struct assigns *set = &r->o->choice.set;

    if (set->n == SETS)
        argp_error(state, "%s %s: at most %d settings", where, value, SETS);
    else
        set->a[set->n++] = (struct assign){key, value, where};
}

/* A choice has options of its own for what is no setting. */
static void read_set(struct reading *r, char *arg, struct argp_state *state)
{
    const char *instead =
        r->command->takes & TAKES_MODEL ? "use --variant or --seed"
        : r->command->takes & TAKES_CHOICE
            ? "use -E to select cells, --scale or --seeds"
            : NULL;
    char *equals = strchr(arg, '=');

    if (!equals || equals == arg) {
        argp_error(state, "-S %s: expected KEY=VALUE", arg);
        return;
    }
    *equals = 0;
    if (instead && settings_is_axis(arg))
        argp_error(state, "-S %s: not a setting; %s", arg, instead);
    add(r, arg, equals + 1, "-S", state);
}

static int read_count(const char *arg, const char *what, int most,
                      struct argp_state *state)
{
    long long n = 0;

    if (str_to_int(arg, &n) || n < 1 || n > most)
        argp_error(state, "%s %s: expected a number from 1 to %d", what, arg,
                   most);
    return (int)n;
}

static void read_format(struct reading *r, const char *arg,
                        struct argp_state *state)
{
    int i = names_index(r->command->formats, arg);

    if (i < 0) {
        names_unknown("format", arg, r->command->formats);
        argp_error(state, "%s", err_last());
    } else
        r->o->format = r->command->formats[i];
}

static void read_file_name(const char *list[], int *n, const char *arg,
                           struct argp_state *state)
{
    if (*n == OPTIONS_ARGS)
        argp_error(state, "%s: at most %d such files", arg, OPTIONS_ARGS);
    else
        list[(*n)++] = arg;
}

static error_t read_score(int key, char *arg, struct argp_state *state,
                          struct score_choice *s)
{
    switch (key) {
    case OPT_HYP:
    case OPT_PRED:
        read_file_name(s->hyp, &s->hyps, arg, state);
        *(key == OPT_HYP ? &s->texts : &s->labels) = 1;
        break;
    case OPT_REF:
    case OPT_GOLD:
        read_file_name(s->ref, &s->refs, arg, state);
        *(key == OPT_REF ? &s->texts : &s->labels) = 1;
        break;
    case OPT_GROUPS: s->groups = arg; break;
    case OPT_BOOTSTRAP:
    case OPT_AR:
        if (s->pairing)
            argp_error(state, "one of --paired-bootstrap and --paired-ar");
        s->pairing = key == OPT_AR ? PAIRED_AR : PAIRED_BOOTSTRAP;
        break;
    case OPT_RESAMPLES:
        s->resamples = read_count(arg, "--resamples", 1000000, state);
        break;
    case OPT_SEED:
        if (str_to_int(arg, &s->seed) || s->seed < 0 || s->seed > UINT32_MAX)
            argp_error(state, "--seed %s: expected 0 to %u", arg, UINT32_MAX);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* The model of a trace; official files. */
static error_t read_model(int key, char *arg, struct argp_state *state,
                          struct reading *r)
{
    switch (key) {
    case OPT_FAMILY: r->o->family = arg; break;
    case OPT_PRESET: add(r, "preset", arg, "--preset", state); break;
    case OPT_PARTS: add(r, "variant", arg, "--variant", state); break;
    case OPT_MIX: add(r, "mix", arg, "--mix", state); break;
    case OPT_STEPS: add(r, "steps", arg, "--steps", state); break;
    case OPT_START: add(r, "seed", arg, "--seed", state); break;
    case OPT_CHECK: r->o->check = 1; break;
    case OPT_DATA_DIR: r->o->data_dir = arg; break;
    case OPT_SPLIT: r->o->split = arg; break;
    case OPT_LIMIT:
        r->o->limit = read_count(arg, "--limit", INT_MAX, state);
        break;
    case OPT_SKIPPED: r->o->skipped = 1; break;
    default: return read_score(key, arg, state, &r->o->score);
    }
    return 0;
}

static error_t read_option(int key, char *arg, struct argp_state *state)
{
    struct reading *r = state->input;
    struct options *o = r->o;

    switch (key) {
    case OPT_VECTORS: o->vectors = arg; break;
    case OPT_DATA: o->data = arg; break;
    case 'S': read_set(r, arg, state); break;
    case 'E': o->filter = arg; break;
    case 'j': o->jobs = read_count(arg, "-j", 1024, state); break;
    case 'o': o->output = arg; break;
    case OPT_SCALE: o->choice.scale = arg; break;
    case OPT_SEEDS:
        o->choice.seeds = read_count(arg, "--seeds", 10000, state);
        break;
    case OPT_SYNTHETIC: o->choice.synthetic = 1; break;
    case OPT_TIMEOUT:
        if (str_to_real(arg, &o->timeout) || o->timeout <= 0)
            argp_error(state, "--timeout %s: expected seconds", arg);
        break;
    case OPT_STORE: o->store = arg; break;
    case OPT_CACHE:
        free(o->cache);
        o->cache = str_copy(arg);
        break;
    case OPT_REFRESH: o->refresh = 1; break;
    case OPT_SAMPLES:
        o->samples = read_count(arg, "--samples", 1000000, state);
        break;
    case OPT_SIZE: o->bench.size = arg; break;
    case OPT_VARIANT: o->bench.variant = arg; break;
    case OPT_PRECISION: o->bench.precision = arg; break;
    case OPT_SCALING: o->bench.scaling = arg; break;
    case OPT_PEAK: o->bench.peak = 1; break;
    case OPT_THREADS:
        o->bench.threads = read_count(arg, "--threads", 256, state);
        break;
    case OPT_REPEAT:
        o->bench.repeat = read_count(arg, "--repeat", BENCH_REPEAT_MAX, state);
        break;
    case OPT_FORMAT: read_format(r, arg, state); break;
    case OPT_JSON: read_format(r, "json", state); break;
    case ARGP_KEY_ARG:
        if (o->n >= r->command->most)
            argp_error(state, "too many arguments: '%s'", arg);
        else
            o->arg[o->n++] = arg;
        break;
    case ARGP_KEY_END:
        if (o->n < r->command->least)
            argp_error(state, "missing: %s", r->command->args);
        break;
    default: return read_model(key, arg, state, r);
    }
    return 0;
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
    int n = 0;

    for (int i = 0; i < ROWS; i++) {
        if (!(rows[i].group & c->takes))
            continue;
        option[n] = rows[i].option;
        if (!option[n].doc)
            option[n].doc = formats;
        n++;
    }
    struct argp argp = {.options = option, .parser = read_option,
                        .args_doc = c->args, .doc = doc};
    *out = (struct options){.cache = default_cache(),
                            .format = c->formats ? c->formats[0] : NULL,
                            .split = "train", .score.seed = -1};
    out->choice.set.a = calloc(SETS, sizeof *out->choice.set.a);
    REQUIRE(out->choice.set.a, "out of memory");
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    free(doc);
    free(formats);
    return OK;
}

void options_close(struct options *o)
{
    free(o->choice.set.a);
    free(o->cache);
}
