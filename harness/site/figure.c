/* Writes one page per picture. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

static int put_figure(struct site *s, const struct site_picture *x)
{
    OWNED(page_close) struct page p = {0};
    OWNED(free) char *store = text_quoted(s->report->store);

    page_open(&p, s, "figure", x->name, x->title);
    PASS(page_picture_write(s, "figure", x));
    page_picture(&p, "figure", x);
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
