/* wesnoth: who says what in a campaign of Battle for Wesnoth; its form is
 * data/format/wml.h's. */
#include "harness/corpora/corpus.h"

#include "harness/base/str.h"
#include "harness/data/format/wml.h"

static int take_turn(void *reading, const struct wml_turn *t)
{
    struct corpus_reading *x = reading;

    if (t->skipped)
        return corpus_skip(x, t->line, t->skipped, NULL);
    return ROW(x, TEXT("speaker", t->speaker), TEXT("text", t->text),
               TEXT("origin", str_base(x->file)));
}

static int read_file(struct corpus_reading *x, const char *path)
{
    return wml_each(path, take_turn, x);
}

const struct corpus corpus_wesnoth = {
    .name = "wesnoth",
    .title = "Dialogue of Battle for Wesnoth",
    .from = "Debian's package wesnoth-1.16-utbs",
    .layout = {{.name = "official", .file = read_file, .split = {
        {"all", "*scenarios/*.cfg", 0}}}}};
