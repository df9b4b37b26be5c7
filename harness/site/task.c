/* One page per task: every metric of every variant, then its pictures, then
 * the details of the table. */
#include "harness/site/page.h"

#include "harness/base/err.h"

#include <string.h>

enum { PICTURES_MOST = 500000 /* total bytes of inline pictures, at most */ };

static int put_pictures(struct page *p, const char *task)
{
    struct site *s = p->site;
    size_t bytes = 0;
    int any = 0;

    for (int i = 0; i < s->pictures; i++) {
        const struct site_picture *x = &s->picture[i];

        if (!x->task || strcmp(x->task, task))
            continue;
        if (!any++)
            page_section(p, NULL, "Figures");
        bytes += x->bytes;
        if (bytes <= PICTURES_MOST)
            PASS(page_picture(p, x));
        markup_open(p->to, "p");
        markup_link(p->to, page_of(p, "figure", x->name),
                    arena_format(s->memory, "%s (separate page)", x->title));
        markup_shut(p->to);
    }
    if (any)
        markup_shut(p->to);
    return OK;
}

static int has_task(const struct table *t, const char *task)
{
    for (int i = 0; t->task && t->task[i].task; i++)
        if (!strcmp(t->task[i].task, task))
            return 1;
    return 0;
}

static void put_tables(struct page *p, const char *task)
{
    const struct site *s = p->site;

    page_section(p, NULL, "Tables with this task");
    markup_open(p->to, "ul");
    for (int i = 0; i < s->tables; i++)
        if (has_task(s->table[i].of, task)) {
            markup_open(p->to, "li");
            markup_link(p->to, page_of(p, "table", s->table[i].of->name),
                        arena_format(s->memory, "Table %s. %s",
                                     s->table[i].of->name,
                                     s->table[i].of->title));
            markup_shut(p->to);
        }
    markup_shut(p->to);
    markup_shut(p->to);
}

/* Returns the number of parts above the first heading: the table and its
 * notes. */
static int above(const struct sheet *s)
{
    int n = 0;

    while (n < s->parts && s->part[n].kind != PART_HEADING)
        n++;
    return n;
}

static int put(struct site *s, const struct site_table *t)
{
    const struct table_task *task = &t->of->task[0];
    OWNED(page_close) struct page p = {0};

    page_open(&p, s, arena_format(s->memory, "task/%s.html",
                                  page_name(s, task->task)), task->title);
    int head = t->sheet ? above(t->sheet) : 0;
    if (t->sheet)
        page_parts(&p, t->sheet, 0, head, task->title);
    else
        markup_element(p.to, "p", t->why);
    PASS(put_pictures(&p, task->task));
    if (t->sheet)
        page_parts(&p, t->sheet, head, t->sheet->parts - head, task->title);
    put_tables(&p, task->task);
    return page_shut(&p);
}

static int write_pages(struct site *s)
{
    for (int i = 0; i < s->tasks; i++)
        PASS(put(s, &s->task[i]));
    return OK;
}

const struct pages pages_task = {"task", write_pages};
