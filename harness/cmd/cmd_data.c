/* data: fetches, shows and checks the text of the tasks. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/data_verbs.h"
#include "harness/data/source/fetch.h"
#include "harness/plan/plan.h"
#include "harness/tasks/recipe.h"

#include <string.h>

struct given {
    const char *cache;
    int         refresh;
};

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {"--refresh", 0, NULL, opt_flag, OPT_AT(refresh),
     .doc = "Fetch text again even if it is present"},
    {.name = NULL}};

/* Adds the sources that an experiment's cells need.  Cells with official or
 * synthetic data need none. */
static int needs(unsigned *out, const char *experiment)
{
    OWNED(plan_close) struct plan *p = NULL;

    PASS(plan_open(&p, &(struct plan_of){.experiment = experiment}));
    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (c->task->recipe && !c->config.synthetic &&
            strcmp(c->config.scale, "full"))
            *out |= c->task->recipe->needs;
    }
    return OK;
}

/* Sets *out to the sources that the arguments name, and to those that the
 * experiments among the arguments need.  No experiment has the name of a
 * source. */
static int which(unsigned *out, const struct arguments *args)
{
    const char *names[SOURCES + 1] = {NULL};

    for (int i = 0; i < SOURCES; i++)
        names[i] = source_list[i].name;
    OWNED(free) char *all = names_list(names);
    *out = args->n ? 0 : (1u << SOURCES) - 1;
    for (int i = 0; i < args->n; i++) {
        int source = names_index(names, args->of[i]);

        if (source >= 0)
            *out |= 1u << source;
        else if (needs(out, args->of[i]) < 0)
            return err_wrap(ERR_USAGE, "'%s' is not a source (%s); read as "
                                       "an experiment", args->of[i], all);
    }
    return OK;
}

static int run_data(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    unsigned of;

    PASS(which(&of, args));
    if (!of) {
        say("%s needs no fetched text: its data is synthetic, or official "
            "files (`data where`)", args->of[0]);
        return OK;
    }
    PASS(fetch_sources(g->cache, of, g->refresh));
    say("the text is in %s", g->cache);
    return OK;
}

static const struct command data_fetch = {
    .name = "fetch",
    .summary = "Fetch the text for the quick and reduced scales",
    .args = "[SOURCE|EXPERIMENT]...",
    .doc = "With an experiment, fetches the text of its tasks; without one, "
           "all text. Sources: apt (Debian's package descriptions and their "
           "translations) and wesnoth (dialogue of a campaign), through this "
           "machine's apt; sentiment (reviews), through npm. "
           "Nothing is installed. Text that is present is kept unless "
           "--refresh is given.",
    COMMAND_RUNS(run_data, 0, SOURCES)};

static const struct command *const subjects[] = {
    &data_fetch, &data_show, &data_check, &data_where, NULL};

const struct command command_data = {
    .name = "data",
    .summary = "Fetch, show and check the text of the tasks",
    .args = "fetch|show|check|where [ARGUMENT]",
    .subjects = subjects,
    .least = 1};
