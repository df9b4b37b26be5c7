/* Writes one page per table, with everything that the command `table` prints
 * and with links from numbers to their cells; and one page per task, with every
 * metric of every variant, then its pictures, then the details of the table. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <string.h>

/* ---- tables ---- */

static int put_table(struct site *s, const struct site_table *t)
{
    const char *name = t->of->name;
    OWNED(page_close) struct page p = {0};
    OWNED(free) char *store = text_quoted(s->report->store);

    page_open(&p, s, "table", name,
              arena_format(s->memory, "Table %s. %s", name, t->of->title));
    if (t->sheet)
        page_parts(&p, t->sheet, 0, -1, t->of->title);
    else
        page_paragraph(&p, "%s", t->why);
    if (t->measured)
        page_section(&p, NULL, "Tasks");
    for (int i = 0; t->measured && i < t->measured->tasks; i++) {
        const char *task = t->measured->task[i].task;

        page_item(&p, "names", site_task(s, task) < 0
                                   ? NULL : page_of(&p, "task", task),
                  "%s", t->measured->task[i].label);
    }
    page_section(&p, NULL, "Command");
    if (t->of->counted)
        page_command(&p, "synthbench table %s", name);
    else
        page_command(&p, "synthbench table %s --store %s", name, store);
    return page_shut(&p);
}

int pages_table(struct site *s)
{
    for (int i = 0; i < s->tables; i++)
        PASS(put_table(s, &s->table[i]));
    return OK;
}

/* ---- tasks ---- */

static void put_pictures(struct page *p, const char *task)
{
    struct site *s = p->site;
    int any = 0;

    for (int i = 0; i < s->pictures; i++) {
        const struct site_picture *x = &s->picture[i];

        if (!x->task || strcmp(x->task, task))
            continue;
        if (!any++)
            page_section(p, NULL, "Figures");
        page_picture(p, "figure", x);
        page_paragraph(p, "%s", "");
        markup_link(p->to, page_of(p, "figure", x->name),
                    arena_format(s->memory, "%s (separate page)", x->title));
    }
}

static int has_task(const struct table *t, const char *task)
{
    for (int i = 0; t->task && t->task[i].task; i++)
        if (!strcmp(t->task[i].task, task))
            return 1;
    return 0;
}

static int put_task(struct site *s, const struct site_table *t)
{
    const struct table_task *task = &t->of->task[0];
    OWNED(page_close) struct page p = {0};
    int next = 0; /* index of a part of the sheet */

    page_open(&p, s, "task", task->task, task->title);
    if (t->sheet)
        next = page_parts(&p, t->sheet, 0, PART_HEADING, task->title);
    else
        page_paragraph(&p, "%s", t->why);
    put_pictures(&p, task->task);
    if (t->sheet)
        page_parts(&p, t->sheet, next, -1, task->title);
    page_section(&p, NULL, "Tables with this task");
    for (int i = 0; i < s->tables; i++)
        if (has_task(s->table[i].of, task->task))
            page_item(&p, NULL, page_of(&p, "table", s->table[i].of->name),
                      "Table %s. %s", s->table[i].of->name,
                      s->table[i].of->title);
    return page_shut(&p);
}

int pages_task(struct site *s)
{
    for (int i = 0; i < s->tasks; i++)
        PASS(put_task(s, &s->task[i]));
    return OK;
}
