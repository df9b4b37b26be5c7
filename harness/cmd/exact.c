#include "harness/cmd/options.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <string.h>

static const struct argp_option argps_own[] = {
    {.name = "help"}, {.name = "usage"}, {.name = "version"}, {.name = NULL}};

/* The option that `word` names, up to its "="; NULL: none. */
static const struct argp_option *named(const struct argp_option *known,
                                       const char *word)
{
    size_t n = strcspn(word, "=");

    for (; known->name; known++)
        if (strlen(known->name) == n && !memcmp(known->name, word, n))
            return known;
    return NULL;
}

/* 1: the last of these letters wants the next argument: -S, -fS. */
static int takes_next(const struct argp_option *known, const char *letters)
{
    for (; *letters; letters++)
        for (const struct argp_option *o = known; o->name; o++)
            if (o->key == *letters && o->arg)
                return !letters[1];
    return 0;
}

static int unknown(const struct argp_option *known, const char *word)
{
    OWNED(arena_free) struct arena *a = arena_new();
    const char **name;
    size_t n = 0;

    while (known[n].name)
        n++;
    name = arena_zero(a, (n + 4) * sizeof *name);
    for (size_t i = 0; i < n + 3; i++)
        name[i] = arena_format(a, "--%s", i < n ? known[i].name
                                                : argps_own[i - n].name);
    return names_unknown("option", arena_format(a, "--%.*s",
                                                (int)strcspn(word, "="), word),
                         name);
}

int exact_options(const struct argp_option *known, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];

        if (!strcmp(word, "--"))
            break;
        if (word[0] != '-')
            continue;
        if (word[1] != '-') {
            i += takes_next(known, word + 1);
            continue;
        }
        const struct argp_option *o = named(known, word + 2);
        if (o)
            i += o->arg && !strchr(word, '=');
        else if (!named(argps_own, word + 2))
            return unknown(known, word + 2);
    }
    return OK;
}
