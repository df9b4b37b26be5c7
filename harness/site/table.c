/* Writes one page per table: everything that the command `table` prints, with
 * links from numbers to their cells. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

static void put_tasks(struct page *p, const struct result_table *m)
{
    page_section(p, NULL, "Tasks");
    markup_open(p->to, "ul");
    markup_attribute(p->to, "class", "names");
    for (int i = 0; i < m->tasks; i++) {
        const char *task = m->task[i].task;

        markup_open(p->to, "li");
        markup_link(p->to, site_task(p->site, task) < 0
                               ? NULL : page_of(p, "task", task),
                    m->task[i].label);
        markup_shut(p->to);
    }
    markup_shut(p->to);
    markup_shut(p->to);
}

static int put(struct site *s, const struct site_table *t)
{
    const char *name = t->of->name;
    OWNED(page_close) struct page p = {0};
    OWNED(free) char *store = text_quoted(s->report->store);

    page_open(&p, s, arena_format(s->memory, "table/%s.html",
                                  page_name(s, name)),
              arena_format(s->memory, "Table %s. %s", name, t->of->title));
    if (t->sheet)
        page_parts(&p, t->sheet, 0, t->sheet->parts, t->of->title);
    else
        markup_element(p.to, "p", t->why);
    if (t->measured)
        put_tasks(&p, t->measured);
    page_section(&p, NULL, "Command");
    if (t->of->counted)
        page_command(&p, "synthbench table %s", name);
    else
        page_command(&p, "synthbench table %s --store %s", name, store);
    markup_shut(p.to);
    return page_shut(&p);
}

static int write_pages(struct site *s)
{
    for (int i = 0; i < s->tables; i++)
        PASS(put(s, &s->table[i]));
    return OK;
}

const struct pages pages_table = {"table", write_pages};
