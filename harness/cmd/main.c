/*
 * synthbench COMMAND [options]: finds the command and runs it.  err.h lists the
 * exit codes.  An error message is printed once, on stderr.
 */
#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"
#include "harness/cmd/argv.h"
#include "harness/engine/backend.h"
#include "harness/ranks/launch.h"
#include "harness/train/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command synthbench = {
    .name = "synthbench",
    .summary = "Trains the Synthesizer paper's attention variants on its "
               "tasks and compares the results with the published ones.",
    .args = "COMMAND [ARGUMENT...]",
    .doc = "See `synthbench COMMAND --help` for more.",
    .subjects = command_all};

/* Prints the versions of the program and its libraries, for --version. */
static void put_version(void)
{
    char commit[PROVENANCE_TEXT], libraries[PROVENANCE_TEXT];
    char products[BACKEND_PRODUCTS];

    provenance_commit(commit);
    provenance_libraries(libraries);
    printf("synthbench 0.1\ncommit %s\n%s\n%s (%s), %s\n", commit,
           provenance_compiler(), backend_products(products),
           provenance_instructions(), libraries);
}

/* Checks the number of MPI processes.  Only rank 0 reports an error. */
static int check_ranks(const struct command *c, const char *name)
{
    struct launch l;
    int rc = launch_read(&l);

    if (rc == OK && (l.n == 1 || c->ranks))
        return OK;
    if (l.me > 0)
        exit(0);
    PASS(rc);
    return err_set(ERR_USAGE, "mpirun started %d processes of `%s`, which "
                              "needs one; only `synthbench run` uses "
                              "several ranks",
                   l.n, name);
}

/* Reads argv, which begins with the name of the command.  An error message
 * refers to the help of the command. */
static int read_words(struct parsed *out, const struct command *c,
                      const char *name, int argc, char **argv,
                      struct arena *memory)
{
    const char *of = name + strlen("synthbench");

    if (options_read(out, c, argc, argv, memory) < 0)
        return err_set(ERR_USAGE, "%s%s%s (see `synthbench help%s`)",
                       of + (*of == ' '), *of ? ": " : "", err_last(), of);
    if (out->request == WORD_VERSION)
        put_version();
    else if (out->request)
        (out->request == WORD_USAGE ? options_usage : options_help)(c, name);
    return OK;
}

/* Runs a command, or the subcommand that the first word without a dash
 * names. */
static int run(const struct command *c, const char *name, int argc,
               char **argv)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    const char *what = c == &synthbench ? "command" : "subcommand";
    const struct command *subject = NULL;
    struct parsed p = {.request = 0};
    int at = 1; /* index of the subcommand */

    if (!c->subjects) {
        PASS(check_ranks(c, name));
        PASS(read_words(&p, c, name, argc, argv, memory));
        return p.request ? OK : c->run(p.given, &p.args);
    }
    while (at < argc && *argv[at] == '-')
        at++;
    if (at > 1 && read_words(&p, c, name, at, argv, memory) < 0)
        return c == &synthbench
                   ? ERR_USAGE
                   : err_set(ERR_USAGE, "%s: put the subcommand first and "
                             "options after it: %s", c->name, c->args);
    if (p.request)
        return OK;
    if (at == argc)
        return err_set(ERR_USAGE, "missing %s: %s (see `synthbench help%s`)",
                       what, c->args, name + strlen("synthbench"));
    PASS(command_find(&subject, c->subjects, what, argv[at]));
    return run(subject, arena_format(memory, "%s %s", name, subject->name),
               argc - at, argv + at);
}

int main(int argc, char **argv)
{
    int rc = streams_open();

    if (rc == OK)
        rc = run(&synthbench, synthbench.name, argc, argv);
    rc = streams_close(rc);
    if (rc == ERR_STOPPED && signals_caught())
        return 128 + signals_caught();
    if (rc < 0 && rc != ERR_PIPE)
        say("%s", err_last());
    return err_exit_code(rc);
}
