/* Rules that all commands must follow, checked on the tables of their options.
 * New commands are checked automatically. */
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/cmd/argv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A function that is called for each command without subjects, and for each
 * subject. */
typedef void visitor(const struct command *c, const struct opt_row row[],
                     int rows, void *arg);

static void visit(const struct command *c, visitor *see, void *arg)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct opt_row row[OPTIONS_MOST];

    see(c, row, options_rows(row, c, memory), arg);
}

static void visit_all(visitor *see, void *arg)
{
    for (const struct command *const *c = command_all; *c; c++)
        if (!(*c)->subjects)
            visit(*c, see, arg);
        else
            for (const struct command *const *s = (*c)->subjects; *s; s++)
                visit(*s, see, arg);
}

#define WRONG(...)                                                            \
    do {                                                                      \
        print_error(__VA_ARGS__);                                             \
        *(int *)arg += 1;                                                     \
    } while (0)

/* ---- an option has the same meaning everywhere ---- */

/* Options whose argument has another name in some command, and why. */
static const struct { const char *name, *arg; } also[] = {
    {"--output", "DIR"},      /* commands that create a folder     */
    {"--jobs", "N,..."},      /* `verify exact`: one run with each */
    {"--threads", "N,..."},   /* `verify exact`: one run with each */
    {"--set", "OPTION=VALUE"} /* options of a metric of `score`    */
};

static int may_differ(const struct opt *o)
{
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (!strcmp(also[i].name, o->name) && o->arg &&
            !strcmp(also[i].arg, o->arg))
            return 1;
    return 0;
}

static int same(const char *a, const char *b)
{
    return !a || !b ? a == b : !strcmp(a, b);
}

struct pair {
    const struct command *c;
    const struct opt     *o;
    int                   wrong;
};

static void compare(const struct command *c, const struct opt_row row[],
                    int rows, void *arg)
{
    struct pair *p = arg;

    for (int i = 0; i < rows; i++) {
        const struct opt *o = row[i].opt;
        int named = !strcmp(o->name, p->o->name);

        if (named != (o->letter == p->o->letter) && (o->letter || named)) {
            print_error("-%c is %s of %s, %s of %s\n", o->letter, o->name,
                        c->name, p->o->name, p->c->name);
            p->wrong++;
        }
        if (named && !same(o->arg, p->o->arg) && !may_differ(o) &&
            !may_differ(p->o)) {
            print_error("%s takes %s of %s, %s of %s\n", o->name, o->arg,
                        c->name, p->o->arg, p->c->name);
            p->wrong++;
        }
    }
}

static void compare_all(const struct command *c, const struct opt_row row[],
                        int rows, void *arg)
{
    for (int i = 0; i < rows; i++) {
        struct pair p = {c, row[i].opt, 0};

        visit_all(compare, &p);
        *(int *)arg += p.wrong;
    }
}

static void meanings(void **state)
{
    int wrong = 0;

    (void)state;
    visit_all(compare_all, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- options of a command and their help ---- */

static const struct opt_row *named(const struct opt_row row[], int rows,
                                   const char *name)
{
    for (int i = 0; i < rows; i++)
        if (!strcmp(row[i].opt->name, name))
            return &row[i];
    return NULL;
}

static void has(const struct command *c, const struct opt_row row[], int rows,
                void *arg)
{
    int format = named(row, rows, "--format") != NULL;

    if (format != (c->formats != NULL) ||
        format != (named(row, rows, "--json") != NULL))
        WRONG("%s: --format and --json, or neither\n", c->name);
    if (c->summary[strlen(c->summary) - 1] == '.' || strlen(c->summary) > 62)
        WRONG("%s: a summary is a line of 62, without a full stop\n", c->name);
    for (int i = 0; i < rows; i++) {
        const struct opt *o = row[i].opt;
        const char *doc = row[i].doc;

        if (strncmp(o->name, "--", 2) || o->name[strcspn(o->name, "_A")])
            WRONG("%s: %s is no name of an option\n", c->name, o->name);
        if (!*doc || doc[strlen(doc) - 1] == '.')
            WRONG("%s %s: a full stop, or nothing\n", c->name, o->name);
        for (const char *a = o->arg; a && *a; a++)
            if (islower((unsigned char)*a) && !strchr(o->arg, '.'))
                WRONG("%s %s takes %s: in capitals\n", c->name, o->name,
                      o->arg);
    }
}

static void told(void **state)
{
    int wrong = 0;

    (void)state;
    visit_all(has, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- typing errors ---- */

/* Returns 1 if these words after the command are refused in one line that
 * contains `words`. */
static int refused(const struct command *c, const char *words, int n,
                   char *word[])
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct parsed p;
    char *argv[4] = {(char *)c->name};

    for (int i = 0; i < n; i++)
        argv[i + 1] = word[i];
    err_set(OK, "-");
    int rc = options_read(&p, c, n + 1, argv, memory);
    if (rc == ERR_USAGE && strstr(err_last(), words) &&
        !strchr(err_last(), '\n'))
        return 1;
    print_error("%s %s: code %d, \"%s\" lacks \"%s\"\n", c->name, word[0], rc,
                err_last(), words);
    return 0;
}

static void mistype(const struct command *c, const struct opt_row row[],
                    int rows, void *arg)
{
    OWNED(arena_free) struct arena *a = arena_new();
    int *wrong = arg;

    for (int i = 0; i < rows; i++) {
        const struct opt *o = row[i].opt;
        char *word = arena_format(a, "%s", o->name);

        *wrong += o->arg ? !refused(c, arena_format(a, "%s: missing its %s",
                                                    o->name, o->arg), 1, &word)
                         : !refused(c, "takes no value", 1,
                                    (char *[]){arena_format(a, "%s=1", word)});
        word[3] = word[3] == 'q' ? 'z' : 'q';
        *wrong += !refused(c, arena_format(a, "unknown option '%s': did you "
                                           "mean '%s'?", word, o->name), 1,
                           &word);
    }
    *wrong += !refused(c, "unknown option '-\x7f'", 1,
                       (char *[]){(char *)"-\x7f"});
    if (c->formats)
        *wrong += !refused(c, arena_format(a, "unknown format '%s_': did you "
                                           "mean '%s'?", c->formats[0],
                                           c->formats[0]), 2,
                           (char *[]){(char *)"--format", arena_format(
                               a, "%s_", c->formats[0])});
}

static void mistyped(void **state)
{
    int wrong = 0;

    (void)state;
    visit_all(mistype, &wrong);
    assert_int_equal(wrong, 0);
}

static void count(const struct command *c, const struct opt_row row[],
                  int rows, void *arg)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct parsed p;
    char *none[] = {(char *)c->name, NULL}, *word[2000];

    (void)row, (void)rows;
    if (c->least && (options_read(&p, c, 1, none, memory) != ERR_USAGE ||
                     strncmp(err_last(), "missing: ", 9)))
        WRONG("%s: it misses no argument: %s\n", c->name, err_last());
    if (c->most == INT_MAX)
        return;
    for (int i = 0; i < c->most + 2; i++)
        word[i] = (char *)"x";
    if (options_read(&p, c, c->most + 2, word, memory) != ERR_USAGE ||
        strcmp(err_last(), "too many arguments: 'x'"))
        WRONG("%s: it takes any number: %s\n", c->name, err_last());
}

static void counted(void **state)
{
    int wrong = 0;

    (void)state;
    visit_all(count, &wrong);
    assert_int_equal(wrong, 0);
}

/* ---- names of commands and subjects ---- */

static void names(const struct command *const all[], const char *what)
{
    for (int i = 0; all[i]; i++) {
        OWNED(free) char *word = str_format("%s_", all[i]->name);
        OWNED(free) char *near = str_format("unknown %s '%s': did you mean ",
                                            what, word);
        const struct command *found;

        assert_int_equal(command_find(&found, all, what, word), ERR_USAGE);
        assert_int_equal(strncmp(err_last(), near, strlen(near)), 0);
        if (all[i]->subjects)
            names(all[i]->subjects, "subject");
    }
}

static void nearest(void **state)
{
    (void)state;
    names(command_all, "verb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"an option has one letter and takes one thing, of whatever verb",
         meanings, NULL, NULL, NULL},
        {"a verb with forms has --format and --json; all are told in one style",
         told, NULL, NULL, NULL},
        {"an option, a letter, a value or a form that is wrong is refused in a "
         "line, with the nearest", mistyped, NULL, NULL, NULL},
        {"so is an argument too few or too many", counted, NULL, NULL, NULL},
        {"so is a verb or a subject", nearest, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("survey", tests, NULL, NULL);
}
