#include "harness/cmd/argv.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <string.h>

const struct argv_own argv_own[ARGV_OWN] = {
    {"--help", "h?", "Print this help", WORD_HELP},
    {"--usage", "", "Print short usage", WORD_USAGE},
    {"--version", "V", "Print versions of the program and its libraries",
     WORD_VERSION}};

static int unknown(const struct argv *s, const char *name)
{
    const char *names[OPTIONS_MOST + ARGV_OWN + 1] = {NULL};

    for (int i = 0; i < s->rows; i++)
        names[i] = s->row[i].opt->name;
    for (int i = 0; i < ARGV_OWN; i++)
        names[s->rows + i] = argv_own[i].name;
    return names_unknown("option", name, names, NULL);
}

static int is_named(const char *name, const char *word, size_t n)
{
    return strlen(name) == n && !memcmp(name, word, n);
}

/* Sets out->arg to the value of the option, if the option takes one.  `called`
 * is the option as written on the command line, such as -S or --set. */
static int take_value(struct argv *s, struct word *out, const char *called)
{
    const struct opt *o = out->row->opt;

    if (!o->arg)
        return OK;
    if (!out->arg && s->at == s->argc)
        return err_set(ERR_USAGE, "%s: missing its %s", called, o->arg);
    if (!out->arg)
        out->arg = s->argv[s->at++];
    return *out->arg ? OK : err_set(ERR_USAGE, "%s: its %s is empty", called,
                                    o->arg);
}

static int long_option(struct argv *s, struct word *out, const char *word)
{
    size_t n = strcspn(word, "=");
    const char *value = word[n] ? word + n + 1 : NULL;
    OWNED(arena_free) struct arena *a = arena_new();
    const char *name = arena_format(a, "%.*s", (int)n, word);

    for (int i = 0; i < s->rows; i++)
        if (is_named(s->row[i].opt->name, word, n))
            *out = (struct word){WORD_OPTION, &s->row[i], value};
    for (int i = 0; i < ARGV_OWN; i++)
        if (is_named(argv_own[i].name, word, n))
            *out = (struct word){argv_own[i].kind, NULL, value};
    if (out->kind == WORD_END)
        return unknown(s, name);
    if (value && (!out->row || !out->row->opt->arg))
        return err_set(ERR_USAGE, "'%s': %s takes no value", word, name);
    return out->row ? take_value(s, out, name) : OK;
}

static int letter(struct argv *s, struct word *out)
{
    char name[] = {'-', *s->letters++, 0};

    for (int i = 0; i < s->rows; i++)
        if (s->row[i].opt->letter == name[1])
            *out = (struct word){WORD_OPTION, &s->row[i], NULL};
    for (int i = 0; i < ARGV_OWN; i++)
        if (strchr(argv_own[i].letters, name[1]))
            out->kind = argv_own[i].kind;
    if (out->kind == WORD_END)
        return unknown(s, name);
    if (out->row && out->row->opt->arg && *s->letters) {
        out->arg = s->letters;
        s->letters = "";
    }
    return out->row ? take_value(s, out, name) : OK;
}

int argv_next(struct argv *s, struct word *out)
{
    *out = (struct word){.kind = WORD_END};
    if (s->letters && *s->letters)
        return letter(s, out);
    if (s->at >= s->argc)
        return OK;
    const char *word = s->argv[s->at++];

    if (!s->only && !strcmp(word, "--")) {
        s->only = 1;
        return argv_next(s, out);
    }
    if (s->only || word[0] != '-' || !word[1]) {
        *out = (struct word){WORD_ARGUMENT, NULL, word};
        return OK;
    }
    if (word[1] == '-')
        return long_option(s, out, word);
    s->letters = word + 1;
    return letter(s, out);
}
