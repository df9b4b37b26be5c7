/* help: what a verb takes; the man page and the shells' completions. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/manual.h"
#include "harness/cmd/options.h"

#include <stdio.h>
#include <stdlib.h>

struct given {
    int         man;
    const char *completion; /* NULL: not asked for */
};

static const struct opt options[] = {
    {"--man", 0, NULL, opt_flag, OPT_AT(man),
     .doc = "The man page, for `man -l'"},
    {"--completion", 0, "SHELL", opt_text, OPT_AT(completion),
     .doc = "Completions for bash, zsh or fish"},
    {.name = NULL}};

static int help_of(const struct arguments *args)
{
    const struct command *c = NULL;
    OWNED(free) char *name = NULL;

    PASS(command_find(&c, command_all, "verb", args->of[0]));
    if (args->n > 1 && !c->subjects)
        return err_set(ERR_USAGE, "%s has no subjects", c->name);
    if (args->n > 1)
        PASS(command_find(&c, c->subjects, "subject", args->of[1]));
    name = str_format("synthbench %s%s%s", args->of[0],
                      args->n > 1 ? " " : "", args->n > 1 ? args->of[1] : "");
    options_help(c, name);
    return OK;
}

static int run(const void *given, const struct arguments *args)
{
    const struct given *g = given;

    if (!!g->man + !!g->completion + (args->n > 0) > 1)
        return err_set(ERR_USAGE, "one of VERB, --man and --completion");
    if (args->n)
        return help_of(args);
    if (g->completion)
        return manual_completion(g->completion, stdout);
    if (g->man) {
        manual_page(stdout);
        return OK;
    }
    OWNED(free) char *lines = command_lines(command_all);
    printf("synthbench VERB [ARGUMENT...]\n\n%s\n`synthbench help VERB' tells "
           "more.\n", lines);
    return OK;
}

const struct command command_help = {
    .name = "help",
    .summary = "What a verb takes; the man page, completions",
    .args = "[VERB [SUBJECT]]",
    COMMAND_RUNS(0, 2)};
