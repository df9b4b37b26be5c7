#include "harness/base/err.h"
#include "variants/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank_of(const struct variant *v)
{
    int i = 0;

    while (variant_all[i] != v)
        i++;
    return i;
}

static int mix_add(struct mix *m, const char *part, const char *text)
{
    const struct variant *v = NULL;

    if (!*part)
        return err_set(ERR_USAGE, "'%s' is not a variant: parts of a mixture "
                       "are joined by one '+', as in random+dense", text);
    PASS(variant_find(&v, part));
    for (int i = 0; i < m->n; i++)
        if (m->part[i] == v)
            return err_set(ERR_USAGE, "mixture '%s' has %s twice; each part "
                           "may appear once", text, part);
    if (m->n == MIX_PARTS)
        return err_set(ERR_USAGE, "mixture '%s' has more than %d parts", text,
                       MIX_PARTS);
    m->part[m->n++] = v;
    return OK;
}

int mix_read(struct mix *out, const char *text)
{
    char copy[4 * MIX_NAME];

    out->n = 0;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return err_set(ERR_USAGE, "variant '%.20s...': the name is too long",
                       text);
    for (char *part = copy, *plus; part; part = plus) {
        plus = strchr(part, '+');
        if (plus)
            *plus++ = 0;
        PASS(mix_add(out, part, text));
    }
    return OK;
}

int mix_name(char name[MIX_NAME], const struct mix *m)
{
    int at = 0;

    for (int i = 0; i < m->n; i++) {
        at += snprintf(name + at, (size_t)(MIX_NAME - at), "%s%s",
                       i ? "+" : "", m->part[i]->name);
        if (at >= MIX_NAME)
            return err_set(ERR_USAGE, "mixture '%s...': the name is too long",
                           name);
    }
    return OK;
}

static int later_first(const void *a, const void *b)
{
    return rank_of(*(const struct variant *const *)b) -
           rank_of(*(const struct variant *const *)a);
}

int mix_parse(struct mix *out, char name[MIX_NAME], const char *text)
{
    PASS(mix_read(out, text));
    qsort(out->part, (size_t)out->n, sizeof *out->part, later_first);
    return mix_name(name, out);
}
