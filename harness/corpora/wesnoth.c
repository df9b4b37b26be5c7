/* wesnoth: who says what in a campaign of Battle for Wesnoth; its form is
 * data/format/wml.h's. */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/data/format/wml.h"

#include <string.h>

static int read_turn(const struct corpus_reading *x, const char *file,
                     const struct wml_turn *t)
{
    const char *slash = strrchr(file, '/');

    if (t->skipped)
        return corpus_skip(x, file, t->line, t->skipped, NULL);
    return ROW(x, TEXT("speaker", t->speaker), TEXT("text", t->text),
               TEXT("origin", slash ? slash + 1 : file));
}

static int read_file(const struct corpus_reading *x, const char *file)
{
    char path[CORPUS_PATH];
    struct wml *w = NULL;
    struct wml_turn t;
    int rc;

    TRY(corpus_path(path, x, file));
    TRY(wml_open(&w, path));
    while ((rc = wml_next(w, &t)) > 0)
        TRY(read_turn(x, file, &t));
out:
    wml_close(w);
    return rc;
}

static int read_all(const struct corpus_reading *x)
{
    return corpus_each(x, x->split->files, read_file);
}

const struct corpus corpus_wesnoth = {
    .name = "wesnoth",
    .title = "Dialogue of Battle for Wesnoth",
    .from = "Debian's package wesnoth-1.16-utbs",
    .layout = {{.name = "official",
                .read = read_all,
                .split = {{.name = "all", .files = "*scenarios/*.cfg"}}}}};
