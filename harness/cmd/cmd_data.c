/* data: the text that tasks are made of. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/data_verbs.h"
#include "harness/data/source/fetch.h"

struct given {
    const char *cache;
    int         refresh;
};

static const struct opt options[] = {
    {.group = opts_cache, .at = OPT_AT(cache)},
    {"--refresh", 0, NULL, opt_flag, OPT_AT(refresh),
     .doc = "Fetch again what is there"},
    {.name = NULL}};

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    const char *names[SOURCES + 1] = {NULL};
    unsigned which = (1u << SOURCES) - 1;

    for (int i = 0; i < SOURCES; i++)
        names[i] = source_list[i].name;
    if (args->n) {
        int i = names_find("source", args->of[0], names);

        PASS(i);
        which = 1u << i;
    }
    PASS(fetch_sources(g->cache, which, g->refresh));
    say("the text is in %s", g->cache);
    return OK;
}

static const struct command data_fetch = {
    .name = "fetch",
    .summary = "Fetch the text of reduced scale",
    .args = "[SOURCE]",
    .doc = "apt: Debian's package descriptions and their translations; "
           "wesnoth, wordnet: texts of two of its packages; with this "
           "machine's own apt and its sources. sentiment: reviews, with npm. "
           "Nothing is installed. What is there stays as it is unless "
           "--refresh asks for it again.",
    COMMAND_RUNS(0, 1)};

static const struct command *const subjects[] = {
    &data_fetch, &data_show, &data_check, &data_where, NULL};

const struct command command_data = {
    .name = "data",
    .summary = "Fetches, shows and checks the text that tasks are made of",
    .args = "fetch|show|check|where [TASK]",
    .subjects = subjects,
    .least = 1};
