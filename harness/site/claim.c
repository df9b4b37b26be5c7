/* Writes the pages of claims about synthesizers: one page that lists all
 * claims, and one page for each claim. */
#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/claims/claims.h"

#include <string.h>

/* ---- the page of all claims ---- */

static const struct { const char *kind, *icon; } look[CLAIM_VERDICTS] = {
    [CLAIM_HOLDS] = {"good", "\u2713"},   [CLAIM_FAILS] = {"bad", "\u2717"},
    [CLAIM_ONLY_IF] = {"part", "\u25d0"}, [CLAIM_UNDECIDED] = {"soft", "?"},
    [CLAIM_NOT_HERE] = {"soft", "\u2013"}};

/* Writes a verdict as a chip with an icon.  If n is not 0, the chip counts the
 * claims that have the verdict. */
static void put_verdict(struct page *p, enum claim_verdict v, int n)
{
    fragment_chip(&p->in, look[v].kind, look[v].icon,
                  n ? arena_format(p->site->memory, "%d %s", n,
                                   claim_verdict_word(v, n))
                    : claim_verdicts[v]);
}

void page_verdicts(struct page *p, const char *class)
{
    for (int v = 0; v < CLAIM_VERDICTS; v++) {
        int n = claims_count(p->site->claims, (enum claim_verdict)v);

        if (!n)
            continue;
        page_line(p, class);
        markup_attribute(p->to, "data-verdict", "%s", claim_verdicts[v]);
        put_verdict(p, (enum claim_verdict)v, n);
    }
}

static void put_text(struct page *p, const char *class, const char *text)
{
    markup_text(p->to, " ");
    markup_open(p->to, "span");
    markup_attribute(p->to, "class", "%s", class);
    markup_text(p->to, text);
    markup_shut(p->to);
}

/* Writes a claim: id, verdict, text, kind, and the conditions of the
 * verdict. */
static void put_item(struct page *p, const struct claim *c)
{
    const char *verdict = claim_verdict_text(c, p->site->memory);

    page_line(p, "claims");
    markup_attribute(p->to, "data-verdict", "%s", claim_verdicts[c->verdict]);
    markup_link(p->to, page_of(p, "claim", c->id), c->id);
    markup_text(p->to, " ");
    markup_open(p->to, "span");
    put_verdict(p, c->verdict, 0);
    markup_shut(p->to);
    put_text(p, "text", c->text);
    put_text(p, "soft", claim_kinds[c->kind]);
    if (strcmp(verdict, claim_verdicts[c->verdict]))
        put_text(p, "soft when", verdict);
    else
        markup_text(p->to, " ");
}

static void put_command(struct page *p, const char *id)
{
    OWNED(free) char *store = text_quoted(p->site->report->store);

    page_section(p, NULL, "Command");
    page_command(p, "synthbench claims%s%s --store %s", id ? " " : "",
                 id ? id : "", store);
}

static int put_all(struct site *s)
{
    const struct claims *c = s->claims;
    OWNED(page_close) struct page p = {0};
    const char *section = "";
    int warned = 0;

    page_open(&p, s, "", "claims", "Claims and their verdicts");
    page_verdicts(&p, "chips filter");
    for (int i = 0; i < c->n && !warned; i++)
        if ((warned = c->claim[i].wanted && c->claim[i].synthetic))
            page_warning(&p, claims_synthetic);
    for (int i = 0; i < c->n; i++) {
        if (!c->claim[i].wanted)
            continue;
        if (strcmp(c->claim[i].section, section))
            page_section(&p, NULL, section = c->claim[i].section);
        put_item(&p, &c->claim[i]);
    }
    put_command(&p, NULL);
    return page_shut(&p);
}

/* ---- the page of one claim ---- */

/* Writes links to the tasks of the cases that the store has, each once. */
static void put_tasks(struct page *p, const struct claim *c)
{
    int n = 0;

    for (int i = 0; c->kind == CLAIM_TRAINED && i < c->cases; i++) {
        const char *task = c->of[i].rows.task;
        int before = 0;

        while (strcmp(c->of[before].rows.task, task))
            before++;
        if (before < i || site_task(p->site, task) < 0)
            continue;
        if (!n++)
            page_paragraph(p, "All results of ");
        else
            markup_text(p->to, ", ");
        markup_link(p->to, page_of(p, "task", task),
                    site_task_title(p->site, task));
    }
}

static int put_one(struct site *s, const struct claim *c)
{
    OWNED(page_close) struct page p = {0};
    OWNED(sheet_close) struct sheet *sheet = sheet_new();

    claims_explain(sheet, c);
    page_open(&p, s, "claim", c->id,
              arena_format(s->memory, "%s %s", c->id,
                           claim_verdict_text(c, s->memory)));
    page_paragraph(&p, "%s", "");
    put_verdict(&p, c->verdict, 0);
    page_parts(&p, sheet, 0, -1, "Cases");
    put_tasks(&p, c);
    put_command(&p, c->id);
    return page_shut(&p);
}

int pages_claim(struct site *s)
{
    const struct claims *c = s->claims;

    if (!c)
        return OK;
    PASS(site_folder_in(s, "claim"));
    PASS(put_all(s));
    for (int i = 0; i < c->n; i++)
        if (c->claim[i].wanted)
            PASS(put_one(s, &c->claim[i]));
    return OK;
}
