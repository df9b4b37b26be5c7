/* merge: merges several stores into one. */
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

static int run_merge(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct merged m;

    if (!g->output || !*g->output)
        return err_set(ERR_USAGE, "merge: specify a new folder with -o DIR");
    OWNED(free) char *to = str_copy(g->output);
    for (size_t n = strlen(to); n > 1 && to[n - 1] == '/';)
        to[--n] = 0;
    PASS(merge_stores(&m, to, args->of, args->n));
    OWNED(free) char *store = text_quoted(to);
    say("%s: %d cell%s, %d of them in several stores", to, m.cells,
        m.cells == 1 ? "" : "s", m.shared);
    if (m.failed)
        say("%d have failed; `synthbench status --store %s` prints the "
            "reasons", m.failed, store);
    if (m.weightless)
        say("the weights that %d cell%s left %s in none of them: what starts "
            "from there cannot begin", m.weightless,
            m.weightless == 1 ? "" : "s", m.weightless == 1 ? "is" : "are");
    return OK;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "Merge stores, for example of several machines",
    .args = "STORE... -o DIR",
    .doc = "Cells with the same id must be bit-identical; otherwise both "
           "stores are named and nothing is written. The order of the "
           "stores and the number of merges do not matter. Unfinished cells "
           "are not merged.",
    COMMAND_RUNS(run_merge, 1, 1024)};
