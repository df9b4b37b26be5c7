/* html: writes a sheet as one self-contained HTML page.  The best values of a
 * column are bold and have a star. */
#include "harness/print/fragment.h"

static void meta(struct markup *m, const char *name, const char *content)
{
    markup_open(m, "meta");
    markup_attribute(m, "name", "%s", name);
    markup_attribute(m, "content", "%s", content);
    markup_shut(m);
}

static void head(struct markup *m, const char *title)
{
    markup_open(m, "head");
    markup_open(m, "meta");
    markup_attribute(m, "charset", "utf-8");
    markup_shut(m);
    meta(m, "viewport", "width=device-width, initial-scale=1");
    meta(m, "color-scheme", "light dark");
    markup_element(m, "title", title);
    markup_open(m, "style");
    for (const char *const *line = fragment_style; *line; line++) {
        markup_ours(m, "\n");
        markup_ours(m, *line);
    }
    markup_shut(m);
    markup_shut(m);
}

static void write_sheet(const struct sheet *s, FILE *out)
{
    OWNED(markup_close) struct markup *m = markup_new();
    struct fragment f = {.to = m, .memory = s->memory};
    const char *title = s->parts ? s->part[0].text : "synthbench";
    size_t bytes;

    for (int i = s->parts - 1; i >= 0; i--) /* the first title, if any */
        if (s->part[i].kind == PART_TITLE)
            title = s->part[i].text;

    markup_open(m, "html");
    markup_attribute(m, "lang", "en");
    head(m, title);
    markup_open(m, "body");
    markup_open(m, "main");
    markup_element(m, "h1", title);
    fragment_parts(&f, s, 0, s->parts, title);
    for (int i = 0; i < 3; i++)
        markup_shut(m);
    markup_ours(m, "\n");
    const char *page = markup_bytes(m, &bytes);
    fwrite(page, 1, bytes, out);
}

const struct format format_html = {"html", write_sheet};
