/*
 * mo: the texts of a program and their translations, .mo files below
 * locale/LANGUAGE/LC_MESSAGES (data/format/mo.h).
 */
#include "harness/data/format/mo.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/corpora/corpus.h"

#include <stdlib.h>

static int read_pair(const struct corpus_reading *x, const char *file,
                     const struct mo_pair *p)
{
    const char *language = x->corpus->detail;

    if (p->skipped)
        return corpus_skip(x, file, p->entry, p->skipped, NULL);
    char *source = str_format("translate English to %s: %s", language,
                              p->source);
    int rc = ROW(x, TEXT("source", source), TEXT("target", p->target),
                 TEXT("context", p->context));
    free(source);
    return rc;
}

static int read_file(const struct corpus_reading *x, const char *file)
{
    char path[CORPUS_PATH];
    struct mo *m = NULL;
    struct mo_pair p;
    int rc;

    TRY(corpus_path(path, x, file));
    TRY(mo_open(&m, path));
    while ((rc = mo_next(m, &p)) > 0)
        TRY(read_pair(x, file, &p));
out:
    mo_close(m);
    return rc;
}

static int read_all(const struct corpus_reading *x)
{
    return corpus_each(x, x->split->files, read_file);
}

#define MO(id, code, language)                                                \
    const struct corpus corpus_mo_##id = {                                    \
        .name = "mo_" #id,                                                    \
        .title = "English-" language " texts of programs",                    \
        .from = "the locale folder of any program, such as wesnoth-1.16-utbs",\
        .detail = language,                                                   \
        .layout = {{.name = "gettext",                                        \
                    .read = read_all,                                         \
                    .split = {{.name = "all",                                 \
                               .files = "*locale/" code                       \
                                        "/LC_MESSAGES/*.mo"}}}}}

MO(ende, "de", "German");
MO(enfr, "fr", "French");
