#include "harness/print/markup.h"

#include "harness/base/arena.h"
#include "harness/base/colour.h"
#include "harness/base/err.h"
#include "harness/base/map.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlwriter.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { DEEP = 64 };

struct markup {
    xmlBufferPtr     bytes;
    xmlTextWriterPtr to;
    struct arena    *memory; /* for the current text or attribute */
    int              depth;
    const char      *tag[DEEP];
    struct text      words;  /* the text of markup_plain, where `to` is NULL */
};

/* Checks a result of libxml2.  The writer writes to memory, and allocation
 * never fails (base/memory.c), so an error is a bug in this program. */
static void fine(int rc)
{
    REQUIRE(rc >= 0, "libxml2 rejects part of a page");
}

static const xmlChar *x(const char *s) { return (const xmlChar *)s; }

struct markup *markup_new(void)
{
    struct markup *m = calloc(1, sizeof *m);

    m->memory = arena_new();
    m->bytes = xmlBufferCreate();
    m->to = xmlNewTextWriterMemory(m->bytes, 0);
    REQUIRE(m->to, "libxml2 cannot create a writer");
    markup_ours(m, "<!DOCTYPE html>");
    return m;
}

struct markup *markup_plain(void)
{
    struct markup *m = calloc(1, sizeof *m);

    m->memory = arena_new();
    text_clear(&m->words);
    return m;
}

void markup_close(struct markup *m)
{
    if (!m)
        return;
    if (m->to)
        xmlFreeTextWriter(m->to);
    text_free(&m->words);
    if (m->bytes)
        xmlBufferFree(m->bytes);
    arena_free(m->memory);
    free(m);
}

/* ---- elements ---- */

/* Returns 1 for elements before which a line break is written.  Browsers do not
 * display white space before these elements. */
static int is_block(const char *tag)
{
    return names_index(
               NAMES("html", "head", "body", "meta", "title", "style", "script",
                     "header", "nav", "main", "section", "footer", "h1", "h2",
                     "h3", "p", "ul", "li", "dl", "dt", "dd", "pre", "div",
                     "figure", "figcaption", "table", "caption", "thead",
                     "tbody", "tfoot", "tr", "svg"),
               tag) >= 0;
}

void markup_open(struct markup *m, const char *tag)
{
    REQUIRE(m->depth < DEEP, "%d nested elements", DEEP);
    if (is_block(tag) && m->to)
        markup_ours(m, "\n");
    else if (is_block(tag) && m->words.n)
        text_put(&m->words, "\n");
    m->tag[m->depth++] = tag;
    if (m->to)
        fine(xmlTextWriterStartElement(m->to, x(tag)));
}

void markup_shut(struct markup *m)
{
    REQUIRE(m->depth > 0, "no element is open");
    const char *tag = m->tag[--m->depth];
    /* These elements have no end tag; HTML requires one for all others. */
    int is_void = names_index(NAMES("br", "hr", "img", "input", "link", "meta"),
                              tag) >= 0;
    if (m->to)
        fine(is_void ? xmlTextWriterEndElement(m->to)
                     : xmlTextWriterFullEndElement(m->to));
}

void markup_attribute(struct markup *m, const char *name, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    OWNED(free) char *clean = text_clean(arena_vformat(m->memory, fmt, ap), 1);
    va_end(ap);
    arena_reset(m->memory);
    str_harmless(clean, "");
    if (m->to)
        fine(xmlTextWriterWriteAttribute(m->to, x(name), x(clean)));
}

void markup_text(struct markup *m, const char *text)
{
    OWNED(free) char *clean = text_clean(text, 1);

    str_harmless(clean, "");
    if (m->to)
        fine(xmlTextWriterWriteString(m->to, x(clean)));
    else
        text_put(&m->words, clean);
}

void markup_format(struct markup *m, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    markup_text(m, arena_vformat(m->memory, fmt, ap));
    va_end(ap);
    arena_reset(m->memory);
}

void markup_element(struct markup *m, const char *tag, const char *text)
{
    markup_open(m, tag);
    markup_text(m, text);
    markup_shut(m);
}

void markup_link(struct markup *m, const char *to, const char *text)
{
    if (!to) {
        markup_text(m, text);
        return;
    }
    markup_open(m, "a");
    markup_attribute(m, "href", "%s", to);
    markup_text(m, text);
    markup_shut(m);
}

void markup_ours(struct markup *m, const char *text)
{
    if (m->to)
        fine(xmlTextWriterWriteRaw(m->to, x(text)));
}

const char *markup_bytes(struct markup *m, size_t *bytes)
{
    REQUIRE(!m->depth, "%s is open", m->tag[m->depth - 1]);
    if (!m->to) {
        *bytes = m->words.n;
        return m->words.s;
    }
    fine(xmlTextWriterFlush(m->to));
    *bytes = (size_t)xmlBufferLength(m->bytes);
    return (const char *)xmlBufferContent(m->bytes);
}

/* ---- pictures ---- */

struct picture { struct markup *to; const char *prefix; struct map *ids; };

static const char *local(const xmlChar *name) { return (const char *)name; }

/* Returns 1 if the value is an embedded PNG, which neither loads anything nor
 * runs code. */
static int is_pixels(const char *value)
{
    static const char png[] = "data:image/png;base64,";
    static const char of[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
                             "wxyz0123456789+/= \n";

    return !strncmp(value, png, sizeof png - 1) &&
           !value[sizeof png - 1 + strspn(value + sizeof png - 1, of)];
}

/* Returns the value that an attribute gets in the page; the caller frees it.
 * Adds the prefix to ids and to references to parts of the picture ("#part" in
 * `href`, "url(#part)").  Embedded PNGs and values without references are
 * unchanged.  Returns NULL, which omits the attribute, for other references and
 * for an id that has occurred before (gnuplot's panels repeat ids). */
static char *own_value(const struct picture *p, const char *name,
                       const char *value)
{
    const char *url = strstr(value, "url(");

    if (!strcmp(name, "id"))
        return map_add(p->ids, value, 1)
                   ? str_format("%s%s", p->prefix, value) : NULL;
    if (!strcmp(name, "href"))
        return *value == '#'       ? str_format("#%s%s", p->prefix, value + 1)
               : is_pixels(value) ? str_copy(value)
                                  : NULL;
    if (!url)
        return str_copy(value);
    if (strncmp(url, "url(#", 5) || strstr(url + 4, "url("))
        return NULL;
    return str_format("%.*s%s%s", (int)(url + 5 - value), value, p->prefix,
                      url + 5);
}

static void copy_attribute(const struct picture *p, xmlNodePtr of, xmlAttrPtr a)
{
    const char *name = local(a->name);
    xmlChar *raw = xmlNodeListGetString(of->doc, a->children, 1);
    OWNED(free) char *value =
        raw && strncasecmp(name, "on", 2) && strcmp(name, "style")
            ? own_value(p, name, (const char *)raw) : NULL;

    if (value && a->ns && a->ns->prefix) {
        OWNED(free) char *full = str_format("%s:%s", local(a->ns->prefix),
                                            name);
        markup_attribute(p->to, full, "%s", value);
    } else if (value) {
        markup_attribute(p->to, name, "%s", value);
    }
    xmlFree(raw);
}

/* Gives the colours of an element a second value for dark pages.  Browsers
 * that cannot choose between two values use the attributes. */
static void put_shades(const struct picture *p, xmlNodePtr node)
{
    OWNED(text_free) struct text style = {0};

    for (xmlAttrPtr a = node->properties; a; a = a->next) {
        const char *name = local(a->name);
        xmlChar *raw = xmlNodeListGetString(node->doc, a->children, 1);
        unsigned colour;

        if (names_index(NAMES("fill", "stroke", "color", "flood-color",
                              "stop-color"), name) >= 0 &&
            raw && colour_read(&colour, (const char *)raw))
            text_format(&style, "%s%s:light-dark(#%06x,#%06x)",
                        style.n ? ";" : "", name, colour,
                        colour_on_dark(colour));
        xmlFree(raw);
    }
    if (style.n)
        markup_attribute(p->to, "style", "%s", style.s);
}

static int has_pixels(xmlNodePtr node)
{
    int found = 0;

    for (xmlAttrPtr a = node->properties; a; a = a->next)
        if (!strcmp(local(a->name), "href")) {
            xmlChar *raw = xmlNodeListGetString(a->doc, a->children, 1);

            found = raw && is_pixels((const char *)raw);
            xmlFree(raw);
        }
    return found;
}

/* Returns 1 for elements that are omitted.  Titles are omitted because browsers
 * show them as tooltips, and the titles that gnuplot writes are plot
 * commands. */
static int is_left_out(xmlNodePtr node)
{
    const char *tag = local(node->name);

    if (!strcmp(tag, "image"))
        return !has_pixels(node);
    return names_index(NAMES("title", "desc", "script", "foreignObject",
                             "iframe", "style", "set", "animate", "handler"),
                       tag) >= 0;
}

static void copy_nodes(const struct picture *p, xmlNodePtr node);

static void copy_element(const struct picture *p, xmlNodePtr node)
{
    int link = !strcmp(local(node->name), "a"); /* only its text is copied */

    if (is_left_out(node))
        return;
    if (!link) {
        fine(xmlTextWriterStartElement(p->to->to, node->name));
        for (xmlAttrPtr a = node->properties; a; a = a->next)
            copy_attribute(p, node, a);
        put_shades(p, node);
    }
    copy_nodes(p, node->children);
    if (!link)
        fine(xmlTextWriterEndElement(p->to->to));
}

static void copy_nodes(const struct picture *p, xmlNodePtr node)
{
    for (; node; node = node->next)
        if (node->type == XML_ELEMENT_NODE)
            copy_element(p, node);
        else if (node->type == XML_TEXT_NODE && node->content &&
                 !xmlIsBlankNode(node))
            markup_text(p->to, (const char *)node->content);
}

/* Opens a picture and writes its name and description.  A picture with a
 * viewBox has a minimum width, so that the text stays readable in a narrow
 * window; the box around the picture scrolls. */
static void open_picture(const struct picture *p, const char *class,
                         const char *box, const char *title, const char *text)
{
    const double least = 0.75; /* share of the width of the viewBox */
    double width;

    markup_open(p->to, "svg");
    if (class)
        markup_attribute(p->to, "class", "%s", class);
    if (box)
        markup_attribute(p->to, "viewBox", "%s", box);
    if (box && sscanf(box, "%*f %*f %lf", &width) == 1)
        markup_attribute(p->to, "style", "min-width:%.0fpx", least * width);
    markup_attribute(p->to, "role", "img");
    markup_attribute(p->to, "aria-labelledby", "%stitle", p->prefix);
    markup_attribute(p->to, "aria-describedby", "%sdesc", p->prefix);
    markup_open(p->to, "title");
    markup_attribute(p->to, "id", "%stitle", p->prefix);
    markup_text(p->to, title);
    markup_shut(p->to);
    markup_open(p->to, "desc");
    markup_attribute(p->to, "id", "%sdesc", p->prefix);
    markup_text(p->to, text);
    markup_shut(p->to);
}

void markup_svg(struct markup *m, const char *class, const char *box,
                const char *prefix, const char *title, const char *text)
{
    open_picture(&(struct picture){m, prefix, NULL}, class, box, title, text);
}

int markup_picture(struct markup *m, const char *svg, size_t bytes,
                   const char *prefix, const char *title, const char *text)
{
    xmlDocPtr d = bytes > INT_MAX || !m->to ? NULL
                                  : xmlReadMemory(svg, (int)bytes, NULL, NULL,
                                                  XML_PARSE_NONET |
                                                      XML_PARSE_NOERROR |
                                                      XML_PARSE_NOWARNING);
    xmlNodePtr root = d ? xmlDocGetRootElement(d) : NULL;
    int is = root && !strcmp(local(root->name), "svg");

    OWNED(map_free) struct map *ids = map_of_copies();

    map_add(ids, "title", 1); /* open_picture uses these two ids */
    map_add(ids, "desc", 1);
    if (is) {
        const struct picture p = {m, prefix, ids};
        xmlChar *box = xmlGetProp(root, x("viewBox"));

        open_picture(&p, NULL, (const char *)box, title, text);
        copy_nodes(&p, root->children);
        markup_shut(m);
        xmlFree(box);
    }
    xmlFreeDoc(d);
    return is ? OK : err_set(ERR_IO, "%s: is not an SVG picture", title);
}
