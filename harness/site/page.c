#include "harness/site/page.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- links ---- */

enum { NAME_MOST = 100 }; /* bytes; file names have at most 255 */

/* Different names stay different, because ~ marks escaped and shortened names
 * and CELL_LETTERS does not contain ~. */
const char *page_name(const struct site *s, const char *name)
{
    struct text t = {0};
    char hex[HASH_HEX];

    text_put(&t, "");
    for (const char *c = name; *c; c++)
        if ((strchr(CELL_LETTERS, *c) && (c > name || *c != '.')) ||
            strchr(",=", *c))
            text_add(&t, c, 1);
        else
            text_format(&t, "~%02x", (unsigned)(unsigned char)*c);
    if (t.n > NAME_MOST) {
        hash_sha256(name, strlen(name), hex);
        return arena_format(s->memory, "%.*s~~%.16s", NAME_MOST,
                            text_keep(&t, s->memory), hex);
    }
    return text_keep(&t, s->memory);
}

const char *page_way(const struct page *p, const char *path)
{
    return arena_format(p->site->memory, "%s%s",
                        strchr(p->path, '/') ? "../" : "", path);
}

const char *page_of(const struct page *p, const char *folder, const char *name)
{
    return page_way(p, arena_format(p->site->memory, "%s/%s.html", folder,
                                    page_name(p->site, name)));
}

const char *page_numbers(const struct page *p, const char *variant,
                         const char *task)
{
    const struct report_cell *one;
    int n = site_row(p->site, variant) < 0
                ? 0 : site_done(p->site, variant, task, &one);

    if (!n)
        return NULL;
    if (n == 1 && task)
        return page_of(p, "cell", one->id);
    return task ? arena_format(p->site->memory, "%s#%s",
                               page_of(p, "variant", variant),
                               page_name(p->site, task))
                : page_of(p, "variant", variant);
}

/* ---- frame of a page ---- */

static char *joined(const char *const line[])
{
    struct text t = {0};

    text_put(&t, "\n");
    for (; *line; line++)
        text_format(&t, "%s\n", *line);
    return t.s;
}

static void meta(struct page *p, const char *name, const char *content)
{
    markup_open(p->to, "meta");
    markup_attribute(p->to, "name", "%s", name);
    markup_attribute(p->to, "content", "%s", content);
    markup_shut(p->to);
}

/* Writes the content security policy.  Pictures are loaded only from files next
 * to the page (site/figure.c); inline PNGs are permitted, and only `script`
 * runs. */
static void policy(struct page *p, const char *script)
{
    char digest[HASH_BASE64];

    hash_sha256_base64(script, strlen(script), digest);
    markup_open(p->to, "meta");
    markup_attribute(p->to, "http-equiv", "Content-Security-Policy");
    markup_attribute(p->to, "content",
                     "default-src 'none'; base-uri 'none'; form-action 'none';"
                     " img-src 'self' file: data:; style-src 'unsafe-inline';"
                     " script-src 'sha256-%s'",
                     digest);
    markup_shut(p->to);
}

static void head(struct page *p, const char *title, const char *script)
{
    OWNED(free) char *style = joined(fragment_style);

    markup_open(p->to, "head");
    markup_open(p->to, "meta");
    markup_attribute(p->to, "charset", "utf-8");
    markup_shut(p->to);
    policy(p, script);
    meta(p, "viewport", "width=device-width, initial-scale=1");
    meta(p, "color-scheme", "light dark");
    markup_open(p->to, "title");
    markup_format(p->to, "%s - %s", title, p->site->report->name);
    markup_shut(p->to);
    markup_open(p->to, "style");
    markup_ours(p->to, style);
    markup_shut(p->to);
    markup_shut(p->to);
}

static void way(struct page *p, const char *to, const char *text)
{
    int here = !strcmp(to, p->path);

    markup_open(p->to, "li");
    markup_open(p->to, "a");
    markup_attribute(p->to, "href", "%s", page_way(p, to));
    if (here)
        markup_attribute(p->to, "aria-current", "page");
    markup_text(p->to, text);
    markup_shut(p->to);
    markup_shut(p->to);
}

static void ways_of_both(struct page *p)
{
    way(p, "index.html", "Comparison");
    way(p, "index.html#tasks", "Tasks");
    if (p->site->claims)
        way(p, "claims.html", "Claims");
    way(p, "a/index.html", "Store A");
    way(p, "b/index.html", "Store B");
}

static void ways_of_one(struct page *p)
{
    const struct site *s = p->site;

    if (s->other)
        way(p, "../index.html", s->other);
    way(p, "index.html", "Overview");
    way(p, "index.html#findings", "Findings");
    way(p, "index.html#variants", "Variants");
    way(p, "index.html#tasks", "Tasks");
    way(p, "index.html#tables", "Tables");
    if (s->pictures || *s->undrawn)
        way(p, "index.html#figures", "Figures");
    if (s->claims)
        way(p, "claims.html", "Claims");
    way(p, "cells.html", "Cells");
}

/* The page that lists the pages of a folder. */
static const struct { const char *folder, *title, *to; } lists[] = {
    {"variant", "Variants", "index.html#variants"},
    {"task", "Tasks", "index.html#tasks"},
    {"table", "Tables", "index.html#tables"},
    {"figure", "Figures", "index.html#figures"},
    {"claim", "Claims", "claims.html"},
    {"cell", "Cells", "cells.html"}};

static void crumb(struct page *p, const char *to, const char *text)
{
    markup_open(p->to, "li");
    if (!to)
        markup_attribute(p->to, "aria-current", "page");
    markup_link(p->to, to ? page_way(p, to) : NULL, text);
    markup_shut(p->to);
}

/* Writes where the page is: "Overview / Variants / random". */
static void crumbs(struct page *p, const char *title)
{
    const struct site *s = p->site;
    size_t n = strcspn(p->path, "/");

    if (!strcmp(p->path, "index.html") && !s->other)
        return;
    markup_open(p->to, "nav");
    markup_attribute(p->to, "aria-label", "Place of this page");
    markup_open(p->to, "ol");
    if (s->other)
        crumb(p, "../index.html", s->other);
    if (strcmp(p->path, "index.html"))
        crumb(p, "index.html", s->by ? "Comparison" : "Overview");
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strlen(lists[i].folder) == n &&
            !strncmp(p->path, lists[i].folder, n))
            crumb(p, lists[i].to, lists[i].title);
    crumb(p, NULL, title);
    markup_shut(p->to);
    markup_shut(p->to);
}

static void ways(struct page *p, const char *title)
{
    const struct site *s = p->site;

    markup_open(p->to, "header");
    markup_open(p->to, "nav");
    markup_attribute(p->to, "aria-label", "Report");
    markup_open(p->to, "ul");
    if (s->by)
        ways_of_both(p);
    else
        ways_of_one(p);
    markup_shut(p->to);
    markup_shut(p->to);
    crumbs(p, title);
    markup_shut(p->to);
}

/* Returns the link target of a grid cell whose member `of` (sheet.h) is
 * `of`. */
static const char *told(const void *page, const char *of)
{
    const struct page *p = page;
    const char *slash = strrchr(of, '/');

    return page_numbers(p, slash ? arena_format(p->site->memory, "%.*s",
                                                (int)(slash - of), of) : of,
                        slash ? slash + 1 : NULL);
}

static void count_synthetic(const struct report *r, int *synthetic, int *done)
{
    for (int i = 0; i < r->n; i++) {
        *done += r->cell[i].state == CELL_DONE;
        *synthetic += r->cell[i].state == CELL_DONE && r->cell[i].synthetic;
    }
}

/* Returns 1 if the page is that of one of the n tables, and the table itself
 * says which of its tasks are synthetic. */
static int is_warned(const struct page *p, const char *folder,
                     const struct site_table *t, int n)
{
    for (int i = 0; i < n; i++)
        if (t[i].measured && t[i].measured->synthetic &&
            !strcmp(page_way(p, p->path),
                    page_of(p, folder, t[i].of->name)))
            return 1;
    return 0;
}

static void put_synthetic(struct page *p)
{
    const struct site *s = p->site;
    int synthetic = 0, done = 0;

    if (is_warned(p, "task", s->task, s->tasks) ||
        is_warned(p, "table", s->table, s->tables))
        return;
    for (int i = 0; i < (s->by ? DIFFERENCE_SIDES : 1); i++)
        count_synthetic(s->by ? s->side[i]->report : s->report, &synthetic,
                        &done);
    if (!synthetic)
        return;
    markup_open(p->to, "p");
    markup_attribute(p->to, "class", "warn");
    markup_attribute(p->to, "role", "note");
    markup_format(p->to, "SYNTHETIC DATA: a generator made the examples of %d "
                  "of the %d finished cells. Their numbers say nothing about "
                  "real text or about the paper's numbers.", synthetic, done);
    markup_shut(p->to);
}

void page_open(struct page *p, struct site *s, const char *path,
               const char *title)
{
    OWNED(free) char *script = joined(page_script);

    *p = (struct page){s, markup_new(), path, {.way = told, .page = p}};
    p->in.to = p->to;
    p->in.memory = s->memory;
    markup_open(p->to, "html");
    markup_attribute(p->to, "lang", "en");
    head(p, title, script);
    markup_open(p->to, "body");
    markup_open(p->to, "a");
    markup_attribute(p->to, "class", "skip");
    markup_attribute(p->to, "href", "#contents");
    markup_text(p->to, "Skip to content");
    markup_shut(p->to);
    ways(p, title);
    markup_open(p->to, "main");
    markup_attribute(p->to, "id", "contents");
    markup_attribute(p->to, "tabindex", "-1");
    markup_element(p->to, "h1", title);
    put_synthetic(p);
}

void page_close(struct page *p)
{
    markup_close(p->to);
    p->to = NULL;
}

static void put_footer(struct page *p)
{
    const struct report *r = p->site->report;

    markup_open(p->to, "footer");
    markup_open(p->to, "p");
    if (p->site->by)
        markup_format(p->to, "A: store %s. B: store %s.", r->store,
                      p->site->side[DIFFERENCE_B]->report->store);
    else
        markup_format(p->to, "Experiment %s, store %s. Numbers link to their "
                      "cells; the page of a cell shows its provenance.",
                      r->name, r->store);
    markup_shut(p->to);
    if (p->in.marks)
        markup_element(p->to, "p", "SYNTHETIC: a generator made the examples. "
                       "NOT COMPARED: reported without ranks, as the "
                       "experiment specifies.");
    markup_shut(p->to);
}

static void foot(struct page *p)
{
    OWNED(free) char *script = joined(page_script);

    markup_open(p->to, "p");
    markup_attribute(p->to, "id", "said");
    markup_attribute(p->to, "class", "only");
    markup_attribute(p->to, "role", "status");
    markup_shut(p->to);
    put_footer(p);
    markup_open(p->to, "script");
    markup_ours(p->to, script);
    markup_shut(p->to);
}

int page_shut(struct page *p)
{
    struct site *s = p->site;
    struct markup *m = p->to;
    OWNED(free) char *path = str_format("%s/%s", s->folder, p->path);
    const char *bytes;
    size_t n;

    markup_shut(m);
    foot(p);
    markup_shut(m);
    markup_shut(m);
    markup_ours(m, "\n");
    bytes = markup_bytes(m, &n);
    if (n > PAGE_MOST)
        say("large page: %s has %zu bytes", p->path, n);
    site_file(s, p->path);
    return file_write(path, bytes, n);
}

/* ---- forms ---- */

void page_section(struct page *p, const char *id, const char *title)
{
    fragment_section(&p->in, id, title);
}

void page_table(struct page *p, const char *caption, int sortable)
{
    fragment_table(&p->in, caption, sortable);
}

void page_table_shut(struct page *p) { fragment_table_shut(&p->in); }

void page_head(struct page *p, const char *title, int left)
{
    fragment_head(&p->in, title, left);
}

void page_heads(struct page *p, const char *const *title, size_t n)
{
    markup_open(p->to, "thead");
    markup_open(p->to, "tr");
    for (size_t i = 0; i < n; i++)
        page_head(p, title[i], !i || i == n - 1);
    markup_shut(p->to);
    markup_shut(p->to);
    markup_open(p->to, "tbody");
}

void page_row_head(struct page *p, const char *to, const char *text)
{
    fragment_row_head(&p->in, to, text);
}

void page_cell(struct page *p, const char *to, const char *text, int left)
{
    fragment_cell(&p->in, to, text, left);
}

void page_chip(struct page *p, const char *kind, const char *icon,
               const char *text)
{
    fragment_chip(&p->in, kind, icon, text);
}

void page_command(struct page *p, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    fragment_command(&p->in, arena_vformat(p->site->memory, fmt, ap));
    va_end(ap);
}

void page_parts(struct page *p, const struct sheet *s, int first, int n,
                const char *caption)
{
    fragment_parts(&p->in, s, first, n, caption);
}

void page_figure(struct page *p, const char *title)
{
    markup_open(p->to, "figure");
    fragment_wide(&p->in, title);
}

void page_figure_shut(struct page *p, const char *title)
{
    markup_shut(p->to);
    markup_element(p->to, "figcaption", title);
    markup_shut(p->to);
}

int page_picture(struct page *p, const struct site_picture *picture)
{
    const char *prefix = arena_format(p->site->memory, "%s-",
                                      page_name(p->site, picture->name));

    page_figure(p, picture->title);
    int rc = markup_picture(p->to, picture->svg, picture->bytes, prefix,
                            picture->title, picture->what);
    page_figure_shut(p, picture->title);
    return rc;
}
