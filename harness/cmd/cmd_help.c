/* help: prints help for commands, the glossary, the man page and shell
 * completions. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/cmd/argv.h"

#include <stdio.h>
#include <string.h>

struct pair { const char *term, *text; };

static const struct pair words[] = {
    {"EXPERIMENT.yaml", "list of cells: a YAML file, or a name from `list "
                        "experiments`"},
    {"CELL", "one training run: a variant, a task, a scale and a seed"},
    {"STORE", "folder of finished cells: results/EXPERIMENT, or --store"},
    {"STORE#CELL", "one cell of a store: results/quick#vanilla/lm1b/1"},
    {NULL, NULL}};

static const struct pair exit_codes[] = {
    {"0", "success"},
    {"1", "a cell failed, a verified property does not hold, or a trace "
          "differs"},
    {"2", "invalid arguments or experiment file (the message names file and "
          "line), or a named file cannot be read"},
    {"3", "`gate` found a cell that is worse or no longer comparable, or "
          "`verify signature` a part that differs"},
    {"4", "`gate` cannot decide"},
    {"5", "the store is damaged, or written by a newer version"},
    {"6", "another process is using the store"},
    {"7", "nothing was selected or measured"},
    {"8", "data of some or all cells is missing or invalid"},
    {"9", "system error: disk or memory full, or reading or writing failed"},
    {"128 + N", "ended by signal N; prints the step at which each cell is "
                "saved, and the same command resumes there"},
    {NULL, NULL}};

static const struct pair environment[] = {
    {"XDG_CACHE_HOME, HOME", "default of --cache, for fetched and prepared "
                             "data: $XDG_CACHE_HOME/synthbench, or "
                             "$HOME/.cache/synthbench"},
    {"SYNTHBENCH_DATA", "folder that holds experiments/, plots/ and docs/, "
                        "if the program is not installed"},
    {"SYNTHBENCH_METRIC_DATA", "folder with word lists that some metrics "
                               "need and that cannot be shipped (DIR/moses)"},
    {"SYNTHBENCH_MPI_START", "seconds until a rank ends if not all ranks have "
     "started MPI (120)"},
    {"TMPDIR", "folder for temporary files: cells of `verify exact`, "
               "figures (default: /tmp)"},
    {"TERM, NO_COLOR", "whether progress is a moving bar, and colored"},
    {"COLUMNS", "width of text (default: that of the terminal; without one, "
                "80 columns, and lists have one line per row)"},
    {"LC_ALL, LC_CTYPE, LANG", "in the C locale, tables have ^ and v as "
                               "arrows; no number and no file depends on "
                               "the locale"},
    {NULL, NULL}};

static const struct pair files[] = {
    {"results/EXPERIMENT/cells/ID.h5", "a finished cell: settings, metrics, "
     "curves, every test example, provenance"},
    {"results/EXPERIMENT/experiment.json", "the experiment of the store"},
    {"results/EXPERIMENT/plots/", "figures, with their data and scripts"},
    {"results/EXPERIMENT/report/index.html", "the report, as web pages"},
    {NULL, NULL}};

static const struct pair examples[] = {
    {"synthbench run smoke", "trains a small matrix on synthetic data in "
                             "under a minute"},
    {"synthbench table 2 --store results/quick --format md",
     "the paper's table with our numbers next to the published ones"},
    {"synthbench compare results/quick#vanilla/lm1b/1 "
     "results/quick#random/lm1b/1", "difference, interval, p, verdict"},
    {NULL, NULL}};

/* A command, or one of its subcommands. */
struct entry {
    const struct command *verb, *subject, *is; /* subject: may be NULL */
    char                  name[64];            /* "verify exact"       */
    struct opt_row        row[OPTIONS_MOST];
    int                   rows;
};

typedef void visitor(const struct entry *e, FILE *out);

static void visit_one(visitor *visit, const struct command *verb,
                      const struct command *subject, FILE *out)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct entry e = {.verb = verb, .subject = subject,
                      .is = subject ? subject : verb};

    snprintf(e.name, sizeof e.name, "%s%s%s", verb->name, subject ? " " : "",
             subject ? subject->name : "");
    e.rows = options_rows(e.row, e.is, memory);
    visit(&e, out);
}

/* Visits every command without subcommands, and every subcommand of the
 * others. */
static void visit_all(visitor *visit, FILE *out)
{
    for (const struct command *const *c = command_all; *c; c++) {
        if (!(*c)->subjects)
            visit_one(visit, *c, NULL, out);
        else
            for (const struct command *const *s = (*c)->subjects; *s; s++)
                visit_one(visit, *c, *s, out);
    }
}

/* ---- the man page ---- */

/* Writes text for a man page.  Escapes the characters that groff would turn
 * into hyphens, accents and curved quotes, so that the printed text can be
 * pasted, and prevents groff from taking a line for a request. */
static void put_text(FILE *out, const char *s)
{
    static const char *const groff[256] = {
        ['-'] = "\\-", ['\\'] = "\\e", ['\''] = "\\(aq", ['`'] = "\\(ga",
        ['^'] = "\\(ha", ['~'] = "\\(ti", ['\n'] = "\n.br\n\\&"};

    fputs("\\&", out);
    for (; *s; s++)
        if (groff[(unsigned char)*s])
            fputs(groff[(unsigned char)*s], out);
        else
            fputc(*s, out);
}

static void put_line(FILE *out, const char *s)
{
    put_text(out, s);
    fputc('\n', out);
}

static void put_pairs(FILE *out, const char *title, const struct pair *p)
{
    fprintf(out, ".SH %s\n", title);
    for (; p->term; p++) {
        fputs(".TP\n.B ", out);
        put_line(out, p->term);
        put_line(out, p->text);
    }
}

static void put_option(FILE *out, int letter, const char *name,
                       const char *arg, const char *doc)
{
    fputs(".TP\n\\fB", out);
    if (letter)
        fprintf(out, "\\-%c\\fR, \\fB", letter);
    put_text(out, name);
    fputs("\\fR", out);
    if (arg) {
        fputs("=\\fI", out);
        put_text(out, arg);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_line(out, doc);
}

static void put_command(const struct entry *e, FILE *out)
{
    fprintf(out, ".SS synthbench %s\n", e->name);
    put_text(out, e->is->summary);
    fprintf(out, "\n.PP\n.B synthbench %s \\fR[OPTION...] ", e->name);
    put_line(out, e->is->args ? e->is->args : "");
    if (e->is->doc) {
        fputs(".PP\n", out);
        put_line(out, e->is->doc);
    }
    for (int i = 0; i < e->rows; i++) {
        const struct opt *o = e->row[i].opt;

        put_option(out, o->letter, o->name, o->arg, e->row[i].doc);
    }
}

static void manual_page(FILE *out)
{
    fputs(".TH SYNTHBENCH 1 \"\" synthbench \"User Commands\"\n.nh\n"
          ".SH NAME\nsynthbench \\- ", out);
    put_line(out, "train the Synthesizer paper's attention variants and "
                  "compare the results with the published ones");
    fputs(".SH SYNOPSIS\n.B synthbench\n.I "
          "COMMAND\n[\\fIARGUMENT\\fR...]\n.SH DESCRIPTION\n", out);
    put_line(out, "Trains every attention variant on the paper's tasks, "
                  "stores every number in HDF5, and prints the paper's "
                  "tables with its own numbers next to the published ones.  "
                  "Results go to stdout, messages to stderr.  Long options "
                  "cannot be abbreviated.");
    fputs(".SH OPTIONS\nOptions of every command:\n", out);
    for (int i = 0; i < ARGV_OWN; i++)
        put_option(out, *argv_own[i].letters, argv_own[i].name, NULL,
                   argv_own[i].doc);
    put_pairs(out, "WORDS", words);
    fputs(".SH COMMANDS\n", out);
    visit_all(put_command, out);
    put_pairs(out, "EXIT STATUS", exit_codes);
    put_pairs(out, "ENVIRONMENT", environment);
    put_pairs(out, "FILES", files);
    put_pairs(out, "EXAMPLES", examples);
}

/* ---- completions ---- */

/* Writes the `case` of a command, such as "verify/exact)", with the options and
 * formats of the command. */
static void put_case(const struct entry *e, FILE *out)
{
    const char *const *formats = e->is->formats;

    fprintf(out, "    %s/%s) options='", e->verb->name,
            e->subject ? e->subject->name : "*");
    for (int i = 0; i < e->rows; i++)
        fprintf(out, "%s ", e->row[i].opt->name);
    for (int i = 0; i < ARGV_OWN; i++)
        fprintf(out, "%s%s", i ? " " : "", argv_own[i].name);
    fputs("'; formats='", out);
    for (int i = 0; formats && formats[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", formats[i]);
    fputs("' ;;\n", out);
}

static void put_names(FILE *out, const struct command *const all[])
{
    for (int i = 0; all[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", all[i]->name);
}

static void complete_bash(FILE *out)
{
    fputs("_synthbench() {\n"
          "    local now=${COMP_WORDS[COMP_CWORD]} formats options words\n"
          "    local front= before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    case $now in # as zsh has it, one word\n"
          "    --*=*) before=${now%%=*} front=${now%%=*}= now=${now#*=} ;;\n"
          "    esac\n"
          "    case ${COMP_WORDS[1]}/${COMP_WORDS[2]} in\n", out);
    visit_all(put_case, out);
    fputs("    esac\n    case $COMP_CWORD/${COMP_WORDS[1]}/$before in\n"
          "    1/*) words='", out);
    put_names(out, command_all);
    fputs("' ;;\n", out);
    for (const struct command *const *c = command_all; *c; c++)
        if ((*c)->subjects) {
            fprintf(out, "    2/%s/*) words='", (*c)->name);
            put_names(out, (*c)->subjects);
            fputs("' ;;\n", out);
        }
    fputs("    */--format) words=$formats ;;\n"
          "    *) case $now in -*) words=$options ;; esac ;;\n"
          "    esac\n"
          "    # shellcheck disable=SC2207 # no name has a blank\n"
          "    COMPREPLY=($(compgen -P \"$front\" -W \"$words\" -- "
          "\"${now#=}\"))\n"
          "}\n"
          "complete -o default -F _synthbench synthbench\n", out);
}

/* For the first completion, zsh runs the whole file; for later completions, it
 * runs the function that the file defines.  So the file itself performs the
 * first completion. */
static void complete_zsh(FILE *out)
{
    fputs("#compdef synthbench\nautoload -U +X bashcompinit && "
          "bashcompinit\n", out);
    complete_bash(out);
    fputs("[ \"${funcstack[1]}\" != _synthbench ] ||\n"
          "    _bash_complete -o default -F _synthbench\n", out);
}

/* Writes a text as the last word of a line, in single quotes as fish
 * requires. */
static void put_quoted(FILE *out, const char *s)
{
    fputc('\'', out);
    for (; *s; s++)
        fprintf(out, *s == '\'' || *s == '\\' ? "\\%c" : "%c", *s);
    fputs("'\n", out);
}

static void put_fish(const struct entry *e, FILE *out)
{
    static const char seen[] = "__fish_seen_subcommand_from";
    char when[128];

    snprintf(when, sizeof when, "%s %s", seen, e->verb->name);
    if (e->subject) {
        fprintf(out, "complete -c synthbench -n '%s' -a %s -d ", when,
                e->subject->name);
        put_quoted(out, e->subject->summary);
        snprintf(when, sizeof when, "%s %s; and %s %s", seen, e->verb->name,
                 seen, e->subject->name);
    }
    for (int i = 0; i < e->rows; i++) {
        const struct opt *o = e->row[i].opt;

        fprintf(out, "complete -c synthbench -n '%s' ", when);
        if (o->letter)
            fprintf(out, "-s %c ", o->letter);
        fprintf(out, "-l %s%s -d ", o->name + strlen("--"),
                o->arg ? " -r" : "");
        put_quoted(out, e->row[i].doc);
    }
}

static void complete_fish(FILE *out)
{
    for (int i = 0; i < ARGV_OWN; i++) {
        fputs("complete -c synthbench ", out);
        if (*argv_own[i].letters)
            fprintf(out, "-s %c ", *argv_own[i].letters);
        fprintf(out, "-l %s -d ", argv_own[i].name + strlen("--"));
        put_quoted(out, argv_own[i].doc);
    }
    for (const struct command *const *c = command_all; *c; c++) {
        fprintf(out, "complete -c synthbench -n __fish_use_subcommand -a %s "
                "-d ", (*c)->name);
        put_quoted(out, (*c)->summary);
    }
    visit_all(put_fish, out);
}

static int completion(const char *shell, FILE *out)
{
    static const char *const name[] = {"bash", "zsh", "fish", NULL};
    static void (*const write[])(FILE *out) = {complete_bash, complete_zsh,
                                               complete_fish};
    int i = names_find("shell", shell, name);

    PASS(i);
    write[i](out);
    return OK;
}

/* ---- the command ---- */

struct given {
    int         man;
    const char *completion; /* NULL: not requested */
};

static const struct opt options[] = {
    {"--man", 0, NULL, opt_flag, OPT_AT(man),
     .doc = "Print the manual page, for `man -l`"},
    {"--completion", 0, "SHELL", opt_text, OPT_AT(completion),
     .doc = "Print completions for bash, zsh or fish"},
    {.name = NULL}};

/* Prints the glossary as plain text: without the asterisks of bold terms. */
static int glossary(void)
{
    OWNED(free) char *path = NULL;
    OWNED(free) char *text = NULL;

    PASS(datadir_find(&path, "docs/glossary.md"));
    PASS(file_read(&text, NULL, path));
    for (const char *c = text; *c; c++)
        if (!strncmp(c, "**", 2))
            c++;
        else
            putchar(*c);
    return OK;
}

static int help_of(const struct arguments *args)
{
    const struct command *c = NULL;
    OWNED(free) char *name = NULL;

    if (args->n == 1 && !strcmp(args->of[0], "glossary"))
        return glossary();
    PASS(command_find(&c, command_all, "command", args->of[0]));
    if (args->n > 1 && !c->subjects)
        return err_set(ERR_USAGE, "%s has no subcommands", c->name);
    if (args->n > 1)
        PASS(command_find(&c, c->subjects, "subcommand", args->of[1]));
    name = str_format("synthbench %s%s%s", args->of[0],
                      args->n > 1 ? " " : "", args->n > 1 ? c->name : "");
    options_help(c, name);
    return OK;
}

static int run_help(const void *given, const struct arguments *args)
{
    const struct given *g = given;

    if (!!g->man + !!g->completion + (args->n > 0) > 1)
        return err_set(ERR_USAGE, "one of COMMAND, --man and --completion");
    if (args->n)
        return help_of(args);
    if (g->completion)
        return completion(g->completion, stdout);
    if (g->man) {
        manual_page(stdout);
        return OK;
    }
    OWNED(free) char *lines = command_groups();
    printf("Usage: synthbench COMMAND [ARGUMENT...]\n\n%s\nWords\n", lines);
    for (const struct pair *p = words; p->term; p++)
        printf("  %-15s  %s\n", p->term, p->text);
    puts("\n`synthbench help COMMAND` and `synthbench COMMAND -h` describe a "
         "command,\n`synthbench help glossary` defines the terms.");
    return OK;
}

const struct command command_help = {
    .name = "help",
    .summary = "Show help, the manual page or completions",
    .args = "[COMMAND [SUBCOMMAND]]",
    COMMAND_RUNS(run_help, 0, 2)};
