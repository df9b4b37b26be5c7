#include "harness/data/format/story.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/format/linefile.h"

#include <string.h>

static const char marker[] = "@highlight";

static int is_ended(const char *line)
{
    static const char *const signs[] = {".", "!", "?", "'", "\"", ")", "`",
                                        "\xe2\x80\x99", "\xe2\x80\x9d"};

    if (strstr(line, marker))
        return 1;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_ends(line, signs[i]))
            return 1;
    return 0;
}

int story_read(struct story *out, const char *path)
{
    OWNED(text_free) struct text all = {0};
    int marked = 0;

    text_clear(&out->article);
    text_clear(&out->summary);
    PASS(linefile_text(&all, path));
    for (char *rest = all.s, *line; (line = strsep(&rest, "\n"));) {
        struct text *to = marked ? &out->summary : &out->article;

        line = text_strip(line);
        if (!strncmp(line, marker, sizeof marker - 1)) {
            marked = 1;
        } else if (*line) {
            text_format(to, "%s%s%s", !to->n ? "" : marked ? "\n" : " ", line,
                        is_ended(line) ? "" : " .");
        }
    }
    return OK;
}

void story_close(struct story *s)
{
    text_free(&s->article);
    text_free(&s->summary);
}
