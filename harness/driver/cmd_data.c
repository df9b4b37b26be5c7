/* data: the text that tasks are made of. */
#include "harness/driver/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/apt.h"
#include "harness/driver/names.h"

static int fetch(const struct options *o)
{
    int rc = apt_fetch(o->cache, o->refresh);

    if (rc == OK)
        say("the text is in %s", o->cache);
    return rc;
}

static const char *const names[] = {"fetch", NULL};
static int (*const verbs[])(const struct options *o) = {fetch};

static int run(const struct options *o)
{
    int i = names_index(names, o->arg[0]);

    return i < 0 ? names_unknown("data verb", o->arg[0], names) : verbs[i](o);
}

const struct command command_data = {
    .name = "data",
    .summary = "Fetches the text that tasks are made of",
    .args = "fetch",
    .doc = "fetch: Debian's package descriptions and their translations, with "
           "this machine's own apt and its sources. What is there stays as it "
           "is unless --refresh asks for it again.",
    .takes = TAKES_CACHE | TAKES_REFRESH,
    .least = 1,
    .most = 1,
    .run = run};
