/* Writes one page per picture. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

enum { INLINE_MOST = PAGE_MOST - 50000 /* maximum size of an inline picture in
                                          bytes */ };

/* Shows a picture that is too large for its page from a file next to the
 * page. */
static int put_beside(struct page *p, const struct site_picture *x)
{
    struct site *s = p->site;
    const char *name = arena_format(s->memory, "%s.svg",
                                    page_name(s, x->name));
    OWNED(free) char *path = str_format("%s/figure/%s", s->folder, name);

    page_figure(p, x->title);
    markup_open(p->to, "img");
    markup_attribute(p->to, "src", "%s", name);
    markup_attribute(p->to, "alt", "%s", x->title);
    markup_shut(p->to);
    page_figure_shut(p, x->title);
    site_file(s, arena_format(s->memory, "figure/%s", name));
    return file_write(path, x->svg, x->bytes);
}

static int put_figure(struct site *s, const struct site_picture *x)
{
    OWNED(page_close) struct page p = {0};
    OWNED(free) char *store = text_quoted(s->report->store);

    page_open(&p, s, "figure", x->name, x->title);
    PASS(x->bytes > INLINE_MOST ? put_beside(&p, x) : page_picture(&p, x));
    if (x->task) {
        page_paragraph(&p, "Numbers: ");
        markup_link(p.to, page_of(&p, "task", x->task),
                    site_task_title(s, x->task));
    }
    page_section(&p, NULL, "Command");
    page_command(&p, "synthbench plot --store %s", store);
    return page_shut(&p);
}

int pages_figure(struct site *s)
{
    for (int i = 0; i < s->pictures; i++)
        PASS(put_figure(s, &s->picture[i]));
    return OK;
}
