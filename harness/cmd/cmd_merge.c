/* merge: several stores as one. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/merge.h"

#include <string.h>

struct given { const char *output; };

static const struct opt options[] = {
    {"--output", 'o', "DIR", opt_text, OPT_AT(output),
     .doc = "The new store"},
    {.name = NULL}};

static void tell(const struct merged *m, const char *to)
{
    OWNED(free) char *store = text_quoted(to);

    say("%s: %d cell%s, %d of them of several stores", to, m->cells,
        m->cells == 1 ? "" : "s", m->shared);
    if (m->failed)
        say("%d have failed; `synthbench status --store %s` tells why",
            m->failed, store);
    if (m->weightless)
        say("the weights that %d cell%s left %s in none of them: what starts "
            "from there cannot begin", m->weightless,
            m->weightless == 1 ? "" : "s", m->weightless == 1 ? "is" : "are");
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct merged m;

    if (!g->output || !*g->output)
        return err_set(ERR_USAGE, "merge: into what? name a new folder with "
                       "-o DIR");
    OWNED(free) char *to = str_copy(g->output);
    for (size_t n = strlen(to); n > 1 && to[n - 1] == '/';)
        to[--n] = 0;
    PASS(merge_stores(&m, to, args->of, args->n));
    tell(&m, to);
    return OK;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "Unites stores, as of several machines, into a new one",
    .args = "STORE... -o DIR",
    .doc = "Cells of one id must have the same bits: where they have not, both "
           "stores are named, and nothing is made. The order of the stores, "
           "and whether they are merged at once or by and by, change nothing. "
           "What is unfinished stays behind.",
    COMMAND_RUNS(1, 1024)};
