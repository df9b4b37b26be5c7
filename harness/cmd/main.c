/*
 * synthbench VERB [options]: finds the verb's command and runs it.
 * Exit codes: err.h; a failure prints its message once, on stderr.
 */
#include "harness/base/err.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/cmd/options.h"
#include "harness/engine/backend.h"
#include "harness/ranks/launch.h"
#include "harness/train/provenance.h"

#include <stdio.h>
#include <stdlib.h>

enum { USAGE = -ERR_USAGE };

/* The verbs, behind the options in --help. */
static char *help(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    OWNED(free) char *lines = command_lines(command_all);
    return str_format("Verbs:\n%s\n`synthbench VERB --help' tells more.",
                      lines);
}

/* --version: what is run. */
static void put_version(FILE *out, struct argp_state *state)
{
    char commit[PROVENANCE_TEXT], libraries[PROVENANCE_TEXT];
    char products[BACKEND_PRODUCTS];

    (void)state;
    provenance_commit(commit);
    provenance_libraries(libraries);
    fprintf(out, "synthbench 0.1\ncommit %s\n%s\n%s (%s), %s\n", commit,
            provenance_compiler(), backend_products(products),
            provenance_instructions(), libraries);
}

static error_t read_verb(int key, char *arg, struct argp_state *state)
{
    const char **verb = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        *verb = arg;
        state->next = state->argc; /* the rest is the verb's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which verb? `--help' lists them");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Rank 0 says it once. */
static int check_ranks(const struct command *c, const char *name)
{
    struct launch l;
    int rc = launch_read(&l);

    if (rc == OK && (l.n == 1 || c->ranks))
        return OK;
    if (l.me > 0)
        exit(0);
    PASS(rc);
    return err_set(ERR_USAGE, "mpirun started %d processes of `%s', which is "
                   "the work of one; ranks share that of `synthbench run'",
                   l.n, name);
}

/* A verb, or its subject, with argv from its own name on. */
static int run(const struct command *c, const char *name, int argc,
               char **argv)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct parsed p;

    argv[0] = (char *)name;
    PASS(check_ranks(c, name));
    PASS(options_read(&p, c, argc, argv, memory));
    int rc = c->run(p.given, &p.args);
    if (fflush(stdout) || ferror(stdout))
        return err_errno(ERR_IO, "stdout");
    return rc;
}

static int run_verb(const char *verb, int argc, char **argv)
{
    const struct command *c = NULL, *subject = NULL;
    OWNED(free) char *name = str_format("synthbench %s", verb), *both = NULL;

    PASS(command_find(&c, command_all, "verb", verb));
    if (!c->subjects || argc < 2 || *argv[1] == '-')
        return run(c, name, argc, argv);
    PASS(command_find(&subject, c->subjects, "subject", argv[1]));
    both = str_format("%s %s", name, subject->name);
    return run(subject, both, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    struct argp argp = {
        .parser = read_verb,
        .args_doc = "VERB [ARGUMENT...]",
        .doc = "Trains the Synthesizer paper's attention variants on its "
               "tasks and sets the results beside the published ones.\v",
        .help_filter = help};
    const char *verb = NULL;

    argp_program_version_hook = put_version;
    argp_err_exit_status = USAGE;
    int at = 1; /* of the verb */
    while (at < argc && argv[at][0] == '-')
        at++;
    int rc = exact_options(&(struct argp_option){.name = NULL}, at, argv);
    if (rc == OK) {
        argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &verb);
        for (at = 1; at < argc && argv[at] != verb;)
            at++;
        rc = run_verb(verb, argc - at, argv + at);
    }
    if (rc < 0)
        say("%s", err_last());
    if (rc == ERR_STOPPED && signals_caught())
        return 128 + signals_caught();
    return err_exit_code(rc);
}
