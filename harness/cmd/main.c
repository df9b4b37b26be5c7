/*
 * synthbench VERB [options]: finds the verb's command and runs it.
 * Exit codes: README.md; a failure prints its message once, on stderr.
 */
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/cmd/exact.h"
#include "harness/cmd/options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "harness/cmd/list.h"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "harness/cmd/list.h"
#undef COMMAND
    NULL};

enum { COMMANDS = sizeof commands / sizeof *commands, USAGE = -ERR_USAGE };

static int find(const struct command **out, const char *verb)
{
    const char *names[COMMANDS] = {NULL};

    for (int i = 0; commands[i]; i++)
        names[i] = commands[i]->name;
    int i = names_index(names, verb);
    if (i < 0)
        return names_unknown("verb", verb, names);
    *out = commands[i];
    return OK;
}

/* The verbs, behind the options in --help. */
static char *help(int key, const char *text, void *input)
{
    char *all = NULL;
    size_t bytes;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    FILE *f = open_memstream(&all, &bytes);
    fputs("Verbs:\n", f);
    for (int i = 0; commands[i]; i++)
        fprintf(f, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n`synthbench VERB --help' tells more.", f);
    fclose(f);
    return all;
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

static int run(const char *verb, int argc, char **argv)
{
    const struct command *c = NULL;
    struct options o = {.cache = NULL};
    char *name = str_format("synthbench %s", verb);
    int rc;

    TRY(find(&c, verb));
    argv[0] = name;
    TRY(options_read(&o, c, argc, argv));
    rc = c->run(&o);
    if (fflush(stdout) || ferror(stdout))
        TRY(err_errno(ERR_IO, "stdout"));
out:
    options_close(&o);
    free(name);
    return rc;
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

    argp_program_version = "synthbench 0.1";
    argp_err_exit_status = USAGE;
    int at = 1; /* of the verb */
    while (at < argc && argv[at][0] == '-')
        at++;
    int rc = exact_options(&(struct argp_option){.name = NULL}, at, argv);
    if (rc == OK) {
        argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &verb);
        for (at = 1; at < argc && argv[at] != verb;)
            at++;
        rc = run(verb, argc - at, argv + at);
    }
    if (rc < 0)
        say("%s", err_last());
    return err_exit_code(rc);
}
