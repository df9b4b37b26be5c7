#include "harness/site/page.h"

#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"

#include <stdarg.h>
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

/* Returns the path of the page of `name` in a folder of the site. */
static const char *path_of(const struct site *s, const char *folder,
                           const char *name)
{
    return arena_format(s->memory, "%s%s%s.html", folder, *folder ? "/" : "",
                        page_name(s, name));
}

const char *page_way(const struct page *p, const char *path)
{
    return arena_format(p->site->memory, "%s%s",
                        strchr(p->path, '/') ? "../" : "", path);
}

const char *page_of(const struct page *p, const char *folder, const char *name)
{
    return page_way(p, path_of(p->site, folder, name));
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

/* Writes the content security policy.  Pictures are loaded only from files of
 * the report, and only `script` runs. */
static void policy(struct page *p, const char *script)
{
    char digest[HASH_BASE64];

    hash_sha256_base64(script, strlen(script), digest);
    markup_open(p->to, "meta");
    markup_attribute(p->to, "http-equiv", "Content-Security-Policy");
    markup_attribute(p->to, "content",
                     "default-src 'none'; base-uri 'none'; form-action 'none';"
                     " img-src 'self' file:; style-src 'unsafe-inline';"
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

/* The navigation of a site.  The page or section `to` links to the pages in
 * `folder`. */
static const struct place { const char *folder, *title, *to; } places[] = {
    {"", "Overview", "index.html"},
    {"variant", "Variants", "index.html#variants"},
    {"task", "Tasks", "index.html#tasks"},
    {"table", "Tables", "index.html#tables"},
    {"figure", "Figures", "index.html#figures"},
    {"claim", "Claims", "claims.html"},
    {"cell", "Cells", "cells.html"},
    {.folder = NULL}};

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
    size_t n = strcspn(p->path, "/");

    if (!strcmp(p->path, "index.html"))
        return;
    markup_open(p->to, "nav");
    markup_attribute(p->to, "aria-label", "Place of this page");
    markup_open(p->to, "ol");
    crumb(p, "index.html", places->title);
    for (const struct place *x = places; x->folder; x++)
        if (strlen(x->folder) == n && !strncmp(p->path, x->folder, n))
            crumb(p, x->to, x->title);
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
    for (const struct place *x = places; x->folder; x++)
        if ((s->claims || strcmp(x->folder, "claim")) &&
            (strcmp(x->folder, "figure") || s->pictures || *s->undrawn))
            way(p, x->to, x->title);
    markup_shut(p->to);
    markup_shut(p->to);
    crumbs(p, title);
    markup_shut(p->to);
}

/* Returns the link target of a grid cell that shows a value of `of`
 * (print/fragment.h). */
static const char *grid_link(const void *page, const char *of)
{
    const struct page *p = page;
    const char *slash = strrchr(of, '/');

    return page_numbers(p, slash ? arena_format(p->site->memory, "%.*s",
                                                (int)(slash - of), of) : of,
                        slash ? slash + 1 : NULL);
}

/* Writes a warning if cells are synthetic.  The page of a table has none if the
 * table itself says which of its tasks are synthetic. */
static void put_synthetic(struct page *p)
{
    const struct site *s = p->site;
    int synthetic = 0, done = 0;

    for (int i = 0; i < s->tasks + s->tables; i++) {
        const struct site_table *t = i < s->tasks ? &s->task[i]
                                                  : &s->table[i - s->tasks];

        if (t->measured && t->measured->synthetic &&
            !strcmp(p->path, path_of(s, i < s->tasks ? "task" : "table",
                                     t->of->name)))
            return;
    }
    for (int i = 0; i < s->report->n; i++) {
        const struct report_cell *c = &s->report->cell[i];

        done += c->state == CELL_DONE;
        synthetic += c->state == CELL_DONE && c->synthetic;
    }
    if (synthetic)
        page_warning(p, arena_format(
            s->memory, "SYNTHETIC DATA: a generator made the examples of %d of "
            "the %d finished cells. Their numbers say nothing about real text "
            "or about the paper's numbers.", synthetic, done));
}

void page_open(struct page *p, struct site *s, const char *folder,
               const char *name, const char *title)
{
    OWNED(free) char *script = joined(page_script);

    *p = (struct page){.site = s, .to = markup_new(),
                       .path = path_of(s, folder, name)};
    p->in = (struct fragment){.to = p->to, .memory = s->memory,
                              .way = grid_link, .page = p};
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
    OWNED(free) char *script = joined(page_script);

    markup_open(p->to, "p");
    markup_attribute(p->to, "id", "status");
    markup_attribute(p->to, "class", "only");
    markup_attribute(p->to, "role", "status");
    markup_shut(p->to);
    markup_open(p->to, "footer");
    markup_open(p->to, "p");
    markup_format(p->to, "Experiment %s, store %s. Numbers link to their "
                  "cells; the page of a cell shows its provenance.", r->name,
                  r->store);
    markup_shut(p->to);
    if (p->in.marks)
        markup_element(p->to, "p", "SYNTHETIC: a generator made the examples. "
                       "NOT COMPARED: reported without ranks, as the "
                       "experiment specifies.");
    markup_shut(p->to);
    markup_open(p->to, "script");
    markup_ours(p->to, script);
    markup_shut(p->to);
}

/* Ends all elements that are open on the level `from` and on the levels inside
 * it. */
static void end_at(struct page *p, enum page_level from)
{
    for (int i = PAGE_LEVELS - 1; i >= (int)from; i--)
        for (; p->open[i]; p->open[i]--)
            markup_shut(p->to);
}

int page_shut(struct page *p)
{
    struct site *s = p->site;
    struct markup *m = p->to;
    OWNED(free) char *path = str_format("%s/%s", s->folder, p->path);
    const char *bytes;
    size_t n;

    end_at(p, PAGE_SECTION);
    markup_shut(m);
    put_footer(p);
    markup_shut(m);
    markup_shut(m);
    markup_ours(m, "\n");
    bytes = markup_bytes(m, &n);
    if (n > PAGE_MOST)
        say("large page: %s has %zu bytes", p->path, n);
    site_file(s, p->path);
    return file_write(path, bytes, n);
}

/* ---- sections, blocks and lines ---- */

static void begin(struct page *p, enum page_level level, const char *tag,
                  const char *class)
{
    end_at(p, level);
    markup_open(p->to, tag);
    if (class)
        markup_attribute(p->to, "class", "%s", class);
    p->open[level] = 1;
    p->tag[level] = tag;
}

static int is_open(const struct page *p, enum page_level level, const char *tag)
{
    return p->open[level] && !strcmp(p->tag[level], tag);
}

void page_section(struct page *p, const char *id, const char *title)
{
    end_at(p, PAGE_SECTION);
    fragment_section(&p->in, id, title);
    p->open[PAGE_SECTION] = 1;
    p->tag[PAGE_SECTION] = "section";
}

void page_heading(struct page *p, const char *to, const char *text)
{
    begin(p, PAGE_BLOCK, "h3", NULL);
    if (to) {
        markup_open(p->to, "a");
        markup_attribute(p->to, "href", "%s", to);
    }
    fragment_marked(&p->in, text);
    if (to)
        markup_shut(p->to);
}

void page_paragraph(struct page *p, const char *fmt, ...)
{
    va_list ap;

    begin(p, PAGE_BLOCK, "p", NULL);
    va_start(ap, fmt);
    markup_text(p->to, arena_vformat(p->site->memory, fmt, ap));
    va_end(ap);
}

void page_warning(struct page *p, const char *text)
{
    begin(p, PAGE_BLOCK, "p", "warn");
    markup_attribute(p->to, "role", "note");
    markup_text(p->to, text);
}

void page_line(struct page *p, const char *class)
{
    if (!is_open(p, PAGE_BLOCK, "ul"))
        begin(p, PAGE_BLOCK, "ul", class);
    begin(p, PAGE_LINE, "li", NULL);
}

void page_item(struct page *p, const char *class, const char *to,
               const char *fmt, ...)
{
    va_list ap;

    page_line(p, class);
    va_start(ap, fmt);
    markup_link(p->to, to, arena_vformat(p->site->memory, fmt, ap));
    va_end(ap);
}

void page_command(struct page *p, const char *fmt, ...)
{
    va_list ap;

    end_at(p, PAGE_BLOCK);
    va_start(ap, fmt);
    fragment_command(&p->in, arena_vformat(p->site->memory, fmt, ap));
    va_end(ap);
}

int page_parts(struct page *p, const struct sheet *s, int first, int until,
               const char *caption)
{
    int end = first;

    while (end < s->parts && (int)s->part[end].kind != until)
        end++;
    end_at(p, PAGE_SECTION);
    fragment_parts(&p->in, s, first, end - first, caption);
    return end;
}

/* ---- tables ---- */

void page_table(struct page *p, const char *caption, const char *class)
{
    end_at(p, PAGE_BLOCK);
    fragment_table(&p->in, caption, class);
    p->open[PAGE_BLOCK] = 2;
    p->tag[PAGE_BLOCK] = "table";
}

void page_group(struct page *p, const char *tag)
{
    begin(p, PAGE_GROUP, tag, NULL);
}

void page_head(struct page *p, const char *title, int left)
{
    if (!is_open(p, PAGE_GROUP, "thead")) {
        page_group(p, "thead");
        begin(p, PAGE_LINE, "tr", NULL);
    }
    fragment_head(&p->in, title, left);
}

void page_heads(struct page *p, const char *align, const char *const *title)
{
    for (int i = 0; title[i]; i++)
        page_head(p, title[i], align[i] == '<');
    page_group(p, "tbody");
}

void page_row(struct page *p, const char *to, const char *text)
{
    if (!p->open[PAGE_GROUP] || is_open(p, PAGE_GROUP, "thead"))
        page_group(p, "tbody");
    begin(p, PAGE_LINE, "tr", NULL);
    fragment_row_head(&p->in, to, text);
}

void page_cell(struct page *p, const char *to, const char *text, int left)
{
    end_at(p, PAGE_CELL);
    fragment_cell(&p->in, to, text, left);
}

void page_open_cell(struct page *p, const char *class)
{
    begin(p, PAGE_CELL, "td", class);
}

void page_fact(struct page *p, const char *name, const char *to,
               const char *text)
{
    page_row(p, NULL, name);
    page_cell(p, to, text, 2);
}

/* ---- figures ---- */

void page_figure(struct page *p, const char *title)
{
    end_at(p, PAGE_BLOCK);
    markup_open(p->to, "figure");
    fragment_wide(&p->in, title);
}

void page_figure_shut(struct page *p, const char *title)
{
    markup_shut(p->to);
    markup_element(p->to, "figcaption", title);
    markup_shut(p->to);
}

static const char *picture_path(const struct site *s, const char *folder,
                                const struct site_picture *x)
{
    return arena_format(s->memory, "%s/%s.svg", folder, page_name(s, x->name));
}

int page_picture_write(struct site *s, const char *folder,
                       const struct site_picture *x)
{
    const char *file = picture_path(s, folder, x);
    const char *end = strstr(x->svg, "</svg>");
    size_t n = end ? (size_t)(end - x->svg) : x->bytes;
    OWNED(free) char *path = str_format("%s/%s", s->folder, file);
    OWNED(text_free) struct text svg = {0};

    /* Browsers blur the few pixels of a heat map unless a style forbids it. */
    text_add(&svg, x->svg, n);
    text_put(&svg, "<style>image{image-rendering:pixelated}</style>");
    text_add(&svg, x->svg + n, x->bytes - n);
    site_file(s, file);
    return file_write(path, svg.s, svg.n);
}

void page_picture(struct page *p, const char *folder,
                  const struct site_picture *x)
{
    page_figure(p, x->title);
    markup_open(p->to, "img");
    markup_attribute(p->to, "src", "%s",
                     page_way(p, picture_path(p->site, folder, x)));
    markup_attribute(p->to, "alt", "%s: %s", x->title, x->what);
    markup_shut(p->to);
    page_figure_shut(p, x->title);
}
