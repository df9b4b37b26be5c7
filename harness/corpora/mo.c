/*
 * mo: the texts of a program and their translations, .mo files below
 * locale/LANGUAGE/LC_MESSAGES (data/format/mo.h).
 */
#include "harness/data/format/mo.h"

#include "harness/base/str.h"
#include "harness/corpora/corpus.h"

static int take_pair(void *reading, const struct mo_pair *p)
{
    struct corpus_reading *x = reading;
    const char *language = x->corpus->detail;

    if (p->skipped)
        return corpus_skip(x, p->entry, p->skipped, NULL);
    OWNED(free) char *source = str_format("translate English to %s: %s",
                                          language, p->source);
    return ROW(x, TEXT("source", source), TEXT("target", p->target),
               TEXT("context", p->context));
}

static int read_file(struct corpus_reading *x, const char *path)
{
    return mo_each(path, take_pair, x);
}

#define MO(id, code, language)                                                \
    const struct corpus corpus_mo_##id = {                                    \
        .name = "mo_" #id,                                                    \
        .title = "English-" language " texts of programs",                    \
        .from = "the locale folder of any program, such as wesnoth-1.16-utbs",\
        .detail = language,                                                   \
        .layout = {{.name = "gettext",                                        \
                    .file = read_file,                                        \
                    .split = {{.name = "all",                                 \
                               .files = "*locale/" code                       \
                                        "/LC_MESSAGES/*.mo"}}}}}

MO(ende, "de", "German");
MO(enfr, "fr", "French");
