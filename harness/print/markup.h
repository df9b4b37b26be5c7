/*
 * markup: writes a page of HTML.  It removes control characters and bytes that
 * are not UTF-8 from text and attributes, because no escape can represent them;
 * libxml2's text writer escapes the rest.  markup_new begins a page,
 * markup_bytes returns the page.
 *
 *     struct markup *m = markup_new();
 *     markup_open(m, "p");
 *     markup_attribute(m, "class", "%s", kind);
 *     markup_text(m, label);
 *     markup_shut(m);
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct markup;

struct markup *markup_new(void); /* begins with the document type */
struct markup *markup_plain(void); /* text only; blocks become lines */
void           markup_close(struct markup *m); /* NULL is fine */
OWNER(markup_close, struct markup *)

void markup_open(struct markup *m, const char *tag);
void markup_shut(struct markup *m); /* closes the innermost element */

/* Adds an attribute to the element that was just opened. */
void markup_attribute(struct markup *m, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

void markup_text(struct markup *m, const char *text);
void markup_format(struct markup *m, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes an element that contains only text. */
void markup_element(struct markup *m, const char *tag, const char *text);

/* Writes `text` as a link to `to` or, if `to` is NULL, without a link. */
void markup_link(struct markup *m, const char *to, const char *text);

/* Writes trusted text without escapes: a style sheet, a script. */
void markup_ours(struct markup *m, const char *text);

/* Opens an SVG picture of a class of the style sheet, with its name and
 * description; the caller draws it.  box: its viewBox.  prefix: the start of
 * the ids of title and description, which must be unique in the page.
 * markup_shut closes it. */
void markup_svg(struct markup *m, const char *class, const char *box,
                const char *prefix, const char *title, const char *text);

/* Returns the page and sets *bytes to its length.  Every element must be
 * closed.  The page lives as long as `m`. */
const char *markup_bytes(struct markup *m, size_t *bytes);
