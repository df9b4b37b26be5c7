#include "harness/driver/options.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/driver/names.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_STORE = 256, OPT_CACHE, OPT_SCALE, OPT_SEEDS, OPT_SYNTHETIC,
    OPT_FORMAT, OPT_JSON, OPT_TIMEOUT, OPT_REFRESH, OPT_SAMPLES
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
    {TAKES_OUTPUT, {"output", 'o', "FILE", 0,
     "Write there in place of stdout", 0}},
    {TAKES_FORMAT, {"format", OPT_FORMAT, "FORMAT", 0, NULL, 0}},
    {TAKES_FORMAT, {"json", OPT_JSON, NULL, 0, "The same as --format json",
     0}},
};

enum { ROWS = sizeof rows / sizeof *rows };

const char *const command_text_json[] = {"text", "json", NULL};

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

static void read_set(struct reading *r, char *arg, struct argp_state *state)
{
    struct assigns *set = &r->o->choice.set;
    char *equals = strchr(arg, '=');

    if (!equals || equals == arg)
        argp_error(state, "-S %s: expected KEY=VALUE", arg);
    else if (set->n == SETS)
        argp_error(state, "-S %s: at most %d of them", arg, SETS);
    else {
        *equals = 0;
        if (settings_is_axis(arg))
            argp_error(state, "-S %s: not a setting; use -E to select cells, "
                       "--scale or --seeds", arg);
        set->a[set->n++] = (struct assign){arg, equals + 1, "-S"};
    }
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

static error_t read_option(int key, char *arg, struct argp_state *state)
{
    struct reading *r = state->input;
    struct options *o = r->o;

    switch (key) {
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
    default: return ARGP_ERR_UNKNOWN;
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
                            .format = c->formats ? c->formats[0] : NULL};
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
