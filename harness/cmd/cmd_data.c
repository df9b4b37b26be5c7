/* data: the text that tasks are made of. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/data_verbs.h"
#include "harness/data/source/fetch.h"

static int fetch(const struct options *o)
{
    const char *names[SOURCES + 1] = {NULL};
    unsigned which = (1u << SOURCES) - 1;
    int rc;

    for (int i = 0; i < SOURCES; i++)
        names[i] = source_list[i].name;
    if (o->arg[1]) {
        int i = names_index(names, o->arg[1]);

        if (i < 0)
            return names_unknown("source", o->arg[1], names);
        which = 1u << i;
    }
    rc = fetch_sources(o->cache, which, o->refresh);
    if (rc == OK)
        say("the text is in %s", o->cache);
    return rc;
}

static const char *const names[] = {"fetch", "show", "check", "where", NULL};
static int (*const verbs[])(const struct options *o) = {
    fetch, data_show, data_check, data_where};
static const int least[] = {1, 2, 2, 1}; /* arguments */

static int run(const struct options *o)
{
    int i = names_index(names, o->arg[0]);

    if (i < 0)
        return names_unknown("data verb", o->arg[0], names);
    if (o->n < least[i])
        return err_set(ERR_USAGE, "data %s: which task? `synthbench data "
                       "where' lists them", names[i]);
    return verbs[i](o);
}

const struct command command_data = {
    .name = "data",
    .summary = "Fetches, shows and checks the text that tasks are made of",
    .args = "fetch [SOURCE]\nshow TASK\ncheck TASK\nwhere [TASK]",
    .doc = "fetch: apt: Debian's package descriptions and their translations; "
           "wesnoth, wordnet: texts of two of its packages; with this "
           "machine's own apt and its sources. sentiment: reviews, with npm. "
           "Nothing is installed. What is there stays as it is unless "
           "--refresh asks for it again.\n"
           "show: the rows of a data set, read from its official files.\n"
           "check: their bytes, SHA-256, rows, skipped rows and labels; as "
           "many rows as the distribution has are complete, fewer a subset, "
           "more an error.\n"
           "where: which files each task wants, where they come from, and "
           "how many are there.",
    .takes = TAKES_CACHE | TAKES_REFRESH | TAKES_FILES | TAKES_FORMAT,
    .least = 1,
    .most = 2,
    .formats = command_text_json,
    .run = run};
