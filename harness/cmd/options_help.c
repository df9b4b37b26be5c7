/* Prints --help and --usage; argp arranges the rows in columns. */
#include "harness/cmd/argv.h"

#include "harness/base/str.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 256 }; /* first argp key of options without a letter */

struct page {
    struct argp        argp;
    struct argp_option option[OPTIONS_MOST + ARGV_OWN + 1];
};

static char *text_of(const struct command *c, struct arena *memory)
{
    OWNED(free) char *names = c->subjects ? command_lines(c->subjects) : NULL;
    const char *more = "";

    if (names && c->subjects != command_all)
        more = arena_format(memory, "\n`synthbench help %s SUBCOMMAND` prints "
                                    "the options of a subcommand.\n", c->name);
    return arena_format(memory, "%s\v%s%s%s%s%s", c->summary,
                        !names ? "" : c->subjects == command_all
                                          ? "Commands:\n" : "Subcommands:\n",
                        names ? names : "", more,
                        names && c->doc ? "\n" : "", c->doc ? c->doc : "");
}

static void page_of(struct page *p, const struct command *c,
                    struct arena *memory)
{
    struct opt_row row[OPTIONS_MOST];
    int rows = options_rows(row, c, memory);

    *p = (struct page){.argp = {.args_doc = *c->args ? c->args : NULL,
                                .doc = text_of(c, memory)}};
    for (int i = 0; i < rows; i++)
        p->option[i] = (struct argp_option){
            .name = row[i].opt->name + strlen("--"), .arg = row[i].opt->arg,
            .key = row[i].opt->letter ? row[i].opt->letter : KEYS + i,
            .doc = row[i].doc};
    for (int i = 0; i < ARGV_OWN; i++)
        p->option[rows + i] = (struct argp_option){
            .name = argv_own[i].name + strlen("--"), .doc = argv_own[i].doc,
            .key = *argv_own[i].letters ? *argv_own[i].letters
                                        : KEYS + rows + i};
    p->argp.options = p->option;
}

static void print_help(const struct command *c, const char *name, unsigned how)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    OWNED(free) char *text = NULL;
    size_t bytes;
    struct page p;

    page_of(&p, c, memory);
    /* Omits the note that arguments of long options also apply to short
     * ones. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    /* argp_help does not report write errors, so it writes to memory. */
    FILE *f = open_memstream(&text, &bytes);
    argp_help(&p.argp, f, how, (char *)name);
    fclose(f);
    printf("%s%s", text, str_ends(text, "\n") ? "" : "\n");
}

void options_help(const struct command *c, const char *name)
{
    print_help(c, name, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK);
}

void options_usage(const struct command *c, const char *name)
{
    print_help(c, name, ARGP_HELP_USAGE);
}
