#include "harness/print/markup.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <libxml/xmlwriter.h>
#include <stdarg.h>
#include <string.h>

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

static void picture_text(struct markup *m, const char *tag, const char *prefix,
                         const char *text)
{
    markup_open(m, tag);
    markup_attribute(m, "id", "%s%s", prefix, tag);
    markup_text(m, text);
    markup_shut(m);
}

void markup_svg(struct markup *m, const char *class, const char *box,
                const char *prefix, const char *title, const char *text)
{
    markup_open(m, "svg");
    markup_attribute(m, "class", "%s", class);
    markup_attribute(m, "viewBox", "%s", box);
    markup_attribute(m, "role", "img");
    markup_attribute(m, "aria-labelledby", "%stitle", prefix);
    markup_attribute(m, "aria-describedby", "%sdesc", prefix);
    picture_text(m, "title", prefix, title);
    picture_text(m, "desc", prefix, text);
}
