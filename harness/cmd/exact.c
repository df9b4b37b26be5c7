#include "harness/cmd/exact.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

static const char *const argps_own[] = {"help", "usage", "version", NULL};

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

static int is_argps_own(const char *word)
{
    size_t n = strcspn(word, "=");

    for (int i = 0; argps_own[i]; i++)
        if (strlen(argps_own[i]) == n && !memcmp(argps_own[i], word, n))
            return 1;
    return 0;
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
    size_t n = 0;

    while (known[n].name)
        n++;
    const char **name = calloc(n + 4, sizeof *name);
    char *typed = str_format("--%.*s", (int)strcspn(word, "="), word);
    char **dashed = calloc(n + 4, sizeof *dashed);
    for (size_t i = 0; i < n + 3; i++) {
        dashed[i] = str_format("--%s", i < n ? known[i].name
                                             : argps_own[i - n]);
        name[i] = dashed[i];
    }
    int rc = names_unknown("option", typed, name);
    for (size_t i = 0; i < n + 3; i++)
        free(dashed[i]);
    free(dashed);
    free(typed);
    free(name);
    return rc;
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
        else if (!is_argps_own(word + 2))
            return unknown(known, word + 2);
    }
    return OK;
}
